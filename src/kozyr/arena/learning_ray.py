"""Shards of self-play on a Ray cluster, as an executor; needs the extra `ray`."""
from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import ray  # type: ignore[import-not-found,unused-ignore]  # an optional extra


class RayExecutor(Executor):
    """Runs each call as a task of a Ray cluster."""

    def __init__(self, address: str) -> None:
        ray.init(address=address, log_to_driver=False)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Start a task."""
        found: Future[Any] = ray.remote(fn).remote(*args, **kwargs).future()
        return found

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster."""
        ray.shutdown()

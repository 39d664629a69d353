"""How whoever asked a store hears what came of it, by being called."""
from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

Settled = Callable[[Any], None]
"""Is called with what came of something, which may be an error."""


def settle(waiting: asyncio.Future[Any], answer: Any) -> None:
    """Let whoever waits have the answer, or the error."""
    if waiting.done():
        return
    if isinstance(answer, BaseException):
        waiting.set_exception(answer)
    else:
        waiting.set_result(answer)


def tell(settled: Settled, answer: Any) -> None:
    """Call one of several who share a commit; what goes wrong in that call is reported, and the others are told."""
    try:
        settled(answer)
    except Exception as error:  # noqa: BLE001  # the edge of the event loop
        told = {"message": "what was written could not be told", "exception": error}
        asyncio.get_running_loop().call_exception_handler(told)

"""The real world's clock and entropy."""
from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable

from kozyr.app.ports import Timer

BOOT: int | None = getattr(time, "CLOCK_BOOTTIME", None)
"""The system's clock that goes on while the machine sleeps, where it has one."""


class SystemClock:
    """
    The clock of the machine, and timers of the running event loop.

    The wall clock is read once; from then on time only goes forward, whatever the wall clock is set to: a step back would
    stop every table's clock for as long.
    """

    def __init__(self) -> None:
        self._started = time.time_ns() - elapsed_ns()

    def now(self) -> int:
        """Return milliseconds since 1970."""
        return (self._started + elapsed_ns()) // 1_000_000

    def call_later(self, ms: int, callback: Callable[[], None]) -> Timer:
        """Call *callback* once, when *ms* milliseconds have gone by."""
        return asyncio.get_running_loop().call_later(ms / 1000, callback)


def elapsed_ns() -> int:
    """Return nanoseconds that never go back, the time in which the machine slept among them where that can be known."""
    return time.monotonic_ns() if BOOT is None else time.clock_gettime_ns(BOOT)


class SystemEntropy:
    """The operating system's source of random bytes."""

    def draw(self, count: int) -> bytes:
        """Return *count* random bytes."""
        return secrets.token_bytes(count)

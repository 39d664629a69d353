"""The real world's clock and entropy."""
from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from functools import partial

from kozyr.app.ports import Timer

log = logging.getLogger(__name__)

BOOT: int | None = getattr(time, "CLOCK_BOOTTIME", None)
"""The system's clock that goes on while the machine sleeps, where it has one."""

UNSAID_MS = 2000
"""So much longer than is known of it a server may have gone by its time before it died: what it showed must not be in the future."""

elapsed_ns: Callable[[], int] = time.monotonic_ns if BOOT is None else partial(time.clock_gettime_ns, BOOT)
"""Nanoseconds that never go back, the time in which the machine slept among them where that can be known."""


class SystemClock:
    """
    The clock of the machine, and timers of the running event loop.

    The wall clock is read once; from then on time only goes forward, whatever the wall clock is set to: a step back would
    stop every table's clock for as long. What the log and other processes know of the time is more than the wall clock: see `agree`.
    """

    def __init__(self) -> None:
        self._started = time.time_ns() - elapsed_ns()

    def agree(self, theirs: int | None, last: int | None, unsaid_ms: int = 0) -> None:
        """
        Take over the time that all processes go by, where there are others, and be no earlier than the last time in the log.

        Whose wall clock is behind that goes on *unsaid_ms* after it.

        To be called before anybody was told the time. A wall clock that was set back while no server ran would otherwise let every
        clock at a table run for as long again, and take back what spectators of a staked table had been shown.
        """
        if theirs is not None:
            self._started = theirs * 1_000_000 - elapsed_ns()
        if last is not None and last > self.now():
            log.warning("the wall clock is %d ms behind the log; time goes on from there", last - self.now())
            self._started = (last + unsaid_ms) * 1_000_000 - elapsed_ns()

    def now(self) -> int:
        """Return milliseconds since 1970."""
        return (self._started + elapsed_ns()) // 1_000_000

    def call_later(self, ms: int, callback: Callable[[], None]) -> Timer:
        """Call *callback* once, when *ms* milliseconds have gone by."""
        return asyncio.get_running_loop().call_later(ms / 1000, callback)


class SystemEntropy:
    """The operating system's source of random bytes."""

    def draw(self, count: int) -> bytes:
        """Return *count* random bytes."""
        return secrets.token_bytes(count)

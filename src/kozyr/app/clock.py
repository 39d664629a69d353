"""The real world's clock and entropy."""
from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable

from kozyr.app.ports import Timer


class SystemClock:
    """The clock of the machine, and timers of the running event loop."""

    def now(self) -> int:
        """Return milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def call_later(self, ms: int, callback: Callable[[], None]) -> Timer:
        """Call *callback* once, when *ms* milliseconds have gone by."""
        return asyncio.get_running_loop().call_later(ms / 1000, callback)


class SystemEntropy:
    """The operating system's source of random bytes."""

    def draw(self, count: int) -> bytes:
        """Return *count* random bytes."""
        return secrets.token_bytes(count)

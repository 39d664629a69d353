"""One after another: who has the turn at something, and who waits for it."""
from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from types import TracebackType


class Turn:
    """
    A lock that is handed on in the order in which it was asked for.

    Whoever finds it free has it at once, without anything being awaited; whoever waits is a coroutine, or a callback, which is called with
    the turn in the event loop's next turn and must `release` it.
    """

    __slots__ = ("_is_taken", "_waiting")

    def __init__(self) -> None:
        self._is_taken = False
        self._waiting: deque[asyncio.Future[None] | Callable[[], None]] | None = None

    @property
    def is_taken(self) -> bool:
        """Whether somebody has it."""
        return self._is_taken

    def take(self) -> bool:
        """Take the turn if it is free."""
        if self._is_taken:
            return False
        self._is_taken = True
        return True

    def call(self, callback: Callable[[], None]) -> None:
        """Call *callback* when it is its turn, after all who wait already."""
        self._queue().append(callback)

    def release(self) -> None:
        """Give the turn to whoever has waited longest."""
        while self._waiting:
            waiting = self._waiting.popleft()
            if not isinstance(waiting, asyncio.Future):
                asyncio.get_running_loop().call_soon(waiting)
                return
            if not waiting.done():
                waiting.set_result(None)
                return
        self._waiting = None
        self._is_taken = False

    def _queue(self) -> deque[asyncio.Future[None] | Callable[[], None]]:
        if self._waiting is None:
            self._waiting = deque()
        return self._waiting

    async def __aenter__(self) -> None:
        if self.take():
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue().append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():
                # It had been given the turn already.
                self.release()
            raise

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.release()

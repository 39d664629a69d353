"""An event loop whose time goes by at once: whoever waits for a second waits for nothing."""

from __future__ import annotations

import asyncio
import contextvars
import itertools
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

from kozyr.app.ports import Timer

START_MS = 20_000 * 86_400_000
OWNER: contextvars.ContextVar[Life | None] = contextvars.ContextVar("owner", default=None)


class Life:
    """A server process as far as its end is concerned: what it does belongs to it, and ends with it."""

    def __init__(self) -> None:
        self.is_alive = True
        # A dict keeps their order, which a set of tasks does not.
        self.tasks: dict[asyncio.Task[Any], None] = {}

    def end(self) -> None:
        """Do nothing any more, at once: what was being done stops where it waits."""
        self.is_alive = False
        for task in list(self.tasks):
            task.cancel()


class VirtualLoop(asyncio.BaseEventLoop):
    """Jumps to the next timer whenever nothing else is to be done."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self
        self._elapsed = 0.0
        self.faults: list[str] = []
        self._names = itertools.count()
        self._ties: Counter[float] = Counter()
        self.set_exception_handler(self._note)
        self.set_task_factory(self._make_task)

    def time(self) -> float:
        return self._elapsed

    def call_at(
        self, when: float, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        """Call at a time; of two calls at the very same time the earlier-made one comes first, as no heap of timers promises."""
        tie = self._ties[when]
        self._ties[when] = tie + 1
        return super().call_at(when + tie * 1e-8, callback, *args, context=context)

    def select(self, timeout: float | None) -> list[Any]:
        """Wait: for the next timer, and for no file."""
        if timeout is None:
            raise RuntimeError("nothing will ever happen again")
        self._elapsed += timeout
        return []

    def _process_events(self, events: list[Any]) -> None:
        """There are no files, and so nothing happens to them."""

    def _make_task(self, loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **named: Any) -> asyncio.Task[Any]:
        named["name"] = f"task {next(self._names)}"
        task = asyncio.Task(work, loop=loop, **named)
        owner = OWNER.get() if named.get("context") is None else named["context"].get(OWNER)
        if owner is not None:
            owner.tasks[task] = None
            task.add_done_callback(lambda done: owner.tasks.pop(done, None))
            if not owner.is_alive:
                task.cancel()
        return task

    def _note(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.faults.append(f"{context['message']}: {error!r}")


class VirtualClock:
    """The server's clock in a process's life; its timers end with the process."""

    def __init__(self, life: Life) -> None:
        self._life = life

    def now(self) -> int:
        return now_ms()

    def call_later(self, ms: int, callback: Callable[[], None]) -> Timer:
        def run() -> None:
            if self._life.is_alive:
                callback()

        # As the system's: a timer runs in the millisecond that it was set for, or after it.
        return asyncio.get_running_loop().call_later(ms / 1000 + 1e-6, run)


def now_ms() -> int:
    """Return the milliseconds since 1970 at which the virtual world is."""
    return START_MS + int(asyncio.get_running_loop().time() * 1000)

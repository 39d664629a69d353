"""An event loop whose time goes by at once: whoever waits for a second waits for nothing."""

from __future__ import annotations

import asyncio
import contextvars
import heapq
import itertools
from collections import deque
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

    def forget(self, task: asyncio.Task[Any]) -> None:
        """Note that something is done."""
        self.tasks.pop(task, None)

    def end(self) -> None:
        """Do nothing any more, at once: what was being done stops where it waits."""
        self.is_alive = False
        for task in list(self.tasks):
            task.cancel()


class Call:
    """Something to be done soon, or at a time."""

    __slots__ = ("_args", "_callback", "_context", "_is_cancelled", "_when")

    def __init__(self, when: float, callback: Callable[..., object], args: tuple[Any, ...], context: contextvars.Context | None) -> None:
        self._when = when
        self._callback = callback
        self._args = args
        self._context = contextvars.copy_context() if context is None else context
        self._is_cancelled = False

    def cancel(self) -> None:
        self._is_cancelled = True

    def cancelled(self) -> bool:
        return self._is_cancelled

    def when(self) -> float:
        return self._when


class VirtualLoop(asyncio.BaseEventLoop):
    """
    Jumps to the next timer whenever nothing else is to be done.

    Of two timers of the very same time the one that was set earlier comes first. It does itself, in few steps, what takes asyncio's own
    loops many: half of what a world takes would be theirs.
    """

    def __init__(self) -> None:
        super().__init__()
        self._elapsed = 0.0
        self.faults: list[str] = []
        self._numbers = itertools.count()
        self._soon: deque[Call] = deque()
        self._timers: list[tuple[float, int, Call]] = []
        self.set_exception_handler(self._note)

    def time(self) -> float:
        return self._elapsed

    def call_soon(  # type: ignore[override]  # a call has what a handle is asked for
        self, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> Call:
        """Call as soon as what came before is done."""
        call = Call(self._elapsed, callback, args, context)
        self._soon.append(call)
        return call

    def call_at(  # type: ignore[override]  # a call has what a handle is asked for
        self, when: float, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> Call:
        """Call at a time."""
        call = Call(when, callback, args, context)
        heapq.heappush(self._timers, (when, next(self._numbers), call))
        return call

    def call_later(  # type: ignore[override]  # a call has what a handle is asked for
        self, delay: float, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> Call:
        """Call after some seconds."""
        return self.call_at(self._elapsed + delay, callback, *args, context=context)

    def _run_once(self) -> None:
        """Do everything that is to be done now, then what the next timer is for."""
        soon = self._soon
        while soon:
            call = soon.popleft()
            if not call._is_cancelled:
                self._do(call)
            if self._stopping:  # type: ignore[attr-defined]  # asyncio's own, which its stubs leave out
                return
        while True:
            if not self._timers:
                raise RuntimeError("nothing will ever happen again")
            when, _, call = heapq.heappop(self._timers)
            if not call._is_cancelled:
                break
        self._elapsed = max(self._elapsed, when)
        self._do(call)

    def _do(self, call: Call) -> None:
        try:
            call._context.run(call._callback, *call._args)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001  # as asyncio's loops do: what went wrong is told, and the world goes on
            self.call_exception_handler({"message": f"a callback failed: {call._callback!r}", "exception": error})

    def create_task(self, work: Coroutine[Any, Any, Any], **named: Any) -> asyncio.Task[Any]:  # type: ignore[override]
        """Make a task that belongs to the process in which it is made."""
        task = asyncio.Task(work, loop=self, **named)
        owner = OWNER.get() if named.get("context") is None else named["context"].get(OWNER)
        if owner is not None:
            owner.tasks[task] = None
            task.add_done_callback(owner.forget)
            if not owner.is_alive:
                task.cancel()
        return task

    def end(self) -> None:
        """End whatever still goes on, and close."""
        while left := asyncio.all_tasks(self):
            for task in left:
                task.cancel()
            self.run_until_complete(asyncio.wait(left, timeout=60))
        self._timers.clear()
        self.close()

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

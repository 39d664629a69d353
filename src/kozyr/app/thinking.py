"""Where bots think: the quick levels here and now, the others in processes of their own, never in the event loop."""
from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from kozyr.app.counts import COUNTS
from kozyr.app.thinker import LENGTH, READY, Answer, framed
from kozyr.bots import LEVELS, Memory
from kozyr.core.moves import Move
from kozyr.core.views import View

log = logging.getLogger(__name__)

QUICK = frozenset({"easy", "normal"})
"""Levels that choose in far less than a millisecond."""
STAND_IN = "normal"
"""The quick level that chooses for one that could not."""

QUEUE_MAX = 8
"""So many thoughts may wait for each process; who comes when there are as many is chosen for at once."""
WAIT_S_MAX, FIRST_WAIT_S_MAX = 3.0, 6.0
"""So long a thought waits for a process, and where none has started yet."""
THINK_S_MAX, STILL_S_MAX = 5.0, 15.0
"""So long a thought is waited for; a process that takes so long for one stands still: it is killed, and another takes its place."""
START_S_MAX = 60.0
FIRST_S, LONGEST_S = 0.1, 5.0

MESSAGE_MAX = 2**24
ENDED = (OSError, TimeoutError, EOFError)
"""What it looks like when a process does not answer any more."""


def choose(level: str, view: View, memory: Memory | None) -> Move | None:
    """Let a level choose."""
    return LEVELS[level](view, memory)


class HereAndNow:
    """All levels think in the event loop: for tests and for tools, which wait for nothing else. Implements the port `Thinking`."""

    async def choose(self, level: str, view: View, memory: Memory | None) -> Move | None:
        """Let a level choose; see `Thinking`."""
        return choose(level, view, memory)


class Unthought(Exception):
    """A thought that nobody has thought; the text says why."""


class Thought:
    """What a level is asked, and who waits for its answer."""

    def __init__(self, asked: bytes) -> None:
        self.asked = asked
        self.answer: asyncio.Future[Move | None] = asyncio.get_running_loop().create_future()

    def fail(self, why: str) -> None:
        """Say that there will be no answer."""
        if not self.answer.done():
            self.answer.set_exception(Unthought(why))


class Workers:
    """
    Levels that take their time think in processes, which start when the first of them is asked. Implements the port `Thinking`.

    A process is given what the bot's seat may know, and no more. Whatever becomes of a thought, the bot moves: where too many wait, one
    has waited for too long, or its process has died or stands still, a quick level chooses at once. A process that is lost is replaced.
    """

    def __init__(self, processes: int = 0, queue: int = QUEUE_MAX) -> None:
        self._processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self._most = queue * self._processes
        self._waiting: deque[Thought] = deque()
        self._asked = asyncio.Event()
        self._keeping: list[asyncio.Task[None]] = []
        self._running: list[Process] = []
        self._stopped = asyncio.Event()
        self.pids: set[int] = set()
        """The processes that there are now."""

    async def choose(self, level: str, view: View, memory: Memory | None) -> Move | None:
        """Let a level choose; see `Thinking`."""
        if level in QUICK:
            return choose(level, view, memory)
        if not self._keeping:
            self._keeping = [asyncio.ensure_future(self._keep()) for _ in range(self._processes)]
        COUNTS.thinking += 1
        try:
            return await self._think(level, view, memory)
        except Unthought as why:
            log.warning("a bot of level %s has a quicker one choose: %s", level, why)
            COUNTS.unthought += 1
            return choose(STAND_IN, view, memory)
        finally:
            COUNTS.thinking -= 1
            COUNTS.thoughts += 1

    async def close(self) -> None:
        """End the processes; who still waits is chosen for."""
        self._stopped.set()
        for process in self._running:
            kill(process)
        await asyncio.gather(*self._keeping)
        while self._waiting:
            self._waiting.popleft().fail("the server stops")

    async def _think(self, level: str, view: View, memory: Memory | None) -> Move | None:
        if self._stopped.is_set():
            raise Unthought("the server stops")
        if len(self._waiting) >= self._most:
            COUNTS.crowded += 1
            raise Unthought("too many wait")
        # Written down now: play goes on while it waits.
        thought = Thought(pickle.dumps((level, view, memory)))
        self._waiting.append(thought)
        self._asked.set()
        patience = asyncio.get_running_loop().call_later(WAIT_S_MAX if self.pids else FIRST_WAIT_S_MAX, self._give_up, thought)
        try:
            return await thought.answer
        finally:
            patience.cancel()
            with contextlib.suppress(ValueError):
                self._waiting.remove(thought)

    def _give_up(self, thought: Thought) -> None:
        """Wait no longer for a process; one that has begun is waited for."""
        if thought in self._waiting:
            self._waiting.remove(thought)
            thought.fail("all processes are busy")

    async def _keep(self) -> None:
        """Keep one process going."""
        pause = FIRST_S
        while not self._stopped.is_set():
            try:
                async with self._started() as process:
                    pause = FIRST_S
                    ended = asyncio.ensure_future(process.wait())
                    while not self._stopped.is_set():
                        await self._serve(process, await self._next(ended))
            except ENDED as why:
                if self._stopped.is_set():
                    return
                COUNTS.replaced += 1
                log.warning("a process in which bots think is lost (%s); another takes its place", str(why) or type(why).__name__)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stopped.wait()
            pause = min(LONGEST_S, 2 * pause)

    @asynccontextmanager
    async def _started(self) -> AsyncIterator[Process]:
        """Start a process, and see that nothing is left of it."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "kozyr.app.thinker", stdin=PIPE, stdout=PIPE, limit=MESSAGE_MAX
        )
        self._running.append(process)
        try:
            if self._stopped.is_set():
                raise EOFError("the server stops")
            async with asyncio.timeout(START_S_MAX):
                said = await received(process)
            if said != READY:
                raise EOFError(f"it said {said[:80]!r}")
            self.pids.add(process.pid)
            yield process
        finally:
            self._running.remove(process)
            self.pids.discard(process.pid)
            kill(process)
            await process.wait()
            assert process.stdin is not None and process.stdout is not None
            process.stdin.close()
            with contextlib.suppress(OSError):
                await process.stdin.wait_closed()
            await process.stdout.read()

    async def _next(self, ended: asyncio.Future[int]) -> Thought:
        """
        Wait for a thought.

        Raises: EOFError when the process has ended meanwhile.
        """
        while not self._waiting and not ended.done():
            self._asked.clear()
            asked = asyncio.ensure_future(self._asked.wait())
            try:
                await asyncio.wait((asked, ended), return_when=asyncio.FIRST_COMPLETED)
            finally:
                asked.cancel()
        if ended.done():
            raise EOFError(f"it ended with {ended.result()}")
        return self._waiting.popleft()

    async def _serve(self, process: Process, thought: Thought) -> None:
        """
        Have a process think.

        Raises: one of `ENDED` for a process that is of no use any more.
        """
        assert process.stdin is not None
        # A machine that has much to do makes thoughts late; to kill what thinks would give it more.
        late = asyncio.get_running_loop().call_later(THINK_S_MAX, thought.fail, "it takes too long")
        try:
            async with asyncio.timeout(STILL_S_MAX):
                process.stdin.write(framed(thought.asked))
                await process.stdin.drain()
                given: Answer = pickle.loads(await received(process))
        except TimeoutError:
            raise TimeoutError("it stands still") from None
        except BaseException:
            thought.fail("the process in which it thought has ended")
            raise
        finally:
            late.cancel()
        move, why = given
        if why:
            log.error("a bot failed: %s", why)
            thought.fail("it failed")
        elif not thought.answer.done():
            thought.answer.set_result(move)


def kill(process: Process) -> None:
    """Kill a process, if it is still there."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()


async def received(process: Process) -> bytes:
    """
    Read a message of a process.

    Raises: EOFError when it has ended.
    """
    assert process.stdout is not None
    head = await process.stdout.readexactly(LENGTH.size)
    return await process.stdout.readexactly(*LENGTH.unpack(head))

"""Where bots think: the quick levels here and now, the others in processes of their own, never in the event loop."""
from __future__ import annotations

import asyncio
import copy
import logging
import multiprocessing
import os
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from kozyr.app.counts import COUNTS
from kozyr.bots import LEVELS, Memory
from kozyr.core.moves import Move
from kozyr.core.views import View

log = logging.getLogger(__name__)

QUICK = frozenset({"easy", "normal"})
"""Levels that choose in far less than a millisecond."""

THINK_S_MAX = 5.0
"""Whoever thinks for longer, or whose process has died, has the easy bot choose."""


def choose(level: str, view: View, memory: Memory | None) -> Move | None:
    """Let a level choose."""
    return LEVELS[level](view, memory)


class HereAndNow:
    """All levels think in the event loop: for tests and for tools, which wait for nothing else. Implements the port `Thinking`."""

    async def choose(self, level: str, view: View, memory: Memory | None) -> Move | None:
        """Let a level choose; see `Thinking`."""
        return choose(level, view, memory)


class Workers:
    """
    Levels that take their time think in processes, which start when the first of them is asked. Implements the port `Thinking`.

    A process is given what the bot's seat may know, and no more.
    """

    def __init__(self, processes: int = 0) -> None:
        self._processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self._pool: Executor | None = None

    async def choose(self, level: str, view: View, memory: Memory | None) -> Move | None:
        """Let a level choose; see `Thinking`."""
        if level in QUICK:
            return choose(level, view, memory)
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, mp_context=context, initializer=_be_modest)
        pool = self._pool
        COUNTS.thinking += 1
        try:
            # A copy: it is written for the other process later, elsewhere, while play goes on.
            thinking = asyncio.get_running_loop().run_in_executor(pool, choose, level, view, copy.deepcopy(memory))
            return await asyncio.wait_for(thinking, THINK_S_MAX)
        except TimeoutError:
            log.warning("a bot of level %s thinks for too long", level)
        except BrokenProcessPool:
            log.warning("the bots' processes have died; they are started anew")
            if self._pool is pool:
                self._pool = None
        finally:
            COUNTS.thinking -= 1
            COUNTS.thoughts += 1
        COUNTS.unthought += 1
        return choose("easy", view, memory)

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None


def _be_modest() -> None:
    """Leave the processor to whoever answers people."""
    if hasattr(os, "nice"):
        os.nice(5)

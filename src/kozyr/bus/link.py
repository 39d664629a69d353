"""A connection to PostgreSQL that hears what others announce, and is opened again whenever it is lost."""
from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg

log = logging.getLogger(__name__)

LOST = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
ANSWER_S = 5.0
"""A statement that takes longer means that the other end has gone without a word."""
FIRST_S, LONGEST_S = 0.02, 1.0
AGAIN_S = 0.2
"""After so long a task that shall end is cancelled again."""
GATHER_S = 0.02
"""What is said within so short a time is said together."""

Hear = Callable[[str], None]
Work = Callable[[], Awaitable[None]]


class Link:
    """
    Hears channels, and does its users' work on every connection that it makes and every *round_s* seconds.

    What is announced while there is no connection is not heard: the work that follows finds out what was missed.
    """

    announces = True
    """Whether a statement can announce what it writes, by NOTIFY."""

    def __init__(self, url: str, round_s: float = 1.0) -> None:
        self._url = url
        self._round_s = round_s
        self._channels: dict[str, Hear] = {}
        self._rounds: list[Work] = []
        self._between: list[Work] = []
        self._connection: asyncpg.Connection | None = None
        self._lock = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._next_at = float("inf")
        self.connections = 0
        """How many connections there have been."""

    def hear(self, channel: str, listener: Hear) -> None:
        """Call *listener* with everything that is announced on a channel; said before `start`."""
        self._channels[channel] = listener

    def do_each_round(self, work: Work, *, is_first: bool = False) -> None:
        """Do *work* on every connection, and again and again; before all else of a round where it *is_first*."""
        self._rounds.insert(0 if is_first else len(self._rounds), work)

    def do_when_woken(self, work: Work) -> None:
        """
        Do *work* soon after `wake`, and before each round.

        What may take long looks whether a `round_is_due` and goes on another time: others take for dead whose rounds do not come.
        """
        self._between.append(work)

    @property
    def round_is_due(self) -> bool:
        """Whether the next round waits for what is being done."""
        return asyncio.get_running_loop().time() >= self._next_at

    async def start(self) -> None:
        """Open the connection and do the first round; a connection that is lost meanwhile is opened again."""
        await self._connect()
        try:
            await self._work(is_round=True)
        except LOST as why:
            log.warning("the link to the database is lost: %s", type(why).__name__)
            self._drop()
            self._woken.set()
        self._task = asyncio.ensure_future(self._run())

    async def close(self) -> None:
        """Hear nothing more."""
        if self._task is not None:
            await end(self._task)
        if self._connection is not None:
            with contextlib.suppress(*LOST):
                await self._connection.close(timeout=1)
        self._connection = None

    async def ask(self, statement: str, *values: Any) -> list[asyncpg.Record]:
        """
        Do a statement.

        Raises: one of `LOST` where there is no connection.
        """
        async with self._lock:
            if self._connection is None:
                raise ConnectionError("there is no connection to the database now")
            found: list[asyncpg.Record] = await self._connection.fetch(statement, *values)
            return found

    async def say(self, channel: str, payload: str) -> None:
        """
        Announce something to all others.

        Raises: one of `LOST` where there is no connection.
        """
        await self.ask("SELECT pg_notify($1, $2)", channel, payload)

    def wake(self) -> None:
        """Do soon what is to be done between rounds."""
        self._woken.set()

    async def _run(self) -> None:
        pause, loop = FIRST_S, asyncio.get_running_loop()
        self._next_at = loop.time() + self._round_s
        while True:
            # Not `wait_for`: up to Python 3.11 it swallows a cancellation that comes as the event does, and `close` would wait for ever.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(self._next_at):
                    await self._woken.wait()
            if self._woken.is_set():
                await asyncio.sleep(GATHER_S)
                self._woken.clear()
            try:
                if self._connection is None or self._connection.is_closed():
                    await self._connect()
                    self._next_at = loop.time()
                is_round = self.round_is_due
                await self._work(is_round=is_round)
                if is_round:
                    self._next_at = loop.time() + self._round_s
                pause = FIRST_S
            except LOST as why:
                log.warning("the link to the database is lost: %s", type(why).__name__)
                self._drop()
                await asyncio.sleep(pause * random.uniform(0.5, 1))
                pause = min(LONGEST_S, 2 * pause)
                self._woken.set()

    async def _connect(self) -> None:
        self._drop()
        connection = await asyncpg.connect(
            self._url, command_timeout=ANSWER_S, timeout=ANSWER_S, server_settings={"application_name": "kozyr hints"}
        )
        connection.add_termination_listener(self._ended)
        for channel, listener in self._channels.items():
            await connection.add_listener(channel, lambda _, __, ___, payload, listener=listener: listener(payload))
        self._connection = connection
        self.connections += 1

    def _ended(self, connection: object) -> None:
        if connection is self._connection:
            self._woken.set()

    async def _work(self, *, is_round: bool) -> None:
        for work in (*self._between, *(self._rounds if is_round else ())):
            try:
                await work()
            except LOST:
                raise
            except Exception:
                # The edge of one user's work: the others', and all rounds after this one, are done.
                log.exception("the link's work failed")

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it has ended: what it awaits may swallow a cancellation that comes just as the awaited does."""
    while not task.done():
        task.cancel()
        await asyncio.wait((task,), timeout=AGAIN_S)

"""Hints by a broker outside the database: how a process is connected to one, and what of NOTIFY it takes the place of."""
from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import re
import secrets
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from kozyr.app.counts import COUNTS
from kozyr.app.ports import Row
from kozyr.app.sealing import Seals
from kozyr.bus.link import Hear, Link, end
from kozyr.bus.postgres import CHANNEL, Heads, PostgresBus

log = logging.getLogger(__name__)

FIRST_S, LONGEST_S = 0.05, 1.0
START_S = 2.0
"""So long a start waits for the broker; without it every hint is lost until it is there, which delays and loses nothing."""
BEAT_S = 1.0
"""How often a process says something to itself, and how long it waits to hear it: else its connection is worth nothing."""
BEATS_LOST = 3
OUTBOX_MAX = 10_000
"""So much may wait to be said; what is older than that is made up for like all that is lost."""
PLACES_MAX = 100
WANT = "?"
"""So a process says which tables it has in memory, to be told of their events themselves."""
WANTED_S = 60.0
"""So long it is told of them; it says so again when it is told of an event's place alone."""
WANT_S = 5.0
"""But of each table only so often: an event that is too long, or one of several, comes by its place in any case."""

Said = tuple[str, bytes]


class Session(Protocol):
    """A connection that hears all channels."""

    async def send(self, said: Sequence[Said]) -> None:
        """Send to channels."""

    async def listen(self) -> None:
        """Hand on what is heard until the connection is lost."""


class Broker(ABC):
    """
    Carries what processes announce to one another, each thing at most once.

    A connection that is lost, or that carries nothing any more, is opened again. What is said meanwhile is lost: whoever uses it is told
    of every new connection, and finds out what was missed.
    """

    lost: tuple[type[BaseException], ...] = (OSError, TimeoutError, EOFError)
    """What it looks like when there is no connection."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.connections = 0
        """How many connections there have been."""
        self.on_connection: Callable[[], None] = lambda: None
        self._channels: dict[str, Hear] = {}
        self._outbox: deque[Said] = deque(maxlen=OUTBOX_MAX)
        self._woken, self._connected = asyncio.Event(), asyncio.Event()
        self._own = f"kozyr_own_{secrets.token_hex(8)}"
        self._unheard = 0
        self._task: asyncio.Task[None] | None = None
        self.hear(self._own, self._heard_itself)

    @abstractmethod
    def open(self, channels: Sequence[str]) -> AbstractAsyncContextManager[Session]:
        """Open a connection that hears channels."""

    @property
    def is_connected(self) -> bool:
        """Whether what is said now is sent."""
        return self._connected.is_set()

    def hear(self, channel: str, listener: Hear) -> None:
        """Call *listener* with everything that is said on a channel; said before `start`."""
        self._channels[subject(channel)] = listener

    def say(self, channel: str, payload: str) -> None:
        """Say something to all who hear a channel, soon."""
        if self._connected.is_set():
            self._outbox.append((subject(channel), payload.encode()))
            self._woken.set()

    def heard(self, channel: str, payload: bytes) -> None:
        """Hand on what was heard."""
        if listener := self._channels.get(channel):
            try:
                listener(payload.decode(errors="replace"))
            except Exception:
                # The edge of one announcement: what comes after it is heard.
                log.exception("what was heard could not be taken in")

    async def start(self) -> None:
        """Open the connection; go on without it where that takes long."""
        self._task = asyncio.ensure_future(self._run())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_S):
                await self._connected.wait()

    async def close(self) -> None:
        """Say and hear nothing more."""
        if self._task is not None:
            await end(self._task)

    async def _run(self) -> None:
        pause, is_known = FIRST_S, False
        while True:
            try:
                async with self.open(tuple(self._channels)) as session:
                    pause, is_known = FIRST_S, False
                    self.connections += 1
                    COUNTS.broker_connections += 1
                    COUNTS.broker_connected = 1
                    self._connected.set()
                    log.info("hints go by %s", without_password(self.url))
                    self.on_connection()
                    await first_of(session.listen(), self._send(session), self._beat())
            except self.lost as why:
                if not is_known:
                    reason = str(why) or type(why).__name__
                    log.warning("hints do not go by %s: %s; tables are looked at in turn", without_password(self.url), reason)
                is_known = True
            finally:
                COUNTS.broker_connected = 0
                self._connected.clear()
                self._outbox.clear()
            await asyncio.sleep(pause * random.uniform(0.5, 1))
            pause = min(LONGEST_S, 2 * pause)

    async def _send(self, session: Session) -> None:
        while True:
            await self._woken.wait()
            self._woken.clear()
            said = tuple(self._outbox)
            self._outbox.clear()
            if said:
                await session.send(said)

    async def _beat(self) -> None:
        """
        Say something to oneself again and again.

        Raises: TimeoutError when it is not heard, whatever the connection looks like.
        """
        self._unheard = 0
        while self._unheard < BEATS_LOST:
            self._unheard += 1
            self.say(self._own, "beat")
            await asyncio.sleep(BEAT_S)
        raise TimeoutError("it carries nothing")

    def _heard_itself(self, payload: str) -> None:
        self._unheard = 0


class BrokerLink(Link):
    """A link whose announcements go by a broker; of the database it asks only what was missed."""

    announces = False

    def __init__(self, url: str, broker: Broker, round_s: float = 1.0) -> None:
        super().__init__(url, round_s)
        self.broker = broker
        self._has_missed = False
        broker.on_connection = self._miss

    def hear(self, channel: str, listener: Hear) -> None:
        """See `Link`."""
        self.broker.hear(channel, listener)

    async def say(self, channel: str, payload: str) -> None:
        """See `Link`; what cannot be said is lost."""
        self.broker.say(channel, payload)

    async def start(self) -> None:
        """See `Link`."""
        await self.broker.start()
        await super().start()

    async def close(self) -> None:
        """See `Link`."""
        await super().close()
        await self.broker.close()

    def _miss(self) -> None:
        self._has_missed = True
        self.wake()

    async def _work(self, *, is_round: bool) -> None:
        is_round, self._has_missed = is_round or self._has_missed, False
        await super()._work(is_round=is_round)


class BrokerBus(PostgresBus):
    """
    What other processes have appended, by a broker. Implements the port `Hints`.

    A hint is said after the commit. One that is lost, with the broker or with this process, is made up for as with `PostgresBus`.

    All processes hear of all tables. The event itself is said only where somebody has asked for it who has the table in memory, too.
    """

    def __init__(self, link: BrokerLink, process: str, heads: Heads, seals: Seals | None = None) -> None:
        super().__init__(link, process, heads, seals)
        self._broker = link.broker
        self._places: list[str] = []
        self._here: set[str] = set()
        # Until when others want the events of a table; and when this process may ask for those of another.
        self._wanted: dict[str, float] = {}
        self._asked: dict[str, float] = {}

    def publish(self, table_id: str, seq: int, row: Row | None = None) -> None:
        """Announce that a table is at a `seq`, together with all else that is announced at this moment."""
        loop = asyncio.get_running_loop()
        if not self._places:
            loop.call_soon(self._say)
        word = None
        if row is not None and self._seals is not None and self._wanted.get(table_id, 0.0) > loop.time():
            word = self._seals.seal(table_id, row)
        self._places.append(f"{table_id}:{seq}" if word is None else f"{table_id}:{seq} {word}")

    def _say(self) -> None:
        places, self._places = self._places, []
        for first in range(0, len(places), PLACES_MAX):
            self._broker.say(CHANNEL, " ".join((self._process, *places[first : first + PLACES_MAX])))

    def _hear(self, payload: str) -> None:
        process, _, said = payload.partition(" ")
        if not said.startswith(f"{WANT} "):
            super()._hear(payload)
        elif process != self._process:
            until = asyncio.get_running_loop().time() + WANTED_S
            self._wanted.update(dict.fromkeys(self._here.intersection(said.split()), until))

    def _open(self, table_id: str, seq: int, word: str) -> Row | None:
        return super()._open(table_id, seq, word) if table_id in self._here else None

    def _hand_on(self, table_id: str, seq: int, row: Row | None = None) -> None:
        super()._hand_on(table_id, seq, row)
        if row is None and table_id in self._here:
            now = asyncio.get_running_loop().time()
            if self._asked.get(table_id, 0.0) <= now:
                self._asked[table_id] = now + WANT_S
                self._broker.say(CHANNEL, f"{self._process} {WANT} {table_id}")

    async def _hold(self) -> None:
        """Know which tables are in memory here; nobody else need."""
        self._here = {table_id for table_id, _ in self._local()}
        now = asyncio.get_running_loop().time()
        self._wanted = {each: until for each, until in self._wanted.items() if until > now}
        self._asked = {each: at for each, at in self._asked.items() if at > now}


def subject(channel: str) -> str:
    """Write a channel's name as every broker can have it: without spaces."""
    return channel.replace(" ", ".")


async def first_of(*works: Coroutine[Any, Any, None]) -> None:
    """Do works at once until one of them ends, and let go of the others; raises what it raised."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


def without_password(url: str) -> str:
    """Write a broker's URL as it may be shown."""
    return re.sub(r"//[^@/]*@", "//…@", url)

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
    """

    def __init__(self, link: BrokerLink, process: str, heads: Heads, seals: Seals | None = None) -> None:
        super().__init__(link, process, heads, seals)
        self._broker = link.broker
        self._places: list[str] = []

    def publish(self, table_id: str, seq: int, row: Row | None = None) -> None:
        """Announce that a table is at a `seq`, together with all else that is announced at this moment."""
        if not self._places:
            asyncio.get_running_loop().call_soon(self._say)
        self._places.append(f"{table_id}:{seq}")

    def _say(self) -> None:
        places, self._places = self._places, []
        for first in range(0, len(places), PLACES_MAX):
            self._broker.say(CHANNEL, " ".join((self._process, *places[first : first + PLACES_MAX])))


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

"""A server process of the virtual world: the real parts, put together by the server's own `make_site`."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import random
from pathlib import Path

from kozyr.app.alone import Alone
from kozyr.app.bot_seats import Pause
from kozyr.app.commands import Command, Done, Refusal
from kozyr.app.live import LiveTable
from kozyr.app.ports import Hints, Peers
from kozyr.bus.memory import MemoryBus
from kozyr.bus.peers import PostgresPeers
from kozyr.bus.postgres import PostgresBus
from kozyr.ledger import Terms
from kozyr.web.connection import Connection
from kozyr.web.server import drop_silent, make_site
from kozyr.web.socket import CLOSE_FAILED, Conversation
from tests.sim.whole.shared import Database, StoreOf, VirtualLink
from tests.sim.whole.virtual import OWNER, Life, VirtualClock
from tests.sim.whole.wires import Wire

log = logging.getLogger(__name__)
NOWHERE = Path("no client here")


class Seeded:
    """Entropy of one process."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def draw(self, count: int) -> bytes:
        return self._random.randbytes(count)


class Machine:
    """A server process; `name` differs from life to life, as a real process's does."""

    def __init__(self, database: Database, name: str, *, is_alone: bool, terms: Terms, pause: Pause) -> None:
        self.name = name
        self.life = Life()
        self.is_ready = False
        self._database = database
        self._is_alone = is_alone
        self._terms = terms
        self._pause = pause
        self._wires: dict[Wire, None] = {}
        self._link: VirtualLink | None = None
        self._context = contextvars.copy_context()
        self._context.run(OWNER.set, self.life)
        self.starting = self._spawn(self._start())

    def _spawn(self, work: object) -> asyncio.Task[None]:
        return self._context.run(asyncio.ensure_future, work)  # type: ignore[arg-type]

    async def _start(self) -> None:
        store, clock = StoreOf(self._database, self.life, self.name), VirtualClock(self.life)
        hints: Hints = MemoryBus().join()
        peers: Peers = Alone()
        bus: PostgresBus | None = None
        if not self._is_alone:
            self._link = link = VirtualLink(self._database, self.life, f"link {self.name}")
            hints = bus = PostgresBus(link, self.name, store.heads, self._database.seals)
            peers = PostgresPeers(link, self.name, "", clock.now)
        self.site = site = await make_site(
            store, store, hints, clock, Seeded(f"entropy {self.name}"), self._pause, NOWHERE, store, self._terms, peers=peers  # type: ignore[arg-type]
        )
        self._peers = peers
        if self._link is not None and bus is not None:
            bus.look_after(lambda: [(table.id, table.seq) for table in site.tables.all()])
            await self._link.start()
        await site.tables.start()
        self._spawn(drop_silent(site))
        self.is_ready = True

    def accept(self, wire: Wire, table_id: str, guest: str | None) -> None:
        """Take a websocket in."""
        self._wires[wire] = None
        self._spawn(self._talk(wire, table_id, guest))

    async def _talk(self, wire: Wire, table_id: str, guest: str | None) -> None:
        """Do what the route of the websocket does."""
        site = self.site
        live = await site.tables.get(table_id)
        assert live is not None, f"there is no table {table_id}"
        connection = Connection(wire, wire, live.table.seat_of(guest), asyncio.get_running_loop().time(), guest)  # type: ignore[arg-type]
        try:
            await Conversation(site.tables, site.audiences, site.phrases, site.clock, table_id, connection).run(wire)  # type: ignore[arg-type]
        except Exception:
            log.exception("a conversation about table %s failed", table_id)
            await wire.close(code=CLOSE_FAILED)
        self._wires.pop(wire, None)

    async def live(self, table_id: str) -> LiveTable:
        """Return a table of this process."""
        found = await self.site.tables.get(table_id)
        assert found is not None
        return found

    async def do(self, table_id: str, command: Command) -> Done | Refusal | None:
        """Do a command that comes by another way than the websocket."""
        return await self._spawn(self._do(table_id, command))  # type: ignore[func-returns-value]

    async def _do(self, table_id: str, command: Command) -> Done | Refusal | None:
        return await (await self.live(table_id)).handle(command)

    def run(self, work: object) -> asyncio.Task[None]:
        """Do something in this process."""
        return self._spawn(work)

    def cut_links(self) -> None:
        """Lose the connections over which announcements come."""
        if self._link is not None and self.is_ready:
            connection = self._link._connection
            if connection is not None:
                connection.end()

    def kill(self) -> None:
        """End, without a word, in the middle of anything."""
        self.is_ready = False
        self.life.end()
        if self._link is not None and self._link._connection is not None:
            self._link._connection.terminate()
        for wire in list(self._wires):
            wire.cut(is_known_to_server=True)
        self._wires.clear()

    async def stop(self) -> None:
        """End in good order."""
        self.is_ready = False
        for wire in list(self._wires):
            wire.abort()
        self.site.lobby.close()
        self.site.hasher.close()
        await self._spawn(self.site.tables.close())
        if self._link is not None and isinstance(self._peers, PostgresPeers):
            await self._spawn(self._peers.leave())
            await self._spawn(self._link.close())
        self.life.end()

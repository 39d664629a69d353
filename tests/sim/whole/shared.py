"""What all server processes share: the log, and PostgreSQL's announcements as far as `kozyr.bus` uses them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from kozyr.app.played import Finished
from kozyr.app.ports import Appended, Booked, Conflict, Doubled, Limited, Row, Tail, Unpaid
from kozyr.app.sealing import KEY_BYTES, Seals
from kozyr.bus import peers, postgres
from kozyr.bus.link import Link
from kozyr.ledger import Entry
from kozyr.store.postgres import SWEEP_S
from tests.sim.whole.virtual import Life
from tests.sim.world import MemoryStore, call_back

T = TypeVar("T")
Outcome = Appended | Conflict | Doubled | Unpaid | Limited

THERE_S, BACK_S = (0.0005, 0.006), (0.0005, 0.006)
LOST_HINTS, DOUBLED_HINTS, LATE_HINTS = 0.1, 0.1, 0.1
ALONE = 5
"""One hint of so many comes without its event, as do those of several events."""


class Database:
    """
    Keeps what is written, whatever becomes of the processes; each statement happens at one moment.

    `committed` is called with every append that was written, at that moment.
    """

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)
        self.store = MemoryStore()
        self.committed: Callable[[str, Sequence[Row]], None] = lambda table_id, rows: None
        self.back_at = 0.0
        self.connections: dict[Connected, None] = {}
        self.processes: dict[str, tuple[str, float]] = {}
        self.presences: dict[tuple[str, int, str], None] = {}
        self.listings: dict[str, tuple[int, int, bytes | None]] = {}
        self.claims: dict[str, tuple[str, float]] = {}
        self.hints_lost = 0
        self.seals = Seals(bytes(KEY_BYTES))

    def restart(self, seconds: float) -> None:
        """Be away for a while, with all connections lost; what was written is there."""
        self.back_at = asyncio.get_running_loop().time() + seconds
        for connection in list(self.connections):
            connection.end()

    def notify(self, channel: str, payload: str) -> None:
        """Announce something to whoever listens now."""
        for connection in list(self.connections):
            connection.announce(channel, payload)

    def answer(self, statement: str, values: Sequence[Any]) -> list[Any]:
        """Do a statement of `PostgresPeers`."""
        now = asyncio.get_running_loop().time()
        if statement == peers.SEEN:
            is_new = values[0] not in self.processes
            self.processes[values[0]] = (values[1], now)
            return [[is_new]]
        if statement == peers.LIVING:
            return [(name, address) for name, (address, seen) in self.processes.items() if seen > now - values[0]]
        if statement == peers.PRESENT:
            return [
                (table_id, seat, name)
                for table_id, seat, name in self.presences
                if table_id in values[0] and name != values[1] and self.processes.get(name, ("", -1e9))[1] > now - values[2]
            ]
        if statement in (postgres.HELD, postgres.HOLD, postgres.LET_GO):
            # Here everybody is told of everything.
            return []
        if statement == peers.LISTINGS:
            found = sorted(self.listings.items(), key=lambda each: (each[1][1], each[0]))
            return [(table_id, seq, body) for table_id, (seq, _, body) in found]
        if statement == peers.LISTING:
            return [(each, self.listings[each][0], self.listings[each][2]) for each in values if each in self.listings]
        self._change(statement, values, now)
        return []

    def _change(self, statement: str, values: Sequence[Any], now: float) -> None:
        if statement == peers.CAME:
            self.presences[values[0], values[1], values[2]] = None
            self.notify(peers.CHANNEL, f"{values[2]} presence {values[0]}")
        elif statement == peers.WENT:
            if self.presences.pop((values[0], values[1], values[2]), self) is None:
                self.notify(peers.CHANNEL, f"{values[2]} presence {values[0]}")
        elif statement == peers.LIST:
            if values[0] not in self.listings or self.listings[values[0]][0] < values[1]:
                self.listings[values[0]] = (values[1], values[2], values[3])
                self.notify(peers.CHANNEL, f"{values[4]} listing {values[0]}")
        elif statement == peers.LEAVE:
            self._forget(values[0])
        elif statement == peers.FORGET:
            for name in [name for name, (_, seen) in self.processes.items() if seen < now - 60]:
                self._forget(name)
        else:
            assert statement == "SELECT pg_notify($1, $2)", statement
            self.notify(values[0], values[1])

    def _forget(self, process: str) -> None:
        self.processes.pop(process, None)
        self.presences = {each: None for each in self.presences if each[2] != process}

    def append(self, process: str, table_id: str, expected: int, rows: Sequence[Row], *more: Any) -> Outcome:
        """Append with the hint in the same statement, as the store on PostgreSQL does."""
        outcome = at_once(self.store.append(table_id, expected, rows, *more))
        if isinstance(outcome, Appended):
            self.committed(table_id, rows)
            word = self.seals.seal(table_id, rows[0]) if len(rows) == 1 and rows[0].seq % ALONE else None
            self.notify(postgres.CHANNEL, f"{process} {table_id}:{rows[-1].seq} {word or ''}")
        return outcome

    def overdue(self, process: str, now: int, most: int) -> list[str]:
        """Find overdue clocks, each for one process for a moment."""
        time = asyncio.get_running_loop().time()
        found = [each for each in at_once(self.store.overdue(now, 10**6)) if self._may_claim(each, process, time)][:most]
        self.claims.update(dict.fromkeys(found, (process, time + SWEEP_S)))
        return found

    def _may_claim(self, table_id: str, process: str, time: float) -> bool:
        owner, until = self.claims.get(table_id, (process, 0.0))
        return owner == process or until <= time


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """Do without a pause what only pretends to wait."""
    while True:
        try:
            work.send(None)
        except StopIteration as end:
            answer: T = end.value
            return answer


class StoreOf:
    """The database as one process has it: every statement travels there and back, and a process that dies is never answered."""

    def __init__(self, database: Database, life: Life, process: str) -> None:
        self._database = database
        self._life = life
        self._process = process

    async def append(
        self,
        table_id: str,
        expected: int,
        rows: Sequence[Row],
        due: int | None,
        entries: Sequence[Entry] = (),
        finished: Sequence[Finished] = (),
    ) -> Outcome:
        return await self._do(lambda: self._database.append(self._process, table_id, expected, rows, due, entries, finished))

    def append_soon(self, table_id: str, expected: int, rows: Sequence[Row], due: int | None, settled: Callable[[Any], None]) -> None:
        call_back(self.append(table_id, expected, rows, due), settled)

    async def load(self, table_id: str, after: int = 0) -> Tail | None:
        return await self._ask(lambda store: store.load(table_id, after))

    async def find(self, table_id: str, command: str) -> int | None:
        return await self._ask(lambda store: store.find(table_id, command))

    async def heads(self, table_ids: Sequence[str]) -> dict[str, int]:
        rows = self._database.store.rows
        return await self._do(lambda: {each: len(rows[each]) for each in table_ids if each in rows})

    async def overdue(self, now: int, most: int) -> list[str]:
        return await self._do(lambda: self._database.overdue(self._process, now, most))

    async def waiting(self, until: int, most: int) -> list[str]:
        return await self._ask(lambda store: store.waiting(until, most))

    async def beat(self, now: int) -> None:
        await self._ask(lambda store: store.beat(now))

    async def last_beat(self) -> int | None:
        return await self._ask(lambda store: store.last_beat())

    async def last_gap(self) -> tuple[int, int] | None:
        return await self._ask(lambda store: store.last_gap())

    async def keep(self, name: str, value: bytes) -> bytes:
        return await self._ask(lambda store: store.keep(name, value))

    async def stake_of(self, game: str) -> Entry | None:
        return await self._ask(lambda store: store.stake_of(game))

    async def book(self, entry: Entry) -> Booked | Limited:
        return await self._ask(lambda store: store.book(entry))

    async def blockers(self, guest: str) -> frozenset[str]:
        """Nobody has blocked anybody."""
        return frozenset()

    async def _ask(self, question: Callable[[MemoryStore], Coroutine[Any, Any, T]]) -> T:
        return await self._do(lambda: at_once(question(self._database.store)))

    async def _do(self, work: Callable[[], T]) -> T:
        loop, chance = asyncio.get_running_loop(), self._database.chance
        waiting: asyncio.Future[T] = loop.create_future()

        def settle(answer: T | None, error: Exception | None) -> None:
            if not self._life.is_alive or waiting.done():
                return
            if error is None:
                waiting.set_result(answer)  # type: ignore[arg-type]
            else:
                waiting.set_exception(error)

        def happen() -> None:
            if not self._life.is_alive and chance.random() < 0.5:
                # It died before all of it was under way.
                return
            answer, error = None, None
            try:
                answer = work()
            except Exception as wrong:  # noqa: BLE001  # as the database would: whoever asked is told
                error = wrong
            loop.call_later(chance.uniform(*BACK_S), settle, answer, error)

        loop.call_at(max(self._database.back_at, loop.time()) + chance.uniform(*THERE_S), happen)
        return await waiting


class Connected:
    """A connection of a `Link`, over which announcements come late, twice or never."""

    def __init__(self, database: Database, seed: str, life: Life) -> None:
        self._database = database
        self._life = life
        self._chance = random.Random(seed)
        self._listeners: dict[str, Callable[[str], None]] = {}
        self._ended: Callable[[object], None] = lambda connection: None
        self._is_closed = False
        database.connections[self] = None

    def listen(self, channels: dict[str, Callable[[str], None]], ended: Callable[[object], None]) -> None:
        """Hear channels, and say when it has ended."""
        self._listeners, self._ended = channels, ended

    def is_closed(self) -> bool:
        return self._is_closed

    def terminate(self) -> None:
        self._is_closed = True
        self._database.connections.pop(self, None)

    async def close(self, timeout: float) -> None:
        self.terminate()

    def end(self) -> None:
        """Be lost."""
        self.terminate()
        if self._life.is_alive:
            self._ended(self)

    async def fetch(self, statement: str, *values: Any) -> list[Any]:
        await asyncio.sleep(self._chance.uniform(*THERE_S))
        if self._is_closed or not self._life.is_alive:
            raise ConnectionResetError
        answer = self._database.answer(statement, values)
        await asyncio.sleep(self._chance.uniform(*BACK_S))
        return answer

    def announce(self, channel: str, payload: str) -> None:
        """Hand an announcement over, if it is lucky."""
        if channel not in self._listeners:
            return
        loop, luck = asyncio.get_running_loop(), self._chance.random()
        if luck < LOST_HINTS:
            self._database.hints_lost += 1
            return
        for _ in range(2 if luck > 1 - DOUBLED_HINTS else 1):
            late = (0.2, 2.5) if self._chance.random() < LATE_HINTS else (0.001, 0.03)
            loop.call_later(self._chance.uniform(*late), self._hand_over, channel, payload)

    def _hand_over(self, channel: str, payload: str) -> None:
        if self._life.is_alive and not self._is_closed:
            self._listeners[channel](payload)


class VirtualLink(Link):
    """The link of `kozyr.bus` on a connection of the virtual world."""

    def __init__(self, database: Database, life: Life, seed: str) -> None:
        super().__init__("", 1.0)
        self._database = database
        self._life = life
        self._seed = seed

    async def _connect(self) -> None:
        self._drop()
        loop = asyncio.get_running_loop()
        if self._database.back_at > loop.time():
            raise ConnectionRefusedError
        connection = Connected(self._database, f"{self._seed} {self.connections}", self._life)
        connection.listen(self._channels, self._ended)
        self._connection = connection
        self.connections += 1

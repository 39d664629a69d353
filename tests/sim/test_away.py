"""A log that is away for a while, as a database is: nobody waits for ever, no table is lost, and a stop does not wait for it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest

from kozyr.app import tables as serving
from kozyr.app.bot_seats import Pause
from kozyr.app.events import TimeGiven, decode
from kozyr.app.live import LiveTable
from kozyr.app.ports import Unwritable
from kozyr.app.reading import LOADS_MOST, PATIENCE_MS
from kozyr.app.tables import STALL_MS, SWEEP_MS, Tables
from kozyr.bus.memory import MemoryBus
from tests.sim.test_tables import seated
from tests.sim.world import FakeClock, MemoryStore, SeededEntropy, settle

T = TypeVar("T")

STORE_MS = 10_000
"""So long a store tries before it says that its database is away."""
TABLES = 25


class Away(MemoryStore):
    """A store whose database is away from its *left*-th statement on, until it is back."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__()
        self.left: float = float("inf")
        self.asked = 0
        self._clock = clock

    def back(self) -> None:
        self.left = float("inf")

    async def _tried(self, ask: Callable[[], Awaitable[T]]) -> T:
        self.asked += 1
        self.left -= 1
        end = self._clock.now() + STORE_MS
        while self.left <= 0:
            if self._clock.now() >= end:
                raise ConnectionError("the database is away")
            woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._clock.call_later(500, lambda woken=woken: woken.done() or woken.set_result(None))
            await woken
        return await ask()

    async def append(self, *given: Any, **named: Any) -> Any:
        return await self._tried(lambda: MemoryStore.append(self, *given, **named))

    async def load(self, table_id: str, after: int = 0) -> Any:
        return await self._tried(lambda: MemoryStore.load(self, table_id, after))

    async def overdue(self, now: int, most: int) -> list[str]:
        return await self._tried(lambda: MemoryStore.overdue(self, now, most))

    async def waiting(self, until: int, most: int) -> list[str]:
        return await self._tried(lambda: MemoryStore.overdue(self, until, most))

    async def beat(self, now: int) -> None:
        return await self._tried(lambda: MemoryStore.beat(self, now))

    async def last_beat(self) -> int | None:
        return await self._tried(lambda: MemoryStore.last_beat(self))

    async def last_gap(self) -> tuple[int, int] | None:
        return await self._tried(lambda: MemoryStore.last_gap(self))


def process(store: MemoryStore, clock: FakeClock, seed: int = 1) -> Tables:
    """A server process on a store; nobody else is there."""
    return Tables(store, MemoryBus().join(), clock, SeededEntropy(seed), Pause(700, 0))


async def left_behind(store: Away, clock: FakeClock) -> list[str]:
    """Tables whose clocks run, of a server that has stopped a minute ago."""
    before = process(store, clock)
    await before.start()
    ids = [(await seated(before, 2, 0, turn_s=30)).table.id for _ in range(TABLES)]
    await before.close()
    clock._now += 60_000
    return ids


# Statements until the database goes: none; among the first logs that are read; while time is given back; near the end.
@pytest.mark.parametrize("statements", [0, 3, 20, 30, 45])
async def test_a_database_that_goes_while_tables_are_loaded_keeps_nobody_waiting_and_costs_no_table(statements: int) -> None:
    """
    When everybody comes back and the database goes meanwhile, all are told so in time, not each ten seconds after the one before; when it
    is there again all tables are, with their clocks, and as many are read at once as before (R16.1).
    """
    clock = FakeClock()
    store = Away(clock)
    ids = await left_behind(store, clock)
    after = process(store, clock, 2)
    # Not started: nobody else loads these tables, and nobody gives time back but who loads one.
    after._outage = serving.Outage(clock.now() - 60_000, clock.now())
    store.left = statements
    loads = [asyncio.ensure_future(after.get(table_id)) for table_id in ids]
    await clock.advance(2 * PATIENCE_MS)
    assert all(load.done() for load in loads)
    failed = [load.exception() for load in loads if load.exception() is not None]
    assert failed and all(isinstance(error, ConnectionError | Unwritable) for error in failed)
    store.back()
    loads = [asyncio.ensure_future(after.get(table_id)) for table_id in ids]
    counts = [len(after)]
    while not all(load.done() for load in loads):
        await asyncio.sleep(0)
        counts.append(len(after))
    lives = [await load for load in loads]
    assert ids == [live.table.id for live in lives if live is not None] and sorted(ids) == sorted(after.ids())
    for live in lives:
        assert isinstance(live, LiveTable)
        assert len(store.rows[live.table.id]) == live.table.seq
        # The minute without a server is given back, once.
        events = [decode(row.body) for row in store.rows[live.table.id]]
        assert ["server"] == [event.why for event in events if isinstance(event, TimeGiven)]
    assert LOADS_MOST >= max(later - earlier for earlier, later in itertools.pairwise(counts))
    assert LOADS_MOST == after._reading._places._value
    await after.close()


async def test_a_database_that_is_soon_back_fails_nobody() -> None:
    """Whoever comes while the database is away for a moment waits that long, and has the table then."""
    clock = FakeClock()
    store = Away(clock)
    ids = await left_behind(store, clock)
    after = process(store, clock, 2)
    store.left = 5
    loads = [asyncio.ensure_future(after.get(table_id)) for table_id in ids]
    await clock.advance(STORE_MS // 2)
    assert not all(load.done() for load in loads)
    store.back()
    await clock.advance(1000)
    assert ids == [live.table.id for live in [await load for load in loads] if live is not None]
    await after.close()


async def test_a_stop_ends_what_is_only_about_to_be_read() -> None:
    """A server that is told to stop while it takes up thousands of tables finishes those that it reads, and begins no other."""
    clock = FakeClock()
    store = Away(clock)
    await left_behind(store, clock)
    after = process(store, clock, 2)
    await after.start()
    while not len(after):
        await asyncio.sleep(0)
    asked = store.asked
    await after.close()
    # What was under way, and the word until when a server was there.
    assert store.asked - asked <= 6 and len(after) < TABLES


async def test_a_stop_does_not_wait_for_a_database_that_is_away(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """
    With every table's clock about to act, and nothing that answers, a server is gone after a while all the same; the next one finds all
    (trap 9).
    """
    monkeypatch.setattr(serving, "STOP_S", 0.2)
    monkeypatch.setattr(serving, "BEAT_S", 0.1)
    clock = FakeClock()
    store = Away(clock)
    tables = process(store, clock)
    await tables.start()
    lives = [await seated(tables, 2, 0, turn_s=30) for _ in range(TABLES)]
    store.left = 0
    await clock.advance(31_000)
    # The clock stands still from here on: what waits for the store would wait for ever.
    async with asyncio.timeout(2):
        await tables.close()
    assert f"stops without {TABLES + 1} answers" in caplog.text
    store.back()
    again = process(store, clock, 2)
    await again.start()
    while again._tasks:
        await asyncio.sleep(0)
    assert sorted(live.table.id for live in lives) == sorted(again.ids())
    await again.close()


async def test_all_who_ask_whether_a_server_was_there_have_one_answer() -> None:
    """With a thousand clocks due and the database away nobody finds that out only after all the others have, one after the other."""
    clock = FakeClock()
    store = Away(clock)
    tables = process(store, clock)
    await tables.start()
    await clock.advance(SWEEP_MS)
    clock._now += 2 * STALL_MS
    store.left = 0
    asked = store.asked
    asking = [asyncio.ensure_future(tables.outage()) for _ in range(50)]
    await settle()
    assert 1 == store.asked - asked
    await clock.advance(STORE_MS + 1000)
    assert all(isinstance(each, ConnectionError) for each in await asyncio.gather(*asking, return_exceptions=True))
    store.back()
    await clock.advance(SWEEP_MS)
    outage = await tables.outage()
    assert outage is not None and outage.until - outage.since >= 2 * STALL_MS
    await tables.close()

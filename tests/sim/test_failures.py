"""Failures of what a table stands on: nothing is lost, and it goes on by itself."""
from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from kozyr.app.bot_seats import RETRY_MS, Pause
from kozyr.app.clock import SystemClock
from kozyr.app.commands import Close, Command, Done
from kozyr.app.evolve import fold
from kozyr.app.failing import LAST_MS
from kozyr.app.live import LiveTable
from kozyr.app.ports import Row, Unwritable
from kozyr.app.table import SEED_MS, Table
from kozyr.app.tables import STALL_MS, SWEEP_MS, Tables
from kozyr.app.thinking import HereAndNow
from kozyr.bots import Memory
from kozyr.bus.memory import MemoryBus
from kozyr.core.moves import Move
from kozyr.core.options import Rules
from kozyr.core.views import View
from tests.app.play import person
from tests.sim.test_tables import bots, is_over, seated
from tests.sim.world import FakeClock, MemoryStore, SeededEntropy


class FullDisk(MemoryStore):
    """A store that fails while its disk is full."""

    is_full = False

    async def append(self, table_id: str, expected: int, rows: Sequence[Row], *more: Any, **named: Any) -> Any:
        if self.is_full:
            raise Unwritable("database or disk is full")
        return await super().append(table_id, expected, rows, *more, **named)

    async def beat(self, now: int) -> None:
        if self.is_full:
            raise Unwritable("database or disk is full")
        await super().beat(now)


class FailingStore(MemoryStore):
    """A store that cannot write one table."""

    failing = ""

    async def append(self, table_id: str, expected: int, rows: Sequence[Row], *more: Any, **named: Any) -> Any:
        if table_id == self.failing:
            raise sqlite3.DatabaseError("database disk image is malformed")
        return await super().append(table_id, expected, rows, *more, **named)


async def test_bots_play_on_after_a_disk_was_full() -> None:
    """
    A bot whose move could not be written makes it when it can be: a full disk for a moment stops no table for good.
    """
    store, clock = FullDisk(), FakeClock()
    tables = Tables(store, MemoryBus().join(), clock, SeededEntropy(), Pause(700, 0))
    await tables.start()
    live = await tables.open(Rules(seats=2, deck=24), bots(2))
    store.is_full = True
    await clock.advance(5 * RETRY_MS)
    before = live.table.seq
    store.is_full = False
    await clock.advance(2 * RETRY_MS)
    assert live.table.seq > before
    for _ in range(500):
        if is_over(live):
            break
        await clock.advance(5000)
    assert is_over(live)
    await tables.close()


async def test_a_bot_does_not_try_again_at_a_table_that_has_stopped(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A broken invariant that a bot's move has met is told once, and not again every second for as long as the server lives."""
    clock = FakeClock()
    tables = Tables(MemoryStore(), MemoryBus().join(), clock, SeededEntropy(), Pause(700, 0))
    await tables.start()
    live = await tables.open(Rules(seats=2, deck=24), bots(2))

    def broken(table: Table, command: Command, now: int) -> None:
        raise AssertionError("what cannot be")

    monkeypatch.setattr("kozyr.app.live.decide", broken)
    await clock.advance(60_000)
    assert live.is_stopped
    assert [f"table {live.table.id} stopped at {live.table.seq}"] == [record.getMessage() for record in caplog.records]
    await tables.close()


class Closing(HereAndNow):
    """Thinks until the operator has closed the table."""

    live: LiveTable | None = None

    async def choose(self, level: str, view: View, memory: Memory | None) -> Move | None:
        if self.live is not None:
            assert isinstance(await self.live.handle(Close()), Done)
        return await super().choose(level, view, memory)


async def test_a_bot_that_thinks_while_its_table_is_closed_is_refused_quietly(caplog: pytest.LogCaptureFixture) -> None:
    """The operator may close a table at any moment: what a bot thinks about then is nobody's failure."""
    clock, thinking = FakeClock(), Closing()
    tables = Tables(MemoryStore(), MemoryBus().join(), clock, SeededEntropy(), Pause(700, 0), thinking=thinking)
    await tables.start()
    live = thinking.live = await tables.open(Rules(seats=2, deck=24), bots(2))
    await clock.advance(10_000)
    assert live.table.is_closed
    assert [] == caplog.records
    await tables.close()


@pytest.mark.parametrize("full_s", [4, 40, 1000])
async def test_nobody_loses_by_a_disk_that_is_full(full_s: int, caplog: pytest.LogCaptureFixture) -> None:
    """Whose move could not be written has as much time as before when it can be, and the clock goes on by itself then (I6, R16.1)."""
    store, clock = FullDisk(), FakeClock()
    tables = Tables(store, MemoryBus().join(), clock, SeededEntropy(), Pause(700, 0))
    await tables.start()
    live = await seated(tables, 2, 0, timeout="forfeit")
    live.lost.clear()
    await clock.advance(10_000)
    due = live.table.due
    assert due is not None
    store.is_full = True
    await clock.advance(full_s * 1000)
    store.is_full = False
    await clock.advance(1500)
    assert live.table.is_running and live.table.due is not None
    assert due + full_s * 1000 - 1500 <= live.table.due <= due + full_s * 1000 + 1500
    await clock.advance(live.table.due - clock.now() - 1)
    assert live.table.is_running
    await clock.advance(1500)
    assert not live.table.is_running
    assert [] == caplog.records
    await tables.close()


async def test_a_log_that_cannot_be_read_stops_no_other_table(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """
    Where one table's rows are spoilt the clocks of all others go on, also after a restart; the spoilt one is tried again, but seldom.
    """
    monkeypatch.setattr("kozyr.app.tables.SWEEP_MOST", 2)
    store, clock = MemoryStore(), FakeClock()
    before = Tables(store, MemoryBus().join(), clock, SeededEntropy(), Pause(700, 0))
    await before.start()
    spoilt = [await before.open(Rules(seats=2), [person(0), *bots(1)]) for _ in range(3)]
    await clock.advance(1)
    good = await before.open(Rules(seats=2), [person(0), *bots(1)])
    await before.close()
    whole = {live.table.id: store.rows[live.table.id] for live in spoilt}
    for table_id, rows in whole.items():
        store.rows[table_id] = [rows[0], replace(rows[1], body=b"{")]
    after = Tables(store, MemoryBus().join(), clock, SeededEntropy(2), Pause(700, 0))
    await after.start()
    await clock.advance(2 * SEED_MS)
    for _ in range(60):
        await clock.advance(SWEEP_MS)
    assert fold(good.table.id, store.rows[good.table.id]).position is not None
    tries = caplog.text.count(f"table {spoilt[0].table.id} cannot be looked after")
    assert 5 <= tries <= 10
    # A table that can be read again goes on by itself.
    store.rows.update(whole)
    await clock.advance(LAST_MS + SWEEP_MS)
    assert fold(spoilt[0].table.id, store.rows[spoilt[0].table.id]).position is not None
    await after.close()


async def test_a_table_that_fails_gives_no_other_its_time_back_too_late() -> None:
    """
    After the machine has slept every table's clock is given its time back, although one of them cannot be loaded.
    """
    store, clock = FailingStore(), FakeClock()
    tables = Tables(store, MemoryBus().join(), clock, SeededEntropy(), Pause(700, 0))
    await tables.start()
    first = await tables.open(Rules(seats=2), [person(0), *bots(1)])
    second = await tables.open(Rules(seats=2), [person(0), *bots(1)])
    store.failing = first.table.id
    await clock.advance(1000)
    clock._now += 2 * STALL_MS
    await clock.advance(SWEEP_MS)
    assert second.table.due is not None and second.table.due > clock.now()
    await tables.close()


def test_the_clock_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A wall clock that is set back by an hour stops no table's clock.
    """
    clock = SystemClock()
    before = clock.now()
    monkeypatch.setattr("time.time_ns", lambda: (before - 3_600_000) * 1_000_000)
    assert 0 <= clock.now() - before < 60_000

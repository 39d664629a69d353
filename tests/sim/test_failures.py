"""Failures of what a table stands on: nothing is lost, and it goes on by itself."""
from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import pytest

from kozyr.app.bot_seats import RETRY_MS, Pause
from kozyr.app.clock import SystemClock
from kozyr.app.ports import Row
from kozyr.app.tables import Tables
from kozyr.bus.memory import MemoryBus
from kozyr.core.options import Rules
from tests.sim.test_tables import bots, is_over
from tests.sim.world import FakeClock, MemoryStore, SeededEntropy


class FullDisk(MemoryStore):
    """A store that fails while its disk is full."""

    is_full = False

    async def append(self, table_id: str, expected: int, rows: Sequence[Row], *more: Any, **named: Any) -> Any:
        if self.is_full:
            raise sqlite3.OperationalError("database or disk is full")
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


def test_the_clock_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A wall clock that is set back by an hour stops no table's clock.
    """
    clock = SystemClock()
    before = clock.now()
    monkeypatch.setattr("time.time_ns", lambda: (before - 3_600_000) * 1_000_000)
    assert 0 <= clock.now() - before < 60_000

"""How a server's parts are put together."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from kozyr.app import clock as clocks
from kozyr.app.clock import SystemClock
from kozyr.cli.wiring import parts_of

AHEAD_MS = 600_000


async def test_a_server_goes_by_no_earlier_time_than_one_that_died_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A wall clock that was ahead while a server lived for a moment and is right again takes nothing back that spectators saw (R13.2).
    """
    wall = time.time_ns
    monkeypatch.setattr(clocks.time, "time_ns", lambda: wall() + AHEAD_MS * 1_000_000)
    first = SystemClock()
    async with parts_of(tmp_path / "kozyr.db", first, ""):
        told = first.now()
    monkeypatch.setattr(clocks.time, "time_ns", wall)
    second = SystemClock()
    assert second.now() < told - AHEAD_MS // 2
    async with parts_of(tmp_path / "kozyr.db", second, ""):
        assert told <= second.now() < told + 60_000


async def test_a_wall_clock_that_is_right_is_gone_by(tmp_path: Path) -> None:
    """
    A server that starts soon after another goes by the wall clock, no later.
    """
    for _ in range(2):
        clock = SystemClock()
        async with parts_of(tmp_path / "kozyr.db", clock, ""):
            assert abs(clock.now() - time.time_ns() // 1_000_000) < 500

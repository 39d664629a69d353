"""Bots whose processes die, or stand still, in a whole server: tables go on, theirs and all others."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from kozyr.app import thinking
from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.counts import COUNTS
from kozyr.app.events import BOT, Player
from kozyr.app.table import Stage
from kozyr.app.thinking import Workers
from kozyr.bus.memory import MemoryBus
from kozyr.core.options import Rules
from kozyr.store.sqlite import SqliteStore
from kozyr.web.server import make_site, serving
from kozyr.web.site import Site
from tests.web.player import Player as Client
from tests.web.player import seated

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="stops processes by signals")

PATIENCE_S = 120
KILLS = 3


@asynccontextmanager
async def server(folder: Path, workers: Workers) -> AsyncIterator[tuple[Site, str]]:
    """A server on a file, whose bots think in processes and move without a pause."""
    async with SqliteStore(folder / "kozyr.db") as store:
        site = await make_site(
            store, store, MemoryBus().join(), SystemClock(), SystemEntropy(), Pause(0, 0), folder, store, thinking=workers
        )
        try:
            async with serving(site, "127.0.0.1", 0) as port:
                yield site, f"http://127.0.0.1:{port}"
        finally:
            await workers.close()


def bots(level: str, count: int) -> list[Player | None]:
    return [Player(f"B{seat}", BOT, level=level) for seat in range(count)]


async def test_a_bot_that_stands_still_keeps_nobody_waiting_at_other_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty tables of bots whose process does not answer: who plays at another table is answered as always, and these go on too."""
    monkeypatch.setattr(thinking, "STILL_S_MAX", 6.0)
    workers = Workers(1, 4)
    async with server(tmp_path, workers) as (site, base):
        await site.tables.open(Rules(seats=2), bots("hard", 2))
        await until(lambda: bool(workers.pids))
        os.kill(next(iter(workers.pids)), signal.SIGSTOP)
        crowded, replaced = COUNTS.crowded, COUNTS.replaced
        tables = [await site.tables.open(Rules(seats=4), bots("hard", 4)) for _ in range(20)]
        async with aiohttp.ClientSession(base, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            player = await seated(session, options={"seats": 2}, bots=["normal"])
            async with asyncio.timeout(PATIENCE_S), Client(session, player.table_id) as client:
                await client.hello()
                await client.play_out()
        assert COUNTS.crowded > crowded
        await until(lambda: COUNTS.replaced > replaced and all(live.table.seq > 10 for live in tables))


async def test_a_game_of_bots_whose_processes_are_killed_again_and_again_is_played_out(tmp_path: Path) -> None:
    """Whichever of their processes is killed, a bot moves, lawfully and once; the game comes to its end."""
    workers = Workers(2)
    chance = random.Random(7)
    async with server(tmp_path, workers) as (site, _):
        kills = 0
        async with asyncio.timeout(PATIENCE_S):
            # A game may be over before its bots' processes have even begun.
            while kills < KILLS:
                live = await site.tables.open(Rules(seats=3, deck=36), bots("hard", 3))
                while live.table.stage is not Stage.OVER:
                    if workers.pids:
                        os.kill(chance.choice(sorted(workers.pids)), signal.SIGKILL)
                        kills += 1
                    await asyncio.sleep(0.3)
                assert not live.is_stopped
    assert set() == workers.pids and 0 == COUNTS.thinking


async def until(is_so: object) -> None:
    assert callable(is_so)
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(0.02)

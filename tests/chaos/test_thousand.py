"""A thousand tables of bots on two server processes that are killed in turn; runs for minutes, with `-m soak`."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.events import BOT, GameEnded, Player
from kozyr.app.evolve import steps
from kozyr.app.ports import Row
from kozyr.app.tables import Tables
from kozyr.bus.memory import MemoryBus
from kozyr.core.options import Rules
from kozyr.store.postgres import PostgresStore
from tests.postgres import Postgres

ROOT = Path(__file__).parents[2]
TABLES = int(os.environ.get("KOZYR_SOAK_TABLES", "1000"))
SECONDS = int(os.environ.get("KOZYR_SOAK_SECONDS", "120"))
PAUSE_MS = int(os.environ.get("KOZYR_SOAK_PAUSE_MS", "2000"))
SERVE = """
import sys
from kozyr.app.bot_seats import Pause
from kozyr.cli.wiring import serve
serve("127.0.0.1", 0, sys.argv[1], pause=Pause(int(sys.argv[2]), int(sys.argv[2]) // 2))
"""


def start(url: str) -> subprocess.Popen[str]:
    """Start a server, and wait until it is there."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    process = subprocess.Popen([sys.executable, "-c", SERVE, url, str(PAUSE_MS)], stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None and process.stdout.readline()
    return process


def end(process: subprocess.Popen[str]) -> None:
    """Kill a server."""
    process.send_signal(signal.SIGKILL)
    process.wait(30)
    assert process.stdout is not None
    process.stdout.close()


@pytest.fixture
def own_url() -> Iterator[str]:
    """A database server of its own, so that nothing else is written there."""
    server = Postgres()
    yield server.url(server.emptied())
    server.close()


async def open_tables(url: str) -> list[str]:
    """Open tables of bots, and leave them to the servers."""
    async with await PostgresStore.open(url, "opener") as store:
        tables = Tables(store, MemoryBus().join(), SystemClock(), SystemEntropy(), Pause(3_600_000, 0))
        kinds = [Rules(seats=2, deck=24), Rules(seats=3), Rules(seats=4, transfer=True), Rules(seats=2, cheat=True)]
        opened = []
        for number in range(TABLES):
            rules = kinds[number % len(kinds)]
            bots = [Player(f"B{seat}", BOT, level="easy") for seat in range(rules.seats)]
            opened.append((await tables.open(rules, bots, number % 2 == 0)).table.id)
        await tables.close()
        return opened


async def moves(url: str) -> int:
    """Count the events in the log."""
    connection = await asyncpg.connect(url)
    try:
        return int(await connection.fetchval("SELECT coalesce(sum(seq), 0) FROM tables"))
    finally:
        await connection.close()


async def check_log(url: str, opened: list[str]) -> int:
    """Every log is whole and folds, each event judged anew by the rules; returns how many games have ended."""
    connection = await asyncpg.connect(url)
    ended = 0
    for table_id in opened:
        found = await connection.fetch("SELECT seq, at, body, command FROM events WHERE table_id = $1 ORDER BY seq", table_id)
        rows = [Row(*row) for row in found]
        head = await connection.fetchval("SELECT seq FROM tables WHERE table_id = $1", table_id)
        assert list(range(1, head + 1)) == [row.seq for row in rows]
        ended += sum(isinstance(step.event, GameEnded) for step in steps(table_id, rows))
    await connection.close()
    return ended


@pytest.mark.soak
async def test_tables_of_bots_go_on_through_kills(own_url: str) -> None:
    """Whenever one of two servers is killed, all tables go on, and every log is whole (I1, I4, I10)."""
    chance = random.Random(3)
    opened = await open_tables(own_url)
    loop = asyncio.get_running_loop()
    servers = [await loop.run_in_executor(None, start, own_url) for _ in range(2)]
    kills, until, began, before = 0, time.monotonic() + SECONDS, time.monotonic(), await moves(own_url)
    try:
        while time.monotonic() < until:
            await asyncio.sleep(chance.uniform(2, 6))
            victim = servers[kills % 2]
            end(victim)
            kills += 1
            at = await moves(own_url)
            servers[(kills - 1) % 2] = await loop.run_in_executor(None, start, own_url)
            assert await moves(own_url) > at, "the other server went on meanwhile"
        seconds, made = time.monotonic() - began, await moves(own_url) - before
    finally:
        for server in servers:
            end(server)
    ended = await check_log(own_url, opened)
    print(f"{TABLES} tables, {kills} kills in {seconds:.0f} s, {made} events, {made / seconds:.0f} a second, {ended} games ended")  # noqa: T201
    assert made > TABLES

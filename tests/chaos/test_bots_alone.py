"""Tables of bots alone, at which no clock runs: they go on by themselves when their server is killed, and cost no look at all others."""
from __future__ import annotations

import asyncio
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import aiohttp

from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.events import Player
from kozyr.app.evolve import fold
from kozyr.app.live import LiveTable
from kozyr.app.table import Stage, Table
from kozyr.app.tables import Tables
from kozyr.bus.memory import MemoryBus
from kozyr.core.options import Rules
from kozyr.store.fresh import OVERDUE
from kozyr.store.sqlite import SqliteStore
from tests.chaos.processes import Process, process, until
from tests.chaos.storm.gathering import server_on
from tests.chaos.storm.held import log_of

OLD = 100_000
PATIENCE_S = 60
NEVER = Pause(3_600_000, 0)


async def opened(tables: Tables, seats: int) -> LiveTable:
    """Open a table of bots without a clock."""
    return await tables.open(Rules(seats=seats, turn_s=0), [Player(f"B{seat}", "bot", level="easy") for seat in range(seats)])


async def prepared(database: Path) -> list[str]:
    """Make a file with two tables of bots that have not moved yet, and many at which nothing is to be done; names the two."""
    async with SqliteStore(database) as store:
        tables = Tables(store, MemoryBus().join(), SystemClock(), SystemEntropy(), NEVER)
        names = [(await opened(tables, seats)).table.id for seats in (2, 6)]
        await tables.close()
    with closing(sqlite3.connect(database)) as db:
        # Whoever looks at one of these finds no events, and fails.
        numbers = f"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {OLD})"
        db.execute(f"INSERT INTO tables (table_id, seq, due, created) {numbers} SELECT 'old' || i, 9, NULL, 0 FROM n")
        db.commit()
    return names


async def test_bots_go_on_when_their_server_is_killed(tmp_path: Path) -> None:
    """Nobody visits them: after each kill they go on at the same card, to the end of the game (I10)."""
    database, errors = tmp_path / "kozyr.db", tmp_path / "errors"
    names = await prepared(database)
    async with server_on(database, errors) as server:
        for _ in range(3):
            before = len(log_of(database, names[1]))
            await until(lambda: len(log_of(database, names[1])) > before + 5, PATIENCE_S)  # noqa: B023
            await asyncio.to_thread(server.end, signal.SIGKILL)
            await asyncio.to_thread(server.start)
        async with aiohttp.ClientSession() as session, session.get(f"{server.base}/api/health") as response:
            assert (await response.json())["tables"] <= len(names)
        await until(lambda: all(is_over(fold(name, log_of(database, name))) for name in names), PATIENCE_S)
        assert 0 == await asyncio.to_thread(server.end, signal.SIGTERM)
    assert "" == errors.read_text(encoding="utf-8")
    with closing(sqlite3.connect(database)) as db:
        assert 0 == db.execute("SELECT count(*) FROM tables WHERE due IS NOT NULL").fetchone()[0]
        assert is_by_index(db)


def is_by_index(db: sqlite3.Connection) -> bool:
    """Whether SQLite finds what has to be looked at without walking all tables."""
    plan = " ".join(row[3] for row in db.execute("EXPLAIN QUERY PLAN " + OVERDUE, (0, 1)))
    return "tables_due" in plan and "SCAN tables" not in plan


async def test_bots_go_on_at_another_process_when_theirs_dies(postgres_url: str, tmp_path: Path) -> None:
    """Whoever is their home then takes them up; so does one that starts when none is left (I10)."""
    pause = Pause(200, 0)
    async with process(postgres_url, "1", tmp_path, pause=pause) as one:
        async with process(postgres_url, "2", tmp_path, pause=pause) as other:
            await until(lambda: not one.peers.is_alone and not other.peers.is_alone)
            lives = [await opened(one.site.tables, 6) for _ in range(12)]
            here = [live for live in lives if one.peers.is_home(live.table.id)]
            before = {live.table.id: live.table.seq for live in here}
            await die(one)
            await until(lambda: all(has_gone_on(other, name, seq) for name, seq in before.items()), PATIENCE_S)
            before = {table.id: table.seq for table in other.site.tables.all() if not is_over(table)}
            assert before
            await die(other)
        async with process(postgres_url, "3", tmp_path, pause=pause) as third:
            await until(lambda: all(has_gone_on(third, name, seq) for name, seq in before.items()), PATIENCE_S)


def has_gone_on(at: Process, table_id: str, seq: int) -> bool:
    """Whether a process has a table in memory, beyond that event, or at its end."""
    live = at.site.tables.in_memory(table_id)
    return live is not None and (live.table.seq > seq or is_over(live.table))


async def die(process: Process) -> None:
    """Do nothing any more, and say nothing."""
    tables = process.site.tables
    for table_id in tables.ids():
        tables._seated.pop(table_id).stop()
    tables._closing = True
    await process.vanish()


def is_over(table: Table) -> bool:
    """Whether a table's game is over."""
    return table.stage is Stage.OVER

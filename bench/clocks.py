"""
Measure when clocks act: a table's players are all away, and every one of its clocks runs out.

    python bench/clocks.py [--tables N] [--seconds S] [--watched N] [--json FILE]

`kozyr serve` in processes of its own, one on a file and two on a PostgreSQL that is started for it. Each table's clock runs out every
fifteen seconds, or sooner where all pass, so that of a thousand tables some seventy act a second. `late` is how long after its time a
clock's act was decided, as the log says; `told` how long after it somebody who watches had heard of it, once it was durable. A clock that
acts before its time is early; one that acts twice has not been due the second time; one that has not acted two seconds after its time is
missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import aiohttp
import asyncpg

from engine import commit, machine
from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemEntropy
from kozyr.app.commands import Lapse, Ready
from kozyr.app.events import PERSON, Moved, Player, TimeGiven, decode
from kozyr.app.evolve import steps
from kozyr.app.ports import Row
from kozyr.app.tables import Tables
from kozyr.bus.memory import MemoryBus
from kozyr.core.options import Rules
from kozyr.store.postgres import PostgresStore
from kozyr.store.sqlite import SqliteStore
from kozyr.wire import VERSION
from tests.postgres import Missing, Postgres

ROOT = Path(__file__).resolve().parents[1]
TURN_S = 15
RULES = Rules(seats=2, turn_s=TURN_S)
START_S = 12
"""So long servers have to start and to take up their tables before the first clock runs out."""

SEEDS_MS = 60_000
MISSED_MS = 2000
SAYS_S = 5
AT_ONCE = 50


@dataclass
class Timed:
    """What clocks did; `late` and `told` are in milliseconds."""

    acts: int = 0
    early: int = 0
    doubled: int = 0
    missed: int = 0
    late: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)


class Then:
    """A clock that stands at a moment, and never rings."""

    def __init__(self) -> None:
        self.at = 0

    def now(self) -> int:
        return self.at

    def call_later(self, ms: int, callback: Callable[[], None]) -> Then:
        return self

    def cancel(self) -> None:
        """There is nothing to cancel."""


async def open_tables(store: Any, count: int) -> tuple[list[str], int]:
    """Write tables whose cards were dealt one after the other within one turn's time; gives them, and when the first clock runs out."""
    clock, began = Then(), 1_000_000_000_000
    tables = Tables(store, MemoryBus().join(), clock, SystemEntropy(), Pause(3_600_000, 0))
    players = [Player(f"P{seat}", PERSON, guest=f"away{seat}") for seat in range(RULES.seats)]
    ids = []
    for number in range(count):
        dealt = began + number * TURN_S * 1000 // count
        clock.at = dealt - SEEDS_MS
        live = await tables.open(RULES, players)
        live.lost.clear()
        for seat in range(RULES.seats):
            await live.handle(Ready(seat, True, tables.draw_seeds(RULES.seats)))
        clock.at = dealt
        while live.table.position is None:
            await live.handle(Lapse())
        ids.append(live.table.id)
    await tables.close()
    return ids, began + TURN_S * 1000


def shifted_file(path: Path, ms: int) -> None:
    """Let everything in a file have happened so much later."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE events SET at = at + ?", (ms,))
        db.execute("UPDATE tables SET due = due + ?", (ms,))
        db.execute("DELETE FROM beats")


async def shifted_postgres(url: str, ms: int) -> None:
    """Do the same on PostgreSQL."""
    connection = await asyncpg.connect(url)
    await connection.execute("SET session_replication_role = replica")
    await connection.execute(f"UPDATE events SET at = at + {ms}; UPDATE tables SET due = due + {ms}; DELETE FROM beats")
    await connection.close()


def started(database: str, folder: Path) -> tuple[subprocess.Popen[str], str]:
    """Start a server; gives its address too."""
    command = [sys.executable, "-m", "kozyr", "serve", "--port", "0", "--database", database]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with (folder / "errors").open("ab") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
    assert process.stdout is not None
    return process, process.stdout.readline().split()[-1].rstrip("/")


async def watch(base: str, table_id: str, heard: dict[tuple[str, int], float], until: float) -> None:
    """Note when a watcher hears of what."""
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{base}/ws/tables/{table_id}") as socket:
        await socket.send_str(json.dumps({"t": "hello", "v": VERSION}))
        while (left := until - time.time()) > 0:
            try:
                message = await socket.receive(timeout=min(left, SAYS_S))
            except TimeoutError:
                # Whoever says nothing for long is cut off.
                await socket.send_str(json.dumps({"t": "ping"}))
                continue
            now = time.time() * 1000
            if message.type is not aiohttp.WSMsgType.TEXT:
                raise ConnectionError(f"a watcher of {table_id} is cut off: {message.type}")
            told = json.loads(message.data)
            if told["t"] == "update":
                heard[table_id, told["seq"]] = now


def by_clock(event: object) -> bool:
    """Whether only a clock makes such an event of a game that is played."""
    return (isinstance(event, Moved) and event.by == "clock") or (isinstance(event, TimeGiven) and event.why == "network")


def judge(timed: Timed, table_id: str, rows: Sequence[Row], from_ms: int, until_ms: int, heard: dict[tuple[str, int], float]) -> None:
    """Hold each act of a table's clocks against the time at which it was due."""
    before, was_clock = None, False
    pending: list[float] = []
    for row, step in zip(rows, steps(table_id, rows), strict=True):
        is_clock = by_clock(decode(row.body))
        # What follows in the same append has the same time.
        if row.at >= from_ms and before is not None and before.at != row.at and is_clock:
            late = float("-inf") if before.due is None else row.at - before.due
            timed.acts += 1
            if late < 0:
                timed.doubled += was_clock
                timed.early += not was_clock
            timed.late.append(late)
            pending.append(float(before.due or 0))
        if pending and (table_id, row.seq) in heard:
            timed.told += [heard[table_id, row.seq] - due for due in pending]
            pending.clear()
        before, was_clock = step.table, is_clock
    timed.missed += before is not None and before.due is not None and before.due < until_ms - MISSED_MS


async def run(bases: Sequence[str], ids: Sequence[str], watched: int, seconds: float) -> dict[tuple[str, int], float]:
    """Let clocks run out, and watch some tables."""
    heard: dict[tuple[str, int], float] = {}
    until = time.time() + seconds
    watchers = [watch(bases[number % len(bases)], table_id, heard, until) for number, table_id in enumerate(ids[:watched])]
    await asyncio.gather(*watchers, asyncio.sleep(seconds))
    return heard


def on_file(folder: Path, arguments: argparse.Namespace) -> Timed:
    """One process on a file."""
    path = folder / "clocks.db"

    async def prepare() -> tuple[list[str], int]:
        async with SqliteStore(path) as store:
            return await open_tables(store, arguments.tables)

    ids, first = asyncio.run(prepare())
    shifted_file(path, from_ms(first) - first)

    def rows() -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(path)) as db:
            columns = "table_id, seq, at, body, command"
            # The newest rows of a file are not at their places yet.
            return db.execute(f"SELECT {columns} FROM events UNION ALL SELECT {columns} FROM fresh ORDER BY table_id, seq").fetchall()

    return measured([str(path)], ids, folder, arguments, rows)


def on_postgres(server: Postgres, folder: Path, arguments: argparse.Namespace) -> Timed:
    """Two processes on PostgreSQL."""
    url = server.url(server.emptied())

    async def prepare() -> list[str]:
        async with await PostgresStore.open(url, "opener") as store:
            ids, first = await open_tables(store, arguments.tables)
        await shifted_postgres(url, from_ms(first) - first)
        return ids

    async def read() -> list[tuple[Any, ...]]:
        connection = await asyncpg.connect(url)
        found = await connection.fetch("SELECT table_id, seq, at, body, command FROM events ORDER BY table_id, seq")
        await connection.close()
        return [tuple(row) for row in found]

    ids = asyncio.run(prepare())
    return measured([url, url], ids, folder, arguments, lambda: asyncio.run(read()))


def from_ms(first: int) -> int:
    """Choose when the first clock shall run out."""
    return int(time.time() * 1000) + START_S * 1000


def measured(
    databases: Sequence[str], ids: list[str], folder: Path, arguments: argparse.Namespace, rows: Callable[[], list[tuple[Any, ...]]]
) -> Timed:
    """Start servers, wait, stop them, and judge what is in the log."""
    processes, bases = zip(*(started(database, folder) for database in databases), strict=True)
    began = int(time.time() * 1000)
    try:
        heard = asyncio.run(run(bases, ids, arguments.watched, START_S + arguments.seconds))
        until = int(time.time() * 1000)
    finally:
        for process in processes:
            process.terminate()
            process.wait(60)
            process.stdout.close()
    logs: dict[str, list[Row]] = {}
    for table_id, *row in rows():
        logs.setdefault(table_id, []).append(Row(*row))
    timed = Timed()
    for table_id in ids:
        judge(timed, table_id, logs[table_id], began, until, heard)
    return timed


def part(values: Sequence[float], share: float) -> float:
    """Return a value that so many are at most."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def figures(timed: Timed) -> dict[str, float]:
    """Sum a run up."""
    return {
        "acts": timed.acts, "early": timed.early, "doubled": timed.doubled, "missed": timed.missed,
        "late_ms_p50": part(timed.late, 0.5), "late_ms_p99": part(timed.late, 0.99), "late_ms_max": max(timed.late, default=0.0),
        "told": len(timed.told), "told_ms_p50": round(part(timed.told, 0.5), 1), "told_ms_p99": round(part(timed.told, 0.99), 1),
    }  # fmt: skip


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--watched", type=int, default=100, help="tables that somebody watches, 200 at most")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    arguments = parser.parse_args()
    runs: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        runs["one process, SQLite"] = figures(on_file(Path(folder), arguments))
        try:
            server = Postgres()
        except Missing as why:
            print(f"no PostgreSQL: {why}", file=sys.stderr)
        else:
            runs["two processes, PostgreSQL"] = figures(on_postgres(server, Path(folder), arguments))
            server.close()
        errors = (Path(folder) / "errors").read_text(encoding="utf-8")
    print(f"{arguments.tables} tables, {arguments.seconds:.0f} s; {machine()}; {commit()}")
    for name, found in runs.items():
        print(f"{name}: " + ", ".join(f"{key} {value:g}" for key, value in found.items()))
    if errors:
        print(errors, file=sys.stderr)
    if arguments.json is not None:
        whole: dict[str, Any] = {key: sum(found[key] for found in runs.values()) for key in ("acts", "early", "doubled", "missed")}
        whole |= {key: max(found[key] for found in runs.values()) for key in ("late_ms_p99", "told_ms_p99")}
        arguments.json.write_text(json.dumps({**whole, "runs": runs}), encoding="utf-8")


if __name__ == "__main__":
    main()

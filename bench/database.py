"""
Measure what PostgreSQL does for the server by itself, and what a move leaves there: the figures that `docs/scale.md` counts with.

    python bench/database.py [--tables N] [--events N] [--seconds S] [--stores N]

No server and no network: stores of one process append events of the size of a real game's. Then what every server process asks each second
is asked for 5,000 tables, and groups are committed by several stores at once, with hints to another process and without.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import asyncpg

from engine import commit, machine
from kozyr.app.events import Moved, encode
from kozyr.app.ports import Appended, Row
from kozyr.bus.peers import GONE_S, PRESENT
from kozyr.bus.postgres import HOLD
from kozyr.store.postgres import OVERDUE, SWEEP_S, PostgresStore
from tests.postgres import Postgres

BODY = encode(Moved(2, "attack Qh"))
OF_A_PROCESS = 5000
"""So many tables a process has in memory when it is full."""
AT_ONCE = 256
TURN_MS = 120_000
SIZES = """
SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS wal, pg_total_relation_size('events') AS log, pg_relation_size('events') AS rows,
(SELECT count(*) FROM events) AS events, pg_total_relation_size('tables') AS heads
"""
UPDATES = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'tables'"


async def move(store: PostgresStore, table_id: str, seq: int) -> None:
    """Append one move as a server does."""
    outcome = await store.append(table_id, seq - 1, [Row(seq, 0, BODY, f"0123456789.{seq:012}")], TURN_MS + seq)
    assert outcome == Appended(), outcome


async def fill(store: PostgresStore, names: Sequence[str], events: int) -> float:
    """Write so many events of each table, many tables at a time; returns how many a second."""
    started = time.perf_counter()
    for first in range(0, len(names), AT_ONCE):
        for seq in range(1, events + 1):
            await asyncio.gather(*(move(store, name, seq) for name in names[first : first + AT_ONCE]))
    return len(names) * events / (time.perf_counter() - started)


async def ms_of(ask: Callable[[], Awaitable[Any]], times: int = 9) -> float:
    """Return how many milliseconds a question takes, the median."""
    took = []
    for _ in range(times):
        started = time.perf_counter()
        await ask()
        took.append((time.perf_counter() - started) * 1000)
    return statistics.median(took)


async def committed(url: str, stores: int, seconds: float, *, are_told: bool) -> tuple[float, float]:
    """Append to 16 tables each by several stores at once, with `are_told` heard by another process; groups and moves a second."""
    opened = [await PostgresStore.open(url, f"s{number}") for number in range(stores)]
    groups, end = 0, 0.0

    def names_of(number: int) -> list[str]:
        return [f"{are_told} {stores} {number} {i}" for i in range(16)]

    async def append(number: int) -> None:
        nonlocal groups
        seq = 0
        while time.perf_counter() < end:
            seq += 1
            await asyncio.gather(*(move(opened[number], name, seq) for name in names_of(number)))
            groups += 1

    if are_told:
        connection = await asyncpg.connect(url)
        await connection.execute(HOLD, [name for number in range(stores) for name in names_of(number)], "another")
        await connection.close()
    started = time.perf_counter()
    end = started + seconds
    await asyncio.gather(*(append(number) for number in range(stores)))
    took = time.perf_counter() - started
    for store in opened:
        await store.close()
    return groups / took, 16 * groups / took


async def measure(url: str, asked: argparse.Namespace) -> list[tuple[str, str]]:
    """Measure all."""
    names = [f"table{number:011}" for number in range(asked.tables)]
    connection = await asyncpg.connect(url)
    async with await PostgresStore.open(url, "one") as store:
        await store.beat(0)
        before = dict(await connection.fetchrow(SIZES))
        rate = await fill(store, names, asked.events)
        after = dict(await connection.fetchrow(SIZES))
        await connection.execute("SELECT pg_stat_force_next_flush()")
        updates = await connection.fetchrow(UPDATES)
        some = names[:: max(1, len(names) // OF_A_PROCESS)][:OF_A_PROCESS]
        await connection.execute(HOLD, names, "two")
        await connection.execute("ANALYZE")
        heads = await ms_of(lambda: store.heads(some))
        present = await ms_of(lambda: connection.fetch(PRESENT, some, "one", GONE_S))
        overdue = await ms_of(lambda: connection.fetch(OVERDUE, 1000, 200, "one", SWEEP_S))
        vacuum = await ms_of(lambda: connection.execute("VACUUM tables"), 1)
    await connection.close()
    events = after["events"] - before["events"]
    made = [
        ("moves a second, one store, 256 tables at a time", f"{rate:,.0f}"),
        ("log of an event: its row / with indexes", f"{after['rows'] / after['events']:.0f} / {after['log'] / after['events']:.0f} bytes"),
        ("write-ahead log of an event", f"{float(after['wal'] - before['wal']) / events:.0f} bytes"),
        ("heads of tables, before a vacuum", f"{after['heads'] / asked.tables:.0f} bytes a table"),
        ("updates of heads that touch no index (HOT)", f"{(updates[1] or 0) / max(1, updates[0] or 0):.0%} of {updates[0]:,}"),
        (f"vacuum of {asked.tables:,} heads with their old versions", f"{vacuum:.0f} ms"),
        (f"the places of {len(some):,} tables, asked each second", f"{heads:.1f} ms"),
        (f"who is connected at {len(some):,} tables, asked each second", f"{present:.1f} ms"),
        (f"overdue clocks among {asked.tables:,} tables", f"{overdue:.1f} ms"),
    ]
    for are_told, words in ((False, "without a hint"), (True, "with hints")):
        for stores in (1, asked.stores):
            groups, moves = await committed(url, stores, asked.seconds, are_told=are_told)
            made.append((f"groups of 16 moves a second, {stores} stores, {words}", f"{groups:,.0f}: {moves:,.0f} moves"))
    return made


def main() -> None:
    """Measure as asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--tables", type=int, default=25_000)
    parser.add_argument("--events", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--stores", type=int, default=8)
    asked = parser.parse_args()
    import uvloop

    database = Postgres()
    try:
        rows = uvloop.run(measure(database.url(database.make_database()), asked))
    finally:
        database.close()
    print(f"{machine()}; commit {commit()}\n| figure | measured |\n| --- | --- |")
    print("\n".join(f"| {name} | {value} |" for name, value in rows))


if __name__ == "__main__":
    main()

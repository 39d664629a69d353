"""A server that is killed while games begin and end leaves the books right, and goes on with them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.store.auditing import faults, keys, told

CHILD = """
import asyncio, sys
from pathlib import Path
from kozyr.app.ports import Appended, Row
from kozyr.ledger import Terms, opening_grant, settle, stakes
from kozyr.store.sqlite import SqliteStore

TERMS = Terms(company_games=10_000, address_grants=100)
PLAYERS = ["ann", "bob", "cem"]

async def append(store, table, seq, entry):
    row = Row(seq, 0, entry.key.encode(), entry.key)
    outcome = await store.append(table, seq - 1, [row], None, [entry])
    assert outcome == Appended(), outcome
    print(entry.key, flush=True)

async def play(store, table):
    for game in range(1, 1000):
        name = f"{table}/{game}"
        await append(store, table, 2 * game - 1, stakes(name, PLAYERS, 10, 0, TERMS))
        places, durak = ([0, 1, 2], None) if game % 3 == 0 else ([game % 3, 0], 3 - game % 3)
        await append(store, table, 2 * game, settle(name, PLAYERS, 10, "linear", places, durak, 0))

async def main():
    store = SqliteStore(Path(sys.argv[1]))
    for guest in PLAYERS:
        await store.book(opening_grant(guest, "192.0.2.1", 0, TERMS))
    for pot in await store.open_pots(100):
        stake = await store.stake_of(pot.game)
        table = stake.home
        tail = await store.load(table)
        await append(store, table, tail.seq + 1, settle(pot.game, PLAYERS, 10, "linear", [], None, 0))
    assert await store.open_pots(100) == []
    await asyncio.gather(*(play(store, f"{sys.argv[2]}-{i}") for i in range(4)))

asyncio.run(main())
"""


def run_and_kill(database: Path, life: int, after: int) -> set[str]:
    """Run a server until it has acknowledged so many entries, kill it, and return all that it acknowledged."""
    seen = []
    arguments = [sys.executable, "-c", CHILD, str(database), f"life{life}"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, env=environment) as child:
        assert child.stdout is not None
        for line in child.stdout:
            seen.append(line.strip())
            if len(seen) == after:
                os.kill(child.pid, signal.SIGKILL)
        child.wait()
    assert -signal.SIGKILL == child.returncode
    return set(seen)


def test_killed_servers_lose_and_double_no_coin(tmp_path: Path) -> None:
    """Whenever the server is killed, what it said is in the books, and each entry is there together with its event (I7)."""
    database = tmp_path / "kozyr.db"
    for life, after in enumerate((33, 58, 21)):
        seen = run_and_kill(database, life, after)
        assert [] == faults(database)
        booked = {key for key in keys(database) if not key.startswith("grant:")}
        assert seen <= booked
        assert booked == told(database)

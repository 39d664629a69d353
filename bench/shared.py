"""
Measure the server on PostgreSQL: one process, and two that share a database, with each table's players at its home or spread over both.

    python bench/shared.py [--tables N …] [--seconds S] [--rounds N] [--every MS]

The same load as in `bench/server.py`, whole games with the rules, four views a move. Costs are processor time over views: of the server
processes, and of PostgreSQL with them. The database is started for it, as the tests do; it syncs every commit, and what a move leaves in it
is told in bytes: of the log with its indexes, and of the write-ahead log. `home` has all players of a
table where the API's address sends them; `spread` has two seats of each table at one process and two at the other; `echo` is the bare
transport of `bench/server.py`. All are loaded by turns. With `--every` a move is made at each table every so many milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench" / "load"))

import asyncpg
import server as one_machine
import servers
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from engine import commit, machine
from kozyr.app import evolve
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.events import PERSON, Player
from kozyr.app.limits import Limits
from kozyr.app.tables import IDLE_SWEEPS
from kozyr.cli.wiring import shared_parts
from kozyr.web import socket as talk
from kozyr.web.allowances import Allowances
from kozyr.web.server import collect_seldom, make_site, serving
from kozyr.web.site import Site
from tests.postgres import Postgres

TICK = os.sysconf("SC_CLK_TCK")
WARM = 1.2
"""The load runs a fifth longer than it is measured."""
MODES = {"one": 1, "home": 2, "spread": 2}


def lift(site: Site) -> None:
    """Lift the limits of what one address, and one websocket, may ask."""
    unlimited = Limits(10**9, 1)
    site.allowances = Allowances(unlimited, unlimited, unlimited, unlimited, unlimited)
    talk.MESSAGES = talk.HELLOS = (10**9, 1)


async def serve(url: str, address: str) -> None:
    """Serve from a database that others use too, and do what is asked for on standard input: open tables, say where they are at home."""
    evolve.SEED_MS = 0  # type: ignore[attr-defined]
    clock = SystemClock()
    async with shared_parts(url, clock, address, "notify") as parts:
        site = await make_site(
            parts.store, parts.store, parts.hints, clock, SystemEntropy(), servers.NEVER, Path("none"), peers=parts.peers
        )
        await parts.join(site.tables)
        guests = [site.sessions.new_guest() for _ in range(servers.SEATS)]
        players = [Player(f"Player {seat}", PERSON, guest=guest) for seat, guest in enumerate(guests)]
        cookies = []
        for guest in guests:
            response = web.Response()
            site.sessions.keep(response, make_mocked_request("GET", "/"), guest)
            cookies.append(response.cookies["kozyr_guest"].value)
        lift(site)
        async with serving(site, "127.0.0.1", 0) as port:
            servers.say_where(port, [], cookies)
            while line := (await asyncio.to_thread(sys.stdin.readline)).split():
                if line[0] == "open":
                    told: Any = await asyncio.gather(*(servers.dealt(site.tables, players) for _ in range(int(line[1]))))
                elif line[0] == "homes":
                    while parts.peers.is_alone and line[1] != "1":
                        await asyncio.sleep(0.05)
                    told = [parts.peers.address_of(each) for each in line[2:]]
                else:
                    # Whoever opened a table and is not its home lets it go when nobody has been there for some sweeps.
                    for _ in range(IDLE_SWEEPS + 2):
                        site.tables.let_go()
                        await asyncio.sleep(0.05)
                    told = len(site.tables)
                print(json.dumps(told), flush=True)


class Process(NamedTuple):
    """A server process that does what it is asked."""

    child: subprocess.Popen[str]
    port: int
    cookies: list[str]

    def ask(self, *words: object) -> Any:
        """Ask it for something."""
        assert self.child.stdin is not None and self.child.stdout is not None
        self.child.stdin.write(" ".join(map(str, words)) + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())


@contextlib.contextmanager
def running(url: str, address: str) -> Iterator[Process]:
    """Run a server in a process of its own."""
    command = [sys.executable, __file__, "--serve", url, "--address", address]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdin is not None
    told = json.loads(child.stdout.readline())
    try:
        yield Process(child, told["port"], told["cookies"])
    finally:
        child.stdin.close()
        child.wait()
        child.stdout.close()


def spent_by_postgres(database: Postgres) -> float:
    """The processor's seconds that PostgreSQL has used so far, its ended processes among them."""
    assert database._process is not None
    pid, total = database._process.pid, 0.0
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for each in (str(pid), *children):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12]) + (int(fields[13]) + int(fields[14]) if each == str(pid) else 0)) / TICK
    return total


KEPT = """
SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS wal, pg_total_relation_size('events') AS log,
(SELECT count(*) FROM events) AS events
"""


def kept(url: str) -> one_machine.Figures:
    """Ask how much the database has written and keeps."""

    async def ask() -> one_machine.Figures:
        connection = await asyncpg.connect(url)
        found = await connection.fetchrow(KEPT)
        await connection.close()
        return {name: float(value) for name, value in found.items()}

    return asyncio.run(ask())


def places_of(mode: str, processes: Sequence[Process], tables: int) -> list[str]:
    """Open tables, and say to which port each seat of each connects."""
    count, places, ports = len(processes), [], {f"/p/{i}": each.port for i, each in enumerate(processes)}
    opened = [(opener, table_id) for opener in processes for table_id in opener.ask("open", tables // count)]
    homes = processes[0].ask("homes", count, *(table_id for _, table_id in opened))
    for (opener, table_id), home in zip(opened, homes, strict=True):
        for seat, cookie in enumerate(opener.cookies):
            port = processes[seat * count // servers.SEATS].port if mode == "spread" else ports[home]
            places.append(f"/ws/tables/{table_id} {cookie} {port}")
    for each in processes:
        each.ask("settle")
    return places


def measure(database: Postgres, load: Path, mode: str, tables: int, seconds: float, every_ms: float) -> one_machine.Figures:
    """Load the processes of a mode at once."""
    name = database.make_database()
    url = database.url(name)
    with contextlib.ExitStack() as stack:
        stack.callback(database.drop_database, name)
        processes = [stack.enter_context(running(url, f"/p/{i}")) for i in range(MODES[mode])]
        places = places_of(mode, processes, tables)
        command = [str(load), "0", ",".join(str(each.child.pid) for each in processes), str(seconds), "0", "whole", str(every_ms)]
        before, at_first = spent_by_postgres(database), kept(url)
        done = subprocess.run(command, input="\n".join(places), text=True, stdout=subprocess.PIPE, check=True)
        spent, at_last = spent_by_postgres(database) - before, kept(url)
    figures = figures_of(json.loads(done.stdout), spent / WARM)
    grown = {each: at_last[each] - at_first[each] for each in at_last}
    # Nearly every event is a move; the few others are of ends and beginnings of games.
    figures["events_a_move"] = grown["events"] / figures["moves_a_second"] / seconds / WARM
    figures["wal_bytes_an_event"] = grown["wal"] / grown["events"]
    figures["log_bytes_an_event"] = at_last["log"] / at_last["events"]
    return figures


def figures_of(found: one_machine.Figures, spent: float) -> one_machine.Figures:
    """Make of what the load found what is shown; *spent* are the database's seconds meanwhile."""
    views = found["moves"] * servers.SEATS
    return {
        "us_a_view": found["cpu_s"] / views * 1e6,
        "us_a_view_with_database": (found["cpu_s"] + spent) / views * 1e6,
        "moves_a_second": found["moves"] / found["seconds"],
        "ack_ms": found["ack_ms"],
        "ack_ms_p99": found["ack_ms_p99"],
        "last_after_ack_ms": found["last_after_ack_ms"],
    }


def echo(load: Path, tables: int, seconds: float, every_ms: float, folder: Path) -> one_machine.Figures:
    """Load the bare transport."""
    with one_machine.running("echo", tables, folder) as server:
        command = [str(load), str(server.port), str(server.pid), str(seconds), "0", "echo", str(every_ms)]
        done = subprocess.run(command, input="\n".join(server.places), text=True, stdout=subprocess.PIPE, check=True)
    return figures_of(json.loads(done.stdout), 0)


Found = dict[str, list[one_machine.Figures]]


def compare(database: Postgres, load: Path, tables: int, rounds: int, seconds: float, every_ms: float, folder: Path) -> Found:
    """Measure all by turns."""
    found: Found = {"echo": [], **{mode: [] for mode in MODES}}
    for _ in range(rounds):
        found["echo"].append(echo(load, tables, seconds, every_ms, folder))
        for mode in MODES:
            found[mode].append(measure(database, load, mode, tables, seconds, every_ms))
    return found


def ratios(found: Found) -> one_machine.Figures:
    """Return the medians of the rounds' own ratios that are wanted."""
    return {
        "T6 home": one_machine.ratio_of(found, "home", "one", "us_a_view"),
        "T6 home with database": one_machine.ratio_of(found, "home", "one", "us_a_view_with_database"),
        "spread to one": one_machine.ratio_of(found, "spread", "one", "us_a_view"),
        "spread to one with database": one_machine.ratio_of(found, "spread", "one", "us_a_view_with_database"),
        "T6 spread": one_machine.ratio_of(found, "echo", "spread", "us_a_view"),
    }


def main() -> None:
    """Measure as asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--serve", metavar="URL")
    parser.add_argument("--address", default="")
    parser.add_argument("--tables", type=int, nargs="+", default=[64, 128])
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--every", type=float, default=0)
    parser.add_argument("--folder", type=Path, default=Path.cwd())
    asked = parser.parse_args()
    if asked.serve:
        import uvloop

        collect_seldom()
        uvloop.run(serve(asked.serve, asked.address))
        return
    database = Postgres()
    print(f"{machine()}; commit {commit()}; {asked.rounds} rounds of {asked.seconds:.0f} s", flush=True)
    try:
        with tempfile.TemporaryDirectory() as inside:
            load = one_machine.build_load(Path(inside))
            for tables in asked.tables:
                found = compare(database, load, tables, asked.rounds, asked.seconds, asked.every, asked.folder)
                print(f"{tables} tables\n| figure | {' | '.join(found)} |\n|{' --- |' * (len(found) + 1)}")
                for name in found["one"][0]:
                    cells = (f"{one_machine.middle(each, name):.1f}" if name in each[0] else "" for each in found.values())
                    print(f"| {name} | {' | '.join(cells)} |")
                print("; ".join(f"{name} {value:.2f}" for name, value in ratios(found).items()), flush=True)
    finally:
        database.close()


if __name__ == "__main__":
    main()

"""
Measure the server on PostgreSQL: one process, and two that share a database with each table's players at one of them.

    python bench/shared.py [--tables N] [--seconds S] [--rounds N]

The same load as in `bench/server.py`, whole games with the rules, four views a move. Costs are processor time over views: of the server
processes, and of PostgreSQL with them. The database is started for it, as the tests do; it syncs every commit.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench" / "load"))

import server as one_machine
import servers
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from engine import commit, machine
from kozyr.app import evolve
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.events import PERSON, Player
from kozyr.app.limits import Limits
from kozyr.cli.wiring import shared_parts
from kozyr.web import socket as talk
from kozyr.web.allowances import Allowances
from kozyr.web.server import collect_seldom, make_site, serving
from tests.postgres import Postgres

TICK = os.sysconf("SC_CLK_TCK")


async def serve(url: str, tables: int) -> None:
    """Serve tables of four persons each, dealt, from a database that others use too."""
    evolve.SEED_MS = 0  # type: ignore[attr-defined]
    clock = SystemClock()
    async with shared_parts(url, clock, "") as parts:
        site = await make_site(
            parts.store, parts.store, parts.hints, clock, SystemEntropy(), servers.NEVER, Path("none"), peers=parts.peers
        )
        await parts.join(site.tables)
        guests = [site.sessions.new_guest() for _ in range(servers.SEATS)]
        cookies = []
        for guest in guests:
            response = web.Response()
            site.sessions.keep(response, make_mocked_request("GET", "/"), guest)
            cookies.append(response.cookies["kozyr_guest"].value)
        unlimited = Limits(10**9, 1)
        site.allowances = Allowances(unlimited, unlimited, unlimited, unlimited, unlimited)
        talk.MESSAGES = talk.HELLOS = (10**9, 1)
        async with serving(site, "127.0.0.1", 0) as port:
            players = [Player(f"Player {seat}", PERSON, guest=guest) for seat, guest in enumerate(guests)]
            ids = await asyncio.gather(*(servers.dealt(site.tables, players) for _ in range(tables)))
            servers.say_where(port, [f"/ws/tables/{each}" for each in ids], cookies)
            await servers.until_told()


@contextlib.contextmanager
def running(url: str, tables: int) -> Iterator[one_machine.Server]:
    """Run a server in a process of its own."""
    command = [sys.executable, __file__, "--serve", url, "--tables", str(tables)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdin is not None
    told = json.loads(child.stdout.readline())
    places = [f"{path} {cookie}" for path in told["paths"] for cookie in told["cookies"]]
    try:
        yield one_machine.Server(child.pid, told["port"], places, told["kb"])
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


def measure(database: Postgres, load: Path, processes: int, tables: int, seconds: float) -> one_machine.Figures:
    """Load so many processes at once, each with its part of the tables."""
    url = database.url(database.emptied())
    with contextlib.ExitStack() as stack, ThreadPoolExecutor(processes) as pool:
        started = [stack.enter_context(running(url, tables // processes)) for _ in range(processes)]
        before = spent_by_postgres(database)
        found = list(pool.map(lambda each: one_machine.play_at(load, each, "whole", seconds), started))
        spent = spent_by_postgres(database) - before
    views = sum(each["moves"] for each in found) * servers.SEATS
    cpu = sum(each["cpu_s"] for each in found)
    return {
        "us_a_view": cpu / views * 1e6,
        # The load runs a fifth longer than it is measured.
        "us_a_view_with_database": (cpu + spent / 1.2) / views * 1e6,
        "moves_a_second": sum(each["moves"] / each["seconds"] for each in found),
        "ack_ms": statistics.median(each["ack_ms"] for each in found),
    }


def main() -> None:
    """Measure as asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--serve", metavar="URL")
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    if asked.serve:
        import uvloop

        collect_seldom()
        uvloop.run(serve(asked.serve, asked.tables))
        return
    found: dict[int, list[one_machine.Figures]] = {1: [], 2: []}
    database = Postgres()
    try:
        with tempfile.TemporaryDirectory() as folder:
            load = one_machine.build_load(Path(folder))
            for _ in range(asked.rounds):
                for processes in found:
                    found[processes].append(measure(database, load, processes, asked.tables, asked.seconds))
    finally:
        database.close()
    print(f"{machine()}; commit {commit()}; {asked.rounds} rounds of {asked.seconds:.0f} s, {asked.tables} tables")
    print("| figure | one process | two | ratio |\n| --- | --- | --- | --- |")
    for name in found[1][0]:
        one, two = (statistics.median(each[name] for each in found[processes]) for processes in (1, 2))
        print(f"| {name} | {one:.1f} | {two:.1f} | {two / one:.2f} |")


if __name__ == "__main__":
    main()

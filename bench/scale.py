"""
Calculate from measured microseconds and bytes what a number of players needs: the tables of `docs/scale.md`.

    python bench/scale.py [--players N …] [--every S] [--server US] [--database US] …

Every option is a measured figure, or an assumption; what is given replaces the one that stands here. `docs/scale.md` says where each
comes from.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import NamedTuple

SEATS = 4
DAY_S = 86_400
TABLES_OF_A_PROCESS = 5000
"""So many tables were measured at one process; more connections than theirs few systems let a process have without asking."""


class Given(NamedTuple):
    """What is counted with. Times are processor time."""

    every: float = 4.0
    """Seconds between two moves of a table: an assumption."""
    server: float = 70.0
    """Microseconds of a server process a view."""
    database: float = 25.0
    """Microseconds of PostgreSQL a view."""
    full: float = 0.6
    """How much of its core a process may use, so that it can take over from another."""
    kilobytes: float = 18.0
    """Memory a connection with its share of the table."""
    view: float = 445.0
    """Bytes of a view's message."""
    frame: float = 4.0 + 52.0
    """Bytes of its frame, TCP and IP."""
    asked: float = 80.0 + 60.0
    """Bytes of a command with the same."""
    events: float = 1.15
    """Events of the log for each move, the beginnings and ends of games among them."""
    log: float = 300.0
    """Bytes of an event in the log, indexes included."""
    wal: float = 780.0
    """Bytes of an event in the write-ahead log."""
    one: float = 10_600.0
    """Moves a second that one PostgreSQL of two cores took."""
    rounds: float = 40.0
    """Milliseconds of the database for the rounds of a process with 5,000 tables, each second."""
    connecting: float = 0.8
    """Milliseconds of a server process for a connection that comes."""
    stay: float = 1800.0
    """Seconds for which somebody stays connected: an assumption."""


class Needed(NamedTuple):
    """What so many players need."""

    tables: float
    moves: float
    views: float
    server_cores: float
    processes: float
    memory_gb: float
    out_mbit: float
    in_mbit: float
    events: float
    database_cores: float
    databases: float
    log_gb_day: float
    wal_gb_day: float
    comings: float
    hints_home: float
    hints_spread: float


def needed(players: float, given: Given) -> Needed:
    """Multiply."""
    tables = players / SEATS
    moves = tables / given.every
    views = moves * SEATS
    comings = players / given.stay
    cores = views * given.server / 1e6 + comings * given.connecting / 1000
    processes = max(math.ceil(cores / given.full), math.ceil(tables / TABLES_OF_A_PROCESS))
    events = moves * given.events
    # A seat is at any process: the mover's own hears of nothing, each other one that has a seat of the table hears of it.
    others = processes * (1 - (1 - 1 / processes) ** SEATS) - 1
    database_cores = views * given.database / 1e6 + tables / TABLES_OF_A_PROCESS * given.rounds / 1000
    return Needed(
        tables, moves, views, cores, processes, players * given.kilobytes / 1e6, views * (given.view + given.frame) * 8 / 1e6,
        moves * given.asked * 8 / 1e6, events, database_cores, events / given.one,
        events * given.log * DAY_S / 1e9, events * given.wal * DAY_S / 1e9, comings, 0.0, moves * others,
    )  # fmt: skip


def short(value: float) -> str:
    """Write a figure with two digits that mean something."""
    if value >= 100:
        digits = 10 ** (math.floor(math.log10(value)) - 1)
        return f"{round(value / digits) * digits:,.0f}"
    return f"{value:.0f}" if value >= 10 or value == int(value) else f"{value:.1f}" if value >= 1 else f"{value:.2g}"


ROWS: tuple[tuple[str, Callable[[Needed], float]], ...] = (
    ("tables of four", lambda each: each.tables),
    ("moves a second", lambda each: each.moves),
    ("views a second", lambda each: each.views),
    ("cores of server processes", lambda each: each.server_cores),
    ("server processes: three fifths busy, 5,000 tables at most", lambda each: each.processes),
    ("memory of connections and tables, GB", lambda each: each.memory_gb),
    ("network to the players, Mbit/s", lambda each: each.out_mbit),
    ("network from the players, Mbit/s", lambda each: each.in_mbit),
    ("events a second", lambda each: each.events),
    ("cores of PostgreSQL", lambda each: each.database_cores),
    ("share of what one PostgreSQL of two cores took", lambda each: each.databases),
    ("log, GB a day", lambda each: each.log_gb_day),
    ("write-ahead log, GB a day", lambda each: each.wal_gb_day),
    ("connections that come a second", lambda each: each.comings),
    ("hints a second, tables at their homes", lambda each: each.hints_home),
    ("hints a second, seats spread over all processes", lambda each: each.hints_spread),
)


def main() -> None:
    """Calculate, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--players", type=float, nargs="+", default=[1e4, 1e5, 1e6])
    for name, value in Given()._asdict().items():
        parser.add_argument(f"--{name}", type=float, default=value)
    asked = vars(parser.parse_args())
    players = asked.pop("players")
    given = Given(**asked)
    found = [needed(each, given) for each in players]
    print(f"| players | {' | '.join(f'{each:,.0f}' for each in players)} |\n|{' --- |' * (len(players) + 1)}")
    for words, of in ROWS:
        print(f"| {words} | {' | '.join(short(of(each)) for each in found)} |")
    print("\n| doubled | cores of servers | cores of PostgreSQL | log, GB a day | network to the players, Mbit/s |\n|" + " --- |" * 5)
    for name in ("every", "server", "database", "view", "log", "events", "connecting"):
        most = needed(max(players), given._replace(**{name: 2 * getattr(given, name)}))
        cells = (most.server_cores, most.database_cores, most.log_gb_day, most.out_mbit)
        print(f"| {name} | {' | '.join(map(short, cells))} |")


if __name__ == "__main__":
    main()

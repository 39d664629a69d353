"""
Measure the server against all of its figures, T1 to T9, each with its yardstick, by turns; and say which it reaches.

    python bench/all.py [--rounds N] [--seconds S] [--tables N] [--every MS] [--storm S] [--clocks S]
                        [--growth FILE.json] [--json FILE]

It calls the other benchmarks of this folder. In every round raw transport, echo, echo with a log, and the whole server on SQLite and on
PostgreSQL are loaded in turn, and a ratio is the median of the rounds' own ratios. `--every` is the pace of the open loop, in which a move
is meant to be made at each table every so often, whether the server keeps up or not. `--storm 0` leaves the kills out, `--clocks 0` the
clocks. With `--growth` the most connections are those that `bench/growth.py` has measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import server as one_machine
import shared

from engine import commit, machine
from kozyr.core import FORM
from tests.postgres import Missing, Postgres

Figures = one_machine.Figures
Found = dict[str, list[Figures]]
DURABLE = "echo --durable"
TITLES = {
    "raw": "raw picows", "echo --ready": "echo, written beforehand", DURABLE: "echo with a log on the disk", "whole": "whole server",
    "one": "PostgreSQL, one process", "home": "PostgreSQL, two, tables at home", "spread": "PostgreSQL, two, seats spread",
}  # fmt: skip


class Verdict(NamedTuple):
    """A figure, what is wanted of it, and whether it is so; None where nobody could measure it here."""

    id: str
    what: str
    measured: str
    wanted: str
    is_reached: bool | None


def kinds() -> dict[str, str]:
    """Name the servers of one process, and how each is played at."""
    return {**one_machine.kinds(), DURABLE: "echo"}


def open_loop(load: Path, server: one_machine.Server, how: str, seconds: float, every_ms: float) -> Figures:
    """Load a server at a fixed pace."""
    command = [str(load), str(server.port), str(server.pid), str(seconds), "0", how, str(every_ms)]
    done = subprocess.run(command, input="\n".join(server.places), text=True, stdout=subprocess.PIPE, check=True)
    found: Figures = json.loads(done.stdout)
    return {**found, "us_a_view": found["cpu_s"] / found["moves"] / one_machine.SEATS * 1e6}


def one_round(asked: argparse.Namespace, load: Path, database: Postgres | None, found: Found) -> None:
    """Load everything once, in turn."""

    def note(name: str, figures: Figures) -> None:
        found.setdefault(name, []).append(figures)

    folder, seconds, tables = asked.folder, asked.seconds, asked.tables
    note("disk", one_machine.disk_of(folder)._asdict())
    for kind, how in kinds().items():
        with one_machine.running(kind, tables, folder) as server:
            note(kind, one_machine.play_at(load, server, how, seconds))
        if kind in ("echo", "whole"):
            with one_machine.running(kind, tables, folder) as server:
                note(f"{kind} open", open_loop(load, server, how, seconds, asked.every))
            with one_machine.running(kind, 1, folder) as server:
                note(f"{kind} alone", one_machine.play_at(load, server, how, seconds, 20))
    if database is not None:
        for mode in shared.MODES:
            note(mode, shared.measure(database, load, mode, tables, seconds, 0))
    for number in (64, 256):
        note(f"moves {number}", one_machine.durable(folder, number, seconds))
    note("start", one_machine.start(folder))


def of_transport(found: Found) -> list[Verdict]:
    """T1 to T4."""
    ratio = one_machine.ratio_of
    echo, whole, disk = found["echo alone"], found["whole alone"], found["disk"]
    limit = one_machine.middle(echo, "ack_ms") + 1.5 * one_machine.middle(disk, "ms")
    ack, last = one_machine.middle(whole, "ack_ms"), one_machine.middle(whole, "last_after_ack_ms")
    is_raw = "raw" in found
    t1 = ratio(found, "raw", "echo --ready", "us_a_view") if is_raw else 0.0
    t2, t3 = ratio(found, "echo", DURABLE, "us_a_view"), ratio(found, "echo", "whole", "us_a_view")
    return [
        Verdict("T1", "raw picows / our echo", f"{t1:.2f}" if is_raw else "no picows here", "≥ 0.50", t1 >= 0.5 if is_raw else None),
        Verdict("T2", "echo / echo with a log on the disk", f"{t2:.2f}", "≥ 0.70", t2 >= 0.7),
        Verdict("T3", "echo / whole server", f"{t3:.2f}", "≥ 0.40", t3 >= 0.4),
        Verdict("T4", "acknowledgement of a lone move, p50", f"{ack:.2f} ms", f"≤ {limit:.2f} ms: echo + 1.5 × fdatasync", ack <= limit),
        Verdict("T4", "last view after it, p50", f"{last:.2f} ms", "≤ 1 ms", last <= 1),
    ]


def of_stores(found: Found) -> list[Verdict]:
    """T5 and T6."""
    made = []
    for number, wanted in ((64, 20), (256, 80)):
        value = one_machine.middle(found[f"moves {number}"], "per_fdatasync")
        what = f"durable moves of {number} tables in the time of an fdatasync"
        made.append(Verdict("T5", what, f"{value:.1f}", f"≥ {wanted}", value >= wanted))
    if "one" not in found:
        return [*made, Verdict("T6", "PostgreSQL", "no PostgreSQL here", "", None)]
    home, spread = one_machine.ratio_of(found, "home", "one", "us_a_view"), one_machine.ratio_of(found, "echo", "spread", "us_a_view")
    return [
        *made,
        Verdict("T6", "two processes / one, on PostgreSQL, each table at its home", f"{home:.2f}", "≤ 1.20", home <= 1.2),
        Verdict("T6", "echo / two processes with seats spread over both", f"{spread:.2f}", "≥ 0.35", spread >= 0.35),
    ]


def of_kills(seconds: float, database: Postgres | None, folder: Path) -> list[Verdict]:
    """T7: storms, which fail where anything is lost, doubled or leaked; everything else is what they say."""
    from tests.chaos.test_storm import on_postgres, on_sqlite

    made = []
    for name, storm in (
        ("two processes", None if database is None else lambda inside: on_postgres(database, seconds, 6, 7, inside)),
        ("a file", lambda inside: on_sqlite(seconds, 6, 7, inside)),
    ):
        if storm is None:
            continue
        with tempfile.TemporaryDirectory(dir=folder) as inside:
            told = asyncio.run(storm(Path(inside)))
        print(f"{name}: {told}", file=sys.stderr, flush=True)
        back, start = (float(re.findall(pattern, told)[0]) for pattern in (r"back after ([\d.]+)", r"start takes ([\d.]+)"))
        kills = int(re.findall(r"'kill': (\d+)", told)[0])
        made.append(Verdict("T7", f"{name}: lost, doubled or leaked in a storm with {kills} kills", "0", "0 in 20", kills >= 20 or None))
        if name == "a file":
            made.append(Verdict("T7", "a start after a kill, by the wall, median", f"{start:.2f} s", "≤ 1.5 s", start <= 1.5))
        else:
            made.append(Verdict("T7", "a seat of a dead process is back, median", f"{back:.2f} s", "≤ 0.5 s", back <= 0.5))
    return made


def of_clocks(seconds: float, folder: Path) -> list[Verdict]:
    """T8, by the benchmark of clocks."""
    with tempfile.TemporaryDirectory(dir=folder) as inside:
        out = Path(inside) / "clocks.json"
        command = [sys.executable, str(Path(__file__).with_name("clocks.py")), "--seconds", str(seconds), "--json", str(out)]
        subprocess.run(command, check=True, stdout=sys.stderr)
        found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    wrong = found["doubled"] + found["missed"]
    return [
        Verdict("T8", "clocks that acted early", f"{found['early']}", "0", not found["early"]),
        Verdict("T8", "clocks that acted twice or never", f"{wrong}", "0", not wrong),
        Verdict("T8", "late, p99", f"{found['late_ms_p99']:.1f} ms", "≤ 50 ms", found["late_ms_p99"] <= 50),
    ]


def of_memory(found: Found, load: Path, folder: Path, growth: Path | None) -> list[Verdict]:
    """T9, the most tables out of what `bench/growth.py` has measured where that is given."""
    if growth is None:
        row = one_machine.memory(folder, load, 4000)
    else:
        row = max(json.loads(growth.read_text(encoding="utf-8"))["open"], key=lambda each: each["sockets"])
    first, size = one_machine.middle(found["start"], "first_answer_s"), one_machine.middle(found["start"], "mb")
    each = row["kb_a_connection"]
    whole_mb = row["mb"] if row["sockets"] >= 19_600 else row["mb_empty"] + 19_600 * each / 1024
    return [
        Verdict("T9", f"memory a connection, of {row['sockets']:,.0f}", f"{each:.1f} kB", "≤ 20 kB", each <= 20),
        Verdict("T9", "memory with 19,600 connections", f"{whole_mb:.0f} MB", "< 500 MB", whole_mb < 500),
        Verdict("T9", "start to the first answer", f"{first:.2f} s", "≤ 1 s", first <= 1),
        Verdict("T9", "memory of a server that has just started", f"{size:.0f} MB", "≤ 80 MB", size <= 80),
    ]


def costs(found: Found, every_ms: float) -> list[str]:
    """Write what everything cost, in closed and in open loop."""
    lines = [
        "| loaded | processor time a view | moves a second | acknowledged p50 / p99 | last view after it, p50 |",
        "| --- " * 5 + "|",
    ]
    for name, rounds in found.items():
        if "us_a_view" in rounds[0] and "ack_ms" in rounds[0]:
            one = {each: one_machine.middle(rounds, each) for each in rounds[0]}
            rate = one.get("moves_a_second", one.get("moves", 0.0) / one.get("seconds", 1.0))
            kind, _, pace = name.partition(" " if name not in TITLES else "\0")
            how = {"open": f", a move every {every_ms / 1000:g} s at each table", "alone": ", one table, 20 ms between moves", "": ""}[pace]
            title = TITLES.get(kind, kind) + how
            lines.append(
                f"| {title} | {one['us_a_view']:.1f} µs | {rate:,.0f} | {one['ack_ms']:.1f} / {one['ack_ms_p99']:.1f} ms "
                f"| {one['last_after_ack_ms']:.1f} ms |"
            )
    return lines


def judged(verdicts: list[Verdict]) -> list[str]:
    """Write the verdicts."""
    words = {True: "reached", False: "**missed**", None: "too little to say"}
    rows = [f"| {each.id} | {each.what} | {each.measured} | {each.wanted} | {words[each.is_reached]} |" for each in verdicts]
    return ["| | figure | measured | wanted | |", "| --- " * 5 + "|", *rows]


def measured(asked: argparse.Namespace, load: Path, database: Postgres | None) -> tuple[list[Verdict], Found]:
    """Measure all, by turns."""
    found: Found = {}
    for number in range(asked.rounds):
        one_round(asked, load, database, found)
        print(f"round {number + 1} of {asked.rounds}", file=sys.stderr, flush=True)
    parts: list[Callable[[], list[Verdict]]] = [lambda: of_transport(found), lambda: of_stores(found)]
    if asked.storm:
        parts.append(lambda: of_kills(asked.storm, database, asked.folder))
    if asked.clocks:
        parts.append(lambda: of_clocks(asked.clocks, asked.folder))
    parts.append(lambda: of_memory(found, load, asked.folder, asked.growth))
    return [verdict for part in parts for verdict in part()], found


def main() -> None:
    """Measure and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--tables", type=int, default=128)
    parser.add_argument("--every", type=float, default=1000.0)
    parser.add_argument("--storm", type=float, default=30.0)
    parser.add_argument("--clocks", type=float, default=30.0)
    parser.add_argument("--growth", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--folder", type=Path, default=Path.cwd())
    asked = parser.parse_args()
    try:
        database = Postgres()
    except Missing:
        database = None
    try:
        with tempfile.TemporaryDirectory() as inside:
            verdicts, found = measured(asked, one_machine.build_load(Path(inside)), database)
    finally:
        if database is not None:
            database.close()
    print(f"{machine()}; commit {commit()}, engine {FORM}; {asked.rounds} rounds, {asked.tables} tables")
    disk = statistics.median(each["ms"] for each in found["disk"])
    print(f"an fdatasync takes {disk:.2f} ms\n")
    print("\n".join([*judged(verdicts), "", *costs(found, asked.every)]))
    if asked.json:
        asked.json.write_text(json.dumps({"verdicts": [each._asdict() for each in verdicts], "rounds": found}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()

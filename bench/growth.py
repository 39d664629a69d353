"""
Measure how cost, waiting and memory grow with the number of tables, and draw it.

    python bench/growth.py [--tables N …] [--rounds N] [--every MS] [--seconds S] [--closed N …] [--out FILE.json] [--svg FILE.svg]

A server process on SQLite with `synchronous=FULL` and tables of four, as in `bench/server.py`. At each table a move is meant to be made
every `--every` milliseconds, whether the server keeps up or not; waiting is counted from the moment at which it was meant, and every
connection says `ping` each 20 s. `--closed` names sizes at which a table moves as soon as its last move has been seen by all, besides.
Sizes come by turns; the median of the rounds is shown. Costs have the pings, clocks and all else in them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import server as one_machine
from curves import Curve, Panel, svg

from engine import commit, machine
from kozyr.core import FORM

SEATS = one_machine.SEATS
MOVES_LEAST = 300
"""Fewer tables are watched for longer, up to a limit, so that there are this many moves."""
LONGEST_S = 30.0
SHOWN = ("us_a_view", "ack_ms", "ack_ms_p99", "last_ms", "kb_a_connection", "mb", "moves_a_second", "core_share")

Figures = one_machine.Figures


def measure(load: Path, folder: Path, tables: int, every_ms: float, seconds: float) -> Figures:
    """Load a server with so many tables, every so often, or as fast as it can with 0."""
    if every_ms:
        seconds = min(max(seconds, MOVES_LEAST * every_ms / 1000 / tables), LONGEST_S)
    with one_machine.running("whole", tables, folder) as server:
        command = [str(load), str(server.port), str(server.pid), str(seconds), "0", "whole", str(every_ms)]
        done = subprocess.run(command, input="\n".join(server.places), text=True, stdout=subprocess.PIPE, check=True)
        found: Figures = json.loads(done.stdout)
    return {
        "us_a_view": found["cpu_s"] / found["moves"] / SEATS * 1e6,
        "ack_ms": found["ack_ms"],
        "ack_ms_p99": found["ack_ms_p99"],
        "last_ms": found["last_ms"],
        "kb_a_connection": (found["kb_connected"] - server.kb_empty) / (tables * SEATS),
        "mb": found["kb_after"] / 1024,
        "moves_a_second": found["moves"] / found["seconds"],
        "core_share": found["cpu_s"] / found["seconds"],
        "view_bytes": found["view_bytes"],
        "views_a_move": found["views"] / found["moves"],
        "refused": found["refused"],
        "connect_s": found["connect_s"],
        "connect_ms_each": found["connect_cpu_s"] / (tables * SEATS) * 1000,
        "load_core_share": found["load_cpu_s"] / found["seconds"],
        "seconds": found["seconds"],
        "machine_load": os.getloadavg()[0],
    }


def row_of(tables: int, every_ms: float, rounds: list[Figures]) -> dict[str, Any]:
    """Describe a size by the medians of its rounds."""
    return {"tables": tables, "sockets": tables * SEATS, "every_ms": every_ms} | {
        name: one_machine.middle(rounds, name) for name in rounds[0]
    }


def grown(asked: argparse.Namespace, load: Path) -> dict[str, Any]:
    """Measure all sizes by turns; what there is is kept after each round."""
    made: dict[str, Any] = {}
    wanted = [(tables, asked.every) for tables in asked.tables] + [(tables, 0.0) for tables in asked.closed]
    found: dict[tuple[int, float], list[Figures]] = {each: [] for each in wanted}
    for number in range(asked.rounds):
        for tables, every_ms in wanted:
            found[tables, every_ms].append(measure(load, asked.folder, tables, every_ms, asked.seconds))
            shown = found[tables, every_ms][-1]
            print(tables, every_ms, {name: round(shown[name], 2) for name in SHOWN}, file=sys.stderr, flush=True)
        made = {
            "machine": machine(), "commit": commit(), "engine": FORM, "rounds": number + 1,
            "open": [row_of(tables, every, each) for (tables, every), each in sorted(found.items()) if every],
            "closed": [row_of(tables, every, each) for (tables, every), each in sorted(found.items()) if not every],
        }  # fmt: skip
        if asked.out:
            asked.out.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    return made


def table_of(found: dict[str, Any]) -> str:
    """Write the figures as a table."""
    lines = [
        "| tables of four | sockets | a move at each | moves a second | processor time a view | of one core | acknowledged p50 / p99 "
        "| memory a connection | memory |",
        "| --- " * 9 + "|",
    ]
    for row in found["open"] + found["closed"]:
        pace = f"every {row['every_ms'] / 1000:g} s" if row["every_ms"] else "at once"
        lines.append(
            f"| {row['tables']:,} | {row['sockets']:,} | {pace} | {row['moves_a_second']:,.0f} | {row['us_a_view']:.1f} µs "
            f"| {row['core_share']:.1%} | {row['ack_ms']:.1f} / {row['ack_ms_p99']:.0f} ms "
            f"| {row['kb_a_connection']:.1f} kB | {row['mb']:.0f} MB |"
        )
    return "\n".join(lines)


def picture(found: dict[str, Any]) -> str:
    """Draw cost, waiting and memory over the number of tables."""

    def curve(part: str, name: str, figure: str) -> list[Curve]:
        points = [(row["tables"], row[figure]) for row in found[part]]
        return [Curve(name, points)] if points else []

    every = found["open"][0]["every_ms"] / 1000
    return svg(
        "One server process, from ten tables to thousands",
        f"SQLite with synchronous=FULL, tables of four, a move at each table every {every:g} s; {found['machine']}",
        "tables of four",
        [
            Panel(
                "processor time, µs a view",
                curve("open", f"every {every:g} s", "us_a_view") + curve("closed", "as fast as it can", "us_a_view"),
            ),
            Panel("until the acknowledgement, ms", curve("open", "p50", "ack_ms") + curve("open", "p99", "ack_ms_p99"), is_log=True),
            Panel("memory of the process, MB", curve("open", "everybody connected", "mb"), is_log=True),
        ],
    )


def main() -> None:
    """Measure, print, keep and draw as asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 100, 1000, 4900])
    parser.add_argument("--closed", type=int, nargs="*", default=[10, 100, 1000])
    parser.add_argument("--every", type=float, default=4000.0)
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path.cwd())
    parser.add_argument("--out", type=Path)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--draw", type=Path, metavar="FILE.json", help="draw what was measured before")
    asked = parser.parse_args()
    if asked.draw:
        found = json.loads(asked.draw.read_text(encoding="utf-8"))
    else:
        with tempfile.TemporaryDirectory() as inside:
            found = grown(asked, one_machine.build_load(Path(inside)))
    print(table_of(found))
    if asked.svg:
        asked.svg.write_text(picture(found), encoding="utf-8")


if __name__ == "__main__":
    main()

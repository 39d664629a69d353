#!/usr/bin/env python3
"""
The engine's figures, as ratios within one run.

    python bench/engine.py                        the compiled engine, and the interpreted one in a process of its own
    python bench/engine.py --yardstick DIR        beside another engine, run by turns in the same process

A yardstick is a folder with a compiled module `kz.durak` that has `Rules(seats, throw_all, transfer, draws, draw_joined)` and
`bench(rules, deck, games, seed)`, which plays random games and returns how many actions they took, and a check sum.

Prints a table for bench/README.md. Times are CPU times, medians of several runs.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SEATS = (2, 4)
GAMES, GAMES_INTERPRETED, COPIES = 10_000, 400, 1_000_000
SEED = 12345
AIMS = {"ratio": "≥ 0.75, aim 1", "interpreted": "≥ 3,000", "copy": "≤ 15"}


def interleaved(works: dict[str, Callable[[], object]], repeat: int) -> dict[str, list[float]]:
    """
    Time several pieces of work by turns, so that a busy machine slows all of them alike; CPU seconds of each run.
    """
    from kozyr.cli.bench import cpu_s

    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeat):
        for name, work in works.items():
            times[name].append(cpu_s(work))
    return times


def yardstick(folder: Path) -> Any:
    """
    Import the other engine, which must be compiled too.
    """
    sys.path.insert(0, str(folder))
    module = importlib.import_module("kz.durak")
    if (module.__file__ or "").endswith(".py"):
        raise SystemExit(f"the yardstick in {folder} is not compiled")
    return module


def measure(games: int, repeat: int, other: Any = None) -> dict[str, float]:
    """
    Measure this process's form of the engine, beside the yardstick where there is one.
    """
    from kozyr.cli.bench import DECK, terms_of
    from kozyr.core.playout import play_games, time_assign

    found: dict[str, float] = {}
    for seats in SEATS:
        terms = terms_of(seats)
        works: dict[str, Callable[[], object]] = {"own": lambda terms=terms: play_games(terms, DECK, games, SEED)}  # type: ignore[misc]
        if other is not None:
            rules = other.Rules(seats, True, True, True, False)
            works["other"] = lambda rules=rules: other.bench(rules, DECK, games, SEED)  # type: ignore[misc]
        times = interleaved(works, repeat)
        actions = int(play_games(terms, DECK, games, SEED)[0])
        found[f"games {seats}"] = games / statistics.median(times["own"])
        found[f"action {seats}"] = statistics.median(times["own"]) / actions * 1e9
        if other is not None:
            found[f"other games {seats}"] = games / statistics.median(times["other"])
            found[f"ratio {seats}"] = statistics.median(b / a for a, b in zip(times["own"], times["other"], strict=True))
        copies = max(1, COPIES * games // GAMES)
        copy = interleaved({"copy": lambda terms=terms, copies=copies: time_assign(terms, DECK, copies)}, repeat)  # type: ignore[misc]
        found[f"copy {seats}"] = statistics.median(copy["copy"]) / copies * 1e9
    return found


def interpreted(repeat: int) -> dict[str, float]:
    """
    Measure the interpreted form in a process of its own.
    """
    env = {**os.environ, "KOZYR_PURE": "1", "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, __file__, "--json", "--games", str(GAMES_INTERPRETED), "--repeat", str(repeat)]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    read: dict[str, float] = json.loads(done.stdout)
    return read


def machine() -> str:
    """
    Say what was measured on.
    """
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = models[0] if models else platform.processor() or platform.machine()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{name}, {os.cpu_count()} cores{load}; {platform.system()}, {platform.python_implementation()} {platform.python_version()}"


def commit() -> str:
    """
    Name the commit of this repository.
    """
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "no commit"


def table(compiled: dict[str, float], pure: dict[str, float]) -> list[str]:
    """
    Write the figures as a table.
    """
    rows = ["| figure | 2 seats | 4 seats | wanted |", "| --- | --- | --- | --- |"]

    def row(name: str, found: dict[str, float], key: str, form: str, wanted: str = "") -> None:
        if f"{key} 2" in found:
            rows.append(f"| {name} | " + " | ".join(format(found[f"{key} {seats}"], form) for seats in SEATS) + f" | {wanted} |")

    row("random play, compiled: games a CPU-second", compiled, "games", ",.0f")
    row("the yardstick beside it", compiled, "other games", ",.0f")
    row("ratio", compiled, "ratio", ".2f", AIMS["ratio"])
    row("ns an action, compiled", compiled, "action", ".1f")
    row("random play, interpreted: games a CPU-second", pure, "games", ",.0f", AIMS["interpreted"] + " (2 seats)")
    row("ns a copy into a waiting position, compiled", compiled, "copy", ".1f", AIMS["copy"])
    return rows


def main() -> None:
    words = argparse.ArgumentParser(description="The engine's figures.")
    words.add_argument("--yardstick", type=Path, metavar="DIR", help="a folder with another compiled engine to run beside this one")
    words.add_argument("--games", type=int, default=GAMES, help="games a run")
    words.add_argument("--repeat", type=int, default=7, help="runs, of which the median counts")
    words.add_argument("--json", action="store_true", help="measure this process's form of the engine and print JSON")
    asked = words.parse_args()
    sys.path.insert(0, str(ROOT / "src"))
    if asked.json:
        print(json.dumps(measure(asked.games, asked.repeat)))
        return
    from kozyr.core import FORM

    if FORM != "compiled":
        raise SystemExit("the engine is interpreted here: `python tools/engine.py build` compiles it")
    other = None if asked.yardstick is None else yardstick(asked.yardstick)
    compiled = measure(asked.games, asked.repeat, other)
    print("\n".join(table(compiled, interpreted(asked.repeat))))
    print(f"\n{machine()}. Commit {commit()}; {asked.repeat} runs of {asked.games:,} games.")


if __name__ == "__main__":
    main()

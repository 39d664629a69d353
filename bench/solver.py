#!/usr/bin/env python3
"""
The endgame solver's figures.

    python bench/solver.py                        endgames as the bots reach them, table by table
    python bench/solver.py --yardstick DIR        also nodes a second beside another solver, run by turns in the same process

A yardstick is a folder with a compiled module `kz.durak` that has `Rules(seats, throw_all, transfer, draws, draw_joined)` and
`bench_solve(rules, deck, seed, games, least, most, bits)`, which solves endgames of random games and returns how many, the nodes and a
check sum.

Prints tables for bench/README.md. Times are CPU times; the first position with an empty stock of each game counts.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import commit, machine, yardstick

if TYPE_CHECKING:
    from kozyr.core.options import Rules
    from kozyr.core.position import Position

ROOT = Path(__file__).resolve().parent.parent
TABLES: dict[str, dict[str, Any]] = {
    "36 cards": {"deck": 36},
    "36 cards, transfer": {"deck": 36, "transfer": True},
    "24 cards": {"deck": 24},
    "24 cards, transfer": {"deck": 24, "transfer": True},
    "52 cards": {"deck": 52},
    "52 cards, transfer": {"deck": 52, "transfer": True},
}
LEVELS = ("easy", "normal")
BITS = 16
CAP = 20_000_000
SEED = 1
LEAST, MOST = 10, 12  # cards of the endgames that are solved beside the yardstick
YARDSTICK_BITS, YARDSTICK_GAMES = 18, 13


def endgames(rules: Rules, level: str, wanted: int, seed: int) -> Iterator[Position]:
    """
    Let two bots of a level play, and give the first bout start with an empty stock of each game.
    """
    from kozyr.arena.games import deal_of, next_move
    from kozyr.bots import LEVELS, Memory
    from kozyr.core.codes import OPENING, OVER
    from kozyr.core.events import seen_by
    from kozyr.core.play import play
    from kozyr.core.setup import start
    from kozyr.core.views import view

    while wanted:
        seed += 1
        deal = deal_of(rules, seed)
        position = start(rules, deal.pack, deal.dealer, deal.attacker)
        memory = Memory.at(view(position, None))
        while position.phase != OVER and (position.phase != OPENING or position.top < position.deal.size):
            for event in play(position, next_move(position, memory, [LEVELS[level]] * 2)):
                memory.see(seen_by(event, None))
        if position.phase != OVER:
            wanted -= 1
            yield position


def random_endgames(rules: Rules, games: int, seed: int) -> Iterator[Position]:
    """
    Play random games, and give the first bout start of each with an empty stock and few cards.
    """
    from kozyr.core.cards import popcount
    from kozyr.core.codes import OPENING, OVER
    from kozyr.core.playout import choices, next_random, random_deal
    from kozyr.core.terms import Terms

    terms = Terms(rules)
    for game in range(games):
        position = random_deal(terms, rules.deck, seed + game)
        state = seed + game + 1_000_003
        while position.phase != OVER:
            is_end = position.phase == OPENING and position.top == position.deal.size
            if is_end and LEAST <= popcount(position.hands[0]) + popcount(position.hands[1]) <= MOST:
                yield position
                break
            actions = choices(position)
            state = int(next_random(state))
            position.act(actions[state % len(actions)])


def share(sorted_values: list[float], part: float) -> float:
    """
    Return the value that *part* of all stay below.
    """
    return sorted_values[min(len(sorted_values) - 1, int(part * len(sorted_values)))]


def row(name: str, level: str, positions: list[Position], cap: int) -> str:
    """
    Solve positions one after the other with one solver; their figures as a row of a table.
    """
    from kozyr.search import Solver

    solver = Solver(BITS)
    times: list[float] = []
    nodes: list[float] = []
    unsolved = 0
    for position in positions:
        began = time.process_time()
        unsolved += solver.value(position, 0, cap) is None
        times.append((time.process_time() - began) * 1e3)
        nodes.append(solver.nodes)
    times.sort()
    nodes.sort()
    ms = " | ".join(f"{share(times, part):,.3g}" for part in (0.5, 0.95, 0.99, 1))
    rate = sum(times) / sum(nodes) * 1e6
    return f"| {name} | {level} | {ms} | {share(nodes, 0.5):,.0f} | {100 * unsolved / len(positions):.1f} % | {rate:.0f} |"


def beside(other: Any, repeat: int) -> str:
    """
    Measure nodes a second by turns with the other solver, both on endgames of random games.
    """
    from kozyr.core.options import Rules
    from kozyr.search import Solver

    positions = list(random_endgames(Rules(deck=36), 3000, SEED))
    theirs = other.Rules(2, True, False, True, False)
    ratios: list[float] = []
    rates: list[float] = []
    for _ in range(repeat):
        began = time.process_time()
        _, nodes, _ = other.bench_solve(theirs, 36, SEED, YARDSTICK_GAMES, LEAST, MOST, YARDSTICK_BITS)
        their_rate = nodes / (time.process_time() - began)
        solver = Solver(BITS)
        total = 0
        began = time.process_time()
        for position in positions:
            solver.value(position, 0)
            total += solver.nodes
        rates.append(total / (time.process_time() - began))
        ratios.append(rates[-1] / their_rate)
    rate, ratio = statistics.median(rates), statistics.median(ratios)
    return f"{rate / 1e6:.1f} million nodes a CPU-second, {ratio:.2f} times the yardstick's beside it (wanted: ≥ 0.75); {repeat} runs."


def main() -> None:
    words = argparse.ArgumentParser(description="The endgame solver's figures.")
    words.add_argument("--yardstick", type=Path, metavar="DIR", help="a folder with another compiled solver to run beside this one")
    words.add_argument("--positions", type=int, default=1000, help="endgames of each kind")
    words.add_argument("--cap", type=int, default=CAP, help="nodes for one position")
    words.add_argument("--level", action="append", help="whose play leads to the endgames: easy, normal, hard; may be given again")
    words.add_argument("--table", action="append", choices=list(TABLES), help="only this table; may be given again")
    words.add_argument("--repeat", type=int, default=5, help="runs beside the yardstick, of which the median counts")
    asked = words.parse_args()
    sys.path.insert(0, str(ROOT / "src"))
    from kozyr.core import FORM
    from kozyr.core.options import Rules

    if FORM != "compiled":
        raise SystemExit("the engine is interpreted here: `python tools/engine.py build` compiles it")
    if asked.yardstick is not None:
        print(beside(yardstick(asked.yardstick), asked.repeat) + "\n")
    print("| table | play | median ms | p95 | p99 | worst | median nodes | unsolved | ns a node |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in asked.table or TABLES:
        for level in asked.level or LEVELS:
            positions = list(endgames(Rules(**TABLES[name]), level, asked.positions, SEED))
            print(row(name, level, positions, asked.cap), flush=True)
    print(f"\n{machine()}. Commit {commit()}; {asked.positions} positions of each kind, at most {asked.cap:,} nodes each.")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""
Whether a level ever plays a move that loses value, in endgames for two as they come up in its own games; and how long levels think.

    python bench/losses.py                            hard, 10,000 positions of each of six tables
    python bench/losses.py --level expert --table "24 cards, transfer" --positions 1000
    python bench/losses.py --level expert --quick     until the stock is empty its network alone plays: ten times as many games an hour

Every choice of the level with an empty stock, two seats in and more than one legal move is a position: the exact solver, with nodes
and a memory of its own, says what the position is worth before the move and after it. Games are played by turns against normal, easy
and the level itself. Prints tables for bench/strength.md. Times are CPU times of every choice of the games where there was one.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver import TABLES, share

from engine import commit, machine

if TYPE_CHECKING:
    from kozyr.arena.games import Player
    from kozyr.core.options import Rules
    from kozyr.core.position import Position

ROOT = Path(__file__).resolve().parent.parent
RIVALS = ("normal", "easy")
MORE: dict[str, dict[str, Any]] = {  # asked for by name alone
    "24 cards, every transfer, draws off": {
        "deck": 24, "transfer": True, "multi_transfer": True, "show_transfer": True, "multi_attack": True, "draws": False,
    },
    "24 cards, transfer, nothing added to what is taken": {"deck": 24, "transfer": True, "throw_on_take": False, "first_limit": 6},
    "36 cards, every transfer, draws off": {
        "deck": 36, "transfer": True, "multi_transfer": True, "show_transfer": True, "multi_attack": True, "draws": False,
    },
}
CAP = 30_000_000
BITS = 18


@dataclass(slots=True)
class Count:
    """
    What was found at one table: positions, those that the judge could not solve, moves that lost value, and the level's own cap.
    """

    positions: int = 0
    unsolved: int = 0
    lost: list[str] = field(default_factory=list)
    capped: int = 0
    lost_capped: int = 0
    games: int = 0


class Watch:
    """
    Players whose choices are timed, by name; and whether the last choice met the level's cap of nodes.
    """

    def __init__(self) -> None:
        self.ms: dict[str, list[float]] = {}
        self.was_capped = False

    def player(self, name: str) -> Player:
        """
        Make a player of a level, watched.
        """
        from kozyr.bots import LEVELS, Memory
        from kozyr.core.moves import Move
        from kozyr.core.views import View

        times = self.ms.setdefault(name, [])

        def choose(view: View, memory: Memory | None = None, /) -> Move | None:
            self.was_capped = False
            began = time.process_time()
            move = LEVELS[name](view, memory)
            if len(view.legal) > 1 and move is not None:
                times.append(1000 * (time.process_time() - began))
            return move

        return choose

    def listen(self) -> None:
        """
        Look over the shoulder of hard at what its solver answers.
        """
        from kozyr.bots import hard
        from kozyr.search.asking import UNSOLVED, WIN
        from kozyr.search.weighing import worths

        def watched(*asked: object) -> object:
            found = worths(*asked)  # type: ignore[arg-type]
            self.was_capped |= UNSOLVED in found.values() and WIN not in found.values()
            return found

        vars(hard)["worths"] = watched


def play_quickly() -> None:
    """
    Leave expert's look ahead out as long as there is a stock.
    """
    from kozyr.bots import expert
    from kozyr.bots.hidden import Hidden
    from kozyr.bots.memory import Memory
    from kozyr.core.moves import Move
    from kozyr.core.views import View
    from kozyr.search.sight import Sight

    whole = expert.ahead

    def ahead(view: View, memory: Memory, hidden: Hidden, sight: Sight, likings: dict[Move, float]) -> dict[Move, float]:
        return likings if view.stock else whole(view, memory, hidden, sight, likings)

    vars(expert)["ahead"] = ahead


def measure(rules: Rules, level: str, wanted: int, seed: int, watch: Watch) -> Count:
    """
    Play games until so many positions have been judged.
    """
    from kozyr.arena.games import deal_of, next_move
    from kozyr.bots import Memory
    from kozyr.core.codes import OVER
    from kozyr.core.events import seen_by
    from kozyr.core.judge import legal_moves
    from kozyr.core.play import play
    from kozyr.core.setup import start
    from kozyr.core.views import view
    from kozyr.search import Solver

    count = Count()
    solver = Solver(BITS)
    rivals = (*RIVALS, level)
    while count.positions < wanted:
        count.games += 1
        rival = rivals[count.games // 2 % len(rivals)]
        names = (level, rival) if count.games % 2 else (rival, level)
        players = [watch.player(name) for name in names]
        deal = deal_of(rules, seed * 1_000_003 + count.games)
        position = start(rules, deal.pack, deal.dealer, deal.attacker)
        memory = Memory.at(view(position, None))
        while position.phase != OVER:
            move = next_move(position, memory, players)
            is_judged = (
                count.positions < wanted
                and position.top == position.deal.size
                and names[move.seat] == level
                and position.turn == move.seat
                and len(legal_moves(position, move.seat)) > 1
            )
            before = position.copy()
            for event in play(position, move):
                memory.see(seen_by(event, None))
            if is_judged:
                count.capped += watch.was_capped
                judge(count, solver, before, position, str(move), watch.was_capped)
    return count


def judge(count: Count, solver: object, before: Position, after: Position, move: str, was_capped: bool) -> None:
    """
    Say whether a move has lost value.
    """
    from kozyr.core.notation import format_position
    from kozyr.search import Solver

    assert isinstance(solver, Solver)
    seat = int(move[0])
    count.positions += 1
    was = solver.value(before, seat, CAP)
    now = solver.value(after, seat, CAP)
    if was is None or now is None:
        count.unsolved += 1
    elif now < was:
        count.lost_capped += was_capped
        count.lost.append(f"{format_position(before)} {move}: {was} to {now}{', at the cap' if was_capped else ''}")


def main() -> None:
    words = argparse.ArgumentParser(description="Whether a level ever loses value in solved endgames.")
    words.add_argument("--level", default="hard", help="whose moves are judged")
    words.add_argument("--positions", type=int, default=10_000, help="positions of each table")
    words.add_argument("--table", action="append", choices=[*TABLES, *MORE], help="only this table; may be given again")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--quick", action="store_true", help="without expert's look ahead while there is a stock")
    asked = words.parse_args()
    sys.path.insert(0, str(ROOT / "src"))
    from kozyr.core import FORM
    from kozyr.core.options import Rules

    if FORM != "compiled":
        raise SystemExit("the engine is interpreted here: `python tools/engine.py build` compiles it")
    watch = Watch()
    watch.listen()
    if asked.quick:
        play_quickly()
    print(f"| table | games | positions | {asked.level} lost value under its cap | at its cap | lost there | not judged |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in asked.table or TABLES:
        count = measure(Rules(**(TABLES | MORE)[name]), asked.level, asked.positions, asked.seed, watch)
        shares = f"{count.capped} ({100 * count.capped / count.positions:.2f} %) | {count.lost_capped} | {count.unsolved}"
        print(f"| {name} | {count.games:,} | {count.positions:,} | {len(count.lost) - count.lost_capped} | {shares} |", flush=True)
        for line in count.lost:
            print(f"lost: {line}", file=sys.stderr, flush=True)
    print("\n| CPU ms a choice | choices | median | p95 | p99 | worst |\n| --- | --- | --- | --- | --- | --- |")
    for name, times in watch.ms.items():
        ordered = sorted(times)
        figures = " | ".join(f"{share(ordered, part):,.3g}" for part in (0.5, 0.95, 0.99, 1))
        print(f"| {name} | {len(ordered):,} | {figures} |")
    print(f"\n{machine()}. Commit {commit()}; seed {asked.seed}, the judge with {CAP:,} nodes a question.")


if __name__ == "__main__":
    main()

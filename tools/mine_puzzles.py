"""
Mine Durak problems from games of our bots: positions with one move alone that keeps what they are worth.

    python tools/mine_puzzles.py --seed 1 --out src/kozyr/puzzles/endgames.json
    python tools/mine_puzzles.py --seed 1 --out some.json --share 0.02      a fiftieth of them, to try
    python tools/mine_puzzles.py --seed 1 --out some.json --seam 16         those of one seam alone, added to what is in the file

Every position is solved twice: by kozyr.search, and by the plain search of tests/search/plain.py, which shares nothing with it but the
rules. The same seed mines the same problems from the same commit. Build the engine before: python tools/engine.py build.
"""
from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from kozyr.arena.games import deal_of, next_move  # noqa: E402
from kozyr.bots import LEVELS, Memory  # noqa: E402
from kozyr.core.building import place, setting_of  # noqa: E402
from kozyr.core.codes import CHALLENGE, OVER  # noqa: E402
from kozyr.core.events import seen_by  # noqa: E402
from kozyr.core.judge import legal_moves  # noqa: E402
from kozyr.core.moves import Move  # noqa: E402
from kozyr.core.notation import format_position  # noqa: E402
from kozyr.core.options import Rules, format_options  # noqa: E402
from kozyr.core.play import play  # noqa: E402
from kozyr.core.position import Position  # noqa: E402
from kozyr.core.setup import start  # noqa: E402
from kozyr.core.views import view  # noqa: E402
from kozyr.puzzles import grade_of  # noqa: E402
from kozyr.search import Solver  # noqa: E402
from tests.search.plain import TooBig, plain_moves  # noqa: E402

CHOICES_MIN = 3
NODES = 20_000
PLAIN_CAP = 30_000
LARGE_PLAIN_CAP = 200_000
"""With cards in the stock: half of the positions with 24 cards are proven within it, an eighth within the other."""

TRIES = 2
"""Positions of one game that the plain search is asked about at most."""

CARDS_MAX = {24: 12, 36: 10, 52: 10}
CARDS_MAX_TRANSFER = 8
"""More cards in play, without a stock, are seldom for the plain search."""

PLAY = (("normal", "normal"), ("hard", "normal"), ("easy", "normal"), ("normal", "hard"))


class Seam(NamedTuple):
    """Where to mine: a table, how many problems, the least and most cards in the stock, the plain search's cap, the first deal."""

    options: dict[str, Any]
    wanted: int
    least: int = 0
    most: int = 0
    cap: int = PLAIN_CAP
    first: int = 0


SEAMS = (
    Seam({}, 110),
    Seam({"deck": 24}, 50),
    Seam({"deck": 52}, 50),
    Seam({"transfer": True}, 58),
    Seam({"deck": 24, "transfer": True}, 13),
    Seam({"deck": 52, "transfer": True}, 60),
    Seam({"draws": False}, 40),
    Seam({"draws": False, "no_draw_durak": "last_thrower"}, 20),
    Seam({"draws": False, "transfer": True}, 30),
    Seam({"first_limit": 6, "multi_attack": True}, 20),
    Seam({}, 1, 1, 4),
    Seam({"deck": 24}, 9, 1, 4),
    Seam({"deck": 24, "draws": False}, 36),
    Seam({"deck": 52, "draws": False}, 40),
    Seam({"throw_on_take": False}, 38),
    Seam({"first_limit": 6, "first_limit_scope": "first_bout"}, 40),
    Seam({"deck": 24}, 30, 1, 2, LARGE_PLAIN_CAP, 500_000),
    Seam({"deck": 24, "draws": False}, 20, 1, 3, LARGE_PLAIN_CAP, 500_000),
)


class Found(NamedTuple):
    """A position of a game with one move alone that keeps its value, by the solver."""

    position: Position
    values: dict[Move, int]
    line: int
    finders: list[str]
    grade: int
    ply: int


def commit() -> str:
    """Name the commit that is mined with."""
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def game_positions(rules: Rules, names: tuple[str, str], number: int) -> Iterator[tuple[int, Position, Memory]]:
    """Play a game, and give each position before a move, with what everybody remembers."""
    deal = deal_of(rules, number)
    position = start(rules, deal.pack, deal.dealer, deal.attacker)
    memory = Memory.at(view(position, None))
    ply = 0
    while position.phase != OVER:
        yield ply, position, memory
        for event in play(position, next_move(position, memory, [LEVELS[name] for name in names])):
            memory.see(seen_by(event, None))
        ply += 1


def cards_in_play(position: Position) -> int:
    """Count the cards of both hands and those that are not beaten."""
    return sum(int(hand).bit_count() for hand in position.hands) + int(position.n_attacks) - int(position.beaten).bit_count()


def cards_max(rules: Rules) -> int:
    """Return how many cards there may be for the plain search."""
    return CARDS_MAX_TRANSFER if rules.transfer else CARDS_MAX[rules.deck]


def candidates(seam: Seam, rules: Rules, names: tuple[str, str], number: int, solver: Solver) -> list[Found]:
    """Find the positions of a game that might be problems, the hardest first."""
    found = []
    for ply, played, memory in game_positions(rules, names, number):
        if not seam.least <= played.deal.size - played.top <= seam.most or played.phase == CHALLENGE:
            continue
        seat = int(played.turn)
        if len(legal_moves(played, seat)) < CHOICES_MIN or (not seam.most and cards_in_play(played) > cards_max(rules)):
            continue
        position = place(replace(setting_of(played), past=None))
        values = {move: value for move, value in solver.moves(position, NODES).items() if value is not None}
        best = max(values.values(), default=-1)
        if len(values) < len(legal_moves(position, seat)) or best < 0 or list(values.values()).count(best) != 1:
            continue
        key = next(move for move, value in values.items() if value == best)
        seen = view(position, seat)
        finders = [name for name in ("easy", "normal") if LEVELS[name](seen, memory) == key]
        line = len(solver.solve(position, 10 * NODES).line)
        found.append(Found(position, values, line, finders, grade_of(len(values), line, finders), ply))
    return sorted(found, key=lambda each: (-each.grade, -each.line, each.ply))


def is_proven(found: Found, cap: int) -> bool:
    """Say whether the plain search gives every move the same value."""
    try:
        plain = plain_moves(found.position, cap)
    except TooBig:
        return False
    if plain.keys() != found.values.keys():
        return False  # cards can be beaten in several orders: the plain search takes the oldest one first
    assert plain == found.values, f"two solvers differ: {format_position(found.position)}: {plain} {found.values}"
    return True


def mine(at: int, seed: int, share: float) -> list[dict[str, Any]]:
    """Mine the problems of a seam, one a game at most."""
    puzzles: list[dict[str, Any]] = []
    seam = SEAMS[at]
    rules = Rules(**seam.options)
    solver = Solver(14)
    wanted = max(1, round(seam.wanted * share))
    number = seed * 1_000_003 + seam.first
    while len(puzzles) < wanted:
        number += 1
        names = PLAY[number % len(PLAY)]
        for found in candidates(seam, rules, names, number, solver)[:TRIES]:
            if is_proven(found, seam.cap):
                puzzles.append(described(found, rules, names, number))
                break
    print(f"{len(puzzles)} problems: {format_options(seam.options)}", file=sys.stderr, flush=True)
    return puzzles


def described(found: Found, rules: Rules, names: tuple[str, str], number: int) -> dict[str, Any]:
    """Write a problem down."""
    best = max(found.values.values())
    return {
        "position": format_position(found.position),
        "move": next(move.text for move, value in found.values.items() if value == best),
        "keeps": "win" if best == 1 else "draw",
        "grade": found.grade,
        "choices": len(found.values),
        "line": found.line,
        "found_by": found.finders,
        "origin": {"table": format_options(rules.differences()), "play": " ".join(names), "deal": number, "ply": found.ply},
    }


def main() -> None:
    words = argparse.ArgumentParser(description="Mine Durak problems from games of our bots.")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--out", type=Path, required=True)
    words.add_argument("--share", type=float, default=1.0, help="how many of the problems, from 0 to 1")
    words.add_argument("--seam", type=int, action="append", help="only this seam, added to what is in the file; may be given again")
    words.add_argument("--workers", type=int, default=1, help="processes; their number changes nothing in what is mined")
    asked = words.parse_args()
    share = "" if asked.share == 1 else f" --share {asked.share:g}"
    only = "".join(f" --seam {at}" for at in asked.seam or ())
    made = {"command": f"python tools/mine_puzzles.py --seed {asked.seed}{share}{only}", "commit": commit()}
    kept = json.loads(asked.out.read_text(encoding="utf-8")) if asked.seam else {"made": [], "puzzles": []}
    # The slow seams, those with a stock, begin first.
    order = sorted(asked.seam or range(len(SEAMS)), key=lambda at: (-SEAMS[at].most, -SEAMS[at].wanted))
    with ProcessPoolExecutor(asked.workers, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(mine, at, asked.seed, asked.share) for at in order]
        puzzles = [puzzle for future in futures for puzzle in future.result()] + kept["puzzles"]
    puzzles.sort(key=lambda puzzle: (puzzle["grade"], puzzle["line"], puzzle["position"]))
    lines = ",\n".join(json.dumps({"n": 0, **puzzle} | {"n": n}) for n, puzzle in enumerate(puzzles, 1))
    asked.out.write_text(f'{{"made": {json.dumps([*kept["made"], made])},\n"puzzles": [\n{lines}\n]}}\n', encoding="utf-8")
    print(f"{len(puzzles)} problems are in {asked.out}", file=sys.stderr)


if __name__ == "__main__":
    main()

"""
Hashes of random games, to compare the engine's compiled and interpreted forms, and either with what both gave before.

`python -m tests.golden.traces` prints a line for each table: its options, hashes of games by `playout.trace`, one of a game by moves.
`python -m tests.golden.traces --write` writes traces.txt, when both forms agree.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import engine
from kozyr.core import FORM
from kozyr.core.codes import OVER
from kozyr.core.judge import fault_of, legal_moves
from kozyr.core.options import CHOICES, DECKS, Rules, Value, format_options, may_deal
from kozyr.core.play import play
from kozyr.core.playout import next_random, random_deal, trace
from kozyr.core.terms import Terms

FILE = Path(__file__).with_name("traces.txt")
ROOT = Path(__file__).parents[2]
TABLES = [(deck, seats) for deck in DECKS for seats in range(2, 7) if may_deal(deck, seats)]
MIXES = 70  # five of each deck and number of seats
GAMES = 3


def mix(number: int) -> Rules:
    """
    Mix the options of a table; the numbers go through all decks and seats.
    """
    deck, seats = TABLES[number % len(TABLES)]
    words: dict[str, Value] = {"deck": deck, "seats": seats}
    seed = number + 1
    for name, values in CHOICES.items():
        if name not in ("deck", "seats", "series"):
            seed = next_random(seed)
            words[name] = values[seed // 1000 % len(values)]
    return Rules.of(words)


def hash_of_moves(rules: Rules, seed: int) -> str:
    """
    Hash one game of random moves of all seats: every legal move and whether it is lawful, every move and every event.
    """
    position = random_deal(Terms(rules), rules.deck, seed)
    told = hashlib.sha256()
    while position.phase != OVER:
        moves = [move for seat in range(rules.seats) for move in legal_moves(position, seat)]
        told.update("\n".join(f"{move} {fault_of(position, move)}" for move in moves).encode())
        seed = next_random(seed)
        # Challenges are many and end bouts: three of four are passed over.
        quiet = [move for move in moves if move.kind != "challenge"]
        move = (moves if seed // 7 % 4 == 0 or not quiet else quiet)[seed // 1000 % (len(quiet) or len(moves))]
        told.update(f"{move}: {play(position, move)}".encode())
    return told.hexdigest()[:16]


def lines() -> list[str]:
    """
    Play every table's games in the form that runs here.
    """
    found = []
    for number in range(MIXES):
        rules = mix(number)
        traces = [int(trace(Terms(rules), rules.deck, 1000 * number + game + 1)) for game in range(GAMES)]
        words = format_options(rules.differences())
        found.append(f"{words} {'.'.join(str(each) for each in traces)} {hash_of_moves(rules, number + 1)}")
    return found


def in_the_other_form() -> tuple[str, list[str]]:
    """
    Play the same in a process of the other form, if this tree has it compiled; the form's name, and what it gave.
    """
    env = {name: value for name, value in os.environ.items() if name != "KOZYR_PURE"}
    if FORM == "compiled" or engine.is_stale():
        env["KOZYR_PURE"] = "1"
    env["PYTHONPATH"] = os.pathsep.join(str(ROOT / folder) for folder in ("src", ".", "tools"))
    command = [sys.executable, "-m", "tests.golden.traces"]
    told = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout.splitlines()
    return told[0], told[1:]


def main() -> None:
    """
    Print the hashes, or write them down.
    """
    if "--write" not in sys.argv:
        sys.stdout.write("\n".join([FORM, *lines()]) + "\n")
        return
    here, (form, there) = lines(), in_the_other_form()
    if form == FORM or here != there:
        sys.exit("compiled and interpreted do not agree" if form != FORM else "nothing is compiled here: tools/engine.py build")
    FILE.write_text("\n".join(here) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""
Durak problems: endgames in which one move alone keeps what the position is worth, mined from games and proven by two solvers.

`endgames.json` holds them with their origin; docs/puzzles.md says how they are found and graded.
"""
from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from kozyr.core.judge import legal_moves
from kozyr.core.moves import Move, parse_move_of
from kozyr.core.notation import parse_position
from kozyr.core.position import Position

GRADES = 5
MANY_CHOICES = 5
LONG_LINE = 12


@dataclass(frozen=True, slots=True)
class Puzzle:
    """
    One problem: the seat whose turn it is keeps a win, or a draw, by `move` alone.

    `choices` is how many moves there are, `line` how many moves a best line has to the end, `found_by` the levels that find the move;
    `origin` names the table, who played, the deal's number and the move of the game.
    """

    n: int
    text: str
    move: Move
    keeps: str
    grade: int
    choices: int
    line: int
    found_by: tuple[str, ...]
    origin: dict[str, Any]

    @property
    def position(self) -> Position:
        """The position, afresh."""
        return parse_position(self.text)


def grade_of(choices: int, line: int, found_by: Sequence[str]) -> int:
    """Grade a problem from 1 to 5: a point each where easy misses the move, where normal does, for many choices and for a long line."""
    return 1 + ("easy" not in found_by) + ("normal" not in found_by) + (choices >= MANY_CHOICES) + (line >= LONG_LINE)


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """
    Return all problems in order, the easiest first.

    Raises: ValueError that names the file where it is damaged, OSError.
    """
    file = files("kozyr.puzzles").joinpath("endgames.json")
    try:
        return parse_puzzles(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None


def parse_puzzles(text: str) -> tuple[Puzzle, ...]:
    """
    Read a file of problems, and check all that can be checked without solving them.

    Raises: ValueError that names the problem.
    """
    try:
        listed = json.loads(text)["puzzles"]
        return tuple(_puzzle(n, words) for n, words in enumerate(listed, 1))
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"no file of problems: {error!r}") from None


def _puzzle(n: int, words: dict[str, Any]) -> Puzzle:
    try:
        position = parse_position(words["position"])
        seat = int(position.turn)
        found_by = tuple(str(level) for level in words["found_by"])
        puzzle = Puzzle(
            n=int(words["n"]),
            text=str(words["position"]),
            move=parse_move_of(seat, words["move"]),
            keeps=str(words["keeps"]),
            grade=int(words["grade"]),
            choices=int(words["choices"]),
            line=int(words["line"]),
            found_by=found_by,
            origin=dict(words["origin"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"problem {n}: {error}") from None
    moves = legal_moves(position, seat)
    if puzzle.n != n or puzzle.move not in moves or puzzle.choices != len(moves) or puzzle.keeps not in ("win", "draw"):
        raise ValueError(f"problem {n}: the number, the move, the number of moves or what it keeps is not as the position has it")
    if puzzle.grade != grade_of(puzzle.choices, puzzle.line, found_by):
        raise ValueError(f"problem {n}: its grade is not {puzzle.grade}")
    return puzzle

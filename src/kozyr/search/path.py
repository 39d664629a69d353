"""
The bouts that led to the one that is searched, and the rules about bouts that repeat or bring no progress (R11.9, R11.10).

A bout start is told by the attacker's hand, the defender's hand, and a word for everything else, the question asked among it.
"""
from __future__ import annotations

from typing import Final, final

from kozyr.core._native import i64, mypyc_attr, vec
from kozyr.search.memo import HANGS, UNKNOWN

BOUTS_MAX: Final = 400
STEP: Final = 4  # words of a bout: the three that tell it, and whether an answer hangs on it


@final
@mypyc_attr(acyclic=True)
class Path:
    """The bouts from the question down to the present one; those before `floor` cannot come again, since there has been progress."""

    __slots__ = ("dead", "depth", "floor", "in_first", "is_counting", "n_dead", "takes_first", "takes_max", "words")

    def __init__(self) -> None:
        self.words: vec[i64] = vec[i64]([0] * (STEP * BOUTS_MAX))
        self.dead: vec[i64] = vec[i64]([])  # bout starts that end the game in a draw: the attacker's hand, the role of the attacker
        self.n_dead: i64 = 0
        self.depth: i64 = 0
        self.floor: i64 = 0
        self.in_first: bool = True  # no progress since the question
        self.takes_first: i64 = 0  # how many bouts in a row may be taken before there is progress
        self.takes_max: i64 = 0  # the same, after progress
        self.is_counting: bool = False  # takes are counted, so that no bout start can come again

    def begin(self) -> None:
        """Go back to the question itself."""
        self.depth = 0
        self.floor = 0
        self.in_first = True

    def push(self, a: i64, d: i64, rest: i64) -> None:
        """Go down to a bout."""
        at: i64 = STEP * self.depth
        self.words[at] = a
        self.words[at + 1] = d
        self.words[at + 2] = rest
        self.words[at + 3] = 0
        self.depth += 1

    def pop(self) -> bool:
        """Go back up; say whether an answer hung on the bout."""
        self.depth -= 1
        return self.words[STEP * self.depth + 3] != 0

    def find(self, a: i64, d: i64, rest: i64) -> i64:
        """Return the answer for a bout start that is on the path already: a *no* that hangs on it; else UNKNOWN."""
        i: i64 = self.floor
        while i < self.depth:
            at: i64 = STEP * i
            if self.words[at] == a and self.words[at + 1] == d and self.words[at + 2] == rest:
                self.words[at + 3] = 1
                return HANGS + i
            i += 1
        return UNKNOWN

    def takes_left(self) -> i64:
        """Return how many more bouts in a row may be taken; below 0 the game has been drawn for want of progress."""
        if self.in_first:
            return self.takes_first - self.depth + self.floor
        return self.takes_max - self.depth + self.floor

    def is_dead(self, a: i64, role: i64) -> bool:
        """Say whether a bout start after a take has been there twice before, and so ends the game."""
        if not self.in_first:
            return False
        i: i64 = 0
        while i < 2 * self.n_dead:
            if self.dead[i] == a and self.dead[i + 1] == role:
                return True
            i += 2
        return False

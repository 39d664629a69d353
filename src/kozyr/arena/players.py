"""The players of the arena by name: the levels, and yardsticks to measure them by."""
from __future__ import annotations

from random import Random

from kozyr.arena.games import Player
from kozyr.bots import LEVELS
from kozyr.bots.memory import Memory
from kozyr.core.moves import Move
from kozyr.core.views import View

YARDSTICKS = ("random", "greedy")


def make_player(name: str, seed: int) -> Player:
    """
    Make a player for one game.

    Raises: ValueError for a name of none.
    """
    if name in LEVELS:
        return LEVELS[name]
    if name == "random":
        return RandomPlayer(seed)
    if name == "greedy":
        return LEVELS["easy"]
    raise ValueError(f"there is no player {name!r}: players are {', '.join((*LEVELS, *YARDSTICKS))}")


class RandomPlayer:
    """Plays any legal move, each as likely as the others."""

    __slots__ = ("_rng",)

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def __call__(self, view: View, memory: Memory | None = None, /) -> Move | None:
        """Choose a move, or None where the game does not wait for the seat."""
        return self._rng.choice(view.legal) if view.seat in view.waiting and view.legal else None

"""The players of the arena by name: the levels, and yardsticks to measure them by."""
from __future__ import annotations

from random import Random

from kozyr.arena.external import PREFIX, external_player
from kozyr.arena.games import Player
from kozyr.arena.searches import ismcts, sample
from kozyr.bots import LEVELS, easy
from kozyr.bots.hidden import hidden_of
from kozyr.bots.memory import Memory
from kozyr.core.codes import SHOW
from kozyr.core.moves import Move
from kozyr.core.play import move_of
from kozyr.core.playout import choices, next_random
from kozyr.core.position import Position
from kozyr.core.views import View
from kozyr.search.sampling import Worlds
from kozyr.search.told import is_endgame
from kozyr.search.weighing import best, forget, prover, worths
from kozyr.search.worlds import world_of

YARDSTICKS = ("random", "greedy", "ge", "sampling", "ismcts")
BUDGETS = {"sampling": 1000, "ismcts": 5000}
BUDGET_MAX = 1_000_000
C = 0.7
ENDGAME_CAP = 3_000_000


def make_player(name: str, seed: int, seat: int = 0) -> Player:
    """
    Make a player for one game; `sampling:200` and `ismcts:1000` have budgets of their own, external ones play on from the last game.

    Raises: ValueError for a name of none.
    """
    if name.startswith(PREFIX):
        return external_player(name, seat)
    if name in LEVELS:
        return LEVELS[name]
    if name == "random":
        return RandomPlayer(seed)
    if name == "greedy":
        return greedy_player
    kind, colon, number = name.partition(":")
    if name == "ge":
        return Searcher(kind, 0, seed)
    if kind in BUDGETS and (not colon or number.isdecimal()) and 0 < (budget := int(number or BUDGETS[kind])) <= BUDGET_MAX:
        return Searcher(kind, budget, seed)
    raise ValueError(f"there is no player {name!r}: players are {', '.join((*LEVELS, *YARDSTICKS))}")


def greedy_player(view: View, memory: Memory | None = None) -> Move | None:
    """Choose by easy's rules."""
    return easy.choose_honestly(view)


class RandomPlayer:
    """Plays any legal move, each as likely as the others."""

    __slots__ = ("_rng",)

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def __call__(self, view: View, memory: Memory | None = None, /) -> Move | None:
        """Choose a move, or None where the game does not wait for the seat."""
        return self._rng.choice(view.legal) if view.seat in view.waiting and view.legal else None


class Searcher:
    """
    A yardstick that plays endgames exactly and, where there is still something to guess, greedily, by flat sampling or by ISMCTS.

    Source: `sampling` plays every move in every world of its budget; `ismcts` has c = 0.7.
    """

    __slots__ = ("_budget", "_kind", "_seed")

    def __init__(self, kind: str, budget: int, seed: int) -> None:
        self._kind = kind
        self._budget = budget
        self._seed = 1 + seed % 2147483645
        forget()

    def __call__(self, view: View, memory: Memory | None = None, /) -> Move | None:
        """Choose a move, or None where there is nothing to do."""
        move = easy.choose_honestly(view)
        if move is None or len(view.legal) == 1 or view.phase == "CHALLENGE":
            return move
        hidden = hidden_of(view, memory or Memory.at(view))
        if hidden is None:
            return move
        base = world_of(view, *hidden.fill(hidden.unseen))
        if base.turn != view.seat:
            return move
        if is_endgame(base):
            return best([worths(base, ENDGAME_CAP, lambda each: float(each == move))], lambda each: float(each == move))
        if self._kind == "ge":
            return move
        self._seed = int(next_random(self._seed))
        worlds = Worlds(base, list(hidden.unseen), list(hidden.known), list(hidden.needs), self._seed)
        return move_of(base, self._search(worlds))

    def _search(self, worlds: Worlds) -> int:
        if self._kind == "ismcts":
            return int(ismcts(worlds, self._budget, C, prover()))
        actions = single_actions(worlds.base)
        return int(sample(worlds, actions, self._budget, prover()))


def single_actions(position: Position) -> list[int]:
    """List the actions of one card, and those of none."""
    return [action for action in choices(position) if action < SHOW]

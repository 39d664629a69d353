"""One deal played with all seats rotated, so that the luck of the cards cancels out: the unit of what is measured."""
from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from kozyr.arena.external import External, Fault
from kozyr.arena.games import Deal, Outcome, Player, deal_of, play_game
from kozyr.arena.players import make_player
from kozyr.bots.memory import Memory
from kozyr.core.moves import Move
from kozyr.core.options import Rules
from kozyr.core.views import View

REPORTS_MAX = 10


@dataclass(frozen=True, slots=True)
class Lone:
    """One player among others of one kind, a mean over all seats: points, how often it is the durak, its place from 1."""

    points: float
    durak: float
    place: float


@dataclass(frozen=True, slots=True)
class Block:
    """
    A deal between two players: one *a* among players *b*, and one *b* among players *a*.

    With two seats both are the same two games.
    """

    a: str
    b: str
    deal: int
    games: int
    lone_a: Lone
    lone_b: Lone

    @property
    def score(self) -> float:
        """How *a* did against *b*, from 0 to 1; equal players have ½ on average."""
        return 0.5 + (self.lone_a.points - self.lone_b.points) / 2


@dataclass(slots=True)
class Spent:
    """
    What a player has spent on its choices: how many there were, and seconds of CPU; of an external one, seconds by the clock.

    `lost` counts the moves that an external player has lost, by the kind of fault, and `reports` tells of the first ones.
    """

    choices: int = 0
    cpu_s: float = 0.0
    lost: Counter[str] = field(default_factory=Counter)
    reports: list[str] = field(default_factory=list)

    def add(self, other: Spent) -> None:
        """Add what was spent elsewhere."""
        self.choices += other.choices
        self.cpu_s += other.cpu_s
        self.lost += other.lost
        self.reports = (self.reports + other.reports)[:REPORTS_MAX]

    def note(self, faults: Sequence[Fault]) -> None:
        """Count faults."""
        self.lost.update(fault.kind for fault in faults)
        self.reports = (self.reports + [str(fault) for fault in faults])[:REPORTS_MAX]


class Timed:
    """A player whose choices are timed where there is something to choose."""

    __slots__ = ("_clock", "_player", "_spent")

    def __init__(self, player: Player, spent: Spent) -> None:
        self._clock = time.perf_counter if isinstance(player, External) else time.process_time
        self._player = player
        self._spent = spent

    def __call__(self, view: View, memory: Memory | None = None, /) -> Move | None:
        """Choose as the player does."""
        began = self._clock()
        move = self._player(view, memory)
        if len(view.legal) > 1:
            self._spent.choices += 1
            self._spent.cpu_s += self._clock() - began
        return move


def play_block(rules: Rules, a: str, b: str, seed: int, number: int, spent: dict[str, Spent]) -> Block:
    """
    Play the deal of a number with all seats rotated.

    Raises: ValueError for names of no players.
    """
    deal = deal_of(rules, seed * 1_000_003 + number)
    chance = seed * 7_368_787 + number * 61
    first = [_game(rules, deal, a, b, seat, chance + seat, spent) for seat in range(rules.seats)]
    lone_a = _lone(rules, [(seat, outcome) for seat, outcome in enumerate(first)])
    if rules.seats == 2:
        return Block(a, b, number, 2, lone_a, _lone(rules, [(1 - seat, outcome) for seat, outcome in enumerate(first)]))
    second = [_game(rules, deal, b, a, seat, chance + 30 + seat, spent) for seat in range(rules.seats)]
    return Block(a, b, number, 2 * rules.seats, lone_a, _lone(rules, [(seat, outcome) for seat, outcome in enumerate(second)]))


def _game(rules: Rules, deal: Deal, lone: str, others: str, at: int, chance: int, spent: dict[str, Spent]) -> Outcome:
    names = [lone if seat == at else others for seat in range(rules.seats)]
    made = [make_player(name, chance * 6 + seat, seat) for seat, name in enumerate(names)]
    for name in names:
        spent.setdefault(name, Spent())
    players = [Timed(player, spent[name]) for name, player in zip(names, made, strict=True)]
    followers = {seat: player for seat, player in enumerate(made) if isinstance(player, External)}
    outcome = play_game(rules, deal, players, followers)
    for seat, follower in followers.items():
        spent[names[seat]].note(follower.faults)
        follower.faults = []
    return outcome


def _lone(rules: Rules, games: Sequence[tuple[int, Outcome]]) -> Lone:
    n = len(games)
    return Lone(
        points=sum(outcome.points[seat] for seat, outcome in games) / n,
        durak=sum(outcome.durak == seat for seat, outcome in games) / n,
        place=sum(outcome.places[seat] for seat, outcome in games) / n,
    )

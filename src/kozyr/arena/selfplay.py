"""
Many games at once between networks, compiled with the engine: all are played until each waits for a choice, then all choose together.

What play has told everybody is kept with each game (`search.told`), so that what a seat looks at is the same in training and in play.
"""
from __future__ import annotations

from typing import Final, final

from kozyr.arena.rivals import RuleWeights, preferred
from kozyr.core._native import BytesWriter, i64, mypyc_attr, vec, write_i64_le
from kozyr.core.cards import lowest, popcount
from kozyr.core.codes import OPENING, OVER
from kozyr.core.playout import next_random, random_deal
from kozyr.core.position import Position
from kozyr.core.terms import Terms
from kozyr.search.asking import DRAW, UNSOLVED, WIN, value
from kozyr.search.playouts import greedy, playout
from kozyr.search.prover import Prover
from kozyr.search.sampling import Worlds
from kozyr.search.sight import Sight
from kozyr.search.told import Told, is_endgame

GREEDY: Final = -1
RULES: Final = -2
"""Who drives a seat: a network by its number, the greedy rules, or the linear rules."""


@final
@mypyc_attr(acyclic=True)
class Lockstep:
    """
    Games that are played side by side.

    Each seat has a driver: the number of a network, GREEDY or RULES. Endgames of two that the solver does not tell within its nodes may be
    driven by the first network on all seats: whom it is to learn to beat plays them exactly. In some games such an endgame costs every seat
    a toll, so that what is learnt keeps away from them: at the table the solver may not tell them in time either. `advance` plays what
    needs no network; then every game that is not over waits for the choice of one seat among several actions.
    """

    __slots__ = (
        "cap", "chance", "drivers", "games", "is_shared", "others", "prover", "rules", "seats", "sight", "tolled", "tolls", "waiting",
        "worths",
    )

    def __init__(
        self,
        games: list[Told],
        drivers: list[int],
        others: i64,
        prover: Prover,
        cap: i64,
        rules: RuleWeights,
        is_shared: bool = False,
        tolls: list[float] | None = None,
    ) -> None:
        """Take the games and their drivers, seats by seats; two seats with an empty stock are scored where the prover's nodes do."""
        self.games: list[Told] = games
        self.seats: i64 = games[0].position.terms.seats
        self.others: i64 = others
        self.drivers: vec[i64] = vec[i64]([0] * len(drivers))
        for i in range(i64(len(drivers))):
            self.drivers[i] = drivers[i]
        self.prover: Prover = prover
        self.cap: i64 = cap
        self.rules: RuleWeights = rules
        self.is_shared: bool = is_shared  # whether the first network drives all seats in endgames
        self.tolls: list[float] = [0.0] * len(games) if tolls is None else tolls
        self.tolled: list[bool] = [False] * len(games)  # games with an endgame that the prover did not tell
        self.sight: Sight = Sight(others)
        self.worths: list[float] = [0.0] * len(drivers)  # of each game for each of its seats, once it is over
        self.waiting: list[i64] = list(range(len(games)))
        self.chance: i64 = next_random(1 + games[0].position.hands[0] % 2147483645)

    def advance(self) -> tuple[bytes, bytes, bytes]:
        """
        Play on until all games wait or are over.

        Of each that waits, in order: its words; its number, seat, driver, how many actions it has, and the hand of the next seat with suits
        as in the words; and of each action two numbers.
        """
        words = BytesWriter()
        heads = BytesWriter()
        moves = BytesWriter()
        still: list[i64] = []
        sight = self.sight
        for number in self.waiting:
            if self.play_on(number):
                still.append(number)
                position = self.games[number].position
                seat: i64 = position.turn
                sight.rename_suits()
                sight.write_words(words)
                sight.write_actions(moves)
                write_i64_le(heads, number)
                write_i64_le(heads, seat)
                write_i64_le(heads, self.driver_of(number))
                write_i64_le(heads, sight.n)
                write_i64_le(heads, sight.renamed(position.hands[position.after(seat)]))
        self.waiting = still
        return words.getvalue(), heads.getvalue(), moves.getvalue()

    def choose(self, chosen: list[int]) -> None:
        """Do in every game that waits the action of this number."""
        sight = self.sight
        for number, choice in zip(self.waiting, chosen, strict=True):
            told = self.games[number]
            told.show_to(sight)
            k: i64 = choice
            told.act(sight.actions[k])

    def play_on(self, number: i64) -> bool:
        """Play one game until there is something to choose, and say so; False when it is over."""
        told = self.games[number]
        position = told.position
        sight = self.sight
        while True:
            if position.phase == OVER:
                self.score(number, position.durak)
                return False
            if position.phase == OPENING and is_endgame(position) and self.solve(number):
                return False
            driver: i64 = self.driver_of(number)
            if driver == GREEDY:
                told.act(greedy(position))
                continue
            told.show_to(sight)
            if sight.n == 1:
                told.act(sight.actions[0])
            elif driver == RULES:
                told.act(sight.actions[preferred(sight, self.rules)])
            else:
                return True

    def driver_of(self, number: i64) -> i64:
        """Name who drives the seat in turn."""
        position = self.games[number].position
        if self.is_shared and is_endgame(position):
            return 0
        return self.drivers[number * self.seats + position.turn]

    def tried(self, chosen: list[int]) -> list[float]:
        """
        Try in every game that waits the action of this number, but none where it is negative: both go on greedily, as in flat sampling.

        The world is any that the seat holds possible. Returns what that comes to for the seat, 0 where nothing was tried.
        """
        found: list[float] = []
        sight = self.sight
        for number, choice in zip(self.waiting, chosen, strict=True):
            worth = 0.0
            k: i64 = choice
            if k >= 0:
                told = self.games[number]
                told.show_to(sight)
                world = told.position.copy()
                self.draw(told, world)
                seat: i64 = world.turn
                world.act(sight.actions[k])
                worth = worth_of(playout(world, self.prover), seat, self.seats)
            found.append(worth)
        return found

    def draw(self, told: Told, world: Position) -> None:
        """Make *world* any that the seat in turn, whose sight is filled, holds possible."""
        position = told.position
        known: list[int] = [0] * int(self.seats)
        needs: list[int] = [-1] * int(self.seats)
        for seat in range(self.seats):
            if seat != position.turn:
                known[seat] = told.known[seat]
                needs[seat] = popcount(position.hands[seat]) - popcount(told.known[seat])
        unseen: list[int] = []
        cards: i64 = self.sight.unseen
        while cards:
            unseen.append(lowest(cards))
            cards &= cards - 1
        self.chance = next_random(self.chance)
        Worlds(position, unseen, known, needs, self.chance).draw(world)

    def solve(self, number: i64) -> bool:
        """Score a game of two seats left by the solver, if it can."""
        position = self.games[number].position
        seat: i64 = position.attacker
        worth: i64 = value(self.prover, position, seat, self.cap)
        if worth == UNSOLVED:
            self.tolled[number] = True
            return False
        if worth == DRAW:
            self.score(number, -1)
        elif worth == WIN:
            self.score(number, position.defender)
        else:
            self.score(number, seat)
        return True

    def score(self, number: i64, durak: i64) -> None:
        """Note what a game with that durak (-1: a draw) is worth to each seat."""
        seats: i64 = self.seats
        toll: float = 0.0
        if self.tolled[number]:
            toll = self.tolls[number]
        for seat in range(seats):
            self.worths[number * seats + seat] = max(-1.0, worth_of(durak, seat, seats) - toll)


def worth_of(durak: i64, seat: i64, seats: i64) -> float:
    """Return what a game with that durak (-1: a draw) is worth to a seat: 1 but for the durak, who has -1."""
    if durak < 0:
        return float(seats - 2) / float(seats)
    if durak == seat:
        return -1.0
    return 1.0


def dealt(terms: Terms, size: int, seed: i64) -> Told:
    """Deal a game of its own."""
    return Told(random_deal(terms, size, seed), size)

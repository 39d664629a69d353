"""
Many games at once between networks, compiled with the engine: all are played until each waits for a choice, then all choose together.

What play has told everybody is kept here as `bots.memory` keeps it, so that what a seat looks at is the same in training and in play.
"""
from __future__ import annotations

from typing import Final, final

from kozyr.arena.playouts import greedy, is_endgame
from kozyr.arena.rivals import RuleWeights, preferred
from kozyr.core._native import BytesWriter, i64, mypyc_attr, vec, write_i64_le
from kozyr.core.cards import ONE, RANK, beaters, deck_of, lowest, popcount
from kozyr.core.codes import DEFENCE, OPENING, OVER, PASS, PASS_BIT, SHOW, TAKE, TAKE_BIT, TAKEN, TRANSFER
from kozyr.core.playout import random_deal
from kozyr.core.position import Position
from kozyr.core.terms import Terms
from kozyr.search.asking import DRAW, UNSOLVED, WIN, value
from kozyr.search.prover import Prover
from kozyr.search.sight import Sight, options_word

GREEDY: Final = -1
RULES: Final = -2
"""Who drives a seat: a network by its number, the greedy rules, or the linear rules."""


@final
@mypyc_attr(acyclic=True)
class Told:
    """A position and what its play has told everybody: cards known, cards doubted, and those of them doubted since the last draw."""

    __slots__ = ("deck", "doubted", "fresh", "known", "options", "position", "size")

    def __init__(self, position: Position, size: int) -> None:
        """Begin with a game that has just been dealt from so many cards."""
        terms = position.terms
        self.position: Position = position
        self.size: i64 = size
        self.deck: i64 = 0
        for card in deck_of(size):
            code: i64 = card
            self.deck |= ONE << code
        self.options: i64 = options_word(
            size, terms.transfer, terms.show, terms.draws, terms.last_thrower, terms.throw_on_take, terms.scope
        )
        self.known: vec[i64] = vec[i64]([0] * 6)
        self.doubted: vec[i64] = vec[i64]([0] * 6)
        self.fresh: vec[i64] = vec[i64]([0] * 6)
        if position.deal.size == 0:
            self.known[position.deal.dealer] = ONE << position.deal.trump_card

    def act(self, action: i64) -> None:
        """Do an action of the seat in turn, and note what it tells."""
        position = self.position
        seat: i64 = position.turn
        laid: i64 = position.laid
        defender: i64 = position.defender
        if action == PASS:
            self.doubt(seat, ranks_of(laid) & ~position.trumps)
        elif action == TAKE:
            self.doubt_taker(seat)
        elif action >= SHOW:
            self.learn(seat, ONE << action - SHOW)
        else:
            card: i64 = action & 63
            if position.phase == DEFENCE and action < TRANSFER and position.terms.transfer and position.beaten == 0:
                self.doubt(seat, RANK << (position.attacks & 15) & ~position.trumps)
            self.known[seat] &= ~(ONE << card)
            laid |= ONE << card
        position.closing = 0
        position.act(action)
        if position.closing:
            self.end_bout(laid, defender)

    def end_bout(self, laid: i64, defender: i64) -> None:
        """Note who took the cards and who drew."""
        position = self.position
        if position.closing >> 42 == TAKEN:
            self.learn(defender, laid)
        order: i64 = position.closing & 0xFFFFFF
        drawn: i64 = position.closing >> 24
        last: i64 = -1
        while order:
            seat: i64 = (order & 15) - 1
            if drawn & 7:
                self.fresh[seat] = 0
                last = seat
            order >>= 4
            drawn >>= 3
        if last >= 0 and position.top == position.deal.size:
            self.learn(last, ONE << position.deal.cards[position.top - 1])

    def learn(self, seat: i64, cards: i64) -> None:
        """Note cards that a seat is known to hold."""
        self.known[seat] |= cards
        self.doubted[seat] &= ~cards
        self.fresh[seat] &= ~cards

    def doubt(self, seat: i64, cards: i64) -> None:
        """Note cards that a seat seems to lack."""
        self.doubted[seat] |= cards
        self.fresh[seat] |= cards

    def doubt_taker(self, seat: i64) -> None:
        """Doubt what would have beaten the only card that lies unbeaten."""
        position = self.position
        unbeaten: i64 = ((ONE << position.n_attacks) - 1) & ~position.beaten
        if unbeaten & (unbeaten - 1) == 0:
            card: i64 = position.attacks >> 9 * lowest(unbeaten) & 63
            able: i64 = beaters(card, position.trumps)
            if not position.trumps >> card & 1:
                able &= ~position.trumps
            self.doubt(seat, able)

    def show_to(self, sight: Sight) -> None:
        """Fill a sight with what the seat in turn knows, and list its actions."""
        position = self.position
        seat: i64 = position.turn
        sight.hand = position.hands[seat]
        sight.own_known = self.known[seat]
        sight.bout = position.laid
        sight.facing = 0
        place: i64 = 0
        while place < position.n_attacks:
            if not position.beaten >> place & 1:
                sight.face(position.attacks >> 9 * place & 63)
            place += 1
        sight.trump = lowest(position.trumps) >> 4
        sight.stock = position.deal.size - position.top
        sight.turned = 0
        if sight.stock:
            sight.turned = ONE << position.deal.trump_card
        sight.phase = position.phase
        sight.capacity = position.capacity()
        sight.limit = position.limit
        sight.may_transfer = position.may_transfer()
        sight.options = self.options
        self.show_others(sight, seat)
        actions: i64 = position.actions()
        sight.can_pass = actions & PASS_BIT != 0
        sight.can_take = actions & TAKE_BIT != 0
        sight.cards = actions & ~PASS_BIT & ~TAKE_BIT
        sight.transfers = position.transfers()
        sight.shows = position.shows()
        sight.list_actions()

    def show_others(self, sight: Sight, seat: i64) -> None:
        """Fill a sight with what is known of the others, clockwise."""
        position = self.position
        seen: i64 = position.hands[seat] | position.laid | position.discard | sight.turned
        sight.attacker = 0
        sight.defender = 0
        sight.throwers = position.throwers >> seat & 1
        sight.passed = position.passed >> seat & 1
        k: i64 = 0
        other: i64 = position.after(seat)
        while other != seat:
            sight.known[k] = self.known[other]
            sight.doubted[k] = self.doubted[other]
            sight.fresh[k] = self.fresh[other]
            sight.sizes[k] = popcount(position.hands[other])
            seen |= self.known[other]
            k += 1
            if other == position.attacker:
                sight.attacker = k
            if other == position.defender:
                sight.defender = k
            sight.throwers |= (position.throwers >> other & 1) << k
            sight.passed |= (position.passed >> other & 1) << k
            other = position.after(other)
        sight.others = k
        sight.unseen = self.deck & ~seen


def ranks_of(cards: i64) -> i64:
    """Return every card of the ranks of some cards."""
    ranks: i64 = cards | cards >> 32
    ranks = (ranks | ranks >> 16) & 0x1FFF
    return ranks | ranks << 16 | ranks << 32 | ranks << 48


@final
@mypyc_attr(acyclic=True)
class Lockstep:
    """
    Games that are played side by side.

    Each seat has a driver: the number of a network, GREEDY or RULES. `advance` plays what needs no network; then every game that is not
    over waits for the choice of one seat among several actions.
    """

    __slots__ = ("cap", "drivers", "games", "others", "prover", "rules", "seats", "sight", "waiting", "worths")

    def __init__(self, games: list[Told], drivers: list[int], others: i64, prover: Prover, cap: i64, rules: RuleWeights) -> None:
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
        self.sight: Sight = Sight(others)
        self.worths: list[float] = [0.0] * len(drivers)  # of each game for each of its seats, once it is over
        self.waiting: list[i64] = list(range(len(games)))

    def advance(self) -> tuple[bytes, bytes, bytes]:
        """
        Play on until all games wait or are over.

        Of each that waits, in order: its words; its number, seat, driver and how many actions it has; and of each action two numbers.
        """
        words = BytesWriter()
        heads = BytesWriter()
        moves = BytesWriter()
        still: list[i64] = []
        sight = self.sight
        for number in self.waiting:
            if self.play_on(number):
                still.append(number)
                seat: i64 = self.games[number].position.turn
                sight.rename_suits()
                sight.write_words(words)
                sight.write_actions(moves)
                write_i64_le(heads, number)
                write_i64_le(heads, seat)
                write_i64_le(heads, self.drivers[number * self.seats + seat])
                write_i64_le(heads, sight.n)
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
            if self.drivers[number * self.seats + position.turn] == GREEDY:
                told.act(greedy(position))
                continue
            told.show_to(sight)
            if sight.n > 1 and self.drivers[number * self.seats + position.turn] == RULES:
                told.act(sight.actions[preferred(sight, self.rules)])
                continue
            if sight.n > 1:
                return True
            told.act(sight.actions[0])

    def solve(self, number: i64) -> bool:
        """Score a game of two seats left by the solver, if it can."""
        position = self.games[number].position
        seat: i64 = position.attacker
        worth: i64 = value(self.prover, position, seat, self.cap)
        if worth == UNSOLVED:
            return False
        if worth == DRAW:
            self.score(number, -1)
        elif worth == WIN:
            self.score(number, position.defender)
        else:
            self.score(number, seat)
        return True

    def score(self, number: i64, durak: i64) -> None:
        """Note what a game with that durak (-1: a draw) is worth to each seat: 1 but for the durak, who has -1."""
        seats: i64 = self.seats
        for seat in range(seats):
            worth = 1.0
            if durak < 0:
                worth = float(seats - 2) / float(seats)
            elif durak == seat:
                worth = -1.0
            self.worths[number * seats + seat] = worth


def dealt(terms: Terms, size: int, seed: i64) -> Told:
    """Deal a game of its own."""
    return Told(random_deal(terms, size, seed), size)

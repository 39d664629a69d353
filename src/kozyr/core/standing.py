"""How a game stands: who holds what, who attacks whom, and what follows from that alone."""
from __future__ import annotations

from kozyr.core._native import i64, mypyc_attr, vec
from kozyr.core.cards import ONE, RANK, beaters, popcount
from kozyr.core.codes import CHALLENGE, DEFENCE, OPENING, OVER, PASS_BIT, TAKE_BIT, TRANSFER_LOST
from kozyr.core.options import Rules
from kozyr.core.terms import Deal, Terms, Trail


@mypyc_attr(acyclic=True)
class Standing:
    """What a position holds, and the questions that change nothing; `Position` adds the moves."""

    __slots__ = (
        "attacker", "attacks", "beaten", "beats", "bout_no", "closing", "deal", "defender", "discard", "durak",
        "emptied", "h0", "hands", "joined", "laid", "limit", "n_attacks", "n_past", "opener", "passed", "past", "phase",
        "places", "ranks", "reason", "rights", "seats_in", "terms", "throwers", "top", "trail", "trumps", "turn"
    )

    def __init__(self, terms: Terms, deal: Deal) -> None:
        self.terms: Terms = terms
        self.deal: Deal = deal
        self.trail: Trail | None = Trail() if terms.cheat else None
        self.hands: vec[i64] = vec[i64]([0] * terms.seats)
        self.past: vec[i64] = vec[i64]([0] * (4 * (terms.seats - 1)))  # hands at the bout starts since the last progress (R11.9)
        self.top: i64 = 0  # how many of the deal's cards have been drawn
        self.trumps: i64 = 0  # the thirteen trumps, as a mask
        self.seats_in: i64 = (ONE << terms.seats) - 1
        self.opener: i64 = 0
        self.attacker: i64 = 0
        self.defender: i64 = 0
        self.throwers: i64 = 0  # the seats that may attack the present defender, the attacker among them (R5.2)
        self.turn: i64 = 0  # the seat to act when play goes turn by turn (R5.6)
        self.phase: i64 = OPENING
        self.passed: i64 = 0  # seats whose pass stands; in CHALLENGE the seats that have accepted
        self.laid: i64 = 0  # every card in the bout
        self.ranks: i64 = 0  # every card of a rank in the bout
        self.attacks: i64 = 0  # attack cards in the order played, 9 bits each: the card, then its author << 6
        self.n_attacks: i64 = 0
        self.beats: i64 = 0  # defence cards, 6 bits each, at the place of the attack card that they beat
        self.beaten: i64 = 0  # places of the attack cards that are beaten
        self.limit: i64 = 0  # 5 or 6 (R6.1)
        self.h0: i64 = 0  # the defender's cards when the bout began (R6.3)
        self.joined: i64 = 0  # seats in the order of joining the attack, newest lowest, 4 bits each (seat + 1); their mask << 32
        self.emptied: i64 = 0  # seats in the order in which they ran out in this bout, newest lowest, 4 bits each (seat + 1)
        self.rights: i64 = 0  # seats that have shown a trump in this bout, FLOOR_OPEN, TRANSFER_LOST
        self.discard: i64 = 0
        self.places: i64 = 0  # seats in the order of going out, newest lowest, 4 bits each (seat + 1)
        self.durak: i64 = -1
        self.reason: i64 = 0
        self.bout_no: i64 = 0
        self.n_past: i64 = 0
        # the end of the last bout: order of drawing, first lowest (24 bits), cards drawn in that order (3 bits each), outcome << 42
        self.closing: i64 = 0

    def assign(self, other: Standing) -> None:
        """Become a copy of *other*, a position of a game with as many seats."""
        self.terms = other.terms
        self.deal = other.deal
        for seat in range(i64(len(other.hands))):
            self.hands[seat] = other.hands[seat]
        self.top = other.top
        self.trumps = other.trumps
        self.seats_in = other.seats_in
        self.opener = other.opener
        self.attacker = other.attacker
        self.defender = other.defender
        self.throwers = other.throwers
        self.turn = other.turn
        self.phase = other.phase
        self.passed = other.passed
        self.laid = other.laid
        self.ranks = other.ranks
        self.attacks = other.attacks
        self.n_attacks = other.n_attacks
        self.beats = other.beats
        self.beaten = other.beaten
        self.limit = other.limit
        self.h0 = other.h0
        self.joined = other.joined
        self.emptied = other.emptied
        self.rights = other.rights
        self.discard = other.discard
        self.places = other.places
        self.durak = other.durak
        self.reason = other.reason
        self.bout_no = other.bout_no
        self.closing = other.closing
        self.n_past = other.n_past
        if len(self.past) < len(other.past):
            self.past = vec[i64]([0] * len(other.past))
        for i in range(other.n_past * (i64(len(other.hands)) - 1)):
            self.past[i] = other.past[i]
        self._assign_trail(other.trail)

    def _assign_trail(self, other: Trail | None) -> None:
        if other is None:
            self.trail = None
            return
        trail = self.trail
        if trail is None:
            trail = Trail()
            self.trail = trail
        trail.assign(other)

    @property
    def rules(self) -> Rules:
        """The options of this game."""
        return self.terms.rules

    # turn by turn: what the seat whose turn it is may do

    def actions(self) -> i64:
        """Return the actions below 64 of the seat in `turn`, as a mask: lawful cards, PASS, TAKE."""
        hand: i64 = self.hands[self.turn]
        if self.phase == DEFENCE:
            place: i64 = 0
            if self.beaten:
                place = self.oldest_unbeaten()
            return hand & beaters(self.attacks >> 9 * place & 63, self.trumps) | TAKE_BIT
        if self.phase == OPENING:
            return hand
        if self.phase == CHALLENGE:
            return PASS_BIT
        return hand & self.ranks | PASS_BIT

    def transfers(self) -> i64:
        """
        Return the cards with which the defender may transfer the attack, one by one.

        Source: R8.1-R8.3, R8.9.
        """
        cards: i64 = self.hands[self.defender] & self.ranks
        if cards == 0 or not self.may_transfer():
            return 0
        target: i64 = self.after(self.defender)
        if popcount(self.hands[target]) <= self.n_attacks:
            return 0
        return cards

    def may_transfer(self) -> bool:
        """Say whether the attack may still be passed on in this bout, whatever cards are held."""
        if self.rights & TRANSFER_LOST or self.phase != DEFENCE or not self.terms.transfer:
            return False
        if self.bout_no == 1 and not self.terms.transfer_first_bout:
            return False
        return not self.terms.cheat or self.ranks == RANK << (self.attacks & 15)

    def shows(self) -> i64:
        """
        Return the trumps that the defender may show to pass the attack on.

        Source: R8.8.
        """
        if not self.terms.show or self.rights >> self.defender & 1 or not self.may_transfer():
            return 0
        if popcount(self.hands[self.after(self.defender)]) < self.n_attacks:
            return 0
        return self.hands[self.defender] & self.ranks & self.trumps

    def oldest_unbeaten(self) -> i64:
        """Return the place of the first attack card that is not beaten."""
        place: i64 = 0
        while self.beaten >> place & 1:
            place += 1
        return place

    def after(self, seat: i64) -> i64:
        """Return the next seat in, clockwise."""
        seats: i64 = self.terms.seats
        seat += 1
        if seat == seats:
            seat = 0
        while not self.seats_in >> seat & 1:
            seat += 1
            if seat == seats:
                seat = 0
        return seat

    def capacity(self) -> i64:
        """
        Return how many attack cards may still come: the counter on the screen.

        Source: R6.4.
        """
        if self.phase == OVER:
            return 0
        most: i64 = self.limit
        if self.h0 < most:
            most = self.h0
        if most < self.n_attacks:
            return 0
        return most - self.n_attacks

    def draw_order(self, punished: i64) -> i64:
        """
        Return all seats in, in their order of drawing, first lowest, 4 bits each (seat + 1).

        Source: R10.3; the seat that took cards as a penalty draws after the defender (R14.8).
        """
        order: i64 = 0
        shift: i64 = 0
        last: i64 = ONE << self.defender
        if punished >= 0:
            last |= ONE << punished
        waiting: i64 = self.seats_in & ~last
        seat: i64 = self.opener
        if last >> seat & 1 or self.terms.joined:
            joiners: i64 = self._joiners(last)
            seat = self.after(self.defender)
            if joiners:
                seat = (joiners & 15) - 1
            if self.terms.joined:
                order = joiners
                while joiners:
                    waiting &= ~(ONE << (joiners & 15) - 1)
                    joiners >>= 4
                    shift += 4
        while waiting:
            if waiting >> seat & 1:
                order |= seat + 1 << shift
                shift += 4
                waiting &= ~(ONE << seat)
            seat += 1
            if seat == self.terms.seats:
                seat = 0
        order |= self.defender + 1 << shift
        if punished >= 0:
            order |= punished + 1 << shift + 4
        return order

    def _joiners(self, but: i64) -> i64:
        """Return the seats that have joined the attack, except those of a mask, first lowest, 4 bits each (seat + 1)."""
        found: i64 = 0
        order: i64 = self.joined & 0xFFFFFF
        while order:  # newest first
            seat: i64 = (order & 15) - 1
            order >>= 4
            if not but >> seat & 1:
                found = found << 4 | seat + 1
        return found

    def grow_past(self) -> None:
        """Make room for more bout starts."""
        old = self.past
        self.past = vec[i64]([0] * (2 * len(old) + 1))
        for i in range(i64(len(old))):
            self.past[i] = old[i]

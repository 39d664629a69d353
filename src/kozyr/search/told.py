"""
A position and what its play has told everybody, compiled with the engine: a sight is filled from it in training and in looking ahead.

It is kept as `bots.memory` keeps it, so that a seat sees the same here as in play.
"""
from __future__ import annotations

from typing import final

from kozyr.core._native import i64, mypyc_attr, vec
from kozyr.core.cards import ONE, RANK, beaters, deck_of, lowest, popcount
from kozyr.core.codes import DEFENCE, PASS, PASS_BIT, SHOW, TAKE, TAKE_BIT, TAKEN, TRANSFER
from kozyr.core.position import Position
from kozyr.search.sight import Sight, options_word


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

    def copy(self, position: Position) -> Told:
        """Return a copy that tells the same of another position."""
        new = Told(position, self.size)
        for i in range(6):
            new.known[i] = self.known[i]
            new.doubted[i] = self.doubted[i]
            new.fresh[i] = self.fresh[i]
        return new

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


def is_endgame(position: Position) -> bool:
    """Say whether two seats are left and the stock is empty."""
    rest: i64 = position.seats_in & (position.seats_in - 1)
    return position.top == position.deal.size and rest & (rest - 1) == 0

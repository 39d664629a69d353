"""
A game of Durak as a small state machine on bit masks.

Everything here assumes that a move is legal: `judge` says which are. The same transitions serve a table at open pace, where several
seats may act at once, and turn-by-turn search, where `turn` is the one seat to act: `actions`, `transfers` and `act` are its fast way in.
"""
from __future__ import annotations

from typing import final

from kozyr.core._native import i64, mypyc_attr
from kozyr.core.cards import ONE, RANK, beaters, lowest, popcount
from kozyr.core.codes import (
    ATTACK_SET,
    BEATEN,
    BOUTS_WITHOUT_PROGRESS,
    CARDS,
    CHALLENGE,
    DEFENCE,
    EMPTY,
    FAULT,
    FLOOR_OPEN,
    FORFEIT,
    LAST_EMPTIED,
    NO_PROGRESS,
    OPENING,
    OVER,
    PASS,
    REPETITION,
    SHOW,
    TAKE,
    TAKEN,
    TAKING,
    THROW_IN,
    TRANSFER,
    TRANSFER_LOST,
    TRANSFER_SET,
    set_of,
)
from kozyr.core.standing import Standing
from kozyr.core.terms import ALL, NEIGHBOURS


@final
@mypyc_attr(acyclic=True)
class Position(Standing):
    """Everything about one game in progress; changed in place by its moves."""

    __slots__ = ()

    def copy(self) -> Position:
        """Return a position of its own that equals this one."""
        new = Position(self.terms, self.deal)
        new.assign(self)
        return new

    def act(self, action: i64) -> None:
        """Do a legal action of the seat in `turn`."""
        if action < 64:
            if action == PASS:
                self.pass_(self.turn)
            elif action == TAKE:
                self.take()
            elif self.phase == DEFENCE:
                place: i64 = 0
                if self.beaten:
                    place = self.oldest_unbeaten()
                self.beat(place, action)
            else:
                self.attack(self.turn, action)
        elif action < SHOW:
            self.transfer(ONE << action - TRANSFER)
        elif action < ATTACK_SET:
            self.show(action - SHOW)
        elif action < TRANSFER_SET:
            self.attack_set(set_of(action - ATTACK_SET))
        else:
            self.transfer(set_of(action - TRANSFER_SET))

    # the moves

    def attack(self, seat: i64, card: i64) -> None:
        """Play an attack card: the bout's first, or a throw-in."""
        if self.terms.cheat:
            self._note_attack(card)
        self._lay(seat, card)
        self._join(seat)
        self.attacks |= (seat << 6 | card) << 9 * self.n_attacks
        self.n_attacks += 1
        if self.phase == TAKING:
            self.ask()
        elif self.phase != DEFENCE:
            self.phase = DEFENCE
            self.passed = 0
            self.turn = self.defender

    def attack_set(self, cards: i64) -> None:
        """
        Open the bout with several cards of one rank.

        Source: R4.2.
        """
        n: i64 = popcount(cards)
        while cards:
            self.attack(self.attacker, lowest(cards))
            cards &= cards - 1
        trail = self.trail
        if trail is not None:
            name: i64 = 0
            while n:
                trail.opening |= ONE << name
                name += 2
                n -= 1

    def beat(self, place: i64, card: i64) -> None:
        """Beat the attack card at *place* with *card*."""
        if self.terms.cheat:
            trail = self.trail
            assert trail is not None
            trail.note(2 * place + 1, not beaters(self.attacks >> 9 * place & 63, self.trumps) >> card & 1)
        self._lay(self.defender, card)
        self.beats |= card << 6 * place
        self.beaten |= ONE << place
        self.rights |= TRANSFER_LOST
        if self.beaten == (ONE << self.n_attacks) - 1:
            self.phase = THROW_IN
            self.passed = 0
            self.ask()

    def transfer(self, cards: i64) -> None:
        """Pass the attack on with these cards of its rank."""
        seat: i64 = self.defender
        while cards:
            card: i64 = lowest(cards)
            cards &= cards - 1
            if self.terms.cheat:
                trail = self.trail
                assert trail is not None
                trail.note(2 * self.n_attacks, False)
            self._lay(seat, card)
            self.attacks |= (seat << 6 | card) << 9 * self.n_attacks
            self.n_attacks += 1
        self._join(seat)
        self.face(seat)

    def show(self, card: i64) -> None:
        """Pass the attack on by showing a trump of its rank, which stays in the hand."""
        seat: i64 = self.defender
        self.rights |= ONE << seat
        self._join(seat)
        self.face(seat)

    def take(self) -> None:
        """Let the defender take."""
        if self.terms.cheat:
            trail = self.trail
            assert trail is not None
            trail.taking = True
            trail.take_at = trail.n_played
        self.phase = TAKING
        self.passed = 0
        if self.terms.throw_on_take:
            self.ask()
        else:
            self.close()

    def pass_(self, seat: i64) -> None:
        """Let a seat pass or, in CHALLENGE, accept."""
        self.passed |= ONE << seat
        if self.phase == CHALLENGE:
            self._ask_accept()
            return
        if seat == self.attacker:
            self.rights |= FLOOR_OPEN
        self.ask()

    def forfeit(self, seat: i64) -> None:
        """
        End the game with the seat that leaves as the durak.

        Source: R16.3, `end_game`.
        """
        self._finish(seat, FORFEIT)

    def _lay(self, seat: i64, card: i64) -> None:
        """Move a card from a hand into the bout."""
        hand: i64 = self.hands[seat] & ~(ONE << card)
        self.hands[seat] = hand
        self.laid |= ONE << card
        self.ranks |= RANK << (card & 15)
        if hand == 0:
            self.emptied = self.emptied << 4 | seat + 1
            if seat == self.attacker:
                self.rights |= FLOOR_OPEN

    def _note_attack(self, card: i64) -> None:
        trail = self.trail
        assert trail is not None
        trail.note(2 * self.n_attacks, self.phase != OPENING and not self.ranks >> card & 1)
        if self.phase == OPENING:
            trail.opening = 1

    def _join(self, seat: i64) -> None:
        """Note that a seat has joined the attack."""
        if self.joined >> 32 + seat & 1:
            return
        order: i64 = self.joined & 0xFFFFFF
        self.joined = (self.joined >> 32 | ONE << seat) << 32 | order << 4 | seat + 1

    # whose turn it is

    def ask(self) -> None:
        """
        Turn to the first seat clockwise from the attacker that may still throw in; with none, close the bout.

        Source: R5.4, R5.7.
        """
        if self.n_attacks < self.limit and self.n_attacks < self.h0:
            waiting: i64 = self.throwers & ~self.passed
            seat: i64 = self.attacker
            while waiting:
                if waiting >> seat & 1:
                    if self.hands[seat]:
                        self.turn = seat
                        return
                    waiting &= ~(ONE << seat)
                seat += 1
                if seat == self.terms.seats:
                    seat = 0
        self.close()

    def close(self) -> None:
        """Close the bout; at a cheating table the window for challenges comes first (R14.5)."""
        if self.terms.cheat:
            self.phase = CHALLENGE
            self.passed = 0
            self.turn = self.attacker
        elif self.phase == TAKING:
            self.end_bout(TAKEN, self.defender)
        else:
            self.end_bout(BEATEN, -1)

    def _ask_accept(self) -> None:
        """Turn to the first seat in, clockwise from the attacker, that has not accepted; with none, end the bout."""
        if self.seats_in & ~self.passed:
            while self.passed >> self.turn & 1:
                self.turn = self.after(self.turn)
            return
        trail = self.trail
        if trail is not None and trail.taking:
            self.end_bout(TAKEN, self.defender)
        else:
            self.end_bout(BEATEN, -1)

    # bouts

    def open_bout(self, attacker: i64) -> None:
        """Begin a bout."""
        self.bout_no += 1
        self.phase = OPENING
        self._clear_bout()
        self.opener = attacker
        self.face(attacker)
        self.turn = attacker

    def _clear_bout(self) -> None:
        """Forget the cards of the bout that has ended, and the rights that were its own."""
        self.laid = 0
        self.ranks = 0
        self.attacks = 0
        self.n_attacks = 0
        self.beats = 0
        self.beaten = 0
        self.joined = 0
        self.emptied = 0
        self.rights = 0
        if self.terms.cheat:
            trail = self.trail
            assert trail is not None
            trail.clear()

    def face(self, attacker: i64) -> None:
        """Let *attacker* attack the next seat in."""
        self.attacker = attacker
        defender: i64 = self.after(attacker)
        self.defender = defender
        self.turn = defender
        self.passed = 0
        self.h0 = popcount(self.hands[defender])
        self.rights &= ~FLOOR_OPEN
        if self.hands[attacker] == 0:
            self.rights |= FLOOR_OPEN
        if self.terms.scope == ALL:
            self.throwers = self.seats_in & ~(ONE << defender)
        else:
            self.throwers = ONE << attacker
            if self.terms.scope == NEIGHBOURS:
                self.throwers |= ONE << self.after(defender)
                self.throwers &= ~(ONE << defender)

    def end_bout(self, outcome: i64, taker: i64) -> None:
        """
        End the bout: the cards go to the discard or to *taker* (-1: nobody), all draw, seats go out, the next bout begins.

        Source: R10, R11, R14.7, R14.8.
        """
        defender: i64 = self.defender
        progress = outcome == BEATEN
        if outcome == BEATEN:
            self.discard |= self.laid
            if self.terms.until_beaten:
                self.limit = 6
        else:
            self.hands[taker] |= self.laid
        if not self.terms.until_beaten:
            self.limit = 6
        punished: i64 = -1
        if outcome == FAULT:
            punished = taker
        order: i64 = self.draw_order(punished)
        drawn: i64 = 0
        if self.top < self.deal.size:
            before: i64 = self.top
            drawn = self._draw(order)
            if self.top != before:
                progress = True
        self.closing = order | drawn << 24 | outcome << 42
        if self.emptied and self.top == self.deal.size and self._go_out():
            progress = True
        if self.seats_in & (self.seats_in - 1) == 0:
            self._end_by_cards()
            return
        if outcome == TAKEN or not self.seats_in >> defender & 1:
            defender = self.after(defender)
        if progress:
            self.n_past = 0
        self.open_bout(defender)
        self.remember()

    def _draw(self, order: i64) -> i64:
        """Let the seats draw up to six in this order; return how many each drew, 3 bits each, the first seat's lowest."""
        drawn: i64 = 0
        shift: i64 = 0
        cards = self.deal.cards
        size: i64 = self.deal.size
        top: i64 = self.top
        while order and top < size:
            seat: i64 = (order & 15) - 1
            order >>= 4
            hand: i64 = self.hands[seat]
            need: i64 = 6 - popcount(hand)
            if need > 0:
                if need > size - top:
                    need = size - top
                drawn |= need << shift
                while need:
                    hand |= ONE << cards[top]
                    top += 1
                    need -= 1
                self.hands[seat] = hand
            shift += 3
        self.top = top
        return drawn

    def _go_out(self) -> bool:
        """
        Let the seats that ran out in this bout, and drew nothing, go out in that order; say whether any did.

        Source: R11.1, R11.5.
        """
        any_out = False
        shift: i64 = 20
        while shift >= 0:
            seat: i64 = (self.emptied >> shift & 15) - 1
            shift -= 4
            if seat >= 0 and self.hands[seat] == 0 and self.seats_in >> seat & 1:
                self.seats_in &= ~(ONE << seat)
                self.places = self.places << 4 | seat + 1
                any_out = True
        return any_out

    # the end of a game

    def _end_by_cards(self) -> None:
        """
        End the game with at most one seat in.

        Source: R11.6-R11.8.
        """
        if self.seats_in:
            self._finish(lowest(self.seats_in), CARDS)
        elif self.terms.draws:
            self._finish(-1, EMPTY)
        else:
            durak: i64 = (self.places & 15) - 1
            if self.terms.last_thrower:
                durak = self.attacks >> 9 * (self.n_attacks - 1) + 6 & 7
            places: i64 = 0
            shift: i64 = 20
            while shift >= 0:
                place: i64 = self.places >> shift & 15
                shift -= 4
                if place and place != durak + 1:
                    places = places << 4 | place
            self.places = places
            self._finish(durak, LAST_EMPTIED)
        self._clear_bout()

    def _finish(self, durak: i64, reason: i64) -> None:
        self.phase = OVER
        self.durak = durak
        self.reason = reason
        self.passed = 0
        self.throwers = 0
        self.turn = 0
        self.h0 = 0

    def remember(self) -> None:
        """
        Note the hands at the start of a bout; the third time that all is the same, or without progress for too long, the game is drawn.

        Without progress the cards in all hands together stay the same, so all hands but one tell all; the attacker is in the unused bits.

        Source: R11.9, R11.10.
        """
        width: i64 = self.terms.seats - 1
        at: i64 = self.n_past * width
        if at + width > len(self.past):
            self.grow_past()
        self.past[at] = self.hands[0] | (self.attacker + 1) << 13
        i: i64 = 1
        while i < width:
            self.past[at + i] = self.hands[i]
            i += 1
        self.n_past += 1
        if self.n_past > 2:
            self._end_without_progress(at, width)

    def _end_without_progress(self, at: i64, width: i64) -> None:
        """End the game as a draw if the bout start at *at* is the third of its like, or if there was no progress for too long."""
        past = self.past
        first: i64 = past[at]
        same: i64 = 1
        j: i64 = 0
        while j < at:
            if past[j] == first:
                i: i64 = 1
                while i < width and past[j + i] == past[at + i]:
                    i += 1
                if i == width:
                    same += 1
            j += width
        if same >= 3:
            self._finish(-1, REPETITION)
        elif self.n_past > BOUTS_WITHOUT_PROGRESS * self.terms.seats:
            self._finish(-1, NO_PROGRESS)

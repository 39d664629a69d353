"""
A game of Durak as a small state machine on bit masks.

Everything here assumes that a move is legal: `judge` says which are. The same transitions serve a table at open pace, where several
seats may act at once, and turn-by-turn search, where `turn` is the one seat to act: `actions`, `transfers` and `act` are its fast way in.

An action is a small integer: a card to attack, throw in or beat (the oldest unbeaten card) with; PASS, which accepts in CHALLENGE; TAKE;
TRANSFER + card; SHOW + card; ATTACK_SET or TRANSFER_SET + 16 * rank + the mask of suits, for several cards in one move.
"""
from __future__ import annotations

from typing import Final, final

from kozyr.core._native import i64, mypyc_attr, vec
from kozyr.core.cards import ONE, RANK, beaters, lowest, popcount
from kozyr.core.options import Rules
from kozyr.core.terms import ALL, NEIGHBOURS, Deal, Terms, Trail

PASS: Final = 61
TAKE: Final = 47
TRANSFER: Final = 64
SHOW: Final = 128
ATTACK_SET: Final = 192
TRANSFER_SET: Final = 448
PASS_BIT: Final[i64] = int("0x2000000000000000", 16)
TAKE_BIT: Final[i64] = int("0x800000000000", 16)

# phases
OPENING: Final = 0
DEFENCE: Final = 1
THROW_IN: Final = 2
TAKING: Final = 3
CHALLENGE: Final = 4
OVER: Final = 5
PHASES: Final = ("OPENING", "DEFENCE", "THROW_IN", "TAKING", "CHALLENGE", "OVER")

# how a bout ended
BEATEN: Final = 1
TAKEN: Final = 2
FAULT: Final = 3
OUTCOMES: Final = ("", "beaten", "taken", "fault")

# why a game ended
CARDS: Final = 1
LAST_EMPTIED: Final = 2
EMPTY: Final = 3
REPETITION: Final = 4
NO_PROGRESS: Final = 5
FORFEIT: Final = 6
REASONS: Final = ("", "cards", "last_emptied", "empty", "repetition", "no_progress", "forfeit")

# rights of the present bout, above the six bits of `shown`
FLOOR_OPEN: Final = 64
TRANSFER_LOST: Final = 128

BOUTS_WITHOUT_PROGRESS: Final = 20  # for each seat (R11.10)


@final
@mypyc_attr(acyclic=True)
class Position:
    """Everything about one game in progress; changed in place by its moves."""

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

    def assign(self, other: Position) -> None:
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

    def copy(self) -> Position:
        """Return a position of its own that equals this one."""
        new = Position(self.terms, self.deal)
        new.assign(self)
        return new

    @property
    def rules(self) -> Rules:
        """The options of this game."""
        return self.terms.rules

    # turn by turn: what the seat whose turn it is may do, and doing it

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
        if self.phase != DEFENCE or self.rights & TRANSFER_LOST or not self.may_transfer():
            return 0
        if popcount(self.hands[self.after(self.defender)]) <= self.n_attacks:
            return 0
        return self.hands[self.defender] & self.ranks

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

    def act(self, action: i64) -> None:
        """Do a legal action of the seat in `turn`."""
        if action < 64:
            if action == PASS:
                self.pass_(self.turn)
            elif action == TAKE:
                self.take()
            elif self.phase == DEFENCE:
                self.beat(self.oldest_unbeaten(), action)
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
        trail = self.trail
        if trail is not None:
            trail.note(2 * self.n_attacks, self.phase != OPENING and not self.ranks >> card & 1)
            if self.phase == OPENING:
                trail.opening = 1
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
        trail = self.trail
        if trail is not None:
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
            trail = self.trail
            if trail is not None:
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
        trail = self.trail
        if trail is not None:
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

    def _join(self, seat: i64) -> None:
        """Note that a seat has joined the attack."""
        if self.joined >> 32 + seat & 1:
            return
        order: i64 = self.joined & 0xFFFFFF
        self.joined = (self.joined >> 32 | ONE << seat) << 32 | order << 4 | seat + 1

    # whose turn it is

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
        trail = self.trail
        if trail is not None:
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
        order: i64 = self._draw_order(taker if outcome == FAULT else -1)
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

    def _draw_order(self, punished: i64) -> i64:
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
        if at:
            self._end_without_progress(at, width)

    def _end_without_progress(self, at: i64, width: i64) -> None:
        """End the game as a draw if the bout start at *at* is the third of its like, or if there was no progress for too long."""
        same: i64 = 0
        j: i64 = 0
        while j <= at:
            i: i64 = 0
            while i < width and self.past[j + i] == self.past[at + i]:
                i += 1
            if i == width:
                same += 1
            j += width
        if same >= 3:
            self._finish(-1, REPETITION)
        elif self.n_past > BOUTS_WITHOUT_PROGRESS * self.terms.seats:
            self._finish(-1, NO_PROGRESS)

    def grow_past(self) -> None:
        """Make room for more bout starts."""
        old = self.past
        self.past = vec[i64]([0] * (2 * len(old) + 1))
        for i in range(i64(len(old))):
            self.past[i] = old[i]


def set_of(code: i64) -> i64:
    """Return the cards of one rank that `16 * rank + mask of suits` names."""
    cards: i64 = 0
    suit: i64 = 0
    while suit < 4:
        if code >> suit & 1:
            cards |= ONE << (suit << 4 | code >> 4)
        suit += 1
    return cards


def code_of(cards: i64) -> i64:
    """Return `16 * rank + mask of suits` of cards of one rank."""
    code: i64 = (lowest(cards) & 15) << 4
    while cards:
        code |= ONE << (lowest(cards) >> 4)
        cards &= cards - 1
    return code

"""
Views: what one viewer may know of a position.

A view is built field by field from what the viewer may know, never from a blanked position (rules, part 3).
"""
from __future__ import annotations

from typing import NamedTuple

from kozyr.core.cards import lowest, popcount
from kozyr.core.cheating import card_named
from kozyr.core.codes import CHALLENGE, FLOOR_OPEN, OVER, PHASES, TAKING, TRANSFER_LOST
from kozyr.core.events import Result
from kozyr.core.judge import legal_moves, waiting_for
from kozyr.core.moves import Move
from kozyr.core.options import Rules
from kozyr.core.play import bout_pairs, hand_cards, result_of, seats_of
from kozyr.core.position import Position


class PairView(NamedTuple):
    """An attack card, the seat that played it, and the card that beat it."""

    attack: int
    by: int
    beat: int | None


class SeatView(NamedTuple):
    """What everybody may know of a seat; `place` counts from 1."""

    cards: int
    is_in: bool
    place: int | None
    has_passed: bool
    has_accepted: bool
    is_barred: bool
    may_challenge: bool
    has_shown: bool


class View(NamedTuple):
    """
    What a viewer may know of a game now: the public facts, and of a seat its own hand and legal moves.

    `seat` is None for a spectator, whose `hand` and `legal` are empty. `trump_card` is the turned card while it lies under the
    stock; after a deal without stock it is the last card dealt, shown in the hand of `trump_card_at` during the first bout.
    `settled` are the cards of the bout that nobody may challenge any more: the opening play, and cards judged lawful. When the
    game is over `attacker`, `defender` and `opener` are None.

    Source: rules, part 3, V1 and V2.
    """

    rules: Rules
    seat: int | None
    dealer: int
    phase: str
    bout_no: int
    attacker: int | None
    defender: int | None
    opener: int | None
    joined: tuple[int, ...]
    waiting: tuple[int, ...]
    bout: tuple[PairView, ...]
    capacity: int
    limit: int
    h0: int
    trump: int
    trump_card: int | None
    trump_card_at: int | None
    stock: int
    discard: int
    transfer_lost: bool
    floor_open: bool
    is_taking: bool
    settled: tuple[int, ...]
    seats: tuple[SeatView, ...]
    hand: tuple[int, ...]
    legal: tuple[Move, ...]
    result: Result | None


def view(position: Position, viewer: int | None) -> View:
    """
    Build what *viewer*, a seat or None for a spectator, may know of a position.

    Source: R13, rules, part 3.
    """
    over = position.phase == OVER
    waiting = waiting_for(position)
    trump_card, holder = _trump_card(position)
    return View(
        rules=position.rules,
        seat=viewer,
        dealer=position.deal.dealer,
        phase=PHASES[position.phase],
        bout_no=position.bout_no,
        attacker=None if over else position.attacker,
        defender=None if over else position.defender,
        opener=None if over else position.opener,
        joined=tuple(seats_of(position.joined & 0xFFFFFF)),
        waiting=tuple(seat for seat in range(position.terms.seats) if waiting >> seat & 1),
        bout=tuple(PairView(attack, by, beat) for attack, by, beat in bout_pairs(position)),
        capacity=position.capacity(),
        limit=position.limit,
        h0=position.h0,
        trump=trump_suit(position),
        trump_card=trump_card,
        trump_card_at=holder,
        stock=position.deal.size - position.top,
        discard=discard_size(position),
        transfer_lost=(position.rights & TRANSFER_LOST) != 0,
        floor_open=(position.rights & FLOOR_OPEN) != 0,
        is_taking=position.phase == TAKING or (position.trail is not None and position.trail.taking),
        settled=_settled(position),
        seats=_seat_views(position),
        hand=() if viewer is None else hand_cards(position, viewer),
        legal=() if viewer is None else tuple(legal_moves(position, viewer)),
        result=result_of(position) if over else None,
    )


def trump_suit(position: Position) -> int:
    """Return the trump suit, clubs 0 to spades 3."""
    return int(lowest(position.trumps)) >> 4


def discard_size(position: Position) -> int:
    """Count the discarded cards."""
    return int(popcount(position.discard))


def _seat_views(position: Position) -> tuple[SeatView, ...]:
    places = seats_of(position.places)
    trail = position.trail
    is_closing = position.phase == CHALLENGE
    seats_in, passed_seats, rights = position.seats_in, position.passed, position.rights
    barred = 0 if trail is None else trail.barred
    may_challenge = 0 if trail is None else ~trail.no_challenge
    seen: list[SeatView] = []
    for seat in range(position.terms.seats):
        passed = passed_seats >> seat & 1 == 1
        seen.append(
            SeatView(
                cards=popcount(position.hands[seat]),
                is_in=seats_in >> seat & 1 == 1,
                place=places.index(seat) + 1 if seat in places else None,
                has_passed=passed and not is_closing,
                has_accepted=passed and is_closing,
                is_barred=barred >> seat & 1 == 1,
                may_challenge=may_challenge >> seat & 1 == 1,
                has_shown=rights >> seat & 1 == 1,
            )
        )
    return tuple(seen)


def _settled(position: Position) -> tuple[int, ...]:
    """List the cards of the bout that are past challenging, ascending: the opening play, and what was judged lawful (R14.6)."""
    trail = position.trail
    if trail is None:
        return ()
    names = trail.opening | trail.judged
    return tuple(sorted(card_named(position, name) for name in range(12) if names >> name & 1))


def _trump_card(position: Position) -> tuple[int | None, int | None]:
    """
    Return the card that fixed trumps while everybody may know where it is, and the seat that holds it (None: under the stock).

    After a deal without stock the shown card is public until it is first played (R2.4); later it is known from play (V4).
    """
    card = position.deal.trump_card
    if card < 0:
        return None, None
    if position.deal.size:
        return (card, None) if position.top < position.deal.size else (None, None)
    dealer = position.deal.dealer
    if position.bout_no == 1 and position.hands[dealer] >> card & 1:
        return card, dealer
    return None, None

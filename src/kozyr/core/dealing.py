"""Dealing a pack: whose cards are whose, what is trump, who holds the lowest trump."""
from __future__ import annotations

from kozyr.core._native import i64
from kozyr.core.cards import ONE, lowest, trump_mask
from kozyr.core.position import Position
from kozyr.core.terms import Deal, Terms


def deal(terms: Terms, pack: bytes, dealer: i64) -> Position:
    """
    Deal six cards to every seat; no bout is open yet.

    The next card is turned and becomes the last of the stock; where there is none, the last card dealt fixes trumps.

    Source: R2.1-R2.4.
    """
    seats: i64 = terms.seats
    n: i64 = 6 * seats
    trump_card: i64
    if n < len(pack):
        trump_card = pack[n]
        stock = pack[n + 1 :] + pack[n : n + 1]
    else:
        trump_card = pack[n - 1]
        stock = b""
    position = Position(terms, Deal(stock, trump_card, dealer))
    position.trumps = trump_mask(trump_card)
    position.limit = terms.first_limit
    seat: i64 = dealer
    k: i64 = 0
    while k < n:
        seat += 1
        if seat == seats:
            seat = 0
        position.hands[seat] |= ONE << pack[k]
        k += 1
    return position


def lowest_trump_seat(position: Position) -> i64:
    """
    Return the seat that holds the lowest trump, or -1 where nobody holds one.

    Source: R3.1.
    """
    first: i64 = -1
    best: i64 = 64
    for seat in range(position.terms.seats):
        trumps: i64 = position.hands[seat] & position.trumps
        if trumps and lowest(trumps) < best:
            best = lowest(trumps)
            first = seat
    return first


def begin(position: Position, attacker: i64) -> None:
    """Open the first bout of a dealt game."""
    position.open_bout(attacker)
    position.remember()

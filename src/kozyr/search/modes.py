"""
What goes along through a search in one word, and the rest of a key.

A mode holds what a bout's rights are, how many cards are in the stock, and how deep the search is.
"""
from __future__ import annotations

from typing import Final

from kozyr.core._native import i64
from kozyr.core.cards import popcount

FIVE: Final = 1  # the limit is five
BARRED: Final = 2  # no transfer in this bout
SHOWN_A: Final = 4  # the attacker has shown a trump in this bout
SHOWN_D: Final = 8  # the defender has
STOCK: Final = 4  # shift of the number of cards in the stock, 3 bits
IN_KEY: Final = 0x7F  # what of a mode tells positions apart
PLY: Final = 0x100  # one deeper
PLIES_MAX: Final = 200  # about 700 calls in one another, which the interpreted form can bear

# the rest of a key: a mode, and above it
REMAINING: Final = 8  # shift of the cards of the stock, 6 bits each
TAKES: Final = 40  # shift of the takes left, plus one, where they are counted
OPTIONS: Final = 48  # shift of the table's options


def stock_in(mode: i64) -> i64:
    """Return the number of cards in the stock."""
    return mode >> STOCK & 7


def capacity_of(hand: i64, mode: i64) -> i64:
    """
    Return the capacity of a bout against a hand when it begins.

    Source: R6.4.
    """
    most: i64 = 6
    if mode & FIVE:
        most = 5
    held: i64 = popcount(hand)
    if held < most:
        return held
    return most


def less(limit: i64, n: i64) -> i64:
    """Return what *n* attack cards leave of a limit."""
    if n < limit:
        return limit - n
    return 0


def passed_on(mode: i64) -> i64:
    """Return the mode after a transfer or a show, when attacker and defender have changed places."""
    now: i64 = mode & ~(SHOWN_A | SHOWN_D)
    if mode & SHOWN_A:
        now |= SHOWN_D
    if mode & SHOWN_D:
        now |= SHOWN_A
    return now

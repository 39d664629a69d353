"""
Positions that differ only in the names of ranks and plain suits are one position.

Trumps are suit 3 here, whatever they are at the table.
"""
from __future__ import annotations

from typing import Final

from kozyr.core._native import i64
from kozyr.core.cards import RANK, SUIT, lowest

SUIT_BITS: Final = 0xFFFF
PLAIN: Final = 0x1FFF_1FFF_1FFF  # suits 0 to 2
TRUMPS: Final = 0x1FFF_0000_0000_0000  # suit 3


def ranks_of(cards: i64) -> i64:
    """Return the ranks in a set, as the cards of suit 0."""
    cards |= cards >> 32
    return (cards | cards >> 16) & 0x1FFF


def same_ranks(cards: i64) -> i64:
    """Return every card of a rank in a set."""
    cards |= cards >> 32
    return ((cards | cards >> 16) & 0x1FFF) * RANK


def several(cards: i64) -> i64:
    """Return every card of a rank that a set has at least twice."""
    one: i64 = cards | cards >> 32
    two: i64 = cards & cards >> 32
    return cards & ((two | two >> 16 | one & one >> 16) & 0x1FFF) * RANK


def thrice(cards: i64) -> i64:
    """Return every card of a rank that a set has at least three times."""
    one: i64 = cards | cards >> 32
    two: i64 = cards & cards >> 32
    return cards & ((two & one >> 16 | one & two >> 16) & 0x1FFF) * RANK


def beatable(cards: i64) -> i64:
    """Return every card that some card of a set beats."""
    below: i64 = cards >> 1 & 0x0FFF_0FFF_0FFF_0FFF
    below |= below >> 1 & 0x07FF_07FF_07FF_07FF
    below |= below >> 2 & 0x03FF_03FF_03FF_03FF
    below |= below >> 4 & 0x00FF_00FF_00FF_00FF
    below |= below >> 8 & 0x000F_000F_000F_000F
    if cards & TRUMPS:
        below |= PLAIN
    return below


def with_trumps_last(cards: i64, trump: i64) -> i64:
    """Exchange the suit *trump* with suit 3 in a set of cards; doing it twice changes nothing."""
    if trump == 3:
        return cards
    shift: i64 = 16 * (3 - trump)
    moved: i64 = (cards ^ cards >> shift) & SUIT << 16 * trump
    return cards ^ moved ^ moved << shift


def packed(hand: i64, other: i64) -> i64:
    """Close the gaps between the ranks of two hands: *hand* with the ranks that either holds renamed to 0, 1, 2, …"""
    held: i64 = ranks_of(hand | other)
    found: i64 = 0
    rank: i64 = 0
    while held:
        found |= (hand >> lowest(held) & RANK) << rank
        rank += 1
        held &= held - 1
    return found


def suit_order(a: i64, d: i64) -> i64:
    """Return the plain suits, 2 bits each, in the order of what the two hands hold of them, the least first."""
    x: i64 = (a & SUIT_BITS) << 16 | d & SUIT_BITS
    y: i64 = a & SUIT_BITS << 16 | d >> 16 & SUIT_BITS
    z: i64 = a >> 16 & SUIT_BITS << 16 | d >> 32 & SUIT_BITS
    if x <= y:
        if y <= z:
            return 0 | 1 << 2 | 2 << 4
        if x <= z:
            return 0 | 2 << 2 | 1 << 4
        return 2 | 0 << 2 | 1 << 4
    if x <= z:
        return 1 | 0 << 2 | 2 << 4
    if y <= z:
        return 1 | 2 << 2 | 0 << 4
    return 2 | 1 << 2 | 0 << 4


def in_order(cards: i64, order: i64) -> i64:
    """Put the plain suits of a set into an order of `suit_order`."""
    if order == 0 | 1 << 2 | 2 << 4:
        return cards
    first: i64 = cards >> 16 * (order & 3) & SUIT_BITS
    second: i64 = cards >> 16 * (order >> 2 & 3) & SUIT_BITS
    third: i64 = cards >> 16 * (order >> 4 & 3) & SUIT_BITS
    return cards & TRUMPS | first | second << 16 | third << 32

"""
Cards as small integers, sets of cards as masks.

A card is `suit * 16 + rank`: suits clubs 0, diamonds 1, hearts 2, spades 3; ranks deuce 0 to ace 12. A set of cards is an integer with
those bits set. As text a card is its rank and suit: `7h`, `Td`. Ascending integers are the order of suits in which several cards of
one move are written: c d h s.
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kozyr.core._native import i64

# Not literals: mypyc 2.4 writes the literal 1 of "1 << i64" as a 32-bit C int, wrong from bit 31 on.
ONE: Final[i64] = int("1")
SUIT: Final[i64] = int("0x1FFF", 16)  # the thirteen ranks of suit 0
RANK: Final[i64] = int("0x0001000100010001", 16)  # the four suits of rank 0

SUITS: Final = "cdhs"
RANKS: Final = "23456789TJQKA"

DECKS: Final[dict[int, bytes]] = {
    size: bytes([suit * 16 + rank for suit in range(4) for rank in range(13 - size // 4, 13)]) for size in (24, 36, 52)
}


def popcount(cards: i64) -> i64:
    """Count the members of a set (bits 0 to 61)."""
    cards = cards - (cards >> 1 & 0x1555555555555555)
    cards = (cards & 0x3333333333333333) + (cards >> 2 & 0x3333333333333333)
    cards = cards + (cards >> 4) & 0x0F0F0F0F0F0F0F0F
    cards = cards + (cards >> 8)
    cards = cards + (cards >> 16)
    return cards + (cards >> 32) & 127


def lowest(cards: i64) -> i64:
    """Return the lowest card of a set that is not empty."""
    return popcount((cards & -cards) - 1)


def beaters(card: i64, trumps: i64) -> i64:
    """
    Return every card that beats *card*, where *trumps* is the mask of the trump suit.

    Source: R7.1.
    """
    higher: i64 = SUIT << (card & 48) & -(ONE << card + 1)
    if trumps >> card & 1:
        return higher
    return higher | trumps


def trump_mask(card: i64) -> i64:
    """Return the mask of the suit of *card*."""
    return SUIT << (card & 48)


def cards_in(cards: i64) -> list[int]:
    """List the cards of a set, ascending."""
    found: list[int] = []
    while cards:
        found.append(lowest(cards))
        cards &= cards - 1
    return found


def mask_of(cards: Iterable[int]) -> i64:
    """Return the set of the cards listed."""
    mask: i64 = 0
    for card in cards:
        code: i64 = card
        mask |= ONE << code
    return mask


def deck_of(size: int) -> bytes:
    """
    List the cards of a deck of 24, 36 or 52 in their canonical order: by suit c d h s, ranks ascending.

    Source: R1.1.
    """
    if size not in DECKS:
        raise ValueError(f"no deck has {size} cards")
    return DECKS[size]


def parse_card(text: str) -> int:
    """
    Read a card such as `7h`.

    Raises: ValueError with the text, if it is no card.
    """
    if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
        raise ValueError(f"{text!r} is no card: a card is a rank of {RANKS} and a suit of {SUITS}, such as 7h")
    return SUITS.index(text[1]) * 16 + RANKS.index(text[0])


def format_card(card: int) -> str:
    """Write a card such as `7h`."""
    return RANKS[card & 15] + SUITS[card >> 4]


def parse_cards(text: str) -> list[int]:
    """
    Read cards separated by single spaces; the empty text is no cards.

    Raises: ValueError for a text that is no card, or a card that comes twice.
    """
    cards = [parse_card(word) for word in text.split(" ")] if text else []
    if len(set(cards)) != len(cards):
        raise ValueError(f"{text!r} names a card twice")
    return cards


def format_cards(cards: Iterable[int]) -> str:
    """Write cards separated by single spaces."""
    return " ".join([format_card(card) for card in cards])


def parse_suit(text: str) -> int:
    """
    Read a suit: `c`, `d`, `h` or `s`.

    Raises: ValueError with the text, if it is no suit.
    """
    if len(text) != 1 or text not in SUITS:
        raise ValueError(f"{text!r} is no suit: the suits are c d h s")
    return SUITS.index(text)


def format_suit(suit: int) -> str:
    """Write a suit as one letter."""
    return SUITS[suit]


def _lowest_by_length(cards: int) -> int:
    """Do what `lowest` does by a method that compiled code would have to box the set for."""
    return (cards & -cards).bit_length() - 1


# The interpreted form counts by the built-ins: compiled calls are bound early and keep the code above.
if hasattr(popcount, "__code__"):
    globals()["popcount"] = int.bit_count
    globals()["lowest"] = _lowest_by_length

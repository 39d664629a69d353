"""
Cards as two characters, rank then suit: "7h", "Td".

Source: rules, part 8.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

SUITS = "cdhs"
RANKS = "23456789TJQKA"
LOWEST_RANK = {24: "9", 36: "6", 52: "2"}


def full_deck(deck: int) -> list[str]:
    """
    List the cards of a deck of 24, 36 or 52.

    Source: R1.1.
    """
    return [rank + suit for suit in SUITS for rank in RANKS[RANKS.index(LOWEST_RANK[deck]) :]]


def height(card: str) -> int:
    """
    Say how high the rank is; the ace is the highest in every deck.

    Source: R1.1.
    """
    return RANKS.index(card[0])


def beats(defence: str, attack: str, trump: str) -> bool:
    """
    Say whether *defence* beats *attack*.

    Source: R7.1.
    """
    if defence[1] == attack[1]:
        return height(defence) > height(attack)
    return defence[1] == trump


def in_suit_order(cards: Iterable[str]) -> list[str]:
    """
    Put cards of one rank in the order in which a move names them.

    Source: part 8 (c d h s).
    """
    return sorted(cards, key=lambda card: SUITS.index(card[1]))


def groups_of_one_rank(cards: list[str], most: int) -> list[str]:
    """
    Name every choice of one to *most* cards that share a rank, each as the text of a move.
    """
    texts: list[str] = []
    for rank in {card[0] for card in cards}:
        same = in_suit_order(card for card in cards if card[0] == rank)
        for count in range(1, min(most, len(same)) + 1):
            texts += [" ".join(group) for group in combinations(same, count)]
    return texts

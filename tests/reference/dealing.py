"""
The deal and the first attacker.

Source: R2, R3.
"""

from __future__ import annotations

from dataclasses import dataclass

from .cards import height


@dataclass
class Dealt:
    """
    Hold what a deal gives: hands in the order dealt, the stock from the top, the card that fixes trumps.
    """

    hands: list[list[str]]
    stock: list[str]
    trump_card: str


def deal(pack: list[str], seats: int, dealer: int) -> Dealt:
    """
    Deal six cards to each seat, one at a time, and turn the next card up.

    The turned card is slid under the stock. With no card left to turn, the last card dealt fixes trumps.
    Source: R2.1-R2.4.
    """
    hands: list[list[str]] = [[] for _ in range(seats)]
    for k in range(6 * seats):
        hands[(dealer + 1 + k) % seats].append(pack[k])
    rest = pack[6 * seats :]
    if not rest:
        return Dealt(hands, [], pack[-1])
    return Dealt(hands, rest[1:] + rest[:1], rest[0])


def first_attacker(hands: list[list[str]], trump: str, dealer: int, no_trump: str) -> int | str:
    """
    Find who attacks first: a seat, or "lot" or "redeal" where that has to happen first.

    Source: R3.1, R3.2.
    """
    seats = len(hands)
    trumps = [(height(card), seat) for seat, hand in enumerate(hands) for card in hand if card[1] == trump]
    if trumps:
        return min(trumps)[1]
    if no_trump == "left_of_dealer":
        return (dealer + 1) % seats
    if no_trump == "lowest_card":
        clockwise = [(dealer + 1 + k) % seats for k in range(seats)]
        return min(clockwise, key=lambda seat: min(height(card) for card in hands[seat]))
    return no_trump

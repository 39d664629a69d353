"""
The belief of which cards a hand lacks, from what its seat did not play.

A defender who takes a card had none of its suit to beat it with, one who beats where a transfer was open had no plain card of the rank, and
who passes has no plain card of a rank in the bout. Trumps are left out where they may have been held back. Cards drawn later may be
anything: a doubt fades with them.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from kozyr.core.cards import RANK, beaters, cards_in
from kozyr.core.options import Rules


class Refusals:
    """
    What each seat has refused to play, and how many cards it has drawn since.

    Source: R13.1 (T2 and L: bots may use the permitted history).
    """

    __slots__ = ("_drawn", "_rules", "_since", "_trumps", "doubted")

    def __init__(self, rules: Rules, trumps: int) -> None:
        self._rules = rules
        self._trumps = trumps
        self._drawn = [0] * rules.seats
        self._since: list[dict[int, int]] = [{} for _ in range(rules.seats)]
        self.doubted = [0] * rules.seats

    def drawn_since(self, seat: int, card: int) -> int:
        """Return how many cards a seat has drawn since it refused a card that it is doubted to hold."""
        return self._drawn[seat] - self._since[seat][card]

    def took(self, seat: int, unbeaten: Sequence[int]) -> None:
        """Doubt what would have beaten the card that was taken; with several it is not known which could not be beaten."""
        if len(unbeaten) == 1:
            card = unbeaten[0]
            able = int(beaters(card, self._trumps))
            self._doubt(seat, able if self._trumps >> card & 1 else able & ~self._trumps)

    def beat(self, seat: int, attack: int, bout: Sequence[tuple[int, int | None]]) -> None:
        """Doubt what could have passed the attack on, where a transfer may have been open."""
        if self._rules.transfer and all(beat is None for _, beat in bout):
            self._doubt(seat, _ranks([attack]) & ~self._trumps)

    def passed(self, seat: int, bout: Sequence[tuple[int, int | None]]) -> None:
        """Doubt the plain cards of every rank in the bout."""
        self._doubt(seat, _ranks(card for pair in bout for card in pair if card is not None) & ~self._trumps)

    def drew(self, seat: int, count: int) -> None:
        """Note that a seat drew cards: they may be what it lacked."""
        self._drawn[seat] += count

    def forget(self, seat: int, cards: int) -> None:
        """Doubt no more that a seat holds what it is known to hold."""
        self.doubted[seat] &= ~cards

    def _doubt(self, seat: int, cards: int) -> None:
        self.doubted[seat] |= cards
        now = self._drawn[seat]
        since = self._since[seat]
        for card in cards_in(cards):
            since[card] = now


def _ranks(cards: Iterable[int]) -> int:
    """Return every card of the ranks of some cards."""
    ranks = 0
    for card in cards:
        ranks |= int(RANK) << (card & 15)
    return ranks

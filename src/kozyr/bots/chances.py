"""How likely a seat holds a card, from a view and the public memory."""
from __future__ import annotations

from kozyr.bots.memory import Memory
from kozyr.core.cards import RANK, beaters, cards_in, deck_of, mask_of, popcount
from kozyr.core.views import View


class Chances:
    """
    The chances that hidden cards are in this hand or that, as one seat may judge.

    What nobody is known to hold is spread evenly over the unknown cards of the hands and the stock. A card that a seat seems to lack can
    only be among those that it has drawn since. *counts* says whether the discarded cards are remembered as well.
    """

    __slots__ = ("_memory", "_refused", "_unknown", "hand", "trumps", "unseen")

    def __init__(self, view: View, memory: Memory, *, counts: bool) -> None:
        self._memory = memory
        self.trumps = memory.trumps
        self.hand = int(mask_of(view.hand))
        seen = self.hand
        for pair in view.bout:
            seen |= 1 << pair.attack
            if pair.beat is not None:
                seen |= 1 << pair.beat
        if view.trump_card is not None and view.trump_card_at is None:
            seen |= 1 << view.trump_card
        if counts:
            seen |= memory.discarded
        for known in memory.known:
            seen |= known
        self.unseen = int(mask_of(deck_of(view.rules.deck))) & ~seen
        # A bot that does not count knows how many cards are discarded all the same, and not which.
        self._unknown = [max(0, seat.cards - int(popcount(known))) for seat, known in zip(view.seats, memory.known, strict=True)]
        self._refused = [memory.refusals.doubted[seat] & self.unseen for seat in range(view.rules.seats)]

    def holds(self, seat: int, card: int) -> float:
        """Return the chance that a seat holds a card."""
        return 1.0 - self.lacks(seat, 1 << card)

    def lacks(self, seat: int, cards: int) -> float:
        """Return the chance that a seat holds none of some cards."""
        if self._memory.known[seat] & cards:
            return 0.0
        cards &= self.unseen
        unknown = self._unknown[seat]
        if not cards or not unknown:
            return 1.0
        total = max(unknown, int(popcount(self.unseen)))
        refused = cards & self._refused[seat]
        chance = float((1.0 - unknown / total) ** int(popcount(cards & ~refused)))
        for card in cards_in(refused):
            chance *= 1.0 - min(unknown, self._memory.refusals.drawn_since(seat, card)) / total
        return chance

    def lacks_rank(self, seat: int, rank: int) -> float:
        """Return the chance that a seat holds no card of a rank."""
        return self.lacks(seat, int(RANK) << rank)

    def beats_plainly(self, seat: int, card: int) -> float:
        """Return the chance that a seat can beat a card by a card of its suit."""
        able = int(beaters(card, self.trumps))
        return 1.0 - self.lacks(seat, able if self.trumps >> card & 1 else able & ~self.trumps)

    def beats(self, seat: int, card: int) -> float:
        """Return the chance that a seat can beat a card, by a trump if need be."""
        return 1.0 - self.lacks(seat, int(beaters(card, self.trumps)))

"""
What play has told everybody: cards that a hand is known to hold, cards that are out of the game, cards that a hand seems to lack.

A memory is fed with the public events of a game (`seen_by(event, None)`), in order, and depends on nothing else, so that it can be made
again from a game's log at any time. It is the same for all seats: what a seat knows besides, its own hand, is in its view.
"""
from __future__ import annotations

from collections.abc import Iterable

from kozyr.bots.refusals import Refusals
from kozyr.core.cards import RANK, beaters, mask_of, trump_mask
from kozyr.core.events import Attacked, Beaten, BoutOver, Drew, Event, Passed, Returned, Showed, Took, Transferred
from kozyr.core.options import Rules
from kozyr.core.views import View


class Memory:
    """
    The public memory of one game; cards are masks.

    `known[seat]` are the cards that the seat is known to hold, `discarded` those that were beaten, `bout` the cards of the bout, each
    attack card with the card that beat it; `unlawful` are those that were so when they were played (R14.3).

    Source: R13.1; rules, part 3, V3, V4.
    """

    __slots__ = ("bout", "discarded", "known", "refusals", "rules", "trumps", "unlawful")

    def __init__(self, rules: Rules, trump: int, shown: int | None = None, shown_at: int = 0) -> None:
        """Begin a game: the trump suit and, after a deal without stock, the last card dealt and the seat that holds it (R2.4)."""
        self.rules = rules
        self.trumps = int(trump_mask(16 * trump))
        self.known = [0] * rules.seats
        self.discarded = 0
        self.unlawful = 0
        self.bout: list[tuple[int, int | None]] = []
        self.refusals = Refusals(rules, self.trumps)
        if shown is not None:
            self.known[shown_at] = 1 << shown

    @classmethod
    def at(cls, view: View) -> Memory:
        """Begin with a view: the first of a game, or a later one where nobody has kept a memory."""
        memory = cls(view.rules, view.trump, view.trump_card if view.trump_card_at is not None else None, view.trump_card_at or 0)
        memory.bout = [(pair.attack, pair.beat) for pair in view.bout]
        return memory

    @classmethod
    def of(cls, view: View, events: Iterable[Event]) -> Memory:
        """Remember a game from the view at its start, anybody's, and all events since."""
        memory = cls.at(view)
        for event in events:
            memory.see(event)
        return memory

    def see(self, event: Event) -> None:
        """Add what has happened next; whatever an event tells one seat alone is passed over."""
        match event:
            case Attacked(seat, cards) | Transferred(seat, cards, _):
                self._lay(seat, cards)
                if self.bout and not int(RANK) << (cards[0] & 15) & self._laid():
                    self.unlawful |= 1 << cards[0]
                self.bout.extend((card, None) for card in cards)
            case Beaten(seat, attack, card):
                self.refusals.beat(seat, attack, self.bout)
                self._lay(seat, (card,))
                if not int(beaters(attack, self.trumps)) >> card & 1:
                    self.unlawful |= 1 << card
                self.bout = [(each, card if each == attack else beat) for each, beat in self.bout]
            case Showed(seat, card, _):
                self._learn(seat, 1 << card)
            case Took(seat):
                self.refusals.took(seat, [attack for attack, beat in self.bout if beat is None])
            case Passed(seat):
                self.refusals.passed(seat, self.bout)
            case Returned(seat, card):
                self._learn(seat, 1 << card)
                self.unlawful &= ~(1 << card)
                self.bout = [(attack, None if beat == card else beat) for attack, beat in self.bout if attack != card]
            case BoutOver():
                self._end_bout(event)
            case Drew(seat, count, _, turned):
                self.refusals.drew(seat, count)
                if turned is not None:
                    self._learn(seat, 1 << turned)
            case _:
                pass

    def _lay(self, seat: int, cards: Iterable[int]) -> None:
        self.known[seat] &= ~int(mask_of(cards))

    def _laid(self) -> int:
        return int(mask_of(card for pair in self.bout for card in pair if card is not None))

    def _learn(self, seat: int, cards: int) -> None:
        self.known[seat] |= cards
        self.refusals.forget(seat, cards)

    def _end_bout(self, event: BoutOver) -> None:
        cards = int(mask_of(event.cards))
        self.bout = []
        self.unlawful = 0
        if event.taker is None:
            self.discarded |= cards
        else:
            self._learn(event.taker, cards)

"""Events, cards and views as English sentences, for terminals and screen readers."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kozyr.core.cards import format_card
from kozyr.core.events import (
    Accepted,
    Attacked,
    Beaten,
    BoutOver,
    Challenged,
    Drew,
    Event,
    GameOver,
    Passed,
    Resigned,
    Result,
    Returned,
    Showed,
    Took,
    Transferred,
    WentOut,
)
from kozyr.core.moves import Move
from kozyr.core.views import View

SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
ENDS = {
    "cards": "nobody else holds cards",
    "last_emptied": "nobody holds cards, and this table knows no draws",
    "empty": "nobody holds cards",
    "repetition": "the same bout began for the third time",
    "no_progress": "too many bouts in a row changed nothing",
    "forfeit": "the game was given up",
}
PHASES = {
    "OPENING": "The bout is about to be opened.",
    "DEFENCE": "A card is unbeaten.",
    "THROW_IN": "All cards are beaten; more may be thrown in.",
    "TAKING": "The defender takes; more may be thrown in.",
    "CHALLENGE": "The bout closes: the last chance to challenge.",
    "OVER": "The game is over.",
}


@dataclass(frozen=True, slots=True)
class Words:
    """How a game is told: a name for each seat, the seat of the reader, if any, and whether cards are spelled out."""

    names: tuple[str, ...]
    you: int | None = None
    spoken: bool = False

    def who(self, seat: int) -> str:
        """Name a seat within a sentence."""
        return "you" if seat == self.you else self.names[seat]

    def does(self, seat: int, verb: str) -> str:
        """Begin a sentence: `You attack`, `Bot 1 attacks`."""
        if seat == self.you:
            return f"You {'are' if verb == 'be' else verb}"
        third = "is" if verb == "be" else verb + ("es" if verb.endswith(("s", "h", "o")) else "s")
        return f"{_capital(self.names[seat])} {third}"

    def card(self, card: int) -> str:
        """Write a card: `7h`, or `seven of hearts`."""
        return f"{RANKS[card & 15]} of {SUITS[card >> 4]}" if self.spoken else format_card(card)

    def cards(self, cards: Iterable[int]) -> str:
        """List cards."""
        return (", " if self.spoken else " ").join(self.card(card) for card in cards) or "none"

    def move(self, move: Move) -> str:
        """Write a move of the reader's, as a choice in a list."""
        if not self.spoken or not move.cards:
            return move.text
        if move.kind == "beat":
            return f"beat {self.card(move.cards[0])} with {self.card(move.cards[1])}"
        return f"{move.kind} {self.cards(move.cards)}"

    def tell(self, event: Event) -> str:
        """Tell an event, as the reader may see it."""
        match event:
            case Attacked(seat, cards):
                return f"{self.does(seat, 'attack')} with {self.cards(cards)}."
            case Beaten(seat, attack, card):
                return f"{self.does(seat, 'beat')} {self.card(attack)} with {self.card(card)}."
            case Transferred(seat, cards, to):
                return f"{self.does(seat, 'transfer')} to {self.who(to)} with {self.cards(cards)}."
            case Showed(seat, card, to):
                return f"{self.does(seat, 'transfer')} to {self.who(to)} by showing {self.card(card)}."
            case Took(seat):
                return f"{self.does(seat, 'take')}."
            case Passed(seat):
                return f"{self.does(seat, 'pass')}."
            case Accepted(seat):
                return f"{self.does(seat, 'accept')}."
            case Challenged():
                return self._tell_challenge(event)
            case Returned(seat, card):
                return f"{self.does(seat, 'get')} {self.card(card)} back."
            case Resigned(seat):
                return f"{self.does(seat, 'resign')}."
            case BoutOver():
                return self._tell_bout(event)
            case Drew():
                return self._tell_draw(event)
            case WentOut(seat, place):
                return f"{self.does(seat, 'be')} out, in place {place}."
            case GameOver(result):
                return self.tell_result(result)

    def _tell_challenge(self, event: Challenged) -> str:
        verdict = "rightly: it was unlawful" if event.right else "wrongly: it was lawful"
        owner = "your" if event.author == self.you else f"{self.names[event.author]}'s"
        return f"{self.does(event.seat, 'challenge')} {owner} {self.card(event.card)}, {verdict}."

    def _tell_bout(self, event: BoutOver) -> str:
        if event.taker is None:
            return f"All is beaten; {self.cards(event.cards)} go to the discard."
        penalty = " as a penalty" if event.outcome == "fault" else ""
        return f"{self.does(event.taker, 'take')} {self.cards(event.cards)}{penalty}."

    def _tell_draw(self, event: Drew) -> str:
        count = f"{event.count} card{'s' if event.count > 1 else ''}"
        if len(event.cards) == event.count and event.turned is None:
            return f"{self.does(event.seat, 'draw')} {self.cards(event.cards)}."
        if event.turned is None:
            return f"{self.does(event.seat, 'draw')} {count}."
        if event.count == 1:
            return f"{self.does(event.seat, 'draw')} the turned {self.card(event.turned)}."
        own = f": {self.cards(event.cards)}" if len(event.cards) == event.count else ""
        return f"{self.does(event.seat, 'draw')} {count}{own}, the turned {self.card(event.turned)} among them."

    def tell_result(self, result: Result) -> str:
        """Tell how a game ended."""
        places = "".join(f" Place {place}: {self.who(seat)}." for place, seat in enumerate(result.places, start=1))
        end = "The game is drawn" if result.durak is None else f"{self.does(result.durak, 'be')} the durak"
        return f"{end}: {ENDS[result.reason]}.{places}"

    # a view

    def situation(self, view: View) -> list[str]:
        """Tell what a viewer sees now, without hand and moves."""
        lines = [f"Bout {view.bout_no}. {PHASES[view.phase]} {self._roles(view)}".strip(), self._stock(view), self._hands(view)]
        lines += self._bout(view)
        if view.result is not None:
            lines.append(self.tell_result(view.result))
        return lines

    def hand(self, view: View) -> str:
        """List the viewer's hand: plain cards by suit, then trumps."""
        return self.cards(sorted(view.hand, key=lambda card: (card >> 4 == view.trump, card)))

    def _roles(self, view: View) -> str:
        if view.attacker is None or view.defender is None:
            return ""
        return f"{self.does(view.attacker, 'attack')} {self.who(view.defender)}."

    def _stock(self, view: View) -> str:
        turned = ""
        if view.trump_card is not None:
            place = "under the stock" if view.trump_card_at is None else f"in the hand of {self.who(view.trump_card_at)}"
            turned = f", {self.card(view.trump_card)} {place}"
        return f"Trump: {SUITS[view.trump]}{turned}. Stock: {view.stock}. Discard: {view.discard}."

    def _hands(self, view: View) -> str:
        seats = [(seat, one) for seat, one in enumerate(view.seats) if seat != view.seat]
        return "Cards: " + ", ".join(f"{self.who(seat)} {one.cards if one.is_in else 'out'}" for seat, one in seats) + "."

    def _bout(self, view: View) -> list[str]:
        if not view.bout:
            return []
        lines = []
        for pair in view.bout:
            answer = "unbeaten" if pair.beat is None else f"beaten by {self.card(pair.beat)}"
            lines.append(f"In the bout: {self.card(pair.attack)} from {self.who(pair.by)}, {answer}.")
        return [*lines, f"{view.capacity or 'No'} more attack card{'' if view.capacity == 1 else 's'} may come."]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

"""What happened, as a move is played: public facts, except for the cards that a seat drew, which `seen_by` hides."""
from __future__ import annotations

from dataclasses import dataclass, replace

Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Attacked:
    """A seat opened the bout or threw in."""

    seat: int
    cards: Cards


@dataclass(frozen=True, slots=True)
class Beaten:
    """The defender beat the attack card `attack` with `card`."""

    seat: int
    attack: int
    card: int


@dataclass(frozen=True, slots=True)
class Transferred:
    """The defender passed the attack on to the seat `to`."""

    seat: int
    cards: Cards
    to: int


@dataclass(frozen=True, slots=True)
class Showed:
    """The defender passed the attack on to `to` by showing a trump."""

    seat: int
    card: int
    to: int


@dataclass(frozen=True, slots=True)
class Took:
    """The defender said *take*."""

    seat: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat gave up throwing in."""

    seat: int


@dataclass(frozen=True, slots=True)
class Accepted:
    """A seat lets the bout close."""

    seat: int


@dataclass(frozen=True, slots=True)
class Challenged:
    """A seat challenged a card of `author`; `right` if it was unlawful, and then `code` is the rule that it broke."""

    seat: int
    card: int
    author: int
    right: bool
    code: str | None


@dataclass(frozen=True, slots=True)
class Returned:
    """A rollback gave a card back to the seat that had played it."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat left the game."""

    seat: int


@dataclass(frozen=True, slots=True)
class BoutOver:
    """
    A bout ended: `outcome` is `beaten`, `taken` or `fault`.

    `cards` are the bout's, in the order of the attack cards, each followed by the card that beat it; `taker` has them now, or they are
    in the discard; `order` lists the seats in their order of drawing, whether or not they drew.
    """

    outcome: str
    cards: Cards
    taker: int | None
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat drew `count` cards from the stock; `turned` is the turned trump, if it was among them, which everybody knows."""

    seat: int
    count: int
    cards: Cards
    turned: int | None


@dataclass(frozen=True, slots=True)
class WentOut:
    """A seat went out in this place, counted from 1."""

    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class Result:
    """
    How a game ended.

    `kind` is `durak` or `draw`; `reason` is `cards`, `last_emptied`, `empty`, `repetition`, `no_progress` or `forfeit`; `places`
    are the seats that have gone out, in order, without the durak.
    """

    kind: str
    reason: str
    durak: int | None
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game is over."""

    result: Result


Event = (
    Attacked
    | Beaten
    | Transferred
    | Showed
    | Took
    | Passed
    | Accepted
    | Challenged
    | Returned
    | Resigned
    | BoutOver
    | Drew
    | WentOut
    | GameOver
)


def seen_by(event: Event, viewer: int | None) -> Event:
    """
    Return an event as a viewer may see it: of cards drawn by another seat only the turned trump.

    Source: rules, part 3, V3, V5.
    """
    if isinstance(event, Drew) and event.seat != viewer:
        return replace(event, cards=() if event.turned is None else (event.turned,))
    return event

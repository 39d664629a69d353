"""
The lines of the engine protocol (docs/engine_protocol.md): one JSON object a line, for one seat, built from its view and from what it sees.

What a seat may not know is "?": every card of other hands, and the stock but for the turned card.
"""
from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import msgspec
from msgspec import Struct

from kozyr.core import events as play
from kozyr.core.cards import format_card, format_suit, parse_card, parse_suit
from kozyr.core.moves import parse_move_of
from kozyr.core.notation import format_view, parse_view
from kozyr.core.options import Rules
from kozyr.core.views import PairView, SeatView, View

PROTOCOL = 1
LINE_MAX = 65_536
"""Most bytes of a line."""

HIDDEN = "?"


class PairWords(Struct, forbid_unknown_fields=True):
    """An attack card, the seat that played it, the card that beat it or null."""

    attack: str
    by: int
    beat: str | None


class SeatWords(Struct, forbid_unknown_fields=True):
    """What the viewer may know of a seat."""

    hand: list[str]
    is_in: bool
    place: int | None
    has_passed: bool
    has_accepted: bool
    is_barred: bool
    may_challenge: bool
    has_shown: bool


class ViewWords(Struct, forbid_unknown_fields=True):
    """What one seat may know of a game now."""

    options: dict[str, int | bool | str]
    seat: int
    dealer: int
    phase: str
    bout_no: int
    attacker: int | None
    defender: int | None
    opener: int | None
    joined: list[int]
    waiting: list[int]
    bout: list[PairWords]
    capacity: int
    limit: int
    h0: int
    trump: str
    trump_card: str | None
    trump_card_at: int | None
    stock: list[str]
    discard: int
    transfer_lost: bool
    floor_open: bool
    is_taking: bool
    settled: list[str]
    seats: list[SeatWords]
    legal: list[str]


class Hello(Struct, tag_field="t", tag="hello", forbid_unknown_fields=True):
    """Begin: what version of the protocol, and who speaks."""

    n: int
    protocol: int
    name: str
    to: int | None = None


class Game(Struct, tag_field="t", tag="game", forbid_unknown_fields=True):
    """A game has been dealt: the view of the seat that the program plays."""

    n: int
    view: ViewWords


class Happened(Struct, tag_field="t", tag="event", forbid_unknown_fields=True):
    """Something has happened that the seat may see."""

    n: int
    event: dict[str, Any]


class Choose(Struct, tag_field="t", tag="choose", forbid_unknown_fields=True):
    """It is the program's turn: one of the view's legal moves within so many milliseconds."""

    n: int
    ms: int
    view: ViewWords


class Lost(Struct, tag_field="t", tag="lost", forbid_unknown_fields=True):
    """The answer to line *to* did not count, and why; *move* was played instead."""

    n: int
    to: int
    why: str
    move: str


class Over(Struct, tag_field="t", tag="over", forbid_unknown_fields=True):
    """The game is over."""

    n: int
    result: dict[str, Any]


class Bye(Struct, tag_field="t", tag="bye", forbid_unknown_fields=True):
    """There are no more games."""

    n: int


class Chosen(Struct, tag_field="t", tag="move", forbid_unknown_fields=True):
    """The answer to a choice."""

    n: int
    to: int
    move: str


class Wrong(Struct, tag_field="t", tag="error", forbid_unknown_fields=True):
    """A program says that it did not understand a line."""

    n: int
    to: int | None
    why: str


Told = Hello | Game | Happened | Choose | Lost | Over | Bye
"""What a program is told."""

Answer = Hello | Chosen | Wrong
"""What a program answers."""


def encode(message: Told | Answer) -> bytes:
    """Write a line, its end included."""
    return msgspec.json.encode(message) + b"\n"


def decode_told(line: bytes) -> Told:
    """
    Read what a program is told.

    Raises: ValueError.
    """
    told: Told = _decode(line, Told)
    return told


def decode_answer(line: bytes) -> Answer:
    """
    Read what a program answers.

    Raises: ValueError.
    """
    answer: Answer = _decode(line, Answer)
    return answer


def _decode(line: bytes, kind: Any) -> Any:
    if len(line) > LINE_MAX:
        raise ValueError(f"a line has {LINE_MAX} bytes at most")
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{shortened(line)} is no message: {error}") from None


def shortened(line: bytes) -> str:
    """Show a line, or its beginning, in a report."""
    text = line[:80].decode("utf-8", "replace").rstrip("\n")
    return repr(text) + ("…" if len(line) > 80 else "")


# views


def view_words(seen: View) -> ViewWords:
    """Write the view of a seat."""
    assert seen.seat is not None
    return ViewWords(
        options=dict(seen.rules.differences()),
        seat=seen.seat,
        dealer=seen.dealer,
        phase=seen.phase,
        bout_no=seen.bout_no,
        attacker=seen.attacker,
        defender=seen.defender,
        opener=seen.opener,
        joined=list(seen.joined),
        waiting=list(seen.waiting),
        bout=[PairWords(format_card(pair.attack), pair.by, _card_or_none(pair.beat)) for pair in seen.bout],
        capacity=seen.capacity,
        limit=seen.limit,
        h0=seen.h0,
        trump=format_suit(seen.trump),
        trump_card=_card_or_none(seen.trump_card),
        trump_card_at=seen.trump_card_at,
        stock=_stock_words(seen),
        discard=seen.discard,
        transfer_lost=seen.transfer_lost,
        floor_open=seen.floor_open,
        is_taking=seen.is_taking,
        settled=[format_card(card) for card in seen.settled],
        seats=[_seat_words(seen, seat) for seat in range(len(seen.seats))],
        legal=[move.text for move in seen.legal],
    )


def _stock_words(seen: View) -> list[str]:
    stock = [HIDDEN] * seen.stock
    if stock and seen.trump_card is not None:
        stock[-1] = format_card(seen.trump_card)
    return stock


def _seat_words(seen: View, seat: int) -> SeatWords:
    one = seen.seats[seat]
    hand = [format_card(card) for card in seen.hand] if seat == seen.seat else [HIDDEN] * one.cards
    return SeatWords(hand, *one[1:])


def view_of(words: ViewWords) -> View:
    """
    Read a view.

    Raises: ValueError, also for one that no game can lead to.
    """
    try:
        seen = _view(words)
        if seen == parse_view(format_view(seen)):
            return seen
    except (LookupError, TypeError, OverflowError) as error:
        raise ValueError(f"the view cannot be: {error!r}") from None
    raise ValueError("the view cannot be: its parts do not fit together")


def _view(words: ViewWords) -> View:
    rules = Rules.of(words.options)
    seat = _seat(words.seat)
    if seat >= rules.seats or len(words.seats) != rules.seats:
        raise ValueError(f"a table for {rules.seats} has no seat {seat}, or not so many seats as the view")
    return View(
        rules=rules,
        seat=seat,
        dealer=_seat(words.dealer),
        phase=words.phase,
        bout_no=words.bout_no,
        attacker=_seat_or_none(words.attacker),
        defender=_seat_or_none(words.defender),
        opener=_seat_or_none(words.opener),
        joined=_seats(words.joined),
        waiting=_seats(words.waiting),
        bout=tuple(PairView(parse_card(pair.attack), _seat(pair.by), _parse_or_none(pair.beat)) for pair in words.bout),
        capacity=words.capacity,
        limit=words.limit,
        h0=words.h0,
        trump=parse_suit(words.trump),
        trump_card=_parse_or_none(words.trump_card),
        trump_card_at=_seat_or_none(words.trump_card_at),
        stock=len(words.stock),
        discard=words.discard,
        transfer_lost=words.transfer_lost,
        floor_open=words.floor_open,
        is_taking=words.is_taking,
        settled=_cards(words.settled),
        seats=tuple(_seat_view(one) for one in words.seats),
        hand=_cards(words.seats[seat].hand),
        legal=tuple(parse_move_of(seat, text) for text in words.legal),
        result=None,
    )


def _seat_view(one: SeatWords) -> SeatView:
    return SeatView(
        len(one.hand), one.is_in, one.place, one.has_passed, one.has_accepted, one.is_barred, one.may_challenge, one.has_shown
    )


# events

EVENTS: dict[str, type[play.Event]] = {
    "attack": play.Attacked,
    "beat": play.Beaten,
    "transfer": play.Transferred,
    "show": play.Showed,
    "take": play.Took,
    "pass": play.Passed,
    "accept": play.Accepted,
    "challenge": play.Challenged,
    "return": play.Returned,
    "resign": play.Resigned,
    "bout_over": play.BoutOver,
    "draw": play.Drew,
    "out": play.WentOut,
}
"""By the word in `e`; the end of a game has a message of its own."""

NAMES: Mapping[type[play.Event], str] = {kind: name for name, kind in EVENTS.items()}


def event_words(event: play.Event) -> dict[str, Any]:
    """Write an event, as `seen_by` gives it to the seat."""
    words: dict[str, Any] = {"e": NAMES[type(event)]}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name in ("card", "attack", "turned") and value is not None:
            value = format_card(value)
        elif field.name == "cards":
            value = [format_card(card) for card in value]
        words[field.name] = list(value) if isinstance(value, tuple) else value
    return words


def event_of(words: Mapping[str, Any], seats: int) -> play.Event:
    """
    Read an event of a table for so many.

    Raises: ValueError.
    """
    name = words.get("e")
    kind = EVENTS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"{json.dumps(words)[:80]} is no event: e is one of {' '.join(EVENTS)}")
    try:
        read = {field.name: READ[field.name](words[field.name]) for field in fields(kind)}
    except (KeyError, TypeError) as error:
        raise ValueError(f"{json.dumps(words)[:80]} is no event: {error!r}") from None
    named = [read.get(field) for field in ("seat", "to", "author", "taker")]
    if any(seat is not None and seat >= seats for seat in (*named, *read.get("order", ()))):
        raise ValueError(f"{json.dumps(words)[:80]} cannot be at a table for {seats}")
    return kind(**read)


def result_words(result: play.Result) -> dict[str, Any]:
    """Write a result."""
    return {"kind": result.kind, "reason": result.reason, "durak": result.durak, "places": list(result.places)}


def _card_or_none(card: int | None) -> str | None:
    return None if card is None else format_card(card)


def _parse_or_none(text: str | None) -> int | None:
    return None if text is None else parse_card(text)


def _cards(texts: list[str]) -> tuple[int, ...]:
    return tuple(parse_card(text) for text in texts)


def _seat(seat: int) -> int:
    if type(seat) is not int or not 0 <= seat <= 5:
        raise ValueError(f"{seat!r} is no seat")
    return seat


def _seat_or_none(seat: int | None) -> int | None:
    return None if seat is None else _seat(seat)


def _seats(seats: list[int]) -> tuple[int, ...]:
    return tuple(_seat(seat) for seat in seats)


def _is(kind: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(f"{value!r} where {kind.__name__} should stand")
        return value

    return read


READ: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("seat", "to", "author"), _seat),
    **dict.fromkeys(("card", "attack"), parse_card),
    **dict.fromkeys(("count", "place"), _is(int)),
    "cards": _cards,
    "turned": _parse_or_none,
    "taker": _seat_or_none,
    "order": _seats,
    "outcome": _is(str),
    "right": _is(bool),
    "code": lambda value: None if value is None else _is(str)(value),
}

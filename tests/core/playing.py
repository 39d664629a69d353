"""
Reading a position, playing moves on it and looking at it, all in notation, for the tests of single rules.
"""

from __future__ import annotations

import pytest

from kozyr.core.cards import deck_of, format_cards, parse_cards
from kozyr.core.codes import PHASES
from kozyr.core.events import BoutOver, Drew, Event
from kozyr.core.judge import legal_moves
from kozyr.core.moves import IllegalMove, parse_move
from kozyr.core.notation import format_position, parse_position
from kozyr.core.options import Rules
from kozyr.core.play import hand_cards, play
from kozyr.core.position import Position
from kozyr.core.setup import start
from kozyr.core.views import View, view


def at(text: str, *moves: str) -> Position:
    """
    Read a position and play *moves* on it.
    """
    position = parse_position(text)
    events(position, *moves)
    return position


def after(position: Position, *moves: str) -> Position:
    """
    Play *moves* on a copy of a position.
    """
    other = position.copy()
    events(other, *moves)
    return other


def events(position: Position, *moves: str) -> list[Event]:
    """
    Play *moves* on a position and list everything that happened.
    """
    return [event for move in moves for event in play(position, parse_move(move))]


def legal(position: Position, seat: int) -> set[str]:
    """
    Name the legal moves of a seat.
    """
    return {move.text for move in legal_moves(position, seat)}


def code(position: Position, move: str) -> str:
    """
    Name the rule that forbids a move; the position stays as it is.
    """
    before = format_position(position)
    with pytest.raises(IllegalMove) as caught:
        play(position, parse_move(move))
    assert before == format_position(position)
    return caught.value.code


def hand(position: Position, seat: int) -> str:
    """
    Name the cards in a hand, by suit c d h s and then by rank.
    """
    return format_cards(hand_cards(position, seat))


def public(position: Position) -> View:
    """
    Look at a position as a spectator does.
    """
    return view(position, None)


def phase(position: Position) -> str:
    """
    Name the phase.
    """
    return PHASES[position.phase]


def outcome(happened: list[Event]) -> BoutOver:
    """
    Find the end of the bout among events.
    """
    return next(event for event in happened if isinstance(event, BoutOver))


def drawn(happened: list[Event]) -> list[tuple[int, str]]:
    """
    List who drew which cards, in order.
    """
    return [(event.seat, format_cards(event.cards)) for event in happened if isinstance(event, Drew)]


def pack_beginning(size: int, cards: str) -> bytes:
    """
    Put *cards* on top of a deck of *size*, the rest below them in the deck's own order.
    """
    first = parse_cards(cards)
    return bytes([*first, *(card for card in deck_of(size) if card not in first)])


def dealt(cards: str, dealer: int = 0, attacker: int = 0, **options: int | str | bool) -> Position:
    """
    Begin a game with a pack that begins with *cards*.
    """
    rules = Rules.of(options)
    return start(rules, pack_beginning(rules.deck, cards), dealer, attacker)

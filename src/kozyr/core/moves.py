"""A move as a type with a notation, and the error for one that the rules forbid."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kozyr.core.cards import format_cards, parse_card

# How many cards each word takes: least and most.
KINDS: dict[str, tuple[int, int]] = {
    "attack": (1, 4),
    "beat": (2, 2),
    "transfer": (1, 4),
    "show": (1, 1),
    "take": (0, 0),
    "pass": (0, 0),
    "challenge": (1, 1),
    "accept": (0, 0),
    "resign": (0, 0),
}


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """
    A move of a seat: one of the words of `KINDS` and its cards.

    A move built by hand has as many cards as `KINDS` says. `beat` names the attack card, then the card that beats it; several cards
    of an attack or a transfer ascend (suits c d h s).
    """

    seat: int
    kind: str
    cards: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The move in notation, without the seat: `beat 7h 8h`."""
        return f"{self.kind} {format_cards(self.cards)}" if self.cards else self.kind

    def __str__(self) -> str:
        return f"{self.seat} {self.text}"


class IllegalMove(Exception):
    """
    A move that the rules forbid now: a stable code, the move, and the position in notation.

    The position is written only when somebody reads it: a refusal must not cost the server more than a move.
    """

    def __init__(self, code: str, move: Move, write_position: Callable[[], str]) -> None:
        super().__init__(code, move)
        self.code = code
        self.move = move
        self._write_position = write_position

    @property
    def position(self) -> str:
        """The position in which the move was refused, in notation."""
        return self._write_position()

    def __str__(self) -> str:
        return f"{self.code}: {self.move} in {self.position}"


def parse_move(text: str) -> Move:
    """
    Read a move with its seat: `1 beat 7h 8h`.

    Raises: ValueError with the text, if it is no move.
    """
    seat, _, words = text.partition(" ")
    if seat not in ("0", "1", "2", "3", "4", "5"):
        raise ValueError(f"{text!r} is no move: it begins with a seat from 0 to 5, such as '0 attack 7h'")
    return parse_move_of(int(seat), words)


def parse_move_of(seat: int, text: str) -> Move:
    """
    Read the move of a seat: `beat 7h 8h`.

    Raises: ValueError with the text, if it is no move.
    """
    words = text.split(" ")
    kind = words[0]
    if kind not in KINDS:
        raise ValueError(f"{text!r} is no move: the first word is one of {' '.join(KINDS)}")
    least, most = KINDS[kind]
    if not least <= len(words) - 1 <= most:
        raise ValueError(f"{text!r} is no move: {kind} takes {least if least == most else f'{least} to {most}'} cards")
    cards = [parse_card(word) for word in words[1:]]
    if len(set(cards)) != len(cards):
        raise ValueError(f"{text!r} is no move: a card comes twice")
    if kind in ("attack", "transfer"):
        if len({card & 15 for card in cards}) > 1:
            raise ValueError(f"{text!r} is no move: cards played together have one rank")
        if cards != sorted(cards):
            raise ValueError(f"{text!r} is no move: cards played together stand in the order of suits c d h s")
    return Move(seat, kind, tuple(cards))


def format_move(move: Move) -> str:
    """Write a move with its seat."""
    return str(move)



"""
A whole game as a text file: tags as in PGN, then one move a line behind its number.

    [Game "q7x2-1"]
    [Options "deck=36,seats=3,transfer=true"]
    [Dealer "2"]
    [Attacker "0"]
    [Pack "7h Td …"]
    [Result "durak 1 cards"]

    1 0 attack 7h
    2 1 beat 7h 8h

What is drawn follows from the pack, so that moves are all that a replay needs.

Source: rules, part 8.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from kozyr.core.cards import deck_of, format_card, format_cards, parse_cards
from kozyr.core.codes import OVER, REASONS
from kozyr.core.events import Event, Result
from kozyr.core.moves import IllegalMove, Move, parse_move
from kozyr.core.options import Rules, format_options, parse_options
from kozyr.core.play import play, result_of
from kozyr.core.position import Position
from kozyr.core.setup import start

SIZE_MAX = 1_000_000
"""Most characters of a file that is read."""

REQUIRED = ("Options", "Dealer", "Attacker", "Pack")
DERIVED = ("Trump", "Up", "Result")

_NAME = re.compile(r"[A-Z][A-Za-z]*")
_TAG = re.compile(r'\[([A-Z][A-Za-z]*) "((?:[^"\\]|\\["\\])*)"\]')
_LINE = re.compile(r"([1-9][0-9]{0,5}) (.+)")


@dataclass(frozen=True, slots=True)
class GameRecord:
    """
    A game from its shuffled pack to its last move so far.

    `tags` holds every other tag of the file as text, in order, such as `Game`, `Players`, `Commit`, `Shuffle`. `result` is None for a game
    that is not over.
    """

    rules: Rules
    pack: bytes
    dealer: int
    attacker: int
    moves: tuple[Move, ...] = ()
    result: Result | None = None
    tags: dict[str, str] = field(default_factory=dict)


def format_game(record: GameRecord) -> str:
    """
    Write a game; `parse_game` reads it back.

    Raises: ValueError for a further tag that no file can hold.
    """
    for name in record.tags:
        if not _NAME.fullmatch(name) or name in (*REQUIRED, *DERIVED):
            raise ValueError(f"{name!r} is no name of a further tag")
    turned = _trump_card(record)
    tags = {
        **record.tags,
        "Options": format_options(record.rules.differences()),
        "Dealer": str(record.dealer),
        "Attacker": str(record.attacker),
        "Pack": format_cards(record.pack),
        "Trump": format_card(turned)[1],
        "Up": format_card(turned),
        "Result": _format_result(record.result),
    }
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *(f"{n} {move}" for n, move in enumerate(record.moves, start=1))]) + "\n"


def parse_game(text: str) -> GameRecord:
    """
    Read a game; its moves are not played yet: `replay` does that.

    Raises: ValueError that says what is wrong, with the line.
    """
    if len(text) > SIZE_MAX:
        raise ValueError(f"a file of {len(text)} characters is no game: {SIZE_MAX} at most")
    tags: dict[str, str] = {}
    moves: list[Move] = []
    for at, line in enumerate(text.split("\n"), start=1):
        try:
            _read_line(line, tags, moves)
        except ValueError as error:
            raise ValueError(f"line {at}: {error}") from None
    missing = [name for name in (*REQUIRED, *DERIVED) if name not in tags]
    if missing:
        raise ValueError(f"the tags {' '.join(missing)} are missing: this is no record of a game")
    return _record(tags, tuple(moves))


def replay(record: GameRecord, see: Callable[[int, Move, Position, list[Event]], None] | None = None) -> Position:
    """
    Play all moves of a record; *see* is called after each with its number, the move, the position and what happened.

    Raises: ValueError for a pack or a seat that is none, a move that is illegal, or a result that is not the game's.
    """
    position = start(record.rules, record.pack, record.dealer, record.attacker)
    for n, move in enumerate(record.moves, start=1):
        try:
            events = play(position, move)
        except IllegalMove as error:
            raise ValueError(f"move {n}: {error}") from None
        if see is not None:
            see(n, move, position, events)
    result = result_of(position) if position.phase == OVER else None
    if result != record.result:
        raise ValueError(f"the moves lead to the result {_format_result(result)!r}, and the record says {_format_result(record.result)!r}")
    return position


def record_of(rules: Rules, pack: bytes, dealer: int, attacker: int, moves: Iterable[Move], tags: dict[str, str]) -> GameRecord:
    """Make the record of a game by playing its moves."""
    position = start(rules, pack, dealer, attacker)
    played = tuple(moves)
    for move in played:
        play(position, move)
    result = result_of(position) if position.phase == OVER else None
    return GameRecord(rules, pack, dealer, attacker, played, result, tags)


# parts


def _read_line(line: str, tags: dict[str, str], moves: list[Move]) -> None:
    if not line.strip():
        return
    tag = _TAG.fullmatch(line)
    if tag:
        if tag[1] in tags or moves:
            raise ValueError(f"the tag {tag[1]} comes twice, or after the moves")
        value = re.sub(r"\\(.)", r"\1", tag[2])
        _escape(value)
        tags[tag[1]] = value
        return
    move = _LINE.fullmatch(line)
    if not move:
        raise ValueError(f"{line[:80]!r} is neither a tag nor a numbered move")
    if int(move[1]) != len(moves) + 1:
        raise ValueError(f"move {move[1]} where {len(moves) + 1} should stand")
    moves.append(parse_move(move[2]))


def _record(tags: dict[str, str], moves: tuple[Move, ...]) -> GameRecord:
    rules = Rules.of(parse_options(tags["Options"]))
    pack = bytes(parse_cards(tags["Pack"]))
    if sorted(pack) != sorted(deck_of(rules.deck)):
        raise ValueError(f"the pack is no shuffle of a deck of {rules.deck} cards")
    seats = [tags[name] for name in ("Dealer", "Attacker")]
    if not all(re.fullmatch(r"[0-5]", seat) and int(seat) < rules.seats for seat in seats):
        raise ValueError(f"dealer and attacker must be seats of a table for {rules.seats}")
    others = {name: value for name, value in tags.items() if name not in (*REQUIRED, *DERIVED)}
    record = GameRecord(rules, pack, int(seats[0]), int(seats[1]), moves, _parse_result(tags["Result"], rules.seats), others)
    turned = format_card(_trump_card(record))
    if (tags["Trump"], tags["Up"]) != (turned[1], turned):
        raise ValueError(f"the tags Trump and Up do not fit the pack, whose turned card is {turned}")
    return record


def _trump_card(record: GameRecord) -> int:
    dealt = 6 * record.rules.seats
    return record.pack[dealt] if dealt < len(record.pack) else record.pack[-1]


def _format_result(result: Result | None) -> str:
    if result is None:
        return "*"
    places = ".".join(str(seat) for seat in result.places)
    durak = "" if result.durak is None else f" {result.durak}"
    return f"{result.kind}{durak} {result.reason}" + (f" {places}" if places else "")


def _parse_result(text: str, seats: int) -> Result | None:
    if text == "*":
        return None
    match = re.fullmatch(r"(?:durak ([0-5])|draw) ([a-z_]+)(?: ([0-5](?:\.[0-5])*))?", text)
    if not match or match[2] not in REASONS[1:]:
        raise ValueError(f"{text!r} is no result, such as 'durak 1 cards 0.2', 'draw empty 0.1' or '*'")
    places = tuple(int(seat) for seat in match[3].split(".")) if match[3] else ()
    durak = None if match[1] is None else int(match[1])
    if any(seat >= seats for seat in (*places, durak or 0)):
        raise ValueError(f"{text!r} names a seat that is none of a table for {seats}")
    return Result("draw" if durak is None else "durak", match[2], durak, places)


def _escape(text: str) -> str:
    if any(ord(letter) < 32 for letter in text):
        raise ValueError(f"a tag holds no control characters: {text!r}")
    return text.replace("\\", "\\\\").replace('"', '\\"')


"""
Whole games as text, with what happened and what every seat saw after each move.

A file begins as a game's file does. Then, for each move: its number and text, an indented line for each event, and for each seat and a
spectator (`-`) the view in notation, with the legal moves behind a bar.

`PYTHONPATH=src python -m tests.golden.playthroughs` writes the files again from the moves that they hold; a missing one gets a new game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from random import Random

from kozyr.core.cards import format_card, format_cards
from kozyr.core.events import Event
from kozyr.core.moves import Move
from kozyr.core.notation import format_view
from kozyr.core.options import Rules
from kozyr.core.position import Position
from kozyr.core.record import GameRecord, format_game, parse_game, record_of, replay
from kozyr.core.setup import start
from kozyr.core.views import view
from tests.core.strategies import Game, play_random

FOLDER = Path(__file__).parent
SIZE_MAX = 150_000

# The tables, and a seed whose random game shows much of what is special about each.
GAMES: dict[str, tuple[Rules, int]] = {
    "heads_up_throw_in_24": (Rules(deck=24, seats=2), 37),
    "six_seats_transfer_36": (Rules(deck=36, seats=6, transfer=True, show_transfer=True), 28),
    "cheating_four_seats": (Rules(deck=36, seats=4, transfer=True, cheat=True), 252),
    "rollback_three_seats": (Rules(deck=24, seats=3, cheat=True, penalty="rollback"), 17),
    "draws_off": (Rules(deck=36, seats=2, transfer=True, draws=False), 281),
    "joined_draw_order": (Rules(deck=36, seats=4, transfer=True, draw_order="joined", first_limit=6), 108),
}


def events_and_views(record: GameRecord) -> Iterator[str]:
    """
    Play a game again and tell it line by line.
    """
    told: list[str] = []

    def see(n: int, move: Move, position: Position, events: list[Event]) -> None:
        told.extend(["", f"{n} {move}", *(f"  {words(event)}" for event in events), *seen(position)])

    yield from seen(start(record.rules, record.pack, record.dealer, record.attacker))
    replay(record, see)
    yield from told


def seen(position: Position) -> Iterator[str]:
    """
    Write everybody's view.
    """
    for viewer in (*range(position.rules.seats), None):
        one = view(position, viewer)
        legal = ", ".join(move.text for move in one.legal)
        yield f"{'-' if viewer is None else viewer} {short(format_view(one))}" + (f" | {legal}" if legal else "")


def short(text: str) -> str:
    """
    Leave the options out of a view, which stand in the head of the file.
    """
    head, _, flags = text.rpartition("/")
    options = {field.name for field in fields(Rules)}
    return f"{head}/{','.join(flag for flag in flags.split(',') if flag.partition('=')[0] not in options)}"


def words(event: Event) -> str:
    """
    Write an event: its name, then what it says.
    """
    parts = []
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name in ("card", "attack", "turned") and value is not None:
            value = format_card(value)
        elif field.name == "cards":
            value = f"({format_cards(value)})"
        elif field.name == "order":
            value = ".".join(map(str, value))
        if value is not None:
            parts.append(f"{field.name}={value}")
    return f"{type(event).__name__} {' '.join(parts)}".rstrip()


def text_of(record: GameRecord) -> str:
    """
    Write a whole file.
    """
    head = format_game(record).partition("\n\n")[0]
    return "\n".join([head, "", *events_and_views(record)]) + "\n"


def read(path: Path) -> GameRecord:
    """
    Read the game that a file holds.
    """
    head, _, told = path.read_text(encoding="utf-8").partition("\n\n")
    moves = [line for line in told.splitlines() if line[:1].isdigit() and line.split(" ")[1].isdigit()]
    return parse_game("\n".join([head, "", *moves]) + "\n")


def new_game(name: str) -> GameRecord:
    """
    Play a new random game at a table of the list.
    """
    rules, seed = GAMES[name]
    game: Game = play_random(rules, Random(seed))
    return record_of(rules, game.pack, game.dealer, game.attacker, game.moves, {"Game": name.replace("_", " ")})


def main() -> None:
    """
    Write all files again.
    """
    for name in GAMES:
        path = FOLDER / f"{name}.txt"
        path.write_text(text_of(read(path) if path.exists() else new_game(name)), encoding="utf-8")


if __name__ == "__main__":
    main()

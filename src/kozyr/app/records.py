"""Finished games as files, and the proof that their shuffle was the committed one."""
from __future__ import annotations

import json
from collections.abc import Iterable

from kozyr.app.dealing import Previous, draw
from kozyr.app.events import Moved, TableCreated
from kozyr.app.evolve import steps
from kozyr.app.ports import Row
from kozyr.app.table import Game, Stage, Table, game_id, shuffle_of
from kozyr.core.moves import Move, parse_move_of
from kozyr.core.record import format_game, parse_game, record_of, replay
from kozyr.core.setup import LastGame
from kozyr.fair import Shuffle, verify


class NotOver(Exception):
    """A game whose shuffle is still secret."""


def game_record(table_id: str, rows: Iterable[Row], number: int) -> str:
    """
    Write game *number* of a table as a file, from the table's log.

    Its tag `Shuffle` is the record of the shuffle as JSON; `Previous` is there in later games of a table, since dealer and first attacker
    may follow from the game before.

    Raises: LookupError for a game that there is not, NotOver for one that is not over.
    """
    moves: list[Move] = []
    before: Previous | None = None
    found: Table | None = None
    for step in steps(table_id, rows):
        game = step.table.game
        if isinstance(step.event, TableCreated) or game is None or game.number != number:
            continue
        if game.stage is Stage.SEEDS:
            before = step.table.previous
        if isinstance(step.event, Moved):
            moves.append(parse_move_of(step.event.seat, step.event.move))
        found = step.table
    if found is None or found.game is None:
        raise LookupError(number)
    if found.game.stage is not Stage.OVER:
        raise NotOver(number)
    return write(found, found.game, moves, before)


def write(table: Table, game: Game, moves: list[Move], previous: Previous | None) -> str:
    """Write a finished game."""
    assert game.dealer is not None and game.attacker is not None
    tags = {
        "Game": game_id(table.id, game.number),
        "Players": ", ".join(f"{player.name} ({player.level or player.kind})" for player in table.players),
        "Commit": game.commitment,
        "Shuffle": json.dumps(shuffle_of(table, game).to_dict(), separators=(",", ":")),
        "Redeals": str(game.redeals),
    }
    if previous is not None:
        tags["Previous"] = format_previous(previous)
    return format_game(record_of(table.rules, game.pack, game.dealer, game.attacker, moves, tags))


def findings(text: str) -> list[str]:
    """
    Say what is wrong with the record of a game, one sentence each; nothing if all of it follows from the committed seeds.

    The moves are played again, the commitments checked, and dealer, pack, redeals and first attacker drawn anew.

    Raises: ValueError for a text that is no record, or whose moves are not legal.
    """
    record = parse_game(text)
    replay(record)
    if "Shuffle" not in record.tags:
        raise ValueError("the record has no tag Shuffle: nothing tells where its pack comes from")
    try:
        shuffle = Shuffle.from_dict(json.loads(record.tags["Shuffle"]))
    except json.JSONDecodeError as error:
        raise ValueError(f"the tag Shuffle is no JSON: {error}") from None
    if len(shuffle.seats) != record.rules.seats:
        raise ValueError(f"the shuffle has {len(shuffle.seats)} seats, the game {record.rules.seats}")
    verification = verify(shuffle)
    wrong = [str(finding) for finding in verification.findings]
    previous = parse_previous(record.tags["Previous"], record.rules.seats) if "Previous" in record.tags else None
    drawn = draw(record.rules, verification.stream, previous)
    compared = {
        "game": (shuffle.game, record.tags.get("Game", shuffle.game)),
        "commitment": (shuffle.server_commitment.hex(), record.tags.get("Commit", shuffle.server_commitment.hex())),
        "dealer": (drawn.dealer, record.dealer),
        "pack": (drawn.pack, record.pack),
        "redeals": (str(drawn.redeals), record.tags.get("Redeals", str(drawn.redeals))),
        "first attacker": (drawn.attacker, record.attacker),
    }
    return wrong + [f"the {what} does not follow from the seeds" for what, (derived, recorded) in compared.items() if derived != recorded]


def format_previous(previous: Previous) -> str:
    """Write what a later game asks of the one before: dealer, durak, first place, last defender; `-` for nobody."""
    last = previous.game
    return " ".join("-" if seat is None else str(seat) for seat in (previous.dealer, last.durak, last.winner, last.last_defender))


def parse_previous(text: str, seats: int) -> Previous:
    """
    Read what `format_previous` wrote.

    Raises: ValueError with the text.
    """
    words = text.split(" ")
    known = {str(seat): seat for seat in range(seats)}
    if len(words) != 4 or not all(word in known or (word == "-" and at in (1, 2)) for at, word in enumerate(words)):
        raise ValueError(f"{text!r} is no previous game: dealer, durak, first place and last defender, such as '2 1 0 1'")
    dealer, durak, winner, defender = (known.get(word) for word in words)
    assert dealer is not None and defender is not None
    return Previous(dealer, LastGame(durak, winner, defender))

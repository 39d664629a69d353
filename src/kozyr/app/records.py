"""Finished games, read from the log of their table."""
from __future__ import annotations

from collections.abc import Iterable

from kozyr.app.dealing import Drawn, Previous
from kozyr.app.events import Moved, Player
from kozyr.app.evolve import read_move, steps
from kozyr.app.gamefile import game_record
from kozyr.app.ports import Row
from kozyr.app.table import Stage, Table, shuffle_of
from kozyr.core.moves import Move
from kozyr.core.record import GameRecord


class NotOver(Exception):
    """A game whose shuffle is still secret."""


def finished_game(table_id: str, rows: Iterable[Row], number: int) -> GameRecord:
    """
    Make the record of game *number* of a table from the table's log.

    Raises: LookupError for a game that there is not, NotOver for one that is not over.
    """
    moves: list[Move] = []
    before: Previous | None = None
    seated: tuple[Player | None, ...] = ()
    found: Table | None = None
    for step in steps(table_id, rows):
        game = step.table.game
        if game is None or game.number != number:
            continue
        if game.stage is Stage.SEEDS:
            before, seated = step.table.previous, step.table.players
        if isinstance(step.event, Moved):
            moves.append(read_move(step.event.seat, step.event.move))
        found = step.table
    if found is None or found.game is None:
        raise LookupError(number)
    game = found.game
    if game.stage is not Stage.OVER:
        raise NotOver(number)
    assert game.dealer is not None and game.attacker is not None
    drawn = Drawn(game.dealer, game.pack, game.redeals, game.attacker)
    players = [f"{player.name} ({player.level or player.kind})" for player in seated if player is not None]
    return game_record(found.rules, drawn, moves, players, shuffle_of(found, game), before)

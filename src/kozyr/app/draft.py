"""Events that a command makes of a table, before they are in the log; and what every decision needs."""
from __future__ import annotations

from kozyr.app.commands import Refusal, Seated, Seeds
from kozyr.app.dealing import draw
from kozyr.app.events import By, Dealt, GameEnded, GameOpened, Moved, TableEvent
from kozyr.app.evolve import Step, evolve, game_of, pack_text
from kozyr.app.table import Game, Table, game_id, shuffle_of
from kozyr.core.codes import OVER
from kozyr.core.play import result_of
from kozyr.fair import commit_server


class Draft:
    """
    Events that a command makes of a table, each already added; nothing is in the log yet.

    `steps` has for each event the table after it and what viewers are told of it.
    """

    def __init__(self, table: Table, now: int) -> None:
        self.table = table
        self.now = now
        self.steps: list[Step] = []

    def add(self, event: TableEvent) -> None:
        """Add an event."""
        self.table, told = evolve(self.table, self.now, event)
        self.steps.append(Step(event, self.table, told))


class Refused(Exception):
    """Leaves a decision early."""

    def __init__(self, code: str, about: str = "") -> None:
        super().__init__(code)
        self.refusal = Refusal(code, about)


def open_game(draft: Draft, seeds: Seeds) -> None:
    """Open the table's next game; where only bots sit it is dealt at once."""
    table = draft.table
    number = 1 if table.game is None else table.game.number + 1
    commitment = commit_server(game_id(table.id, number), seeds.server).hex()
    persons = table.persons
    bots = [None if seat in persons else seed.hex() for seat, seed in enumerate(seeds.seats)]
    draft.add(GameOpened(number, commitment, seeds.server.hex(), bots))
    deal_when_ready(draft)


def deal_when_ready(draft: Draft) -> None:
    """Deal once nothing more is awaited for the shuffle."""
    game = game_of(draft.table)
    if game.may_deal:
        drawn = draw(draft.table.rules, shuffle_of(draft.table, game).stream(), draft.table.previous)
        draft.add(Dealt(drawn.dealer, pack_text(drawn.pack), drawn.redeals, drawn.attacker))


def make_move(draft: Draft, seat: int, text: str, by: By) -> None:
    """Add a move, and the end of the game where it ends it."""
    draft.add(Moved(seat, text, by))
    game = draft.table.game
    assert game is not None and game.position is not None
    position = game.position
    if position.phase == OVER:
        result = result_of(position)
        draft.add(GameEnded(result.durak, list(result.places), result.reason))


def seat_of(command: Seated) -> int:
    """Return the seat of a command, which `decide` has checked."""
    assert command.seat is not None
    return command.seat


def present(table: Table) -> Game:
    """Return the present game, or refuse."""
    if table.game is None:
        raise Refused("not_dealt")
    return table.game


def numbered(table: Table, number: int) -> Game:
    """Return the present game if it is the one that the command was meant for, or refuse."""
    game = present(table)
    if game.number != number:
        raise Refused("stale", str(game.number))
    return game

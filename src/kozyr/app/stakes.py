"""What the events of a staked game do to the books of coins."""
from __future__ import annotations

from collections.abc import Iterable

from kozyr.app.events import GameEnded, GameOpened, TableClosed
from kozyr.app.evolve import Step
from kozyr.app.table import Table, game_id
from kozyr.ledger import Entry, Terms, refunds, settle, stakes


def entries_of(steps: Iterable[Step], at: int, terms: Terms) -> list[Entry]:
    """
    List the entries that belong to events: all stakes when a game opens, the pot by places when it ends, or everything back.

    Source: R15.2-R15.5.
    """
    entries = []
    for step in steps:
        rules = step.table.rules
        if not rules.stake:
            continue
        if isinstance(step.event, GameOpened):
            entries.append(stakes(name_of(step.table), guests_of(step.table), rules.stake, at, terms))
        elif isinstance(step.event, GameEnded):
            ended = step.event
            forfeit = ended.reason == "forfeit"
            name, guests = name_of(step.table), guests_of(step.table)
            entries.append(settle(name, guests, rules.stake, rules.split, ended.places, ended.durak, at, forfeit=forfeit))
        elif isinstance(step.event, TableClosed) and step.event.game:
            entries.append(refunds(game_id(step.table.id, step.event.game), guests_of(step.table), rules.stake, at))
    return entries


def name_of(table: Table) -> str:
    """Name the present game as the books do."""
    assert table.game is not None
    return game_id(table.id, table.game.number)


def guests_of(table: Table) -> list[str]:
    """List who plays, by seat; at staked tables all are persons."""
    guests = [player.guest for player in table.players if player is not None and player.guest is not None]
    assert len(guests) == table.rules.seats, f"a staked game without a person at every seat of table {table.id}"
    return guests

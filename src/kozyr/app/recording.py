"""Writes down finished games for their players, from the events of the table."""
from __future__ import annotations

from collections.abc import Sequence

from kozyr.app.events import GameEnded
from kozyr.app.evolve import Step
from kozyr.app.played import Finished, Kind, Part, SeriesScore
from kozyr.app.table import Series, Table
from kozyr.ledger import payouts


def finished_of(before: Table, steps: Sequence[Step]) -> list[Finished]:
    """List the games that end with events of a table which stood at *before*; replaying the log gives the same."""
    found = []
    for step in steps:
        if isinstance(step.event, GameEnded):
            found.append(finished(before, step.table, step.event))
        before = step.table
    return found


def finished(before: Table, after: Table, ended: GameEnded) -> Finished:
    """Write down a game that ends: *before* still knows which seats the easy bot plays."""
    assert before.game is not None
    rules, players = after.rules, tuple(player for player in after.players if player is not None)
    assert len(players) == rules.seats, f"a game of table {after.id} ends with an empty seat"
    paid: Sequence[int | None] = [None] * rules.seats
    if rules.stake:
        given = payouts(rules.stake, rules.seats, rules.split, ended.places, ended.durak, forfeit=ended.reason == "forfeit")
        paid = [coins - rules.stake for coins in given]
    parts = [
        part(player.guest, seat, ended, paid[seat], has_left=seat in before.game.autopilot)
        for seat, player in enumerate(players)
        if player.guest is not None
    ]
    kind = Kind(rules.deck, rules.seats, rules.transfer, rules.cheat, rules.stake > 0)
    series = None if after.series is None else score_of(after, after.series, before.game.number)
    return Finished(after.id, before.game.number, after.at, kind, dict(rules.differences()), players, tuple(parts), series)


def part(guest: str, seat: int, ended: GameEnded, coins: int | None, *, has_left: bool) -> Part:
    """
    Say what a game was to a person.

    Where a forfeit ends the game the seats that are left share the next place.

    Source: R16.3.
    """
    if has_left or seat == ended.durak:
        return Part(guest, seat, None, True, False, coins)
    place = ended.places.index(seat) + 1 if seat in ended.places else None
    if ended.durak is None:
        return Part(guest, seat, place, False, True, coins)
    return Part(guest, seat, place or len(ended.places) + 1, False, False, coins)


def score_of(table: Table, series: Series, game: int) -> SeriesScore:
    """Write down the score of a series after a game."""
    rules = table.rules
    return SeriesScore(
        game - series.games + 1, series.games, rules.series_games, series.wins, series.losses, tuple(series.standing), series.is_over(rules)
    )  # fmt: skip

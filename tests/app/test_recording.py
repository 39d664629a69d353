"""What a finished game leaves in its players' records."""
from __future__ import annotations

from kozyr.app.commands import Play, TakeBack
from kozyr.app.decide import Draft, decide
from kozyr.app.events import GameEnded
from kozyr.app.evolve import Step, steps
from kozyr.app.played import Finished, Kind, Part
from kozyr.app.recording import finished_of, part
from kozyr.app.table import Table
from tests.app.play import NOW, dealt, done, some_move
from tests.sim.test_stakes import Bank, begin, deal, gathered


def ended(table: Table) -> tuple[Table, list[Step], Table]:
    """Play to the end: the table before the last command, the steps of it, and the table after."""
    while True:
        command = some_move(table)
        draft = decide(table, command, NOW)
        assert isinstance(draft, Draft), draft
        if not draft.table.is_running:
            return table, draft.steps, draft.table
        table = draft.table


def test_a_place_counts_from_one_and_the_durak_has_none() -> None:
    """First out, second out, the durak."""
    over = GameEnded(1, [2, 0], "normal")
    assert [Part("g", 0, 2, False, False, None), Part("g", 1, None, True, False, -50), Part("g", 2, 1, False, False, 50)] == [
        part("g", seat, over, coins, has_left=False) for seat, coins in ((0, None), (1, -50), (2, 50))
    ]


def test_whoever_left_the_seat_for_good_is_the_durak_in_their_own_record() -> None:
    """Whatever place the easy bot has played to (R16.3); the others' records say what happened at the table."""
    over = GameEnded(1, [2, 0], "normal")
    assert Part("g", 2, None, True, False, None) == part("g", 2, over, None, has_left=True)
    assert Part("g", 1, None, True, False, None) == part("g", 1, over, None, has_left=False)


def test_where_a_forfeit_ends_the_game_the_others_share_the_next_place() -> None:
    """Of four, one was out and one left: the other two are second (R16.3)."""
    over = GameEnded(1, [2], "forfeit")
    assert [2, None, 1, 2] == [part("g", seat, over, None, has_left=False).place for seat in range(4)]
    assert 1 == part("g", 0, GameEnded(1, [], "forfeit"), None, has_left=False).place


def test_a_drawn_game_is_nobodys() -> None:
    """Who was out before keeps the place; nobody is the durak (R11.7)."""
    over = GameEnded(None, [2], "draw")
    assert [(None, True, False), (None, True, False), (1, True, False)] == [
        (each.place, each.drawn, each.durak) for each in (part("g", seat, over, None, has_left=False) for seat in range(3))
    ]


def test_a_game_is_written_down_with_the_events_that_end_it() -> None:
    """Once, with who played, by which options, how it ended; bots have no record."""
    table = dealt(2, 1, transfer=True)
    before, taken, after = ended(table)
    (game,) = finished_of(before, taken)
    assert after.game is not None and after.game.ended is not None
    assert ("t1", 1, NOW, Kind(36, 3, True, False, False), None) == (game.table, game.game, game.at, game.kind, game.series)
    assert {"deck": 36, "seats": 3, "transfer": True} == game.options and after.players == game.players
    assert [0, 1] == [each.seat for each in game.parts] and ["guest0", "guest1"] == [each.guest for each in game.parts]
    assert [seat == after.game.ended.durak for seat in (0, 1)] == [each.durak for each in game.parts]
    assert [] == finished_of(table, taken[:0])


def test_a_seat_that_came_back_is_no_seat_that_left() -> None:
    """Whoever takes the seat back before the end has the place that was reached (R16.3)."""
    table = dealt(3)
    for has_come_back in (False, True):
        left = done(table, Play(2, "resign", 1, "x"))
        if has_come_back:
            left = done(left, TakeBack(2, 1, "y"))
        assert left.game is not None and (2 in left.game.autopilot) != has_come_back
        over = Step(GameEnded(0, [2, 1], "normal"), left, [])
        (game,) = finished_of(left, [over])
        assert (1 if has_come_back else None, not has_come_back) == (game.parts[2].place, game.parts[2].durak)


def test_a_series_is_written_down_by_its_first_game() -> None:
    """With its score after each game, the standing and whether it is over (R12)."""
    table = dealt(2, 1, series=True, series_games=3)
    before, taken, after = ended(table)
    (game,) = finished_of(before, taken)
    assert game.series is not None and after.series is not None
    assert (1, 1, 3, False) == (game.series.first, game.series.games, game.series.of, game.series.is_over)
    assert after.series.wins == game.series.wins and tuple(after.series.standing) == game.series.standing


async def test_the_log_gives_the_same_records_again() -> None:
    """What was written with the events is what a replay of the log makes of them, for coins and forfeits too (I4)."""
    world = Bank()
    tables = await world.process()
    await world.grant(2)
    live = await gathered(tables, 2)
    await begin(tables, live)
    await deal(live)
    await live.handle(Play(1, "resign", 1, "z"))
    written = list(world.store.finished)
    replayed: list[Finished] = []
    for table_id, rows in world.store.rows.items():
        before: Table | None = None
        for step in steps(table_id, rows):
            if before is not None:
                replayed += finished_of(before, [step])
            before = step.table
    assert written == replayed and written
    assert 0 == sum(each.coins or 0 for game in written for each in game.parts)

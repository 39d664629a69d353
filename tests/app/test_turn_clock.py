"""How long seats have, what starts their clocks anew, and what happens when the time is over."""
from __future__ import annotations

import pytest

from kozyr.app.commands import Lapse, Outage, Play, TakeBack
from kozyr.app.decide import Draft, decide
from kozyr.app.events import AutopilotSet, Moved, TableEvent, TimeGiven
from kozyr.app.table import Stage, Table
from kozyr.core.codes import CHALLENGE, DEFENCE, OPENING, TAKING, THROW_IN
from kozyr.core.judge import legal_moves, waiting_for
from tests.app.play import NOW, dealt, done, refused, some_move


def at(table: Table) -> int:
    """The phase of the present game."""
    assert table.position is not None
    return int(table.position.phase)


def left(table: Table, now: int = NOW) -> int | None:
    """What the clock has left."""
    return None if table.due is None else table.due - now


def lapsed(table: Table, lost: dict[int, int] | None = None) -> tuple[Table, list[TableEvent]]:
    """Let the clock act at the very moment at which it is due."""
    assert table.due is not None
    assert decide(table, Lapse(lost or {}), table.due - 1) is None
    draft = decide(table, Lapse(lost or {}), table.due)
    assert isinstance(draft, Draft)
    return draft.table, [step.event for step in draft.steps]


def moves(events: list[TableEvent]) -> list[tuple[int, str, str]]:
    return [(event.seat, event.move, event.by) for event in events if isinstance(event, Moved)]


def find(table: Table, seat: int, kind: str) -> str | None:
    """A legal move of a seat, of a kind."""
    assert table.position is not None
    return next((move.text for move in legal_moves(table.position, seat) if move.kind == kind), None)


def play(table: Table, seat: int, text: str, now: int = NOW) -> Table:
    assert table.position is not None
    return done(table, Play(seat, text, table.position.bout_no), now)


def attacked(people: int = 2, **options: object) -> Table:
    """A game whose first card lies."""
    table = dealt(people, **options)
    return done(table, some_move(table))


def search(kinds: tuple[str, str], people: int = 3, **options: object) -> tuple[Table, int, str]:
    """Find a deal in which a move of one kind can follow one of another after the first attack; the table, the seat and the second move."""
    for salt in range(200):
        table = attacked(people, salt=salt, **options)
        position = table.position
        assert position is not None
        for first in range(people):
            text = find(table, first, kinds[0])
            if text is None:
                continue
            after = play(table, first, text, NOW + 1000)
            for second in range(people):
                answer = find(after, second, kinds[1])
                if answer is not None:
                    return after, second, answer
    raise AssertionError(f"no deal with {kinds}")


@pytest.mark.parametrize("turn_s", [15, 30, 60, 120])
def test_a_turn_has_the_time_that_was_chosen(turn_s: int) -> None:
    """Opening and defence run the timer of the table (R16.1)."""
    table = dealt(2, turn_s=turn_s)
    assert (OPENING, turn_s * 1000) == (at(table), left(table))
    table = done(table, some_move(table), NOW + 500)
    assert (DEFENCE, turn_s * 1000) == (at(table), left(table, NOW + 500))


def test_a_table_without_a_timer_waits_for_ever() -> None:
    """The timer can be off (R16.1)."""
    table = dealt(2, turn_s=0)
    while table.game is not None and table.game.stage is Stage.PLAYING:
        assert table.due is None
        table = done(table, some_move(table))
    assert table.due is None


@pytest.mark.parametrize(("kind", "phase"), [("take", TAKING), ("beat", THROW_IN)])
def test_throwing_in_has_six_seconds_for_all(kind: str, phase: int) -> None:
    """When all is beaten or the defender takes, attacker and throwers have six seconds together (R16.1)."""
    table, _, _ = search((kind, "pass"))
    assert (phase, 6000) == (at(table), left(table, NOW + 1000))


def test_a_pass_of_one_does_not_give_the_others_more_time() -> None:
    """The six seconds are for all together (R16.1)."""
    table, seat, _ = search(("take", "pass"))
    due = table.due
    table = play(table, seat, "pass", NOW + 3000)
    assert (TAKING, due) == (at(table), table.due)


def test_a_throw_in_gives_nobody_more_time() -> None:
    """The defender's clock never restarts on a throw-in, nor that of the others while the defender takes (R16.1)."""
    table, seat, text = search(("attack", "attack"))
    assert (DEFENCE, NOW + 30_000) == (at(table), table.due)
    assert NOW + 30_000 == play(table, seat, text, NOW + 2000).due
    table, seat, text = search(("take", "attack"))
    assert table.due == play(table, seat, text, NOW + 2000).due


def test_a_beat_and_a_transfer_start_the_defenders_clock_anew() -> None:
    """Each card that the defender answers gives the whole time again; so does a transfer to the next defender (R16.1)."""
    table, seat, text = search(("attack", "beat"))
    table = play(table, seat, text, NOW + 5000)
    assert (DEFENCE, NOW + 35_000) == (at(table), table.due)
    table, seat, text = search(("attack", "transfer"), 4, transfer=True)
    table = play(table, seat, text, NOW + 5000)
    assert (DEFENCE, NOW + 35_000) == (at(table), table.due)


def test_the_floor_opening_starts_the_clock_anew() -> None:
    """Where the attacker goes first, the others have six seconds of their own once they may (R5.5, R16.1)."""
    table, seat, _ = search(("take", "pass"), throw_priority="attacker_first")
    assert table.position is not None and seat == table.position.attacker
    table = play(table, seat, "pass", NOW + 4000)
    if at(table) == TAKING:
        assert NOW + 10_000 == table.due


def test_an_attacker_who_goes_first_and_lapses_opens_the_floor() -> None:
    """The time-out passes for the attacker alone; the others still have their own six seconds (R5.5, R16.2)."""
    table, seat, _ = search(("take", "pass"), throw_priority="attacker_first")
    due = table.due
    assert due is not None
    table, events = lapsed(table)
    assert [(seat, "pass", "clock")] == moves(events)
    assert (TAKING, due + 6000) == (at(table), table.due)


def test_who_does_not_attack_in_time_plays_the_lowest_plain_card() -> None:
    """The default of an attacker; the clock of the defender starts (R16.2)."""
    table = dealt(2)
    due, position = table.due, table.position
    assert due is not None and position is not None
    table, events = lapsed(table)
    [(seat, text, by)] = moves(events)
    assert (position.attacker, "clock") == (seat, by) and text.startswith("attack ")
    assert (DEFENCE, due + 30_000) == (at(table), table.due)


def test_who_does_not_defend_in_time_takes_and_all_pass_together() -> None:
    """The defender takes; six seconds later everybody who was waited for passes in one step (R16.2)."""
    table = attacked(3)
    position = table.position
    assert position is not None
    table, events = lapsed(table)
    assert [(position.defender, "take", "clock")] == moves(events)
    if at(table) == TAKING:
        waiting = {seat for seat in range(3) if table.position is not None and waiting_for(table.position) >> seat & 1}
        table, events = lapsed(table)
        assert {(seat, "pass", "clock") for seat in waiting} == set(moves(events))
    assert at(table) == OPENING


def test_passing_late_is_no_lapse() -> None:
    """Only opening and defence count (R16.2)."""
    table = attacked(2)
    table, _ = lapsed(table)
    assert table.game is not None and 1 == sum(table.game.lapses)
    for _ in range(4):
        if at(table) in (TAKING, THROW_IN):
            table, _ = lapsed(table)
            assert table.game is not None and 1 == sum(table.game.lapses)


def idle(table: Table, lazy: int) -> tuple[Table, list[TableEvent]]:
    """Let one seat's time run out again and again while the others play at once, until that seat's third lapse."""
    for _ in range(200):
        assert table.game is not None and table.position is not None
        if waiting_for(table.position) >> lazy & 1 and at(table) in (OPENING, DEFENCE):
            table, events = lapsed(table)
            if not moves(events) or moves(events)[0][1] == "resign":
                return table, events
        elif waiting_for(table.position) >> lazy & 1 and not others(table, lazy):
            table, _ = lapsed(table)
        else:
            table = done(table, others(table, lazy)[0], table.at)
    raise AssertionError("never three lapses")


def others(table: Table, lazy: int) -> list[Play]:
    """Moves of the seats that are waited for, but one: they take and pass."""
    assert table.position is not None
    found = []
    for seat in range(table.rules.seats):
        if seat != lazy and waiting_for(table.position) >> seat & 1:
            text = find(table, seat, "pass") or find(table, seat, "take") or find(table, seat, "attack")
            if text is not None:
                found.append(Play(seat, text, table.position.bout_no))
    return found


def test_the_third_lapse_in_a_row_forfeits() -> None:
    """At a table of two the game is over, and who was away is the durak (R16.2, R16.3)."""
    table, events = idle(dealt(2), 1)
    assert [(1, "resign", "clock")] == moves(events)
    assert table.game is not None and table.game.ended is not None
    assert (1, "forfeit", 3, None) == (table.game.ended.durak, table.game.ended.reason, table.game.lapses[1], table.due)


def test_at_a_free_table_of_three_the_easy_bot_plays_on() -> None:
    """The seat is on autopilot; its player may take it back and starts without lapses (R16.3)."""
    table, events = idle(dealt(3), 2)
    assert [AutopilotSet(2, True)] == events
    assert "easy" == table.bot_at(2)
    assert table.due == table.at + 30_000
    table = done(table, TakeBack(2, 1), table.at + 1000)
    assert table.game is not None
    assert (None, 0, table.at + 29_000) == (table.bot_at(2), table.game.lapses[2], table.due)


def test_leaving_and_coming_back_buys_no_time() -> None:
    """Giving one's seat to the bot and taking it back leaves the clock as it is (R16.1)."""
    table = dealt(3)
    assert table.position is not None
    seat, due = table.position.attacker, table.due
    table = done(table, Play(seat, "resign", 1), NOW + 5000)
    assert due == table.due
    assert due == done(table, TakeBack(seat, 1), NOW + 6000).due


def test_a_move_of_ones_own_ends_the_row() -> None:
    """Two lapses, a card, two lapses: no forfeit. A pass, which a client may make by itself, is no sign of life (R5.7, R16.2)."""
    table = dealt(2)
    counts = []
    for _ in range(60):
        assert table.game is not None and table.position is not None
        if table.game.stage is not Stage.PLAYING:
            break
        if waiting_for(table.position) >> 1 & 1:
            mine = find(table, 1, "pass")
            if mine is not None:
                table = play(table, 1, mine, table.at)
            elif table.game.lapses[1] < 2:
                table, _ = lapsed(table)
            else:
                table = play(table, 1, find(table, 1, "take") or some_move(table).text, table.at)
            counts.append(table.game.lapses[1] if table.game is not None else 0)
        else:
            table = done(table, others(table, 1)[0], table.at)
    assert table.game is not None
    assert {0, 1, 2} >= set(counts) and table.game.ended != "forfeit"


def test_with_the_strict_timer_the_first_lapse_forfeits() -> None:
    """`timeout: forfeit` (R16.2)."""
    table = dealt(2, timeout="forfeit")
    assert table.position is not None
    seat = table.position.attacker
    table, events = lapsed(table)
    assert [(seat, "resign", "clock")] == moves(events)


def test_a_bot_never_forfeits() -> None:
    """Should a bot's process hang, the clock plays for it, and nothing is counted."""
    table = dealt(0, 2)
    for _ in range(12):
        table, events = lapsed(table)
        assert {"bot"} == {by for _, _, by in moves(events)}
        assert table.game is not None
        assert (0, 0) == table.game.lapses


def test_a_lost_connection_has_two_seconds_more_once() -> None:
    """A seat whose connection was lost while its clock ran has two seconds to come back, then its time is over (R16.1)."""
    table = dealt(2)
    assert table.position is not None and table.due is not None
    seat, due = table.position.attacker, table.due
    table, events = lapsed(table, {seat: NOW + 20_000})
    assert [TimeGiven(2000, "network")] == events
    assert due + 2000 == table.due
    table, events = lapsed(table, {seat: NOW + 20_000})
    assert 1 == len(moves(events))


def test_who_was_away_before_has_no_grace() -> None:
    """Nor does the connection of a seat count that nobody waits for (R16.1)."""
    table = dealt(2)
    assert table.position is not None
    seat = table.position.attacker
    for lost in ({seat: NOW - 1}, {1 - seat: NOW + 5}):
        _, events = lapsed(table, lost)
        assert 1 == len(moves(events))


def test_the_window_for_challenges_has_no_grace() -> None:
    """It is as long at every bout, whoever is there (R14.5)."""
    table = dealt(3, cheat=True)
    while at(table) != CHALLENGE:
        table = done(table, some_move(table))
    _, events = lapsed(table, {0: NOW, 1: NOW, 2: NOW})
    assert 3 == len(moves(events))


def test_the_servers_own_time_is_given_back_once() -> None:
    """What ran off a clock while no server was there is put on again; what has happened since has had its time (R16.1)."""
    table = dealt(2)
    away = Outage(NOW + 10_000, NOW + 100_000)
    draft = decide(table, Lapse(outage=away), NOW + 100_000)
    assert isinstance(draft, Draft)
    assert [TimeGiven(20_000, "server")] == [step.event for step in draft.steps]
    assert NOW + 120_000 == draft.table.due
    assert decide(draft.table, Lapse(outage=away), NOW + 110_000) is None
    again = decide(draft.table, Lapse(outage=away), NOW + 120_000)
    assert isinstance(again, Draft) and 1 == len(moves([step.event for step in again.steps]))


def test_a_clock_that_had_run_out_before_is_not_lengthened() -> None:
    """The server's absence gives back what it took, not more; a table written after the last sign of life lost less (R16.1)."""
    table = dealt(2)
    late = decide(table, Lapse(outage=Outage(NOW + 30_000, NOW + 90_000)), NOW + 90_000)
    assert isinstance(late, Draft) and 1 == len(moves([step.event for step in late.steps]))
    soon = decide(table, Lapse(outage=Outage(NOW - 5000, NOW + 2000)), NOW + 2000)
    assert isinstance(soon, Draft)
    assert NOW + 32_000 == soon.table.due


def test_the_clock_is_refused_to_nobody_and_given_to_nobody() -> None:
    """A player cannot let the clock act: there is no such move."""
    assert ("bad_move", "lapse") == refused(dealt(2), Play(0, "lapse", 1))

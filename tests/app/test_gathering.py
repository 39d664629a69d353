"""People come to a table, are ready, go; and who looks after it."""
from __future__ import annotations

import pytest

from kozyr.app.commands import AskAgain, Close, Lapse, Leave, Play, Ready, Redress, SeatBot, Sit, UnseatBot, Withdraw
from kozyr.app.decide import Draft, decide, open_table
from kozyr.app.events import GameOpened, Player, ReadySet, Redressed, SeatLeft, TableClosed, TableEvent
from kozyr.app.gathering import HERE_MS
from kozyr.app.table import WAIT_MS, Stage, Table
from kozyr.core.options import Rules
from tests.app.play import NOW, bot, commit, done, person, played_out, refused, reveal, seeds


def waiting(taken: int = 1, **options: object) -> Table:
    """A table with empty seats."""
    rules = Rules.of({"seats": 3, **options})
    players = [person(seat) if seat < taken else None for seat in range(rules.seats)]
    return open_table("t1", rules, players, seeds(rules.seats), NOW).table


def sit(seat: int, wanted: int | None = None) -> Sit:
    return Sit(person(seat), wanted)


def ready(seat: int, on: bool = True, lost: dict[int, int] | None = None) -> Ready:
    return Ready(seat, on, seeds(3), lost or {})


def seat_bot(at: int, seat: int = 0) -> SeatBot:
    return SeatBot(seat, at, "easy", seeds(3))


def events(table: Table, command: object, now: int = NOW) -> list[TableEvent]:
    draft = decide(table, command, now)  # type: ignore[arg-type]
    assert isinstance(draft, Draft), draft
    return [step.event for step in draft.steps]


def full() -> Table:
    """Three persons who are not ready yet."""
    return done(done(waiting(), sit(1)), sit(2))


def begun() -> Table:
    table = full()
    for seat in range(3):
        table = done(table, ready(seat))
    return table


def test_a_table_gathers_until_all_are_there_and_ready() -> None:
    """The game opens by itself with the last one who is ready, and not before."""
    table = done(waiting(), ready(0))
    table = done(done(table, sit(1)), ready(1))
    assert (Stage.GATHERING, None) == (table.stage, table.game)
    table = done(table, sit(2))
    assert Stage.GATHERING is table.stage
    assert [ReadySet, GameOpened] == [type(event) for event in events(table, ready(2))]
    table = done(table, ready(2))
    assert (Stage.SEEDS, frozenset()) == (table.stage, table.ready)


def test_one_person_and_bots_play_at_once() -> None:
    """Play now waits for nobody."""
    assert Stage.SEEDS is open_table("t1", Rules(seats=2), [person(0), bot(1)], seeds(2), NOW).table.stage


def test_the_first_empty_seat_or_the_one_asked_for() -> None:
    """Whoever joins by the link sits down where there is room; nobody sits on another."""
    table = waiting()
    assert 1 == done(table, sit(7)).seat_of("guest7")
    assert ("already", "") == refused(done(table, sit(7)), sit(7, 2))
    table = done(table, sit(7, 2))
    assert 2 == table.seat_of("guest7")
    assert ("seat_taken", "2") == refused(table, sit(8, 2))
    assert ("seat_taken", "5") == refused(table, sit(8, 5))
    assert ("table_full", "") == refused(done(table, sit(8)), sit(9))


def test_ready_can_be_taken_back() -> None:
    """And is said once."""
    table = done(full(), ready(1))
    assert ("already", "") == refused(table, ready(1))
    table = done(table, ready(1, False))
    assert frozenset() == table.ready
    assert ("already", "") == refused(table, ready(1, False))


def test_whoever_leaves_frees_the_seat() -> None:
    """Somebody else can sit there; the others are still ready."""
    table = done(done(full(), ready(0)), ready(2))
    table = done(table, Leave(2))
    assert (None, None, frozenset({0})) == (table.players[2], table.seat_of("guest2"), table.ready)
    assert 2 == done(table, sit(5)).seat_of("guest5")


def test_another_picture_changes_nothing_else() -> None:
    """It is shown at once, whoever is ready and whatever series is counted; the same one again is refused, a bot has none."""
    table = done(full(), ready(0))
    after = done(table, Redress(2, 7))
    assert isinstance(after.players[2], Player)
    assert ("guest2", 7, frozenset({0}), table.wait) == (after.players[2].guest, after.players[2].avatar, after.ready, after.wait)
    assert ("already", "") == refused(after, Redress(2, 7))
    assert [Redressed(2, 0)] == events(after, Redress(2, 0))


def test_the_operator_closes_a_table_and_it_is_known_why() -> None:
    """A table that is left closes by itself; a game that runs is cut short."""
    left, closed = done(waiting(), Leave(0)), done(full(), Close())
    assert (TableClosed(), TableClosed("operator")) == (left.closing, closed.closing)
    assert TableClosed("operator", 1) == done(done(done(done(full(), ready(0)), ready(1)), ready(2)), Close()).closing


def test_the_table_closes_behind_the_last_person() -> None:
    """Bots do not keep a table open; nobody can join a closed one."""
    table = done(waiting(), seat_bot(2))
    assert [SeatLeft, TableClosed] == [type(event) for event in events(table, Leave(0))]
    table = done(table, Leave(0))
    assert (Stage.CLOSED, None) == (table.stage, table.due)
    assert ("table_closed", "") == refused(table, sit(1))


def test_nobody_leaves_or_changes_anything_while_a_game_runs() -> None:
    """Options and seats are the game's as long as it runs; who wants to go resigns (R1.3)."""
    table = begun()
    for command in (Leave(1), ready(1), ready(1, False), seat_bot(1), UnseatBot(0, 1)):
        assert ("game_runs", "") == refused(table, command)
    assert ("table_full", "") == refused(table, sit(9))
    assert ("not_over", "") == refused(table, AskAgain(1, 1, seeds(3)))


def test_the_host_seats_bots_and_sends_them_away() -> None:
    """Only the host, only at empty seats, and never a person away."""
    table = done(waiting(), sit(1))
    assert ("not_host", "") == refused(table, seat_bot(2, seat=1))
    table = done(table, seat_bot(2))
    assert "easy" == table.bot_at(2)
    assert ("seat_taken", "2") == refused(table, seat_bot(2))
    assert ("seat_taken", "5") == refused(table, seat_bot(5))
    assert ("no_bot", "1") == refused(table, UnseatBot(0, 1))
    assert ("no_bot", "5") == refused(table, UnseatBot(0, 5))
    assert ("not_host", "") == refused(table, UnseatBot(1, 2))
    assert done(table, UnseatBot(0, 2)).players[2] is None


def test_a_bot_can_complete_a_table() -> None:
    """All persons are ready, the host fills the last seat, and the game opens."""
    table = done(done(done(waiting(), sit(1)), ready(0)), ready(1))
    assert GameOpened in [type(event) for event in events(table, seat_bot(2))]


def test_no_bots_at_staked_tables() -> None:
    """None is minted by play, and none is lost to a bot (R15)."""
    assert ("bots_at_stake", "") == refused(waiting(stake=10), seat_bot(1))


def test_another_host_follows() -> None:
    """When the host leaves, the next person looks after the table."""
    table = full()
    assert 0 == table.host_seat
    table = done(table, Leave(0))
    assert 1 == table.host_seat
    table = done(table, sit(0))
    assert 1 == table.host_seat


def test_whoever_is_away_is_not_ready() -> None:
    """Said ready, closed the tab: the game does not open without them, and opens when they say it again."""
    table = done(done(full(), ready(0)), ready(1))
    gone = {1: NOW - HERE_MS}
    assert [ReadySet(2, True), ReadySet(1, False)] == events(table, ready(2, lost=gone))
    table = done(table, ready(2, lost=gone))
    assert frozenset({0, 2}) == table.ready
    assert Stage.SEEDS is done(table, ready(1)).stage
    just = {1: NOW - HERE_MS + 1}
    assert Stage.SEEDS is done(done(done(full(), ready(0)), ready(1)), ready(2, lost=just)).stage


def test_a_seat_is_kept_for_ten_minutes() -> None:
    """Then whoever is away has left; those who are here stay, and a table of nobody closes."""
    table = full()
    assert NOW + WAIT_MS == table.due
    then = NOW + WAIT_MS
    assert decide(table, Lapse({0: NOW, 1: NOW}), then - 1) is None
    assert [SeatLeft(0), SeatLeft(1)] == events(table, Lapse({0: NOW, 1: NOW, 2: then - 5}), then)
    assert [SeatLeft(0), SeatLeft(1), SeatLeft(2), TableClosed()] == events(table, Lapse({0: NOW, 1: NOW, 2: NOW}), then)
    table = done(table, Lapse({}), then)
    assert (3, then + WAIT_MS) == (len(table.persons), table.due)


def over() -> Table:
    table = begun()
    for make in (commit, reveal):
        for seat in range(3):
            table = done(table, make(table, seat))
    return played_out(table)


def test_after_a_game_seats_can_change() -> None:
    """One leaves, another comes, all want another game: it opens, with a dealer by lot (R2.5)."""
    table = over()
    assert (Stage.OVER, None) == (table.stage, table.due)
    table = done(table, AskAgain(0, 1, seeds(3)))
    table = done(table, Leave(1))
    assert (None, 0) == (table.previous, table.host_seat)
    table = done(table, AskAgain(2, 1, seeds(3)))
    assert Stage.OVER is table.stage
    table = done(table, sit(8))
    assert ("game_runs", "") == refused(table, ready(1))
    table = done(table, AskAgain(1, 1, seeds(3)))
    assert table.game is not None
    assert (Stage.SEEDS, 2, "guest8") == (table.stage, table.game.number, getattr(table.players[1], "guest", None))


def test_wanting_another_game_can_be_taken_back() -> None:
    """Until all have asked."""
    table = done(over(), AskAgain(0, 1, seeds(3)))
    table = done(table, ready(0, False))
    assert frozenset() == table.ready


def test_who_cannot_pay_is_not_ready() -> None:
    """The table goes on gathering (R15.2)."""
    table = done(done(full(), ready(0)), ready(1))
    assert frozenset({0}) == done(table, Withdraw((1, 2))).ready


def score(table: Table) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    assert table.series is not None
    return table.series.wins, table.series.losses, table.series.games


def played(table: Table, number: int) -> Table:
    """Play the next game of a table whose seats are all persons."""
    for seat in range(table.rules.seats):
        table = done(table, AskAgain(seat, number - 1, seeds(3, number))) if number > 1 else done(table, ready(seat))
    for make in (commit, reveal):
        for seat in range(table.rules.seats):
            table = done(table, make(table, seat))
    return played_out(table)


def test_a_series_counts_first_outs_and_duraks() -> None:
    """Wins and losses apart, nothing after a draw; a new series follows the last game (R12)."""
    table = done(done(waiting(series=True, series_games=3), sit(1)), sit(2))
    wins, losses = [0, 0, 0], [0, 0, 0]
    for number in (1, 2, 3):
        table = played(table, number)
        assert table.game is not None and table.game.ended is not None
        if table.game.ended.durak is not None:
            losses[table.game.ended.durak] += 1
            wins[table.game.ended.places[0]] += 1
        assert (tuple(wins), tuple(losses), number) == score(table)
        if number > 1 and table.previous is not None:
            assert table.game.dealer is not None
    assert table.series is not None and table.series.is_over(table.rules)
    best = table.series.standing
    assert best == sorted(best, key=lambda seat: (losses[seat] - wins[seat], losses[seat], seat))
    for seat in range(3):
        table = done(table, AskAgain(seat, 3, seeds(3)))
    assert ((0, 0, 0), (0, 0, 0), 0) == score(table)


def test_a_forfeit_before_anybody_is_out_is_a_loss_alone() -> None:
    """Nobody has won (R12.1)."""
    table = done(waiting(seats=2, series=True), sit(1))
    for seat in (0, 1):
        table = done(table, Ready(seat, True, seeds(2)))
    for make in (commit, reveal):
        for seat in (0, 1):
            table = done(table, make(table, seat))
    table = done(table, Play(0, "resign", 1))
    assert ((0, 0), (1, 0), 1) == score(table)


def test_a_series_ends_when_a_seat_changes_hands() -> None:
    """The seats of a series are fixed (R12.2)."""
    table = played(done(done(waiting(series=True), sit(1)), sit(2)), 1)
    table = done(table, Leave(2))
    assert ((0, 0, 0), (0, 0, 0), 0) == score(table)


STRANGERS = [Leave(None), Ready(None, True, seeds(3)), SeatBot(None, 1, "easy", seeds(3)), UnseatBot(None, 1)]


@pytest.mark.parametrize("command", STRANGERS, ids=lambda command: type(command).__name__)
def test_who_has_no_seat_changes_nothing(command: object) -> None:
    """A stranger and a spectator only look."""
    assert ("not_seated", "") == refused(full(), command)  # type: ignore[arg-type]

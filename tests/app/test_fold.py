"""A table is the fold of its log, and nothing else (I4)."""
from __future__ import annotations

import msgspec
import pytest

from kozyr.app import events
from kozyr.app.commands import AskAgain, Command, Play, Ready
from kozyr.app.decide import Draft, decide, open_table
from kozyr.app.evolve import fold, steps
from kozyr.app.ports import Row
from kozyr.app.table import Stage, Table
from kozyr.core.notation import format_position
from kozyr.core.options import Rules
from tests.app.play import NOW, bot, commit, person, reveal, seeds, some_move


class Log:
    """A table that writes its log as rows, as a store would."""

    def __init__(self, people: int, bots: int, **options: object) -> None:
        players = [person(seat) for seat in range(people)] + [bot(people + seat) for seat in range(bots)]
        draft = open_table("t1", Rules.of({"seats": len(players), **options}), players, seeds(len(players)), NOW)
        self.rows: list[Row] = []
        self._write(draft)
        while self.table.game is None:
            seat = next(seat for seat in range(people) if seat not in self.table.ready)
            self.do(Ready(seat, True, seeds(len(players))))

    def _write(self, draft: Draft) -> None:
        for step in draft.steps:
            self.rows.append(Row(len(self.rows) + 1, draft.now, events.encode(step.event)))
        self.table = draft.table

    def do(self, command: Command, now: int = NOW) -> None:
        draft = decide(self.table, command, now)
        assert isinstance(draft, Draft), draft
        self._write(draft)


def agree(log: Log, people: int) -> None:
    for seat in range(people):
        log.do(commit(log.table, seat))
    for seat in range(people):
        log.do(reveal(log.table, seat))


def same(first: Table, second: Table) -> None:
    """Compare tables; positions as their notation, which holds everything."""
    for table in (first, second):
        assert table.game is not None
    assert first.game is not None and second.game is not None
    written = [None if game.position is None else format_position(game.position) for game in (first.game, second.game)]
    assert written[0] == written[1]
    for name in first.game.__slots__:
        if name != "position":
            assert getattr(first.game, name) == getattr(second.game, name), name
    for name in ("id", "seq", "rules", "players", "previous", "due", "ready", "host", "wait", "series", "stage"):
        assert getattr(first, name) == getattr(second, name), name


OPTIONS: list[dict[str, object]] = [
    {},
    {"cheat": True},
    {"transfer": True, "draw_order": "joined"},
    {"pace": "turns"},
    {"throw_priority": "attacker_first"},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_a_table_is_the_fold_of_its_log_at_every_event(options: dict[str, object]) -> None:
    """Reading the log again gives the same table, whatever its last event is (I4)."""
    log = Log(2, 1, **options)
    agree(log, 2)
    while log.table.game is not None and log.table.game.stage is Stage.PLAYING:
        log.do(some_move(log.table), NOW + len(log.rows))
        same(log.table, fold("t1", log.rows))
    for seat in (0, 1):
        log.do(AskAgain(seat, 1, seeds(3, 5)))
    same(log.table, fold("t1", log.rows))
    agree(log, 2)
    log.do(Play(0, "resign", 0))
    same(log.table, fold("t1", log.rows))


def test_events_survive_being_written() -> None:
    """What is read from a row is what was written."""
    log = Log(2, 1)
    agree(log, 2)
    log.do(some_move(log.table))
    log.do(Play(0, "resign", 0))
    for row in log.rows:
        event = events.decode(row.body)
        assert row.body == events.encode(event)


def test_the_numbering_has_no_gap() -> None:
    """Events are numbered 1 to n, and the table's `seq` is the last one (I1)."""
    log = Log(2, 1)
    agree(log, 2)
    assert list(range(1, len(log.rows) + 1)) == [row.seq for row in log.rows]
    assert len(log.rows) == log.table.seq
    with pytest.raises(ValueError, match="gap before 4"):
        fold("t1", log.rows[:2] + log.rows[3:])
    with pytest.raises(ValueError, match="gap before 2"):
        fold("t1", log.rows[1:])
    with pytest.raises(ValueError, match="empty"):
        fold("t1", [])
    with pytest.raises(ValueError, match="no beginning"):
        fold("t1", [Row(1, 0, log.rows[1].body)])


def test_a_tail_goes_on_from_a_table() -> None:
    """Who has the table at n needs only the events after n."""
    log = Log(2, 1)
    early = log.table
    agree(log, 2)
    last = list(steps("t1", log.rows[early.seq :], early))[-1].table
    same(log.table, last)


@pytest.mark.parametrize("body", [b"", b"{}", b'{"k":"nothing"}', b'{"k":"move","seat":"x","move":"take"}', b"[]", b"\xff"])
def test_a_row_that_is_no_event_is_an_error(body: bytes) -> None:
    """A log that cannot be read is not guessed at."""
    with pytest.raises((msgspec.DecodeError, UnicodeDecodeError, ValueError)):
        events.decode(body)

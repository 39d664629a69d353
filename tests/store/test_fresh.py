"""Rows that are durable and not at their tables' places yet: nobody can tell the difference."""
from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from kozyr.app.ports import Appended, Conflict, Doubled, Row, Tail
from kozyr.store import fresh, schema
from kozyr.store.sqlite import SqliteStore


def row(seq: int, body: bytes = b"x", command: str | None = None) -> Row:
    return Row(seq, 1000 + seq, body, command)


async def soon(store: SqliteStore, table_id: str, expected: int, rows: Sequence[Row], due: int | None = None) -> object:
    """Append as a table does that knows all commands of its log."""
    answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    store.append_soon(table_id, expected, rows, due, answer.set_result)
    return await answer


def lying(database: Path, table: str) -> int:
    """How many rows lie in a table of the file."""
    with closing(sqlite3.connect(database)) as db:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


async def test_rows_are_put_in_their_places_many_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever they lie, a table's rows are read in their order, with the head and the clock of the last one."""
    monkeypatch.setattr(fresh, "SETTLE_ROWS", 10)
    database = tmp_path / "kozyr.db"
    most = 0
    async with SqliteStore(database) as store:
        for seq in range(1, 9):
            answers = await asyncio.gather(*(store.append(name, seq - 1, [row(seq, name.encode())], 100 * seq) for name in "abc"))
            assert [Appended()] * 3 == answers
            most = max(most, lying(database, "fresh"))
            for name in "abc":
                for after in (0, seq - 1):
                    rows = [row(each, name.encode()) for each in range(after + 1, seq + 1)]
                    assert Tail(seq, 100 * seq, rows) == await store.load(name, after)
        # Settling is done beside what comes: how much comes meanwhile is the machine's affair.
        assert 3 <= most < 24
        assert lying(database, "events") >= 12
    assert (0, 24) == (lying(database, "fresh"), lying(database, "events"))


async def test_what_a_killed_server_left_is_put_in_its_place(tmp_path: Path) -> None:
    """A server that dies leaves rows anywhere; the next one has them all, and refuses what was there before (I1, I2)."""
    database, copied = tmp_path / "kozyr.db", tmp_path / "copied.db"
    async with SqliteStore(database) as store:
        for seq in range(1, 6):
            await soon(store, "a", seq - 1, [row(seq, command=f"c{seq}")], 7 * seq) if seq > 1 else await store.append("a", 0, [row(1)], 7)
        # The files as they are now are what would be left.
        for end in ("", "-wal"):
            shutil.copy(f"{database}{end}", f"{copied}{end}")
    assert 5 == lying(copied, "fresh")
    schema.prepare(copied)
    assert (0, 5) == (lying(copied, "fresh"), lying(copied, "events"))
    async with SqliteStore(copied) as store:
        tail = await store.load("a")
        assert tail is not None
        assert (5, 35, [1, 2, 3, 4, 5]) == (tail.seq, tail.due, [each.seq for each in tail.rows])
        assert Doubled(4) == await store.append("a", 5, [row(6, command="c4")], None)
        assert Conflict() == await store.append("a", 4, [row(5)], None)
        assert Appended() == await soon(store, "a", 5, [row(6, command="c6")])


async def test_two_processes_write_one_file(tmp_path: Path) -> None:
    """Whoever writes next finds what the other one wrote, and nobody overwrites anything (I5)."""
    async with SqliteStore(tmp_path / "kozyr.db") as one, SqliteStore(tmp_path / "kozyr.db") as two:
        assert Appended() == await one.append("a", 0, [row(1)], None)
        seq = 1
        for _ in range(5):
            for mine, other in ((one, two), (two, one)):
                assert Appended() == await soon(mine, "a", seq, [row(seq + 1, command=f"c{seq + 1}")])
                seq += 1
                assert Conflict() == await soon(other, "a", seq - 1, [row(seq)])
                assert Doubled(seq) == await other.append("a", seq, [row(seq + 1, command=f"c{seq}")], None)
                assert seq == await other.find("a", f"c{seq}")
        for store in (one, two):
            tail = await store.load("a")
            assert tail is not None
            assert list(range(1, seq + 1)) == [each.seq for each in tail.rows]


async def test_many_rows_of_many_tables_share_a_commit(tmp_path: Path) -> None:
    """However many come at once, two of one table among them, each is written once."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        names = [f"t{number}" for number in range(333)]
        await asyncio.gather(*(store.append(name, 0, [row(1)], None) for name in names))
        answers = await asyncio.gather(*(soon(store, name, seq, [row(seq + 1)]) for name in names for seq in (1, 2)))
        assert {Appended()} == set(answers)
        assert [3] * 333 == [(await store.load(name) or Tail(0, None, [])).seq for name in names]
    assert 999 == lying(tmp_path / "kozyr.db", "events")


async def test_a_clock_is_overdue_by_its_last_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a clock acts is what the newest row says, wherever it lies."""
    monkeypatch.setattr(fresh, "SETTLE_ROWS", 6)
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        for number, name in enumerate("abcdef"):
            await store.append(name, 0, [row(1)], 100 + number)
        assert list("abcdef") == await store.overdue(105, 10)
        # Moved on: later, earlier, no clock.
        for name, due in (("a", 500), ("d", 50), ("e", None)):
            await soon(store, name, 1, [row(2)], due)
        assert lying(tmp_path / "kozyr.db", "fresh")
        assert ["d", "b", "c", "f"] == await store.overdue(105, 10)
        assert ["d", "b"] == await store.waiting(105, 2)


async def test_an_error_leaves_nothing_known_that_is_not_so(tmp_path: Path) -> None:
    """After a group was taken back, tables stand where the file says."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        await store.append("a", 0, [row(1)], None)

        def bad(db: sqlite3.Connection) -> None:
            raise OSError("no space left on device")

        answers = await asyncio.gather(
            soon(store, "a", 1, [row(2, command="c2")]), store._writer.run(bad), soon(store, "a", 2, [row(3)]), return_exceptions=True
        )
        assert [Appended, OSError, Appended] == [type(answer) for answer in answers]
        assert Conflict() == await soon(store, "a", 2, [row(3)])
        assert Doubled(2) == await store.append("a", 3, [row(4, command="c2")], None)
        assert Appended() == await soon(store, "a", 3, [row(4)])


async def test_rows_that_cannot_be_put_in_their_places_stay_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Moves go on while that fails, and are put there when it goes."""
    monkeypatch.setattr(fresh, "SETTLE_ROWS", 3)
    database = tmp_path / "kozyr.db"
    async with SqliteStore(database) as store:
        for seq in range(1, 3):
            assert Appended() == await store.append("a", seq - 1, [row(seq)], None)
        with monkeypatch.context() as broken, caplog.at_level(logging.ERROR):
            broken.setattr(fresh.Fresh, "settle", failing)
            for seq in range(3, 9):
                assert Appended() == await soon(store, "a", seq - 1, [row(seq)])
            assert 8 == lying(database, "fresh")
        assert "could not be settled" in caplog.text
        assert Appended() == await soon(store, "a", 8, [row(9)])
        tail = await store.load("a")
        assert tail is not None and list(range(1, 10)) == [each.seq for each in tail.rows]
    assert (0, 9) == (lying(database, "fresh"), lying(database, "events"))


def failing(_: fresh.Fresh) -> None:
    raise sqlite3.OperationalError("disk I/O error")


async def test_tables_that_have_gone_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a server knows of where tables stand does not grow with all that it has ever served; and what it does not know it asks."""
    monkeypatch.setattr(fresh, "SETTLE_ROWS", 10)
    monkeypatch.setattr(fresh, "HEADS_MOST", 20)
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        for number in range(60):
            assert Appended() == await store.append(f"t{number}", 0, [row(1)], None)
        assert len(store._writer._fresh._heads) <= 40
        for number in range(60):
            assert Conflict() == await soon(store, f"t{number}", 2, [row(3)])
            assert Appended() == await soon(store, f"t{number}", 1, [row(2)])


async def test_another_process_that_has_gone_costs_nothing_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While two write a file little lies fresh, for each has to look through it; once there is one again it is as before."""
    monkeypatch.setattr(fresh, "SETTLE_ROWS", 32)
    monkeypatch.setattr(fresh, "SHARED_ROWS", 4)
    settle, settled = fresh.Fresh.settle, list[list[int]]()
    async with SqliteStore(tmp_path / "kozyr.db") as store:

        def note(self: fresh.Fresh) -> None:
            # Here, where nothing else is done meanwhile: whoever looks from outside may come after it.
            if self is store._writer._fresh:
                settled[-1].append(self._count)
            settle(self)

        monkeypatch.setattr(fresh.Fresh, "settle", note)
        seq = 0
        for count in (40, 5, 5, 60):
            async with SqliteStore(tmp_path / "kozyr.db") as other:
                await other.beat(seq)
            settled.append([])
            for _ in range(count):
                assert Appended() == await store.append("a", seq, [row(seq + 1)], None)
                seq += 1
                while store._writer._given != store._writer._done:
                    await asyncio.sleep(0.001)
        assert [[32], [4], [4], [4, 8, 16, 32]] == settled

"""A file in which a row is twice: equal ones are one, and a table whose rows contradict each other stops no other."""
from __future__ import annotations

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kozyr.app.ports import Appended
from kozyr.store import fresh, schema, settling
from kozyr.store.copying import copy_file
from kozyr.store.sqlite import SqliteStore
from tests.store.test_fresh import lying, row, soon

FRESH = "INSERT INTO fresh (table_id, seq, at, command, body, due) VALUES (?, ?, ?, ?, ?, ?)"
LOST = "UPDATE tables SET seq = 2, due = NULL WHERE table_id = 'a'"
"""The head of a table of three rows is that of its second."""


async def filled(database: Path) -> None:
    """Make a file with two tables of three rows, each at its place."""
    async with SqliteStore(database) as store:
        for name in "ab":
            for seq in range(1, 4):
                assert Appended() == await store.append(name, seq - 1, [row(seq, name.encode(), f"c{seq}")], 100 + seq)


def put(database: Path, *rows: tuple[str, int, int, str | None, bytes, int | None], also: str = "") -> None:
    """Write rows into `fresh` by hand."""
    with closing(sqlite3.connect(database)) as db:
        db.executemany(FRESH, rows)
        db.executescript(also)
        db.commit()


async def heads(database: Path, *names: str) -> list[tuple[int, int | None, list[int]]]:
    """Read where tables stand, when their clocks act, and which rows they have."""
    async with SqliteStore(database) as store:
        tails = [await store.load(name) for name in names]
        return [(tail.seq, tail.due, [each.seq for each in tail.rows]) for tail in tails if tail is not None]


@pytest.mark.parametrize("also", ["", LOST])
async def test_a_row_that_is_at_its_place_already_is_dropped(tmp_path: Path, also: str, caplog: pytest.LogCaptureFixture) -> None:
    """A row that lies fresh although it was settled is one row; what is really new is settled, and nothing is complained of (I1)."""
    database = tmp_path / "kozyr.db"
    await filled(database)
    put(database, ("a", 3, 1003, "c3", b"a", 103), ("b", 4, 1004, "c4", b"b", 104), ("b", 4, 1004, "c4", b"b", 104), also=also)
    schema.prepare(database)
    assert (0, 7) == (lying(database, "fresh"), lying(database, "events"))
    assert [(3, 103, [1, 2, 3]), (4, 104, [1, 2, 3, 4])] == await heads(database, "a", "b")
    assert [] == caplog.records


async def test_an_old_row_does_not_take_its_table_back(tmp_path: Path) -> None:
    """What is dropped says nothing of where the table stands now (I1)."""
    database = tmp_path / "kozyr.db"
    await filled(database)
    put(database, ("a", 2, 1002, "c2", b"a", 102))
    assert [(3, 103, [1, 2, 3])] == await heads(database, "a")


@pytest.mark.parametrize(
    "odd",
    [
        ("a", 3, 1003, "c3", b"other", 103),
        ("a", 3, 1003, None, b"a", 103),
        ("a", 3, 1007, "c3", b"a", 103),
        ("a", 4, 1004, "c2", b"a", 104),
    ],
)
async def test_a_table_whose_rows_contradict_its_log_stops_no_other(
    tmp_path: Path, odd: tuple[str, int, int, str | None, bytes, int | None], caplog: pytest.LogCaptureFixture
) -> None:
    """Its rows stay for whoever has to find out why, it is named, and all others are settled, at every start and in copies."""
    database = tmp_path / "kozyr.db"
    await filled(database)
    put(database, odd, ("a", 5, 1005, None, b"a", 105), ("b", 4, 1004, "c4", b"b", 104))
    for _ in range(2):
        schema.prepare(database)
        assert (2, 7) == (lying(database, "fresh"), lying(database, "events"))
        assert [(4, 104, [1, 2, 3, 4])] == await heads(database, "b")
    assert all("the newest rows of table a contradict its log" in each.message for each in caplog.records) and caplog.records
    copy_file(database, tmp_path / "copy.db")
    assert (2, 7) == (lying(tmp_path / "copy.db", "fresh"), lying(tmp_path / "copy.db", "events"))


async def test_while_a_server_runs_everybody_else_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Settling goes on for all others, the table is named once, and nothing is added to it, from the start on."""
    monkeypatch.setattr(fresh, "SETTLE_ROWS", 4)
    database = tmp_path / "kozyr.db"
    await filled(database)
    put(database, ("a", 3, 1003, "c3", b"other", 103))
    async with SqliteStore(database) as store:
        with pytest.raises(ValueError, match="table a contradicts itself"):
            await store.append("a", 3, [row(4)], None)
        for seq in range(4, 24):
            assert Appended() == await soon(store, "b", seq - 1, [row(seq, b"b", f"c{seq}")])
        while store._writer._given != store._writer._done:
            await asyncio.sleep(0.01)
        assert lying(database, "fresh") <= 5 and lying(database, "events") >= 22
        with pytest.raises(ValueError, match="table a contradicts itself"):
            await store.append("a", 3, [row(4)], None)
        tail = await store.load("a")
        assert tail is not None and [1, 2, 3, 3] == [each.seq for each in tail.rows]
    assert (1, 26) == (lying(database, "fresh"), lying(database, "events"))
    named = [each for each in caplog.records if each.name == settling.__name__]
    assert 1 == len(named) and {logging.ERROR} == {each.levelno for each in named}

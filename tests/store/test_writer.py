"""Who commits: the event loop where the disk is quick, a thread where it is not, and nobody overtakes anybody."""
from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from kozyr.app.ports import Appended, Row
from kozyr.store import fresh, writer
from kozyr.store.sqlite import SqliteStore

LOOP, THREAD = "MainThread", "kozyr-write"


@pytest.fixture
def committed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the threads in which something is committed, one after another; every commit is quick."""
    monkeypatch.setattr(writer, "QUICK_S", 1e9)
    names: list[str] = []
    commit = fresh.Fresh.commit

    def noted(self: fresh.Fresh) -> None:
        commit(self)
        names.append(threading.current_thread().name)

    monkeypatch.setattr(fresh.Fresh, "commit", noted)
    return names


async def append(store: SqliteStore, table_id: str, seq: int) -> None:
    assert Appended() == await store.append(table_id, seq - 1, [Row(seq, 0, b"x")], None)


async def idle(store: SqliteStore) -> None:
    """Wait until the thread has nothing to do."""
    while store._writer._given != store._writer._done:
        await asyncio.sleep(0.001)


async def test_a_quick_disk_is_waited_for(tmp_path: Path, committed: list[str]) -> None:
    """No change of threads lies between a move and its acknowledgement; what is more than rows is the thread's."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        for seq in range(1, 4):
            await append(store, "a", seq)
        await store.beat(5)
        await idle(store)
        await append(store, "a", 4)
        assert [LOOP, LOOP, LOOP, THREAD, LOOP] == committed


async def test_a_slow_disk_is_left_to_the_thread(tmp_path: Path, committed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else the server does goes on meanwhile; now and then it is tried again."""
    monkeypatch.setattr(writer, "QUICK_S", 0.0)
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        for seq in range(1, 4):
            await append(store, "a", seq)
        assert [LOOP, THREAD, THREAD] == committed
        await idle(store)
        monkeypatch.setattr(store._writer, "_again_at", 0.0)
        for seq in range(4, 6):
            await append(store, "a", seq)
        assert [LOOP, THREAD] == committed[3:]
        await idle(store)
        monkeypatch.setattr(store._writer, "_again_at", 0.0)
        monkeypatch.setattr(writer, "QUICK_S", 1e9)
        for seq in range(6, 8):
            await append(store, "a", seq)
        assert [LOOP, LOOP] == committed[5:]


async def test_nobody_overtakes_what_the_thread_has(tmp_path: Path, committed: list[str]) -> None:
    """While the thread has something to do, all that comes later is done after it."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        await append(store, "a", 1)
        gate = threading.Event()
        done: list[object] = []
        waiting = [asyncio.ensure_future(store._writer.run(lambda db: done.append(gate.wait(10))))]
        await asyncio.sleep(0.01)
        for seq in range(2, 5):
            store.append_soon("a", seq - 1, [Row(seq, 0, b"x")], None, done.append)
            await asyncio.sleep(0.01)
        assert [] == done
        gate.set()
        await asyncio.gather(*waiting)
        while len(done) < 4:
            await asyncio.sleep(0.001)
        assert [True, *[Appended()] * 3] == done
        await idle(store)
        await append(store, "a", 5)
        assert (LOOP, THREAD, LOOP) == (committed[0], committed[1], committed[-1])


async def test_a_thread_that_is_idle_begins_before_all_have_asked(
    tmp_path: Path, committed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables that move in step on a slow disk are handed over in two parts, so that some can move while others are written."""
    monkeypatch.setattr(writer, "QUICK_S", 0.0)
    monkeypatch.setattr(writer, "EARLY", 8)
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        await append(store, "a", 1)
        goes_on, given, give = len(committed), [], store._writer._give

        def note(jobs: Any) -> None:
            given.append(len(jobs[1]))
            give(jobs)

        monkeypatch.setattr(store._writer, "_give", note)
        # Until it is let go of, the thread has what it was given first.
        with store._writer._using:
            waiting = [asyncio.ensure_future(append(store, f"t{number}", 1)) for number in range(30)]
            await asyncio.sleep(0.02)
            assert [8, 22] == given
        await asyncio.gather(*waiting)
        await idle(store)
        assert {THREAD} == set(committed[goes_on:])
        await append(store, "t0", 2)


async def test_a_file_that_another_process_holds_is_waited_for_elsewhere(tmp_path: Path, committed: list[str]) -> None:
    """The event loop waits for no other process; what was asked for is done when that one lets go (trap 6)."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        await append(store, "a", 1)
        with closing(sqlite3.connect(tmp_path / "kozyr.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            moving = asyncio.ensure_future(append(store, "a", 2))
            began = asyncio.get_running_loop().time()
            await asyncio.sleep(0.05)
            assert asyncio.get_running_loop().time() - began < 5
            assert not moving.done()
            other.execute("ROLLBACK")
        await moving
        assert [LOOP, THREAD] == committed


async def test_what_fails_in_the_event_loop_is_done_by_the_thread(
    tmp_path: Path, committed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit that goes wrong there leaves nothing behind, and each move has the answer that it would have had."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        await append(store, "a", 1)
        commit = fresh.Fresh.commit

        def failing(self: fresh.Fresh) -> None:
            if threading.current_thread().name == LOOP:
                self._write()
                raise sqlite3.OperationalError("disk I/O error")
            commit(self)

        with monkeypatch.context() as broken:
            broken.setattr(fresh.Fresh, "commit", failing)
            await asyncio.gather(append(store, "a", 2), append(store, "b", 1))
        await idle(store)
        await append(store, "a", 3)
        tail = await store.load("a")
        assert tail is not None
        assert [1, 2, 3] == [row.seq for row in tail.rows]
        assert [LOOP, THREAD, LOOP] == committed


async def test_a_process_in_the_way_is_in_everybodys_way(tmp_path: Path, committed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """However many wait for a file that another process does not let go of, all know at once that nothing came of it."""
    monkeypatch.setattr(writer, "PATIENCE_S", 0.1)
    loop = asyncio.get_running_loop()
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        await append(store, "a", 1)
        with closing(sqlite3.connect(tmp_path / "kozyr.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            began = loop.time()
            told = await asyncio.gather(*(append(store, f"t{number}", 1) for number in range(100)), return_exceptions=True)
            assert [sqlite3.OperationalError] * 100 == [type(error) for error in told]
            assert loop.time() - began < 5
            other.execute("ROLLBACK")
        await asyncio.gather(*(append(store, f"t{number}", 1) for number in range(100)))


async def test_a_disk_is_tried_the_less_the_slower_it_is(tmp_path: Path, committed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The event loop stands still for no more than a hundredth of the time."""
    monkeypatch.setattr(writer, "QUICK_S", 0.0)
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        commit = fresh.Fresh.commit

        def slow(self: fresh.Fresh) -> None:
            commit(self)
            self.commit_s = 3.0

        monkeypatch.setattr(fresh.Fresh, "commit", slow)
        began = monotonic()
        await append(store, "a", 1)
        assert 299 < store._writer._again_at - began < 310


class Overtaken:
    """A connection whose copying of the log has always been overtaken by moves before it is done."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def execute(self, statement: str) -> sqlite3.Cursor:
        return self.db.execute("SELECT 0, 200, 200" if "PASSIVE" in statement else statement)


@pytest.mark.parametrize(("most", "is_anew"), [(200, True), (201, False)])
async def test_a_long_log_begins_anew_while_moves_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, is_anew: bool) -> None:
    """The write-ahead log does not grow for as long as there is always something to write; moves only wait where it has become long."""
    monkeypatch.setattr(writer, "LOG_PAGES", most)
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        for seq in range(1, 101):
            await append(store, "a", seq)
        with closing(sqlite3.connect(tmp_path / "kozyr.db", isolation_level=None)) as db:
            overtaken: Any = Overtaken(db)
            store._writer._empty_log(overtaken, False)
            await append(store, "a", 101)
            _, pages, _ = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        assert is_anew == (pages < 20)


async def test_a_checkpoint_that_fails_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A disk that was full for a while does not leave the write-ahead log to grow for ever."""
    monkeypatch.setattr(writer, "CHECKPOINT_ROWS", 5)
    tried = threading.Event()
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        with monkeypatch.context() as broken:

            def full(db: sqlite3.Connection, is_last: bool) -> None:
                tried.set()
                raise sqlite3.OperationalError("database or disk is full")

            broken.setattr(store._writer, "_empty_log", full)
            for seq in range(1, 6):
                await append(store, "a", seq)
            assert await asyncio.to_thread(tried.wait, 10)
        tried.clear()
        monkeypatch.setattr(store._writer, "_empty_log", lambda db, is_last: tried.set())
        for seq in range(6, 11):
            await append(store, "a", seq)
        assert await asyncio.to_thread(tried.wait, 10)
    assert "could not be copied into the file" in caplog.text

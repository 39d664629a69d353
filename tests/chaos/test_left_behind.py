"""What a killed server leaves on the disk is copied, put back and played on: the same tables, coins and games."""
from __future__ import annotations

import asyncio
import random
import shutil
import signal
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import aiohttp

from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.events import TimeGiven, decode
from kozyr.app.ports import Appended, Row
from kozyr.app.tables import Tables
from kozyr.bus.memory import MemoryBus
from kozyr.cli import main
from kozyr.store import schema
from kozyr.store.sqlite import SqliteStore
from tests.anybody import as_anybody
from tests.chaos.jumping import Mover
from tests.chaos.processes import until
from tests.chaos.storm.gathering import PATIENCE_S, finished, gather_people, server_on
from tests.chaos.storm.held import hold, log_of
from tests.sim.test_tables import seated

ENDS = ("", "-wal", "-shm")


def content(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """Read everything that is in a file, but what says when a server was there."""
    with closing(sqlite3.connect(database)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: sorted(db.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in names}


def lying_fresh(database: Path) -> int:
    """Count the rows that are not at their places."""
    with closing(sqlite3.connect(database)) as db:
        return int(db.execute("SELECT count(*) FROM fresh").fetchone()[0])


def copied(database: Path, folder: Path, ends: Sequence[str] = ENDS) -> Path:
    """Copy what lies on the disk, as it is."""
    folder.mkdir()
    for end in ends:
        shutil.copy(f"{database}{end}", folder / f"{database.name}{end}")
    return folder / database.name


async def test_a_backup_of_what_a_killed_server_left_is_played_on(tmp_path: Path) -> None:
    """With the log beside the file and rows that are not at their places: nothing acknowledged is missing in the copy (I2, I4, I7)."""
    database, errors = tmp_path / "kozyr.db", tmp_path / "errors"
    async with server_on(database, errors) as server:
        people = await gather_people([server], random.Random(3), 4)
        playing = [asyncio.ensure_future(person.play()) for person in people]
        await until(lambda: sum(len(person.acknowledged) for person in people) > 60, PATIENCE_S)
        await asyncio.to_thread(server.end, signal.SIGKILL)
        assert Path(f"{database}-wal").stat().st_size and lying_fresh(copied(database, tmp_path / "left"))
        settled = copied(database, tmp_path / "settled")
        await asyncio.to_thread(schema.prepare, settled)
        backup = tmp_path / "backup.db"
        assert 0 == await asyncio.to_thread(main, ["backup", str(backup), "--database", str(database)])
        assert not Path(f"{backup}-wal").exists() and content(settled) == content(backup)
        await wait_for_quiet(database, backup)
        assert content(settled) == content(database)
        await asyncio.to_thread(server.start)
        await finished(people, playing)
        assert 0 == await asyncio.to_thread(server.end, signal.SIGTERM)
    assert [] == (await hold(str(database), people)).faults
    assert "" == errors.read_text(encoding="utf-8")


async def wait_for_quiet(database: Path, backup: Path) -> None:
    """Put the backup back; the file is another's for a few seconds after its last sign of life."""
    async with asyncio.timeout(PATIENCE_S):
        while await asyncio.to_thread(main, ["restore", str(backup), "--database", str(database)]):
            await asyncio.sleep(0.5)


async def test_a_copy_by_hand_without_its_index_is_backed_up(tmp_path: Path) -> None:
    """Whoever took the file and its log, but not what SQLite makes anew, has everything; a folder that is closed is told (I2)."""
    database, backup = tmp_path / "kozyr.db", tmp_path / "backup.db"
    async with SqliteStore(database) as store:
        for seq in range(1, 21):
            assert Appended() == await store.append("a", seq - 1, [Row(seq, 1000 + seq, b"x", f"c{seq}")], None)
        left = copied(database, tmp_path / "left", ("", "-wal"))
    left.parent.chmod(0o500)
    try:
        with as_anybody():
            assert 2 == main(["backup", str(backup), "--database", str(left)])
    finally:
        left.parent.chmod(0o700)
    assert not backup.exists()
    assert 0 == main(["backup", str(backup), "--database", str(left)])
    assert content(database) == content(backup) and 20 == len(content(backup)["events"])


async def test_who_was_served_for_less_than_a_second_has_all_their_time(tmp_path: Path) -> None:
    """The first server of a file is killed before it has said that it is there, and the next one comes ten minutes later (R16.1)."""
    database, errors, mover = tmp_path / "kozyr.db", tmp_path / "errors", Mover(tmp_path / "clock")
    async with SqliteStore(database) as store:
        tables = Tables(store, MemoryBus().join(), SystemClock(), SystemEntropy(), Pause(3_600_000, 0))
        live = await seated(tables, 2, 0, turn_s=15, timeout="forfeit")
        assert await store.last_beat() is None
    rows = len(content(database)["events"])
    mover.set_wall(600)
    async with server_on(database, errors, mover) as server:
        async with aiohttp.ClientSession() as session, session.get(f"{server.base}/api/health") as response:
            assert 200 == response.status
        await until(lambda: len(log_of(database, live.table.id)) > rows, PATIENCE_S)
        await asyncio.to_thread(server.end, signal.SIGKILL)
    given, *more = [decode(row.body) for row in log_of(database, live.table.id)[rows:]]
    assert isinstance(given, TimeGiven) and "server" == given.why and 10_000 < given.ms <= 15_000
    assert [] == more and "" == errors.read_text(encoding="utf-8")

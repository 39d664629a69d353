"""A disk without room, and one that may not be written: the server says so, loses nothing, and goes on as soon as it can."""
from __future__ import annotations

import asyncio
import os
import random
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kozyr.store import schema
from tests.anybody import become_anybody
from tests.chaos.processes import until
from tests.chaos.storm.gathering import PATIENCE_S, finished, gather_people, moved, server_on
from tests.chaos.storm.held import hold
from tests.chaos.storm.servers import BROKEN, ROOT, Server

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are set as Linux sets them")


def leave_room(server: Server, size: int) -> None:
    """Let no file of a server grow beyond a size; for it that is like a full disk."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, most))


async def test_a_full_disk_stops_the_moves_and_loses_none(tmp_path: Path) -> None:
    """What was acknowledged stays, nothing more is, and with room again everybody goes on at the same card (I2, I4, I7)."""
    database, errors = tmp_path / "kozyr.db", tmp_path / "errors"
    async with server_on(database, errors) as server:
        people = await gather_people([server], random.Random(4), 4)
        playing = [asyncio.ensure_future(person.play()) for person in people]
        for _ in range(2):
            await moved(people, 40)
            leave_room(server, Path(f"{database}-wal").stat().st_size)
            await until(lambda: lines_of(errors, "cannot be written") > lines_of(errors, "can be written again"), PATIENCE_S)
            before = [dict(person.acknowledged) for person in people]
            await asyncio.sleep(3)
            assert before == [person.acknowledged for person in people]
            leave_room(server, resource.RLIM_INFINITY)
            await moved(people, 20)
        await finished(people, playing)
        assert 0 == await asyncio.to_thread(server.end, signal.SIGTERM)
    assert [] == (await hold(str(database), people)).faults
    written = errors.read_text(encoding="utf-8")
    assert (2, 2) == (lines_of(errors, "cannot be written"), lines_of(errors, "can be written again"))
    assert [] == [line for line in written.splitlines() if any(word in line for word in BROKEN)]
    assert len(written) < 20_000, written


def lines_of(errors: Path, words: str) -> int:
    """Count what a server has said."""
    return errors.read_text(encoding="utf-8").count(words)


async def test_what_lies_in_the_way_of_a_checkpoint_loses_nothing(tmp_path: Path) -> None:
    """The log can grow and the file cannot: everything goes on by the log, and a stop and a start with room put it in its place (I2)."""
    database, errors = tmp_path / "kozyr.db", tmp_path / "errors"
    async with server_on(database, errors) as server:
        people = await gather_people([server], random.Random(6), 2)
        playing = [asyncio.ensure_future(person.play()) for person in people]
        await moved(people, 60)
        leave_room(server, Path(f"{database}-wal").stat().st_size)
        await until(lambda: lines_of(errors, "cannot be written") > 0, PATIENCE_S)
        # It stops without having been able to put anything anywhere.
        assert 0 == await asyncio.to_thread(server.end, signal.SIGTERM)
        await asyncio.to_thread(server.start)
        await finished(people, playing)
        assert 0 == await asyncio.to_thread(server.end, signal.SIGTERM)
    assert [] == (await hold(str(database), people)).faults


@pytest.mark.parametrize("closed", ["file", "folder"])
def test_what_may_not_be_written_is_told_at_once(tmp_path: Path, closed: str) -> None:
    """A server that could not keep a move does not start; a line says which file, and nothing is changed."""
    folder = tmp_path / "data"
    folder.mkdir()
    database = folder / "kozyr.db"
    schema.prepare(database)
    shut = database if closed == "file" else folder
    before = database.read_bytes()
    shut.chmod(0o500)
    command = [sys.executable, "-m", "kozyr", "serve", "--port", "0", "--database", str(database)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        command, env=environment, preexec_fn=become_anybody, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    shut.chmod(0o700)
    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n")), done.stderr
    assert str(database) in done.stderr and before == database.read_bytes()

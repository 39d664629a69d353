"""A server that is told to stop says so, finishes what it is writing, and takes no time from anybody."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from .player import Player, seated
from .test_restart import Process

AWAY_S = 2.5


def session_at(base: str) -> aiohttp.ClientSession:
    """A browser."""
    return aiohttp.ClientSession(base, cookie_jar=aiohttp.CookieJar(unsafe=True))


@pytest.fixture
def started() -> Iterator[list[Process]]:
    """Servers of a test; none is left."""
    processes: list[Process] = []
    yield processes
    for each in processes:
        if each.process.poll() is None:
            each.kill()


async def test_a_stop_during_a_turn_takes_no_time_from_the_player(tmp_path: Path, started: list[Process]) -> None:
    """SIGTERM, a while without a server, and a start: the turn's clock goes on where it was, at the same card (R16.1)."""
    database = tmp_path / "kozyr.db"
    server = Process(database)
    started.append(server)
    async with session_at(server.base) as session:
        async with await seated(session, options={"seats": 2, "turn_s": 30}) as player:
            await player.hello()
            await player.agree()
            await player.alone()
            seen, left_before = player.seq, (await player.hello())["left_ms"]
            told_at = time.monotonic()
            assert 0 == await asyncio.to_thread(server.stop)
        table_id = player.table_id
        served_s = time.monotonic() - told_at
        await asyncio.sleep(AWAY_S)
        again = Process(database, server.port)
        started.append(again)
        async with Player(session, table_id) as back:
            left_after = (await back.hello())["left_ms"]
            # With every turn a lost connection lengthens the clock too; nothing shortens it but the time in which a server was there.
            assert left_after >= left_before - (served_s + 1.5) * 1000, (left_before, left_after)
            assert seen <= back.seq
            back.salt = "again"
            await back.play_out()
    assert 0 == again.stop()


async def test_what_was_being_written_when_the_stop_came_is_in_the_log(tmp_path: Path, started: list[Process]) -> None:
    """Moves that were sent and then acknowledged are there after the start, however close the stop was."""
    database = tmp_path / "kozyr.db"
    server = Process(database)
    started.append(server)
    async with session_at(server.base) as session:
        async with await seated(session, options={"seats": 2}) as player:
            await player.hello()
            await player.agree()
            playing = asyncio.ensure_future(player.play_out())
            await asyncio.sleep(0.05)
            server.process.send_signal(signal.SIGTERM)
            await asyncio.gather(playing, return_exceptions=True)
        acknowledged = max((told["seq"] for told in player.heard if told["t"] == "ack"), default=0)
        assert 0 == await asyncio.to_thread(server.stop)
        again = Process(database, server.port)
        started.append(again)
        async with Player(session, player.table_id) as back:
            assert (await back.hello())["seq"] >= acknowledged
    assert 0 == again.stop()

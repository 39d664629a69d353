"""A server that is told to stop while its database is away, or says nothing, is gone in good order before anybody has to kill it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest

from tests.chaos.storm.servers import Server
from tests.web.player import Player, seated

STOP_S = 25
"""The unit and the compose file kill a server after 30 s."""


class Wire:
    """A connection to PostgreSQL that can be cut, or fall silent as when a machine has gone."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._tasks: set[asyncio.Task[None]] = set()
        self._open = asyncio.Event()
        self._open.set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> int:
        """Listen; gives the port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    def fall_silent(self) -> None:
        """Take what is said, and hand on nothing."""
        self._open.clear()

    def cut(self) -> None:
        """Cut everything, and let nobody connect."""
        self._server.close()
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def close(self) -> None:
        self._open.set()
        self.cut()
        await asyncio.gather(*self._tasks)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        there, back = await asyncio.open_connection("127.0.0.1", self._to)
        self._writers |= {writer, back}
        copies = [asyncio.ensure_future(self._copy(*way)) for way in ((reader, back), (there, writer))]
        await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
        for each in (writer, back):
            each.transport.abort()
        await asyncio.wait(copies)

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await self._open.wait()
                writer.write(data)
                await writer.drain()


@pytest.mark.parametrize("way", ["cut", "silent"])
async def test_a_stop_without_the_database_is_one_in_good_order(way: str, postgres_url: str, tmp_path: Path) -> None:
    """
    SIGTERM in the middle of a game while the database cannot be reached, or does not answer: the process ends in time and by itself, and
    the game goes on where it was when there is a database again.
    """
    port = urlsplit(postgres_url).port
    assert port is not None
    wire = Wire(port)
    url = postgres_url.replace(f":{port}/", f":{await wire.start()}/")
    server = await asyncio.to_thread(Server, url, tmp_path / "said")
    try:
        async with aiohttp.ClientSession(server.base, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            async with await seated(session, options={"seats": 2, "turn_s": 30}) as player:
                await player.hello()
                await player.agree()
                await player.some_moves(1)
                seen = player.seq
                wire.cut() if way == "cut" else wire.fall_silent()
                assert player.view is not None
                await player.send(t="play", id="late", move=player.choice() or "pass", bout=player.view["bout_no"])
                began = time.monotonic()
                code = await asyncio.to_thread(server.end, signal.SIGTERM)
                took_s = time.monotonic() - began
            assert 0 == code and took_s < STOP_S, (code, took_s, (tmp_path / "said").read_text())
            again = await asyncio.to_thread(Server, postgres_url, tmp_path / "again")
            try:
                async with aiohttp.ClientSession(again.base, cookie_jar=session.cookie_jar) as back, Player(back, player.table_id) as same:
                    assert (await same.hello())["seq"] >= seen
            finally:
                again.end(signal.SIGTERM)
    finally:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)
        await wire.close()

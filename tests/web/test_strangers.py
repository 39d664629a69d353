"""Who takes up a socket and says nothing of use."""
from __future__ import annotations

import asyncio
import time
from pathlib import Path

import aiohttp
import pytest

from kozyr.web import socket
from tests.chaos.processes import process
from tests.web.conftest import Server
from tests.web.player import seated
from tests.web.test_operator import PASSWORD, do, log_in

ENDED = (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR)


async def test_a_socket_that_never_says_hello_is_dropped(
    server: Server, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody holds a place at the door for longer than half a minute (here: 0.3 s)."""
    monkeypatch.setattr(socket, "HELLO_S", 0.3)
    async with await seated(http, options={"seats": 2}) as player:
        await player.hello()
        async with http.ws_connect(f"{server.base}/ws/tables/{player.table_id}") as silent:
            assert (await asyncio.wait_for(silent.receive(), 5)).type in ENDED
        await player.socket.send_str('{"t":"ping","n":4}')
        assert 4 == (await player.until("pong"))["n"]


async def test_a_flood_of_one_keeps_nobody_waiting(server: Server, http: aiohttp.ClientSession) -> None:
    """Two thousand messages at once of one client: another one's request is answered between them."""
    async with await seated(http, options={"seats": 2}) as player:
        await player.hello()
        for n in range(2000):
            await player.socket.send_str(f'{{"t":"ping","n":{n}}}')
        asked = time.monotonic()
        async with http.get(f"{server.base}/api/health") as answer:
            assert 200 == answer.status
        assert time.monotonic() - asked < 1


async def test_what_a_database_has_no_letter_for_is_nobodys(postgres_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Logins, reports, tables and players that are asked for with such a letter are not there, on PostgreSQL too; nothing is logged."""
    async with process(postgres_url, "one", tmp_path) as one, one.browser() as http:
        one.site.running.operator_password = PASSWORD
        for path, body, status in (
            ("/api/login", {"name": "a\0b", "password": "a\0b"}, 401),
            ("/api/tables", {"name": "Ayla", "options": {"seats": 2}}, 201),
            ("/api/reports", {"table": "a\0b", "seat": 0, "reason": "name", "words": "\0"}, 404),
        ):
            async with http.post(path, json=body) as response:
                assert status == response.status, await response.text()
        for path in ("/ws/tables/%00", "/ws/tables/a%00b", "/p/1/ws/tables/%ED%A0%80"):
            async with http.ws_connect(path) as socket:
                assert "no_table" == (await socket.receive_json())["code"]
        form = await log_in(http)
        assert "there is no such player" == await do(http, form, "mute", player="a\0b", hours="1", words="\0")
        assert "there is no such table" == await do(http, form, "close", table="a\0b", words="\0")
    assert [] == caplog.records

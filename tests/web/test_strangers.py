"""Who takes up a socket and says nothing of use."""
from __future__ import annotations

import asyncio
import time

import aiohttp
import pytest

from kozyr.web import socket
from tests.web.conftest import Server
from tests.web.player import seated

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

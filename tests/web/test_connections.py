"""Slow, silent and lost connections."""
from __future__ import annotations

import asyncio
import socket
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from kozyr.app.tables import IDLE_SWEEPS
from kozyr.web import connection as connections
from kozyr.web import routes
from kozyr.web import server as servers
from kozyr.web.connection import Connection
from kozyr.wire import VERSION
from tests.web.conftest import Server, browser
from tests.web.player import Player, gone, seated


class FakeTransport:
    """A transport with a buffer of any size."""

    def __init__(self, buffered: int = 0) -> None:
        self.buffered = buffered
        self.is_aborted = False
        self.written: list[bytes] = []

    def set_write_buffer_limits(self, high: int) -> None:
        self.high = high

    def get_write_buffer_size(self) -> int:
        return self.buffered

    def is_closing(self) -> bool:
        return self.is_aborted

    def write(self, frames: bytes) -> None:
        self.written.append(frames)

    def abort(self) -> None:
        self.is_aborted = True


class FakeSocket:
    """A websocket that is open, or not."""

    def __init__(self, closed: bool = False) -> None:
        self.closed = closed


@pytest.mark.parametrize(
    ("buffered", "sent", "is_dropped"), [(0, 2, False), (connections.BUFFERED_MAX, 2, False), (connections.BUFFERED_MAX + 1, 0, True)]
)
async def test_who_does_not_keep_up_is_dropped(buffered: int, sent: int, is_dropped: bool) -> None:
    """A viewer with too much unread is cut off, and nobody waits for it."""
    transport = FakeTransport(buffered)
    viewer = Connection(FakeSocket(), transport, None, 0.0)  # type: ignore[arg-type]
    viewer.send(b"view")
    viewer.send(b"another")
    assert (sent, is_dropped) == (len(transport.written), transport.is_aborted)
    assert transport.high > connections.BUFFERED_MAX


async def test_nothing_follows_the_close_of_a_connection() -> None:
    """After a websocket's closing frame no message is written."""
    transport = FakeTransport()
    viewer = Connection(FakeSocket(closed=True), transport, None, 0.0)  # type: ignore[arg-type]
    viewer.hold(b"held")
    viewer.send(b"view")
    assert [] == transport.written


async def test_what_is_held_goes_out_first_and_with_the_next_message() -> None:
    """An acknowledgement and the update that follows it are one write, in this order; what nothing follows goes out alone."""
    transport = FakeTransport()
    viewer = Connection(FakeSocket(), transport, None, 0.0)  # type: ignore[arg-type]
    viewer.hold(b"ack")
    viewer.send(b"update")
    viewer.flush()
    viewer.hold(b"ack")
    viewer.flush()
    assert [b"\x81\x03ack\x81\x06update", b"\x81\x03ack"] == transport.written


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536, 200_000])
async def test_a_message_of_any_size_arrives_as_it_was_sent(size: int) -> None:
    """A message is one frame, whose length is written in one, two or eight bytes."""
    message = b"x" * size

    async def talk(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        assert request.transport is not None
        viewer = Connection(socket, request.transport, None, 0.0)
        viewer.send(message)
        viewer.send(b"end")
        await socket.receive()
        return socket

    app = web.Application()
    app.router.add_get("/", talk)
    async with TestClient(TestServer(app)) as client, client.ws_connect("/", max_msg_size=0) as websocket:
        assert message == (await websocket.receive_str()).encode()
        assert "end" == await websocket.receive_str()


async def test_a_viewer_that_reads_nothing_delays_nobody(server: Server, http: aiohttp.ClientSession) -> None:
    """A spectator whose machine hangs is dropped while the game goes on for the others (trap 7)."""
    async with await seated(http, options={"seats": 3}) as player:
        await player.hello()
        await player.agree()
        reader, writer = await asyncio.open_connection(*address(server), limit=1024)
        raw: Any = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        writer.write(handshake(player.table_id, server))
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        # Each hello is answered by the whole state, which nobody reads.
        hello = frame(b'{"t":"hello","v":1,"since":0}')
        writer.write(hello)
        await looking(server, 2)
        for _ in range(40):
            writer.write(hello * 200)
            await asyncio.sleep(0.01)
        await looking(server, 1)
        await player.play_out()
        writer.transport.abort()


async def looking(server: Server, count: int) -> None:
    """Wait until so many connections look at tables."""
    async with asyncio.timeout(10):
        while len(server.site.audiences.connections()) != count:
            await asyncio.sleep(0.01)


def address(server: Server) -> tuple[str, int]:
    host, _, port = server.base.removeprefix("http://").partition(":")
    return host, int(port)


def handshake(table_id: str, server: Server) -> bytes:
    host = server.base.removeprefix("http://")
    return (
        f"GET /ws/tables/{table_id} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()


def frame(text: bytes) -> bytes:
    """A masked text frame; a mask of zeros leaves the bytes as they are."""
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


async def test_a_silent_connection_is_dropped(
    monkeypatch: pytest.MonkeyPatch, server: Server, http: aiohttp.ClientSession
) -> None:
    """Who says nothing for long is not here any more, and everybody is told (trap 8)."""
    monkeypatch.setattr(servers, "SILENT_S", 0.2)
    monkeypatch.setattr(servers, "LOOK_S", 0.05)
    dropping = asyncio.create_task(servers.drop_silent(server.site))
    async with await seated(http, options={"seats": 2}) as player, browser(server) as other:
        await player.hello()
        async with Player(other, player.table_id) as spectator:
            await spectator.hello()
            for n in range(10):
                await spectator.send(t="ping", n=n)
                await asyncio.sleep(0.05)
            told = await spectator.until("presence")
            assert (0, False) == (told["seat"], told["here"])
            await gone(player)
    dropping.cancel()


async def test_a_lost_connection_frees_its_place(server: Server, http: aiohttp.ClientSession) -> None:
    """A connection that is cut is forgotten, and the table with it once nobody is left."""
    async with await seated(http, options={"seats": 2}) as player:
        await player.hello()
        await looking(server, 1)
        response: Any = player.socket._response
        response.connection.transport.abort()
        await looking(server, 0)


async def test_players_who_come_apart_meet_at_one_table(server: Server, http: aiohttp.ClientSession) -> None:
    """A table that is let go between one's coming and one's hello is the same table for whoever comes later."""
    async with browser(server) as other, await seated(http, options={"seats": 2}) as player:
        for _ in range(2 * IDLE_SWEEPS):
            server.site.tables.let_go()
        live = await server.site.tables.get(player.table_id)
        assert live is not None and live.table.game is not None
        async with Player(other, player.table_id) as spectator:
            await spectator.hello()
            await player.hello()
            await player.agree()
            while "deal" not in {event["e"] for told in spectator.heard for event in told.get("events", [])}:
                await spectator.until("update")


async def test_a_failing_disk_ends_the_conversation_and_not_the_server(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, server: Server, http: aiohttp.ClientSession
) -> None:
    """A move that could not be written is not acknowledged; its client comes back and sends it again."""
    async with await seated(http, options={"seats": 2}) as player:
        await player.hello()
        await player.agree()
        await player.alone()
        move, view = player.choice(), player.view
        assert move is not None and view is not None

        async def failing(*_: object) -> None:
            raise OSError("no space left on device")

        def failing_at_once(*_: object) -> None:
            raise OSError("no space left on device")

        with monkeypatch.context() as broken:
            broken.setattr(server.site.store, "append", failing)
            broken.setattr(server.site.store, "append_soon", failing_at_once)
            await player.send(t="play", id="once", move=move, bout=view["bout_no"])
            await gone(player)
        assert 1011 == player.socket.close_code
        assert "no space left" in caplog.text
        async with Player(http, player.table_id) as again:
            welcome = await again.hello(player.seq)
            assert (player.seq, view) == (welcome["seq"], welcome["view"])
            assert "ack" == (await again.ask(t="play", id="once", move=move, bout=view["bout_no"]))["t"]
            await again.play_out()


async def test_a_websocket_keeps_nothing_of_its_request(
    server: Server, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long a browser's headers are, they are not kept for as long as somebody looks at a table."""
    requests: list[web.Request] = []

    def forget(request: web.Request) -> None:
        requests.append(request)
        connections.forget_request(request)

    monkeypatch.setattr(routes, "forget_request", forget)
    async with await seated(http, options={"seats": 2}):
        [request] = requests
        assert ({}, (), {}) == (dict(request.headers), request.raw_headers, dict(request.cookies))
        assert request.protocol._parser is None


async def test_a_table_is_let_go_whose_visitor_could_not_be_told(
    server: Server, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Who comes back while the log cannot be read leaves nobody behind, whom the table would be kept for as long as the server lives."""
    player = await seated(http, options={"seats": 3}, private=False, bots=[None, "easy"])
    live = await server.site.tables.get(player.table_id)
    assert live is not None and 1 == live.listeners

    async def unreadable(table_id: str, after: int = 0) -> None:
        raise OSError("the database is away")

    with monkeypatch.context() as away:
        away.setattr(live, "told_since", lambda seq: None)
        away.setattr(server.site.store, "load", unreadable)
        async with player:
            await player.send(t="hello", v=VERSION, since=1)
            await gone(player)
    assert {} == server.site.audiences._by_table
    assert 1 == live.listeners
    assert "a conversation failed" in caplog.text

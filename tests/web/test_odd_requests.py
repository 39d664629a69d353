"""Requests that no browser makes: each gets a clear error in our own form, and nobody else notices."""
from __future__ import annotations

import asyncio
import json
import logging

import aiohttp
import pytest

from kozyr.web import people
from tests.web.conftest import Server


async def ask(server: Server, head: bytes, body: bytes = b"") -> tuple[int, bytes]:
    """Send bytes as they are; return the status and the body of the answer."""
    host, port = server.base.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    length = b"Content-Length: %d\r\n" % len(body) if body else b""
    writer.write(head.replace(b"HOST", f"{host}:{port}".encode()) + length + b"Connection: close\r\n\r\n" + body)
    await writer.drain()
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    line, _, rest = answer.partition(b"\r\n")
    return int(line.split()[1]), rest.partition(b"\r\n\r\n")[2]


POST = b"POST /api/tables HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\n"
SOCKET = b"GET /ws/tables/x HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"


@pytest.mark.parametrize("origin", [b"http://[", b"http://\xff.com", b"null", b"http://" + b"x" * 3000])
@pytest.mark.parametrize("head", [POST, SOCKET + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"])
async def test_an_odd_origin_is_refused(server: Server, head: bytes, origin: bytes) -> None:
    """
    What says that it comes from another page may change nothing, however it says so; the answer repeats little of it.
    """
    status, body = await ask(server, head + b"Origin: " + origin + b"\r\n", b"{}" if head is POST else b"")
    assert 403 == status
    assert b"bad_origin" in body
    assert len(body) < 400


@pytest.mark.parametrize("cookie", [b"\xff.\xfe", b"a.\xc3\xa9", b".", b"a.b.c", b'"a.b"'])
async def test_an_odd_cookie_is_a_stranger(server: Server, cookie: bytes) -> None:
    """
    A cookie that we did not sign is no guest's, whatever is in it, and locks nobody out.
    """
    status, _ = await ask(server, POST + b"Cookie: kozyr_guest=" + cookie + b"\r\n", b"{}")
    assert 201 == status


async def test_a_body_that_is_not_what_it_says_is_refused(server: Server) -> None:
    """
    A body that says it is compressed and is not is no body.
    """
    status, body = await ask(server, POST + b"Content-Encoding: gzip\r\n", b"{}")
    assert 400 == status
    assert b"bad_body" in body


@pytest.mark.parametrize("head", [b"GET /\xff HTTP/1.1\r\nHost: HOST\r\n", POST + b"X: \x00\r\n", b"GET / HTTP/9\r\nHost: HOST\r\n"])
async def test_what_is_no_request_leaves_no_line_in_the_log(server: Server, head: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """
    Bytes that are no request are refused, and cannot fill the operator's log.
    """
    with caplog.at_level(logging.INFO):
        status, _ = await ask(server, head)
    assert 400 == status
    assert not caplog.records


async def slowly(server: Server, cookie: str, body: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Ask to change oneself, without the body so far."""
    host, port = server.base.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    head = f"PATCH /api/me HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    writer.write(f"{head}Cookie: kozyr_guest={cookie}\r\nConnection: close\r\n\r\n".encode())
    await writer.drain()
    await asyncio.sleep(0.1)
    return reader, writer


async def test_a_slow_request_does_not_outlive_its_session(server: Server, http: aiohttp.ClientSession) -> None:
    """
    Whoever has a stolen cookie keeps nothing of it by a request that was begun before everybody was logged out, and ends later.
    """
    async with http.patch("/api/me", json={"name": "Ayla"}) as answer:
        me, cookie = await answer.json(), answer.cookies["kozyr_guest"].value
    body = b'{"avatar": 3}'
    reader, writer = await slowly(server, cookie, body)
    async with http.post("/api/logout", json={"everywhere": True}) as answer:
        assert 200 == answer.status
    writer.write(body)
    head, _, told = (await asyncio.wait_for(reader.read(), 10)).partition(b"\r\n\r\n")
    writer.close()
    assert b"HTTP/1.1 200" == head[:12]
    # It comes from a stranger, who is a new guest by it.
    assert me["id"] != json.loads(told)["id"]


async def test_who_goes_away_while_asking_leaves_no_line_in_the_log(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """
    A request whose asker has gone before its end is nobody's fault.
    """
    with caplog.at_level(logging.INFO):
        _, writer = await slowly(server, "", b"{}")
        writer.transport.abort()
        await asyncio.sleep(0.1)
    assert not caplog.records


async def test_a_body_that_does_not_come_is_not_waited_for(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Nobody holds a request open for longer than it takes to send it (here: 0.2 s).
    """
    monkeypatch.setattr(people, "BODY_S", 0.2)
    reader, writer = await slowly(server, "", b"{}")
    answer = await asyncio.wait_for(reader.readuntil(b"}"), 5)
    writer.close()
    assert b"bad_body" in answer

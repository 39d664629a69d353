"""The open tables: a live list with filters."""
from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from kozyr.app.limits import Limits
from tests.web.conftest import Server, browser
from tests.web.player import PATIENCE_S, Player, open_table
from tests.web.test_people import join
from tests.web.test_restart import Start, session_at, start  # noqa: F401  # the fixture


class Visitor:
    """A websocket to the lobby."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def send(self, **message: Any) -> None:
        await self.socket.send_str(json.dumps(message))

    async def next(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads((await self.socket.receive(timeout=PATIENCE_S)).data)
        return told

    async def ask(self, **wanted: Any) -> list[str]:
        await self.send(t="filter", **wanted)
        told = await self.next()
        assert "tables" == told["t"]
        return [table["id"] for table in told["tables"]]


async def opened(session: aiohttp.ClientSession, **options: Any) -> str:
    """Open a table for everybody."""
    body = {"preset": "custom", "options": {"seats": 3, **options}, "private": False}
    return str((await open_table(session, bots=[None] * (body["options"]["seats"] - 1), **body))["id"])  # type: ignore[index]


async def listed(session: aiohttp.ClientSession, query: str = "") -> list[str]:
    async with session.get(f"/api/tables{query}") as response:
        assert 200 == response.status
        return [table["id"] for table in (await response.json())["tables"]]


async def test_open_tables_are_found_and_private_ones_are_not(http: aiohttp.ClientSession) -> None:
    """A private table is found by its link alone; so are tables against bots, unless their host wants visitors."""
    first = await opened(http)
    await open_table(http, preset="custom", options={"seats": 2}, bots=[None])
    await open_table(http)
    second = await opened(http)
    assert [second, first] == await listed(http)


FILTERS = [
    ({"deck": 24}, {"deck": 24}),
    ({"seats": 4}, {"seats": 4}),
    ({"transfer": True}, {"transfer": True}),
    ({"throw_scope": "neighbours"}, {"scope": "neighbours"}),
    ({"cheat": True}, {"cheating": True}),
    ({"stake": 100}, {"stake": 100}),
    ({"stake": 100}, {"stake": 200}),
]


@pytest.mark.parametrize(("options", "wanted"), FILTERS)
async def test_filters_find_what_was_asked_for(http: aiohttp.ClientSession, options: dict[str, Any], wanted: dict[str, Any]) -> None:
    """By deck, seats, transfer, scope, cheating and stake, over HTTP and over the websocket."""
    other = await opened(http)
    table_id = await opened(http, **options)
    query = "&".join(f"{name}={str(value).lower()}" for name, value in wanted.items())
    assert [table_id] == await listed(http, f"?{query}")
    async with http.ws_connect("/ws/lobby") as socket:
        visitor = Visitor(socket)
        assert [table_id] == await visitor.ask(**wanted)
        assert [table_id, other] == await visitor.ask()
        assert (other in await visitor.ask(stake=0)) and ((table_id in await visitor.ask(stake=0)) != ("stake" in options))
    assert [] == await listed(http, "?stake=5&deck=52")


async def test_seats_fill_as_one_looks(server: Server, http: aiohttp.ClientSession) -> None:
    """New tables, joining, leaving, and the end of a table are pushed to whoever looks; what does not pass the filter is not."""
    async with browser(server) as other, http.ws_connect("/ws/lobby") as socket:
        visitor = Visitor(socket)
        assert [] == await visitor.ask(free=True)
        table_id = await opened(http, seats=2)
        told = await visitor.next()
        assert ("table", table_id, 1) == (told["t"], told["table"]["id"], told["table"]["free"])
        assert ["person", "empty"] == [player["kind"] for player in told["table"]["players"]]
        await join(other, table_id, name="Emin")
        assert {"t": "gone", "id": table_id} == await visitor.next()
        async with Player(other, table_id) as friend:
            await friend.hello()
            await friend.ask(t="leave")
            assert table_id == (await visitor.next())["table"]["id"]
        async with Player(http, table_id) as host:
            await host.hello()
            await host.ask(t="leave")
        assert {"t": "gone", "id": table_id} == await visitor.next()
        assert [] == await visitor.ask()


async def test_the_lobby_comes_back_with_the_server(server: Server, http: aiohttp.ClientSession) -> None:
    """What is open is in the log: another process lists it as well."""
    table_id = await opened(http)
    assert table_id in await server.site.store.overdue(server.site.clock.now() + 3_600_000, 10)


GARBAGE = [
    "", "[]", '{"t":"filter","deck":"x"}', '{"t":"nothing"}', '{"t":"filter","seats":9}', "x" * 20_000, '"' + "\u0436" * 9000 + '"',
    '{"x":' + "[" * 7000 + "]" * 7000 + ',"t":"ping"}',
]  # fmt: skip


@pytest.mark.parametrize("message", GARBAGE)
async def test_garbage_gets_a_fault(http: aiohttp.ClientSession, message: str) -> None:
    """What cannot be read is said so, and the conversation goes on."""
    async with http.ws_connect("/ws/lobby") as socket:
        visitor = Visitor(socket)
        await socket.send_str(message)
        told = await visitor.next()
        assert ("fault", True) == (told["t"], told["code"] in ("bad_message", "too_big"))
        await socket.send_bytes(b"\x00")
        assert "not_text" == (await visitor.next())["code"]
        await visitor.send(t="ping", n=4)
        assert ("pong", 4) == (lambda pong: (pong["t"], pong["n"]))(await visitor.next())


@pytest.mark.parametrize("query", ["?deck=x", "?seats=9", "?colour=red", "?free=perhaps"])
async def test_a_filter_that_makes_no_sense_is_refused(http: aiohttp.ClientSession, query: str) -> None:
    """A wrong query is an error and not an empty list."""
    async with http.get(f"/api/tables{query}") as response:
        assert (400, "bad_body") == (response.status, (await response.json())["code"])


async def test_the_lobby_says_nothing_of_hands_or_guests(server: Server, http: aiohttp.ClientSession) -> None:
    """A running table is listed with its players' names, and nothing that only they know."""
    body: dict[str, Any] = {"preset": "custom", "options": {"seats": 2}, "bots": ["easy"], "private": False, "password": "secret"}
    table_id = (await open_table(http, **body))["id"]
    live = await server.site.tables.get(table_id)
    assert live is not None
    async with http.get("/api/tables") as response:
        text = await response.text()
    guest, kept = live.table.host, live.table.password
    assert table_id in text and guest is not None and kept is not None
    for secret in (guest, kept, "secret", "server_seed", "hand"):
        assert secret not in text


async def test_the_lobby_cannot_be_asked_without_end(http: aiohttp.ClientSession, limited: None) -> None:
    """Filters have a limit of their own, other messages theirs; whoever asks for too much is told so."""
    async with http.ws_connect("/ws/lobby") as socket:
        visitor = Visitor(socket)
        for _ in range(12):
            await visitor.send(t="filter")
        assert ["tables"] * 8 + ["fault"] * 4 == [(await visitor.next())["t"] for _ in range(12)]


async def test_open_tables_survive_the_server(tmp_path: Path, start: Start) -> None:  # noqa: F811
    """After a crash the lobby is as it was, and the host's seat is still the host's."""
    database = tmp_path / "kozyr.db"
    server = start(database)
    async with session_at(server.base) as session:
        table_id = await opened(session)
        server.kill()
        server = start(database, server.port)
        async with asyncio.timeout(PATIENCE_S):
            while [table_id] != await listed(session):
                await asyncio.sleep(0.02)
        async with Player(session, table_id) as host:
            assert (0, "gathering") == (lambda told: (told["seat"], told["table"]["stage"]))(await host.hello())
    assert 0 == server.stop()


async def test_nobody_fills_the_lobby_alone(server: Server, http: aiohttp.ClientSession) -> None:
    """Of one address only so many tables are shown to everybody; tables for friends can still be opened."""
    server.site.allowances.listing = Limits(2, 60_000)
    for _ in range(2):
        await opened(http)
    body = {"preset": "custom", "options": {"seats": 3}}
    async with http.post("/api/tables", json={**body, "private": False}) as answer:
        assert (429, {"code": "not_so_fast"}) == (answer.status, await answer.json())
    await open_table(http, **body)

"""Games for coins over the wire: by a link, through a lost connection and a killed server, right to the last coin."""
from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.web.conftest import Server, browser
from tests.web.player import Player, gone, open_table
from tests.web.test_people import card, dealt, join
from tests.web.test_restart import Start, session_at, start  # noqa: F401  # the fixture

STAKED: dict[str, Any] = {"preset": "custom", "options": {"seats": 2, "stake": 100}}


async def coins(session: aiohttp.ClientSession, query: str = "") -> dict[str, Any]:
    async with session.get(f"/api/coins{query}") as response:
        assert 200 == response.status
        told: dict[str, Any] = await response.json()
        return told


async def test_a_game_for_coins(server: Server, http: aiohttp.ClientSession) -> None:
    """The first staked table gives the coins to begin with; the stakes go when the game opens; the pot is paid at its end (R15)."""
    opened = await open_table(http, **STAKED)
    assert 1000 == (await coins(http))["coins"]
    async with browser(server) as other, Player(http, opened["id"]) as host:
        assert {} == await coins(other)
        await host.hello()
        await join(other, opened["id"])
        async with Player(other, opened["id"]) as friend:
            await friend.hello()
            await dealt(host, friend)
            assert [900, 900] == [(await coins(each))["coins"] for each in (http, other)]
            assert host.view is not None
            await friend.ask(t="play", move="resign", bout=host.view["bout_no"])
            while not host.is_over:
                await host.until("update")
            assert [1100, 900] == [(await coins(each))["coins"] for each in (http, other)]
    lines = (await coins(http))["lines"]
    assert [("payout", 200, 1100), ("stake", -100, 900), ("grant", 1000, 1000)] == [
        (line["kind"], line["coins"], line["balance"]) for line in lines
    ]
    assert f"{opened['id']}/1" == lines[0]["game"]
    assert ["grant"] == [line["kind"] for line in (await coins(http, "?before=2"))["lines"]]


async def test_who_has_too_few_coins_sits_at_free_tables(server: Server, http: aiohttp.ClientSession) -> None:
    """Neither opening nor joining (R15.2)."""
    body: dict[str, Any] = {"preset": "custom", "options": {"seats": 2, "stake": 1001}}
    async with http.post("/api/tables", json=body) as response:
        assert (409, "unpaid") == (response.status, (await response.json())["code"])
    for stake in (1, 9):
        async with http.post("/api/tables", json={**body, "options": {"seats": 2, "stake": stake}}) as response:
            assert (422, "bad_value") == (response.status, (await response.json())["code"])
    await open_table(http)


@pytest.mark.parametrize("query", ["?before=x", "?before=-1", "?before=99999999999999999999"])
async def test_a_page_of_postings_that_there_cannot_be(http: aiohttp.ClientSession, query: str) -> None:
    """A number is wanted."""
    async with http.get(f"/api/coins{query}") as response:
        assert 400 == response.status


@pytest.mark.parametrize(("body", "code"), [({"options": {"seats": 2, "turn_s": 0, "stake": 10}}, "not_together"),
                                            ({"options": {"seats": 2, "turn_s": 0}, "private": False}, "not_together")])  # fmt: skip
async def test_only_friends_wait_without_end(http: aiohttp.ClientSession, body: dict[str, Any], code: str) -> None:
    """The timer can be off at free private tables only (R16.1)."""
    async with http.post("/api/tables", json={"preset": "custom", **body}) as response:
        told = await response.json()
        assert (422, code, "turn_s") == (response.status, told["code"], told["about"])
    await open_table(http, preset="custom", options={"seats": 2, "turn_s": 0})


async def test_no_bot_plays_on_for_coins(http: aiohttp.ClientSession) -> None:
    """Whoever leaves a game for coins has lost it: no bot takes the seat over (R15.1, R16.3)."""
    for stake, status in ((0, 201), (10, 422)):
        options = {"seats": 3, "stake": stake, "forfeit": "autopilot"}
        async with http.post("/api/tables", json={"preset": "custom", "options": options}) as response:
            told = await response.json()
            assert (status, "forfeit" if stake else None) == (response.status, told.get("about"))


async def test_a_spectator_of_a_game_for_coins_sees_it_later(server: Server, http: aiohttp.ClientSession) -> None:
    """Who comes and goes is seen at once; the cards a minute later, and to the end when the game is over (R13.2)."""
    opened = await open_table(http, **STAKED, private=False)
    async with browser(server) as other, browser(server) as third, Player(http, opened["id"]) as host:
        await host.hello()
        async with Player(third, opened["id"]) as watcher:
            welcome = await watcher.hello()
            assert 60_000 == welcome["table"]["delay_ms"]
            await join(other, opened["id"])
            assert "sit" in [event["e"] for event in (await watcher.until("update"))["events"]]
            async with Player(other, opened["id"]) as friend:
                await friend.hello()
                assert (1, True) == (lambda told: (told["seat"], told["here"]))(await watcher.until("presence"))
                await dealt(host, friend)
                welcome = await watcher.hello()
                assert ("gathering", None) == (welcome["table"]["stage"], welcome.get("view"))
                assert [False, True] == [(await card(each, opened["id"]))["seq"] > 0 for each in (third, http)]
                await friend.ask(t="play", move="resign", bout=1)
                while not watcher.is_over:
                    await watcher.until("update")
                assert watcher.seq == (await host.hello())["seq"]
                heard = [event["e"] for told in watcher.heard for event in told.get("events", [])]
                assert ["deal", "resign", "over"] == [name for name in heard if name in ("deal", "resign", "over")]


async def test_whoever_leaves_a_staked_seat_watches_like_all_others(server: Server, http: aiohttp.ClientSession) -> None:
    """The connection that saw the table as it is is told that the seat is free, and ends; the next one is a spectator's."""
    opened = await open_table(http, **STAKED)
    async with browser(server) as other, Player(http, opened["id"]) as host:
        await host.hello()
        await join(other, opened["id"])
        async with Player(other, opened["id"]) as friend:
            await friend.hello()
            assert "ack" == (await friend.ask(t="leave"))["t"]
            await gone(friend)
        async with Player(other, opened["id"]) as again:
            assert "seat" not in await again.hello()


async def test_four_play_for_coins_through_a_lost_connection_and_a_killed_server(
    tmp_path: Path, start: Start  # noqa: F811
) -> None:
    """A transfer game of four by an invitation link; one loses the connection, the server is killed; the coins are right."""
    database = tmp_path / "kozyr.db"
    server = start(database)
    async with AsyncExitStack() as stack:
        sessions = [await stack.enter_async_context(session_at(server.base)) for _ in range(4)]
        opened = await open_table(sessions[0], preset="peak", options={"seats": 4, "stake": 50, "transfer": True}, bots=[None] * 3)
        for session in sessions[1:]:
            assert 200 == (await join(session, opened["id"]))[0]
        players = [await stack.enter_async_context(Player(session, opened["id"])) for session in sessions]
        for player in players:
            await player.hello()
        await dealt(*players)
        await some_moves(players, 6)
        # One connection is lost without a word, and comes back to the same seat.
        response: Any = players[2].socket._response
        response.connection.transport.abort()
        await some_moves([player for player in players if player is not players[2]], 1, 0.3)
        players[2].socket = await sessions[2].ws_connect(opened["socket"])
        assert 2 == (await players[2].hello(players[2].seq))["seat"]
        await some_moves(players, 6)
        server.kill()
        server = start(database, server.port)
        for seat, player in enumerate(players):
            player.socket = await sessions[seat].ws_connect(opened["socket"])
            player.salt = "after-"
            assert seat == (await player.hello(player.seq))["seat"]
        await asyncio.gather(*(player.play_out() for player in players))
        result = players[0].view["result"] if players[0].view is not None else {}
        told = [await coins(session) for session in sessions]
        assert 4000 == sum(each["coins"] for each in told)
        paid = result.get("payout") or [50] * 4
        assert [950 + each for each in paid] == [each["coins"] for each in told]
        assert all([line["kind"] for line in each["lines"]][-2:] == ["stake", "grant"] for each in told)
        assert 0 == server.stop()


async def some_moves(players: list[Player], count: int, patience_s: float = 5.0) -> None:
    """Let whoever is waited for move, until so many moves have been made or nobody here has one to make."""
    try:
        async with asyncio.timeout(patience_s):
            await asyncio.gather(*(player.some_moves(count) for player in players))
    except TimeoutError:
        return

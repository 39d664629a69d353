"""Tables of people: joining by a link, passwords, being ready, leaving, bots, presence; and who may do none of it."""
from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import aiohttp
import pytest

from kozyr.app.commands import Done, Leave
from kozyr.app.limits import Limits
from kozyr.app.live import LiveTable
from kozyr.web import allowances
from tests.web.conftest import Server, browser
from tests.web.player import Player, gone, open_table, wrong

FREE: dict[str, Any] = {"preset": "custom", "options": {"seats": 2, "deck": 24}, "bots": [None]}


async def join(session: aiohttp.ClientSession, table_id: str, **body: Any) -> tuple[int, dict[str, Any]]:
    async with session.post(f"/api/tables/{table_id}/seats", json=body) as response:
        return response.status, await response.json()


async def card(session: aiohttp.ClientSession, table_id: str) -> dict[str, Any]:
    async with session.get(f"/api/tables/{table_id}") as response:
        found: dict[str, Any] = await response.json()
        return found


async def ready(player: Player) -> None:
    told = await player.ask(t="ready")
    assert "ack" == told["t"], told


async def dealt(*players: Player) -> None:
    """All are ready, agree on the shuffle, and have cards."""
    for player in players:
        await ready(player)
    for player in players:
        while player.table["stage"] == "gathering" if "stage" in player.table else False:
            await player.until("update")
    await asyncio.gather(*(player.agree() for player in players))


async def test_friends_meet_by_a_link_and_play(server: Server, http: aiohttp.ClientSession) -> None:
    """One opens a table, the other joins by its address; both are ready, the cards are dealt, the game is played out."""
    opened = await open_table(http, **FREE, name="Ayla")
    assert f"/t/{opened['id']}" == opened["link"]
    async with browser(server) as other, Player(http, opened["id"]) as host:
        welcome = await host.hello()
        assert ("gathering", 0, 0) == (welcome["table"]["stage"], welcome["seat"], welcome["table"]["host"])
        assert ["person", "empty"] == [each["kind"] for each in welcome["table"]["players"]]
        assert (200, 1) == (lambda status, body: (status, body["seat"]))(*await join(other, opened["id"], name="Emin"))
        told = await host.until("update")
        sat = told["events"][0]
        assert 16 == len(sat["player"].pop("id"))
        assert [{"e": "sit", "seat": 1, "player": {"name": "Emin", "kind": "person", "here": False}}] == told["events"]
        async with Player(other, opened["id"]) as friend:
            assert 1 == (await friend.hello())["seat"]
            assert (1, True) == (lambda told: (told["seat"], told["here"]))(await host.until("presence"))
            await dealt(host, friend)
            await asyncio.gather(host.play_out(), friend.play_out())
            async with http.get(f"/api/tables/{opened['id']}/games/1") as response:
                text = await response.text()
                assert [] == wrong(text)
                assert "Ayla (person); Emin (person)" in text


async def test_a_spectator_takes_a_seat_on_the_same_connection(server: Server, http: aiohttp.ClientSession) -> None:
    """Look first, then sit down: a guest's open websocket speaks for the seat after another hello."""
    opened = await open_table(http, **FREE)
    async with browser(server) as other:
        await open_table(other)  # a guest already
        async with Player(other, opened["id"]) as visitor:
            assert "seat" not in await visitor.hello()
            assert "not_seated" == (await visitor.ask(t="ready"))["code"]
            await join(other, opened["id"])
            assert 1 == (await visitor.hello())["seat"]
            await ready(visitor)


async def test_joining_twice_is_joining_once(server: Server, http: aiohttp.ClientSession) -> None:
    """A request that is sent again finds the seat that it got; the host has one already."""
    opened = await open_table(http, preset="custom", options={"seats": 3}, bots=[None, None])
    async with browser(server) as other:
        first, again = await join(other, opened["id"], seat=2), await join(other, opened["id"], seat=1)
        assert first == again == (200, {"id": opened["id"], "seat": 2, "socket": opened["socket"]})
    assert 0 == (await join(http, opened["id"]))[1]["seat"]
    assert ["person", "empty", "person"] == [each["kind"] for each in (await card(http, opened["id"]))["players"]]


async def test_joining_in_two_tabs_at_once_is_joining_once(server: Server, http: aiohttp.ClientSession) -> None:
    """One guest has one seat, however many of their requests come together."""
    opened = await open_table(http, preset="custom", options={"seats": 4}, bots=[None, None, None])
    async with browser(server) as other:
        await open_table(other)
        answers = await asyncio.gather(*(join(other, opened["id"]) for _ in range(5)))
        assert {(200, 1)} == {(status, body["seat"]) for status, body in answers}
    assert ["person", "person", "empty", "empty"] == [each["kind"] for each in (await card(http, opened["id"]))["players"]]


async def test_two_who_join_at_once_do_not_sit_on_each_other(server: Server, http: aiohttp.ClientSession) -> None:
    """One gets the last seat, the other is told so."""
    opened = await open_table(http, **FREE)
    async with browser(server) as one, browser(server) as two:
        answers = await asyncio.gather(join(one, opened["id"]), join(two, opened["id"]))
        assert [200, 409] == sorted(status for status, _ in answers)
        assert ["table_full"] == [body["code"] for status, body in answers if status == 409]


async def test_a_password_keeps_strangers_from_sitting_down(server: Server, http: aiohttp.ClientSession) -> None:
    """Without it nobody sits; whoever has one seat needs it no more; it is nowhere in what anybody is told or in the log."""
    opened = await open_table(http, **FREE, password="lalə-çiçəyi")
    async with browser(server) as other:
        for body in ({}, {"password": "rose"}):
            assert (403, "wrong_password") == (lambda status, told: (status, told["code"]))(*await join(other, opened["id"], **body))
        assert 200 == (await join(other, opened["id"], password="lalə-çiçəyi"))[0]
        assert 200 == (await join(other, opened["id"]))[0]
        seen = await card(other, opened["id"])
        assert seen["password"] is True
        async with Player(other, opened["id"]) as player:
            await player.hello()
            assert "lalə" not in str(player.heard)
    tail = await server.site.store.load(opened["id"])
    assert tail is not None and "lalə".encode() not in b"".join(row.body for row in tail.rows)


async def test_passwords_cannot_be_tried_out(server: Server, http: aiohttp.ClientSession) -> None:
    """After a few wrong ones it takes a while until the next one is looked at."""
    opened = await open_table(http, **FREE, password="right")
    async with browser(server) as other:
        codes = [(await join(other, opened["id"], password=f"wrong{n}"))[1]["code"] for n in range(8)]
        assert ["wrong_password"] * 5 + ["not_so_fast"] * 3 == codes
        assert (429, "not_so_fast") == (lambda status, told: (status, told["code"]))(*await join(other, opened["id"], password="right"))


@pytest.mark.parametrize("path", ["/api/tables", "joining", "/ws/lobby", "/api/tables?deck=36"])
async def test_nobody_takes_the_server_for_themselves(server: Server, http: aiohttp.ClientSession, path: str) -> None:
    """Opening tables, joining, connecting and listing have limits by address, which say so."""
    opened = await open_table(http, **FREE)
    few = Limits(3, 3_600_000)
    server.site.allowances = allowances.Allowances(few, few, few, few, few)
    for n in range(5):
        if path == "/api/tables":
            asked = http.post(path, json={})
        elif path == "joining":
            asked = http.post(f"/api/tables/{opened['id']}/seats", json={})
        else:
            asked = http.get(path)
        async with asked as response:
            assert (429 == response.status) == (n >= 3)
            if n >= 3:
                assert "not_so_fast" == (await response.json())["code"]


async def test_a_flood_of_messages_is_slowed_down(server: Server, http: aiohttp.ClientSession, limited: None) -> None:
    """Commands are refused, others get a fault, and the connection lives; nothing of it reads the log."""
    opened = await open_table(http, **FREE)
    async with Player(http, opened["id"]) as player:
        await player.hello()
        for n in range(90):
            await player.send(t="play", id=f"x{n}", move="take", bout=1)
        codes = [(await player.until("refused"))["code"] for _ in range(90)]
        assert {"not_dealt", "not_so_fast"} == set(codes)
        assert codes.count("not_so_fast") > 10
        for _ in range(12):
            await player.send(t="hello", v=1)
        assert "not_so_fast" == (await player.until("fault"))["code"]


async def test_the_host_fills_seats_with_bots(server: Server, http: aiohttp.ClientSession) -> None:
    """A bot at an empty seat, sent away again, and another; of levels that there are."""
    opened = await open_table(http, preset="custom", options={"seats": 3}, bots=[None, None])
    async with browser(server) as other, Player(http, opened["id"]) as host:
        await join(other, opened["id"])
        async with Player(other, opened["id"]) as friend:
            await host.hello()
            await friend.hello()
            assert "not_host" == (await friend.ask(t="seat_bot", seat=2, level="easy"))["code"]
            assert "bad_bot" == (await host.ask(t="seat_bot", seat=2, level="genius"))["code"]
            assert "ack" == (await host.ask(t="seat_bot", seat=2, level="easy"))["t"]
            assert "no_bot" == (await host.ask(t="unseat_bot", seat=1))["code"]
            assert "ack" == (await host.ask(t="unseat_bot", seat=2))["t"]
            assert "ack" == (await host.ask(t="seat_bot", seat=2, level="easy"))["t"]
            await dealt(host, friend)
            assert "game_runs" == (await host.ask(t="unseat_bot", seat=2))["code"]
            assert "game_runs" == (await friend.ask(t="leave"))["code"]


async def test_whoever_leaves_is_a_spectator(server: Server, http: aiohttp.ClientSession) -> None:
    """The seat is empty for everybody, and the one who left has no part in it any more."""
    opened = await open_table(http, **FREE)
    async with browser(server) as other, Player(http, opened["id"]) as host:
        await host.hello()
        await join(other, opened["id"])
        async with Player(other, opened["id"]) as friend:
            await friend.hello()
            assert "ack" == (await friend.ask(t="leave"))["t"]
            while {"e": "rise", "seat": 1} not in [event for told in host.heard for event in told.get("events", [])]:
                await host.until("update")
            await friend.until("update")
            assert "not_seated" == (await friend.ask(t="ready"))["code"]
            assert "seat" not in await friend.hello()
        assert "empty" == (await card(http, opened["id"]))["players"][1]["kind"]
        assert "ack" == (await host.ask(t="leave"))["t"]
    assert "closed" == (await card(http, opened["id"]))["stage"]
    assert (409, "table_closed") == (lambda status, told: (status, told["code"]))(*await join(http, opened["id"]))


async def test_a_seat_that_changes_hands_meanwhile_is_the_new_players_alone(
    server: Server, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody says hello; before the answer they have left in another window, and another has sat down: they are a spectator."""
    opened = await open_table(http, **FREE)
    async with browser(server) as other, browser(server) as third:
        await join(other, opened["id"])
        live = server.site.tables.in_memory(opened["id"])
        assert live is not None
        player = live.table.players[1]
        assert player is not None
        before = LiveTable.since

        async def late(seq: int | None) -> Any:
            monkeypatch.setattr(LiveTable, "since", before)
            assert isinstance(await live.handle(Leave(1, "l"), player.guest), Done)
            assert (200, 1) == (lambda status, told: (status, told["seat"]))(*await join(third, opened["id"]))
            return await live.since(seq)

        monkeypatch.setattr(LiveTable, "since", lambda self, seq: late(seq))
        async with Player(other, opened["id"]) as friend:
            assert "seat" not in await friend.hello()
            assert "not_seated" == (await friend.ask(t="ready"))["code"]


async def test_a_seats_ids_are_its_players(server: Server, http: aiohttp.ClientSession) -> None:
    """Who sits down where somebody else sat may use the same ids: nothing is taken for done that was not."""
    opened = await open_table(http, **FREE)
    async with AsyncExitStack() as stack:
        for _ in range(2):
            session = await stack.enter_async_context(browser(server))
            await join(session, opened["id"])
            player = await stack.enter_async_context(Player(session, opened["id"]))
            await player.hello()
            assert "ack" == (await player.ask(t="ready", id="same"))["t"]
            assert [1] == (await player.hello())["table"]["ready"]
            await player.ask(t="leave")


async def test_presence_is_told_as_it_is(server: Server, http: aiohttp.ClientSession) -> None:
    """Away since when, and back; a stranger is told the same."""
    opened = await open_table(http, **FREE)
    async with browser(server) as other, Player(other, opened["id"]) as spectator:
        await spectator.hello()
        assert spectator.table["players"][0].get("here", True) is False
        async with Player(http, opened["id"]) as host:
            await host.hello()
            assert (0, True) == (lambda told: (told["seat"], told["here"]))(await spectator.until("presence"))
        assert (0, False) == (lambda told: (told["seat"], told["here"]))(await spectator.until("presence"))
        await asyncio.sleep(0.05)
        shown = (await spectator.hello())["table"]["players"][0]
        assert shown["here"] is False and 50 <= shown["away_ms"] < 10_000


async def test_two_throw_ins_at_the_same_moment_both_count(server: Server, http: aiohttp.ClientSession) -> None:
    """Two sockets, two cards at once, each sent before the other's was known: both lie (I5, R5.3)."""
    async with AsyncExitStack() as stack:
        for attempt in range(40):
            body = {"preset": "custom", "options": {"seats": 3}, "bots": [None, None]}
            opened = await open_table(http, **body)
            players = [await stack.enter_async_context(Player(http, opened["id"]))]
            for _ in range(2):
                session = await stack.enter_async_context(browser(server))
                await join(session, opened["id"])
                players.append(await stack.enter_async_context(Player(session, opened["id"])))
            for player in players:
                player.salt = f"a{attempt}-"
                await player.hello()
            await dealt(*players)
            attacker = next(player for player in players if player.view is not None and player.view["waiting"] == [player.seat])
            assert attacker.view is not None
            first = await attacker.ask(t="play", move=attacker.view["legal"][0], bout=1)
            for player in players:
                while player.seq < first["seq"]:
                    await player.until("update")
            legal = [(player, move) for player in players if player.view for move in player.view.get("legal", [])]
            by_seat = {player.seat: (player, move) for player, move in legal if move.startswith("attack")}
            if len(by_seat) == 2:
                answers = await asyncio.gather(*(player.ask(t="play", move=move, bout=1) for player, move in by_seat.values()))
                assert ["ack", "ack"] == [told["t"] for told in answers]
                assert 1 == abs(answers[0]["seq"] - answers[1]["seq"])
                return
    raise AssertionError("no deal in which two can throw in")


async def test_another_device_with_the_same_cookie_takes_over(server: Server, http: aiohttp.ClientSession) -> None:
    """The same guest elsewhere: same seat, same cards, and the first tab is told."""
    opened = await open_table(http, preset="custom", options={"seats": 2})
    async with Player(http, opened["id"]) as first:
        await first.hello()
        await first.agree()
        cookies = http.cookie_jar.filter_cookies(aiohttp.client.URL(server.base))
        device = aiohttp.ClientSession(server.base, cookies=cookies, cookie_jar=aiohttp.CookieJar(unsafe=True))
        async with device as elsewhere, Player(elsewhere, opened["id"]) as second:
            welcome = await second.hello(first.seq)
            assert 0 == welcome["seat"] and first.view is not None
            assert set(first.view["hand"]) <= set(welcome["view"]["hand"]) | set(first.view["hand"])
            await first.until("fault")
            assert "taken_over" == first.heard[-1]["code"]
            await gone(first)
            await second.play_out()


async def test_spectators_stay_through_a_rematch(server: Server, http: aiohttp.ClientSession) -> None:
    """Who watches sees the next game begin, on the same connection, and still no hand."""
    opened = await open_table(http, preset="custom", options={"seats": 2})
    async with browser(server) as other, Player(http, opened["id"]) as player, Player(other, opened["id"]) as watcher:
        await player.hello()
        await watcher.hello()
        await player.agree()
        await player.ask(t="play", move="resign", bout=1)
        while not player.is_over:
            await player.until("update")
        assert "ack" == (await player.ask(t="again", game=1))["t"]
        while player.table["game"] != 2:
            await player.until("update")
        await player.agree()
        while not (watcher.table["game"] == 2 and watcher.view is not None and watcher.table["stage"] == "playing"):
            await watcher.until("update")
        assert "hand" not in watcher.view and "legal" not in watcher.view

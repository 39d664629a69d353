"""What people have played: profiles, games, series; and whom they have blocked."""
from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from kozyr.app.limits import Limits
from kozyr.app.table import Table
from kozyr.web import people
from tests.web.conftest import Server, browser
from tests.web.player import Player, open_table
from tests.web.test_accounts import ask, named
from tests.web.test_people import dealt, join

DUEL: dict[str, Any] = {"preset": "custom", "options": {"seats": 2, "deck": 24}, "bots": [None]}
STAKED: dict[str, Any] = {"preset": "custom", "options": {"seats": 2, "stake": 100}}
SERIES: dict[str, Any] = {"preset": "custom", "options": {"seats": 2, "deck": 24, "series": True, "series_games": 2}, "bots": [None]}


@pytest.fixture(autouse=True)
def patient(server: Server) -> None:
    many = server.site.allowances
    many.changing = many.reporting = Limits(10**6, 1)


async def resign(loser: Player, winner: Player) -> None:
    """End a game at once."""
    assert loser.view is not None
    assert "ack" == (await loser.ask(t="play", move="resign", bout=loser.view["bout_no"]))["t"]
    for each in (loser, winner):
        while not each.is_over:
            await each.until("update")


async def test_a_game_is_in_both_players_records(server: Server, http: aiohttp.ClientSession) -> None:
    """With place, durak, coins and options; the profile adds it up by kind; a stranger sees the profile and nobody's games."""
    me = await named(http, "Ayla", avatar=5)
    async with browser(server) as other:
        friend_is = await named(other, "Emin")
        opened = await open_table(http, **STAKED)
        await join(other, opened["id"])
        async with Player(http, opened["id"]) as host, Player(other, opened["id"]) as friend:
            await host.hello()
            await friend.hello()
            await dealt(host, friend)
            assert {} == (await ask(http, "GET", "/api/me/games"))[1]
            await resign(friend, host)
        (won,), (lost,) = [(await ask(each, "GET", "/api/me/games"))[1]["games"] for each in (http, other)]
    assert (1, opened["id"], 1, 0, 1, 100) == tuple(won[name] for name in ("number", "table", "game", "seat", "place", "coins"))
    assert (1, True, -100) == tuple(lost[name] for name in ("seat", "durak", "coins")) and "place" not in lost and "durak" not in won
    assert {"deck": 36, "seats": 2, "stake": 100} == won["options"] and won["at"] == lost["at"]
    assert [
        {"name": "Ayla", "kind": "person", "id": me["id"], "avatar": 5},
        {"name": "Emin", "kind": "person", "id": friend_is["id"]},
    ] == won["players"] == lost["players"]
    async with browser(server) as stranger:
        status, profile = await ask(stranger, "GET", f"/api/players/{friend_is['id']}")
        assert (200, {"games": 1, "durak": 1}) == (status, profile["score"])
        assert [{"deck": 36, "seats": 2, "games": 1, "staked": True, "durak": 1}] == profile["kinds"]
        assert {"id", "name", "since", "score", "kinds"} == set(profile)
        assert (404, {"code": "no_player", "about": "abcdef"}) == await ask(stranger, "GET", "/api/players/abcdef")
        assert 404 == (await ask(stranger, "GET", "/api/players/..%2f"))[0]


async def test_the_pages_of_a_record(server: Server, http: aiohttp.ClientSession) -> None:
    """The newest first, the next page from a number on; a number that is none is told so. Bots have no record."""
    opened = await open_table(http, preset="custom", options={"seats": 2, "deck": 24}, bots=["easy"])
    async with Player(http, opened["id"]) as player:
        await player.hello()
        for game in (1, 2, 3):
            await player.agree()
            assert player.view is not None
            await player.ask(t="play", move="resign", bout=player.view["bout_no"])
            while not player.is_over:
                await player.until("update")
            await player.ask(t="again", game=game)
            while player.table.get("game") == game:
                await player.until("update")
    games = (await ask(http, "GET", "/api/me/games"))[1]["games"]
    assert [(3, 3), (2, 2), (1, 1)] == [(game["number"], game["game"]) for game in games]
    assert ["person", "bot"] == [player["kind"] for player in games[0]["players"]] and "id" not in games[0]["players"][1]
    assert [1] == [game["number"] for game in (await ask(http, "GET", "/api/me/games?before=2"))[1]["games"]]
    for before in ("-1", "x", "1e3", "", "9" * 20, "²"):
        for path in ("games", "series"):
            assert (400, {"code": "bad_body", "about": "before"}) == await ask(http, "GET", f"/api/me/{path}?before={before}")
    me = (await ask(http, "GET", "/api/me"))[1]
    assert {"games": 3, "durak": 3} == (await ask(http, "GET", f"/api/players/{me['id']}"))[1]["score"]


async def test_a_series_is_in_the_record_as_it_stands(server: Server, http: aiohttp.ClientSession) -> None:
    """From its first game on, and over after its last; the next one is another (R12)."""
    async with browser(server) as other:
        opened = await open_table(http, **SERIES)
        await join(other, opened["id"])
        async with Player(http, opened["id"]) as host, Player(other, opened["id"]) as friend:
            await host.hello()
            await friend.hello()
            await dealt(host, friend)
            for game in (1, 2, 3):
                await resign(friend, host)
                (newest, *older) = (await ask(other, "GET", "/api/me/series"))[1]["series"]
                assert ((game + 1) // 2, (game + 1) // 2 * 2 - 1, 2 - game % 2) == (newest["number"], newest["first"], newest["games"])
                assert (game % 2 == 0, 2, 1) == (newest.get("over", False), newest["of"], newest["seat"])
                assert [0, newest["games"]] == newest["losses"] and [0, 1] == newest["standing"]
                assert (game + 1) // 2 - 1 == len(older)
                if game < 3:
                    await asyncio.gather(*(each.ask(t="again", game=game) for each in (host, friend)))
                    for each in (host, friend):
                        while each.table["game"] == game:
                            await each.until("update")
                    await asyncio.gather(host.agree(), friend.agree())
        assert [1] == [each["number"] for each in (await ask(http, "GET", "/api/me/series?before=2"))[1]["series"]]


async def test_two_at_a_table_who_look_alike(server: Server, http: aiohttp.ClientSession) -> None:
    """The second one gets a number at the table, and keeps the name elsewhere; so do two guests without a name."""
    for names, shown in ((("Ayla", "AyIa"), ["Ayla", "AyIa 2"]), ((None, None), ["Guest", "Guest 2"])):
        async with browser(server) as first, browser(server) as second:
            opened = await open_table(first, **DUEL, **({"name": names[0]} if names[0] else {}))
            assert 200 == (await join(second, opened["id"], **({"name": names[1]} if names[1] else {})))[0]
            async with first.get(f"/api/tables/{opened['id']}") as response:
                assert shown == [player["name"] for player in (await response.json())["players"]]
            assert (names[1] or "Guest") == (await ask(second, "GET", "/api/me"))[1]["name"]


async def test_a_blocked_player_sits_elsewhere(server: Server, http: aiohttp.ClientSession) -> None:
    """Not at a table where the blocker sits; it is not said who that is; everybody else does, and the blocked one again when unblocked."""
    await named(http, "Ayla")
    async with browser(server) as other, browser(server) as third:
        bad = await named(other, "Emin")
        good = await named(third, "Leyla")
        status, blocks = await ask(http, "PUT", f"/api/blocks/{bad['id']}")
        assert (200, {"players": [{"id": bad["id"], "name": "Emin"}]}) == (status, blocks)
        assert blocks == (await ask(http, "PUT", f"/api/blocks/{bad['id']}"))[1] == (await ask(http, "GET", "/api/blocks"))[1]
        assert (await ask(http, "GET", f"/api/players/{bad['id']}"))[1]["blocked"]
        assert "blocked" not in (await ask(other, "GET", f"/api/players/{bad['id']}"))[1]
        opened = await open_table(http, preset="custom", options={"seats": 4, "deck": 24}, bots=[None, None, None])
        assert (403, {"code": "blocked"}) == await join(other, opened["id"])
        assert 200 == (await join(third, opened["id"]))[0]
        assert (403, {"code": "blocked"}) == await join(other, opened["id"], seat=3)
        # The blocked one's own table is open to the blocker, and the seat of one who sits there already is kept.
        elsewhere = await open_table(other, **DUEL)
        assert 200 == (await join(http, elsewhere["id"]))[0]
        assert 200 == (await join(other, elsewhere["id"]))[0]
        assert (200, {}) == await ask(http, "DELETE", f"/api/blocks/{bad['id']}")
        assert 200 == (await join(other, opened["id"]))[0]
        assert (404, {"code": "no_player", "about": "zzz"}) == await ask(http, "PUT", "/api/blocks/zzz")
        me = (await ask(http, "GET", "/api/me"))[1]
        assert (409, {"code": "already"}) == await ask(http, "PUT", f"/api/blocks/{me['id']}")
        assert (200, {}) == await ask(third, "GET", "/api/blocks")
        assert good["id"] != bad["id"]


async def test_a_block_in_the_moment_of_joining_counts(
    server: Server, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is blocked, or whose blocker sits down, after they were let in and before they sit gives the seat back; the others play."""
    host = await named(http, "Ayla")
    async with browser(server) as other, browser(server) as third:
        bad = await named(other, "Emin")
        await named(third, "Leyla")
        opened = await open_table(http, preset="custom", options={"seats": 3, "deck": 24}, bots=[None, None])
        let_in = people.keep_away

        async def block(who: aiohttp.ClientSession) -> None:
            assert 200 == (await ask(who, "PUT", f"/api/blocks/{bad['id']}"))[0]

        async def sit_down_beside() -> None:
            await block(third)
            assert 200 == (await join(third, opened["id"]))[0]

        for meanwhile in (lambda: block(http), sit_down_beside):

            async def late(request: web.Request, table: Table, meanwhile: Any = meanwhile) -> None:
                monkeypatch.setattr(people, "keep_away", let_in)
                await let_in(request, table)
                await meanwhile()

            monkeypatch.setattr(people, "keep_away", late)
            assert (403, {"code": "blocked"}) == await join(other, opened["id"])
            assert (200, {}) == await ask(http, "DELETE", f"/api/blocks/{bad['id']}")
            async with http.get(f"/api/tables/{opened['id']}") as response:
                assert bad["id"] not in [player.get("id") for player in (await response.json())["players"]]
        async with http.get(f"/api/tables/{opened['id']}") as response:
            found = await response.json()
        assert ("gathering", host["id"]) == (found["stage"], found["players"][0]["id"])


async def test_reports_reach_the_operator(server: Server, http: aiohttp.ClientSession) -> None:
    """About a person at a table: who, whom, where, why; nobody reports a bot, an empty seat or themselves, nor too often."""
    await named(http, "Ayla")
    async with browser(server) as other:
        bad = await named(other, "Emin")
        opened = await open_table(other, preset="custom", options={"seats": 3, "deck": 24}, bots=["easy", None])
        told = {"table": opened["id"], "seat": 0, "reason": "stalling", "words": "waits\nand \u202ewaits"}
        assert (201, {"number": 1}) == await ask(http, "POST", "/api/reports", told)
        assert (404, {"code": "no_player", "about": "0"}) == await ask(other, "POST", "/api/reports", told)
        for seat in (1, 2, 5):
            assert (404, {"code": "no_player", "about": str(seat)}) == await ask(http, "POST", "/api/reports", {**told, "seat": seat})
        assert (404, {"code": "no_table", "about": "nowhere"}) == await ask(http, "POST", "/api/reports", {**told, "table": "nowhere"})
        for wrong in ({"reason": "ugly"}, {"words": "x" * 501}, {"seat": 6}, {"seat": "0"}, {"table": ""}):
            assert 400 == (await ask(http, "POST", "/api/reports", {**told, **wrong}))[0]
        server.site.allowances.reporting = Limits(0, 60_000)
        assert (429, {"code": "not_so_fast"}) == await ask(http, "POST", "/api/reports", told)
    (kept,) = await server.site.guests.reports(10)
    reported = await server.site.guests.person(kept.reported)
    assert (1, opened["id"], 0, "stalling", "waits and  waits") == (kept.number, kept.table, kept.game, kept.reason, kept.words)
    assert reported is not None and bad["id"] == reported.public

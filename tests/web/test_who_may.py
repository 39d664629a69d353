"""Everybody who has no business at a table tries everything: each command at each stage, and each path of the interface."""
from __future__ import annotations

import asyncio
import json
import re
from contextlib import AsyncExitStack
from typing import Any, get_args

import aiohttp
import pytest

from kozyr.web.routes import API
from kozyr.wire.messages import ClientMessage, Hello, Ping
from tests.web.conftest import Server, browser
from tests.web.player import Player, open_table
from tests.web.test_people import card, dealt, join

DUEL: dict[str, Any] = {"preset": "custom", "options": {"seats": 2, "deck": 24}, "bots": [None]}
THREE: dict[str, Any] = {"preset": "custom", "options": {"seats": 3, "deck": 24}, "bots": [None, None]}

COMMANDS: list[dict[str, Any]] = [
    *({"t": "play", "move": move, "bout": 1} for move in ("attack 6c", "beat 6c 7c", "transfer 6c", "show 6c", "take", "pass", "resign")),
    *({"t": "play", "move": move, "bout": 1} for move in ("challenge 6c", "accept")),
    {"t": "seed_commit", "game": 1, "commitment": "0" * 64},
    {"t": "seed_reveal", "game": 1, "seed": "0" * 64},
    {"t": "again", "game": 1},
    {"t": "take_back", "game": 1},
    {"t": "ready"},
    {"t": "ready", "on": False},
    {"t": "leave"},
    {"t": "seat_bot", "seat": 1, "level": "easy"},
    {"t": "unseat_bot", "seat": 1},
    {"t": "say", "phrase": "hello"},
]
STAGES = ("gathering", "seeds", "playing", "over")


def test_every_command_is_tried() -> None:
    """A new command of the protocol has to stand in the list above."""
    tags = {kind.__struct_config__.tag for kind in get_args(ClientMessage) if kind not in (Hello, Ping)}
    assert tags == {command["t"] for command in COMMANDS}


async def bring_to(stage: str, host: Player, friend: Player) -> None:
    """Bring a duel of two persons to a stage."""
    if stage == "gathering":
        return
    if stage == "seeds":
        for player in (host, friend):
            assert "ack" == (await player.ask(t="ready"))["t"]
        return
    await dealt(host, friend)
    if stage == "over":
        await host.ask(t="play", move="resign", bout=1)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("kind", ["stranger", "guest of another table", "player who left"])
async def test_who_has_no_seat_changes_nothing(server: Server, http: aiohttp.ClientSession, stage: str, kind: str) -> None:
    """Every command of a spectator is refused at every stage, and the log does not grow."""
    opened = await open_table(http, **DUEL)
    async with AsyncExitStack() as stack:
        other, outsider = [await stack.enter_async_context(browser(server)) for _ in range(2)]
        if kind == "guest of another table":
            await open_table(outsider)
        elif kind == "player who left":
            await join(outsider, opened["id"])
            gone = await stack.enter_async_context(Player(outsider, opened["id"]))
            await gone.hello()
            assert "ack" == (await gone.ask(t="leave"))["t"]
        await join(other, opened["id"])
        host, friend = [await stack.enter_async_context(Player(each, opened["id"])) for each in (http, other)]
        for player in (host, friend):
            await player.hello()
        await bring_to(stage, host, friend)
        watcher = await stack.enter_async_context(Player(outsider, opened["id"]))
        await watcher.hello()
        # Ids that its guest has not used: one of them would get its first answer again.
        watcher.salt = "w"
        assert watcher.seat is None
        before = (await card(http, opened["id"]))["seq"]
        for command in COMMANDS:
            told = await watcher.ask(**command)
            assert ("refused", "not_seated") == (told["t"], told["code"]), command
        # The clock of the seeds may have gone on meanwhile; nothing of it is the spectator's.
        after = (await card(http, opened["id"]))["seq"]
        assert before == after or stage == "seeds"


async def test_another_seat_does_only_what_is_its_own(server: Server, http: aiohttp.ClientSession) -> None:
    """A player who is not the host seats no bots; nobody plays another seat's cards, or names another seat in a command."""
    opened = await open_table(http, **THREE)
    async with AsyncExitStack() as stack:
        other = await stack.enter_async_context(browser(server))
        await join(other, opened["id"])
        host, friend = [await stack.enter_async_context(Player(each, opened["id"])) for each in (http, other)]
        await host.hello()
        await friend.hello()
        assert "not_host" == (await friend.ask(t="seat_bot", seat=2, level="easy"))["code"]
        assert "ack" == (await host.ask(t="seat_bot", seat=2, level="easy"))["t"]
        assert "not_host" == (await friend.ask(t="unseat_bot", seat=2))["code"]
        assert "no_bot" == (await host.ask(t="unseat_bot", seat=1))["code"]
        await friend.send(t="ready", id="theirs", seat=0)
        assert "bad_message" == (await friend.until("fault"))["code"]
        await dealt(host, friend)
        assert host.view is not None and friend.view is not None
        for held in host.view["hand"]:
            told = await friend.ask(t="play", move=f"attack {held}", bout=1)
            assert "refused" == told["t"], held
        assert set(host.view["hand"]).isdisjoint(friend.view["hand"])


async def until_one_is_out(players: list[Player]) -> Player | None:
    """Play a game of persons until one of them has gone out while it goes on."""
    while not any(player.is_over for player in players):
        for player in players:
            assert player.view is not None
            if player.view["seats"][player.seat].get("out"):
                return player
        mover = next(player for player in players if player.choice() is not None)
        assert mover.view is not None
        told = await mover.ask(t="play", move=mover.choice(), bout=mover.view["bout_no"])
        assert "ack" == told["t"], told
        for player in players:
            while player.seq < told["seq"]:
                await player.until("update")
    return None


async def test_who_has_gone_out_plays_no_more(server: Server, http: aiohttp.ClientSession) -> None:
    """A seat that is out still sits and talks, but every move of it is refused, and it can neither leave nor resign (R11)."""
    opened = await open_table(http, **THREE)
    async with AsyncExitStack() as stack:
        sessions = [http, *[await stack.enter_async_context(browser(server)) for _ in range(2)]]
        for session in sessions[1:]:
            await join(session, opened["id"])
        players = [await stack.enter_async_context(Player(session, opened["id"])) for session in sessions]
        for player in players:
            await player.hello()
        await dealt(*players)
        game, out = 1, await until_one_is_out(players)
        while out is None:
            for player in players:
                assert "ack" == (await player.ask(t="again", game=game))["t"]
            game += 1
            for player in players:
                while player.table["game"] != game:
                    await player.until("update")
            await asyncio.gather(*(player.agree() for player in players))
            out = await until_one_is_out(players)
        assert out.view is not None and "legal" not in out.view
        bout = out.view["bout_no"]
        for command in COMMANDS:
            if command["t"] != "say":
                told = await out.ask(**{name: {"bout": bout, "game": game}.get(name, value) for name, value in command.items()})
                assert "refused" == told["t"], command
        await out.send(t="say", id="talk", phrase="good_game")
        assert out.seat == (await out.until("said"))["seat"]


PATHS: dict[str, tuple[Any, int, int]] = {
    "POST /api/tables/{table}/seats": ({}, 409, 409),
    "GET /api/tables/{table}": (None, 200, 200),
    "GET /api/tables/{table}/games/{game}": (None, 409, 409),
    "GET /api/tables": (None, 200, 200),
    "GET /api/coins": (None, 200, 200),
    "GET /api/me": (None, 200, 200),
    "GET /api/me/games": (None, 200, 200),
    "GET /api/me/series": (None, 200, 200),
    "GET /api/blocks": (None, 200, 200),
    "PUT /api/blocks/{player}": (None, 401, 200),
    "DELETE /api/blocks/{player}": (None, 401, 200),
    "GET /api/players/{player}": (None, 200, 200),
    "POST /api/reports": ({"table": "{table}", "seat": 1, "reason": "name"}, 401, 201),
    "POST /api/account/password": ({"new": "a good long password"}, 401, 409),
    "POST /api/passkeys/begin": (None, 401, 422),
    "POST /api/passkeys": ({"credential": {}}, 401, 422),
    "DELETE /api/passkeys/{key}": (None, 401, 404),
}
"""Each path that is about a table or a person: a body, and what a stranger and a guest of another table are answered."""
FOR_EVERYBODY = {
    "GET /api/health", "GET /api/options", "GET /api/openapi.json", "POST /api/tables", "PATCH /api/me", "POST /api/account",
    "POST /api/login", "POST /api/logout", "POST /api/login/passkey/begin", "POST /api/login/passkey",
}  # fmt: skip
"""The paths that are about nobody but who asks."""


def pattern(path: str) -> str:
    """Write a path without what its parts look like."""
    return re.sub(r"\{(\w+):(?:[^{}]|\{[^{}]*\})*\}", r"{\1}", path)


def test_every_path_is_tried() -> None:
    """A new path of the interface has to stand in one of the lists above."""
    assert {f"{route.method} {pattern(route.path)}" for route in API} == FOR_EVERYBODY | set(PATHS)


@pytest.mark.parametrize("is_guest", [False, True])
async def test_paths_tell_others_nothing_of_a_running_game(server: Server, http: aiohttp.ClientSession, is_guest: bool) -> None:
    """Neither a card of a hand, nor the cookie of a player, nor another's coins, games or blocks."""
    opened = await open_table(http, **DUEL)
    async with AsyncExitStack() as stack:
        other, outsider = [await stack.enter_async_context(browser(server)) for _ in range(2)]
        await join(other, opened["id"])
        host, friend = [await stack.enter_async_context(Player(each, opened["id"])) for each in (http, other)]
        for player in (host, friend):
            await player.hello()
        await dealt(host, friend)
        if is_guest:
            await open_table(outsider)
        assert host.view is not None and friend.view is not None
        cookies = [cookie.value.partition(".")[0] for session in (http, other) for cookie in session.cookie_jar]
        hidden = [f'"{card}"' for card in host.view["hand"] + friend.view["hand"]] + cookies
        player_id = host.table["players"][1]["id"]
        for path, (body, as_stranger, as_guest) in PATHS.items():
            method, _, where = path.partition(" ")
            where = where.format(table=opened["id"], game=1, player=player_id, key="AAAA")
            sent = None if body is None else json.loads(json.dumps(body).replace("{table}", opened["id"]))
            async with outsider.request(method, where, json=sent) as response:
                text = await response.text()
                assert (as_guest if is_guest else as_stranger) == response.status, f"{path}: {text}"
                assert [] == [secret for secret in hidden if secret in text], path

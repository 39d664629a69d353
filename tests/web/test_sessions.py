"""Sessions that end, seats that are taken over, pictures that change: in one server process and in two that hear of each other."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from kozyr.app.alone import Alone
from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.bus.memory import MemoryBus
from kozyr.store.sqlite import SqliteStore
from kozyr.web import elsewhere, people
from kozyr.web.allowances import PROXIES
from kozyr.web.server import make_site, serving
from kozyr.web.site import Site
from tests.web.conftest import Server, browser
from tests.web.player import Player, gone, open_table
from tests.web.test_accounts import PASSWORD, account, ask, cookie, named


def thief(base: str, copied: str) -> aiohttp.ClientSession:
    """A browser with a copy of somebody's cookie."""
    return aiohttp.ClientSession(base, headers={"Cookie": f"kozyr_guest={copied}"}, cookie_jar=aiohttp.DummyCookieJar())


async def test_a_copy_of_the_cookie_is_worth_nothing_after_logging_out(server: Server, http: aiohttp.ClientSession) -> None:
    """Neither the last one nor one from before it was renewed, for requests and for websockets; the own other browser stays."""
    await account(http, "Ayla")
    opened = await open_table(http, options={"seats": 2})
    first = cookie(http)
    await named(http, "Ayla K.")
    last = cookie(http)
    async with browser(server) as other:
        await ask(other, "POST", "/api/login", {"name": "Ayla K.", "password": PASSWORD})
        assert (200, {}) == await ask(http, "POST", "/api/logout", {})
        for copied in (first, last):
            async with thief(server.base, copied) as session, Player(session, opened["id"]) as player:
                assert (200, {}) == await ask(session, "GET", "/api/me")
                assert "seat" not in await player.hello()
                assert 401 == (await ask(session, "POST", "/api/account/password", {"new": PASSWORD}))[0]
        assert "Ayla K." == (await ask(other, "GET", "/api/me"))[1]["name"]


async def test_a_session_that_is_renewed_while_it_is_logged_out_is_over(server: Server, http: aiohttp.ClientSession) -> None:
    """A guest without an account logs out in one tab while another one changes the name: the cookie of the answer is worth nothing."""
    await named(http, "Ayla")
    copied = cookie(http)
    async with thief(server.base, copied) as session:
        async with session.patch("/api/me", json={"name": "Leyla"}) as response:
            renewed = response.cookies["kozyr_guest"].value
        await ask(http, "POST", "/api/logout", {})
    async with thief(server.base, renewed) as session:
        assert (200, {}) == await ask(session, "GET", "/api/me")
        assert "Guest" == (await ask(session, "PATCH", "/api/me", {"avatar": 3}))[1]["name"]


async def test_logging_out_closes_the_sessions_windows(
    server: Server, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the other browser stay open."""
    monkeypatch.setattr(elsewhere, "LATER_S", 0)
    await account(http, "Ayla")
    opened, second = await open_table(http), await open_table(http)
    async with browser(server) as other:
        await ask(other, "POST", "/api/login", {"name": "Ayla", "password": PASSWORD})
        async with Player(http, opened["id"]) as mine, Player(other, second["id"]) as its:
            await mine.hello()
            await its.hello()
            await ask(http, "POST", "/api/logout", {})
            await gone(mine)
            await its.send(t="ping", n=1)
            await its.until("pong")


class Beside(Alone):
    """One of two processes: what it tells the other one hears, and who is connected to it."""

    def __init__(self) -> None:
        self.other: Beside
        self.there: set[tuple[str, int]] = set()
        self.presence: Callable[[str, int, bool], None] = lambda table_id, seat, is_here: None
        self.told: Callable[[str, bytes], None] = lambda table_id, message: None

    async def elsewhere(self, table_id: str) -> frozenset[int]:
        return self.known_elsewhere(table_id)

    def known_elsewhere(self, table_id: str) -> frozenset[int]:
        return frozenset(seat for table, seat in self.there if table == table_id)

    def say_here(self, table_id: str, seat: int, is_here: bool) -> None:
        (self.other.there.add if is_here else self.other.there.discard)((table_id, seat))
        self.other.presence(table_id, seat, is_here)

    def tell(self, table_id: str, message: bytes) -> None:
        self.other.told(table_id, message)

    def subscribe(
        self,
        local: Callable[[], Iterable[str]],
        presence: Callable[[str, int, bool], None],
        listing: Callable[[str, int, bytes | None], None],
        told: Callable[[str, bytes], None],
    ) -> None:
        self.presence, self.told = presence, told


@pytest.fixture
async def two(tmp_path: Path, static: Path) -> AsyncIterator[list[tuple[Site, str]]]:
    """Two server processes on one database that hear of each other."""
    beside, bus = [Beside(), Beside()], MemoryBus()
    beside[0].other, beside[1].other = beside[1], beside[0]
    async with SqliteStore(tmp_path / "kozyr.db") as store, AsyncExitStack() as stack:
        found = []
        for peers in beside:
            site = await make_site(
                store, store, bus.join(), SystemClock(), SystemEntropy(), Pause(60_000, 0), static, store, peers=peers
            )  # fmt: skip
            port = await stack.enter_async_context(serving(site, "127.0.0.1", 0))
            found.append((site, f"http://127.0.0.1:{port}"))
        yield found


def window(base: str, jar: Any) -> aiohttp.ClientSession:
    """A window of one browser at a process; cookies do not tell ports apart."""
    return aiohttp.ClientSession(base, cookie_jar=jar)


async def test_the_same_seat_at_another_process_takes_over(two: list[tuple[Site, str]]) -> None:
    """The older window is told so and closed, the newer one plays; nobody at the table is told that the player has gone for good."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with window(two[0][1], jar) as here, window(two[1][1], jar) as there:
        opened = await open_table(here, name="Ayla", options={"seats": 2}, bots=["easy"])
        async with Player(here, opened["id"]) as older, Player(there, opened["id"]) as newer:
            await older.hello()
            await asyncio.sleep(0.01)
            assert 0 == (await newer.hello())["seat"]
            assert "taken_over" == (await older.until("fault"))["code"]
            await gone(older)
            await newer.agree()
            assert all(site.tables.in_memory(opened["id"]).lost == {} for site, _ in two)  # type: ignore[union-attr]
            # And back again: who was there first is not told once more.
            async with Player(here, opened["id"]) as again:
                await again.hello()
                assert "taken_over" == (await newer.until("fault"))["code"]
                await again.send(t="ping", n=1)
                await again.until("pong")


async def test_a_session_that_ends_at_one_process_ends_at_the_other(
    two: list[tuple[Site, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For requests and websockets at once; and where nothing was heard of it when the process looks."""
    monkeypatch.setattr(elsewhere, "LATER_S", 0)
    jar = aiohttp.CookieJar(unsafe=True)
    async with window(two[0][1], jar) as here, window(two[1][1], jar) as there:
        opened = await open_table(here, name="Ayla")
        copied = cookie(here)
        async with Player(there, opened["id"]) as player:
            await player.hello()
            await ask(here, "POST", "/api/logout", {})
            await gone(player)
        async with thief(two[1][1], copied) as session:
            assert (200, {}) == await ask(session, "GET", "/api/me")
        await open_table(here, name="Emin")
        async with Player(there, opened["id"]) as player:
            await player.hello()
            name = cookie(here).split(".")[3]
            now = two[0][0].clock.now()
            await two[0][0].guests.end_session(name, now + 60_000, now)
            await people.cut_ended(two[1][0])
            await gone(player)


async def test_what_a_newer_version_tells_is_not_understood_and_harmless(two: list[tuple[Site, str]]) -> None:
    """Nor is it where nobody has the table any more."""
    async with window(two[0][1], aiohttp.CookieJar(unsafe=True)) as here:
        opened = await open_table(here, name="Ayla")
        async with Player(here, opened["id"]) as player:
            await player.hello()
            for table in ("-", opened["id"], "nowhere"):
                for message in (b'["future",1]', b"{", b"", b'["seated",0,"somebody",99999999999999]', b'["said",0,"somebody","ha"]'):
                    two[1][0].tables.peers.tell(table, message)
            await player.send(t="ping", n=1)
            await player.until("pong")


async def test_another_picture_is_seen_at_once(two: list[tuple[Site, str]]) -> None:
    """By everybody at the table, at whichever process, also while a game runs, and in the lobby; and where it is asked for only later."""
    async with (
        window(two[0][1], aiohttp.CookieJar(unsafe=True)) as ayla,
        window(two[1][1], aiohttp.CookieJar(unsafe=True)) as emin,
    ):
        opened = await open_table(ayla, name="Ayla", options={"seats": 2}, bots=[None], private=False)
        async with emin.post(f"/api/tables/{opened['id']}/seats", json={"name": "Emin"}) as response:
            assert 200 == response.status
        async with Player(ayla, opened["id"]) as one, Player(emin, opened["id"]) as two_:
            for player in (one, two_):
                await player.hello()
                assert "ack" == (await player.ask(t="ready", on=True))["t"]
            assert 200 == (await ask(ayla, "PATCH", "/api/me", {"avatar": 7}))[0]
            for player in (one, two_):
                while player.table["players"][0].get("avatar") != 7:
                    await player.until("update")
                assert "seeds" == player.table.get("stage", "seeds")
                told = [event for message in player.heard for event in message.get("events", []) if event["e"] == "picture"]
                assert [{"e": "picture", "seat": 0, "avatar": 7}] == told
            listed = (await ask(ayla, "GET", "/api/tables"))[1]["tables"]
            assert [7] == [table["players"][0].get("avatar") for table in listed]
            assert 200 == (await ask(ayla, "PATCH", "/api/me", {"avatar": 7}))[0]
        # At no process's table: whoever comes back is shown as they are.
        for site, _ in two:
            person = await site.guests.person_called((await ask(emin, "GET", "/api/me"))[1]["id"])
            assert person is not None
        await site.guests.change(person.guest, people.Change(avatar=9), None, site.clock.now())
        async with Player(emin, opened["id"]) as back:
            assert 9 == (await back.hello())["table"]["players"][1]["avatar"]


async def test_one_address_opens_so_many_websockets(
    server: Server, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One more is told so and closed, at a table and in the lobby; others' come as always, and a place that is free is given again."""
    server.site.places.most = 2
    opened = await open_table(http)
    paths = (f"/ws/tables/{opened['id']}", "/ws/lobby")
    one, other = {"X-Forwarded-For": "192.0.2.1"}, {"X-Forwarded-For": "192.0.2.2"}
    async with AsyncExitStack() as stack:
        held = [await stack.enter_async_context(http.ws_connect(path, headers=one)) for path in paths]
        for path in paths:
            async with http.ws_connect(path, headers=one) as socket:
                assert {"t": "fault", "code": "crowded"} == await socket.receive_json(timeout=5)
                await socket.receive(timeout=5)
                assert 4000 == socket.close_code
            async with http.ws_connect(path, headers=other) as socket:
                await socket.send_json({"t": "hello", "v": 1} if path != "/ws/lobby" else {"t": "list"})
                assert "crowded" != (await socket.receive_json(timeout=5)).get("code")
        await held[0].close()
        async with asyncio.timeout(5):
            while server.site.places._taken["192.0.2.1"] > 1:
                await asyncio.sleep(0.01)
        async with http.ws_connect(paths[0], headers=one) as socket:
            await socket.send_json({"t": "ping", "n": 1})
            assert "hello_first" == (await socket.receive_json(timeout=5))["code"]
        # A proxy on this machine that does not say for whom it asks is everybody.
        many = [await stack.enter_async_context(http.ws_connect(paths[1])) for _ in range(4)]
        assert "127.0.0.1" in PROXIES and not any(socket.closed for socket in many)

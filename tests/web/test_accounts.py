"""Accounts: who one is, a guest's name, a password, logging in and out; tried by strangers, guests, others and accounts."""
from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import aiohttp
import pytest

from kozyr.app.limits import Limits
from kozyr.web import people
from tests.web.conftest import Server, browser
from tests.web.player import Player, open_table

PASSWORD = "correct horse"


async def ask(session: aiohttp.ClientSession, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """Ask the server; returns status and answer."""
    sent = {} if body is None else {"json": body}
    async with session.request(method, path, headers=headers, **sent) as response:
        return response.status, await response.json()


async def named(session: aiohttp.ClientSession, name: str, **more: Any) -> dict[str, Any]:
    """Make a guest of a stranger."""
    status, me = await ask(session, "PATCH", "/api/me", {"name": name, **more})
    assert 200 == status, me
    return dict(me)


async def account(session: aiohttp.ClientSession, name: str, password: str = PASSWORD) -> dict[str, Any]:
    """Make an account."""
    await named(session, name)
    status, me = await ask(session, "POST", "/api/account", {"password": password})
    assert 201 == status, me
    return dict(me)


def cookie(session: aiohttp.ClientSession) -> str:
    """The session's own cookie."""
    return next((each.value for each in session.cookie_jar if each.key == "kozyr_guest"), "")


@pytest.fixture(autouse=True)
def patient(server: Server) -> None:
    """A test makes more accounts than a person; tests of the limits set their own."""
    many = server.site.allowances
    many.changing = many.accounts = many.logging_in = many.names = many.reporting = Limits(10**6, 1)


async def test_a_stranger_is_nobody(http: aiohttp.ClientSession) -> None:
    """Who has done nothing yet has no id, no cookie, no record; and may do nothing that needs a guest."""
    assert (200, {}) == await ask(http, "GET", "/api/me")
    assert (200, {}) == await ask(http, "GET", "/api/me/games")
    assert (200, {}) == await ask(http, "GET", "/api/me/series")
    assert (200, {}) == await ask(http, "GET", "/api/blocks")
    for method, path, body in (
        ("POST", "/api/account", {"password": PASSWORD}), ("POST", "/api/account/password", {"new": PASSWORD}),
        ("POST", "/api/passkeys/begin", None),
        ("POST", "/api/passkeys", {"credential": {}}), ("DELETE", "/api/passkeys/abc", None), ("PUT", "/api/blocks/abc", None),
        ("DELETE", "/api/blocks/abc", None), ("POST", "/api/reports", {"table": "abc", "seat": 0, "reason": "name"}),
    ):  # fmt: skip
        assert (401, {"code": "no_guest"}) == await ask(http, method, path, body), path
    assert "" == cookie(http)


async def test_a_guest_has_a_name_a_picture_and_a_language(server: Server, http: aiohttp.ClientSession) -> None:
    """They are kept with the guest, one by one or together, and another browser is somebody else."""
    first = await named(http, "  Ayla   K. ", avatar=7)
    assert ("Ayla K.", 7) == (first["name"], first["avatar"]) and 16 == len(first["id"])
    assert {"name": "Ayla K.", "avatar": 7, "language": "az", "id": first["id"]} == (await ask(http, "PATCH", "/api/me",
    {"language": "az"}))[1]
    assert "Ayla" == (await named(http, "Ayla"))["name"]
    assert (200, {**first, "name": "Ayla", "language": "az"}) == await ask(http, "GET", "/api/me")
    async with browser(server) as other:
        assert (200, {}) == await ask(other, "GET", "/api/me")
        second = await ask(other, "PATCH", "/api/me", {"language": "tr"})
        assert {"name": "Guest", "language": "tr", "id": second[1]["id"]} == second[1] and second[1]["id"] != first["id"]
    opened = await open_table(http)
    async with http.get(f"/api/tables/{opened['id']}") as response:
        seat = (await response.json())["players"][0]
    assert ("Ayla", 7, first["id"]) == (seat["name"], seat["avatar"], seat["id"])


@pytest.mark.parametrize(
    ("name", "about"),
    [("", "empty"), ("   ", "empty"), ("x" * 25, "long"), ("\u0301\u0301", "letters"), ("a\u202eb", "letters"), ("Aylа", "mixed"),
    ("f.u.c.k", "abuse"),
     ("Bot 3", "reserved"), ("админ", "reserved")],
)  # fmt: skip
async def test_a_name_that_is_none_is_refused(http: aiohttp.ClientSession, name: str, about: str) -> None:
    """With the reason, in every place where one says a name; and nobody becomes a guest by it."""
    data = json.dumps({"name": name})
    async with http.patch("/api/me", data=data, headers={"Content-Type": "application/json"}) as response:
        assert (422, {"code": "bad_name", "about": about}) == (response.status, await response.json())
    if 1 <= len(name) <= 24 and about != "empty":
        async with http.post("/api/tables", data=data, headers={"Content-Type": "application/json"}) as response:
            assert (422, {"code": "bad_name", "about": about}) == (response.status, await response.json())
    assert (200, {}) == await ask(http, "GET", "/api/me")


async def test_a_guest_becomes_an_account_in_place(server: Server, http: aiohttp.ClientSession) -> None:
    """The same id, seat and coins; a new cookie; and from any other browser the way back, however one writes the name."""
    guest = await named(http, "Ayla K.", avatar=3, language="lt")
    opened = await open_table(http)
    before = cookie(http)
    status, me = await ask(http, "POST", "/api/account", {"password": PASSWORD})
    assert (201, {**guest, "account": True, "login": "Ayla K.", "password": True}) == (status, me)
    assert before != cookie(http)
    async with browser(server) as other:
        for name in ("Ayla K.", "ayla k", "AYLA K"):
            assert (200, me) == await ask(other, "POST", "/api/login", {"name": name, "password": PASSWORD})
        async with other.get(f"/api/tables/{opened['id']}") as response:
            assert 0 == (await response.json())["seat"]
    # What was stolen before is worth nothing after.
    async with aiohttp.ClientSession(server.base, headers={"Cookie": f"kozyr_guest={before}"}) as thief:
        assert (200, {}) == await ask(thief, "GET", "/api/me")
    assert (409, "already") == (lambda status, body: (status, body["code"]))(*await ask(http, "POST", "/api/account",
    {"password": PASSWORD}))


async def test_a_wrong_login_says_nothing(server: Server, http: aiohttp.ClientSession) -> None:
    """A wrong password, a name that nobody has, a guest's name, nothing at all: all the same answer; what is no text is no name."""
    await account(http, "Ayla")
    async with browser(server) as other:
        await named(other, "Emin")
        for name, password in (("Ayla", "wrong"), ("Ayla", ""), ("Nobody", PASSWORD), ("Emin", PASSWORD), ("", ""), ("\u0301", PASSWORD)):
            assert (401, {"code": "wrong_login"}) == await ask(other, "POST", "/api/login", {"name": name, "password": password})
        assert "Emin" == (await ask(other, "GET", "/api/me"))[1]["name"]
        data = '{"name":"Ayla","password":"\\ud800"}'
        async with other.post("/api/login", data=data, headers={"Content-Type": "application/json"}) as response:
            assert 400 == response.status


async def test_a_name_like_an_accounts_is_taken(server: Server, http: aiohttp.ClientSession) -> None:
    """By a guest, by another account, at a table, however it is spelt; one's own is not."""
    await account(http, "Ayla")
    assert "AYLA" == (await named(http, "AYLA"))["login"]
    async with browser(server) as other:
        for name in ("Ayla", "ay1a", "AyIa", "Ay-la"):
            assert (409, {"code": "name_taken"}) == await ask(other, "PATCH", "/api/me", {"name": name})
            assert 409 == (await ask(other, "POST", "/api/tables", {"name": name}))[0]
        await account(other, "Emin")
        assert (409, {"code": "name_taken"}) == await ask(other, "PATCH", "/api/me", {"name": "Ayla"})
        assert "Emin" == (await ask(other, "GET", "/api/me"))[1]["login"]
    # Who leaves a name lets others have it.
    await named(http, "Leyla")
    async with browser(server) as third:
        await account(third, "Ayla")


async def test_a_guest_whose_name_has_become_an_accounts_is_a_guest_again(server: Server, http: aiohttp.ClientSession) -> None:
    """Two guests may be called the same; the one who makes an account of it has it, and the other is shown as Guest until a new name."""
    async with browser(server) as other:
        await named(http, "Ayla")
        await named(other, "ayla")
        assert 201 == (await ask(http, "POST", "/api/account", {"password": PASSWORD}))[0]
        assert (409, {"code": "name_taken"}) == await ask(other, "POST", "/api/account", {"password": PASSWORD})
        opened = await open_table(other)
        async with other.get(f"/api/tables/{opened['id']}") as response:
            assert "Guest" == (await response.json())["players"][0]["name"]


async def test_of_two_who_want_one_name_at_once_one_gets_it(server: Server) -> None:
    """Two accounts made in the same moment, with names that look alike: one wins, the other is told."""
    async with browser(server) as first, browser(server) as second:
        await named(first, "Ayla")
        await named(second, "AyIa")
        made = await asyncio.gather(*(ask(each, "POST", "/api/account", {"password": PASSWORD}) for each in (first, second)))
        assert [201, 409] == sorted(status for status, _ in made)
        assert {"name_taken"} == {body["code"] for status, body in made if status == 409}


async def test_of_two_windows_that_upgrade_one_guest_one_does(server: Server, http: aiohttp.ClientSession) -> None:
    """The account has the password of one of them, and the other is told that it is there already."""
    await named(http, "Ayla")
    made = await asyncio.gather(*(ask(http, "POST", "/api/account", {"password": f"password no. {n}"}) for n in range(4)))
    assert [201, 409, 409, 409] == sorted(status for status, _ in made)
    assert {"already"} == {body["code"] for status, body in made if status == 409}
    winner = next(n for n, (status, _) in enumerate(made) if status == 201)
    async with browser(server) as other:
        tried = [await ask(other, "POST", "/api/login", {"name": "Ayla", "password": f"password no. {n}"}) for n in range(4)]
        assert [200 if n == winner else 401 for n in range(4)] == [status for status, _ in tried]


@pytest.mark.parametrize(
    ("password", "about"),
    [("", "short"), ("1234567", "short"), ("x" * 129, "long"), ("aaaaaaaaa", "common"), ("Password1", "common"), ("Ayla Khan", "name"),
     ("aylakhan", "name")],
)  # fmt: skip
async def test_a_password_that_is_guessed_is_refused(http: aiohttp.ClientSession, password: str, about: str) -> None:
    """Too short, too long, one that everybody tries first, one's own name."""
    await named(http, "Ayla Khan")
    assert (422, {"code": "bad_password", "about": about}) == await ask(http, "POST", "/api/account", {"password": password})
    assert "account" not in (await ask(http, "GET", "/api/me"))[1]


@pytest.mark.parametrize("name", ["Guest", "guest 2", "Qonaq"])
async def test_the_nameless_have_no_account(http: aiohttp.ClientSession, name: str) -> None:
    """Guest is nobody's name."""
    await named(http, name)
    assert (422, {"code": "bad_name", "about": "reserved"}) == await ask(http, "POST", "/api/account", {"password": PASSWORD})


async def test_a_new_password_ends_every_other_session(server: Server, http: aiohttp.ClientSession,
monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser that changed it goes on, with a new cookie; others are strangers from then on, their sockets included."""
    monkeypatch.setattr(people, "LATER_S", 0.05)
    await account(http, "Ayla")
    opened = await open_table(http)
    async with browser(server) as other:
        await ask(other, "POST", "/api/login", {"name": "Ayla", "password": PASSWORD})
        async with Player(other, opened["id"]) as player:
            assert 0 == (await player.hello())["seat"]
            assert (403, {"code": "wrong_login"}) == await ask(http, "POST", "/api/account/password", {"new": "another horse"})
            wrong = {"old": "wrong horse", "new": "another horse"}
            assert (403, {"code": "wrong_login"}) == await ask(http, "POST", "/api/account/password", wrong)
            before = cookie(http)
            status, me = await ask(http, "POST", "/api/account/password", {"old": PASSWORD, "new": "another horse"})
            assert (200, "Ayla") == (status, me["login"]) and before != cookie(http)
            with pytest.raises(ConnectionError):
                while True:
                    await player.next()
        assert (200, {}) == await ask(other, "GET", "/api/me")
        assert "Ayla" == (await ask(http, "GET", "/api/me"))[1]["login"]
        assert 401 == (await ask(other, "POST", "/api/login", {"name": "Ayla", "password": PASSWORD}))[0]
        assert 200 == (await ask(other, "POST", "/api/login", {"name": "Ayla", "password": "another horse"}))[0]


async def test_sessions_that_another_process_ended_are_cut(server: Server, http: aiohttp.ClientSession,
monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process looks for them; the sockets of everybody else stay."""
    monkeypatch.setattr(people, "TOGETHER", 1)
    await account(http, "Ayla")
    opened = await open_table(http)
    async with browser(server) as other, Player(http, opened["id"]) as player, Player(other, opened["id"]) as watcher:
        guest = cookie(http).split(".")[0]
        await named(other, "Emin")
        await player.hello()
        await watcher.hello()
        await people.cut_ended(server.site)
        await player.send(t="ping", n=1)
        await player.until("pong")
        await server.site.guests.end_sessions(guest)
        await people.cut_ended(server.site)
        with pytest.raises(ConnectionError):
            while True:
                await player.next()
        await watcher.send(t="ping", n=1)
        await watcher.until("pong")


async def test_who_logs_in_again_at_once_stays(server: Server, http: aiohttp.ClientSession,
monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the sockets of somebody who has just ended all sessions those are cut, and not the one of a session begun since then."""
    monkeypatch.setattr(people, "LATER_S", 0.5)
    await account(http, "Ayla")
    opened = await open_table(http)
    async with browser(server) as other, Player(http, opened["id"]) as before:
        await before.hello()
        assert (200, {}) == await ask(http, "POST", "/api/logout", {"everywhere": True})
        await ask(other, "POST", "/api/login", {"name": "Ayla", "password": PASSWORD})
        async with Player(other, opened["id"]) as player:
            assert 0 == (await player.hello())["seat"]
            await asyncio.sleep(0.6)
            await player.send(t="ping", n=1)
            await player.until("pong")


async def test_logging_out(server: Server, http: aiohttp.ClientSession) -> None:
    """Here, or everywhere; a stranger may do it too, to no effect."""
    await account(http, "Ayla")
    async with browser(server) as other, browser(server) as third:
        for each in (other, third):
            await ask(each, "POST", "/api/login", {"name": "Ayla", "password": PASSWORD})
        assert (200, {}) == await ask(other, "POST", "/api/logout", {})
        assert (200, {}) == await ask(other, "GET", "/api/me") == await ask(other, "POST", "/api/logout", {})
        assert "Ayla" == (await ask(third, "GET", "/api/me"))[1]["login"]
        assert (200, {}) == await ask(third, "POST", "/api/logout", {"everywhere": True})
        assert (200, {}) == await ask(http, "GET", "/api/me")


async def test_a_guest_without_an_account_has_no_password(http: aiohttp.ClientSession) -> None:
    """It is told so."""
    await named(http, "Ayla")
    assert (409, {"code": "no_account"}) == await ask(http, "POST", "/api/account/password", {"new": PASSWORD})


async def test_a_cookie_that_was_not_signed_here_is_nobodys(server: Server, http: aiohttp.ClientSession) -> None:
    """A changed guest, generation, time, session or signature; nothing at all; a session of tomorrow's generation."""
    await named(http, "Ayla")
    guest, generation, since, name, signature = cookie(http).split(".")
    for value in (
        f"{guest}.1.{since}.{name}.{signature}", f"{guest}.{generation}.{int(since) + 1}.{name}.{signature}", f"{guest}.{signature}",
        f"{guest}.{generation}.{signature}", f"{guest}.{generation}.{since}.0{name[1:]}.{signature}",
        f"0{guest[1:]}.{generation}.{since}.{name}.{signature}", f"{guest}.{generation}.{since}.{signature}",
        f"{guest}.{generation}.{since}.{name}.", f".{signature}", signature, "....", "a.b.c.d", "",
    ):  # fmt: skip
        async with aiohttp.ClientSession(server.base, headers={"Cookie": f"kozyr_guest={value}"}) as other:
            assert (200, {}) == await ask(other, "GET", "/api/me"), value


async def test_the_cookie_of_an_older_server_is_still_ones_own(server: Server, http: aiohttp.ClientSession) -> None:
    """Nobody is made a stranger by an update; a cookie of more than 400 days ago is over."""
    me = await named(http, "Ayla")
    guest = cookie(http).split(".")[0]
    sign = server.site.sessions._sign
    async with aiohttp.ClientSession(server.base, headers={"Cookie": f"kozyr_guest={guest}.{sign(guest)}"}) as old:
        assert (200, me) == await ask(old, "GET", "/api/me")
    text = f"{guest}.0.1000"
    async with aiohttp.ClientSession(server.base, headers={"Cookie": f"kozyr_guest={text}.{sign(text)}"}) as old:
        assert (200, {}) == await ask(old, "GET", "/api/me")


async def test_the_cookie_is_secure_where_the_page_is(server: Server, http: aiohttp.ClientSession) -> None:
    """A proxy on this machine says whether it speaks https."""
    for said, expected in (("https", True), ("http", False), ("", False)):
        async with http.patch("/api/me", json={"name": "Ayla"}, headers={"X-Forwarded-Proto": said}) as response:
            assert expected == ("Secure" in response.headers["Set-Cookie"])
            assert "HttpOnly" in response.headers["Set-Cookie"] and "SameSite=Lax" in response.headers["Set-Cookie"]


BODIES = [b"", b"{", b"[]", b"null", b'"x"', b"\xff", b'{"name":1}', b'{"name":"Ayla","x":1}', b"[" * 5000,
b'{"credential":' + b'{"a":' * 2000]
PATHS = [
    ("PATCH", "/api/me"), ("POST", "/api/account"), ("POST", "/api/account/password"), ("POST", "/api/login"), ("POST", "/api/logout"),
    ("POST", "/api/passkeys"), ("POST", "/api/login/passkey"), ("POST", "/api/reports"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), PATHS)
async def test_garbage_is_told_that_it_is(server: Server, http: aiohttp.ClientSession, method: str, path: str) -> None:
    """Bodies that are none, of other types, too deep or too big; from other sites; for a guest as for a stranger."""
    for is_guest in (False, True):
        if is_guest:
            await named(http, "Ayla")
        for body in BODIES:
            async with http.request(method, path, data=body, headers={"Content-Type": "application/json"}) as response:
                assert response.status in ((400,) if is_guest else (400, 401)), (body[:20], response.status)
        async with http.request(method, path, data=b"name=Ayla", headers={"Content-Type": "application/x-www-form-urlencoded"}) as response:
            assert response.status in (415, 401)
        async with http.request(method, path, data=b'{"a":"' + b"x" * 20_000, headers={"Content-Type": "application/json"}) as response:
            assert response.status in (413, 401)
        async with http.request(method, path, json={}, headers={"Origin": "http://evil.example"}) as response:
            assert (403, "bad_origin") == (response.status, (await response.json())["code"])
    assert (405, "no_method") == (lambda status, body: (status, body["code"]))(*await ask(http, "PUT", "/api/me", {}))


@pytest.mark.parametrize("value", [-1, 25, 1.5, "1", True, None])
async def test_there_are_so_many_pictures(http: aiohttp.ClientSession, value: object) -> None:
    """0 to 24; nothing else is a picture, and null changes nothing."""
    await named(http, "Ayla", avatar=24)
    status, _ = await ask(http, "PATCH", "/api/me", {"avatar": value})
    assert (200 if value is None else 400) == status
    assert 24 == (await ask(http, "GET", "/api/me"))[1]["avatar"]


async def test_guessing_is_limited(server: Server, http: aiohttp.ClientSession) -> None:
    """By the address, and by address and name together; making accounts, names and reports too."""
    await account(http, "Ayla")
    server.site.allowances.names = Limits(3, 60_000)
    async with browser(server) as stranger:
        for n in range(4):
            status, body = await ask(stranger, "POST", "/api/login", {"name": "Ayla", "password": "wrong"})
            assert ((401, "wrong_login") if n < 3 else (429, "not_so_fast")) == (status, body["code"])
    assert 401 == (await ask(http, "POST", "/api/login", {"name": "Emin", "password": "wrong"}))[0]
    server.site.allowances.logging_in = Limits(1, 60_000)
    assert 401 == (await ask(http, "POST", "/api/login", {"name": "Elvin", "password": "wrong"}))[0]
    for path, body in (
        ("/api/login", {"name": "Anar", "password": "x"}), ("/api/passkeys/begin", None), ("/api/login/passkey/begin", None),
        ("/api/login/passkey", {"credential": {}}), ("/api/account/password", {"new": PASSWORD}),
    ):  # fmt: skip
        assert (429, {"code": "not_so_fast"}) == await ask(http, "POST", path, body), path
    server.site.allowances.changing = server.site.allowances.accounts = Limits(0, 60_000)
    assert 429 == (await ask(http, "PATCH", "/api/me", {"name": "Leyla"}))[0]
    assert 429 == (await ask(http, "POST", "/api/account", {"password": PASSWORD}))[0]


async def test_a_flood_of_logins_keeps_nobody_waiting(server: Server, http: aiohttp.ClientSession) -> None:
    """Few hashes are made at once, elsewhere than in the loop; when too many wait, who comes then is told to come later."""
    tries = [ask(http, "POST", "/api/login", {"name": f"Name {n}", "password": "wrong"}) for n in range(60)]
    waiting = asyncio.gather(*tries)
    await asyncio.sleep(0.1)
    async with asyncio.timeout(1):
        assert 200 == (await ask(http, "GET", "/api/health"))[0]
    statuses = [status for status, _ in await waiting]
    assert {401, 429} >= set(statuses) and 401 in statuses


async def test_passwords_are_nowhere(server: Server, http: aiohttp.ClientSession, caplog: pytest.LogCaptureFixture,
monkeypatch: Any) -> None:
    """Neither in what is logged, even when the server fails, nor in the file, nor in an answer."""
    caplog.set_level(logging.DEBUG)
    secret = "pa55-that-is-nowhere"
    await account(http, "Ayla", secret)
    await ask(http, "POST", "/api/login", {"name": "Ayla", "password": secret})
    await ask(http, "POST", "/api/login", {"name": "Ayla", "password": secret, "more": 1})

    async def fail(password: str, kept: str | None) -> bool:
        raise RuntimeError("no hashes today")

    monkeypatch.setattr(server.site.hasher, "fits", fail)
    assert 500 == (await ask(http, "POST", "/api/login", {"name": "Ayla", "password": secret}))[0]
    assert secret not in caplog.text and "no hashes today" in caplog.text
    for file in server.database.parent.glob("kozyr.db*"):
        assert secret.encode() not in file.read_bytes()


async def test_a_hash_of_another_cost_is_made_anew(server: Server, http: aiohttp.ClientSession) -> None:
    """Whoever logs in has the cost of today, and stays logged in elsewhere."""
    from argon2 import PasswordHasher

    me = await account(http, "Ayla")
    person = await server.site.guests.person_called(me["id"])
    assert person is not None and person.password is not None and "argon2id" in person.password
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    await server.site.guests.set_password(person.guest, cheap, ends_sessions=False)
    async with browser(server) as other:
        assert 200 == (await ask(other, "POST", "/api/login", {"name": "Ayla", "password": PASSWORD}))[0]
    renewed = await server.site.guests.person(person.guest)
    assert renewed is not None and renewed.password not in (cheap, person.password)
    assert "Ayla" == (await ask(http, "GET", "/api/me"))[1]["login"]

"""Passkeys, with real keys and signatures."""
from __future__ import annotations

import asyncio
import copy
from typing import Any

import aiohttp
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from kozyr.app.limits import Limits
from kozyr.web import passkeys
from tests.web.authenticator import Authenticator, text
from tests.web.conftest import Server, browser
from tests.web.test_accounts import PASSWORD, account, ask, cookie, named


@pytest.fixture(autouse=True)
def patient(server: Server) -> None:
    many = server.site.allowances
    many.changing = many.accounts = many.logging_in = many.names = Limits(10**6, 1)


@pytest.fixture
def here(server: Server) -> str:
    """The server's address by a name: passkeys are not for numbers."""
    return server.base.replace("127.0.0.1", "localhost")


async def asked(session: aiohttp.ClientSession, path: str, here: str, body: Any = None) -> tuple[int, Any]:
    """Ask as a page of the server does."""
    return await ask(session, "POST", path, body, Host=here.partition("://")[2], Origin=here)


async def add(session: aiohttp.ClientSession, device: Authenticator, name: str = "", **other: Any) -> tuple[int, Any]:
    """Add a passkey to the guest of a browser."""
    status, begun = await asked(session, "/api/passkeys/begin", device.origin)
    assert 200 == status, begun
    return await asked(session, "/api/passkeys", device.origin, {"credential": device.create(begun["options"], **other), "name": name})


async def enter(session: aiohttp.ClientSession, device: Authenticator, **other: Any) -> tuple[int, Any]:
    """Log in with a passkey."""
    status, begun = await asked(session, "/api/login/passkey/begin", device.origin)
    assert 200 == status, begun
    return await asked(session, "/api/login/passkey", device.origin, {"credential": device.get(begun["options"], **other)})


async def test_a_passkey_alone_makes_an_account(server: Server, http: aiohttp.ClientSession, here: str) -> None:
    """The same guest, a new cookie; and the way back from another browser, without a name or a password."""
    guest, device, before = await named(http, "Ayla", avatar=4), Authenticator(here), cookie(http)
    status, me = await add(http, device, "  my\u202e phone\n")
    assert (201, guest["id"], True, "Ayla") == (status, me["id"], me["account"], me["login"])
    assert "password" not in me and cookie(http) != before
    assert [("my phone", text(device.id))] == [(key["name"], key["id"]) for key in me["passkeys"]]
    async with browser(server) as other:
        status, again = await enter(other, device)
        assert (200, me["id"], 4) == (status, again["id"], again["avatar"])
        assert again["passkeys"][0]["used"] >= me["passkeys"][0]["created"]
        assert 200 == (await enter(other, device))[0]
        assert (401, {"code": "wrong_login"}) == await ask(other, "POST", "/api/login", {"name": "Ayla", "password": ""})


async def test_the_only_way_in_stays(server: Server, http: aiohttp.ClientSession, here: str) -> None:
    """The last passkey goes only when there is a password; one that there is not, or another's, cannot go."""
    await named(http, "Ayla")
    first, second = Authenticator(here), Authenticator(here, b"another one")
    await add(http, first)
    assert (409, {"code": "last_way_in"}) == await ask(http, "DELETE", f"/api/passkeys/{text(first.id)}")
    assert 201 == (await add(http, second))[0]
    async with browser(server) as other:
        await account(other, "Emin")
        assert (404, {"code": "no_passkey"}) == await ask(other, "DELETE", f"/api/passkeys/{text(first.id)}")
    status, me = await ask(http, "DELETE", f"/api/passkeys/{text(first.id)}")
    assert (200, [text(second.id)]) == (status, [key["id"] for key in me["passkeys"]])
    assert (404, {"code": "no_passkey"}) == await ask(http, "DELETE", f"/api/passkeys/{text(first.id)}")
    assert 401 == (await enter(http, first))[0]
    assert 200 == (await ask(http, "POST", "/api/account/password", {"new": PASSWORD}))[0]
    assert 200 == (await ask(http, "DELETE", f"/api/passkeys/{text(second.id)}"))[0]


async def test_an_account_with_a_password_has_passkeys_too(server: Server, http: aiohttp.ClientSession, here: str) -> None:
    """Up to twenty; no two with one id, whoever's they are; those that are there are named to the browser."""
    await account(http, "Ayla")
    for n in range(20):
        assert 201 == (await add(http, Authenticator(here, f"no. {n}".encode())))[0]
    assert (409, {"code": "too_many"}) == await add(http, Authenticator(here, b"no. 20"))
    _, begun = await asked(http, "/api/passkeys/begin", here)
    assert 20 == len(begun["options"]["excludeCredentials"])
    assert ("localhost", "Ayla", "required") == (
        begun["options"]["rp"]["id"],
        begun["options"]["user"]["name"],
        begun["options"]["authenticatorSelection"]["residentKey"],
    )
    async with browser(server) as other:
        await named(other, "Emin")
        assert (409, {"code": "already"}) == await add(other, Authenticator(here, b"no. 3"))
        assert "account" not in (await ask(other, "GET", "/api/me"))[1]


@pytest.mark.parametrize(
    "other",
    [{"origin": "http://evil.example"}, {"origin": "http://localhost"}, {"host": "evil.example"}, {"type": "webauthn.get"}],
    ids=["another origin", "another port", "another host", "another purpose"],
)
async def test_a_passkey_made_for_another_page_is_refused(http: aiohttp.ClientSession, here: str, other: dict[str, Any]) -> None:
    """Whatever page made it, and whatever for."""
    await named(http, "Ayla")
    assert (400, {"code": "bad_passkey"}) == await add(http, Authenticator(here), **other)
    assert "account" not in (await ask(http, "GET", "/api/me"))[1]


async def test_a_signature_for_another_page_or_of_another_key_is_refused(server: Server, http: aiohttp.ClientSession, here: str) -> None:
    """Another origin, host, purpose, key or owner; and the count of an authenticator that was copied."""
    await named(http, "Ayla")
    device = Authenticator(here)
    await add(http, device)
    async with browser(server) as other:
        for lie in (
            {"origin": "http://evil.example"}, {"host": "evil.example"}, {"type": "webauthn.create"},
            {"key": ec.generate_private_key(ec.SECP256R1())},
            {"handle": text(b"somebody else")}, {"handle": "*"},
        ):  # fmt: skip
            assert (401, {"code": "wrong_login"}) == await enter(other, device, **lie), lie
        assert (401, {"code": "wrong_login"}) == await enter(other, Authenticator(here, b"nobody's"))
        copied = copy.copy(device)
        assert 200 == (await enter(other, device, handle=None))[0]
        assert (401, {"code": "wrong_login"}) == await enter(other, copied)


async def test_a_challenge_is_answered_once_and_soon_by_whom_it_was_for(
    server: Server, http: aiohttp.ClientSession, here: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither twice, nor late, nor by another guest, nor one that was asked for another purpose, nor one that was never asked."""
    await named(http, "Ayla")
    device = Authenticator(here)
    _, begun = await asked(http, "/api/passkeys/begin", here)
    made = {"credential": device.create(begun["options"])}
    async with browser(server) as other:
        await named(other, "Emin")
        assert (400, {"code": "bad_passkey"}) == await asked(other, "/api/passkeys", here, made)
    assert 201 == (await asked(http, "/api/passkeys", here, made))[0]
    assert (400, {"code": "bad_passkey"}) == await asked(http, "/api/passkeys", here, made)
    _, login = await asked(http, "/api/login/passkey/begin", here)
    wrong = {**begun["options"], "challenge": login["options"]["challenge"]}
    assert (400, {"code": "bad_passkey"}) == await asked(http, "/api/passkeys", here, {"credential": device.create(wrong)})
    never = {**begun["options"], "challenge": text(bytes(32))}
    assert (400, {"code": "bad_passkey"}) == await asked(http, "/api/passkeys", here, {"credential": device.create(never)})
    _, login = await asked(http, "/api/login/passkey/begin", here)
    signed = {"credential": device.get(login["options"])}
    assert 200 == (await asked(http, "/api/login/passkey", here, signed))[0]
    assert (400, {"code": "bad_passkey"}) == await asked(http, "/api/login/passkey", here, signed)
    monkeypatch.setattr(passkeys, "CHALLENGE_MS", -1)
    _, login = await asked(http, "/api/login/passkey/begin", here)
    assert (400, {"code": "bad_passkey"}) == await asked(http, "/api/login/passkey", here, {"credential": device.get(login["options"])})


async def test_any_process_checks_what_another_has_asked(
    server: Server, http: aiohttp.ClientSession, here: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is kept of a challenge until it is answered; and what was answered to one process is not answered to another."""
    await named(http, "Ayla")
    device = Authenticator(here)
    await add(http, device)

    def move() -> None:
        server.site.passkeys = passkeys.Passkeys(server.site.clock, server.site.entropy, server.site.sessions.seal)

    _, begun = await asked(http, "/api/login/passkey/begin", here)
    move()
    signed = {"credential": device.get(begun["options"])}
    assert 200 == (await asked(http, "/api/login/passkey", here, signed))[0]
    move()
    assert (401, {"code": "wrong_login"}) == await asked(http, "/api/login/passkey", here, signed)
    monkeypatch.setattr(passkeys, "ANSWERED_MAX", 3)
    monkeypatch.setattr(passkeys, "CHALLENGE_MS", 200)
    for _ in range(5):
        await enter(http, device)
        await asyncio.sleep(0.1)
    assert 4 >= len(server.site.passkeys._answered)


@pytest.mark.parametrize("host", ["http://127.0.0.1", "http://[::1]", "https://192.0.2.7", "http://play.example", "https://[2001:db8::1]"])
async def test_where_there_are_no_passkeys_it_is_said(server: Server, http: aiohttp.ClientSession, host: str) -> None:
    """On a page at an address, or one that is not encrypted."""
    port = server.base.rpartition(":")[2]
    await named(http, "Ayla")
    for path, body in (
        ("/api/passkeys/begin", None), ("/api/passkeys", {"credential": {}}), ("/api/login/passkey/begin", None),
        ("/api/login/passkey", {"credential": {}}),
    ):  # fmt: skip
        assert (422, {"code": "no_passkeys_here"}) == await asked(http, path, f"{host}:{port}", body), path


async def test_passkeys_of_a_host_are_that_hosts(http: aiohttp.ClientSession) -> None:
    """Behind a proxy that speaks https the passkey is the public name's."""
    await named(http, "Ayla")
    there = "https://play.example"
    _, begun = await asked(http, "/api/passkeys/begin", there)
    assert "play.example" == begun["options"]["rp"]["id"]
    device = Authenticator(there)
    assert 201 == (await asked(http, "/api/passkeys", there, {"credential": device.create(begun["options"])}))[0]


async def test_a_name_that_is_taken_is_told_before_the_device_asks(server: Server, http: aiohttp.ClientSession, here: str) -> None:
    """Nobody touches a sensor for nothing; and of two who want one name one gets it."""
    async with browser(server) as other, browser(server) as third:
        for each in (http, other, third):
            await named(each, "Ayla")
        begun = [(await asked(each, "/api/passkeys/begin", here))[1]["options"] for each in (http, other)]
        made = [Authenticator(here, f"of {n}".encode()).create(options) for n, options in enumerate(begun)]
        assert 201 == (await asked(http, "/api/passkeys", here, {"credential": made[0]}))[0]
        assert (409, {"code": "name_taken"}) == await asked(other, "/api/passkeys", here, {"credential": made[1]})
        assert (409, {"code": "name_taken"}) == await asked(third, "/api/passkeys/begin", here)


async def test_garbage_in_a_credential_is_garbage(server: Server, http: aiohttp.ClientSession, here: str) -> None:
    """Whatever stands in whichever field, the server says that it cannot read it, and nothing fails."""
    await named(http, "Ayla")
    device = Authenticator(here)
    assert 201 == (await add(http, device))[0]
    odd: list[Any] = [None, 1, True, "", "é", "****", "AA", text(b"\xff" * 40), [], {}, "A" * 9000, {"a": [[[]]]}]
    for path, begin in (("/api/passkeys", "/api/passkeys/begin"), ("/api/login/passkey", "/api/login/passkey/begin")):
        for field in ("id", "rawId", "type", "response", "clientDataJSON", "attestationObject", "authenticatorData", "signature",
        "userHandle"):
            for value in odd:
                _, begun = await asked(http, begin, here)
                fresh = Authenticator(here, b"fresh") if begin == "/api/passkeys/begin" else device
                made = fresh.create(begun["options"]) if fresh is not device else fresh.get(begun["options"])
                home = made if field in made else made["response"]
                if field not in home:
                    continue
                home[field] = value
                status, body = await asked(http, path, here, {"credential": made})
                assert status in (200, 400, 401) and (status != 200 or field == "userHandle"), (path, field, value, status, body)

"""Wrong passwords: who tries them waits, and keeps nobody else from logging in."""
from __future__ import annotations

import aiohttp
import pytest

from kozyr.app.limits import Limits
from kozyr.web import tries
from tests.web.conftest import Server, browser
from tests.web.test_accounts import PASSWORD, account, ask

AYLA = {"name": "Ayla", "password": PASSWORD}
WRONG = {"name": "Ayla", "password": "wrong"}


def of(address: str) -> dict[str, str]:
    """The header by which a proxy says whom it asks for."""
    return {"X-Forwarded-For": address}


@pytest.fixture(autouse=True)
def few(server: Server) -> None:
    """Three wrong passwords for a name at once, and many of everything else."""
    many = server.site.allowances
    many.changing = many.accounts = many.logging_in = Limits(10**6, 1)
    many.names = Limits(3, 10**6)


async def exhaust(session: aiohttp.ClientSession, address: str) -> None:
    """Try wrong passwords until one has to wait."""
    for n in range(4):
        assert (429 if n == 3 else 401) == (await ask(session, "POST", "/api/login", WRONG, **of(address)))[0]


async def test_a_stranger_keeps_nobody_from_logging_in(server: Server, http: aiohttp.ClientSession) -> None:
    """Who has tried too often waits, even with the right password; from everywhere else one logs in as always."""
    await account(http, "Ayla")
    async with browser(server) as stranger, browser(server) as elsewhere:
        await exhaust(stranger, "192.0.2.1")
        assert 429 == (await ask(stranger, "POST", "/api/login", AYLA, **of("192.0.2.1")))[0]
        assert 200 == (await ask(elsewhere, "POST", "/api/login", AYLA, **of("192.0.2.2")))[0]


async def test_a_browser_that_was_in_the_account_has_tries_of_its_own(server: Server, http: aiohttp.ClientSession) -> None:
    """However often a stranger tries beside it, at the same address: the browser logs in; its own mistakes count, to a limit."""
    await account(http, "Ayla")
    await ask(http, "POST", "/api/logout", {})
    async with browser(server) as stranger:
        await exhaust(stranger, "192.0.2.1")
        assert 200 == (await ask(http, "POST", "/api/login", AYLA, **of("192.0.2.1")))[0]
        await exhaust(http, "192.0.2.9")


async def test_right_passwords_count_for_nothing(server: Server, http: aiohttp.ClientSession) -> None:
    """One may come and go as often as one likes."""
    await account(http, "Ayla")
    async with browser(server) as other:
        for _ in range(5):
            assert 200 == (await ask(other, "POST", "/api/login", AYLA))[0]
            other.cookie_jar.clear()


async def test_many_strangers_together_wait_longer_and_longer(
    server: Server, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wrong passwords of a name from many addresses make the next one wait; a browser that is known does not, nor another name."""
    await account(http, "Ayla")
    await ask(http, "POST", "/api/logout", {})
    monkeypatch.setattr(tries, "FREE", 2)
    monkeypatch.setattr(tries, "WAIT_MS", 60_000)
    async with browser(server) as strangers:
        found = [(await ask(strangers, "POST", "/api/login", WRONG, **of(f"192.0.2.{n}")))[0] for n in range(5)]
        assert [401, 401, 401, 429, 429] == found
        assert 429 == (await ask(strangers, "POST", "/api/login", AYLA, **of("192.0.2.77")))[0]
        assert 401 == (await ask(strangers, "POST", "/api/login", {"name": "Emin", "password": "wrong"}, **of("192.0.2.78")))[0]
    assert 200 == (await ask(http, "POST", "/api/login", AYLA))[0]


def test_the_wait_grows_until_as_many_are_forgotten_as_are_tried() -> None:
    """It doubles with each so many wrong passwords more; and what was long ago is forgotten."""
    far, now = tries.Far(), 1_000
    for _ in range(tries.FREE):
        assert far.take(now)
    waits = []
    for _ in range(100):
        assert far.take(now)
        waits.append(far.next - now)
        assert not far.take(far.next - 1)
        now = far.next
    assert {1000, 2000, 4000, 8000} <= set(waits) and waits[0] == 1000 and max(waits) < 2 * tries.FORGOTTEN_MS
    far.take(now + 10_000 * tries.FORGOTTEN_MS)
    assert 1 == far.count


async def test_of_too_many_names_the_forgotten_ones_are_let_go_and_the_oldest(
    server: Server, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many names somebody tries, little is remembered; the newest are."""
    monkeypatch.setattr(tries, "NAMES_MAX", 4)
    for n in range(9):
        await ask(http, "POST", "/api/login", {"name": f"Name {n}", "password": "wrong"})
    remembered = server.site.tries._far
    assert len(remembered) <= 4 and list(remembered)[-1].endswith("8")


async def test_a_known_browser_is_known_to_one_account_and_until_its_sessions_are_ended(
    server: Server, http: aiohttp.ClientSession
) -> None:
    """The mark of one account is none of another; it is forged by nobody; ending all sessions takes it from every browser."""
    await account(http, "Ayla")
    async with browser(server) as other:
        await account(other, "Emin")
        marks = {each.key: each.value for each in other.cookie_jar if each.key.startswith(tries.COOKIE)}
        mine = next(each.key for each in http.cookie_jar if each.key.startswith(tries.COOKIE))
        assert mine not in marks
        async with browser(server) as stranger:
            await exhaust(stranger, "192.0.2.1")
            for value in (*marks.values(), "x.", ".", "", "x.y"):
                headers = {"Cookie": f"{mine}={value}", **of("192.0.2.1")}
                assert 429 == (await ask(stranger, "POST", "/api/login", AYLA, **headers))[0]
            await ask(http, "POST", "/api/logout", {"everywhere": True})
            assert 429 == (await ask(http, "POST", "/api/login", AYLA, **of("192.0.2.1")))[0]

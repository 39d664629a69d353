"""The operator's page: for the operator alone, and every act is written down."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import aiohttp
import pytest

from kozyr.app.limits import Limits
from kozyr.app.office import Act
from kozyr.app.ports import Spoilt
from tests.store.auditing import faults

from .conftest import Server, browser
from .player import Player, open_table

PASSWORD = "correct horse battery"


@pytest.fixture
def kept(server: Server) -> Server:
    """A server whose operator has a password."""
    server.site.running.operator_password = PASSWORD
    return server


async def log_in(session: aiohttp.ClientSession) -> str:
    """Log in as the operator; returns what the forms of the page carry."""
    async with session.post("/operator/login", data={"password": PASSWORD}) as response:
        text = await response.text()
        assert (200, "/operator") == (response.status, response.url.path)
    found = re.search(r'name="form" value="([0-9a-f]{32})"', text)
    assert found is not None
    return found[1]


async def look(session: aiohttp.ClientSession) -> str:
    """Read the page."""
    async with session.get("/operator") as response:
        assert 200 == response.status
        return await response.text()


async def do(session: aiohttp.ClientSession, form: str, what: str, **fields: str) -> str:
    """Send a form of the page; returns what the page says then."""
    async with session.post(f"/operator/{what}", data={"form": form, **fields}) as response:
        found = re.search(r'<p class="said" role="status">(.*?)</p>', await response.text())
        return found[1] if found else str(response.status)


@pytest.mark.parametrize("path", ["/operator", "/operator/login", "/operator/style.css"])
async def test_without_a_password_there_is_no_such_page(server: Server, http: aiohttp.ClientSession, path: str) -> None:
    """A server whose operator has set none has nothing to log in to."""
    async with http.get(path) as response:
        assert 404 == response.status
    async with http.post("/operator/login", data={"password": ""}) as response:
        assert 404 == response.status


async def test_nobody_else_gets_in(kept: Server, http: aiohttp.ClientSession) -> None:
    """Strangers, wrong passwords, forged and old cookies and logins with an earlier password see the login and do nothing."""
    wrong = ["", "correct horse", PASSWORD + " "]
    for password in wrong:
        async with http.post("/operator/login", data={"password": password}) as response:
            assert "/operator/login?wrong" == response.url.path_qs
    for cookie in ("", "1.1", "99999999999." + "0" * 64, "x.y", "²." + "0" * 64):
        async with http.get("/operator", headers={"Cookie": f"kozyr_operator={cookie}"}, allow_redirects=False) as response:
            assert (303, "/operator/login") == (response.status, response.headers["Location"])
    form = await log_in(http)
    kept.site.running.operator_password = "another password"
    async with http.post("/operator/close", data={"form": form, "table": "a"}, allow_redirects=False) as response:
        assert (303, "/operator/login") == (response.status, response.headers["Location"])
    assert ["login", *["refused"] * len(wrong)] == [act.what for act in await kept.site.guests.acts(10)]


async def test_the_login_has_a_limit_and_its_cookie_is_the_pages_own(kept: Server, http: aiohttp.ClientSession) -> None:
    """Passwords cannot be tried again and again; the cookie goes to no other path, no script and no other site."""
    kept.site.allowances.guessing = Limits(2, 60_000)
    async with http.post("/operator/login", data={"password": PASSWORD}, allow_redirects=False) as response:
        cookie = response.headers["Set-Cookie"]
        assert "script-src 'self'" in response.headers["Content-Security-Policy"]
    assert all(each in cookie for each in ("HttpOnly", "SameSite=Strict", "Path=/operator"))
    statuses = []
    for _ in range(3):
        async with http.post("/operator/login", data={"password": "guessed"}, allow_redirects=False) as response:
            statuses.append(response.status)
    assert [303, 429, 429] == statuses


async def test_a_form_of_another_page_does_nothing(kept: Server, http: aiohttp.ClientSession) -> None:
    """Neither another site's page nor one that does not know the form's word acts for the operator who is logged in."""
    form = await log_in(http)
    table_id = (await open_table(http))["id"]
    for headers, given in (({"Origin": "https://evil.example"}, form), ({}, ""), ({}, "0" * 32), ({}, "é")):
        async with http.post("/operator/close", data={"form": given, "table": table_id}, headers=headers) as response:
            assert 403 == response.status
    live = await kept.site.tables.get(table_id)
    assert live is not None
    assert not live.table.is_closed


async def test_a_table_is_closed_and_its_stakes_go_back_once(kept: Server, http: aiohttp.ClientSession) -> None:
    """Whoever plays is told, every coin is where it was, and closing again does nothing; log and list of acts say who did it (R15.5)."""
    async with browser(kept) as operator, browser(kept) as other:
        form = await log_in(operator)
        table_id = (await open_table(http, name="Ayla", options={"seats": 2, "stake": 100}))["id"]
        async with other.post(f"/api/tables/{table_id}/seats", json={"name": "Emin <b>"}) as response:
            # A name that would write into the page is no name; the page escapes all the same.
            assert 422 == response.status
        async with other.post(f"/api/tables/{table_id}/seats", json={"name": "Emin"}) as response:
            assert 200 == response.status
        async with Player(http, table_id) as one, Player(other, table_id) as two:
            for player in (one, two):
                await player.hello()
                await player.ask(t="ready", on=True)
            while not one.table.get("game"):
                await one.until("update")
            assert 200 == (await kept.site.ledger.totals()).in_pots  # type: ignore[union-attr]
            assert table_id in await look(operator)
            assert f"table {table_id} is closed" == await do(operator, form, "close", table=table_id, words="<i>why</i>")
            while "closed" != one.table.get("stage"):
                await one.until("update")
            assert one.table["by_operator"]
            assert one.table["cut_short"]
            later = (await one.hello())["table"]
            assert later["by_operator"]
            assert later["cut_short"]
            assert f"table {table_id}: table_closed" == await do(operator, form, "close", table=table_id)
            assert "refused" == (await two.ask(t="ready", on=True))["t"]
        assert "there is no such table" == await do(operator, form, "close", table="nosuchtable")
        totals = await kept.site.ledger.totals()  # type: ignore[union-attr]
        assert (2000, 0, 0) == (totals.with_players, totals.in_pots, totals.sum)
        page = await look(operator)
        assert "&lt;i&gt;why&lt;/i&gt;" in page
        assert "<i>" not in page
        assert ["close", "login"] == [act.what for act in await kept.site.guests.acts(10)]
    tail = await kept.site.store.load(table_id)
    assert tail is not None
    assert b'"by":"operator"' in tail.rows[-1].body
    assert [] == faults(kept.database)


@pytest.mark.parametrize("is_spoilt", [False, True])
async def test_what_cannot_be_written_down_is_not_done(
    kept: Server, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch, is_spoilt: bool
) -> None:
    """A table is never closed, and no stakes go back, without a line that says who did it, whatever fails in between."""
    form = await log_in(http)
    table_id = (await open_table(http, options={"seats": 2}))["id"]
    refunds: list[str] = []

    async def fail(act: Act) -> int:
        raise sqlite3.OperationalError("disk I/O error")

    async def spoilt(table_id: str) -> None:
        raise Spoilt(f"table {table_id} cannot be read")

    async def give_back(table_id: str) -> int:
        refunds.append(table_id)
        return 0

    live = await kept.site.tables.get(table_id)
    assert live is not None
    monkeypatch.setattr(kept.site.guests, "act", fail)
    monkeypatch.setattr(kept.site.tables, "give_back", give_back)
    if is_spoilt:
        monkeypatch.setattr(kept.site.tables, "get", spoilt)
    assert "500" == await do(http, form, "close", table=table_id)
    assert (False, []) == (live.table.is_closed, refunds)


async def test_a_table_that_has_stopped_is_not_closed_and_that_is_written_down(kept: Server, http: aiohttp.ClientSession) -> None:
    """The act stands there with what came of it."""
    form = await log_in(http)
    table_id = (await open_table(http, options={"seats": 2}))["id"]
    live = await kept.site.tables.get(table_id)
    assert live is not None
    live._stop()
    assert f"table {table_id}: table_stopped" == await do(http, form, "close", table=table_id, words="why")
    written = [(act.what, act.about, act.words) for act in await kept.site.guests.acts(2)]
    assert [("failed", table_id, "table_stopped"), ("close", table_id, "why")] == written


async def test_a_game_with_bots_ends_with_its_table(kept: Server, http: aiohttp.ClientSession) -> None:
    """Bots stop, no clock runs any more, and the table stays closed when it is loaded again."""
    form = await log_in(http)
    table_id = (await open_table(http, options={"seats": 3}))["id"]
    async with Player(http, table_id) as player:
        await player.hello()
        await player.agree()
        assert f"table {table_id} is closed" == await do(http, form, "close", table=table_id)
        while "closed" != player.table.get("stage"):
            await player.until("update")
        assert "refused" == (await player.ask(t="play", move="take", bout=1))["t"]
        live = kept.site.tables.in_memory(table_id)
        assert live is not None
        assert (None, None, False) == (live.table.due, live.table.position, live.is_stopped)
        async with http.get(f"/api/tables/{table_id}/games/1") as response:
            assert 409 == response.status


async def test_a_muted_player_says_nothing(kept: Server, http: aiohttp.ClientSession) -> None:
    """For as long as the operator has said, at every table; an end of it is written down too."""
    form = await log_in(http)
    table_id = (await open_table(http, name="Ayla", options={"seats": 2}))["id"]
    async with http.get("/api/me") as response:
        public = (await response.json())["id"]
    async with Player(http, table_id) as player:
        await player.hello()

        async def speak() -> str:
            await player.send(t="say", id="s", phrase="good_luck")
            while (told := await player.next())["t"] not in ("said", "refused"):
                pass
            if told["t"] == "refused":
                hours = (int(told["about"]) - kept.site.clock.now()) / 3_600_000
                return f"{told['code']} for {hours:.0f} hours"
            return str(told["t"])

        assert "said" == await speak()
        assert "Ayla is muted for 24 hours" == await do(http, form, "mute", player=public, hours="24", words="rude")
        assert "Ayla (" in await look(http)
        assert "muted for 24 hours" == await speak()
        assert "Ayla may speak" == await do(http, form, "mute", player=public, hours="0")
        assert "said" == await speak()
    assert "there is no such player" == await do(http, form, "mute", player="nobody", hours="1")
    assert "hours must be a number" == await do(http, form, "mute", player=public, hours="-1")
    acts = [(act.what, act.about, act.words) for act in await kept.site.guests.acts(10)]
    assert [("unmute", public, "0 h"), ("mute", public, "24 h rude")] == acts[:2]


@pytest.mark.parametrize("statement", ["UPDATE acts SET words = ''", "DELETE FROM acts"])
async def test_what_was_done_stays(kept: Server, http: aiohttp.ClientSession, statement: str) -> None:
    """Nobody corrects the list of acts by hand."""
    await log_in(http)
    with closing(sqlite3.connect(kept.database)) as db, pytest.raises(sqlite3.IntegrityError, match="acts stay"):
        db.execute(statement)


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("multipart/form-data", b"x", 415),
        ("multipart/form-data; boundary=a", b'--a\r\nContent-Disposition: form-data; name="password"\r\n\r\nx\r\n--a--\r\n', 415),
        ("text/plain", b"password=x", 415),
        (FORM, b"password=\xff", 400),
        (FORM, b"&".join([b"a=1"] * 1000), 400),
        (FORM + "; charset=nonsense", b"password=%ff%00", 200),
    ],
)
async def test_what_is_no_form_is_refused(kept: Server, http: aiohttp.ClientSession, kind: str, body: bytes, status: int) -> None:
    """Garbage at the operator's door is told that it is, and is no error of the server."""
    async with http.post("/operator/login", data=body, headers={"Content-Type": kind}) as response:
        assert status == response.status


@pytest.mark.parametrize("hours", ["", "-1", "1e3", "²", "0" * 5000 + "1" + "0" * 30, "9" * 5000, "8761"])
async def test_so_many_hours_there_are_not(kept: Server, http: aiohttp.ClientSession, hours: str) -> None:
    """A number that is none, or of years, mutes nobody."""
    await open_table(http, name="Ayla")
    async with http.get("/api/me") as response:
        me = (await response.json())["id"]
    assert "hours must be a number" == await do(http, await log_in(http), "mute", player=me, hours=hours)

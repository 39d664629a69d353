"""What a server writes about itself: lines that can be searched, and nothing in them that is anybody's secret."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import sqlite3
from collections.abc import Iterator

import aiohttp
import pytest
from yarl import URL

from kozyr.cli.logs import Lines

from .conftest import Server, browser
from .player import Player, open_table

CARD = re.compile(r"(?<![0-9a-zA-Z])[2-9TJQKA][cdhs](?![0-9a-zA-Z])")


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Log everything there is, as JSON."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(Lines("json", "1"))
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.removeHandler(handler)
    root.setLevel(before)


async def test_a_played_game_leaves_no_secret_in_the_log(server: Server, http: aiohttp.ClientSession, lines: io.StringIO) -> None:
    """Nobody learns a password, a cookie, a seed or a hand from the log of a whole game, whatever its level."""
    async with browser(server) as other:
        opened = await open_table(http, name="Ayla", options={"seats": 2}, bots=[None], password="table secret", private=True)
        table_id = opened["id"]
        passwords = ["account secret", "wrong secret", "table secret", "guessed secret"]
        async with http.post("/api/account", json={"password": passwords[0]}) as response:
            assert response.status < 300, await response.text()
        for password, status in ((passwords[1], 401), (passwords[0], 200)):
            async with http.post("/api/login", json={"name": "Ayla", "password": password}) as response:
                assert status == response.status, await response.text()
        for password, status in ((passwords[3], 403), (passwords[2], 200)):
            async with other.post(f"/api/tables/{table_id}/seats", json={"name": "Emin", "password": password}) as response:
                assert status == response.status, await response.text()
        await play(http, other, table_id)
        cookies = [cookie.value for session in (http, other) for cookie in session.cookie_jar]
    text = lines.getvalue()
    with sqlite3.connect(server.database) as db:
        found = db.execute("SELECT body, seq FROM events UNION ALL SELECT body, seq FROM fresh ORDER BY seq")
        bodies = [json.loads(body) for body, _ in found]
    seeds = [body["server_seed"] for body in bodies if body["k"] == "game"] + [body["seed"] for body in bodies if body["k"] == "reveal"]
    packs = [body["pack"] for body in bodies if body["k"] == "deal"]
    assert (3, 1) == (len(seeds), len(packs))
    guests = [cookie.split(".")[0] for cookie in cookies]
    assert [] == [secret for secret in (*passwords, *cookies, *guests, *seeds, *packs) if secret in text]
    assert [] == CARD.findall(text)
    about = [json.loads(line) for line in text.splitlines()]
    assert {"seeds", "playing", "over"} <= {line["message"].removeprefix("a table is ") for line in about if "table" in line}
    assert all({"seq", "table", "process"} <= line.keys() for line in about if line["message"].startswith("a table is"))
    assert {401, 403, 201, 200} <= {line.get("status") for line in about}
    assert all(re.fullmatch("[0-9a-f]{16}", line["request"]) for line in about if "status" in line)


async def play(http: aiohttp.ClientSession, other: aiohttp.ClientSession, table_id: str) -> None:
    """Play a game of two persons to its end."""
    async with Player(http, table_id) as one, Player(other, table_id) as two:
        for player in (one, two):
            await player.hello()
            assert "ack" == (await player.ask(t="ready", on=True))["t"]
        for player in (one, two):
            while player.table.get("game") is None or player.table.get("stage") != "seeds":
                await player.until("update")
        await asyncio.gather(one.agree(), two.agree())
        await asyncio.gather(one.play_out(), two.play_out())


async def test_a_request_keeps_the_name_that_a_proxy_gave_it(server: Server, http: aiohttp.ClientSession) -> None:
    """One line of a proxy and one of the server can be put together; a name that would write into the log is not taken over."""
    for given, is_kept in (("abc-1.2_3", True), ("x" * 65, False), ("a b", False), ("", False)):
        async with http.get("/api/health", headers={"X-Request-Id": given}) as response:
            assert is_kept == (given == response.headers["X-Request-Id"])
            assert re.fullmatch(r"[\w.-]{1,64}", response.headers["X-Request-Id"])


def test_a_line_has_three_forms() -> None:
    """For reading, as JSON and as logfmt; an error's trace is in its line, and nothing ends a line early."""

    def record() -> logging.LogRecord:
        try:
            raise ValueError("no\nway")
        except ValueError as error:
            about = (ValueError, error, error.__traceback__)
            made = logging.LogRecord("kozyr.web", logging.ERROR, "f.py", 1, "table %s\nstopped", ("t1",), about)
        made.created, made.table, made.seq = 0.25, "t1", 7
        return made

    written = json.loads(Lines("json").format(record()))
    assert ("1970-01-01T00:00:00.250Z", "error", "table t1\nstopped", "t1", 7) == tuple(
        written[name] for name in ("at", "level", "message", "table", "seq")
    )
    assert written["trace"].endswith("ValueError: no\nway")
    line = Lines("logfmt", "2").format(record())
    assert line.startswith("at=1970-01-01T00:00:00.250Z level=error logger=kozyr.web ")
    assert r' message="table t1\nstopped" table=t1 seq=7 process=2 trace="Traceback' in line
    assert "\n" not in line
    assert Lines("text").format(record()).startswith("1970-01-01T00:00:00.250Z ERROR   table t1\\nstopped table=t1 seq=7\nTraceback")


def test_what_fails_again_and_again_is_told_without_its_trace() -> None:
    """A disk that is full fails every move: each is a line, with what it is about, and the trace comes now and then."""

    def line(lines: Lines, table: str, at: float, said: str = "full") -> str:
        try:
            raise OSError(said)
        except OSError as error:
            about = (OSError, error, error.__traceback__)
            made = logging.LogRecord("kozyr.app", logging.ERROR, "f.py", 1, "a table failed", (), about)
        made.created, made.table = at, table
        return lines.format(made)

    lines = Lines("text")
    assert "Traceback" in line(lines, "t1", 0)
    assert line(lines, "t2", 9).endswith('a table failed table=t2 error="OSError: full"')
    assert "Traceback" in line(lines, "t2", 9, "another")
    assert "Traceback" in line(lines, "t1", 11)
    assert 'error="OSError: full"' in line(lines, "t1", 12) and {} != json.loads(line(Lines("json"), "t1", 0))


@pytest.mark.parametrize("form", ["text", "json", "logfmt"])
async def test_strangers_write_no_lines_of_their_own(server: Server, http: aiohttp.ClientSession, form: str) -> None:
    """
    What an asker puts into a path neither ends a line, nor colours the operator's screen, nor turns its letters round.
    """
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(Lines(form))
    logger = logging.getLogger("kozyr.web.guard")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        async with http.get(URL("/%0aERROR%20fake%1b%5b31m%c2%9b%e2%80%ae", encoded=True)) as response:
            assert 404 == response.status
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
    line = written.getvalue()
    assert 1 == line.count("\n") and line.endswith("\n")
    assert line.rstrip("\n").isprintable()

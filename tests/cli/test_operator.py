"""`kozyr operator`: what whoever runs a server has to look at."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from kozyr.app.people import Change, Report, public_id
from kozyr.app.ports import Row
from kozyr.ledger import Terms, opening_grant, stakes
from kozyr.store.sqlite import SqliteStore

from .conftest import Kozyr

NOW = int(time.time() * 1000)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """
    Make a server's file without anything in it.
    """
    place = tmp_path / "kozyr.db"
    asyncio.run(keep(place, lambda store: store.beat(NOW)))
    return place


async def keep(database: Path, work: Callable[[SqliteStore], Awaitable[object]]) -> None:
    """
    Do something with a server's file.
    """
    async with SqliteStore(database) as store:
        await work(store)


def test_a_new_server_has_nothing_to_look_at(kozyr: Kozyr, database: Path) -> None:
    """
    Each of the four words says so.
    """
    said = [kozyr("operator", word, "--database", str(database)) for word in ("reports", "companies", "pots", "totals")]
    assert [0, 0, 0, 0] == [done.code for done in said]
    assert ["No reports.\n", "Nobody has played for coins today.\n", "No game for coins is unsettled.\n"] == [done.out for done in said[:3]]
    assert said[3].out.endswith("in pots 0\nsum 0\n")


def test_the_operator_sees_reports_companies_and_pots(kozyr: Kozyr, database: Path) -> None:
    """
    By names and public ids; no guest's own id is shown.
    """

    async def play(store: SqliteStore) -> None:
        for guest in ("guest-one", "guest-two"):
            await store.change(guest, Change(guest.split("-")[1].title()), guest, NOW)
            await store.book(opening_grant(guest, "192.0.2.1", NOW, Terms()))
        stake = stakes("t1/1", ["guest-one", "guest-two"], 100, NOW, Terms())
        await store.append("t1", 0, [Row(1, NOW, b"x")], None, [stake])
        await store.report(Report(0, 1_700_000_000_000, "t1", 1, "guest-two", "guest-one", "stalling", "waits and waits"))

    asyncio.run(keep(database, play))
    one, two = (f"{name.title()} ({public_id(f'guest-{name}')})" for name in ("one", "two"))
    shown = {word: kozyr("operator", word, "--database", str(database)).out for word in ("reports", "companies", "pots", "totals")}
    assert f"1. 2023-11-14 22:13 UTC stalling: {one}, at table t1, game 1, by {two}: waits and waits\n" == shown["reports"]
    assert f"1 game: {one}, {two}\n" == shown["companies"]
    assert shown["pots"].startswith("200 coins: game t1/1, since 20")
    assert "with players 1800\nin pots 200\nsum 0\n" in shown["totals"]
    assert "guest-" not in "".join(shown.values())


def test_there_has_to_be_a_database(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    None is made, and a file of another kind is named.
    """
    done = kozyr("operator", "totals", "--database", str(tmp_path / "none.db"))
    assert (2, f"kozyr: there is no database {tmp_path / 'none.db'}\n") == (done.code, done.err)
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "text.db").write_text("no database at all, but long enough to look at" * 100)
    assert 2 == kozyr("operator", "totals", "--database", str(tmp_path / "text.db")).code
    assert 2 == kozyr("operator", "gossip", "--database", str(tmp_path / "text.db")).code

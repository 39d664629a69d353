"""A file of an older version is used as it is: nothing in it is lost, and what is new is added."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kozyr.app.events import Player
from kozyr.app.office import Act
from kozyr.app.people import Denied, Person, public_id
from kozyr.app.played import Finished, Kind, Part
from kozyr.app.ports import Appended, Doubled, Row
from kozyr.ledger import Terms, opening_grant, settle, stakes
from kozyr.store import journal, schema
from kozyr.store.sqlite import SqliteStore
from tests.store.auditing import faults


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return of_version(1, tmp_path)


def of_version(version: int, folder: Path) -> Path:
    """Make a file as that version of the tables made it."""
    database = folder / f"version{version}.db"
    with closing(sqlite3.connect(database)) as db:
        db.executescript((Path(__file__).parent / f"version{version}.sql").read_text(encoding="utf-8"))
    return database


def look(database: Path) -> tuple[int, dict[str, str]]:
    """Read the version of a file, and how each of its tables was made."""
    with closing(sqlite3.connect(database)) as db:
        made = db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
        return db.execute("PRAGMA user_version").fetchone()[0], {name: re.sub(r"\s+", "", sql) for name, sql in made}


async def test_a_file_of_version_1_goes_on(old: Path) -> None:
    """After an update of the server every table, name and secret is there, and coins can be played for."""
    async with SqliteStore(old) as store:
        tail = await store.load("t1")
        assert tail is not None
        assert (2, 4000, [Row(1, 1000, b"a"), Row(2, 1500, b"b", "0.k1")]) == (tail.seq, tail.due, tail.rows)
        assert Doubled(2) == await store.append("t1", 2, [Row(3, 0, b"c", "0.k1")], None)
        assert ("Ayla", b"one", None) == (await store.name_of("g1"), await store.keep("cookie", b"two"), await store.last_beat())
        for guest in ("g1", "g2"):
            await store.book(opening_grant(guest, "192.0.2.1", 0, Terms()))
        stake = stakes("t1/2", ["g1", "g2"], 100, 0, Terms())
        assert Appended() == await store.append("t1", 2, [Row(3, 0, b"c")], None, [stake])
    assert [] == faults(old)
    async with SqliteStore(old) as store:
        assert 900 == await store.balance("g1")


async def test_a_file_of_version_2_goes_on(tmp_path: Path) -> None:
    """Coins, the game that runs and every guest are there; guests have public ids, and records begin with the next game that ends."""
    database = of_version(2, tmp_path)
    async with SqliteStore(database) as store:
        assert [1000, 800] == [await store.balance(guest) for guest in ("g1", "g2")]
        for guest, name in (("g1", "Ayla"), ("g2", "Emin"), ("g3", "Ayla")):
            person = Person(guest, public_id(guest), name, 900)
            assert person == await store.person(guest) == await store.person_called(public_id(guest))
            assert [] == await store.games(guest, None, 10)
        kind = Kind(36, 2, False, False, True)
        parts = (Part("g1", 0, None, True, False, -100), Part("g2", 1, 1, False, False, 100))
        people = tuple(Player(name, "person", guest=guest) for guest, name in (("g1", "Ayla"), ("g2", "Emin")))
        finished = Finished("t1", 2, 6000, kind, {}, people, parts)
        end = settle("t1/2", ["g1", "g2"], 100, "linear", [1], 0, 6000)
        assert Appended() == await store.append("t1", 4, [Row(5, 6000, b"e")], None, [end], [finished])
        assert isinstance(await store.open_account("g1", "ayia", "hash", None, 7000), Person)
        assert Denied("taken") == await store.open_account("g3", "ayia", "hash", None, 7000)
    assert [] == faults(database)
    async with SqliteStore(database) as store:
        assert ([1000, 1000], 1) == ([await store.balance(guest) for guest in ("g1", "g2")], (await store.scores("g1"))[0].durak)
        assert (5000, b"one") == (await store.last_beat(), await store.keep("cookie", b"two"))


@pytest.mark.parametrize("version", [1, 2])
def test_an_upgraded_file_is_like_a_new_one(version: int, tmp_path: Path) -> None:
    """Whichever way a file came to this version, its tables are the same."""
    old = of_version(version, tmp_path)
    schema.prepare(old)
    schema.prepare(tmp_path / "new.db")
    assert look(tmp_path / "new.db") == look(old)
    assert schema.VERSION == look(old)[0]


async def test_a_file_of_version_3_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """People and their tables are there, and what the operator does is written down from now on."""
    database = tmp_path / "version3.db"
    with monkeypatch.context() as old:
        old.setattr(schema, "STEPS", schema.STEPS[:3])
        old.setattr(schema, "VERSION", 3)
        schema.prepare(database)
        with closing(sqlite3.connect(database)) as db:
            journal.remember(db, "g1", "Ayla", 1000)
            journal.append(db, "t1", 0, [Row(1, 1000, b"a")], None, ())
            db.commit()
        assert 3 == look(database)[0]
    async with SqliteStore(database) as store:
        assert ("Ayla", []) == (await store.name_of("g1"), await store.acts(10))
        await store.mute("g1", 5000, Act(0, 2000, "192.0.2.1", "mute", public_id("g1"), "rude"))
        assert ({"g1": 5000}, {}) == (await store.mutes(4999), await store.mutes(5000))
        assert [Act(1, 2000, "192.0.2.1", "mute", public_id("g1"), "rude")] == await store.acts(10)
        tail = await store.load("t1")
        assert tail is not None
        assert [Row(1, 1000, b"a")] == tail.rows
    schema.prepare(tmp_path / "new.db")
    assert look(tmp_path / "new.db") == look(database)


@pytest.mark.parametrize("version", [3, 4, 5])
async def test_a_game_goes_on_in_a_file_of_any_older_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int) -> None:
    """What was acknowledged before an update is still so after it, and the next move comes after the last one (I1, I2)."""
    database = tmp_path / "old.db"
    with monkeypatch.context() as old:
        old.setattr(schema, "STEPS", schema.STEPS[:version])
        old.setattr(schema, "VERSION", version)
        schema.prepare(database)
        with closing(sqlite3.connect(database)) as db:
            for seq in range(1, 6):
                assert Appended() == journal.append(db, "t1", seq - 1, [Row(seq, 1000 + seq, b"a", f"g1.c{seq}")], 7000 + seq, ())
            db.commit()
        assert version == look(database)[0]
    for start in range(2):
        async with SqliteStore(database) as store:
            assert Doubled(3) == await store.append("t1", 5 + start, [Row(6 + start, 0, b"b", "g1.c3")], None)
            assert ["t1"] == await store.overdue(7005 + start, 10)
            assert Appended() == await store.append("t1", 5 + start, [Row(6 + start, 1006, b"b", f"g1.c{6 + start}")], 7006 + start)
            tail = await store.load("t1")
            assert tail is not None
            assert (6 + start, list(range(1, 7 + start))) == (tail.seq, [row.seq for row in tail.rows])
    schema.prepare(tmp_path / "new.db")
    assert look(tmp_path / "new.db") == look(database)


def test_an_upgrade_is_whole_or_not_at_all(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that fails in the middle of an upgrade leaves the file as it was."""
    before = look(old)
    monkeypatch.setattr(schema, "STEPS", (schema.VERSION_1, (*schema.VERSION_2, "CREATE TABLE tables (x)")))
    with pytest.raises(schema.SchemaError, match="already exists"):
        schema.prepare(old)
    assert before == look(old)


@pytest.mark.parametrize("table", ["entries", "postings"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET key = 'x'", "DELETE FROM {}"])
async def test_what_is_booked_stays(tmp_path: Path, table: str, statement: str) -> None:
    """Nobody corrects the books by hand: the file itself refuses."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        await store.book(opening_grant("ann", "192.0.2.1", 0, Terms()))
    with closing(sqlite3.connect(tmp_path / "kozyr.db")) as db, pytest.raises(sqlite3.IntegrityError, match=f"{table} stay"):
        db.execute(statement.format(table))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounts SET balance = -1 WHERE account = 'player:ann'",
        "UPDATE accounts SET balance = 0.5 WHERE account = 'player:ann'",
        "INSERT INTO postings VALUES ('player:ann', 2, 'h', 'k', 0, -2000, -1000)",
        "INSERT INTO postings VALUES ('player:ann', 2, 'h', 'k', 0, 0, 1000)",
        "INSERT INTO postings VALUES ('player:ann', 2, 'h', 'k', 0, 1.5, 1001)",
        "INSERT INTO postings VALUES ('player:ann', 1, 'h', 'k', 0, 5, 1005)",
        "INSERT INTO entries VALUES ('player:ann', 'grant:ann', 'grant', 0)",
        "INSERT INTO entries VALUES ('player:ann', 'gift:ann', 'gift', 0)",
    ],
)
async def test_the_file_knows_the_rules_of_the_books(tmp_path: Path, statement: str) -> None:
    """A balance below 0, half a coin, a posting of nothing or an entry booked twice is refused by the database itself."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        await store.book(opening_grant("ann", "192.0.2.1", 0, Terms()))
    with closing(sqlite3.connect(tmp_path / "kozyr.db")) as db, pytest.raises(sqlite3.IntegrityError):
        db.execute(statement)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """
    What is wrong with a database is said in one line that names the file, whatever the system's word for it.
    """
    database = tmp_path / "held.db"
    schema.prepare(database)
    holder = sqlite3.connect(database, isolation_level=None)
    holder.execute("PRAGMA user_version = 1")
    holder.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(schema.SchemaError, match=r"held\.db cannot be used"):
            schema.prepare(database, patience_s=0.1)
    finally:
        holder.close()

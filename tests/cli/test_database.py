"""Databases by command: tables brought up, backups, and the move of an installation into PostgreSQL."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from kozyr.app.ports import Appended, Row
from kozyr.cli.serve import place_of
from kozyr.cli.trouble import Trouble
from kozyr.ledger import Terms, opening_grant, settle, stakes
from kozyr.store import moving, schema
from kozyr.store.postgres import PostgresStore
from kozyr.store.sqlite import SqliteStore
from tests.postgres import Postgres

from .conftest import Kozyr

OLD = sorted((Path(__file__).parents[1] / "store").glob("version*.sql"))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """An installation: guests with coins, a table in the middle of a staked game, one that is settled, a secret."""
    file = tmp_path / "kozyr.db"

    async def fill() -> None:
        async with SqliteStore(file) as store:
            await store.keep("cookies", b"s" * 32)
            for guest in ("ann", "bob"):
                await store.remember(guest, guest.title(), 1)
                await store.book(opening_grant(guest, "192.0.2.1", 0, Terms()))
            for game in (1, 2):
                stake = stakes(f"t/{game}", ["ann", "bob"], 100, 0, Terms())
                await store.append("t", 2 * game - 2, [Row(2 * game - 1, 0, b"open", f"k{game}")], 5000, [stake])
                end = settle(f"t/{game}", ["ann", "bob"], 100, "linear", [0], 1, 0)
                await store.append("t", 2 * game - 1, [Row(2 * game, 0, b"end")], None, [end])
            await store.append("t", 4, [Row(5, 0, b"open")], 5000, [stakes("t/3", ["ann", "bob"], 50, 0, Terms())])
            await store.append("u", 0, [Row(1, 0, bytes(range(256)))], None)
            await store.beat(777)

    asyncio.run(fill())
    return file


def content(file: Path) -> dict[str, list[object]]:
    """Read everything that is in a file."""
    with closing(sqlite3.connect(file)) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: sorted(db.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in names}


def test_a_backup_is_taken_while_a_server_writes(kozyr: Kozyr, database: Path, tmp_path: Path) -> None:
    """A copy of one moment, whole, although the log goes on; a second one does not write over it."""

    async def serve_and_copy() -> None:
        async with SqliteStore(database) as store:
            for seq in range(1, 50):
                assert Appended() == await store.append("w", seq - 1, [Row(seq, 0, b"x" * 2000)], None)
            assert 0 == kozyr("backup", tmp_path / "copy.db", "--database", database).code
            await store.append("w", 49, [Row(50, 0, b"late")], None)

    asyncio.run(serve_and_copy())
    with closing(sqlite3.connect(tmp_path / "copy.db")) as db:
        assert (49,) == db.execute("SELECT seq FROM tables WHERE table_id = 'w'").fetchone()
        assert (49,) == db.execute("SELECT count(*) FROM events WHERE table_id = 'w'").fetchone()
    assert not list(tmp_path.glob("copy.db-*")) and not list(tmp_path.glob("*.part"))
    again = kozyr("backup", tmp_path / "copy.db", "--database", database)
    assert (2, f"kozyr: {tmp_path}/copy.db is there already\n") == (again.code, again.err)


def test_a_backup_is_restored_and_what_was_there_is_kept(kozyr: Kozyr, database: Path, tmp_path: Path) -> None:
    """After a restore everything is as it was when the backup was taken, and nothing that was replaced is lost."""
    before = content(database)
    assert 0 == kozyr("backup", tmp_path / "copy.db", "--database", database).code

    async def go_on() -> None:
        async with SqliteStore(database) as store:
            await store.append("late", 0, [Row(1, 0, b"a")], None)

    asyncio.run(go_on())
    after = content(database)
    assert 0 == kozyr("restore", tmp_path / "copy.db", "--database", database).code
    assert before == content(database)
    (kept,) = tmp_path.glob("kozyr.db.before-*")
    assert after == content(kept)


def test_a_restore_waits_for_no_server(kozyr: Kozyr, database: Path, tmp_path: Path) -> None:
    """Nobody takes the file away from a server that is using it."""
    kozyr("backup", tmp_path / "copy.db", "--database", database)

    async def beat() -> None:
        async with SqliteStore(database) as store:
            await store.beat(time.time_ns() // 1_000_000)

    asyncio.run(beat())
    for words in (("restore", tmp_path / "copy.db", "--database", database), ("move", "--from", database, "--to", "postgresql://nobody@127.0.0.1:1/x")):
        done = kozyr(*words)
        assert (2, f"kozyr: a server is using {database}: stop it first\n") == (done.code, done.err)


def test_nor_from_one_to_which_nobody_has_come(kozyr: Kozyr, database: Path, tmp_path: Path) -> None:
    """A server without tables says nothing, and has the file all the same; once it has gone, the file is there to be replaced."""
    kozyr("backup", tmp_path / "copy.db", "--database", database)

    async def serve() -> None:
        async with SqliteStore(database):
            for words in (("restore", tmp_path / "copy.db", "--database", database), ("move", "--from", database, "--to", "postgresql://h/x")):
                done = kozyr(*words)
                assert (2, f"kozyr: a server is using {database}: stop it first\n") == (done.code, done.err)

    asyncio.run(serve())
    assert 0 == kozyr("restore", tmp_path / "copy.db", "--database", database).code


@pytest.mark.parametrize("what", ["garbage", "another", "newer", "damaged", "missing"])
def test_what_is_no_backup_is_not_restored(kozyr: Kozyr, database: Path, tmp_path: Path, what: str) -> None:
    """A file that is not a whole database of ours is refused before anything is touched."""
    copy = tmp_path / "copy.db"
    if what == "garbage":
        copy.write_bytes(b"no database" * 1000)
    elif what == "another":
        sqlite3.connect(copy).execute("CREATE TABLE x (y)").connection.close()
    elif what != "missing":
        shutil.copy(database, copy)
        if what == "newer":
            with closing(sqlite3.connect(copy)) as db:
                db.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
        else:
            copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])
    before = content(database)
    done = kozyr("restore", copy, "--database", database)
    assert 2 == done.code and str(copy) in done.err and 1 == done.err.count("\n")
    assert before == content(database)


@pytest.mark.parametrize("old", OLD, ids=lambda path: path.stem)
def test_an_old_file_is_brought_up(kozyr: Kozyr, tmp_path: Path, old: Path) -> None:
    """`migrate` does what a server does when it starts."""
    with closing(sqlite3.connect(tmp_path / "old.db")) as db:
        db.executescript(old.read_text(encoding="utf-8"))
    done = kozyr("migrate", "--database", tmp_path / "old.db")
    assert (0, f"{tmp_path}/old.db is ready\n") == (done.code, done.out)
    with closing(sqlite3.connect(tmp_path / "old.db")) as db:
        assert schema.VERSION == db.execute("PRAGMA user_version").fetchone()[0]


def test_the_statements_are_printed(kozyr: Kozyr) -> None:
    """What would be done to a PostgreSQL can be read before."""
    done = kozyr("migrate", "--sql")
    assert 0 == done.code and "CREATE TABLE events (" in done.out


@pytest.mark.parametrize("old", [None, *OLD], ids=lambda path: "new" if path is None else path.stem)
def test_an_installation_moves_into_postgresql(
    kozyr: Kozyr, database: Path, tmp_path: Path, postgres_server: Postgres, old: Path | None
) -> None:
    """Everything is there, and goes on there; the file stays as it was, of whichever version."""
    if old is not None:
        database = tmp_path / "old.db"
        with closing(sqlite3.connect(database)) as db:
            db.executescript(old.read_text(encoding="utf-8"))
    url = postgres_server.url(postgres_server.make_database())
    before = content(database)
    done = kozyr("move", "--from", database, "--to", url)
    assert (0, "") == (done.code, done.err)
    assert "of-tests-only" not in done.out and "every count and sum is the same" in done.out
    assert before == content(database)

    async def go_on() -> None:
        async with await PostgresStore.open(url) as store:
            if old is not None:
                tail = await store.load("t1")
                assert tail is not None and tail.seq == len(tail.rows) > 1 and tail.due is not None
                assert "Ayla" == await store.name_of("g1")
                return
            tail = await store.load("t")
            assert tail is not None and (5, 5000) == (tail.seq, tail.due)
            assert (777, b"s" * 32, "Ann") == (await store.last_beat(), await store.keep("cookies", b""), await store.name_of("ann"))
            end = settle("t/3", ["ann", "bob"], 50, "linear", [0], 1, 0)
            assert Appended() == await store.append("t", 5, [Row(6, 0, b"end")], None, [end])
            totals = await store.totals()
            assert (0, 0, 2000) == (totals.sum, totals.in_pots, totals.with_players)
            assert 1000 + 250 == await store.balance("ann")
            assert 7 == (await store.history("ann"))[0].number

    asyncio.run(go_on())
    again = kozyr("move", "--from", database, "--to", url)
    assert 2 == again.code and "not empty" in again.err


def test_an_installation_moves_into_a_postgresql_that_an_operator_has_looked_at(
    kozyr: Kozyr, database: Path, postgres_server: Postgres
) -> None:
    """Who only opened the new database has put nothing there that is in the way."""
    url = postgres_server.url(postgres_server.make_database())
    assert 0 == kozyr("migrate", "--database", url).code

    async def look() -> None:
        async with await PostgresStore.open(url) as store:
            assert await store.load("t") is None

    asyncio.run(look())
    assert (0, "") == ((done := kozyr("move", "--from", database, "--to", url)).code, done.err)


def test_rows_that_have_no_place_are_not_left_behind(kozyr: Kozyr, database: Path, postgres_server: Postgres) -> None:
    """A table whose newest rows contradict its log is named, and nothing is moved without it; once they are gone everything is."""
    with closing(sqlite3.connect(database)) as db:
        db.execute("INSERT INTO fresh (table_id, seq, at, body) VALUES ('t', 2, 0, 'other')")
        db.commit()
    url = postgres_server.url(postgres_server.make_database())
    done = kozyr("move", "--from", database, "--to", url)
    assert 2 == done.code
    assert "kozyr: the newest rows of table t contradict its log; docs/operations.md says what to do with it" == done.err.splitlines()[-1]
    with closing(sqlite3.connect(database)) as db:
        db.execute("DELETE FROM fresh WHERE table_id = 't'")
        db.commit()
    assert 0 == kozyr("move", "--from", database, "--to", url).code


def test_a_move_that_loses_something_is_none(
    kozyr: Kozyr, database: Path, postgres_server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a sum differs afterwards, nothing is in the database."""
    monkeypatch.setattr(moving, "CHECKS", {"heads": "SELECT sum(seq) - (CASE WHEN 'a' < 'B' THEN 1 ELSE 0 END) FROM tables"})
    url = postgres_server.url(postgres_server.make_database())
    done = kozyr("move", "--from", database, "--to", url)
    assert (2, "kozyr: heads: 6 in the file, 5 in the database\n") == (done.code, done.err)

    async def look() -> dict[str, int]:
        async with await PostgresStore.open(url) as store:
            return await store.heads(["t", "u"])

    assert {} == asyncio.run(look())


def test_a_database_that_is_away_is_one_line_without_a_password(kozyr: Kozyr) -> None:
    """A server that cannot reach its database says so, and shows nobody the password."""
    for words in (("serve", "--workers", "2"), ("serve",), ("migrate",)):
        done = kozyr(*words, "--database", "postgresql://ann:secret@127.0.0.1:1/kozyr")
        assert 2 == done.code and 1 == done.err.count("\n") and "secret" not in done.err + done.out


def test_what_is_no_database_is_not_replaced(kozyr: Kozyr, database: Path, tmp_path: Path) -> None:
    """What cannot be read cannot be kept either; that is said in a line, and everything stays."""
    junk = tmp_path / "junk.db"
    junk.write_bytes(b"garbage")
    for words in (("restore", database, "--database", junk), ("move", "--from", junk, "--to", "postgresql://h/x")):
        done = kozyr(*words)
        assert (2, f"kozyr: {junk} cannot be read: file is not a database\n") == (done.code, done.err)
    assert b"garbage" == junk.read_bytes()


@pytest.mark.parametrize(
    "words", [("backup", "x", "--database"), ("restore", "x", "--database"), ("move", "--to", "postgresql://h/x", "--from")]
)
def test_copies_of_postgresql_are_its_own_business(kozyr: Kozyr, words: tuple[str, ...]) -> None:
    """A command that is for a file says so, and does not repeat the password that was typed."""
    done = kozyr(*words, "postgresql://ann:secret@127.0.0.1:1/kozyr")
    assert (2, "kozyr: this is for a database file; PostgreSQL has pg_dump and pg_restore\n") == (done.code, done.err)


def test_several_workers_need_postgresql(kozyr: Kozyr, tmp_path: Path) -> None:
    """A file is served by one process."""
    done = kozyr("serve", "--workers", "2", "--database", tmp_path / "kozyr.db")
    assert (2, "kozyr: several workers need a database postgresql://…; a file is served by one\n") == (done.code, done.err)


def test_postgresql_without_its_packages_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever installed only what a file needs is told what is missing."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(Trouble, match=r"pip install 'kozyr\[postgres\]'"):
        place_of("postgresql://host/kozyr")

"""What a move's statements touch, on both databases: rows of one table at a time, so that the log can be spread over several databases."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from kozyr.app.events import PERSON, Player
from kozyr.app.played import Finished, Kind, Part, SeriesScore
from kozyr.app.ports import Appended, Conflict, Doubled, Row
from kozyr.ledger import opening_grant, settle, stakes
from kozyr.store import grouping, postgres, schema
from kozyr.store.postgres import PostgresStore
from kozyr.store.sqlite import SqliteStore
from tests.contracts.keeping import NOON, TERMS, Store, row
from tests.store import distribution
from tests.store.distribution import BOOKS, LOG, Unbound, check, parsed, relations

Said = list[str]
ASIDE = ("PRAGMA", "BEGIN", "COMMIT", "ROLLBACK", "SELECT PG_ADVISORY", "SET ", "RESET", "UNLISTEN", "CLOSE")
"""How statements begin that touch no rows."""


class Kept:
    """A store, and every statement that it has done."""

    def __init__(self, store: Store, said: Said, dialect: str) -> None:
        self.store = store
        self.said = said
        self.dialect = dialect

    async def during(self, work: Coroutine[Any, Any, None]) -> list[distribution.Statement]:
        """List the statements that touch rows while something is done, each once."""
        self.said.clear()
        await work
        texts = {text.strip() for text in self.said}
        statements = [parsed(text, self.dialect) for text in sorted(texts) if not text.upper().startswith(ASIDE)]
        # What is fresh in a file lies together, in the order in which it came; there is no such thing in a log that is spread.
        return [statement for statement in statements if relations(statement) != {"fresh"}]


@pytest.fixture(params=["sqlite", "postgres"])
async def kept(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Kept]:
    said: Said = []
    if request.param == "sqlite":
        connect = schema.connect

        def traced(database: Path, patience_s: float = 10.0) -> sqlite3.Connection:
            connection = connect(database, patience_s)
            connection.set_trace_callback(said.append)
            return connection

        monkeypatch.setattr(schema, "connect", traced)
        async with SqliteStore(tmp_path / "db") as store:
            yield Kept(store, said, "sqlite")
        return
    for name in ("fetch", "fetchval", "execute", "executemany", "prepare", "cursor"):
        monkeypatch.setattr(asyncpg.Connection, name, keeping(getattr(asyncpg.Connection, name), said))
    async with await PostgresStore.open(request.getfixturevalue("postgres_url"), "one") as opened:
        yield Kept(opened, said, "postgres")


def keeping(method: Callable[..., Any], said: Said) -> Callable[..., Any]:
    """Make a method of a connection that keeps its statement."""

    def kept(self: Any, statement: str, *values: Any, **more: Any) -> Any:
        said.append(statement)
        return method(self, statement, *values, **more)

    return kept


async def moves(store: Store) -> None:
    """Everything that happens on a move's path where no coins are in it: loading, appending alone and in company, races, retries."""
    assert Appended() == await store.append("t", 0, [Row(1, 0, b"a"), Row(2, 0, b"b")], 500)
    assert Appended() == await store.append("t", 2, [Row(3, 0, b"c", "move")], None)
    assert Doubled(3) == await store.append("t", 3, [Row(4, 0, b"c", "move")], None)
    assert Conflict() == await store.append("t", 1, [Row(2, 0, b"x")], None)
    assert Appended() == await store.append("t", 3, [Row(4, 0, b"d"), Row(5, 0, b"e", "second")], 900)
    await asyncio.gather(*(store.append(f"t{number}", 0, [Row(1, 0, b"a"), Row(2, 0, b"b")], number) for number in range(5)))
    await asyncio.gather(*(store.append(f"t{number}", 2, [Row(3, 0, b"a", f"c{number}")], None) for number in range(5)))
    assert 5 == (await store.load("t", 0)).seq  # type: ignore[union-attr]
    assert [4, 5] == [each.seq for each in (await store.load("t", 3)).rows]  # type: ignore[union-attr]
    assert 3 == await store.find("t", "move")
    if isinstance(store, PostgresStore):
        await store.heads(["t", "t1"])
        waiting = asyncio.get_running_loop().create_future()
        assert await store._is_written(postgres.Job("t", 2, [Row(3, 0, b"c", "move")], None, waiting))


async def test_a_move_touches_rows_of_its_own_table_only(kept: Kept) -> None:
    """Each row that a move reads or writes is found by its table's id: a log that is spread by it needs no other node."""
    statements = await kept.during(moves(kept.store))
    assert len(statements) >= (5 if kept.dialect == "postgres" else 3)
    touched = set()
    for statement in statements:
        check(statement)
        touched |= relations(statement)
    assert {"tables", "events"} <= touched


def finished(players: list[str]) -> Finished:
    seats = tuple(Player(name, PERSON, guest=name) for name in players)
    parts = tuple(Part(name, seat, 1 - seat or None, seat == 1, False, 10) for seat, name in enumerate(players))
    series = SeriesScore(first=1, games=1, of=3, wins=(1, 0), losses=(0, 1), standing=(0, 1), is_over=False)
    return Finished("t", 1, NOON, Kind(36, 2, False, False, True), {}, seats, parts, series)


async def staked(store: Store) -> None:
    """A game for coins, from its stakes to its payouts and records, and what is refused."""
    players = ["ann", "bob"]
    for guest in players:
        await store.book(opening_grant(guest, f"of {guest}", NOON, TERMS))
    assert Appended() == await store.append("t", 0, row(1), None, [stakes("t/1", players, 50, NOON, TERMS)])
    end = settle("t/1", players, 50, "linear", [0], 1, NOON)
    assert Appended() == await store.append("t", 1, row(2, "last"), None, [end], [finished(players)])


async def test_coins_and_the_log_meet_in_no_statement(kept: Kept) -> None:
    """
    What a game does to coins and records is written by statements of their own, so that they can be carried elsewhere by an outbox.
    """
    statements = await kept.during(staked(kept.store))
    books = [statement for statement in statements if relations(statement) & BOOKS]
    assert len(books) >= 5
    assert [] == [statement.sql() for statement in books if relations(statement) - BOOKS]
    for statement in statements:
        if statement not in books:
            check(statement)


@pytest.mark.parametrize("statement", [grouping.APPEND, grouping.FIND, grouping.LOOK_UP], ids=["append", "find", "look up"])
def test_a_group_is_parted_by_table(statement: str) -> None:
    """A statement of many tables does for each what it would do alone: no join and no condition leads from one table to another."""
    check(parsed(statement))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tables SET due = NULL WHERE due < $1",
        "UPDATE tables SET seq = $1 WHERE table_id = $2 OR seq = $3",
        "SELECT e.body FROM events e JOIN tables t ON t.seq = e.seq WHERE t.table_id = $1",
        "SELECT e.body FROM events e, tables t WHERE t.table_id = $1 AND e.table_id <> t.table_id",
        "DELETE FROM events WHERE table_id > $1",
        "INSERT INTO events (seq, body) VALUES ($1, $2)",
        "INSERT INTO events (table_id, seq, body) SELECT a.table_id, b.seq, b.body FROM unnest($1::text[]) AS a (table_id), events b"
        " WHERE b.table_id = $2",
        "INSERT INTO events (table_id, seq, body) SELECT e.command, e.seq, e.body FROM events e WHERE e.table_id = $1",
        "SELECT t.seq FROM tables t WHERE t.table_id = $1 AND t.seq IN (SELECT e.seq FROM events e WHERE e.table_id = $2)",
        "SELECT t.seq, a.balance FROM tables t JOIN accounts a ON a.account = t.table_id WHERE t.table_id = $1",
        grouping.APPEND.replace("t.table_id = a.table_id AND t.seq = a.expected AND", "t.seq = a.expected AND"),
        grouping.APPEND.replace("ON a.table_id = t.table_id AND", "ON"),
        grouping.APPEND.replace("WHERE p.table_id = a.table_id AND p.seat", "WHERE p.seat"),
        grouping.APPEND.replace("WHERE g.table_id IN (SELECT o.table_id", "WHERE g.seq IN (SELECT o.table_id"),
    ],
)
def test_a_statement_of_several_tables_is_found_out(statement: str) -> None:
    """The check sees what would reach over to another table, also in the midst of a group."""
    with pytest.raises(Unbound):
        check(parsed(statement))


async def test_what_is_unique_is_unique_within_a_table(postgres_url: str) -> None:
    """A database that is spread by the table's id cannot see to it that something is unique over all nodes, and need not."""
    connection = await asyncpg.connect(postgres_url)
    found = await connection.fetch(
        "SELECT c.relname AS relation, array_agg(a.attname::text) AS columns FROM pg_index i"
        " JOIN pg_class c ON c.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey)"
        " WHERE i.indisunique AND c.relname = ANY($1::text[]) GROUP BY c.relname, i.indexrelid",
        [*LOG, "sweeps", "listings"],
    )
    await connection.close()
    assert {*LOG, "sweeps", "listings"} == {each["relation"] for each in found}
    assert [] == [(each["relation"], each["columns"]) for each in found if "table_id" not in each["columns"]]

"""Copies a whole SQLite installation into an empty PostgreSQL, all of it or nothing, and checks what has arrived."""
from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncpg

from kozyr.store import schema
from kozyr.store.connecting import connect
from kozyr.store.copying import CopyError, copy_file
from kozyr.store.postgres import ready

ROWS = 5000

CHECKS = {
    "all postings add up to nothing": "SELECT coalesce(sum(coins), 0) FROM postings",
    "what accounts hold": "SELECT coalesce(sum(balance), 0) FROM accounts WHERE account <> 'mint'",
    "the mint": "SELECT coalesce(sum(balance), 0) FROM accounts WHERE account = 'mint'",
    "heads": "SELECT coalesce(sum(seq), 0) FROM tables",
    "events behind their heads": (
        "SELECT count(*) FROM tables t WHERE t.seq <> (SELECT count(*) FROM events e WHERE e.table_id = t.table_id)"
    ),
    "bytes of events": "SELECT coalesce(sum(length(body)), 0) FROM events",
    "accounts that are not their postings": (
        "SELECT count(*) FROM accounts a WHERE a.balance <> (SELECT sum(p.coins) FROM postings p WHERE p.account = a.account)"
    ),
}
"""Each has the same answer in both databases."""
NOUGHT = ("all postings add up to nothing", "events behind their heads", "accounts that are not their postings")


async def move(source: Path, url: str, say: Callable[[str], None]) -> None:
    """
    Copy what is in a file into an empty database, which has it all when this returns; the file stays as it is.

    Raises: CopyError for a file or a database that cannot be used, or where anything differs afterwards. SchemaError likewise.
    """
    await ready(url)
    with TemporaryDirectory(prefix="kozyr-move-") as folder:
        # A copy of one moment, which may be brought up to the newest version.
        copy = Path(folder) / "copy.db"
        copy_file(source, copy)
        schema.prepare(copy)
        connection = await connect(url)
        try:
            with closing(sqlite3.connect(copy)) as db:
                _check_whole(db)
                async with connection.transaction():
                    # Whoever merely looked at the new database has left this key there; the next process draws another.
                    await connection.execute("DELETE FROM secrets WHERE name = 'hints'")
                    for table in tables_of(db):
                        say(f"{table}: {await _copy(db, connection, table)}")
                    await _check(db, connection)
        except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise CopyError(f"nothing was copied: {error}") from error
        finally:
            await connection.close()


def tables_of(db: sqlite3.Connection) -> list[str]:
    """List the tables of a file that are to be copied: nothing is fresh in one that has just been prepared."""
    found = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    return [name for (name,) in found if name != "fresh"]


def _check_whole(db: sqlite3.Connection) -> None:
    """
    Check that every row is at its place: what contradicts its log has none.

    Raises: CopyError that names the first such table.
    """
    apart = db.execute("SELECT min(table_id) FROM fresh").fetchone()[0]
    if apart is not None:
        raise CopyError(f"the newest rows of table {apart} contradict its log; docs/operations.md says what to do with it")


async def _copy(db: sqlite3.Connection, connection: asyncpg.Connection, table: str) -> int:
    if await connection.fetchval(f"SELECT count(*) FROM (SELECT FROM {table} LIMIT 1) AS found"):
        raise CopyError(f"the database is not empty: there are {table} in it")
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    found = db.execute(f"SELECT {', '.join(columns)} FROM {table}")
    count = 0
    while rows := found.fetchmany(ROWS):
        await connection.copy_records_to_table(table, records=rows, columns=columns)
        count += len(rows)
    arrived = await connection.fetchval(f"SELECT count(*) FROM {table}")
    if arrived != count:
        raise CopyError(f"{count} {table} were copied and {arrived} have arrived")
    return count


async def _check(db: sqlite3.Connection, connection: asyncpg.Connection) -> None:
    for what, question in CHECKS.items():
        before, after = db.execute(question).fetchone()[0], int(await connection.fetchval(question))
        if before != after or (what in NOUGHT and after):
            raise CopyError(f"{what}: {before} in the file, {after} in the database")

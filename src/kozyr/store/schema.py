"""The tables of the database file, and how a connection to it is opened."""
from __future__ import annotations

import sqlite3
from pathlib import Path

from kozyr.app.people import public_id
from kozyr.store import settling
from kozyr.store.schema_fresh import VERSION_6
from kozyr.store.schema_office import VERSION_4
from kozyr.store.schema_people import VERSION_3, VERSION_5

VERSION_1 = (
    """
    CREATE TABLE tables (
        table_id TEXT PRIMARY KEY,
        seq INTEGER NOT NULL,
        due INTEGER,
        created INTEGER NOT NULL
    ) WITHOUT ROWID
    """,
    "CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL",
    """
    CREATE TABLE events (
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        at INTEGER NOT NULL,
        command TEXT,
        body BLOB NOT NULL,
        PRIMARY KEY (table_id, seq)
    ) WITHOUT ROWID
    """,
    "CREATE UNIQUE INDEX events_command ON events (table_id, command) WHERE command IS NOT NULL",
    "CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE guests (guest TEXT PRIMARY KEY, name TEXT NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID",
)

VERSION_2 = (
    # The pots of games and the guests' accounts; the mint is what they have got, below 0.
    """
    CREATE TABLE accounts (
        account TEXT PRIMARY KEY,
        balance INTEGER NOT NULL CHECK (typeof(balance) = 'integer' AND (balance >= 0 OR account = 'mint')),
        postings INTEGER NOT NULL CHECK (postings > 0)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX accounts_pots ON accounts (account) WHERE balance > 0 AND account >= 'pot:' AND account < 'pot;'",
    # An entry is kept with its home, which its key tells: a table, whose events it was written with, or the account of a guest.
    """
    CREATE TABLE entries (
        home TEXT NOT NULL,
        key TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('grant', 'refill', 'stake', 'payout', 'refund')),
        at INTEGER NOT NULL,
        PRIMARY KEY (home, key)
    ) WITHOUT ROWID
    """,
    # A posting is kept with its account, as the next line of the account's history; `line` is its place in the entry.
    """
    CREATE TABLE postings (
        account TEXT NOT NULL,
        number INTEGER NOT NULL CHECK (number > 0),
        home TEXT NOT NULL,
        key TEXT NOT NULL,
        line INTEGER NOT NULL,
        coins INTEGER NOT NULL CHECK (typeof(coins) = 'integer' AND coins <> 0),
        balance INTEGER NOT NULL CHECK (balance >= 0 OR account = 'mint'),
        PRIMARY KEY (account, number)
    ) WITHOUT ROWID
    """,
    "CREATE UNIQUE INDEX postings_entry ON postings (home, key, line)",
    """
    CREATE TABLE counts (
        kind TEXT NOT NULL,
        day INTEGER NOT NULL,
        name TEXT NOT NULL,
        count INTEGER NOT NULL CHECK (count > 0),
        PRIMARY KEY (kind, day, name)
    ) WITHOUT ROWID
    """,
    # When a server was last there, so that a clock gives back the time in which there was none.
    "CREATE TABLE beats (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID",
    # What was booked stays as it was, also for whoever opens the file by hand.
    *(
        f"CREATE TRIGGER {table}_stay_{event} BEFORE {event} ON {table} BEGIN SELECT RAISE(ABORT, '{table} stay'); END"
        for table in ("entries", "postings")
        for event in ("UPDATE", "DELETE")
    ),
)

STEPS = (VERSION_1, VERSION_2, VERSION_3, VERSION_4, VERSION_5, VERSION_6)
"""What each version of the tables added to the one before."""
VERSION = len(STEPS)
"""The schema's version, kept in the file as `user_version`."""


UNUSABLE = (sqlite3.Error, UnicodeError)
"""What a file raises that cannot be used; that is told in words of the file's own, which may be no text."""


def told(error: Exception) -> str:
    """Write what was said of a file, also where it is no text."""
    return error.object.decode(errors="replace") if isinstance(error, UnicodeDecodeError) else str(error)


class SchemaError(Exception):
    """A database file that this version cannot use."""


def connect(database: Path, patience_s: float = 10.0) -> sqlite3.Connection:
    """
    Open a connection whose transactions are durable when they are committed, and begun by hand.

    The connection may be handed to another thread, but used by one at a time.

    Raises: SchemaError for a file that is no database, or cannot be made or written.
    """
    db = _opened(database, patience_s)
    try:
        _make_durable(db)
    except UNUSABLE as error:
        db.close()
        raise SchemaError(f"{database} cannot be used: {told(error)}") from error
    return db


def prepare(database: Path, patience_s: float = 10.0) -> None:
    """
    Make the file's tables if it has none, bring those of an older version up to this one, and settle what is fresh.

    Raises: SchemaError for a file of a newer version or of another program, or one that cannot be read or written now.
    """
    db = _opened(database, patience_s)
    try:
        # Looked at before anything else: what is another's is not even made a file with a write-ahead log.
        _version_of(db, database)
        _make_durable(db)
        _bring_up(db, database)
    except UNUSABLE as error:
        raise SchemaError(f"{database} cannot be used: {told(error)}") from error
    finally:
        db.close()


def _opened(database: Path, patience_s: float) -> sqlite3.Connection:
    try:
        return sqlite3.connect(database, isolation_level=None, check_same_thread=False, timeout=patience_s)
    except (sqlite3.Error, ValueError) as error:  # ValueError: a name with a 0 in it
        raise SchemaError(f"{database} cannot be opened: {'it is a folder' if database.is_dir() else error}") from error


def _make_durable(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    # A thread of its own checkpoints: a checkpoint in the writer would stop every table for its fsync of the whole file.
    db.execute("PRAGMA wal_autocheckpoint = 0")


def _bring_up(db: sqlite3.Connection, database: Path) -> None:
    db.execute("BEGIN IMMEDIATE")
    version = _version_of(db, database)
    db.create_function("public_id", 1, public_id, deterministic=True)
    for step in STEPS[version:]:
        for statement in step:
            db.execute(statement)
    if version != VERSION:
        db.execute(f"PRAGMA user_version = {VERSION}")
    settling.settle_file(db)
    db.execute("COMMIT")


def _version_of(db: sqlite3.Connection, database: Path) -> int:
    """
    Read the version of a file's tables, 0 where there are none yet.

    Raises: SchemaError for a file of another program, or of a newer version.
    """
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version == 0 and db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        raise SchemaError(f"{database} is a database of another program")
    if not 0 <= version <= VERSION:
        raise SchemaError(f"{database} has version {version} of the tables; this Kozyr reads up to version {VERSION}")
    return version

"""The tables of the database file, and how a connection to it is opened."""
from __future__ import annotations

import sqlite3
from pathlib import Path

VERSION = 1
"""The schema's version, kept in the file as `user_version`."""

STATEMENTS = (
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


class SchemaError(Exception):
    """A database file that this version cannot use."""


def connect(database: Path) -> sqlite3.Connection:
    """
    Open a connection whose transactions are durable when they are committed, and begun by hand.

    The connection may be handed to another thread, but used by one at a time.

    Raises: SchemaError for a file that is no database, or cannot be made or written.
    """
    try:
        db = sqlite3.connect(database, isolation_level=None, check_same_thread=False, timeout=10.0)
    except sqlite3.Error as error:
        raise SchemaError(f"{database} cannot be opened: {error}") from error
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        # A thread of its own checkpoints: a checkpoint in the writer would stop every table for its fsync of the whole file.
        db.execute("PRAGMA wal_autocheckpoint = 0")
    except sqlite3.Error as error:
        db.close()
        raise SchemaError(f"{database} cannot be used: {error}") from error
    return db


def prepare(database: Path) -> None:
    """
    Make the file's tables if it has none.

    Raises: SchemaError for a file of another version or of another program.
    """
    db = connect(database)
    try:
        db.execute("BEGIN IMMEDIATE")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            if db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                raise SchemaError(f"{database} is a database of another program")
            for statement in STATEMENTS:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {VERSION}")
        elif version != VERSION:
            raise SchemaError(f"{database} has version {version} of the tables; this Kozyr reads version {VERSION}")
        db.execute("COMMIT")
    finally:
        db.close()

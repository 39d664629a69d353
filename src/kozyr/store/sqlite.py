"""The event log in one SQLite file: durable before acknowledged, one writer thread, group commit."""
from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from kozyr.app.ports import Appended, Conflict, Doubled, Row, Tail
from kozyr.store import schema
from kozyr.store.writer import Writer

T = TypeVar("T")


class SqliteStore:
    """
    Tables, guests and secrets in one file. Implements the ports `EventStore` and `Guests`.

    Several processes may open the same file, since every append is a compare-and-set; it is meant for one.
    """

    def __init__(self, database: Path) -> None:
        schema.prepare(database)
        self._writer = Writer(database)
        self._reading = schema.connect(database)
        self._readers = ThreadPoolExecutor(max_workers=1, thread_name_prefix="kozyr-read")

    async def append(self, table_id: str, expected: int, rows: Sequence[Row], due: int | None) -> Appended | Conflict | Doubled:
        """Append rows at an expected `seq`; see `EventStore`."""
        if [row.seq for row in rows] != list(range(expected + 1, expected + 1 + len(rows))) or not rows:
            raise ValueError(f"rows of table {table_id} are not numbered from {expected + 1}")
        return await self._writer.run(lambda db: _append(db, table_id, expected, rows, due))

    async def load(self, table_id: str, after: int = 0) -> Tail | None:
        """Load a table's tail; see `EventStore`."""
        return await self._read(lambda db: _load(db, table_id, after))

    async def find(self, table_id: str, command: str) -> int | None:
        """Find a command in a table's log; see `EventStore`."""
        return await self._read(lambda db: _find(db, table_id, command))

    async def overdue(self, now: int, most: int) -> list[str]:
        """List tables whose clock should have acted; see `EventStore`."""
        return await self._read(
            lambda db: [row[0] for row in db.execute("SELECT table_id FROM tables WHERE due <= ? ORDER BY due LIMIT ?", (now, most))]
        )

    async def keep(self, name: str, value: bytes) -> bytes:
        """Keep a secret once; see `Guests`."""
        return await self._writer.run(lambda db: _keep(db, name, value))

    async def remember(self, guest: str, name: str, now: int) -> None:
        """Remember a guest's name; see `Guests`."""
        await self._writer.run(lambda db: _remember(db, guest, name, now))

    async def name_of(self, guest: str) -> str | None:
        """Return a guest's last name; see `Guests`."""
        found = await self._read(lambda db: db.execute("SELECT name FROM guests WHERE guest = ?", (guest,)).fetchone())
        return None if found is None else str(found[0])

    async def close(self) -> None:
        """Write what is waiting and let go of the file."""
        await self._writer.close()
        self._readers.shutdown()
        self._reading.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def _read(self, question: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, question, self._reading)


def _append(db: sqlite3.Connection, table_id: str, expected: int, rows: Sequence[Row], due: int | None) -> Appended | Conflict | Doubled:
    for row in rows:
        if row.command is not None and (seq := _find(db, table_id, row.command)) is not None:
            return Doubled(seq)
    if expected == 0:
        head = db.execute(
            "INSERT INTO tables (table_id, seq, due, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (table_id, len(rows), due, rows[0].at),
        )
    else:
        moved = (expected + len(rows), due, table_id, expected)
        head = db.execute("UPDATE tables SET seq = ?, due = ? WHERE table_id = ? AND seq = ?", moved)
    if head.rowcount != 1:
        return Conflict()
    db.executemany(
        "INSERT INTO events (table_id, seq, at, command, body) VALUES (?, ?, ?, ?, ?)",
        [(table_id, row.seq, row.at, row.command, row.body) for row in rows],
    )
    return Appended()


def _load(db: sqlite3.Connection, table_id: str, after: int) -> Tail | None:
    # One transaction, so that head and rows are of the same moment.
    db.execute("BEGIN")
    try:
        head = db.execute("SELECT seq, due FROM tables WHERE table_id = ?", (table_id,)).fetchone()
        if head is None:
            return None
        found = db.execute("SELECT seq, at, body, command FROM events WHERE table_id = ? AND seq > ? ORDER BY seq", (table_id, after))
        return Tail(head[0], head[1], [Row(*row) for row in found])
    finally:
        db.execute("COMMIT")


def _find(db: sqlite3.Connection, table_id: str, command: str) -> int | None:
    found = db.execute("SELECT seq FROM events WHERE table_id = ? AND command = ?", (table_id, command)).fetchone()
    return None if found is None else int(found[0])


def _keep(db: sqlite3.Connection, name: str, value: bytes) -> bytes:
    db.execute("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, value))
    return bytes(db.execute("SELECT value FROM secrets WHERE name = ?", (name,)).fetchone()[0])


def _remember(db: sqlite3.Connection, guest: str, name: str, now: int) -> None:
    db.execute(
        "INSERT INTO guests (guest, name, created) VALUES (?, ?, ?) ON CONFLICT (guest) DO UPDATE SET name = excluded.name",
        (guest, name, now),
    )

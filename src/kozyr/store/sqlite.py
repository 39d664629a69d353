"""The event log and the books of coins in one SQLite file: durable before acknowledged, one writer thread, group commit."""
from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from kozyr.app.played import Finished
from kozyr.app.ports import (
    Appended,
    Booked,
    Conflict,
    Doubled,
    Limited,
    Row,
    Spoilt,
    Tail,
    Unpaid,
)
from kozyr.ledger import Coins, Entry
from kozyr.store import books, fresh, journal, schema
from kozyr.store.answering import settle
from kozyr.store.fresh import Append
from kozyr.store.keeping_books import KeepsBooks
from kozyr.store.keeping_people import KeepsPeople
from kozyr.store.writer import Writer

T = TypeVar("T")


class SqliteStore(KeepsBooks, KeepsPeople):
    """
    Tables, guests, secrets and coins in one file. Implements the ports `EventStore`, `Guests`, `People` and `Ledger`.

    Several processes may open the same file, since every append is a compare-and-set; it is meant for one.
    """

    def __init__(self, database: Path) -> None:
        schema.prepare(database)
        self._writer = Writer(database)
        self._reading = schema.connect(database)
        self._readers = ThreadPoolExecutor(max_workers=1, thread_name_prefix="kozyr-read")
        # Who adds up all books must not keep a table waiting that is being loaded.
        self._auditing = schema.connect(database)
        self._auditors = ThreadPoolExecutor(max_workers=1, thread_name_prefix="kozyr-audit")

    async def append(
        self,
        table_id: str,
        expected: int,
        rows: Sequence[Row],
        due: int | None,
        entries: Sequence[Entry] = (),
        finished: Sequence[Finished] = (),
    ) -> Appended | Conflict | Doubled | Unpaid | Limited:
        """Append rows at an expected `seq`, and entries and finished games with them; see `EventStore`."""
        journal.check(table_id, expected, rows, entries)
        waiting: asyncio.Future[Appended | Conflict | Doubled | Unpaid | Limited] = asyncio.get_running_loop().create_future()
        self._writer.append(Append(table_id, expected, rows, due, entries, finished), partial(settle, waiting))
        return await waiting

    def append_soon(
        self,
        table_id: str,
        expected: int,
        rows: Sequence[Row],
        due: int | None,
        settled: Callable[[Appended | Conflict | Doubled | Unpaid | Limited | BaseException], None],
    ) -> None:
        """Append at a table that there is, and call back; see `PromptStore`."""
        journal.check(table_id, expected, rows, ())
        self._writer.append(Append(table_id, expected, rows, due, is_new=True), settled)

    async def load(self, table_id: str, after: int = 0) -> Tail | None:
        """Load a table's tail; see `EventStore`."""
        try:
            return await self.look(lambda db: _load(db, table_id, after))
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 255 not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_IOERR):
                raise
            raise Spoilt(f"table {table_id} cannot be read: {error}") from error

    async def find(self, table_id: str, command: str) -> int | None:
        """Find a command in a table's log; see `EventStore`."""
        return await self.look(lambda db: fresh.find(db, table_id, command))

    async def overdue(self, now: int, most: int) -> list[str]:
        """List tables whose clock should have acted; see `EventStore`."""
        return await self.look(lambda db: fresh.overdue(db, now, most))

    async def waiting(self, until: int, most: int) -> list[str]:
        """List tables whose clock acts soon; see `EventStore`."""
        return await self.look(lambda db: fresh.overdue(db, until, most))

    async def beat(self, now: int) -> None:
        """Remember that a server is there at *now*; see `EventStore`."""
        await self._writer.run(lambda db: journal.beat(db, now))

    async def begin(self, now: int) -> None:
        """Remember that a server goes by the time *now* from here on, so that no later one goes by an earlier one."""
        await self._writer.run(lambda db: journal.begin(db, now))

    async def last_time(self) -> int | None:
        """Return the last time that a server is known to have gone by."""
        return await self.look(journal.last_time)

    async def last_beat(self) -> int | None:
        """Return when a server was last there; see `EventStore`."""
        return await self.look(journal.last_beat)

    async def last_gap(self) -> tuple[int, int] | None:
        """Return when no server was there; see `EventStore`."""
        return await self.look(journal.last_gap)

    async def keep(self, name: str, value: bytes) -> bytes:
        """Keep a secret once; see `Guests`."""
        return await self._writer.run(lambda db: journal.keep(db, name, value))

    async def remember(self, guest: str, name: str, now: int) -> None:
        """Remember a guest's name; see `Guests`."""
        await self._writer.run(lambda db: journal.remember(db, guest, name, now))

    async def name_of(self, guest: str) -> str | None:
        """Return a guest's last name; see `Guests`."""
        return await self.look(lambda db: journal.name_of(db, guest))

    async def book(self, entry: Entry) -> Booked | Limited:
        """Book a grant, or a refund by itself; see `Ledger`."""
        return await self._writer.run(lambda db: books.book(db, entry))

    async def refill(self, guest: str, floor: Coins, now: int) -> Booked | None:
        """Fill up a guest's coins; see `Ledger`."""
        return await self._writer.run(lambda db: books.refill(db, guest, floor, now))

    async def close(self) -> None:
        """Write what is waiting and let go of the file."""
        await self._writer.close()
        for thread, connection in ((self._readers, self._reading), (self._auditors, self._auditing)):
            thread.shutdown()
            connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def look(self, question: Callable[[Any], T]) -> T:
        """Answer a question about a few rows; see `KeepsBooks`."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, question, self._reading)

    async def ask(self, question: Callable[[Any], T]) -> T:
        """Answer a question elsewhere than where tables are loaded; see `KeepsBooks` and `KeepsPeople`."""
        return await asyncio.get_running_loop().run_in_executor(self._auditors, question, self._auditing)

    async def do(self, work: Callable[[Any], T]) -> T:
        """Do something for people, with the next commit; see `KeepsPeople`."""
        return await self._writer.run(work)


def _load(db: sqlite3.Connection, table_id: str, after: int) -> Tail | None:
    # One transaction, so that head and rows are of the same moment.
    db.execute("BEGIN")
    try:
        return fresh.load(db, table_id, after)
    finally:
        db.execute("COMMIT")

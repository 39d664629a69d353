"""
The newest rows of the event log, one after another in the order in which they came, and their way to the places of their tables.

A table's events lie together, so that to put each where it belongs would write two pages for every table that has moved. Rows that have
just been acknowledged lie in `fresh` instead, durable like all else; many at once are `settled` into `events` and `tables`.
"""
from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from time import monotonic, sleep

from msgspec import Struct

from kozyr.app.played import Finished
from kozyr.app.ports import Appended, Conflict, Doubled, Limited, Row, Tail, Unpaid
from kozyr.ledger import Entry
from kozyr.store import books, journal, played
from kozyr.store.settling import at_odds, settle

SETTLE_ROWS = 2048
"""So many fresh rows are settled together; whoever loads a table looks through all that are not."""

SHARED_ROWS = 64
"""So many where several processes write the same file: each looks through them after every commit of another."""

TOGETHER = tuple(128 >> power for power in range(8))
"""How many rows a statement writes: statements of few sizes are prepared once."""

INTO = "INSERT INTO fresh (table_id, seq, at, command, body, due) VALUES "
INSERT = {rows: INTO + ", ".join(["(?, ?, ?, ?, ?, ?)"] * rows) for rows in TOGETHER}

HEADS_MOST = 20_000
"""Of so many tables it is known where they stand, and of some more."""

OVERDUE = (
    "WITH last (table_id, due, seq) AS MATERIALIZED (SELECT table_id, due, max(seq) FROM fresh GROUP BY table_id) "
    "SELECT table_id, due FROM tables WHERE due <= ?1 AND table_id NOT IN (SELECT table_id FROM last) "
    "UNION ALL SELECT table_id, due FROM last WHERE due <= ?1 ORDER BY due LIMIT ?2"
)

BUSY_S = 0.002

APPENDED = Appended()
CONFLICT = Conflict()

Outcome = Appended | Conflict | Doubled | Unpaid | Limited


class Append(Struct, frozen=True):
    """
    What `EventStore.append` is given.

    `is_new` where it is known that no row's command is in the log up to `expected`.
    """

    table_id: str
    expected: int
    rows: Sequence[Row]
    due: int | None
    entries: Sequence[Entry] = ()
    finished: Sequence[Finished] = ()
    is_new: bool = False


class Fresh:
    """
    The fresh rows of one connection, which writes in transactions that are begun here.

    Where a table stands is known without asking for as long as nobody else has written to the file; as soon as somebody has, everything is
    asked for anew. So an append stays a compare-and-set, whoever uses the file.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        # Whoever has to wait says for how long.
        db.execute("PRAGMA busy_timeout = 0")
        self._version: int | None = None
        self._heads: dict[str, int] = {}
        self._commands: dict[tuple[str, str], int] = {}
        self._rows: list[object] = []
        self._count = 0
        self._most = SETTLE_ROWS
        # Tables whose fresh rows contradict their logs: nothing is written there any more.
        self._apart: frozenset[str] | None = None
        # How long the last commit took.
        self.commit_s = 0.0

    @property
    def is_full(self) -> bool:
        """Whether so much is fresh that it should be settled."""
        return self._count >= self._most

    def begin(self, patience_s: float = 0) -> None:
        """Begin a transaction, as soon as no other process is in one."""
        until = monotonic() + patience_s
        while True:
            try:
                # IMMEDIATE: a transaction that only later turns into a write fails at once.
                self._db.execute("BEGIN IMMEDIATE")
                break
            except sqlite3.OperationalError as error:
                if not is_busy(error) or monotonic() >= until:
                    raise
            sleep(BUSY_S)
        version = self._db.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            self._ask()
            if self._version is not None:
                self._most = SHARED_ROWS
            self._version = version

    def commit(self) -> None:
        """Make everything durable."""
        self._write()
        began = monotonic()
        self._db.execute("COMMIT")
        self.commit_s = monotonic() - began

    def roll_back(self) -> None:
        """Take everything back."""
        self._version = None
        self._rows.clear()
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def append(self, asked: Append) -> Outcome:
        """Append rows at an expected `seq`, and entries and finished games with them; see `EventStore.append`."""
        table_id, expected, rows = asked.table_id, asked.expected, asked.rows
        if self._apart and table_id in self._apart:
            raise ValueError(f"the log of table {table_id} contradicts itself")
        if not asked.is_new:
            for row in rows:
                if row.command is not None and (seq := self._find(table_id, row.command)) is not None:
                    return Doubled(seq)
        head = self._heads.get(table_id)
        if head is None:
            head = self._heads[table_id] = journal.head(self._db, table_id)
        if head != expected:
            return CONFLICT
        if asked.entries or asked.finished or not expected:
            refusal = self._book(asked)
            if refusal is not None:
                return refusal
        due = asked.due
        for row in rows:
            self._rows += (table_id, row.seq, row.at, row.command, row.body, due)
            if row.command is not None:
                self._commands[table_id, row.command] = row.seq
        self._heads[table_id] = expected + len(rows)
        return APPENDED

    def settle(self) -> None:
        """Put all fresh rows at the places of their tables."""
        self._write()
        self._apart = settle(self._db, self._apart or ())
        self._commands.clear()
        if len(self._heads) > HEADS_MOST:
            # All that a server has ever served would be far more than it serves now.
            self._heads.clear()
        self._count = 0
        # Whoever does not write any more was a command of the operator's, say: as long as nobody does, more and more lies fresh again.
        self._most = min(SETTLE_ROWS, 2 * self._most)

    def _book(self, asked: Append) -> Unpaid | Limited | None:
        """Write what comes with rows, after all of it is judged: a refusal must leave the group's transaction as it was."""
        if asked.entries:
            judged = books.weigh(self._db, asked.entries)
            if not isinstance(judged, list):
                return judged
            books.write(self._db, judged)
        played.write(self._db, asked.finished)
        if not asked.expected:
            place = (asked.table_id, 0, asked.due, asked.rows[0].at)
            self._db.execute("INSERT INTO tables (table_id, seq, due, created) VALUES (?, ?, ?, ?)", place)
        return None

    def _ask(self) -> None:
        """Find out what is fresh in the file."""
        self._heads.clear()
        self._commands.clear()
        self._count = 0
        for table_id, seq, command in self._db.execute("SELECT table_id, seq, command FROM fresh ORDER BY number"):
            self._heads[table_id] = seq
            if command is not None:
                self._commands[table_id, command] = seq
            self._count += 1
        if self._apart is None:
            # What is left although all has just been settled, as whoever opened the file has said.
            self._apart = at_odds(self._db) if self._count else frozenset()

    def _find(self, table_id: str, command: str) -> int | None:
        seq = self._commands.get((table_id, command))
        return journal.find(self._db, table_id, command) if seq is None else seq

    def _write(self) -> None:
        """Write the rows of this transaction, many in a statement: while one runs, the event loop runs beside it."""
        rows, start = self._rows, 0
        left = len(rows) // 6
        self._count += left
        for size in TOGETHER:
            while left >= size:
                end = start + 6 * size
                self._db.execute(INSERT[size], rows[start:end])
                start, left = end, left - size
        rows.clear()


def is_busy(error: BaseException) -> bool:
    """Whether another process was in the way."""
    return getattr(error, "sqlite_errorcode", 0) & 255 == sqlite3.SQLITE_BUSY


def load(db: sqlite3.Connection, table_id: str, after: int) -> Tail | None:
    """Read a table's head and tail; see `EventStore.load`."""
    settled = journal.load(db, table_id, after)
    if settled is None:
        return None
    fresh = db.execute("SELECT seq, at, body, command, due FROM fresh WHERE table_id = ? ORDER BY seq", (table_id,)).fetchall()
    if not fresh:
        return settled
    rows = [Row(seq, at, body, command) for seq, at, body, command, _ in fresh if seq > after]
    return Tail(fresh[-1][0], fresh[-1][4], settled.rows + rows)


def find(db: sqlite3.Connection, table_id: str, command: str) -> int | None:
    """Find a command in a table's log; see `EventStore.find`."""
    # In this order: rows are settled meanwhile, and never go back.
    found = db.execute("SELECT seq FROM fresh WHERE table_id = ? AND command = ?", (table_id, command)).fetchone()
    return journal.find(db, table_id, command) if found is None else int(found[0])


def overdue(db: sqlite3.Connection, now: int, most: int) -> list[str]:
    """List tables whose clock should have acted; see `EventStore.overdue`."""
    return [row[0] for row in db.execute(OVERDUE, (now, most))]

"""Appends of many tables in two statements: most moves are one row at a table that stands where it is expected to."""
from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from kozyr.app.ports import Row


class Plain(NamedTuple):
    """Rows to append at a table that there is, and nothing else."""

    table_id: str
    expected: int
    rows: Sequence[Row]
    due: int | None


def append_together(db: sqlite3.Connection, appends: Sequence[Plain]) -> bool:
    """
    Append all; False where a table has moved on or a command is in a log already, so that each must be judged by itself.

    Then something may have been written: the transaction must be begun again. A savepoint would copy every page for a case that is rare.
    """
    moved = db.executemany(
        "UPDATE tables SET seq = ?, due = ? WHERE table_id = ? AND seq = ?",
        [(expected + len(rows), due, table_id, expected) for table_id, expected, rows, due in appends],
    )
    if moved.rowcount != len(appends):
        return False
    try:
        db.executemany(
            "INSERT INTO events (table_id, seq, at, command, body) VALUES (?, ?, ?, ?, ?)",
            [(table_id, row.seq, row.at, row.command, row.body) for table_id, _, rows, _ in appends for row in rows],
        )
    except sqlite3.IntegrityError:
        # A command, or a row, that is there already: whose it is comes out when each is judged by itself.
        return False
    return True

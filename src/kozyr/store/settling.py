"""How fresh rows come to the places of their tables; see `kozyr.store.fresh`."""
from __future__ import annotations

import logging
import sqlite3
from collections.abc import Collection

log = logging.getLogger(__name__)

# Of a group with one max() SQLite takes the other columns from the row that has it.
EVENTS = "INSERT INTO events (table_id, seq, at, command, body) SELECT table_id, seq, at, command, body FROM fresh "
HEADS = "INSERT INTO tables (table_id, seq, due, created) SELECT table_id, max(seq), due, at FROM fresh "
MOVED = "ON CONFLICT (table_id) DO UPDATE SET seq = excluded.seq, due = excluded.due "

ALL = (EVENTS + "ORDER BY table_id, seq", HEADS + "WHERE true GROUP BY table_id " + MOVED, "DELETE FROM fresh")

AT_ODDS = (
    "SELECT f.table_id FROM fresh f JOIN events e ON e.table_id = f.table_id AND e.seq = f.seq "
    "WHERE e.at <> f.at OR e.command IS NOT f.command OR e.body <> f.body "
    "UNION SELECT f.table_id FROM fresh f JOIN events e ON e.table_id = f.table_id AND e.command = f.command WHERE e.seq <> f.seq "
    "UNION SELECT table_id FROM fresh GROUP BY table_id, seq HAVING count(*) > 1 "
    "UNION SELECT table_id FROM fresh WHERE command IS NOT NULL GROUP BY table_id, command HAVING count(*) > 1"
)
"""Tables whose fresh rows contradict their logs, or each other."""

OTHERS = f"WHERE table_id NOT IN ({AT_ODDS}) "
THERE = "EXISTS (SELECT 1 FROM events e WHERE e.table_id = fresh.table_id AND e.seq = fresh.seq)"
DOUBLED = (
    "DELETE FROM fresh WHERE number NOT IN (SELECT min(number) FROM fresh GROUP BY table_id, seq, at, command, body)",
    HEADS + OTHERS + "GROUP BY table_id " + MOVED + "WHERE excluded.seq >= tables.seq",
    f"{EVENTS}{OTHERS}AND NOT {THERE} ORDER BY table_id, seq",
    f"DELETE FROM fresh {OTHERS}",
)
"""What a file needs in which something is twice, since it was damaged, or written by two who did not know of each other."""


def settle(db: sqlite3.Connection, known: Collection[str] = ()) -> frozenset[str]:
    """
    Put all fresh rows at the places of their tables, in a transaction that is the caller's.

    A row that is there already is dropped. Where a table's fresh rows contradict its log they stay where they are, for whoever has to
    find out why; returns those tables. Each is named in the server's log, but for those that are *known*.
    """
    try:
        db.execute(ALL[0])
    except sqlite3.IntegrityError:
        for statement in DOUBLED:
            db.execute(statement)
        apart = at_odds(db)
        for table_id in sorted(apart.difference(known)):
            log.error("the newest rows of table %s contradict its log: it is set apart", table_id, extra={"table": table_id})
        return apart
    for statement in ALL[1:]:
        db.execute(statement)
    return frozenset()


def at_odds(db: sqlite3.Connection) -> frozenset[str]:
    """Find the tables whose fresh rows contradict their logs, or each other."""
    return frozenset(str(row[0]) for row in db.execute(AT_ODDS))


def settle_file(db: sqlite3.Connection) -> None:
    """Settle what a process has left fresh, in a transaction, in a file of this version; those of older ones have none."""
    if db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'fresh'").fetchone()[0]:
        settle(db)

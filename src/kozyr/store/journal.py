"""The statements of the event log and of what a server knows of itself and its guests, inside a transaction."""
from __future__ import annotations

from collections.abc import Sequence

from kozyr.app.people import public_id
from kozyr.app.played import Finished
from kozyr.app.ports import BEATS_MS, Appended, Conflict, Doubled, Limited, Row, Tail, Unpaid
from kozyr.ledger import Entry
from kozyr.store import books, played
from kozyr.store.sql import Sql


def check(table_id: str, expected: int, rows: Sequence[Row], entries: Sequence[Entry]) -> None:
    """
    Check what is to be appended before it can do any harm.

    Raises: ValueError for rows that are not numbered from *expected* + 1, or an entry of another table.
    """
    if len(rows) == 1:
        is_wrong = rows[0].seq != expected + 1
    else:
        is_wrong = not rows or any(row.seq != seq for seq, row in enumerate(rows, expected + 1))
    if is_wrong:
        raise ValueError(f"rows of table {table_id} are not numbered from {expected + 1}")
    for entry in entries:
        if entry.home != table_id:
            raise ValueError(f"{entry.key} is no entry of table {table_id}")


def append(
    db: Sql,
    table_id: str,
    expected: int,
    rows: Sequence[Row],
    due: int | None,
    entries: Sequence[Entry],
    finished: Sequence[Finished] = (),
) -> Appended | Conflict | Doubled | Unpaid | Limited:
    """Append rows at an expected `seq`, and entries and finished games with them; see `EventStore.append`."""
    for row in rows:
        if row.command is not None and (seq := find(db, table_id, row.command)) is not None:
            return Doubled(seq)
    weighed: list[books.Weighed] = []
    if entries:
        # Nothing may be written before all is judged: a refusal must leave the group's transaction as it was.
        if head(db, table_id) != expected:
            return Conflict()
        judged = books.weigh(db, entries)
        if not isinstance(judged, list):
            return judged
        weighed = judged
    if expected == 0:
        moved = db.execute(
            "INSERT INTO tables (table_id, seq, due, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (table_id, len(rows), due, rows[0].at),
        )
    else:
        place = (expected + len(rows), due, table_id, expected)
        moved = db.execute("UPDATE tables SET seq = ?, due = ? WHERE table_id = ? AND seq = ?", place)
    if moved.rowcount != 1:
        return Conflict()
    db.executemany(
        "INSERT INTO events (table_id, seq, at, command, body) VALUES (?, ?, ?, ?, ?)",
        [(table_id, row.seq, row.at, row.command, row.body) for row in rows],
    )
    books.write(db, weighed)
    played.write(db, finished)
    return Appended()


def head(db: Sql, table_id: str) -> int:
    """Read a table's `seq`; 0 for one that there is not."""
    found = db.execute("SELECT seq FROM tables WHERE table_id = ?", (table_id,)).fetchone()
    return 0 if found is None else int(found[0])


def load(db: Sql, table_id: str, after: int) -> Tail | None:
    """Read a table's head and tail; see `EventStore.load`."""
    found = db.execute("SELECT seq, due FROM tables WHERE table_id = ?", (table_id,)).fetchone()
    if found is None:
        return None
    rows = db.execute("SELECT seq, at, body, command FROM events WHERE table_id = ? AND seq > ? ORDER BY seq", (table_id, after))
    return Tail(found[0], found[1], [Row(*row) for row in rows])


def find(db: Sql, table_id: str, command: str) -> int | None:
    """Find a command in a table's log; see `EventStore.find`."""
    found = db.execute("SELECT seq FROM events WHERE table_id = ? AND command = ?", (table_id, command)).fetchone()
    return None if found is None else int(found[0])


def overdue(db: Sql, now: int, most: int) -> list[str]:
    """List tables whose clock should have acted; see `EventStore.overdue`."""
    return [row[0] for row in db.execute("SELECT table_id FROM tables WHERE due <= ? ORDER BY due LIMIT ?", (now, most))]


def beat(db: Sql, now: int) -> None:
    """
    Keep that a server was there; see `EventStore.beat`.

    Beside the last beat, `server`, there are the last one before a gap, `before`, and the first one after it, `since`.
    """
    last = last_beat(db)
    if last is not None and now - last > BEATS_MS:
        keep_beat = "INSERT INTO beats (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at"
        db.execute(keep_beat, ("before", last))
        db.execute(keep_beat, ("since", now))
    db.execute(
        "INSERT INTO beats (name, at) VALUES ('server', ?) "
        "ON CONFLICT (name) DO UPDATE SET at = CASE WHEN beats.at < excluded.at THEN excluded.at ELSE beats.at END",
        (now,),
    )


def begin(db: Sql, now: int) -> None:
    """Keep by which time a server began, also if it never gets to a beat."""
    db.execute("INSERT INTO beats (name, at) VALUES ('began', ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at", (now,))


def last_time(db: Sql) -> int | None:
    """Read the last time that a server is known to have gone by: when it began, or its last beat."""
    found = db.execute("SELECT max(at) FROM beats WHERE name IN ('began', 'server')").fetchone()
    return None if found[0] is None else int(found[0])


def last_beat(db: Sql) -> int | None:
    """Read when a server was last there; see `EventStore.last_beat`."""
    found = db.execute("SELECT at FROM beats WHERE name = 'server'").fetchone()
    return None if found is None else int(found[0])


def last_gap(db: Sql) -> tuple[int, int] | None:
    """Read when no server was there; see `EventStore.last_gap`."""
    found = dict(db.execute("SELECT name, at FROM beats WHERE name IN ('before', 'since')").fetchall())
    return (found["before"], found["since"]) if len(found) == 2 else None


def keep(db: Sql, name: str, value: bytes) -> bytes:
    """Keep a secret once; see `Guests.keep`."""
    db.execute("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, value))
    return bytes(db.execute("SELECT value FROM secrets WHERE name = ?", (name,)).fetchone()[0])


def remember(db: Sql, guest: str, name: str, now: int) -> None:
    """Remember a guest's name; see `Guests.remember`."""
    db.execute(
        "INSERT INTO guests (guest, name, created, public) VALUES (?, ?, ?, ?) ON CONFLICT (guest) DO UPDATE SET name = excluded.name",
        (guest, name, now, public_id(guest)),
    )


def name_of(db: Sql, guest: str) -> str | None:
    """Read a guest's last name; see `Guests.name_of`."""
    found = db.execute("SELECT name FROM guests WHERE guest = ?", (guest,)).fetchone()
    return None if found is None else str(found[0])

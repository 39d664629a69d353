"""The tables of the operator: what was done, which stays, and who may say nothing."""
from __future__ import annotations

VERSION_4 = (
    """
    CREATE TABLE acts (
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        address TEXT NOT NULL,
        what TEXT NOT NULL,
        about TEXT NOT NULL,
        words TEXT NOT NULL
    )
    """,
    *(
        f"CREATE TRIGGER acts_stay_{event} BEFORE {event} ON acts BEGIN SELECT RAISE(ABORT, 'acts stay'); END"
        for event in ("UPDATE", "DELETE")
    ),
    "CREATE TABLE mutes (guest TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID",
)

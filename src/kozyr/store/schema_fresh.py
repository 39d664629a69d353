"""What the sixth version of the file's tables adds: the newest rows of the log, in the order in which they came."""
from __future__ import annotations

VERSION_6 = (
    # `due` is when the table's clock acts after this row; the others are those of `events`.
    """
    CREATE TABLE fresh (
        number INTEGER PRIMARY KEY,
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        at INTEGER NOT NULL,
        command TEXT,
        body BLOB NOT NULL,
        due INTEGER
    )
    """,
)

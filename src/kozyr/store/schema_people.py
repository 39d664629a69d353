"""The tables of people: their accounts, passkeys, records, blocks and reports."""
from __future__ import annotations

VERSION_3 = (
    # `public` is what everybody may call a guest; it follows from the guest's id.
    "ALTER TABLE guests ADD COLUMN public TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE guests ADD COLUMN avatar INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE guests ADD COLUMN language TEXT",
    "ALTER TABLE guests ADD COLUMN generation INTEGER NOT NULL DEFAULT 0",
    "UPDATE guests SET public = public_id(guest)",
    "CREATE UNIQUE INDEX guests_public ON guests (public)",
    # A guest with an account. No two accounts' names look alike.
    """
    CREATE TABLE logins (
        guest TEXT PRIMARY KEY,
        skeleton TEXT NOT NULL UNIQUE,
        password TEXT,
        created INTEGER NOT NULL
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE passkeys (
        key TEXT PRIMARY KEY,
        guest TEXT NOT NULL,
        name TEXT NOT NULL,
        public_key BLOB NOT NULL,
        count INTEGER NOT NULL,
        created INTEGER NOT NULL,
        used INTEGER
    ) WITHOUT ROWID
    """,
    "CREATE INDEX passkeys_guest ON passkeys (guest, created)",
    # A finished game, what it was to each of its persons, and what all of a person's games of a kind came to.
    """
    CREATE TABLE games (
        table_id TEXT NOT NULL,
        game INTEGER NOT NULL,
        at INTEGER NOT NULL,
        options TEXT NOT NULL,
        players TEXT NOT NULL,
        PRIMARY KEY (table_id, game)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE parts (
        guest TEXT NOT NULL,
        number INTEGER NOT NULL CHECK (number > 0),
        table_id TEXT NOT NULL,
        game INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        place INTEGER,
        durak INTEGER NOT NULL,
        drawn INTEGER NOT NULL,
        coins INTEGER,
        PRIMARY KEY (guest, number)
    ) WITHOUT ROWID
    """,
    "CREATE UNIQUE INDEX parts_game ON parts (table_id, game, seat)",
    """
    CREATE TABLE scores (
        guest TEXT NOT NULL,
        deck INTEGER NOT NULL,
        seats INTEGER NOT NULL,
        transfer INTEGER NOT NULL,
        cheat INTEGER NOT NULL,
        staked INTEGER NOT NULL,
        games INTEGER NOT NULL,
        first INTEGER NOT NULL,
        durak INTEGER NOT NULL,
        drawn INTEGER NOT NULL,
        PRIMARY KEY (guest, deck, seats, transfer, cheat, staked)
    ) WITHOUT ROWID
    """,
    # A series by the number of its first game, and who played in it.
    """
    CREATE TABLE series (
        table_id TEXT NOT NULL,
        first INTEGER NOT NULL,
        at INTEGER NOT NULL,
        games INTEGER NOT NULL,
        options TEXT NOT NULL,
        players TEXT NOT NULL,
        score TEXT NOT NULL,
        PRIMARY KEY (table_id, first)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE series_parts (
        guest TEXT NOT NULL,
        number INTEGER NOT NULL CHECK (number > 0),
        table_id TEXT NOT NULL,
        first INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        PRIMARY KEY (guest, number)
    ) WITHOUT ROWID
    """,
    "CREATE UNIQUE INDEX series_parts_seat ON series_parts (table_id, first, seat)",
    """
    CREATE TABLE blocks (
        guest TEXT NOT NULL,
        other TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (guest, other)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX blocks_other ON blocks (other)",
    """
    CREATE TABLE reports (
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        table_id TEXT NOT NULL,
        game INTEGER NOT NULL,
        reporter TEXT NOT NULL,
        reported TEXT NOT NULL,
        reason TEXT NOT NULL,
        words TEXT NOT NULL
    )
    """,
)

VERSION_5 = (
    # Sessions that were logged out, until their cookies are too old anyway.
    "CREATE TABLE ended (session TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE INDEX ended_until ON ended (until)",
)

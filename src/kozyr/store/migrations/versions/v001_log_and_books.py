"""The event log, guests, secrets, the books of coins, people and their records, and what server processes tell each other."""
from __future__ import annotations

from alembic import op

revision = "v001"
down_revision: str | None = None

LOG = (
    """
    CREATE TABLE tables (
        table_id text COLLATE "C" PRIMARY KEY,
        seq bigint NOT NULL,
        due bigint,
        created bigint NOT NULL
    ) WITH (fillfactor = 80)
    """,
    "CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL",
    """
    CREATE TABLE events (
        table_id text COLLATE "C" NOT NULL,
        seq bigint NOT NULL,
        at bigint NOT NULL,
        command text COLLATE "C",
        body bytea NOT NULL,
        PRIMARY KEY (table_id, seq)
    )
    """,
    "CREATE UNIQUE INDEX events_command ON events (table_id, command) WHERE command IS NOT NULL",
    'CREATE TABLE secrets (name text COLLATE "C" PRIMARY KEY, value bytea NOT NULL)',
    # `public` is what everybody may call a guest; it follows from the guest's id.
    """
    CREATE TABLE guests (
        guest text COLLATE "C" PRIMARY KEY,
        name text NOT NULL,
        created bigint NOT NULL,
        public text COLLATE "C" NOT NULL,
        avatar bigint NOT NULL DEFAULT 0,
        language text,
        generation bigint NOT NULL DEFAULT 0
    )
    """,
    "CREATE UNIQUE INDEX guests_public ON guests (public)",
    # When a server was last there, so that a clock gives back the time in which there was none.
    'CREATE TABLE beats (name text COLLATE "C" PRIMARY KEY, at bigint NOT NULL)',
)

BOOKS = (
    # The pots of games and the guests' accounts; the mint is what they have got, below 0.
    """
    CREATE TABLE accounts (
        account text COLLATE "C" PRIMARY KEY,
        balance bigint NOT NULL CHECK (balance >= 0 OR account = 'mint'),
        postings bigint NOT NULL CHECK (postings > 0)
    )
    """,
    "CREATE INDEX accounts_pots ON accounts (account) WHERE balance > 0 AND account >= 'pot:' AND account < 'pot;'",
    # An entry is kept with its home, which its key tells: a table, whose events it was written with, or the account of a guest.
    """
    CREATE TABLE entries (
        home text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL CHECK (kind IN ('grant', 'refill', 'stake', 'payout', 'refund')),
        at bigint NOT NULL,
        PRIMARY KEY (home, key)
    )
    """,
    # A posting is kept with its account, as the next line of the account's history; `line` is its place in the entry.
    """
    CREATE TABLE postings (
        account text COLLATE "C" NOT NULL,
        number bigint NOT NULL CHECK (number > 0),
        home text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        line bigint NOT NULL,
        coins bigint NOT NULL CHECK (coins <> 0),
        balance bigint NOT NULL CHECK (balance >= 0 OR account = 'mint'),
        PRIMARY KEY (account, number)
    )
    """,
    "CREATE UNIQUE INDEX postings_entry ON postings (home, key, line)",
    """
    CREATE TABLE counts (
        kind text COLLATE "C" NOT NULL,
        day bigint NOT NULL,
        name text COLLATE "C" NOT NULL,
        count bigint NOT NULL CHECK (count > 0),
        PRIMARY KEY (kind, day, name)
    )
    """,
    # What was booked stays as it was, also for whoever opens the database by hand.
    "CREATE FUNCTION stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '% stay', TG_TABLE_NAME; END $$",
    *(
        f"CREATE TRIGGER {table}_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION stays()"
        for table in ("entries", "postings")
    ),
)

PEOPLE = (
    # A guest with an account. No two accounts' names look alike.
    """
    CREATE TABLE logins (
        guest text COLLATE "C" PRIMARY KEY,
        skeleton text COLLATE "C" NOT NULL UNIQUE,
        password text COLLATE "C",
        created bigint NOT NULL
    )
    """,
    """
    CREATE TABLE passkeys (
        key text COLLATE "C" PRIMARY KEY,
        guest text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        public_key bytea NOT NULL,
        count bigint NOT NULL,
        created bigint NOT NULL,
        used bigint
    )
    """,
    "CREATE INDEX passkeys_guest ON passkeys (guest, created)",
    # A finished game, what it was to each of its persons, and what all of a person's games of a kind came to.
    """
    CREATE TABLE games (
        table_id text COLLATE "C" NOT NULL,
        game bigint NOT NULL,
        at bigint NOT NULL,
        options text COLLATE "C" NOT NULL,
        players text COLLATE "C" NOT NULL,
        PRIMARY KEY (table_id, game)
    )
    """,
    """
    CREATE TABLE parts (
        guest text COLLATE "C" NOT NULL,
        number bigint NOT NULL CHECK (number > 0),
        table_id text COLLATE "C" NOT NULL,
        game bigint NOT NULL,
        seat bigint NOT NULL,
        place bigint,
        durak bigint NOT NULL,
        drawn bigint NOT NULL,
        coins bigint,
        PRIMARY KEY (guest, number)
    )
    """,
    "CREATE UNIQUE INDEX parts_game ON parts (table_id, game, seat)",
    """
    CREATE TABLE scores (
        guest text COLLATE "C" NOT NULL,
        deck bigint NOT NULL,
        seats bigint NOT NULL,
        transfer bigint NOT NULL,
        cheat bigint NOT NULL,
        staked bigint NOT NULL,
        games bigint NOT NULL,
        first bigint NOT NULL,
        durak bigint NOT NULL,
        drawn bigint NOT NULL,
        PRIMARY KEY (guest, deck, seats, transfer, cheat, staked)
    )
    """,
    # A series by the number of its first game, and who played in it.
    """
    CREATE TABLE series (
        table_id text COLLATE "C" NOT NULL,
        first bigint NOT NULL,
        at bigint NOT NULL,
        games bigint NOT NULL,
        options text COLLATE "C" NOT NULL,
        players text COLLATE "C" NOT NULL,
        score text COLLATE "C" NOT NULL,
        PRIMARY KEY (table_id, first)
    )
    """,
    """
    CREATE TABLE series_parts (
        guest text COLLATE "C" NOT NULL,
        number bigint NOT NULL CHECK (number > 0),
        table_id text COLLATE "C" NOT NULL,
        first bigint NOT NULL,
        seat bigint NOT NULL,
        PRIMARY KEY (guest, number)
    )
    """,
    "CREATE UNIQUE INDEX series_parts_seat ON series_parts (table_id, first, seat)",
    """
    CREATE TABLE blocks (
        guest text COLLATE "C" NOT NULL,
        other text COLLATE "C" NOT NULL,
        at bigint NOT NULL,
        PRIMARY KEY (guest, other)
    )
    """,
    "CREATE INDEX blocks_other ON blocks (other)",
    """
    CREATE TABLE reports (
        number bigint PRIMARY KEY,
        at bigint NOT NULL,
        table_id text COLLATE "C" NOT NULL,
        game bigint NOT NULL,
        reporter text COLLATE "C" NOT NULL,
        reported text COLLATE "C" NOT NULL,
        reason text COLLATE "C" NOT NULL,
        words text COLLATE "C" NOT NULL
    )
    """,
)

# Nothing of this outlives the processes that wrote it; it need not survive a crash of the database either.
PROCESSES = (
    """
    CREATE UNLOGGED TABLE processes (
        process text COLLATE "C" PRIMARY KEY,
        address text NOT NULL,
        seen timestamptz NOT NULL
    )
    """,
    """
    CREATE UNLOGGED TABLE presences (
        table_id text COLLATE "C" NOT NULL,
        seat bigint NOT NULL,
        process text COLLATE "C" NOT NULL,
        PRIMARY KEY (table_id, seat, process)
    )
    """,
    "CREATE INDEX presences_process ON presences (process)",
    # Which process looks after a clock that nobody had in memory, and until when nobody else does.
    """
    CREATE UNLOGGED TABLE sweeps (
        table_id text COLLATE "C" PRIMARY KEY,
        process text COLLATE "C" NOT NULL,
        until timestamptz NOT NULL
    )
    """,
    # The tables that everybody may find.
    """
    CREATE TABLE listings (
        table_id text COLLATE "C" PRIMARY KEY,
        seq bigint NOT NULL,
        created bigint NOT NULL,
        body bytea
    )
    """,
)


def upgrade() -> None:
    """Make all tables."""
    for statement in (*LOG, *BOOKS, *PEOPLE, *PROCESSES):
        op.execute(statement)

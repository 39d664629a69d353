-- A database as version 1 of the tables made it: one table in the middle of a game, a guest, a secret.
PRAGMA journal_mode = WAL;
BEGIN IMMEDIATE;
CREATE TABLE tables (
    table_id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    due INTEGER,
    created INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL;
CREATE TABLE events (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    command TEXT,
    body BLOB NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;
CREATE UNIQUE INDEX events_command ON events (table_id, command) WHERE command IS NOT NULL;
CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE guests (guest TEXT PRIMARY KEY, name TEXT NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO tables VALUES ('t1', 2, 4000, 1000);
INSERT INTO events VALUES ('t1', 1, 1000, NULL, x'61'), ('t1', 2, 1500, '0.k1', x'62');
INSERT INTO secrets VALUES ('cookie', x'6f6e65');
INSERT INTO guests VALUES ('g1', 'Ayla', 900);
PRAGMA user_version = 1;
COMMIT;

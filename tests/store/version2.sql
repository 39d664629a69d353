-- A database as version 2 of the tables made it: coins, a game for coins that is over and one that runs, three guests.
PRAGMA journal_mode = WAL;
BEGIN IMMEDIATE;
CREATE TABLE accounts (
    account TEXT PRIMARY KEY,
    balance INTEGER NOT NULL CHECK (typeof(balance) = 'integer' AND (balance >= 0 OR account = 'mint')),
    postings INTEGER NOT NULL CHECK (postings > 0)
) WITHOUT ROWID;
INSERT INTO "accounts" VALUES('mint',-2000,2);
INSERT INTO "accounts" VALUES('player:g1',1000,4);
INSERT INTO "accounts" VALUES('player:g2',800,3);
INSERT INTO "accounts" VALUES('pot:t1/1',0,2);
INSERT INTO "accounts" VALUES('pot:t1/2',200,1);
CREATE TABLE beats (name TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "beats" VALUES('server',5000);
CREATE TABLE counts (
    kind TEXT NOT NULL,
    day INTEGER NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL CHECK (count > 0),
    PRIMARY KEY (kind, day, name)
) WITHOUT ROWID;
INSERT INTO "counts" VALUES('address',0,'192.0.2.1',2);
INSERT INTO "counts" VALUES('company',0,'g1,g2',2);
CREATE TABLE entries (
    home TEXT NOT NULL,
    key TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('grant', 'refill', 'stake', 'payout', 'refund')),
    at INTEGER NOT NULL,
    PRIMARY KEY (home, key)
) WITHOUT ROWID;
INSERT INTO "entries" VALUES('player:g1','grant:g1','grant',1000);
INSERT INTO "entries" VALUES('player:g2','grant:g2','grant',1000);
INSERT INTO "entries" VALUES('t1','settle:t1/1','payout',2000);
INSERT INTO "entries" VALUES('t1','stake:t1/1','stake',1500);
INSERT INTO "entries" VALUES('t1','stake:t1/2','stake',2500);
CREATE TABLE events (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    command TEXT,
    body BLOB NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;
INSERT INTO "events" VALUES('t1',1,1000,NULL,X'61');
INSERT INTO "events" VALUES('t1',2,1500,'0.k1',X'62');
INSERT INTO "events" VALUES('t1',3,2000,NULL,X'63');
INSERT INTO "events" VALUES('t1',4,2500,NULL,X'64');
CREATE TABLE guests (guest TEXT PRIMARY KEY, name TEXT NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO "guests" VALUES('g1','Ayla',900);
INSERT INTO "guests" VALUES('g2','Emin',900);
INSERT INTO "guests" VALUES('g3','Ayla',900);
CREATE TABLE postings (
    account TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    home TEXT NOT NULL,
    key TEXT NOT NULL,
    line INTEGER NOT NULL,
    coins INTEGER NOT NULL CHECK (typeof(coins) = 'integer' AND coins <> 0),
    balance INTEGER NOT NULL CHECK (balance >= 0 OR account = 'mint'),
    PRIMARY KEY (account, number)
) WITHOUT ROWID;
INSERT INTO "postings" VALUES('mint',1,'player:g1','grant:g1',1,-1000,-1000);
INSERT INTO "postings" VALUES('mint',2,'player:g2','grant:g2',1,-1000,-2000);
INSERT INTO "postings" VALUES('player:g1',1,'player:g1','grant:g1',0,1000,1000);
INSERT INTO "postings" VALUES('player:g1',2,'t1','stake:t1/1',0,-100,900);
INSERT INTO "postings" VALUES('player:g1',3,'t1','settle:t1/1',0,200,1100);
INSERT INTO "postings" VALUES('player:g1',4,'t1','stake:t1/2',0,-100,1000);
INSERT INTO "postings" VALUES('player:g2',1,'player:g2','grant:g2',0,1000,1000);
INSERT INTO "postings" VALUES('player:g2',2,'t1','stake:t1/1',1,-100,900);
INSERT INTO "postings" VALUES('player:g2',3,'t1','stake:t1/2',1,-100,800);
INSERT INTO "postings" VALUES('pot:t1/1',1,'t1','stake:t1/1',2,200,200);
INSERT INTO "postings" VALUES('pot:t1/1',2,'t1','settle:t1/1',1,-200,0);
INSERT INTO "postings" VALUES('pot:t1/2',1,'t1','stake:t1/2',2,200,200);
CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
INSERT INTO "secrets" VALUES('cookie',X'6F6E65');
CREATE TABLE tables (
    table_id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    due INTEGER,
    created INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "tables" VALUES('t1',4,9000,1000);
CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL;
CREATE UNIQUE INDEX events_command ON events (table_id, command) WHERE command IS NOT NULL;
CREATE INDEX accounts_pots ON accounts (account) WHERE balance > 0 AND account >= 'pot:' AND account < 'pot;';
CREATE UNIQUE INDEX postings_entry ON postings (home, key, line);
CREATE TRIGGER entries_stay_UPDATE BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries stay'); END;
CREATE TRIGGER entries_stay_DELETE BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries stay'); END;
CREATE TRIGGER postings_stay_UPDATE BEFORE UPDATE ON postings BEGIN SELECT RAISE(ABORT, 'postings stay'); END;
CREATE TRIGGER postings_stay_DELETE BEFORE DELETE ON postings BEGIN SELECT RAISE(ABORT, 'postings stay'); END;
PRAGMA user_version = 2;
COMMIT;

"""What must be so in a file of the books whatever has happened to it: read with plain SQL, knowing nothing of the store's code."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

FAULTS = {
    "all postings add up to nothing": "SELECT sum(coins) FROM postings HAVING sum(coins) <> 0",
    "every entry adds up to nothing": "SELECT home, key FROM postings GROUP BY home, key HAVING sum(coins) <> 0",
    "every entry has postings": "SELECT key FROM entries e WHERE (SELECT count(*) FROM postings WHERE home = e.home AND key = e.key) < 2",
    "every posting has its entry": (
        "SELECT key FROM postings p WHERE NOT EXISTS (SELECT 1 FROM entries WHERE home = p.home AND key = p.key)"
    ),
    "an account is its postings": (
        "SELECT account FROM accounts a WHERE (balance, postings) <> "
        "(SELECT sum(coins), count(*) FROM postings WHERE account = a.account)"
    ),
    "postings are numbered without a gap": "SELECT account FROM postings GROUP BY account HAVING max(number) <> count(*)",
    "each line has the balance after it": (
        "SELECT account, number FROM postings p WHERE balance <> "
        "(SELECT sum(coins) FROM postings WHERE account = p.account AND number <= p.number)"
    ),
    "nobody is below 0": "SELECT account FROM postings WHERE balance < 0 AND account <> 'mint'",
    "a settled game has an empty pot": (
        "SELECT a.account FROM accounts a JOIN entries e ON e.key = 'settle:' || substr(a.account, 5) WHERE a.balance <> 0"
    ),
    "a pot that is not settled has all of its stakes": (
        "SELECT a.account FROM accounts a JOIN postings p ON p.account = a.account AND p.number = 1 "
        "WHERE a.account LIKE 'pot:%' AND a.postings = 1 AND a.balance <> p.coins"
    ),
    "what is refunded was staked": (
        "SELECT r.key FROM postings r JOIN entries e ON e.key = r.key AND e.kind = 'refund' LEFT JOIN postings s "
        "ON s.home = r.home AND s.key = 'stake:' || substr(r.key, 8) AND s.account = r.account WHERE s.coins IS NULL OR s.coins <> -r.coins"
    ),
    "a refund is whole": (
        "SELECT e.key FROM entries e WHERE e.kind = 'refund' AND (SELECT count(*) FROM postings WHERE key = e.key) <> "
        "(SELECT count(*) FROM postings WHERE key = 'stake:' || substr(e.key, 8))"
    ),
    "only the mint gives, and only grants and refills": (
        "SELECT p.key FROM postings p JOIN entries e ON e.key = p.key "
        "WHERE (p.account = 'mint') AND (e.kind NOT IN ('grant', 'refill') OR p.coins > 0)"
    ),
    "a table's head is its last event": (
        "SELECT table_id FROM tables t WHERE seq <> (SELECT count(*) FROM events WHERE table_id = t.table_id)"
    ),
}


def faults(database: Path) -> list[str]:
    """Name what is wrong with the books of a file."""
    with closing(sqlite3.connect(database)) as db:
        found = [f"{rule}: {wrong}" for rule, question in FAULTS.items() if (wrong := db.execute(question).fetchall())]
        return found + [str(row) for row in db.execute("PRAGMA integrity_check").fetchall() if row != ("ok",)]


def keys(database: Path) -> set[str]:
    """List the keys of all entries."""
    with closing(sqlite3.connect(database)) as db:
        return {row[0] for row in db.execute("SELECT key FROM entries")}


def told(database: Path) -> set[str]:
    """List the bodies of all events; the tests of the books write there what was booked with them."""
    with closing(sqlite3.connect(database)) as db:
        return {row[0].decode() for row in db.execute("SELECT body FROM events UNION ALL SELECT body FROM fresh")}


def balances(database: Path) -> dict[str, int]:
    """Read all accounts."""
    with closing(sqlite3.connect(database)) as db:
        return dict(db.execute("SELECT account, balance FROM accounts"))

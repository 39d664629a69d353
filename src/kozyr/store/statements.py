"""Reads the books of coins: what owners and the operator ask of them."""
from __future__ import annotations

from kozyr.app.ports import Company, Line, Pot, Totals
from kozyr.ledger import COMPANY, Entry, Kind, format_account, home_of, player, stake_key
from kozyr.store.books import read_entry
from kozyr.store.sql import Sql

FIRST_PAGE = 2**63 - 1


def history(db: Sql, guest: str, before: int | None, most: int) -> list[Line]:
    """List a guest's postings; see `Ledger.history`."""
    found = db.execute(
        "SELECT p.number, e.at, e.kind, p.key, p.coins, p.balance FROM postings p JOIN entries e ON e.home = p.home AND e.key = p.key "
        "WHERE p.account = ? AND p.number < ? ORDER BY p.number DESC LIMIT ?",
        (format_account(player(guest)), FIRST_PAGE if before is None else before, most),
    )
    return [line(*row) for row in found]


def line(number: int, at: int, kind: str, key: str, coins: int, balance: int) -> Line:
    """Make a line of a history."""
    name = key.partition(":")[2]
    return Line(number, at, Kind(kind), key, name if "/" in name else None, coins, balance)


def companies(db: Sql, day: int, most: int) -> list[Company]:
    """List who has played together for stakes; see `Ledger.companies`."""
    found = db.execute("SELECT name, count FROM counts WHERE kind = ? AND day = ? ORDER BY count DESC, name LIMIT ?", (COMPANY, day, most))
    return [Company(tuple(name.split(",")), count) for name, count in found]


def stake_of(db: Sql, game: str) -> Entry | None:
    """Find the stakes of a game; see `Ledger.stake_of`."""
    return read_entry(db, home_of(game), stake_key(game))


def open_pots(db: Sql, most: int) -> list[Pot]:
    """List the games that are not settled; see `Ledger.open_pots`."""
    found = db.execute(
        "SELECT substr(a.account, 5), a.balance, e.at FROM accounts a JOIN postings p ON p.account = a.account AND p.number = 1 "
        "JOIN entries e ON e.home = p.home AND e.key = p.key "
        "WHERE a.balance > 0 AND a.account >= 'pot:' AND a.account < 'pot;' ORDER BY e.at, a.account LIMIT ?",
        (most,),
    )
    return [Pot(*row) for row in found]


def totals(db: Sql) -> Totals:
    """Add up the books in one statement, so that all figures are of the same moment; see `Ledger.totals`."""
    given = (
        "SELECT coalesce(sum(-p.coins), 0) FROM postings p JOIN entries e ON e.home = p.home AND e.key = p.key "
        "WHERE p.account = 'mint' AND e.kind = "
    )
    held = "SELECT coalesce(sum(balance), 0) FROM accounts WHERE account "
    found = db.execute(
        "SELECT (SELECT count(*) FROM accounts WHERE account LIKE 'player:%'), (SELECT count(*) FROM entries), "
        f"({given} 'grant'), ({given} 'refill'), ({held} LIKE 'player:%'), ({held} LIKE 'pot:%'), "
        "(SELECT coalesce(sum(coins), 0) FROM postings)"
    ).fetchone()
    return Totals(*found)

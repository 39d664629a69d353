"""Writes the books of coins, inside a transaction of the writer's thread."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kozyr.app.ports import Booked, Limited, Unpaid
from kozyr.ledger import (
    ADDRESS,
    Account,
    Coins,
    Count,
    Entry,
    Kind,
    LedgerError,
    Posting,
    balances_after,
    daily_refill,
    format_account,
    parse_account,
    player,
    refill_key,
    seats_short,
)
from kozyr.store.sql import Sql

DAYS_OF_ADDRESSES = 1
"""For how many days before today it is known how often an address was given a grant."""
ALONE = (Kind.GRANT, Kind.REFUND)
"""What is booked without an event of a table."""


class Weighed(NamedTuple):
    """An entry that can be written, and the balances of its accounts after it."""

    entry: Entry
    after: dict[Account, Coins]


def weigh(db: Sql, entries: Sequence[Entry]) -> list[Weighed] | Unpaid | Limited:
    """
    Judge entries one after the other on what the books say now; write nothing.

    Raises: LedgerError for an entry that is booked already or would break the books.
    """
    balances: dict[Account, Coins] = {}
    counted: dict[Count, int] = {}
    keys: set[str] = set()
    weighed = []
    for entry in entries:
        if entry.key in keys or read_entry(db, entry.home, entry.key) is not None:
            raise LedgerError(f"{entry.key} is booked already")
        keys.add(entry.key)
        for count in entry.counts:
            before = counted.get(count, read_count(db, count.kind, count.day, count.name))
            if before >= count.most:
                return Limited(count.kind, count.name)
            counted[count] = before + 1
        for posting in entry.postings:
            if posting.account not in balances:
                balances[posting.account] = read_balance(db, posting.account) or 0
        if entry.kind is Kind.STAKE and (short := seats_short(entry, balances)):
            return Unpaid(short)
        weighed.append(Weighed(entry, balances_after(entry, balances)))
        balances |= weighed[-1].after
    return weighed


def write(db: Sql, weighed: Sequence[Weighed]) -> None:
    """Write entries that were weighed in the same transaction."""
    for entry, after in weighed:
        db.execute("INSERT INTO entries (home, key, kind, at) VALUES (?, ?, ?, ?)", (entry.home, entry.key, entry.kind.value, entry.at))
        for line, posting in enumerate(entry.postings):
            account, balance = format_account(posting.account), after[posting.account]
            # The balance is the sum that was weighed, not an addition here: a check of the inserted row would see the addend alone.
            numbered = db.execute(
                "INSERT INTO accounts (account, balance, postings) VALUES (?, ?, 1) "
                "ON CONFLICT (account) DO UPDATE SET balance = excluded.balance, postings = accounts.postings + 1 RETURNING postings",
                (account, balance),
            ).fetchall()
            db.execute(
                "INSERT INTO postings (account, number, home, key, line, coins, balance) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (account, numbered[0][0], entry.home, entry.key, line, posting.coins, balance),
            )
        for count in entry.counts:
            _count(db, count)


def book(db: Sql, entry: Entry) -> Booked | Limited:
    """Book an entry without events, once; see `Ledger.book`."""
    if entry.kind not in ALONE:
        raise ValueError(f"{entry.key}: a {entry.kind} is not booked by itself")
    first = read_entry(db, entry.home, entry.key)
    return Booked(first, False) if first is not None else _book_new(db, entry)


def refill(db: Sql, guest: str, floor: Coins, now: int) -> Booked | None:
    """Fill up a guest's coins to the floor; see `Ledger.refill`."""
    account = player(guest)
    balance = read_balance(db, account)
    if balance is None:
        return None
    first = read_entry(db, format_account(account), refill_key(guest, now))
    if first is not None:
        return Booked(first, False)
    entry = daily_refill(guest, balance, floor, now)
    if entry is not None:
        entry = daily_refill(guest, balance + _staked(db, account), floor, now)
    if entry is None:
        return None
    booked = _book_new(db, entry)
    assert isinstance(booked, Booked), f"{entry.key} counts nothing and was limited"
    return booked


def read_entry(db: Sql, home: str, key: str) -> Entry | None:
    """Read an entry as it was booked."""
    head = db.execute("SELECT kind, at FROM entries WHERE home = ? AND key = ?", (home, key)).fetchone()
    if head is None:
        return None
    found = db.execute("SELECT account, coins FROM postings WHERE home = ? AND key = ? ORDER BY line", (home, key))
    return Entry(key, Kind(head[0]), home, head[1], tuple(Posting(parse_account(account), coins) for account, coins in found))


def read_balance(db: Sql, account: Account) -> Coins | None:
    """Read what an account has; None for one that there is not."""
    found = db.execute("SELECT balance FROM accounts WHERE account = ?", (format_account(account),)).fetchone()
    return None if found is None else int(found[0])


def read_count(db: Sql, kind: str, day: int, name: str) -> int:
    """Read how often something has happened on a day."""
    found = db.execute("SELECT count FROM counts WHERE kind = ? AND day = ? AND name = ?", (kind, day, name)).fetchone()
    return 0 if found is None else int(found[0])


def _book_new(db: Sql, entry: Entry) -> Booked | Limited:
    weighed = weigh(db, [entry])
    if isinstance(weighed, Limited):
        return weighed
    assert not isinstance(weighed, Unpaid), f"{entry.key} takes nothing of a player"
    write(db, weighed)
    return Booked(entry, True)


def _staked(db: Sql, account: Account) -> Coins:
    """Add up a player's stakes in games that are not settled."""
    found = db.execute(
        "SELECT coalesce(sum(-p.coins), 0) FROM postings p JOIN accounts pot ON pot.account = 'pot:' || substr(p.key, 7) "
        "WHERE p.account = ? AND p.key LIKE 'stake:%' AND p.coins < 0 AND pot.balance > 0",
        (format_account(account),),
    ).fetchone()
    return int(found[0])


def _count(db: Sql, count: Count) -> None:
    if count.kind == ADDRESS:
        # Where somebody came from is nobody's business for longer than the limit needs it.
        db.execute("DELETE FROM counts WHERE kind = ? AND day < ?", (ADDRESS, count.day - DAYS_OF_ADDRESSES))
    db.execute(
        "INSERT INTO counts (kind, day, name, count) VALUES (?, ?, ?, 1) "
        "ON CONFLICT (kind, day, name) DO UPDATE SET count = counts.count + 1",
        (count.kind, count.day, count.name),
    )

"""What the tests of the books share: a day, terms, and players who begin and end games."""

from __future__ import annotations

from typing import Protocol

from kozyr.app.ports import Appended, Booked, EventStore, Guests, Ledger, Row
from kozyr.ledger import Terms, opening_grant, settle, stakes

DAY = 86_400_000
NOON = 20_000 * DAY + DAY // 2
TERMS = Terms(opening=1000, floor=200, address_grants=3, company_games=3)


class Store(EventStore, Guests, Ledger, Protocol):
    """A store is all of these ports on one database."""


async def welcome(store: Store, *guests: str, address: str = "") -> None:
    for guest in guests:
        assert isinstance(await store.book(opening_grant(guest, address or f"of {guest}", NOON, TERMS)), Booked)


def row(seq: int, command: str | None = None) -> list[Row]:
    return [Row(seq, NOON, b"x", command)]


async def coins(store: Store, *guests: str) -> list[int | None]:
    totals = await store.totals()
    assert 0 == totals.sum and totals.granted + totals.refilled == totals.with_players + totals.in_pots
    return [await store.balance(guest) for guest in guests]


async def play(store: Store, table: str, game: int, players: list[str], stake: int, durak: int | None) -> None:
    """Begin and end a game in two appends."""
    tail = await store.load(table)
    seq, name = (tail.seq if tail else 0), f"{table}/{game}"
    places = [seat for seat in range(len(players)) if seat != durak]
    assert Appended() == await store.append(table, seq, row(seq + 1), None, [stakes(name, players, stake, NOON, TERMS)])
    end = settle(name, players, stake, "linear", places, durak, NOON)
    assert Appended() == await store.append(table, seq + 1, row(seq + 2), None, [end])

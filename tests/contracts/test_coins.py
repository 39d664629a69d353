"""Where coins come from, what is limited, and what is seen of it, whichever database is under the books (R15, I7)."""

from __future__ import annotations

import asyncio

from kozyr.app.ports import Appended, Booked, Company, Limited
from kozyr.ledger import Terms, opening_grant, settle, stakes
from tests.contracts.keeping import DAY, NOON, TERMS, Store, coins, play, row, welcome


async def test_a_guest_has_no_coins_before_the_opening_grant(store: Store) -> None:
    """Coins come from the opening grant, once a guest, whatever happens to the answer."""
    assert [None] == await coins(store, "ann")
    grant = opening_grant("ann", "192.0.2.1", NOON, TERMS)
    assert Booked(grant, True) == await store.book(grant)
    assert Booked(grant, False) == await store.book(opening_grant("ann", "192.0.2.9", NOON + DAY, Terms(opening=5000)))
    assert [1000] == await coins(store, "ann")


async def test_an_address_gets_a_few_opening_grants_a_day(store: Store) -> None:
    """Who makes guest after guest gets no more coins today; tomorrow does, and somebody elsewhere does."""
    await welcome(store, "a", "b", "c", address="192.0.2.1")
    late = opening_grant("d", "192.0.2.1", NOON, TERMS)
    assert Limited("address", "192.0.2.1") == await store.book(late)
    assert Booked(opening_grant("a", "192.0.2.1", NOON, TERMS), False) == await store.book(opening_grant("a", "192.0.2.1", NOON, TERMS))
    assert [None, 1000] == [await store.balance("d"), await store.balance("a")]
    assert isinstance(await store.book(opening_grant("e", "192.0.2.2", NOON, TERMS)), Booked)
    assert isinstance(await store.book(opening_grant("d", "192.0.2.1", NOON + DAY, TERMS)), Booked)
    assert [1000, 1000] == await coins(store, "d", "e")


async def test_a_refill_fills_up_to_the_floor_once_a_day(store: Store) -> None:
    """Who has run out of coins plays on tomorrow; who has enough gets none (R15.1)."""
    assert await store.refill("ann", 200, NOON) is None
    await welcome(store, "ann", "bob")
    assert await store.refill("ann", 200, NOON) is None
    await play(store, "t", 1, ["ann", "bob"], 950, durak=0)
    first = await store.refill("ann", 200, NOON)
    assert first is not None and first.is_new and [200] == await coins(store, "ann")
    assert Booked(first.entry, False) == await store.refill("ann", 300, NOON + 1000)
    await play(store, "u", 1, ["ann", "bob"], 150, durak=0)
    assert Booked(first.entry, False) == await store.refill("ann", 200, NOON + DAY // 2 - 1)
    assert [50] == await coins(store, "ann")
    assert await store.refill("ann", 200, NOON + DAY // 2) is not None
    assert [200, 2100] == await coins(store, "ann", "bob")


async def test_a_stake_in_a_running_game_is_not_refilled(store: Store) -> None:
    """Coins that are in a pot are still owned: staking all of them mints none."""
    await welcome(store, "ann", "bob")
    await store.append("t", 0, row(1), None, [stakes("t/1", ["ann", "bob"], 900, NOON, TERMS)])
    assert await store.refill("ann", 200, NOON) is None
    await store.append("t", 1, row(2), None, [settle("t/1", ["ann", "bob"], 900, "linear", [0], 1, NOON)])
    assert await store.refill("ann", 200, NOON) is None
    assert isinstance(await store.refill("bob", 200, NOON), Booked)
    assert [1900, 200] == await coins(store, "ann", "bob")


async def test_the_same_company_plays_for_coins_a_few_times_a_day(store: Store) -> None:
    """The same players, at whatever seats and tables, begin so many staked games a day; other companies and other days are their own."""
    await welcome(store, "ann", "bob", "cem")
    for table, players in (("t", ["ann", "bob"]), ("u", ["bob", "ann"]), ("v", ["ann", "bob"])):
        await play(store, table, 1, players, 10, durak=None)
    assert 3 == await store.company_games(["bob", "ann"], NOON)
    late = stakes("w/1", ["bob", "ann"], 10, NOON, TERMS)
    assert Limited("company", "ann,bob") == await store.append("w", 0, row(1), None, [late])
    assert await store.load("w") is None
    await play(store, "x", 1, ["ann", "bob", "cem"], 10, durak=None)
    tomorrow = stakes("y/1", ["bob", "ann"], 10, NOON + DAY, TERMS)
    assert Appended() == await store.append("y", 0, row(1), None, [tomorrow])
    assert [Company(("ann", "bob"), 3), Company(("ann", "bob", "cem"), 1)] == await store.companies(NOON // DAY, 10)
    assert [Company(("ann", "bob"), 3)] == await store.companies(NOON // DAY, 1)
    assert [Company(("ann", "bob"), 1)] == await store.companies(NOON // DAY + 1, 10)


async def test_games_of_a_company_that_begin_at_once_are_counted(store: Store) -> None:
    """The limit holds for games that begin at the same moment."""
    await welcome(store, "ann", "bob")
    begun = await asyncio.gather(
        *(store.append(f"t{i}", 0, row(1), None, [stakes(f"t{i}/1", ["ann", "bob"], 10, NOON, TERMS)]) for i in range(6))
    )
    assert [3, 3] == [begun.count(Appended()), begun.count(Limited("company", "ann,bob"))]


async def test_every_posting_is_seen_by_its_owner(store: Store) -> None:
    """A history has each coin that came or went, newest first, with the balance after it, a page at a time."""
    await welcome(store, "ann", "bob")
    await play(store, "t", 1, ["ann", "bob"], 100, durak=1)
    await play(store, "t", 2, ["ann", "bob"], 50, durak=None)
    lines = await store.history("ann")
    assert [
        (5, "refund", "settle:t/2", "t/2", 50, 1100),
        (4, "stake", "stake:t/2", "t/2", -50, 1050),
        (3, "payout", "settle:t/1", "t/1", 200, 1100),
        (2, "stake", "stake:t/1", "t/1", -100, 900),
        (1, "grant", "grant:ann", None, 1000, 1000),
    ] == [(line.number, line.kind, line.key, line.game, line.coins, line.balance) for line in lines]
    assert all(line.at == NOON for line in lines)
    first = await store.history("ann", most=2)
    assert lines == [*first, *await store.history("ann", before=first[-1].number, most=10)]
    assert [] == await store.history("ann", before=1) == await store.history("nobody")


async def test_the_operator_sees_where_all_coins_are(store: Store) -> None:
    """What was given out is with the players or in pots, and all postings add up to nothing."""
    await welcome(store, "ann", "bob", "cem")
    await play(store, "t", 1, ["ann", "bob"], 1000, durak=0)
    await store.refill("ann", 200, NOON)
    await store.append("u", 0, row(1), None, [stakes("u/1", ["bob", "cem"], 300, NOON, TERMS)])
    totals = await store.totals()
    assert (3, 7, 3000, 200) == (totals.accounts, totals.entries, totals.granted, totals.refilled)
    assert (2600, 600, 0) == (totals.with_players, totals.in_pots, totals.sum)

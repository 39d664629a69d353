"""What every keeper of the books must keep, whichever database is under it (R15, I7)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Protocol

import pytest

from kozyr.app.ports import Appended, Booked, Company, Conflict, Doubled, EventStore, Ledger, Limited, Pot, Row, Unpaid
from kozyr.ledger import LedgerError, Split, Terms, opening_grant, payouts, refund_of, refunds, settle, settlement, stakes
from kozyr.store.sqlite import SqliteStore
from tests.sim.world import MemoryStore

DAY = 86_400_000
NOON = 20_000 * DAY + DAY // 2
TERMS = Terms(opening=1000, floor=200, address_grants=3, company_games=3)


class Store(EventStore, Ledger, Protocol):
    """A store is both ports on one database."""


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "memory":
        yield MemoryStore()
        return
    async with SqliteStore(tmp_path / "kozyr.db") as opened:
        yield opened


async def welcome(store: Store, *guests: str, address: str = "") -> None:
    for guest in guests:
        assert isinstance(await store.book(opening_grant(guest, address or f"of {guest}", NOON, TERMS)), Booked)


def row(seq: int, command: str | None = None) -> list[Row]:
    return [Row(seq, NOON, b"x", command)]


async def coins(store: Store, *guests: str) -> list[int | None]:
    totals = await store.totals()
    assert 0 == totals.sum and totals.granted + totals.refilled == totals.with_players + totals.in_pots
    return [await store.balance(guest) for guest in guests]


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


async def play(store: Store, table: str, game: int, players: list[str], stake: int, durak: int | None) -> None:
    """Begin and end a game in two appends."""
    tail = await store.load(table)
    seq, name = (tail.seq if tail else 0), f"{table}/{game}"
    places = [seat for seat in range(len(players)) if seat != durak]
    assert Appended() == await store.append(table, seq, row(seq + 1), None, [stakes(name, players, stake, NOON, TERMS)])
    end = settle(name, players, stake, "linear", places, durak, NOON)
    assert Appended() == await store.append(table, seq + 1, row(seq + 2), None, [end])


async def test_all_stakes_are_taken_at_once(store: Store) -> None:
    """The entries of all seats go into the pot with the event that begins the game (R15.2)."""
    await welcome(store, "ann", "bob", "cem")
    stake = stakes("t/1", ["cem", "ann", "bob"], 100, NOON, TERMS)
    assert Appended() == await store.append("t", 0, row(1), None, [stake])
    assert [900, 900, 900] == await coins(store, "ann", "bob", "cem")
    assert stake == await store.stake_of("t/1")
    assert await store.stake_of("t/2") is None
    assert [Pot("t/1", 300, NOON)] == await store.open_pots(10)


async def test_a_seat_that_cannot_pay_is_named_and_nothing_is_written(store: Store) -> None:
    """A game does not begin with half of its stakes: the others keep their coins (R15.2)."""
    await welcome(store, "ann", "bob")
    stake = stakes("t/1", ["ann", "cem", "bob", "dan"], 1000, NOON, TERMS)
    assert Unpaid((1, 3)) == await store.append("t", 0, row(1, "k"), 5, [stake])
    assert await store.load("t") is None and await store.find("t", "k") is None
    assert await store.stake_of("t/1") is None and [] == await store.overdue(10, 10)
    assert [1000, None, 1000] == await coins(store, "ann", "cem", "bob")
    assert 0 == await store.company_games(["ann", "bob", "cem", "dan"], NOON)


async def test_a_refused_stake_takes_no_other_table_with_it(store: Store) -> None:
    """What is written in one group fails one by one."""
    await welcome(store, "ann", "bob")
    outcomes = await asyncio.gather(
        *(store.append(f"free{i}", 0, row(1), None) for i in range(5)),
        store.append("dear", 0, row(1), None, [stakes("dear/1", ["ann", "bob"], 5000, NOON, TERMS)]),
        store.append("fair", 0, row(1), None, [stakes("fair/1", ["ann", "bob"], 500, NOON, TERMS)]),
        store.append("broken", 0, row(1), None, [refunds("broken/1", ["ann", "bob"], 500, NOON)]),
        *(store.append(f"more{i}", 0, row(1), None) for i in range(5)),
        return_exceptions=True,
    )
    assert isinstance(outcomes.pop(7), LedgerError)
    assert Unpaid((0, 1)) == outcomes.pop(5)
    assert [Appended()] * 11 == outcomes
    assert await store.load("dear") is None and await store.load("broken") is None
    assert [500, 500] == await coins(store, "ann", "bob")


async def test_games_that_begin_at_once_cannot_spend_a_coin_twice(store: Store) -> None:
    """Of five games that begin at the same moment a player with a thousand coins can pay three of 300."""
    await welcome(store, "ann", *"bcdef")
    names = [f"t{i}" for i in range(5)]
    begun = await asyncio.gather(
        *(
            store.append(name, 0, row(1), None, [stakes(f"{name}/1", ["ann", other], 300, NOON, TERMS)])
            for name, other in zip(names, "bcdef", strict=True)
        )
    )
    assert [3, 2] == [begun.count(Appended()), begun.count(Unpaid((0,)))]
    assert [100] == await coins(store, "ann")


async def test_a_retried_start_takes_the_stakes_once(store: Store) -> None:
    """A command that comes again gets its first answer, and no coin moves (I2)."""
    await welcome(store, "ann", "bob")
    stake = stakes("t/1", ["ann", "bob"], 100, NOON, TERMS)
    assert Appended() == await store.append("t", 0, row(1, "k"), None, [stake])
    assert Doubled(1) == await store.append("t", 0, row(1, "k"), None, [stake])
    assert Doubled(1) == await store.append("t", 1, row(2, "k"), None, [stake])
    assert Conflict() == await store.append("t", 0, row(1), None, [stake])
    assert [900, 900] == await coins(store, "ann", "bob")
    assert 1 == await store.company_games(["bob", "ann"], NOON)


async def test_a_conflict_comes_before_a_refusal(store: Store) -> None:
    """What was judged on an old position is judged again before anybody is told of missing coins (I5)."""
    await store.append("t", 0, row(1), None)
    stake = stakes("t/1", ["ann", "bob"], 100, NOON, TERMS)
    assert Conflict() == await store.append("t", 0, row(1), None, [stake])
    assert Unpaid((0, 1)) == await store.append("t", 1, row(2), None, [stake])


@pytest.mark.parametrize("split", Split)
@pytest.mark.parametrize(
    ("places", "durak", "forfeit"),
    [([2, 0, 3], 1, False), ([2], 0, True), ([], 3, True), ([1, 0, 3], 2, True), ([3, 1], None, False), ([], None, False)],
)
async def test_a_game_is_settled_as_its_payouts_say(
    store: Store, split: str, places: list[int], durak: int | None, forfeit: bool
) -> None:
    """The coins that move are those of R15.3 to R15.5 and R16.3, to the last one, and the pot is empty."""
    players = ["ann", "bob", "cem", "dan"]
    await welcome(store, *players)
    await store.append("t", 0, row(1), None, [stakes("t/1", players, 101, NOON, TERMS)])
    end = settle("t/1", players, 101, split, places, durak, NOON, forfeit=forfeit)
    assert Appended() == await store.append("t", 1, row(2), None, [end])
    paid = payouts(101, 4, split, places, durak, forfeit=forfeit)
    assert [899 + each for each in paid] == await coins(store, *players)
    assert [] == await store.open_pots(10)


async def test_a_game_is_settled_once(store: Store) -> None:
    """A second settlement, by whatever way, is an error that writes nothing."""
    await welcome(store, "ann", "bob")
    await play(store, "t", 1, ["ann", "bob"], 100, durak=1)
    for again in (
        settle("t/1", ["ann", "bob"], 100, "linear", [1], 0, NOON),
        refunds("t/1", ["ann", "bob"], 100, NOON),
        stakes("t/1", ["ann", "bob"], 100, NOON, TERMS),
    ):
        with pytest.raises(LedgerError, match="booked already"):
            await store.append("t", 2, row(3, "again"), None, [again])
    stake = await store.stake_of("t/1")
    assert stake is not None
    assert Booked(settle("t/1", ["ann", "bob"], 100, "linear", [0], 1, NOON), False) == await store.book(refund_of(stake, NOON))
    tail = await store.load("t")
    assert tail is not None and 2 == tail.seq
    assert [1100, 900] == await coins(store, "ann", "bob")


async def test_of_two_settlements_at_once_one_stands(store: Store) -> None:
    """An end and an abort that race leave the game settled one way, with its events (I5)."""
    await welcome(store, "ann", "bob")
    stake = stakes("t/1", ["ann", "bob"], 100, NOON, TERMS)
    await store.append("t", 0, row(1), None, [stake])
    end = settle("t/1", ["ann", "bob"], 100, "linear", [0], 1, NOON)
    outcomes = await asyncio.gather(
        store.append("t", 1, row(2), None, [refunds("t/1", ["ann", "bob"], 100, NOON)]),
        store.append("t", 1, row(2), None, [end]),
    )
    assert [Appended(), Conflict()] == outcomes
    assert [1000, 1000] == await coins(store, "ann", "bob")


async def test_a_pot_pays_what_is_in_it(store: Store) -> None:
    """No play mints a coin, and none stays behind in a pot."""
    await welcome(store, "ann", "bob")
    await store.append("t", 0, row(1), None, [stakes("t/1", ["ann", "bob"], 100, NOON, TERMS)])
    for wrong in (settlement("t/1", ["ann", "bob"], [201, 0], NOON), settlement("t/1", ["ann", "bob"], [150, 49], NOON)):
        with pytest.raises(LedgerError, match="pot"):
            await store.append("t", 1, row(2), None, [wrong])
    with pytest.raises(LedgerError, match="pot"):
        await store.append("t", 1, row(2), None, [refunds("t/2", ["ann", "bob"], 100, NOON)])
    assert [900, 900] == await coins(store, "ann", "bob")


async def test_a_rematch_may_settle_and_begin_in_one_append(store: Store) -> None:
    """What a game pays can be staked in the next one, in the same transaction."""
    await welcome(store, "ann", "bob")
    players = ["ann", "bob"]
    await store.append("t", 0, row(1), None, [stakes("t/1", players, 1000, NOON, TERMS)])
    drawn, again = refunds("t/1", players, 1000, NOON), stakes("t/2", players, 700, NOON, TERMS)
    assert Appended() == await store.append("t", 1, row(2), None, [drawn, again])
    assert [300, 300] == await coins(store, *players)
    won, dear = settle("t/2", players, 700, "linear", [0], 1, NOON), stakes("t/3", players, 700, NOON, TERMS)
    assert Unpaid((1,)) == await store.append("t", 2, row(3), None, [won, dear])
    assert [300, 300] == await coins(store, *players)


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


async def test_a_stopped_tables_stakes_are_given_back(store: Store) -> None:
    """A game that the server could not finish costs nobody a coin (R15.5)."""
    await welcome(store, "ann", "bob")
    await store.append("t", 0, row(1), None, [stakes("t/1", ["ann", "bob"], 100, NOON, TERMS)])
    (open_pot,) = await store.open_pots(10)
    stake = await store.stake_of(open_pot.game)
    assert stake is not None
    refund = refund_of(stake, NOON)
    assert Booked(refund, True) == await store.book(refund)
    assert Booked(refund, False) == await store.book(refund)
    assert [1000, 1000] == await coins(store, "ann", "bob")
    with pytest.raises(LedgerError, match="booked already"):
        await store.append("t", 1, row(2), None, [settle("t/1", ["ann", "bob"], 100, "linear", [0], 1, NOON)])


async def test_what_belongs_to_an_event_is_not_booked_alone(store: Store) -> None:
    """Stakes and payouts are written with the events that they are of, at the table that they are of, or not at all."""
    await welcome(store, "ann", "bob")
    stake = stakes("t/1", ["ann", "bob"], 100, NOON, TERMS)
    for entry in (stake, settlement("t/1", ["ann", "bob"], [200, 0], NOON)):
        with pytest.raises(ValueError, match="by itself"):
            await store.book(entry)
    with pytest.raises(ValueError, match="of table u"):
        await store.append("u", 0, row(1), None, [stake])
    assert [1000, 1000] == await coins(store, "ann", "bob")


async def test_the_operator_sees_where_all_coins_are(store: Store) -> None:
    """What was given out is with the players or in pots, and all postings add up to nothing."""
    await welcome(store, "ann", "bob", "cem")
    await play(store, "t", 1, ["ann", "bob"], 1000, durak=0)
    await store.refill("ann", 200, NOON)
    await store.append("u", 0, row(1), None, [stakes("u/1", ["bob", "cem"], 300, NOON, TERMS)])
    totals = await store.totals()
    assert (3, 7, 3000, 200) == (totals.accounts, totals.entries, totals.granted, totals.refilled)
    assert (2600, 600, 0) == (totals.with_players, totals.in_pots, totals.sum)

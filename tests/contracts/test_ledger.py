"""Stakes and settlements, as every keeper of the books must keep them, whichever database is under it (R15, I7)."""

from __future__ import annotations

import asyncio

import pytest

from kozyr.app.ports import Appended, Booked, Conflict, Doubled, Pot, Unpaid
from kozyr.ledger import LedgerError, Split, payouts, refund_of, refunds, settle, settlement, stakes
from tests.contracts.keeping import NOON, TERMS, Store, coins, play, row, welcome


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

"""The entries that there are, and those that cannot be made."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kozyr.ledger
from kozyr.ledger import (
    MINT,
    Account,
    AccountKind,
    Entry,
    Kind,
    LedgerError,
    Posting,
    Split,
    Terms,
    address_block,
    balances_after,
    company_of,
    daily_refill,
    day_of,
    format_account,
    home_of,
    opening_grant,
    parse_account,
    payouts,
    player,
    pot_of,
    refund_of,
    refunds,
    seats_short,
    settle,
    settlement,
    stakes,
)

DAY = 86_400_000
TERMS = Terms()
ANN, BOB, POT = player("ann"), player("bob"), pot_of("t/1")
NAMES = st.text("abcdefghijklmnopqrstuvwxyz234567-_.", min_size=1, max_size=30)


def postings(entry: Entry) -> dict[str, int]:
    return {format_account(posting.account): posting.coins for posting in entry.postings}


def test_an_opening_grant_comes_from_the_mint() -> None:
    """A guest begins with coins that nobody had before."""
    grant = opening_grant("ann", "192.0.2.1", 5, TERMS)
    assert {"player:ann": 1000, "mint": -1000} == postings(grant)
    assert ("grant:ann", "player:ann", 5, None) == (grant.key, grant.home, grant.at, grant.game)


@pytest.mark.parametrize(("owned", "coins"), [(0, 200), (199, 1), (200, None), (5000, None)])
def test_a_refill_fills_up_to_the_floor(owned: int, coins: int | None) -> None:
    """Who has less than the floor gets what is missing, nobody else gets anything."""
    refill = daily_refill("ann", owned, 200, 3 * DAY + 7)
    assert coins == (None if refill is None else postings(refill)["player:ann"])
    assert refill is None or "refill:ann:3" == refill.key


def test_every_seat_puts_the_same_into_the_pot() -> None:
    """All stakes are one entry, in the order of seats. (R15.1, R15.2)"""
    stake = stakes("t/1", ["cem", "ann", "bob"], 50, 5, TERMS)
    assert [("player:cem", -50), ("player:ann", -50), ("player:bob", -50), ("pot:t/1", 150)] == list(postings(stake).items())
    assert ("stake:t/1", "t", "t/1", ("cem", "ann", "bob")) == (stake.key, stake.home, stake.game, stake.players)
    assert "ann,bob,cem" == stake.counts[0].name


def test_who_gets_nothing_has_no_posting() -> None:
    """The durak's coins stay where they went. (R15.3)"""
    end = settle("t/1", ["ann", "bob", "cem"], 100, "linear", [2, 0], 1, 5)
    assert {"player:ann": 100, "player:cem": 200, "pot:t/1": -300} == postings(end)
    assert (Kind.PAYOUT, "settle:t/1") == (end.kind, end.key)


def test_a_draw_gives_every_stake_back() -> None:
    """Also to seats that had gone out first. (R15.5)"""
    players = ["ann", "bob"]
    assert refunds("t/1", players, 100, 5) == settle("t/1", players, 100, "winner", [1], None, 5)
    assert refunds("t/1", players, 100, 5) == refund_of(stakes("t/1", players, 100, 1, TERMS), 5)
    with pytest.raises(LedgerError, match="took no stakes"):
        refund_of(refunds("t/1", players, 100, 5), 6)


@given(st.data(), st.integers(2, 6), st.integers(10, 10_000), st.sampled_from(Split), st.booleans())
def test_what_is_paid_out_was_staked(data: st.DataObject, seats: int, coins: int, split: Split, forfeit: bool) -> None:
    """Whatever the finish, the pot is empty after it and each player has what the payouts say. (R15.3-R15.5, R16.3)"""
    players = [f"p{seat}" for seat in range(seats)]
    order = data.draw(st.permutations(range(seats)))
    durak = data.draw(st.sampled_from([order[-1], order[-1] if forfeit else None]))
    places = order[: data.draw(st.integers(0, seats - 1)) if forfeit or durak is None else seats - 1]
    balances = dict.fromkeys(map(player, players), coins)
    balances |= balances_after(stakes("t/1", players, coins, 0, TERMS), balances)
    is_forfeit = forfeit and durak is not None
    balances |= balances_after(settle("t/1", players, coins, split, places, durak, 1, forfeit=is_forfeit), balances)
    assert payouts(coins, seats, split, places, durak, forfeit=is_forfeit) == tuple(balances[player(each)] for each in players)
    assert 0 == balances[pot_of("t/1")]


def entry(*moved: tuple[Account, int], key: str = "stake:t/1", kind: Kind = Kind.STAKE, home: str = "t") -> Entry:
    return Entry(key, kind, home, 0, tuple(Posting(account, coins) for account, coins in moved))


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("key", ["grant:ann", "refill:ann:1", "stake:t/1", "settle:t/1"])
@pytest.mark.parametrize("home", ["t", "player:ann"])
def test_no_entry_moves_coins_from_player_to_player(kind: Kind, key: str, home: str) -> None:
    """There is no way to say it, whatever it is called; between players there is only a game's pot. (R15.1)"""
    with pytest.raises(ValueError):
        entry((ANN, 10), (BOB, -10), key=key, kind=kind, home=home)
    with pytest.raises(ValueError):
        entry((ANN, 10), (BOB, -20), (POT, 10), key=key, kind=kind, home=home)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: entry((ANN, -10), (BOB, -10), (POT, 19)),
        lambda: entry((ANN, -10), (BOB, -20), (POT, 30)),
        lambda: entry((ANN, -10), (POT, 10)),
        lambda: entry((ANN, -10), (ANN, -10), (POT, 20)),
        lambda: entry((ANN, -10), (BOB, 0), (POT, 10)),
        lambda: entry((ANN, -1.5), (BOB, -1.5), (POT, 3)),  # type: ignore[arg-type]
        lambda: entry((ANN, True), (MINT, -1), key="grant:ann", kind=Kind.GRANT, home="player:ann"),
        lambda: entry((ANN, -(2**60)), (BOB, -(2**60)), (POT, 2**61)),
        lambda: entry((ANN, -10), (BOB, -10), (pot_of("t/2"), 20)),
        lambda: entry((ANN, -10), (BOB, -10), (POT, 20), home="u"),
        lambda: entry((ANN, -10), (BOB, -10), (MINT, 20)),
        lambda: entry((ANN, -10), (BOB, -10), (POT, 20), key="stake:t"),
        lambda: entry((ANN, -10), (BOB, -10), (POT, 20), key="settle:t/1"),
        lambda: entry((ANN, 10), (BOB, 10), (POT, -20)),
        lambda: entry((ANN, 30), (BOB, -10), (POT, -20), key="settle:t/1", kind=Kind.PAYOUT),
        lambda: entry((ANN, -30), (POT, 30), key="settle:t/1", kind=Kind.PAYOUT),
        lambda: entry((POT, 30), (MINT, -30), key="grant:ann", kind=Kind.GRANT, home="player:ann"),
        lambda: entry((ANN, -30), (MINT, 30), key="grant:ann", kind=Kind.GRANT, home="player:ann"),
        lambda: entry((BOB, 30), (MINT, -30), key="grant:ann", kind=Kind.GRANT, home="player:ann"),
        lambda: entry((ANN, 30), (MINT, -30), key="grant:ann", kind=Kind.GRANT, home="t"),
        lambda: entry(key="stake:t/1"),
        lambda: stakes("t/1", ["ann"], 10, 0, TERMS),
        lambda: stakes("t/1", ["ann", "ann"], 10, 0, TERMS),
        lambda: stakes("t/1", ["ann", "bob"], 0, 0, TERMS),
        lambda: stakes("t/1", ["ann", "bob"], -10, 0, TERMS),
        lambda: stakes("t", ["ann", "bob"], 10, 0, TERMS),
        lambda: stakes("t/1", ["ann", "a,b"], 10, 0, TERMS),
        lambda: settlement("t/1", ["ann", "bob"], [0, 0], 0),
        lambda: settlement("t/1", ["ann", "bob"], [30, -10], 0),
        lambda: settlement("t/1", ["ann", "bob"], [30], 0),
        lambda: settlement("t/1", ["ann", "ann"], [30, 0], 0),
        lambda: Terms(opening=0),
        lambda: Terms(floor=-1),
    ],
)
def test_a_wrong_entry_cannot_be_made(wrong: object) -> None:
    """Sums that are not nothing, half coins, no coins, coins from the wrong side: each is refused before it comes near the books."""
    assert callable(wrong)
    with pytest.raises(ValueError):
        wrong()


def test_seats_that_cannot_pay_are_named() -> None:
    """A player without an account has nothing. (R15.2)"""
    stake = stakes("t/1", ["ann", "bob", "cem"], 100, 0, TERMS)
    assert () == seats_short(stake, dict.fromkeys(map(player, ["ann", "bob", "cem"]), 100))
    assert (0, 2) == seats_short(stake, {ANN: 99, BOB: 100})


def test_balances_never_go_below_nothing() -> None:
    """Only the mint owes; a pot pays what is in it, all of it."""
    assert {ANN: 1000, MINT: -1000} == balances_after(opening_grant("ann", "", 0, TERMS), {})
    with pytest.raises(LedgerError, match="overdraws player bob by 10"):
        balances_after(stakes("t/1", ["ann", "bob"], 10, 0, TERMS), {ANN: 10})
    with pytest.raises(LedgerError, match="overdraws pot t/1 by 1"):
        balances_after(settlement("t/1", ["ann", "bob"], [21, 0], 0), {POT: 20})
    with pytest.raises(LedgerError, match="leaves 1 coins in the pot"):
        balances_after(settlement("t/1", ["ann", "bob"], [19, 0], 0), {POT: 20})


@given(st.one_of(NAMES.map(player), st.just(MINT), st.builds(lambda name, game: pot_of(f"{name}/{game}"), NAMES, st.integers(1, 999))))
def test_accounts_are_read_as_they_are_written(account: Account) -> None:
    """Every account has one text, and every text one account."""
    assert account == parse_account(format_account(account))


@pytest.mark.parametrize(
    "text", ["", "mint:", "mint:x", "player", "player:", "player:a b", "player:a,b", "pot:t", "pot:t/", "pot:t/x", "x:y"]
)
def test_what_is_no_account_is_refused(text: str) -> None:
    """Text that names no account is a ValueError."""
    with pytest.raises(ValueError):
        parse_account(text)


def test_accounts_without_a_name_are_refused() -> None:
    """A player and a pot have a name, the mint has none."""
    for kind, name in ((AccountKind.PLAYER, ""), (AccountKind.POT, ""), (AccountKind.MINT, "x")):
        with pytest.raises(ValueError):
            Account(kind, name)


@pytest.mark.parametrize(
    ("address", "block"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("unknown", "unknown"),
    ],
)
def test_a_household_is_one_address(address: str, block: str) -> None:
    """Who has more addresses of version 6 than there are coins is still one household."""
    assert block == address_block(address)


def test_a_company_is_its_players_wherever_they_sit() -> None:
    """Seats and their order do not make another company."""
    assert company_of(["cem", "ann", "bob"]) == company_of(["bob", "cem", "ann"])
    assert company_of(["ann", "bob"]) != company_of(["ann", "bob", "cem"])


def test_days_begin_at_midnight_utc() -> None:
    """The last millisecond of a day is of that day."""
    assert [0, 0, 1] == [day_of(0), day_of(DAY - 1), day_of(DAY)]


def test_entries_of_a_game_are_kept_with_its_table() -> None:
    """What a game's append writes is at one address, that of its events."""
    made = [stakes("t/12", ["ann", "bob"], 10, 0, TERMS), refunds("t/12", ["ann", "bob"], 10, 0), settlement("t/12", ["ann"], [20], 0)]
    assert {"t"} == {each.home for each in made} == {home_of("t/12")}


def test_everything_public_is_named() -> None:
    """The package offers what its modules make for others, and nothing that takes two players and an amount."""
    assert sorted(kozyr.ledger.__all__) == sorted(set(kozyr.ledger.__all__))
    takers = {
        name
        for name in kozyr.ledger.__all__
        if inspect.isfunction(made := getattr(kozyr.ledger, name)) and inspect.signature(made, eval_str=True).return_annotation is Entry
    }
    assert {"opening_grant", "stakes", "settlement", "refunds", "refund_of", "settle"} == takers

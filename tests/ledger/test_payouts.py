"""The pot and its payouts, clause by clause."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozyr.ledger import Split, payouts, pot, shares, weights

ENTRIES = st.integers(0, 20_000)
SEATS = st.integers(2, 6)
SPLITS = st.sampled_from(Split)


@st.composite
def finishes(draw: st.DrawFn) -> tuple[int, list[int], int, bool]:
    """Finish a game with a durak: seats, places, durak, and whether by a forfeit."""
    seats = draw(SEATS)
    order = draw(st.permutations(range(seats)))
    forfeit = draw(st.booleans())
    placed = draw(st.integers(0, seats - 1)) if forfeit else seats - 1
    return seats, order[:placed], order[-1], forfeit


def test_the_pot_is_every_seats_entry() -> None:
    """Every seat puts in the same; the whole of it is paid out. (R15.2)"""
    assert [0, 200, 60_000] == [pot(0, 4), pot(100, 2), pot(10_000, 6)]


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        ("linear", [(1, 0), (2, 1, 0), (3, 2, 1, 0), (4, 3, 2, 1, 0), (5, 4, 3, 2, 1, 0)]),
        ("winner", [(1, 0), (1, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)]),
        ("equal", [(1, 0), (1, 1, 0), (1, 1, 1, 0), (1, 1, 1, 1, 0), (1, 1, 1, 1, 1, 0)]),
    ],
)
def test_earlier_places_weigh_more(split: str, expected: list[tuple[int, ...]]) -> None:
    """The durak gets nothing; what the others get depends on the table's split. (R15.3)"""
    assert expected == [weights(seats, split) for seats in range(2, 7)]


@pytest.mark.parametrize(
    ("entry", "split", "expected"),
    [
        (100, "linear", (200, 0)),
        (100, "linear", (200, 100, 0)),
        (100, "linear", (200, 133, 67, 0)),
        (1, "linear", (2, 1, 1, 0)),
        (7, "linear", (14, 11, 7, 3, 0)),
        (100, "linear", (200, 160, 120, 80, 40, 0)),
        (25, "winner", (100, 0, 0, 0)),
        (10, "equal", (14, 13, 13, 0)),
        (11, "equal", (15, 15, 14, 0)),
        (0, "linear", (0, 0, 0)),
    ],
)
def test_the_pot_is_split_by_place(entry: int, split: str, expected: tuple[int, ...]) -> None:
    """Odd coins go to the largest fractions, then to the better places. (R15.3, R15.4)"""
    seats = len(expected)
    assert expected == shares(pot(entry, seats), split, seats)
    assert expected == payouts(entry, seats, split, range(seats - 1), seats - 1)


@given(SEATS, ENTRIES)
def test_the_first_place_gets_two_entries(seats: int, entry: int) -> None:
    """Who is out first doubles the entry, at a table of any size. (R15.3)"""
    assert 2 * entry == shares(pot(entry, seats), Split.LINEAR, seats)[0]


@given(st.integers(0, 100_000), SPLITS, SEATS)
def test_shares_are_the_pot_rounded(coins: int, split: Split, seats: int) -> None:
    """No share is off by a coin, all add up to the pot, and no place gets less than a later one. (R15.4)"""
    paid, parts = shares(coins, split, seats), weights(seats, split)
    assert coins == sum(paid)
    assert list(paid) == sorted(paid, reverse=True)
    assert all(abs(coin - Fraction(coins * part, sum(parts))) < 1 for coin, part in zip(paid, parts, strict=True))
    assert 0 == paid[-1]


@given(st.integers(0, 100_000), SPLITS, SEATS)
def test_odd_coins_go_to_the_largest_fractions(coins: int, split: Split, seats: int) -> None:
    """A seat that got an odd coin had at least as large a fraction as one that did not, and on a tie the better place. (R15.4)"""
    parts = weights(seats, split)
    exact = [Fraction(coins * part, sum(parts)) for part in parts]
    ordered = sorted(range(seats), key=lambda place: (int(exact[place]) - exact[place], place))
    odd = [place for place, coin in enumerate(shares(coins, split, seats)) if coin > int(exact[place])]
    assert sorted(ordered[: len(odd)]) == odd


@given(st.integers(0, 500), st.integers(1, 40), SPLITS, SEATS)
def test_shares_without_odd_coins_grow_with_the_entry(times: int, scale: int, split: Split, seats: int) -> None:
    """Ten times the entry is ten times the share, where nothing had to be rounded. (R15.3)"""
    entry = times * sum(weights(seats, split))
    once = shares(pot(entry, seats), split, seats)
    assert tuple(scale * share for share in once) == shares(pot(scale * entry, seats), split, seats)


def test_payouts_follow_the_places_not_the_seats() -> None:
    """Who was out first is paid first, wherever they sit. (R15.3)"""
    assert (67, 0, 200, 133) == payouts(100, 4, "linear", [2, 3, 0], 1)


@pytest.mark.parametrize("places", [[], [2], [2, 0], [2, 0, 1]])
def test_a_draw_refunds_everybody(places: list[int]) -> None:
    """A draw gives every entry back, also to seats already out: by empty hands, by repetition or for want of progress. (R15.5)"""
    assert (7, 7, 7) == payouts(7, 3, "linear", places, None)


@pytest.mark.parametrize(
    ("entry", "seats", "placed", "expected"),
    [
        (100, 5, 2, (200, 150, 75, 75, 0)),
        (7, 3, 0, (11, 10, 0)),
        (100, 2, 0, (200, 0)),
        (100, 3, 1, (200, 100, 0)),
        (10, 4, 0, (14, 13, 13, 0)),
        (100, 6, 5, (200, 160, 120, 80, 40, 0)),
    ],
)
def test_a_forfeit_shares_the_remaining_places(entry: int, seats: int, placed: int, expected: tuple[int, ...]) -> None:
    """The leaver is the durak; who is out keeps the place, the others share what is left of the pot. (R16.3)"""
    assert expected == payouts(entry, seats, "linear", range(placed), seats - 1, forfeit=True)


def test_odd_coins_of_a_forfeit_go_round_from_the_leavers_left() -> None:
    """Seat 2 leaves: the first odd coin goes to seat 3, or to seat 4 if 3 is out, the second to seat 0. (R16.3)"""
    assert (7, 6, 0, 7) == payouts(5, 4, "linear", [], 2, forfeit=True)
    assert (6, 5, 0, 14, 6, 11) == payouts(7, 6, "linear", [3, 5], 2, forfeit=True)


def test_a_forfeit_where_the_winner_takes_all() -> None:
    """Where only the first place is paid, nothing is left to share once somebody has it. (R15.3, R16.3)"""
    assert (0, 100, 0, 0) == payouts(25, 4, "winner", [1], 3, forfeit=True)
    assert (34, 33, 33, 0) == payouts(25, 4, "winner", [], 3, forfeit=True)


@given(ENTRIES, SPLITS, finishes())
def test_payouts_add_up_to_the_pot(entry: int, split: Split, finish: tuple[int, list[int], int, bool]) -> None:
    """No coin is lost or made; nobody gets less than nothing, the durak nothing, an earlier place never less. (R15.3, R16.3)"""
    seats, places, durak, forfeit = finish
    paid = payouts(entry, seats, split, places, durak, forfeit=forfeit)
    assert pot(entry, seats) == sum(paid)
    assert seats == len(paid)
    assert min(paid) >= 0
    assert 0 == paid[durak]
    by_place = [paid[seat] for seat in places]
    assert by_place == sorted(by_place, reverse=True)
    others = [paid[seat] for seat in range(seats) if seat not in places and seat != durak]
    assert not others or max(others) - min(others) <= 1
    assert not (others and places) or by_place[-1] >= max(others)
    assert by_place == list(shares(pot(entry, seats), split, seats))[: len(places)]


@given(ENTRIES, SPLITS, finishes(), st.integers(0, 5))
def test_payouts_turn_with_the_seats(entry: int, split: Split, finish: tuple[int, list[int], int, bool], turn: int) -> None:
    """It does not matter which seat has which number. (R16.3)"""
    seats, places, durak, forfeit = finish
    paid = payouts(entry, seats, split, places, durak, forfeit=forfeit)
    turned = payouts(entry, seats, split, [(seat + turn) % seats for seat in places], (durak + turn) % seats, forfeit=forfeit)
    assert paid == tuple(turned[(seat + turn) % seats] for seat in range(seats))


@pytest.mark.parametrize(
    ("places", "durak", "forfeit", "message"),
    [
        ([0, 1], 3, False, "there is no seat 3 among 3"),
        ([-1, 1], 0, False, "there is no seat -1 among 3"),
        ([0, 0], 1, False, "a seat is named twice"),
        ([0, 1, 2], 2, False, "a seat is named twice"),
        ([0, 2, 2], None, False, "a seat is named twice"),
        ([0], 1, False, "2 of 3 seats have a place: only a forfeit leaves seats without one"),
        ([0], None, True, "a forfeit names the seat that left as the durak"),
    ],
)
def test_impossible_finishes_are_refused(places: list[int], durak: int | None, forfeit: bool, message: str) -> None:
    """Coins move only when it is clear who finished how. (R11.5, R16.3)"""
    with pytest.raises(ValueError, match=message):
        payouts(100, 3, "linear", places, durak, forfeit=forfeit)


def test_impossible_pots_are_refused() -> None:
    """An entry is a number of coins from 0, put in by at least two seats, and split in a way that exists. (R15.2, R15.3)"""
    with pytest.raises(ValueError, match="an entry of -1 coins is below 0"):
        pot(-1, 2)
    with pytest.raises(ValueError, match="at least two seats, not 1"):
        pot(10, 1)
    with pytest.raises(ValueError, match="a pot of -5 coins is below 0"):
        shares(-5, "linear", 2)
    with pytest.raises(ValueError, match="at least two seats, not 0"):
        weights(0, "equal")
    with pytest.raises(ValueError, match="the split 'fair' is none of linear, winner, equal"):
        payouts(10, 3, "fair", [], None)

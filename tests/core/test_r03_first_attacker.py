"""R3: who attacks first."""

from __future__ import annotations

import pytest

from kozyr.core.cards import mask_of, parse_cards, trump_mask
from kozyr.core.options import Rules
from kozyr.core.setup import LastGame, first_attacker, first_by_trump, needs_redeal
from tests.core.playing import dealt, legal, pack_beginning

# Two seats, dealer seat 1: seat 0 holds 7h and 9h, seat 1 the 8h; hearts are trump by the turned 6h, which nobody holds.
TRUMPS = "7h 6d 9h 7d Tc 8h Jc 9d Qc Td Kc Jd 6h"
# The same with no heart in a hand; seat 0's lowest card is the six of diamonds, seat 1 holds the six of spades.
NO_TRUMPS = "7c 6s 6d 7d 9c 8d Jc 9d Qc Td Kc Jd 6h"


def by_trump(hands: list[str], trump: str, dealer: int = 0, **options: str) -> int | None:
    """
    Say who attacks first with these hands.
    """
    rules = Rules.of({"deck": 52, "seats": len(hands), **options})
    masks = [int(mask_of(parse_cards(cards))) for cards in hands]
    return first_by_trump(rules, masks, trump_mask(16 * "cdhs".index(trump)), dealer)


def test_the_holder_of_the_lowest_trump_attacks_first() -> None:
    """
    The lowest trump in hand decides, not the lowest card. (R3.1)
    """
    assert 2 == by_trump(["6c 9h", "2d Ah", "8h Kc"], "h")


def test_the_turned_card_does_not_count() -> None:
    """
    The six of hearts is turned up and nobody holds it; seat 0 has the lowest heart in hand, the seven. (R3.1)
    """
    assert 0 == first_attacker(Rules(), pack_beginning(36, TRUMPS), 1)


def test_the_shown_card_counts_where_all_cards_are_dealt() -> None:
    """
    The dealer's last card fixes trumps and is in a hand: with the nine of trumps the dealer attacks. (R3.1)
    """
    pack = pack_beginning(24, "Tc Td Th Ts Jc Jd Jh Js Qc Qd Qh Qs Kc Kd Kh Ks Ac Ad Ah As 9c 9d 9h 9s")
    assert 3 == first_attacker(Rules(deck=24, seats=4), pack, 3)


def test_the_lowest_trump_need_not_be_played() -> None:
    """
    Whoever holds the lowest trump may open with any card. (R3.1)
    """
    position = dealt(TRUMPS, dealer=1, attacker=0)
    assert {"attack 7h", "attack 9h", "attack Tc", "attack Jc", "attack Qc", "attack Kc"} == legal(position, 0)


@pytest.mark.parametrize(("dealer", "seat"), [(0, 1), (1, 2), (2, 0)])
def test_left_of_dealer_attacks_where_nobody_holds_a_trump(dealer: int, seat: int) -> None:
    """
    With `no_trump: left_of_dealer` the seat at the dealer's left begins. (R3.2)
    """
    assert seat == by_trump(["6c", "7c", "8c"], "h", dealer, no_trump="left_of_dealer")


def test_the_lowest_card_attacks_where_nobody_holds_a_trump() -> None:
    """
    With `no_trump: lowest_card` the lowest rank of all begins. (R3.2)
    """
    assert 2 == by_trump(["6c Ad", "7c", "2d Ks"], "h", no_trump="lowest_card")


@pytest.mark.parametrize(("dealer", "seat"), [(0, 1), (1, 2), (2, 1)])
def test_of_equal_lowest_cards_the_one_nearest_the_dealers_left_attacks(dealer: int, seat: int) -> None:
    """
    Seats 1 and 2 both hold a six; the one that comes first from the dealer's left begins. (R3.2)
    """
    assert seat == by_trump(["7c", "6c", "6d"], "h", dealer, no_trump="lowest_card")


def test_lots_are_drawn_where_nobody_holds_a_trump() -> None:
    """
    With `no_trump: lot`, the default, the rules name nobody: no seat may be favoured by its number. (R3.2)
    """
    assert first_attacker(Rules(), pack_beginning(36, NO_TRUMPS), 1) is None


def test_a_deal_without_a_trump_in_hand_is_dealt_anew_where_the_table_says_so() -> None:
    """
    With `no_trump: redeal` cards are dealt until somebody holds a trump. (R3.2)
    """
    rules = Rules(no_trump="redeal")
    assert [True, False] == [needs_redeal(rules, pack_beginning(36, cards), 1) for cards in (NO_TRUMPS, TRUMPS)]


@pytest.mark.parametrize(
    ("series_first", "seat"),
    [
        ("lowest_trump", 5),
        ("left_of_last_defender", 4),
        ("attack_durak", 0),
        ("left_of_durak", 2),
        ("durak", 1),
        ("winner", 3),
    ],
)
def test_the_first_attacker_of_a_later_game_is_the_one_that_the_table_says(series_first: str, seat: int) -> None:
    """
    Seat 1 was the durak, seat 3 won and defended last; now seat 5 holds the deuce of trumps. (R3.3)
    """
    rules = Rules(deck=52, seats=6, series_first=series_first)
    pack = pack_beginning(52, "3c 4c 5c 6c 7c 2h")
    assert 5 == first_attacker(rules, pack, 5)
    assert seat == first_attacker(rules, pack, 5, LastGame(durak=1, winner=3, last_defender=3))


def test_attacking_the_durak_goes_round_the_table() -> None:
    """
    When seat 0 was the durak, the seat at its right is the last one. (R3.3)
    """
    rules = Rules(deck=52, seats=6, series_first="attack_durak")
    assert 5 == first_attacker(rules, pack_beginning(52, ""), 0, LastGame(durak=0, winner=2, last_defender=0))


@pytest.mark.parametrize("series_first", ["left_of_last_defender", "attack_durak", "left_of_durak", "durak", "winner"])
def test_the_lowest_trump_attacks_after_a_drawn_game(series_first: str) -> None:
    """
    After a drawn game nobody is the durak, and the lowest trump decides again. (R3.3)
    """
    last = LastGame(durak=None, winner=1, last_defender=1)
    assert 0 == first_attacker(Rules(series_first=series_first), pack_beginning(36, TRUMPS), 1, last)


def test_the_lowest_trump_attacks_where_the_game_before_has_no_winner() -> None:
    """
    A game that was given up before anybody went out has no winner to begin the next. (R3.3)
    """
    last = LastGame(durak=1, winner=None, last_defender=0)
    assert 0 == first_attacker(Rules(series_first="winner"), pack_beginning(36, TRUMPS), 1, last)

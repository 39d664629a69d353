"""R1: deck and seats."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from kozyr.core.cards import DECKS, deck_of, format_card, format_cards, parse_card
from kozyr.core.options import OptionError, Rules, may_deal
from tests.core.playing import at, public


@pytest.mark.parametrize(("size", "lowest"), [(24, "9"), (36, "6"), (52, "2")])
def test_a_deck_has_four_suits_from_its_lowest_rank_to_the_ace(size: int, lowest: str) -> None:
    """
    24 cards go from the nine to the ace, 36 from the six, 52 from the deuce. (R1.1)
    """
    ranks = "23456789TJQKA"["23456789TJQKA".index(lowest) :]
    assert {rank + suit for suit in "cdhs" for rank in ranks} == set(format_cards(deck_of(size)).split())
    assert size == len(deck_of(size))


def test_the_ace_is_high_in_every_deck() -> None:
    """
    No card of a suit is higher than its ace, whatever the deck. (R1.1)
    """
    for size in DECKS:
        assert "Ac" == format_card(max(card for card in deck_of(size) if card < parse_card("2d")))


@pytest.mark.parametrize(
    ("deck", "most"),
    [(24, 4), (36, 6), (52, 6)],
)
def test_a_table_has_as_many_seats_as_get_six_cards(deck: int, most: int) -> None:
    """
    Two to four play with 24 cards, two to six with 36 or 52. (R1.2)
    """
    assert list(range(2, most + 1)) == [seats for seats in range(8) if may_deal(deck, seats)]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"deck": 24, "seats": 5}, "undealable"),
        ({"deck": 36, "seats": 7}, "bad_value"),
        ({"deck": 52, "seats": 1}, "bad_value"),
        ({"deck": 32, "seats": 4}, "bad_value"),
    ],
)
def test_a_table_that_cannot_be_dealt_cannot_be_opened(options: dict[str, object], code: str) -> None:
    """
    The deck must give six cards to every seat, or there is no table. (R1.2)
    """
    with pytest.raises(OptionError) as caught:
        Rules.of(options)
    assert code == caught.value.code


def test_options_stay_as_they_were_chosen() -> None:
    """
    All options are chosen when the table is created; nobody can change them later. (R1.3)
    """
    rules = Rules(seats=4, transfer=True)
    with pytest.raises(FrozenInstanceError):
        rules.transfer = False  # type: ignore[misc]


def test_everybody_sees_the_options_of_the_game() -> None:
    """
    The options bind everybody, and are part of every view. (R1.3)
    """
    position = at("36/s/0/0:7h,9h;1:8h,Ts/0>1/-/transfer=true,first_limit=6")
    assert Rules(transfer=True, first_limit=6) == public(position).rules


def test_there_are_no_jokers() -> None:
    """
    Every card of every deck has a rank and a suit. (R1.4)
    """
    for size in DECKS:
        assert all(card & 15 < 13 and card >> 4 < 4 for card in deck_of(size))
    with pytest.raises(ValueError, match="is no card"):
        parse_card("Jo")


@pytest.mark.parametrize(
    ("options", "code", "option"),
    [
        ({"colour": "red"}, "unknown_option", "colour"),
        ({"transfer": 1}, "bad_value", "transfer"),
        ({"first_limit": 5.0}, "bad_value", "first_limit"),
        ({"first_limit": 7}, "bad_value", "first_limit"),
        ({"stake": -1}, "bad_value", "stake"),
        ({"stake": True}, "bad_value", "stake"),
        ({"challenge_ms": 10**9}, "bad_value", "challenge_ms"),
        ({"series": True, "stake": 100}, "not_together", "series"),
        ({"penalty": ["rollback"]}, "bad_value", "penalty"),
    ],
)
def test_an_option_that_no_table_has_is_named_in_the_error(options: dict[str, object], code: str, option: str) -> None:
    """
    What cannot be chosen is refused with a code, the option and its value. (R1.3)
    """
    with pytest.raises(OptionError) as caught:
        Rules.of(options)
    assert (code, option) == (caught.value.code, caught.value.option)

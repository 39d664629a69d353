"""Cards, moves and options as text: every value is read back, and nothing else is read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozyr.core.cards import (
    DECKS,
    cards_in,
    deck_of,
    format_card,
    format_cards,
    format_suit,
    lowest,
    mask_of,
    parse_card,
    parse_cards,
    parse_suit,
    popcount,
)
from kozyr.core.moves import KINDS, Move, format_move, parse_move, parse_move_of
from kozyr.core.options import Rules, format_options, parse_options
from tests.core.strategies import Game, every_move, games, tables

CARDS = deck_of(52)
NO_CARDS = ["", "7", "7H", "h7", "10h", "1h", "7x", "7hh", " 7h", "7h ", "７h", "7♥", "7\n", "Ⅶh", "7h8h"]


def test_every_card_is_read_back() -> None:
    """
    52 cards, 52 texts.
    """
    assert list(CARDS) == [parse_card(format_card(card)) for card in CARDS]
    assert 52 == len({format_card(card) for card in CARDS})


@pytest.mark.parametrize("text", NO_CARDS)
def test_what_is_no_card_is_refused_with_its_text(text: str) -> None:
    """
    A card is a rank and a suit, spelled one way.
    """
    with pytest.raises(ValueError, match="is no card") as caught:
        parse_card(text)
    assert repr(text) in str(caught.value)


@given(st.lists(st.sampled_from(CARDS), unique=True))
def test_cards_in_a_row_are_read_back(cards: list[int]) -> None:
    """
    Any cards in any order, none twice.
    """
    assert cards == parse_cards(format_cards(cards))


@pytest.mark.parametrize("text", ["7h 7h", "7h  8h", "7h,8h", " ", "7h\t8h", "7h 8h "])
def test_cards_stand_between_single_spaces_and_none_twice(text: str) -> None:
    """
    There is one way to write a row of cards.
    """
    with pytest.raises(ValueError, match=r"is no card|names a card twice"):
        parse_cards(text)


@given(st.sets(st.sampled_from(CARDS)))
def test_a_set_of_cards_is_counted_and_listed(cards: set[int]) -> None:
    """
    Masks hold exactly the cards that were put in.
    """
    mask = mask_of(cards)
    assert (sorted(cards), len(cards)) == (cards_in(mask), popcount(mask))
    assert not cards or min(cards) == lowest(mask)


def test_suits_are_read_back() -> None:
    """
    Four letters.
    """
    assert list(range(4)) == [parse_suit(format_suit(suit)) for suit in range(4)]
    for text in ("", "C", "cd", "♣"):
        with pytest.raises(ValueError, match="is no suit"):
            parse_suit(text)


@pytest.mark.parametrize("size", [0, 32, 54, -24])
def test_there_are_three_decks(size: int) -> None:
    """
    24, 36 and 52 cards. (R1.1)
    """
    assert size not in DECKS
    with pytest.raises(ValueError, match="no deck has"):
        deck_of(size)


def spoken() -> list[Move]:
    """
    List every move of at most two cards that can be said.
    """
    moves = [Move(seat, kind) for seat in range(6) for kind, (least, _) in KINDS.items() if least == 0]
    moves += [Move(5, kind, (card,)) for kind, (least, most) in KINDS.items() if least <= 1 <= most for card in CARDS]
    moves += [Move(1, "beat", (attack, card)) for attack in CARDS for card in CARDS if attack != card]
    return moves + [Move(0, kind, (one, one + 16)) for kind in ("attack", "transfer") for one in CARDS if one < 48]


def test_every_move_is_read_back() -> None:
    """
    A move has one text, and the text is that move's alone.
    """
    moves = spoken()
    assert moves == [parse_move(format_move(move)) for move in moves]
    assert moves == [parse_move_of(move.seat, move.text) for move in moves]
    assert len(moves) == len({str(move) for move in moves})


@settings(max_examples=40)
@given(games())
def test_every_move_of_a_game_is_read_back(game: Game) -> None:
    """
    Whatever is legal can be said.
    """
    moves = every_move(game.position)
    assert moves == [parse_move(str(move)) for move in moves]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "0 ",
        "attack 7h",
        "6 attack 7h",
        "-1 attack 7h",
        "٣ attack 7h",
        "0  attack 7h",
        "0 attack",
        "0 attack  7h",
        "0 attack 7h ",
        "0 Attack 7h",
        "0 attack 10h",
        "0 attack 7h 8h",
        "0 attack 7h 7c",
        "0 attack 7h 7h",
        "0 attack 7c 7d 7h 7s 7c",
        "0 beat 7h",
        "0 beat 7h 8h 9h",
        "0 beat 7h 7h",
        "0 show",
        "0 take 7h",
        "0 pass now",
        "0 challenge",
        "0 surrender",
        "0 attack 7h\n",
        "0\tattack 7h",
    ],
)
def test_what_is_no_move_is_refused_with_its_text(text: str) -> None:
    """
    A move is spelled one way; all else is told what is wrong.
    """
    with pytest.raises(ValueError, match=r"is no (move|card)"):
        parse_move(text)


@given(st.text() | st.from_regex(r"[0-6] (attack|beat|take|show)( [2-9TJ][cdhs]){0,5}", fullmatch=True))
def test_any_text_is_a_move_or_a_value_error(text: str) -> None:
    """
    Garbage never breaks the reader, and what is read is written the same.
    """
    try:
        move = parse_move(text)
    except ValueError:
        return
    assert text == format_move(move)


@given(st.text() | st.text("789Tcdhs ", max_size=9))
def test_any_text_is_cards_or_a_value_error(text: str) -> None:
    """
    The same for a card, and for cards in a row.
    """
    try:
        cards = parse_cards(text)
    except ValueError:
        return
    assert text == format_cards(cards)


@given(tables())
def test_options_are_read_back(rules: Rules) -> None:
    """
    A table's options go through text, whole or as what differs from the defaults.
    """
    assert rules == Rules.of(rules.to_dict()) == Rules.of(rules.differences())
    assert rules == Rules.of(parse_options(format_options(rules.to_dict())))
    assert rules == Rules.of(parse_options(format_options(rules.differences())))


@pytest.mark.parametrize("text", ["deck", "deck=36,deck=36", "=36", ",", "deck=36,", "deck=24,seats=5", "seats=2.0", "seats=+2", "seats=٣"])
def test_options_that_no_table_has_are_refused(text: str) -> None:
    """
    A list of options is name=value between commas, and makes a table.
    """
    with pytest.raises(ValueError):
        Rules.of(parse_options(text))

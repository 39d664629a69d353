"""R2: the deal."""

from __future__ import annotations

import pytest

from kozyr.core.cards import deck_of, format_card, format_cards, parse_card
from kozyr.core.events import Drew
from kozyr.core.options import Rules
from kozyr.core.setup import dealt_hands, needs_redeal, start
from kozyr.core.views import view
from tests.core.playing import at, dealt, drawn, events, hand, outcome, pack_beginning, public

# Three seats, the dealer is seat 2: seat 0 gets the first card, seat 1 the second, and so on.
THREE = "6c 7c 8c 6d 7d 8d 6h 7h 8h 6s 7s 8s 9c Tc Jc 9d Td Jd Qh"
# 24 cards, four seats, the dealer is seat 0, who gets the last card.
ALL = "9c 9d 9h 9s Tc Td Th Ts Jc Jd Jh Js Qc Qd Qh Qs Kc Kd Kh Ks Ac Ad As Ah"


def test_every_seat_gets_six_cards() -> None:
    """
    Six cards are dealt to each seat. (R2.1)
    """
    for deck, seats in ((24, 2), (36, 6), (52, 5)):
        assert [6] * seats == [seat.cards for seat in public(dealt("", deck=deck, seats=seats)).seats]


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    """
    The first card goes to the dealer's left, the next to the seat after that, round and round. (R2.3)
    """
    position = dealt(THREE, dealer=2, seats=3)
    assert ["6c 9c 6d 9d 6h 6s", "7c Tc 7d Td 7h 7s", "8c Jc 8d Jd 8h 8s"] == [hand(position, seat) for seat in range(3)]


def test_the_next_card_is_turned_and_its_suit_is_trump() -> None:
    """
    The card after the hands is turned up: its suit is trump for the whole game. (R2.2)
    """
    seen = public(dealt(THREE, dealer=2, seats=3))
    assert ("Qh", "h") == (format_card(seen.trump_card or 0), "cdhs"[seen.trump])
    assert 36 - 18 == seen.stock


def test_the_turned_card_is_drawn_last() -> None:
    """
    The turned card lies under the stock: it is the last to be drawn, and everybody sees who gets it. (R2.2)
    """
    position = at("36/s/6d,7s/0:6c,8c;1:9c,Th/0>1/-/")
    happened = events(position, "0 attack 6c", "1 beat 6c 9c", "0 pass")
    assert [(0, "6d 7s")] == drawn(happened)
    assert [parse_card("7s")] == [event.turned for event in happened if isinstance(event, Drew)]


@pytest.mark.parametrize("deck", [24, 36])
def test_where_all_cards_are_dealt_the_last_one_fixes_trumps(deck: int) -> None:
    """
    With no card left to turn, the suit of the dealer's last card is trump, and there is no stock. (R2.4)
    """
    pack = bytes(reversed(deck_of(deck)))
    position = start(Rules(deck=deck, seats=deck // 6), pack, 3, 0)
    seen = public(position)
    assert (0, "c") == (seen.stock, "cdhs"[seen.trump])


def test_the_last_card_dealt_is_shown_in_the_dealers_hand() -> None:
    """
    The card that fixed trumps is the dealer's, and everybody knows it. (R2.4)
    """
    seen = public(dealt(ALL, dealer=0, attacker=1, deck=24, seats=4))
    assert ("Ah", 0) == (format_card(seen.trump_card or 0), seen.trump_card_at)


def test_nobody_draws_where_all_cards_are_dealt() -> None:
    """
    There is no stock in such a game, and a bout ends without a draw. (R2.4)
    """
    position = dealt(ALL, dealer=0, attacker=1, deck=24, seats=4, throw_scope="attacker")
    happened = events(position, "1 attack 9c", "2 take", "1 pass")
    assert ("taken", []) == (outcome(happened).outcome, drawn(happened))


def test_who_deals_matters_only_for_the_order_of_dealing() -> None:
    """
    With the dealer one seat further, every hand goes one seat further, and all else is the same. (R2.5)
    """
    pack = pack_beginning(52, THREE)
    for dealer in range(5):
        first = dealt_hands(Rules(deck=52, seats=5), pack, dealer)
        second = dealt_hands(Rules(deck=52, seats=5), pack, (dealer + 1) % 5)
        assert [hand(first, seat) for seat in range(5)] == [hand(second, (seat + 1) % 5) for seat in range(5)]
        assert first.trumps == second.trumps


def test_a_hand_with_five_of_a_suit_is_dealt_anew_where_the_table_says_so() -> None:
    """
    With `redeal: auto_5` five cards of one suit in a hand are enough, four are not. (R2.6)
    """
    five = pack_beginning(36, "6c 6d 7c 7d 8c 8d 9c 6h Tc 7h Td 8h")
    four = pack_beginning(36, "6c 6d 7c 7d 8c 8d 9c 6h 9d 7h Td 8h")
    assert [True, False] == [needs_redeal(Rules(redeal="auto_5"), pack, 1) for pack in (five, four)]


def test_there_is_no_misdeal_otherwise() -> None:
    """
    Without the option every deal is played, even six cards of a suit. (R2.6)
    """
    six = pack_beginning(36, "6c 6d 7c 7d 8c 8d 9c 6h Tc 7h Jc 8h")
    assert not needs_redeal(Rules(), six, 1)


@pytest.mark.parametrize(
    "pack",
    [deck_of(36)[1:], deck_of(36)[1:] + deck_of(36)[1:2], deck_of(52), deck_of(36)[:-1] + bytes([63]), b""],
    ids=["one too few", "one twice", "another deck", "no card", "empty"],
)
def test_only_a_shuffle_of_the_deck_is_dealt(pack: bytes) -> None:
    """
    A pack holds every card of the deck once. (R2.1)
    """
    with pytest.raises(ValueError, match="no shuffle"):
        start(Rules(), pack, 0, 0)


def test_the_dealer_knows_no_more_than_the_others() -> None:
    """
    The turned card is in nobody's hand; the dealer sees its own six cards like everybody. (R2.2)
    """
    position = dealt(THREE, dealer=2, seats=3)
    assert "8c Jc 8d Jd 8h 8s" == format_cards(view(position, 2).hand)

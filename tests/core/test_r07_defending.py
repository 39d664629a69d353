"""R7: defending."""

from __future__ import annotations

import pytest

from kozyr.core.cards import beaters, cards_in, deck_of, format_card, parse_card, trump_mask
from tests.core.playing import at, code, legal, phase, public


def beaten_by(card: str, trump: str) -> set[str]:
    """
    Name every card of 36 that beats *card*.
    """
    found = beaters(parse_card(card), trump_mask(16 * "cdhs".index(trump)))
    return {format_card(other) for other in cards_in(found) if other in deck_of(36)}


def test_a_plain_card_is_beaten_by_a_higher_one_of_its_suit_or_any_trump() -> None:
    """
    The jack of hearts falls to queen, king and ace of hearts and to every spade. (R7.1)
    """
    assert {"Qh", "Kh", "Ah", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs", "Ks", "As"} == beaten_by("Jh", "s")


def test_a_trump_is_beaten_by_a_higher_trump_only() -> None:
    """
    No plain card beats a trump. (R7.1)
    """
    assert {"Ks", "As"} == beaten_by("Qs", "s")
    assert set() == beaten_by("As", "s")


def test_there_is_no_duty_to_follow_suit() -> None:
    """
    A defender who could follow may trump, and may take. (R7.1)
    """
    assert {"beat 7h 8h", "beat 7h 6s", "take"} == legal(at("36/s/0/0:9c;1:8h,6s,Kd/0>1/7h@0/"), 1)


def test_a_card_that_does_not_beat_is_refused() -> None:
    """
    Lower cards and other suits do not beat. (R7.1)
    """
    position = at("36/s/0/0:9c;1:6h,8d,8h/0>1/7h@0/")
    assert ["does_not_beat"] * 2 == [code(position, move) for move in ("1 beat 7h 6h", "1 beat 7h 8d")]


@pytest.mark.parametrize(
    ("first", "then"),
    [("1 beat 7h 8h", {"beat 7d 8d", "beat 7d Kd", "take"}), ("1 beat 7d 8d", {"beat 7h 8h", "beat 7h Ah", "take"})],
)
def test_unbeaten_cards_are_beaten_in_any_order(first: str, then: set[str]) -> None:
    """
    The defender chooses which card to beat first. (R7.2)
    """
    assert then == legal(at("36/s/0/0:9c;1:8h,8d,Kd,Ah/0>1/7h@0,7d@0/", first), 1)


def test_a_card_placed_stays() -> None:
    """
    What is beaten is beaten; it cannot be beaten again with another card. (R7.2)
    """
    position = at("36/s/0/0:9c;1:8h,8d,Kd,Ah/0>1/7h@0,7d@0/", "1 beat 7h 8h")
    assert "already_beaten" == code(position, "1 beat 7h Ah")


def test_only_a_card_of_the_bout_is_beaten_with_a_card_in_hand() -> None:
    """
    The defender beats attack cards that lie, with own cards. (R7.2)
    """
    position = at("36/s/0/0:9c;1:8h,8d,Kd,Ah/0>1/7h@0/")
    assert ["card_not_in_bout", "not_in_hand"] == [code(position, move) for move in ("1 beat 9c Kd", "1 beat 7h Kh")]


def test_the_bout_waits_for_the_defender_alone_while_a_card_is_unbeaten() -> None:
    """
    The others may add cards and need not. (R7.3)
    """
    position = at("36/s/0/0:7d,9c;1:8h,8d,Kd,Ah;2:7c,Tc/0>1/7h@0/seats=3")
    assert ((1,), "DEFENCE") == (public(position).waiting, phase(position))
    assert [{"attack 7d"}, {"attack 7c"}] == [legal(position, seat) for seat in (0, 2)]


def test_nobody_else_defends() -> None:
    """
    Only the defender beats, transfers or takes. (R7.3)
    """
    position = at("36/s/0/0:8c,9h;1:8h,8d,Kd,Ah;2:Th,Tc/0>1/7h@0/seats=3")
    assert ["not_the_defender"] * 2 == [code(position, move) for move in ("2 beat 7h Th", "0 take")]

"""R4: the first attack."""

from __future__ import annotations

from tests.core.playing import at, code, events, legal, phase, public

BEGIN = "36/s/0/0:7h,7d,9h,As;1:8h,Ts,Jc;2:7c,Kd,Qs/0>1/-/seats=3"


def test_the_attacker_opens_with_any_one_card() -> None:
    """
    Any card of the hand may open the bout, trump or not. (R4.1)
    """
    assert {"attack 7h", "attack 7d", "attack 9h", "attack As"} == legal(at(BEGIN), 0)


def test_nobody_acts_before_the_first_card_lies() -> None:
    """
    Until the attacker has played, the others wait. (R4.1)
    """
    position = at(BEGIN)
    assert [set(), set()] == [legal(position, seat) for seat in (1, 2)]
    assert "not_your_turn" == code(position, "2 attack 7c")
    assert "nothing_to_beat" == code(position, "1 take")


def test_the_attacker_may_not_pass_before_the_first_card() -> None:
    """
    An attack must be made. (R4.1)
    """
    assert "nothing_to_pass" == code(at(BEGIN), "0 pass")


def test_the_defender_is_the_next_seat_in_at_the_attackers_left() -> None:
    """
    Seat 1 has gone out, so seat 0 attacks seat 2. (R4.1)
    """
    assert 2 == public(at("36/s/0/0:7h;1:;2:8h,9h;3:Td/0>2/-/seats=4,out=1")).defender


def test_one_card_opens_the_bout_unless_the_table_allows_several() -> None:
    """
    With `multi_attack` off an attack is one card. (R4.2)
    """
    assert "one_card_only" == code(at(BEGIN), "0 attack 7d 7h")


def test_several_cards_of_one_rank_may_open_the_bout_where_the_table_allows_it() -> None:
    """
    With `multi_attack` the attacker may open with both sevens at once. (R4.2)
    """
    position = at(BEGIN + ",multi_attack=true")
    assert {"attack 7h", "attack 7d", "attack 9h", "attack As", "attack 7d 7h"} == legal(position, 0)
    events(position, "0 attack 7d 7h")
    assert ("DEFENCE", 2) == (phase(position), len(public(position).bout))


def test_an_opening_of_several_cards_keeps_to_the_defenders_hand() -> None:
    """
    Three sevens cannot be played on a defender who holds two cards. (R4.2)
    """
    position = at("36/s/0/0:7c,7d,7h;1:8h,Ts/0>1/-/multi_attack=true")
    assert {"attack 7c", "attack 7d", "attack 7h", "attack 7c 7d", "attack 7c 7h", "attack 7d 7h"} == legal(position, 0)
    assert "no_capacity" == code(position, "0 attack 7c 7d 7h")


def test_only_the_opening_play_may_have_several_cards() -> None:
    """
    A throw-in is one card, at every table. (R4.2)
    """
    position = at("36/s/0/0:7d,7h,9h;1:8h,Ts,Jc/0>1/7c@0/multi_attack=true")
    assert {"attack 7d", "attack 7h"} == legal(position, 0)
    assert "one_card_only" == code(position, "0 attack 7d 7h")

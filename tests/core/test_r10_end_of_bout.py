"""R10: the end of a bout, and the draw."""

from __future__ import annotations

import pytest

from kozyr.core.cards import parse_card
from kozyr.core.events import BoutOver, Drew
from kozyr.core.presets import preset_rules
from tests.core.playing import at, drawn, events, hand, outcome, public

# Three seats with five, five and four cards after the bout; four cards in the stock, the seven of spades turned.
THREE = "36/s/6c,6d,6h,7s/0:8c,8d,Qc,Qd,Qh;1:Kc,Kd,Kh,Jc,Jd;2:Tc,Td,Ts,Ac/0>1/9h>Th@0/seats=3"


def test_a_beaten_bout_goes_to_the_discard() -> None:
    """
    The beaten cards are out for the rest of the game. (R10.1)
    """
    position = at(THREE)
    before = public(position).discard
    assert [] == [event for event in events(position, "0 pass") if isinstance(event, BoutOver)]
    happened = events(position, "2 pass")
    assert BoutOver("beaten", (parse_card("9h"), parse_card("Th")), None, (0, 2, 1)) == outcome(happened)
    assert before + 2 == public(position).discard
    assert not any(card in hand(position, seat) for seat in range(3) for card in ("9h", "Th"))


def test_the_successful_defender_attacks_next() -> None:
    """
    Who has beaten everything opens the next bout. (R10.1)
    """
    seen = public(at(THREE, "0 pass", "2 pass"))
    assert (1, 2, "OPENING") == (seen.attacker, seen.defender, seen.phase)


def test_the_attack_passes_over_a_defender_who_took() -> None:
    """
    The seat after the defender attacks next. (R10.2)
    """
    seen = public(at(THREE.replace("9h>Th@0", "9h@0"), "1 take", "0 pass", "2 pass"))
    assert (2, 0) == (seen.attacker, seen.defender)


def test_with_two_seats_the_same_player_attacks_again_after_a_take() -> None:
    """
    Heads-up the seat after the defender is the attacker. (R10.2)
    """
    seen = public(at("36/s/0/0:8c,8d;1:Kc,Kd/0>1/9h@0/", "1 take", "0 pass"))
    assert (0, 1) == (seen.attacker, seen.defender)


def test_after_a_transfer_the_one_who_took_is_passed_over() -> None:
    """
    The final defender counts, not the first. (R10.2)
    """
    text = "36/s/0/0:8c,8d;1:9c,Kd;2:Tc,Td;3:Jc,Jd/0>1/9h@0/seats=4,transfer=true"
    seen = public(at(text, "1 transfer 9c", "2 take"))
    assert (3, 0) == (seen.attacker, seen.defender)


def test_the_opener_draws_first_and_the_defender_last() -> None:
    """
    Everyone fills up to six in turn: the opener, then clockwise, the defender last. (R10.3)
    """
    happened = events(at(THREE), "0 pass", "2 pass")
    assert [(0, "6c"), (2, "6d 6h"), (1, "7s")] == drawn(happened)


def test_each_seat_fills_up_before_the_next_draws() -> None:
    """
    With a short stock the later seats get nothing. (R10.3)
    """
    happened = events(at(THREE.replace("6c,6d,6h,7s", "6d,7s").replace("0:8c,8d,Qc,Qd,Qh", "0:8c,8d")), "0 pass", "2 pass")
    assert [(0, "6d 7s")] == drawn(happened)


def test_who_holds_six_cards_or_more_draws_none() -> None:
    """
    A defender who took has cards enough. (R10.3)
    """
    happened = events(at(THREE.replace("9h>Th@0", "9h@0")), "1 take", "0 pass", "2 pass")
    assert [0, 2] == [seat for seat, _ in drawn(happened)]


@pytest.mark.parametrize(("draw_order", "order"), [("clockwise", (0, 1, 3, 2)), ("joined", (0, 3, 1, 2))])
def test_the_order_of_the_draw_is_clockwise_or_as_seats_joined(draw_order: str, order: tuple[int, ...]) -> None:
    """
    Seat 0 opened, seat 3 threw in before seat 1 passed it on to seat 2. (R10.3)
    """
    text = f"36/s/0/0:8c,8d;1:9c,9s,Kd;2:Tc,Td,Th,Qc;3:9d,Jd/0>1/9h@0/seats=4,transfer=true,draw_order={draw_order}"
    position = at(text)
    happened = events(position, "3 attack 9d", "1 transfer 9c", "2 take", "0 pass", "3 pass", "1 pass")
    assert order == outcome(happened).order


@pytest.mark.parametrize("draw_order", ["clockwise", "joined"])
def test_an_opener_who_defends_in_the_end_draws_last(draw_order: str) -> None:
    """
    The attack came back to seat 0: the next that joined opens the draw. (R10.3)
    """
    text = f"36/s/0/0:8c,8d,Kh,Qh;1:9c,Kd,Jc;2:9d,Td,Th/0>1/9h@0/seats=3,transfer=true,draw_order={draw_order}"
    happened = events(at(text, "1 transfer 9c", "2 transfer 9d"), "0 take", "1 pass", "2 pass")
    assert (1, 2, 0) == outcome(happened).order


def test_with_no_joiner_left_the_defenders_left_opens_the_draw() -> None:
    """
    Seat 0 opened and must take every card for a wrong challenge; nobody else joined. (R10.3)
    """
    text = "36/s/0/0:8c,8d;1:Kc,Kd;2:Tc,Td;3:Jc,Jd/0>1/9h>Th@0/seats=4,cheat=true"
    assert (2, 3, 1, 0) == outcome(events(at(text), "0 challenge Th")).order


def test_the_turned_trump_goes_to_whose_turn_it_is() -> None:
    """
    The last card of a short stock is the turned trump; everybody sees who gets it. (R10.4)
    """
    happened = events(at(THREE.replace("6c,6d,6h,7s", "6c,6d,7s")), "0 pass", "2 pass")
    assert [(0, None), (2, parse_card("7s"))] == [(event.seat, event.turned) for event in happened if isinstance(event, Drew)]


def test_nobody_draws_from_an_empty_stock() -> None:
    """
    When the stock is gone the hands only shrink. (R10.4)
    """
    assert [] == drawn(events(at(THREE.replace("6c,6d,6h,7s", "0")), "0 pass", "2 pass"))


def test_cards_are_drawn_before_the_roles_move() -> None:
    """
    The order of the draw is that of the bout that ended, not of the next. (R10.4)
    """
    position = at(THREE.replace("6c,6d,6h,7s", "7s"))
    assert [(0, "7s")] == drawn(events(position, "0 pass", "2 pass"))
    assert 1 == public(position).attacker


def test_passing_the_first_attack_to_the_left_of_the_last_defender_is_a_rule_for_later_games() -> None:
    """
    Within a game the successful defender attacks; the peak preset names the next game's first attacker so. (R10.5)
    """
    rules = preset_rules("peak", {})
    assert "left_of_last_defender" == rules.series_first
    assert 1 == public(at(THREE + ",series_first=left_of_last_defender", "0 pass", "2 pass")).attacker

"""R5: throwing in."""

from __future__ import annotations

import pytest

from kozyr.core.notation import parse_view
from tests.core.playing import after, at, code, events, legal, outcome, phase, public

# 0 attacked 1 with the nine, which is beaten by the ten; everybody holds a nine or a ten.
FOUR = "36/s/0/0:9c,Kh;1:Qd,Ad,Kc;2:Tc,8c;3:9d,8d/0>1/9h>Th@0/seats=4"


def throwers(text: str, *moves: str) -> list[int]:
    """
    List the seats that may throw in.
    """
    position = at(text, *moves)
    return [seat for seat in range(position.rules.seats) if any(move.startswith("attack") for move in legal(position, seat))]


def test_only_ranks_in_the_bout_are_thrown_in() -> None:
    """
    A nine lies and a ten beat it: nines and tens may follow, of attack and defence cards alike. (R5.1)
    """
    position = at(FOUR)
    assert [{"attack 9c", "pass"}, {"attack Tc", "pass"}, {"attack 9d", "pass"}] == [legal(position, seat) for seat in (0, 2, 3)]
    assert "rank_not_in_bout" == code(position, "0 attack Kh")


def test_cards_are_thrown_in_one_at_a_time() -> None:
    """
    Whoever has two fitting cards plays two throw-ins. (R5.1)
    """
    position = at("36/s/0/0:9c,9d;1:Qd,Ad,Kc/0>1/9h>Th@0/")
    assert "one_card_only" == code(position, "0 attack 9c 9d")
    assert 3 == len(public(after(position, "0 attack 9c", "0 attack 9d")).bout)


def test_everybody_but_the_defender_throws_in() -> None:
    """
    With `throw_scope: all` every other seat may add cards. (R5.2)
    """
    assert [0, 2, 3] == throwers(FOUR)
    assert "defender_cannot_attack" == code(at(FOUR), "1 attack Kc")


def test_only_the_defenders_neighbours_throw_in_where_the_table_says_so() -> None:
    """
    With `throw_scope: neighbours` the two seats beside the defender add cards, seat 3 does not. (R5.2)
    """
    assert [0, 2] == throwers(FOUR + ",throw_scope=neighbours")
    assert "not_a_thrower" == code(at(FOUR + ",throw_scope=neighbours"), "3 attack 9d")


def test_only_the_attacker_throws_in_where_the_table_says_so() -> None:
    """
    With `throw_scope: attacker` nobody else adds cards. (R5.2)
    """
    assert [0] == throwers(FOUR + ",throw_scope=attacker")


def test_neighbours_are_counted_among_the_seats_in() -> None:
    """
    Seat 2 has gone out: seat 3 is the defender's neighbour now. (R5.2)
    """
    assert [0, 3] == throwers("36/s/0/0:9c,Kh;1:Qd,Ad,Kc;2:;3:9d,8d;4:Tc,8c/0>1/9h>Th@0/seats=5,throw_scope=neighbours,out=2")


def test_a_neighbour_without_cards_keeps_its_place_until_the_bout_ends() -> None:
    """
    Seat 2 ran out in this bout; seat 3 does not become the defender's neighbour. (R5.2)
    """
    assert [0] == throwers("36/s/0/0:9c,Kh;1:Qd,Ad,Kc;2:;3:9d,8d/0>1/9h>Th@0,Tc>Jc@2/seats=4,throw_scope=neighbours")


def test_the_throwers_are_found_anew_after_a_transfer() -> None:
    """
    Seat 1 passed the attack on to seat 2, whose neighbours are 1 and 3. (R5.2)
    """
    text = "36/s/0/0:9c,Kh;1:9d,Ad,Kc;2:Tc,8c,6c;3:9s,8d/0>1/9h@0/seats=4,throw_scope=neighbours,transfer=true"
    assert [0] == throwers(text)
    assert [3] == throwers(text, "1 transfer 9d")


def test_with_two_seats_only_the_attacker_attacks() -> None:
    """
    There is nobody else to throw in. (R5.2)
    """
    assert [0] == throwers("36/s/0/0:9c,Kh;1:9d,Ad,Kc/0>1/9h@0/")


def test_throw_ins_need_not_wait_for_the_defender() -> None:
    """
    At open pace a card may be thrown in as soon as the first card lies, before the answer. (R5.3)
    """
    position = at("36/s/0/0:9c,Kh;1:Qd,Ad,Kc;2:9d,8c/0>1/9h@0/seats=3")
    assert [{"attack 9c"}, {"attack 9d"}] == [legal(position, seat) for seat in (0, 2)]
    assert "DEFENCE" == phase(after(position, "2 attack 9d"))


def test_a_throw_in_too_late_for_the_capacity_is_refused_and_costs_nothing() -> None:
    """
    Seats 0 and 2 both want to add the last card; the second is told that there is no room. (R5.3)
    """
    position = at("36/s/0/0:9c,Kh;1:Qd,Ad;2:9d,8c/0>1/9h@0/seats=3")
    assert "no_capacity" == code(after(position, "2 attack 9d"), "0 attack 9c")


def test_the_bout_waits_for_everybody_who_may_throw_in() -> None:
    """
    All is beaten; the bout ends when the last of the throwers has passed. (R5.4)
    """
    position = at(FOUR)
    assert (0, 2, 3) == public(position).waiting
    events(position, "2 pass", "0 pass")
    assert ((3,), "THROW_IN") == (public(position).waiting, phase(position))
    assert "beaten" == outcome(events(position, "3 pass")).outcome


def test_who_has_passed_adds_no_more_in_this_phase() -> None:
    """
    A pass lasts while the bout stays in that phase. (R5.4)
    """
    position = at(FOUR, "0 pass")
    assert set() == legal(position, 0)
    assert ["already_passed"] * 2 == [code(position, move) for move in ("0 attack 9c", "0 pass")]


@pytest.mark.parametrize("moves", [["2 attack Tc"], ["2 attack Tc", "1 beat Tc Kc"], ["2 attack Tc", "1 take"]])
def test_passes_are_cleared_when_the_phase_changes(moves: list[str]) -> None:
    """
    A throw-in that reopens the defence, a beat that ends it, and a take each give back the right to add cards. (R5.4)
    """
    position = at(FOUR, "0 pass", *moves)
    assert [False] * 4 == [seat.has_passed for seat in public(position).seats]


def test_passes_are_cleared_by_a_transfer() -> None:
    """
    The new defender faces everybody afresh. (R5.4)
    """
    text = "36/s/0/0:9c,Kh;1:9d,Ad,Kc;2:Tc,8c,6c/0>1/9h@0/seats=3,transfer=true,passed=0"
    position = at(text, "1 transfer 9d")
    assert [False] * 3 == [seat.has_passed for seat in public(position).seats]
    assert {"attack 9c"} == legal(position, 0)


def test_passes_stand_while_the_defender_takes() -> None:
    """
    Another seat's throw-in after the take adds no new rank, and clears no pass. (R5.4)
    """
    position = at(FOUR.replace("9h>Th@0", "9h@0"), "1 take", "0 pass", "3 attack 9d")
    assert [True, False, False, False] == [seat.has_passed for seat in public(position).seats]


def test_nobody_passes_while_a_card_is_unbeaten() -> None:
    """
    While the defender must answer there is nothing to pass. (R5.4)
    """
    assert "nothing_to_pass" == code(at(FOUR.replace("9h>Th@0", "9h@0")), "0 pass")


PRIORITY = FOUR + ",throw_priority=attacker_first"


def test_the_attacker_goes_first_where_the_table_says_so() -> None:
    """
    With `throw_priority: attacker_first` the others wait until the attacker has passed. (R5.5)
    """
    position = at(PRIORITY)
    assert [{"attack 9c", "pass"}, set(), set()] == [legal(position, seat) for seat in (0, 2, 3)]
    assert ["attacker_first"] * 2 == [code(position, move) for move in ("2 attack Tc", "3 pass")]
    assert {"attack Tc", "pass"} == legal(after(position, "0 pass"), 2)


def test_the_attackers_last_card_opens_the_floor() -> None:
    """
    An attacker with no card left keeps nobody waiting. (R5.5)
    """
    position = at(PRIORITY.replace("0:9c,Kh", "0:9c"))
    assert set() == legal(position, 2)
    assert {"attack Tc"} == legal(after(position, "0 attack 9c"), 2)


def test_the_floor_stays_open_when_passes_are_cleared() -> None:
    """
    The attacker passed, seat 2 threw in and it was beaten: nobody is locked out again. (R5.5)
    """
    position = at(PRIORITY, "0 pass", "2 attack Tc", "1 beat Tc Kc")
    assert [{"attack 9c", "attack Kh", "pass"}, {"pass"}, {"attack 9d", "pass"}] == [legal(position, seat) for seat in (0, 2, 3)]


def test_a_transfer_gives_the_floor_to_the_new_attacker() -> None:
    """
    Who transfers is the attacker, and goes first. (R5.5)
    """
    text = "36/s/0/0:9c,Kh;1:9d,9s,Kc;2:Tc,8c,6c/0>1/9h@0/seats=3,transfer=true,throw_priority=attacker_first,floor_open=true"
    position = at(text, "1 transfer 9d")
    assert [set(), {"attack 9s"}] == [legal(position, seat) for seat in (0, 1)]


def test_a_transfer_with_the_last_card_opens_the_floor_at_once() -> None:
    """
    The new attacker has no card left, so the others may throw in. (R5.5)
    """
    text = "36/s/0/0:9c,Kh;1:9d;2:Tc,8c,6c/0>1/9h@0/seats=3,transfer=true,throw_priority=attacker_first"
    assert {"attack 9c"} == legal(at(text, "1 transfer 9d"), 0)


TURNS = FOUR + ",pace=turns"


def test_at_turns_one_seat_acts_at_a_time() -> None:
    """
    With `pace: turns` the seats that have not passed act one after the other, from the attacker clockwise. (R5.6)
    """
    position = at(TURNS)
    order = []
    while phase(position) == "THROW_IN":
        order.append([seat for seat in range(4) if legal(position, seat)])
        events(position, f"{order[-1][0]} pass")
    assert [[0], [2], [3]] == order


def test_at_turns_a_seat_keeps_the_move_until_it_passes() -> None:
    """
    After its throw-in was beaten the same seat is asked again. (R5.6)
    """
    position = at(TURNS, "0 pass", "2 attack Tc", "1 beat Tc Kc", "0 pass")
    assert [set(), set(), {"pass"}, set()] == [legal(position, seat) for seat in range(4)]


def test_at_turns_the_defender_alone_acts_while_a_card_is_unbeaten() -> None:
    """
    Nobody throws in before the defender has answered. (R5.6)
    """
    position = at(TURNS.replace("9h>Th@0", "9h@0"))
    assert [False, True, False, False] == [bool(legal(position, seat)) for seat in range(4)]
    assert "not_your_turn" == code(position, "0 attack 9c")


def test_at_turns_everybody_may_challenge_and_accept() -> None:
    """
    At a cheating table challenges do not wait for their turn. (R5.6)
    """
    position = at(TURNS + ",cheat=true", "0 pass", "2 pass")
    assert [{"challenge Th"}, {"challenge Th"}] == [legal(position, seat) for seat in (0, 2)]
    closing = after(position, "3 pass")
    assert all("accept" in legal(closing, seat) for seat in range(4))


def test_the_bout_waits_for_a_seat_that_has_nothing_to_add() -> None:
    """
    Seat 2 holds no fitting card; only its own pass says so, never the table. (R5.7)
    """
    position = at(FOUR.replace("2:Tc,8c", "2:7c,8c"), "0 pass", "3 pass")
    assert ("THROW_IN", (2,)) == (phase(position), public(position).waiting)


def test_the_bout_does_not_wait_for_an_empty_hand() -> None:
    """
    A seat without cards is not asked. (R5.7)
    """
    position = at("36/s/0/0:;1:Qd,Ad,Kc;2:Tc,8c/0>1/9h>Th@0/seats=3")
    assert (2,) == public(position).waiting
    assert "beaten" == outcome(events(position, "2 pass")).outcome


def test_a_full_bout_ends_by_itself() -> None:
    """
    The defender held three cards, three were attacked and beaten: nobody needs to pass. (R5.7)
    """
    position = at("36/s/0/0:9c,Kh;1:Jc,Kc;2:8c/0>1/9h>Th@0,Tc@2/seats=3")
    assert "beaten" == outcome(events(position, "0 attack 9c", "1 beat Tc Kc", "1 beat 9c Jc")).outcome


def test_which_cards_a_seat_holds_does_not_change_whom_the_bout_waits_for() -> None:
    """
    Who looks on sees the same waiting whether or not seat 2 could add a card. (R5.7)
    """
    able, unable = at(FOUR), at(FOUR.replace("2:Tc,8c", "2:7c,8c"))
    assert public(able) == public(unable)
    assert parse_view("36/s/0/0:2;1:3;2:2;3:2/0>1/9h>Th@0/seats=4,view=none") == public(able)

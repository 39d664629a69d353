"""Each code with which the judge refuses a move, in a position of its own."""

from __future__ import annotations

import pytest

from kozyr.core.judge import refusal
from kozyr.core.moves import Move
from kozyr.wire.codes import MOVES
from tests.core.playing import at, code

OPENING = "36/s/0/0:7h,7d,9h;1:8h,Ts,Jc;2:7c,Kd/0>1/-/seats=3"
ATTACKED = "36/s/0/0:9h,7d,Kh;1:8h,7s,Jc;2:7c,Kd/0>1/7h@0/seats=3"
BEATEN = "36/s/0/0:9h,7d;1:Ts,Jc;2:7c,Kd/0>1/7h>8h@0/seats=3"

REFUSED = {
    "already_accepted": (BEATEN + ",cheat=true,phase=CHALLENGE,passed=0", "0 accept"),
    "already_beaten": (BEATEN.replace("2:7c", "2:9c").replace("8h@0", "8h@0,7c@2"), "1 beat 7h Ts"),
    "already_passed": (BEATEN + ",passed=0", "0 attack 7d"),
    "already_shown": (ATTACKED + ",transfer=true,show_transfer=true,shown=1", "1 show 7s"),
    "already_taking": (ATTACKED + ",phase=TAKING", "1 beat 7h 8h"),
    "attacker_first": (BEATEN + ",throw_priority=attacker_first", "2 attack 7c"),
    "bout_closing": (BEATEN + ",cheat=true,phase=CHALLENGE", "0 attack 7d"),
    "card_not_in_bout": (ATTACKED, "1 beat 9d Jc"),
    "defender_cannot_attack": (ATTACKED, "1 attack 7s"),
    "does_not_beat": (ATTACKED, "1 beat 7h Jc"),
    "game_over": ("36/s/0/0:7h;1:/0>-/-/out=1,phase=OVER,reason=cards,durak=0", "0 attack 7h"),
    "no_capacity": (ATTACKED.replace("1:8h,7s,Jc", "1:8h"), "0 attack 7d"),
    "no_challenges_here": (BEATEN, "0 challenge 8h"),
    "no_more_challenges": (BEATEN + ",cheat=true,no_challenge=0", "0 challenge 8h"),
    "no_shows_here": (ATTACKED + ",transfer=true", "1 show 7s"),
    "no_transfer_in_first_bout": (ATTACKED + ",transfer=true,transfer_first_bout=false,bout_no=1", "1 transfer 7s"),
    "no_transfers_here": (ATTACKED, "1 transfer 7s"),
    "not_a_thrower": (BEATEN + ",throw_scope=attacker", "2 attack 7c"),
    "not_a_trump": (ATTACKED.replace("7s", "7d").replace("9h,7d", "9h") + ",transfer=true,show_transfer=true", "1 show 7d"),
    "not_challengeable": (BEATEN + ",cheat=true", "1 challenge 8h"),
    "not_in_hand": (ATTACKED, "1 beat 7h 9h"),
    "not_the_defender": (ATTACKED, "0 take"),
    "not_your_turn": (OPENING, "2 attack 7c"),
    "nothing_to_accept": (BEATEN + ",cheat=true", "0 accept"),
    "nothing_to_beat": (BEATEN, "1 take"),
    "nothing_to_pass": (ATTACKED, "0 pass"),
    "one_card_only": (OPENING, "0 attack 7d 7h"),
    "rank_not_in_bout": (BEATEN, "0 attack 9h"),
    "rank_not_transferable": (ATTACKED + ",transfer=true", "1 transfer Jc"),
    "seat_not_in": (ATTACKED.replace("2:7c,Kd", "2:") + ",out=2", "2 pass"),
    "target_too_small": (ATTACKED.replace("2:7c,Kd", "2:7c") + ",transfer=true", "1 transfer 7s"),
    "transfer_lost": (ATTACKED + ",transfer=true,transfer_lost=true", "1 transfer 7s"),
}


@pytest.mark.parametrize(("expected", "position", "move"), [(name, *case) for name, case in REFUSED.items()], ids=REFUSED)
def test_a_refused_move_is_told_which_rule_it_breaks(expected: str, position: str, move: str) -> None:
    """
    The code names the rule, and the position stays as it is.
    """
    assert expected == code(at(position), move)


def test_every_code_of_the_protocol_is_the_judges() -> None:
    """
    The messages know each code that the judge gives, and no other.
    """
    assert set(REFUSED) == set(MOVES)


@pytest.mark.parametrize("seat", [3, 6, 99])
def test_a_seat_that_the_table_has_not_makes_no_move(seat: int) -> None:
    """
    Who does not sit there does not play.
    """
    assert "seat_not_in" == refusal(at(ATTACKED), Move(seat, "take"))

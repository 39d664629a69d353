"""The easy bot plays as the seed documents say, by what its seat sees and nothing else."""

from __future__ import annotations

import pytest

from kozyr.bots import LEVELS
from kozyr.bots.easy import choose
from kozyr.core.notation import parse_view


def chosen(view: str) -> str | None:
    """
    Say what the easy bot plays on a view in notation.
    """
    move = choose(parse_view(view))
    return None if move is None else str(move)


# opening


def test_it_opens_with_its_lowest_plain_card() -> None:
    """
    Easy opens low (seeds 002, 003): the six of trumps stays in the hand while there is a plain card.
    """
    assert "0 attack 9h" == chosen("36/s/12/0:6s,9h,Tc,As;1:6/0>1/-/seats=2,limit=6,bout_no=5,view=0")


def test_it_opens_with_its_lowest_trump_when_it_holds_nothing_else() -> None:
    """
    With trumps alone the lowest of them opens.
    """
    assert "0 attack 8s" == chosen("36/s/0/0:8s,As;1:3/0>1/-/seats=2,limit=6,bout_no=5,view=0")


def test_it_opens_with_one_card_also_where_it_could_play_several() -> None:
    """
    A table with several cards in one attack (R4.2) is played card by card.
    """
    assert "0 attack 7h" == chosen("36/s/0/0:7c,7d,7h,Qc;1:6/0>1/-/seats=2,multi_attack=true,limit=6,bout_no=5,view=0")


def test_of_equal_ranks_it_plays_the_first_in_the_order_s_h_d_c() -> None:
    """
    Ties go the way of the clock's own move (R16.2), so that equal views get equal moves.
    """
    assert "0 attack 7s" == chosen("36/c/0/0:7d,7h,7s;1:3/0>1/-/seats=2,limit=6,bout_no=5,view=0")


# beating


def test_it_beats_with_the_smallest_card_that_beats() -> None:
    """
    Easy defends with the smallest card that beats (seeds 002, 003).
    """
    assert "1 beat 8h 9h" == chosen("36/s/0/0:5;1:7h,9h,Jh,6s/0>1/8h@0/seats=2,limit=6,bout_no=5,view=1")


def test_a_plain_card_beats_before_a_trump() -> None:
    """
    The ace of the suit is smaller than the six of trumps.
    """
    assert "1 beat 8h Ah" == chosen("36/s/0/0:5;1:Ah,6s/0>1/8h@0/seats=2,limit=6,bout_no=5,view=1")


def test_without_the_suit_the_lowest_trump_beats() -> None:
    """
    Any trump beats a plain card, and the lowest is enough.
    """
    assert "1 beat 8h 7s" == chosen("36/s/0/0:5;1:7h,7s,Ts/0>1/8h@0/seats=2,limit=6,bout_no=5,view=1")


def test_a_trump_is_beaten_by_the_next_higher_trump() -> None:
    """
    A trump only falls to a higher trump.
    """
    assert "1 beat 8s 9s" == chosen("36/s/0/0:5;1:7s,9s,Ks,Ah/0>1/8s@0/seats=2,limit=6,bout_no=5,view=1")


def test_of_several_unbeaten_cards_it_beats_the_oldest() -> None:
    """
    With several cards to beat the bot goes by the order in which they came.
    """
    assert "1 beat 9d Td" == chosen("36/s/0/0:4;1:Td,Ah,9s/0>1/9d@0,9h@0/seats=2,limit=6,bout_no=5,view=1")
    assert "1 beat 9h Ah" == chosen("36/s/0/0:4;1:Ah,9s/0>1/9d>Td@0,9h@0/seats=2,limit=6,bout_no=5,view=1")


def test_it_takes_when_no_card_beats() -> None:
    """
    Easy takes when it must.
    """
    assert "1 take" == chosen("36/s/0/0:5;1:7h,9d,Qc/0>1/8h@0/seats=2,limit=6,bout_no=5,view=1")


def test_it_takes_at_once_when_it_cannot_beat_all_that_lie() -> None:
    """
    Beating the nine would only give the throwers a ten to go on with: the ace must be taken anyhow.
    """
    assert "1 take" == chosen("36/s/0/0:4;1:Td,9c/0>1/9d@0,Ah@0/seats=2,limit=6,bout_no=5,view=1")


def test_it_never_takes_while_it_can_beat() -> None:
    """
    Even a high trump is given for a low card: only a hand that cannot beat is a reason to take.
    """
    assert "1 beat 6h As" == chosen("36/s/0/0:5;1:6c,As/0>1/6h@0/seats=2,limit=6,bout_no=5,view=1")


# throwing in


def test_it_throws_in_its_lowest_plain_card_of_a_rank_in_the_bout() -> None:
    """
    The ranks of attack and defence cards count alike (R5.1).
    """
    assert "0 attack 7d" == chosen("36/s/12/0:7d,9c,Kh,6s;1:5/0>1/7h>9h@0/seats=2,limit=6,bout_no=5,view=0")
    assert "0 attack 9c" == chosen("36/s/12/0:9c,Kh,6s;1:5/0>1/7h>9h@0/seats=2,limit=6,bout_no=5,view=0")


def test_it_never_throws_in_a_trump() -> None:
    """
    With nothing but a trump of the rank the bot passes.
    """
    assert "0 pass" == chosen("36/s/12/0:7s,Kh;1:5/0>1/7h>9h@0/seats=2,limit=6,bout_no=5,view=0")


def test_it_passes_when_it_holds_no_rank_of_the_bout() -> None:
    """
    Nothing to throw in: the bot passes.
    """
    assert "0 pass" == chosen("36/s/12/0:Tc,Kh;1:5/0>1/7h>9h@0/seats=2,limit=6,bout_no=5,view=0")


def test_it_throws_in_on_a_defender_who_takes() -> None:
    """
    Cards may still be added while the defender takes (R9.2), and easy adds its lowest.
    """
    assert "2 attack 7d" == chosen("36/s/12/0:4;1:6;2:7d,Kh,7s/0>1/7h@0/seats=3,limit=6,bout_no=5,phase=TAKING,view=2")


def test_a_thrower_waits_while_the_defender_is_beating() -> None:
    """
    At open pace it might throw in at once (R5.3); the bot lets the defender answer first.
    """
    assert chosen("36/s/12/0:4;1:6;2:7d,Kh/0>1/7h@0/seats=3,limit=6,bout_no=5,view=2") is None


def test_it_waits_while_the_attacker_goes_first() -> None:
    """
    Where the attacker has the first right (R5.5), a thrower can neither throw in nor pass before the floor is open.
    """
    bout = "0>1/7h>8h@0/seats=3,throw_priority=attacker_first,limit=6,bout_no=5"
    assert chosen(f"36/s/12/0:4;1:5;2:7d,Kh/{bout},view=2") is None
    assert "2 attack 7d" == chosen(f"36/s/12/0:4;1:5;2:7d,Kh/{bout},passed=0,floor_open=true,view=2")


def test_it_does_nothing_after_its_pass() -> None:
    """
    A pass stands while the phase lasts (R5.4).
    """
    assert chosen("36/s/12/0:7d;1:5;2:4/0>1/7h>8h@0/seats=3,limit=6,bout_no=5,passed=0,view=0") is None


def test_at_the_pace_of_turns_a_seat_waits_for_its_turn() -> None:
    """
    Turn by turn the attacker is asked before the next seat (R5.6).
    """
    assert chosen("36/s/12/0:4;1:5;2:7c,Kd/0>1/7h>8h@0/seats=3,pace=turns,limit=6,bout_no=5,view=2") is None


# transferring


def test_it_transfers_when_it_can() -> None:
    """
    A card of the rank passes the attack on, also where a beat would be cheap (seed 001).
    """
    assert "1 transfer 8d" == chosen("36/s/12/0:5;1:8d,9h;2:6/0>1/8h@0/seats=3,transfer=true,limit=6,bout_no=5,view=1")


def test_it_transfers_with_a_plain_card_before_a_trump() -> None:
    """
    The smallest card of the rank is a plain one; a trump goes where there is no other.
    """
    assert "1 transfer 8d" == chosen("36/s/12/0:5;1:8d,8s;2:6/0>1/8h@0/seats=3,transfer=true,limit=6,bout_no=5,view=1")
    assert "1 transfer 8s" == chosen("36/s/12/0:5;1:8s,9h;2:6/0>1/8h@0/seats=3,transfer=true,limit=6,bout_no=5,view=1")


def test_it_shows_a_trump_rather_than_playing_it() -> None:
    """
    Where a trump may be shown (R8.8) it stays in the hand; a plain card of the rank is got rid of first.
    """
    rest = "2:6/0>1/8h@0/seats=3,transfer=true,show_transfer=true,limit=6,bout_no=5"
    assert "1 show 8s" == chosen(f"36/s/12/0:5;1:8s,9h;{rest},view=1")
    assert "1 transfer 8d" == chosen(f"36/s/12/0:5;1:8d,8s;{rest},view=1")
    assert "1 transfer 8s" == chosen(f"36/s/12/0:5;1:8s,9h;{rest},shown=1,joined=0,view=1")


def test_it_transfers_one_card_where_it_could_play_several() -> None:
    """
    At a table with several cards in one transfer (R8.7) one is enough.
    """
    view = "36/s/12/0:5;1:8c,8d,9h;2:6/0>1/8h@0/seats=3,transfer=true,multi_transfer=true,limit=6,bout_no=5,view=1"
    assert "1 transfer 8d" == chosen(view)


def test_it_beats_where_the_next_seat_has_too_few_cards_for_a_transfer() -> None:
    """
    A transfer needs a target with a card for each attack card (R8.2).
    """
    assert "1 beat 8h 9h" == chosen("36/s/0/0:5;1:8d,9h;2:1/0>1/8h@0/seats=3,transfer=true,limit=6,bout_no=5,view=1")


def test_it_beats_after_its_first_beat() -> None:
    """
    Once a card is beaten the transfer is lost (R8.3).
    """
    view = "36/s/12/0:5;1:8d,9h,9s;2:6/0>1/8c>Jc@0,8h@0/seats=3,transfer=true,limit=6,bout_no=5,view=1"
    assert "1 beat 8h 9h" == chosen(view)


# at a cheating table

CHEAT = "seats=2,cheat=true,limit=6,bout_no=5"


def test_it_does_not_cheat_when_it_beats() -> None:
    """
    Every card is legal at a cheating table (R14.2), and easy takes rather than slip one.
    """
    seen = parse_view(f"36/s/0/0:5;1:7h,9d,Qc/0>1/8h@0/{CHEAT},view=1")
    assert {"1 beat 8h 7h", "1 beat 8h 9d", "1 beat 8h Qc"} <= {str(move) for move in seen.legal}
    assert "1 take" == str(choose(seen))


def test_it_beats_lawfully_where_it_can() -> None:
    """
    The smallest card that beats, not the smallest that is accepted.
    """
    assert "1 beat 8h 9h" == chosen(f"36/s/0/0:5;1:6c,9h,As/0>1/8h@0/{CHEAT},view=1")


def test_it_does_not_cheat_when_it_throws_in() -> None:
    """
    A card of no rank in the bout is legal there, and easy passes.
    """
    seen = parse_view(f"36/s/12/0:Tc,Kh;1:5/0>1/7h>9h@0/{CHEAT},view=0")
    assert "0 attack Tc" in [str(move) for move in seen.legal]
    assert "0 pass" == str(choose(seen))
    assert "0 attack 9c" == chosen(f"36/s/12/0:6c,9c;1:5/0>1/7h>9h@0/{CHEAT},view=0")


@pytest.mark.parametrize("viewer", ["0", "2"])
def test_it_never_challenges(viewer: str) -> None:
    """
    A seven has beaten an eight, everybody sees it, and easy accepts.
    """
    hands = {"0": "0:Tc,Kh;1:5;2:4", "2": "0:4;1:5;2:Tc,Kh"}[viewer]
    seen = parse_view(f"36/s/12/{hands}/0>1/8h>7h@0/seats=3,cheat=true,limit=6,bout_no=5,phase=CHALLENGE,view={viewer}")
    assert f"{viewer} challenge 7h" in [str(move) for move in seen.legal]
    assert f"{viewer} accept" == str(choose(seen))


def test_it_has_nothing_to_do_where_it_could_only_challenge() -> None:
    """
    A thrower whose turn has not come may challenge already; easy waits.
    """
    seen = parse_view("36/s/12/0:4;1:5;2:7d/0>1/8h>7h@0/seats=3,cheat=true,throw_priority=attacker_first,limit=6,bout_no=5,view=2")
    assert ["2 challenge 7h"] == [str(move) for move in seen.legal]
    assert choose(seen) is None


# nobody to play for


def test_a_spectator_has_no_move() -> None:
    """
    A view without a seat is nobody's to play.
    """
    assert chosen("36/s/12/0:6;1:6/0>1/-/seats=2,limit=6,bout_no=5,view=none") is None


def test_a_game_that_is_over_has_no_move() -> None:
    """
    After the end nothing is chosen.
    """
    assert chosen("36/s/0/0:7h;1:0/0>-/-/seats=2,limit=6,bout_no=5,phase=OVER,out=1,durak=0,reason=cards,view=0") is None


def test_easy_is_a_level() -> None:
    """
    Levels are found by name.
    """
    assert choose is LEVELS["easy"]

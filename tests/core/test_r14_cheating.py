"""R14: cheating tables."""

from __future__ import annotations

import pytest

from kozyr.core.cards import parse_card
from kozyr.core.events import BoutOver, Challenged, Returned
from kozyr.core.judge import fault_of
from kozyr.core.moves import parse_move
from tests.core.playing import after, at, code, drawn, events, hand, legal, outcome, phase, public

# Seat 0 attacked seat 1 with the nine of hearts; spades are trump.
ATTACKED = "36/s/0/0:7d,Kh,9c;1:6c,Qd,Ad,Kc;2:8c,9d,Td/0>1/9h@0/seats=3,cheat=true"
# The same with the nine beaten by the ten.
BEATEN = "36/s/0/0:Kh,9c;1:Qd,Ad,Kd,7s;2:6c,Tc/0>1/9h>Th@0/seats=3,cheat=true"
ROLLBACK = BEATEN + ",penalty=rollback"


def test_a_card_without_right_stands_when_nobody_notices() -> None:
    """
    A six "beats" the nine; nobody challenges, and the bout is beaten. (R14.1)
    """
    position = at(ATTACKED, "1 beat 9h 6c", "0 pass", "2 pass", "0 accept", "1 accept")
    assert "beaten" == outcome(events(position, "2 accept")).outcome


def test_any_card_may_be_tried_as_a_beat_or_a_throw_in() -> None:
    """
    Which card is played may be against the rules; every card of the hand is accepted. (R14.2)
    """
    position = at(ATTACKED)
    assert {"beat 9h 6c", "beat 9h Qd", "beat 9h Ad", "beat 9h Kc", "take"} == legal(position, 1)
    assert {"attack 8c", "attack 9d", "attack Td"} == legal(position, 2)


def test_who_when_and_how_many_stay_enforced() -> None:
    """
    Turns, limits and transfers are the same as at an honest table. (R14.2)
    """
    position = at(ATTACKED + ",throw_scope=attacker,transfer=true")
    assert "not_a_thrower" == code(position, "2 attack 9d")
    assert "rank_not_transferable" == code(position, "1 transfer Qd")
    assert "no_capacity" == code(at("36/s/0/0:7d,Kh;1:/0>1/9h>Th@0,9c@0/cheat=true"), "0 attack Kh")


def test_an_honest_table_refuses_what_a_cheating_table_lets_lie() -> None:
    """
    The same judge names the rule in both cases. (R14.2)
    """
    honest = at(ATTACKED.replace("cheat=true", "cheat=false"))
    assert ["does_not_beat", "rank_not_in_bout"] == [code(honest, move) for move in ("1 beat 9h 6c", "2 attack 8c")]
    position = at(ATTACKED)
    faults = [fault_of(position, parse_move(move)) for move in ("1 beat 9h 6c", "2 attack 8c", "2 attack 9d")]
    assert ["does_not_beat", "rank_not_in_bout", ""] == faults


def test_a_card_is_judged_by_the_bout_as_it_lay_when_it_was_played() -> None:
    """
    The six was unlawful when it came; that another six came later does not help. (R14.3)
    """
    position = at(BEATEN.replace("0:Kh,9c", "0:Kh,6d"), "2 attack 6c", "0 attack 6d")
    assert Challenged(1, parse_card("6c"), 2, True, "rank_not_in_bout") == events(position, "1 challenge 6c")[0]


def test_nothing_marks_an_unlawful_card() -> None:
    """
    Lawful or not, a card looks the same to everybody. (R14.3)
    """
    lawful, unlawful = at(BEATEN + ",unlawful="), at(BEATEN + ",unlawful=Th")
    assert public(lawful) == public(unlawful)
    assert [legal(lawful, seat) for seat in range(3)] == [legal(unlawful, seat) for seat in range(3)]


def test_an_unnoticed_rank_may_be_thrown_in() -> None:
    """
    The unlawful six counts as a rank in the bout: another six is lawful after it. (R14.4)
    """
    position = at(BEATEN.replace("0:Kh,9c", "0:Kh,6d"), "2 attack 6c", "0 attack 6d")
    happened = events(position, "1 challenge 6d")
    assert Challenged(1, parse_card("6d"), 0, False, None) == happened[0]


def test_a_bad_beat_counts_as_a_beat() -> None:
    """
    The six lies on the nine: all is beaten, and sixes may be thrown in. (R14.4)
    """
    position = at(ATTACKED, "1 beat 9h 6c")
    assert "THROW_IN" == phase(position)
    assert "" == fault_of(position, parse_move("2 attack 6d"))


@pytest.mark.parametrize("moves", [["0 pass", "2 pass"], ["0 attack 9c", "1 take", "0 pass", "2 pass"]])
def test_every_bout_has_a_time_for_challenges_before_it_closes(moves: list[str]) -> None:
    """
    Beaten or taken, unlawful or not, the bout waits for everybody's accept. (R14.5)
    """
    position = at(BEATEN, *moves)
    assert ("CHALLENGE", (0, 1, 2)) == (phase(position), public(position).waiting)
    assert [True] * 3 == ["accept" in legal(position, seat) for seat in range(3)]


def test_the_time_for_challenges_comes_where_nothing_may_be_added_after_a_take() -> None:
    """
    With `throw_on_take` off a take leads to it at once. (R14.5)
    """
    assert "CHALLENGE" == phase(at(ATTACKED + ",throw_on_take=false", "1 take"))


def test_a_challenge_counts_though_all_have_passed() -> None:
    """
    Who has accepted may still challenge until the bout closes. (R14.5)
    """
    position = at(ATTACKED, "1 beat 9h 6c", "0 pass", "2 pass", "2 accept")
    assert "challenge 6c" in legal(position, 2)
    assert Challenged(2, parse_card("6c"), 1, True, "does_not_beat") in events(position, "2 challenge 6c")


def test_nothing_is_played_while_the_bout_closes() -> None:
    """
    The time for challenges is for challenges. (R14.5)
    """
    position = at(BEATEN, "0 pass", "2 pass")
    assert ["bout_closing"] * 2 == [code(position, move) for move in ("0 attack 9c", "1 take")]
    assert "nothing_to_accept" == code(at(BEATEN), "0 accept")
    assert "already_accepted" == code(after(position, "0 accept"), "0 accept")


def test_a_bout_that_closes_again_has_the_time_for_challenges_again() -> None:
    """
    After a rollback and new passes everybody is asked once more. (R14.5)
    """
    position = at(ROLLBACK, "2 attack 6c", "1 beat 6c 7s", "0 pass", "2 pass", "0 accept", "1 challenge 6c", "0 pass", "2 pass")
    assert ("CHALLENGE", (0, 1, 2)) == (phase(position), public(position).waiting)


def test_every_seat_in_but_the_author_may_challenge_a_card() -> None:
    """
    Seat 1 beat with the ten: seats 0 and 2 may challenge it. (R14.6)
    """
    position = at(BEATEN)
    assert [True, False, True] == ["challenge Th" in legal(position, seat) for seat in range(3)]
    assert "not_challengeable" == code(position, "1 challenge Th")


def test_a_seat_that_has_gone_out_does_not_challenge() -> None:
    """
    Only seats in take part. (R14.6)
    """
    position = at(BEATEN.replace("2:6c,Tc", "2:") + ",out=2")
    assert set() == legal(position, 2)
    assert "seat_not_in" == code(position, "2 challenge Th")


def test_the_opening_play_is_always_lawful() -> None:
    """
    The first card of a bout cannot be challenged, nor can any card that is not in the bout. (R14.6)
    """
    position = at(BEATEN)
    assert ["not_challengeable", "card_not_in_bout"] == [code(position, move) for move in ("1 challenge 9h", "1 challenge 9c")]


def test_every_card_of_an_opening_of_several_is_lawful() -> None:
    """
    With `multi_attack` none of the cards of the first play is challenged. (R14.6)
    """
    position = at("36/s/0/0:9c,9h,Kc;1:Qd,Ad,Kd/0>1/-/cheat=true,multi_attack=true", "0 attack 9c 9h", "0 attack Kc")
    assert {"challenge Kc"} == {move for move in legal(position, 1) if move.startswith("challenge")}


def test_a_card_judged_lawful_is_not_challenged_again() -> None:
    """
    One verdict is enough. (R14.6)
    """
    position = at(ROLLBACK, "2 challenge Th")
    assert "not_challengeable" == code(position, "0 challenge Th")
    assert (parse_card("9h"), parse_card("Th")) == public(position).settled


def test_a_beat_of_a_defender_who_takes_is_not_challenged() -> None:
    """
    Nothing would change for the defender; a throw-in may still be challenged. (R14.6)
    """
    position = at(BEATEN, "2 attack 6c", "1 take")
    assert ["not_challengeable", True] == [code(position, "0 challenge Th"), "challenge 6c" in legal(position, 0)]


def test_a_transferred_card_is_challenged_wrongly() -> None:
    """
    A transfer is always lawful; the challenger pays. (R14.6)
    """
    position = at("36/s/0/0:Kh,9c;1:9d,Ad;2:6c,Tc,Js/0>1/9h@0/seats=3,cheat=true,transfer=true", "1 transfer 9d")
    assert ("fault", 0) == ((over := outcome(events(position, "0 challenge 9d"))).outcome, over.taker)


def test_no_challenges_at_an_honest_table() -> None:
    """
    There is nothing to challenge where every card is checked. (R14.6)
    """
    assert "no_challenges_here" == code(at(BEATEN.replace("cheat=true", "cheat=false")), "0 challenge Th")


def test_a_defender_caught_must_take() -> None:
    """
    The bad beat lies; the defender is taking, and cards may still be added. (R14.7)
    """
    position = at(ATTACKED, "1 beat 9h 6c", "2 challenge 6c")
    assert ("TAKING", 3) == (phase(position), public(position).capacity)
    assert {"attack 8c", "attack 9d", "attack Td", "pass"} == legal(position, 2)
    events(position, "0 pass", "2 pass", "0 accept", "1 accept", "2 accept")
    assert "6c Kc Qd Ad 9h" == hand(position, 1)


def test_a_defender_caught_at_the_last_moment_faces_everybody_again() -> None:
    """
    All had passed and one had accepted: now that the defender must take, all may add cards. (R14.7)
    """
    position = at(ATTACKED, "1 beat 9h 6c", "0 pass", "2 pass", "2 accept", "0 challenge 6c")
    assert ("TAKING", (0, 2)) == (phase(position), public(position).waiting)


def test_a_thrower_caught_takes_every_card_in_the_bout() -> None:
    """
    The bout ends at once, and the defender attacks next as if all had been beaten. (R14.7)
    """
    position = at(BEATEN, "2 attack 6c")
    happened = events(position, "1 challenge 6c")
    assert ("fault", 2) == (outcome(happened).outcome, outcome(happened).taker)
    assert ("6c Tc 9h Th", 1) == (hand(position, 2), public(position).attacker)


def test_a_challenger_in_the_wrong_takes_every_card_in_the_bout() -> None:
    """
    The ten was lawful: seat 2 takes the bout, and the defender attacks next. (R14.8)
    """
    position = at(BEATEN)
    happened = events(position, "2 challenge Th")
    assert [Challenged(2, parse_card("Th"), 1, False, None), BoutOver("fault", outcome(happened).cards, 2, (0, 1, 2))] == happened
    assert ("6c Tc 9h Th", 1) == (hand(position, 2), public(position).attacker)


def test_a_defender_in_the_wrong_takes_and_challenges_no_more() -> None:
    """
    The throw-in was lawful: the defender is taking now, and has lost the right to challenge in this game. (R14.8)
    """
    position = at(BEATEN.replace("2:6c,Tc", "2:9d,Tc"), "2 attack 9d", "1 challenge 9d")
    assert ("TAKING", False) == (phase(position), public(position).seats[1].may_challenge)
    events(position, "0 attack Kh")
    assert "no_more_challenges" == code(position, "1 challenge Kh")


def test_a_taking_defender_in_the_wrong_pays_with_the_right_to_challenge_alone() -> None:
    """
    The bout goes on where it was: the passes stand. (R14.8)
    """
    position = at(BEATEN.replace("2:6c,Tc", "2:9d,Tc"), "2 attack 9d", "1 take", "0 pass", "1 challenge 9d")
    assert ("TAKING", (2,)) == (phase(position), public(position).waiting)
    assert not public(position).seats[1].may_challenge


def test_a_verdict_costs_no_discard_and_lifts_no_limit() -> None:
    """
    Nothing goes to the discard, and the game's first successful defence is still to come. (R14.8)
    """
    position = at(BEATEN + ",limit=5")
    before = public(position).discard
    events(position, "2 challenge Th")
    assert (5, before) == (public(position).limit, public(position).discard)


def test_the_punished_seat_draws_last() -> None:
    """
    All draw as usual, the one who took after the defender. (R14.8)
    """
    position = at("36/s/6d,6h,7d,7h,8d,7s/0:9c,Kh,Kc,Jc;1:Qd,Ad,Kd,7c,8c;2:6c,Tc/0>1/9h>Th@0/seats=3,cheat=true")
    happened = events(position, "2 challenge Th")
    assert [(0, "6d 6h"), (1, "7d"), (2, "7h 8d")] == drawn(happened)


def test_a_rollback_returns_the_card_and_all_that_came_after() -> None:
    """
    The unlawful six goes back to its owner, and the card that beat it too. (R14.9)
    """
    position = at(ROLLBACK, "2 attack 6c", "1 beat 6c 7s")
    happened = events(position, "0 challenge 6c")
    assert [Returned(1, parse_card("7s")), Returned(2, parse_card("6c"))] == happened[1:]
    assert ("THROW_IN", 1, "6c Tc") == (phase(position), len(public(position).bout), hand(position, 2))


def test_who_is_caught_by_a_rollback_cheats_no_more() -> None:
    """
    Honest play until the end of the game: only lawful cards are accepted. (R14.9)
    """
    position = at(ROLLBACK, "2 attack 6c", "1 challenge 6c")
    assert {"attack Tc", "challenge Th", "pass"} == legal(position, 2)
    assert "rank_not_in_bout" == code(position, "2 attack 6c")
    assert public(position).seats[2].is_barred


def test_a_wrong_challenge_by_rollback_costs_the_rights_to_challenge_and_to_cheat() -> None:
    """
    The bout goes on, and the challenger plays honestly from now on. (R14.9)
    """
    position = at(ROLLBACK, "2 challenge Th")
    assert ("THROW_IN", False, True) == (phase(position), public(position).seats[2].may_challenge, public(position).seats[2].is_barred)
    assert {"attack Tc", "pass"} == legal(position, 2)


def test_a_rollback_clears_the_passes() -> None:
    """
    Whoever passed may add cards again. (R14.9)
    """
    position = at(ROLLBACK, "2 attack 6c", "1 take", "0 pass", "1 challenge 6c")
    assert [False] * 3 == [seat.has_passed for seat in public(position).seats]


def test_a_take_after_the_card_is_undone() -> None:
    """
    The unlawful card may have forced it: without the card everything is beaten. (R14.9)
    """
    position = at(ROLLBACK, "2 attack 6c", "1 take", "1 challenge 6c")
    assert ("THROW_IN", False) == (phase(position), public(position).is_taking)


def test_a_take_before_the_card_stands() -> None:
    """
    The defender took before the unlawful throw-in, and goes on taking. (R14.9)
    """
    position = at(ATTACKED + ",penalty=rollback", "1 take", "2 attack 8c", "0 challenge 8c")
    assert ("TAKING", True) == (phase(position), public(position).is_taking)


def test_who_got_the_only_card_back_has_not_joined() -> None:
    """
    Seat 2 is not among the attackers for the draw. (R14.9)
    """
    position = at(ROLLBACK + ",draw_order=joined", "2 attack 6c")
    assert (0, 2) == public(position).joined
    assert (0,) == public(after(position, "1 challenge 6c")).joined


def test_who_has_shown_a_trump_has_joined_for_good() -> None:
    """
    Seat 1 passed the attack on by showing; a card that goes back later does not undo it. (R14.9)
    """
    text = "36/s/0/0:Kh,6d;1:9s,Ad;2:8c,Td,Qc/0>1/9h@0/seats=3,cheat=true,penalty=rollback,transfer=true,show_transfer=true"
    position = at(text, "1 show 9s", "0 attack 6d", "2 challenge 6d")
    assert ((0, 1), "DEFENCE") == (public(position).joined, phase(position))


def test_the_card_played_for_a_returned_one_is_judged_by_itself() -> None:
    """
    The six went back; the ten that beats the nine now is lawful. (R14.9)
    """
    position = at(ATTACKED.replace("1:6c", "1:6c,Th") + ",penalty=rollback", "1 beat 9h 6c", "0 challenge 6c", "1 beat 9h Th")
    assert Challenged(2, parse_card("Th"), 1, False, None) == events(position, "2 challenge Th")[0]


def test_a_verdict_on_a_returned_card_is_forgotten() -> None:
    """
    The king was judged lawful and went back with the bad beat: played again, it may be challenged again. (R14.9)
    """
    text = "36/s/0/0:9c,6d,Kh;1:6c,7c,Td,Ad;2:8c,8d;3:Jc,Jd/0>1/9h@0/seats=4,cheat=true,penalty=rollback"
    position = at(text, "1 beat 9h 6c", "0 attack 6d", "2 challenge 6d")
    assert "not_challengeable" == code(position, "1 challenge 6d")
    events(position, "3 challenge 6c", "0 attack 6d")
    assert "challenge 6d" in legal(position, 1)


def test_the_lost_transfer_stays_lost_after_a_rollback() -> None:
    """
    The defender has beaten a card; that it went back changes nothing. (R14.9)
    """
    text = "36/s/0/0:7d,Kh,Kc;1:9c,Qd,Ad;2:8c,9d,Td/0>1/9h@0/seats=3,cheat=true,penalty=rollback,transfer=true"
    position = at(text, "1 beat 9h Qd", "0 challenge Qd")
    assert ("DEFENCE", "transfer_lost") == (phase(position), code(position, "1 transfer 9c"))


def test_the_open_floor_stays_open_after_a_rollback() -> None:
    """
    The attacker had passed; the others may throw in. (R14.9)
    """
    position = at(ROLLBACK + ",throw_priority=attacker_first", "0 pass", "2 attack 6c", "1 challenge 6c")
    assert "attack Tc" in legal(position, 2)


def test_who_is_caught_cheats_no_more() -> None:
    """
    With `caught_bar`, the default, a caught player plays honestly for the rest of the game. (R14.10)
    """
    position = at(BEATEN, "2 attack 6c", "1 challenge 6c")
    assert [False, False, True] == [seat.is_barred for seat in public(position).seats]


def test_who_is_caught_may_cheat_again_where_the_table_says_so() -> None:
    """
    With `caught_bar` off the cards are the only price. (R14.10)
    """
    position = at(BEATEN + ",caught_bar=false", "2 attack 6c", "1 challenge 6c")
    assert [False] * 3 == [seat.is_barred for seat in public(position).seats]


def test_a_barred_player_is_told_which_rule_a_card_breaks() -> None:
    """
    A barred defender is told which rule the card breaks, like at an honest table. (R14.10)
    """
    position = at(ATTACKED + ",barred=1")
    assert "does_not_beat" == code(position, "1 beat 9h 6c")
    assert {"take"} == legal(position, 1)

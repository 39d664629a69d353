"""R8: transferring the attack."""

from __future__ import annotations

from kozyr.core.cards import parse_card
from kozyr.core.events import Showed, Transferred
from tests.core.playing import after, at, code, events, legal, outcome, phase, public

# Seat 0 attacked seat 1 with the seven of hearts; spades are trump.
THREE = "36/s/0/0:Kh,Jh,Qd;1:7s,7d,8h,9c;2:7c,Ad,Kd/0>1/7h@0/seats=3,transfer=true"


def roles(text: str, *moves: str) -> tuple[int | None, int | None]:
    """
    Name attacker and defender after some moves.
    """
    seen = public(at(text, *moves))
    return seen.attacker, seen.defender


def test_the_attack_is_passed_on_with_a_card_of_its_rank() -> None:
    """
    The defender plays a seven beside the seven, and the next seat must answer both. (R8.1)
    """
    position = at(THREE)
    assert {"beat 7h 7s", "beat 7h 8h", "transfer 7s", "transfer 7d", "take"} == legal(position, 1)
    assert [Transferred(1, (parse_card("7d"),), 2)] == events(position, "1 transfer 7d")
    assert {"beat 7d Ad", "beat 7d Kd", "transfer 7c", "take"} == legal(position, 2)
    assert 2 == len(public(position).bout)


def test_only_the_rank_of_the_attack_is_passed_on() -> None:
    """
    An eight does not transfer a seven. (R8.1)
    """
    assert "rank_not_transferable" == code(at(THREE), "1 transfer 8h")
    assert "not_in_hand" == code(at(THREE), "1 transfer 7c")


def test_there_are_no_transfers_at_a_throw_in_table() -> None:
    """
    Without the option the defender beats or takes. (R8.1)
    """
    position = at(THREE.replace("transfer=true", "transfer=false"))
    assert {"beat 7h 7s", "beat 7h 8h", "take"} == legal(position, 1)
    assert "no_transfers_here" == code(position, "1 transfer 7s")


def test_the_target_must_hold_as_many_cards_as_it_would_have_to_beat() -> None:
    """
    Two cards would lie: a target with two is enough, with one it is not. (R8.2)
    """
    assert "transfer 7s" in legal(at(THREE.replace("2:7c,Ad,Kd", "2:7c,Ad")), 1)
    position = at(THREE.replace("2:7c,Ad,Kd", "2:7c"))
    assert "transfer 7s" not in legal(position, 1)
    assert "target_too_small" == code(position, "1 transfer 7s")


def test_throw_ins_before_the_answer_count_for_the_target_too() -> None:
    """
    After a throw-in three cards would lie, and the target holds two. (R8.2)
    """
    position = at(THREE.replace("0:Kh", "0:7c").replace("2:7c,Ad,Kd", "2:Ad,Kd"))
    assert "target_too_small" == code(after(position, "0 attack 7c"), "1 transfer 7s")


def test_nothing_is_passed_on_after_the_first_beat() -> None:
    """
    Who has beaten a card in this bout has accepted the attack. (R8.3)
    """
    position = at(THREE.replace("0:Kh", "0:7c").replace("2:7c", "2:6c"), "1 beat 7h 8h", "0 attack 7c")
    assert "transfer_lost" == code(position, "1 transfer 7s")
    assert public(position).transfer_lost


def test_nothing_is_passed_on_after_a_take() -> None:
    """
    Who takes has given up. (R8.3)
    """
    assert "already_taking" == code(at(THREE, "1 take"), "1 transfer 7s")


def test_an_attack_of_two_ranks_cannot_be_passed_on() -> None:
    """
    After an unlawful throw-in at a cheating table the attack has no one rank. (R8.3)
    """
    position = at(THREE + ",cheat=true", "0 attack Qd")
    assert "rank_not_transferable" == code(position, "1 transfer 7s")


def test_who_transfers_becomes_the_attacker() -> None:
    """
    The seat that passed the attack on attacks the next; the opener stays the opener. (R8.4)
    """
    position = at(THREE, "1 transfer 7s")
    assert (1, 2, 0) == (public(position).attacker, public(position).defender, public(position).opener)
    assert (0, 1) == public(position).joined


def test_throwers_are_counted_from_the_new_attacker() -> None:
    """
    With `throw_scope: attacker` only the seat that passed it on may add cards. (R8.4)
    """
    position = at(THREE.replace("0:Kh", "0:7c").replace("2:7c", "2:6c") + ",throw_scope=attacker", "1 transfer 7s")
    assert [set(), {"attack 7d"}] == [legal(position, seat) for seat in (0, 1)]


def test_the_target_is_the_next_seat_in() -> None:
    """
    Seat 2 has gone out: seat 1 passes the attack on to seat 3. (R8.5)
    """
    assert (1, 3) == roles("36/s/0/0:Kh;1:7s,8h;2:;3:Ad,Kd/0>1/7h@0/seats=4,transfer=true,out=2", "1 transfer 7s")


def test_with_two_seats_the_attack_goes_back() -> None:
    """
    Heads-up the attacker is the target, and may send it back again. (R8.5)
    """
    text = "36/s/0/0:7d,Kc,Jc,Qd;1:7s,8h,9c,Td/0>1/7h@0/transfer=true"
    assert (1, 0) == roles(text, "1 transfer 7s")
    assert (0, 1) == roles(text, "1 transfer 7s", "0 transfer 7d")


def test_an_attack_may_come_round_to_its_opener() -> None:
    """
    Three transfers at a table of three bring the attack back to seat 0. (R8.5)
    """
    assert (2, 0) == roles(THREE, "1 transfer 7s", "2 transfer 7c")


def test_a_seat_that_ran_out_in_this_bout_is_not_skipped() -> None:
    """
    The attacker attacked with the last card: it is still in, and cannot be the target. (R8.5)
    """
    position = at("36/s/0/0:;1:7s,8h/0>1/7h@0/transfer=true")
    assert "target_too_small" == code(position, "1 transfer 7s")


def test_the_limit_of_the_hand_is_the_targets() -> None:
    """
    After a transfer the target's cards at that moment count. (R8.6)
    """
    seen = public(at(THREE, "1 transfer 7s"))
    assert (3, 1) == (seen.h0, seen.capacity)


def test_the_limit_of_the_game_never_stops_a_transfer() -> None:
    """
    Four sevens lie after the last transfer; there are no more of them. (R8.6)
    """
    text = "36/s/0/0:Kh,Jh,Qd,6c;1:7s,8h,9c;2:7c,7d,Ad,Kd/0>1/7h@0/seats=3,transfer=true,limit=5,bout_no=1"
    seen = public(at(text, "1 transfer 7s", "2 transfer 7c"))
    assert (0, 3, 5) == (seen.defender, len(seen.bout), seen.limit)


def test_several_cards_are_passed_on_at_once_where_the_table_allows_it() -> None:
    """
    With `multi_transfer` both sevens go in one move, if the target can face three cards. (R8.7)
    """
    position = at(THREE + ",multi_transfer=true")
    assert {"transfer 7d", "transfer 7s", "transfer 7d 7s"} <= legal(position, 1)
    assert 3 == len(public(after(position, "1 transfer 7d 7s")).bout)
    assert "target_too_small" == code(at(THREE.replace("2:7c,Ad,Kd", "2:Ad,Kd") + ",multi_transfer=true"), "1 transfer 7d 7s")


def test_a_transfer_is_one_card_otherwise() -> None:
    """
    Without the option the second seven is thrown in afterwards, if there is room. (R8.7)
    """
    assert "one_card_only" == code(at(THREE), "1 transfer 7d 7s")
    assert "attack 7d" in legal(at(THREE, "1 transfer 7s"), 1)


SHOW = THREE + ",show_transfer=true"


def test_a_trump_of_the_rank_is_shown_and_kept_where_the_table_allows_it() -> None:
    """
    With `show_transfer` the seven of trumps stays in the hand and the attack does not grow. (R8.8)
    """
    position = at(SHOW)
    assert {"show 7s", "transfer 7s", "transfer 7d"} <= legal(position, 1)
    assert [Showed(1, parse_card("7s"), 2)] == events(position, "1 show 7s")
    seen = public(position)
    assert (1, 2, 1, 4) == (seen.attacker, seen.defender, len(seen.bout), seen.seats[1].cards)
    assert (True, (0, 1)) == (seen.seats[1].has_shown, seen.joined)


def test_a_show_needs_a_target_for_the_cards_that_lie() -> None:
    """
    The attack does not grow, so a target with one card can be shown one card. (R8.8)
    """
    position = at(SHOW.replace("2:7c,Ad,Kd", "2:Ad"))
    assert {"show 7s"} == {move for move in legal(position, 1) if not move.startswith(("beat", "take"))}
    grown = at(SHOW.replace("2:7c,Ad,Kd", "2:Ad").replace("0:Kh", "0:7c"), "0 attack 7c")
    assert "target_too_small" == code(grown, "1 show 7s")


def test_only_a_trump_of_the_rank_in_hand_is_shown() -> None:
    """
    A plain seven is played, not shown, and so is nothing that one does not hold. (R8.8)
    """
    position = at(SHOW)
    assert ["not_a_trump", "not_in_hand"] == [code(position, move) for move in ("1 show 7d", "1 show 7c")]
    assert "no_shows_here" == code(at(THREE), "1 show 7s")


def test_a_seat_shows_once_in_a_bout() -> None:
    """
    When the attack comes round again, the trump must be played. (R8.8)
    """
    position = at("36/s/0/0:7c,Kc,Jc,Qd;1:7s,8h,9c,Td/0>1/7h@0/transfer=true,show_transfer=true", "1 show 7s", "0 transfer 7c")
    assert "already_shown" == code(position, "1 show 7s")
    assert "transfer 7s" in legal(position, 1)


def test_a_first_bout_without_transfers_where_the_table_says_so() -> None:
    """
    With `transfer_first_bout` off the game's first attack is beaten or taken. (R8.9)
    """
    text = THREE + ",transfer_first_bout=false,show_transfer=true"
    first = at(text + ",bout_no=1")
    assert {"beat 7h 7s", "beat 7h 8h", "take"} == legal(first, 1)
    assert ["no_transfer_in_first_bout"] * 2 == [code(first, move) for move in ("1 transfer 7s", "1 show 7s")]
    assert "transfer 7s" in legal(at(text + ",bout_no=2"), 1)


def test_a_trump_may_be_passed_on() -> None:
    """
    The seven of trumps transfers like any seven. (R8.10)
    """
    assert (1, 2) == roles(THREE, "1 transfer 7s")


def test_the_last_card_may_be_passed_on() -> None:
    """
    Who transfers with the last card, with an empty stock, goes out when the bout is over. (R8.10)
    """
    position = at("36/s/0/0:Kh;1:7s;2:Ad,Kd/0>1/7h@0/seats=3,transfer=true", "1 transfer 7s")
    assert "DEFENCE" == phase(position)
    assert "taken" == outcome(events(position, "2 take")).outcome
    assert 1 == public(position).seats[1].place

"""R6: how many attack cards a bout may have."""

from __future__ import annotations

from kozyr.core.options import Rules
from tests.core.playing import after, at, code, dealt, events, legal, outcome, public

# 52 cards; seat 0 holds a seven of every suit and two eights, seat 1 can beat them all, the stock is full.
FIRST = "52/s/2c,3c,4c,5c,2d,3d,4d,5d,2s/0:7c,7d,7h,8c,8d,8h;1:9c,9d,9h,Tc,Td,Th/0>1/-/bout_no=1,limit=5"


def test_the_first_bout_has_five_attack_cards_at_most() -> None:
    """
    Until the first successful defence of the game the limit is five. (R6.1)
    """
    position = at(FIRST, "0 attack 7c", "1 take", "0 attack 7d", "0 attack 7h")
    assert 5 == public(position).limit
    assert 2 == public(position).capacity


def test_beaten_and_unbeaten_attack_cards_count_alike() -> None:
    """
    Two lie beaten and one unbeaten: two of five are left. (R6.1)
    """
    position = at(FIRST, "0 attack 7c", "1 beat 7c 9c", "0 attack 7d", "1 beat 7d 9d", "0 attack 7h")
    assert 2 == public(position).capacity


def test_a_bout_that_is_taken_does_not_lift_the_limit() -> None:
    """
    Only a successful defence makes it six. (R6.1)
    """
    assert 5 == public(at(FIRST, "0 attack 7c", "1 take", "0 pass")).limit


def test_the_first_successful_defence_lifts_the_limit_for_the_bouts_after_it() -> None:
    """
    The bout that is the first success is itself played at five, the next at six. (R6.1)
    """
    position = at(FIRST, "0 attack 7c", "1 beat 7c 9c")
    assert 5 == public(position).limit
    assert 6 == public(after(position, "0 pass")).limit


def test_the_limit_is_five_in_the_first_bout_only_where_the_table_says_so() -> None:
    """
    With `first_limit_scope: first_bout` the second bout has six cards, even after a take. (R6.1)
    """
    assert 6 == public(at(FIRST + ",first_limit_scope=first_bout", "0 attack 7c", "1 take", "0 pass")).limit


def test_the_limit_is_six_from_the_start_where_the_table_says_so() -> None:
    """
    With `first_limit: 6` the first bout may already have six cards. (R6.1)
    """
    assert [6, 5] == [public(dealt("", first_limit=limit)).limit for limit in (6, 5)]
    assert 5 == Rules().first_limit


def test_no_more_attack_cards_than_the_defender_held_when_the_bout_began() -> None:
    """
    A defender with two cards faces two, however many sevens the others hold. (R6.2)
    """
    position = at("36/s/0/0:7c,7d,7h;1:8c,8d/0>1/-/", "0 attack 7c", "0 attack 7d")
    assert (2, 0) == (public(position).h0, public(position).capacity)
    assert "no_capacity" == code(position, "0 attack 7h")


def test_cards_used_to_beat_do_not_shrink_the_hand_that_counts() -> None:
    """
    The defender held three cards; after one beat two attack cards may still come. (R6.3)
    """
    position = at("36/s/0/0:7c,7d,7h,8h;1:8c,8d,9h/0>1/-/", "0 attack 7c", "1 beat 7c 8c")
    assert (3, 2) == (public(position).h0, public(position).capacity)
    events(position, "0 attack 7d", "0 attack 7h")
    assert (3, 0) == (public(position).h0, public(position).capacity)


def test_the_counter_shows_how_many_attack_cards_may_still_come() -> None:
    """
    The counter is the smaller of limit and hand, less the cards played; everybody sees it. (R6.4)
    """
    position = at("36/s/0/0:7c,7d,7h;1:8c,8d,8h,9c/0>1/-/limit=5")
    counts = [public(position).capacity]
    for move in ("0 attack 7c", "0 attack 7d", "1 beat 7d 8d", "0 attack 7h"):
        events(position, move)
        counts.append(public(position).capacity)
    assert [4, 3, 2, 2, 1] == counts


def test_a_full_bout_of_a_taking_defender_ends_by_itself() -> None:
    """
    The defender held two cards; with the second attack card the take is complete. (R6.4)
    """
    happened = events(at("36/s/0/0:7c,7d,7h;1:8c,8d/0>1/-/"), "0 attack 7c", "1 take", "0 attack 7d")
    assert "taken" == outcome(happened).outcome


def test_a_defender_with_an_empty_hand_ends_the_bout() -> None:
    """
    The last card has beaten: no capacity is left, nobody passes. (R6.4)
    """
    happened = events(at("36/s/0/0:7c,7d;1:8c;2:7h/0>1/-/seats=3"), "0 attack 7c", "1 beat 7c 8c")
    assert "beaten" == outcome(happened).outcome


def test_a_big_hand_faces_six_cards_at_most() -> None:
    """
    With an empty stock a defender of eight cards is given six all the same. (R6.5)
    """
    position = at("36/s/0/0:6c,7c,7d,7h,8h;1:8c,8d,9h,Tc,Td,Jc,Jd,Qc;2:7s,6d,6h,8s/0>1/-/seats=3")
    events(position, "0 attack 7c", "0 attack 7d", "0 attack 7h", "2 attack 7s", "1 beat 7c 8c", "0 attack 8h")
    assert (8, 1) == (public(position).h0, public(position).capacity)
    events(position, "2 attack 8s")
    assert 0 == public(position).capacity
    assert set() == legal(position, 0) | legal(position, 2)

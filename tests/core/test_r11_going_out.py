"""R11: going out, places, and the end of a game."""

from __future__ import annotations

import pytest

from kozyr.core.building import setting_of
from kozyr.core.events import Drew, GameOver, Result, WentOut
from kozyr.core.position import Position
from tests.core.playing import after, at, code, events, hand, legal, phase, public


def result(position: Position) -> Result | None:
    """
    Read the result of a game, if it is over.
    """
    return public(position).result


def test_a_seat_without_cards_goes_out_after_the_draw() -> None:
    """
    The stock is empty and the hand too: the seat is out, in first place. (R11.1)
    """
    position = at("36/s/0/0:;1:Td,Kd;2:8d,Jd/0>1/9h>Th@0/seats=3")
    assert public(position).seats[0].is_in
    assert WentOut(0, 1) in events(position, "2 pass")
    assert (False, 1) == (public(position).seats[0].is_in, public(position).seats[0].place)
    assert "seat_not_in" == code(position, "0 pass")


def test_an_empty_hand_with_stock_left_just_draws() -> None:
    """
    Nobody goes out while there are cards to draw. (R11.1)
    """
    position = at("36/s/6c,6d,6h,7c,7d,7h,7s/0:;1:Td,Kd,Jc,Qc,Qd;2:8d,Jd,Qh,Kh,Ac/0>1/9h>Th@0/seats=3", "2 pass")
    assert ("6c 7c 6d 7d 6h 7h", True) == (hand(position, 0), public(position).seats[0].is_in)


def test_a_seat_whose_turn_to_draw_comes_after_the_last_card_is_out() -> None:
    """
    Seat 0 draws the turned trump, and nothing is left for seat 2. (R11.1)
    """
    position = at("36/s/7s/0:Ac;1:Td,Kd;2:/0>1/9h>Th@0,Tc>Jc@2/seats=3")
    happened = events(position, "0 pass")
    assert [0] == [event.seat for event in happened if isinstance(event, Drew)]
    assert [WentOut(2, 1)] == [event for event in happened if isinstance(event, WentOut)]


def test_an_empty_seat_holds_its_place_until_the_bout_ends() -> None:
    """
    Seat 2 ran out: it throws nothing in, blocks a transfer, and is still seat 1's left. (R11.2)
    """
    position = at("36/s/0/0:9c,Kd;1:9s,Th,Td,Jc;2:/0>1/9h@0,9d@2/seats=3,transfer=true")
    assert set() == legal(position, 2)
    assert "target_too_small" == code(position, "1 transfer 9s")


def test_a_defender_who_takes_does_not_go_out() -> None:
    """
    With the bout in the hand the defender stays in. (R11.2)
    """
    position = at("36/s/0/0:9c,Kd;1:;2:8c,8d/0>1/9d>Td@0,9h@0/seats=3", "1 take")
    assert ("9d Td 9h", True) == (hand(position, 1), public(position).seats[1].is_in)


@pytest.mark.parametrize(("move", "reason"), [("1 beat 9h Th", "empty"), ("1 take", "cards")])
def test_the_bout_is_played_to_its_end(move: str, reason: str) -> None:
    """
    Seat 0 has no card left, and still the defender may make it a draw. (R11.3)
    """
    position = at("36/s/0/0:;1:Th/0>1/9h@0/")
    assert {"beat 9h Th", "take"} == legal(position, 1)
    end = result(after(position, move))
    assert end is not None
    assert reason == end.reason


def test_the_next_seat_in_attacks_for_an_attacker_who_went_out() -> None:
    """
    The defender beat everything with the last card: seat 2 attacks seat 0. (R11.4)
    """
    position = at("36/s/0/0:9c,Kd;1:Th;2:8c,8d/0>1/9h@0/seats=3", "1 beat 9h Th")
    assert (2, 0) == (public(position).attacker, public(position).defender)


def test_the_next_defender_is_the_next_seat_in() -> None:
    """
    Seat 1 takes and seat 2, who would attack, is out: 3 attacks 0. (R11.4)
    """
    position = at("36/s/0/0:9c,Kd;1:Td,Jd;2:;3:8c,8d/0>1/9h@0,9d@2/seats=4", "1 take")
    assert (3, 0) == (public(position).attacker, public(position).defender)


@pytest.mark.parametrize(("emptied", "places"), [("2.0", [2, None, 1, None]), ("0.2", [1, None, 2, None])])
def test_places_follow_the_order_in_which_hands_became_empty(emptied: str, places: list[int | None]) -> None:
    """
    Two seats run out in one bout: who played the last card first is placed before. (R11.5)
    """
    position = at(f"36/s/0/0:;1:Th,Td,Kc;2:;3:Ac,Ad/0>1/9h@0,9d@2/seats=4,emptied={emptied}", "1 take", "3 pass")
    assert places == [seat.place for seat in public(position).seats]


def test_a_hand_is_empty_from_the_card_that_emptied_it() -> None:
    """
    The thrower's last card came before the attacker's: the thrower is first. (R11.5)
    """
    position = at("36/s/0/0:9c;1:Td,Jd,Kc;2:9d;3:Ac,Ad/0>1/9h@0/seats=4", "2 attack 9d", "0 attack 9c", "1 take")
    assert [2, None, 1, None] == [seat.place for seat in public(position).seats]


def test_the_last_seat_with_cards_is_the_durak() -> None:
    """
    One seat is left: it is the durak, in the last place. (R11.6)
    """
    position = at("36/s/0/0:;1:Th;2:8c,8d/2>1/9h@2/seats=3,out=0")
    happened = events(position, "1 beat 9h Th")
    assert GameOver(Result("durak", "cards", 2, (0, 1))) == happened[-1]
    assert ("OVER", None, None) == (phase(position), public(position).attacker, public(position).defender)


DRAW = "36/s/0/0:;1:Th/0>1/9h@0/"


def test_a_game_in_which_nobody_is_left_is_drawn() -> None:
    """
    The last two empty their hands in the same bout. (R11.7)
    """
    happened = events(at(DRAW), "1 beat 9h Th")
    assert GameOver(Result("draw", "empty", None, (0, 1))) == happened[-1]


def test_three_may_draw_at_once() -> None:
    """
    Three last cards in one bout: nobody is the durak, and all have places on paper. (R11.7)
    """
    position = at("36/s/0/0:;1:Th,Td;2:9d;3:/0>1/9h@0/seats=4,out=3", "2 attack 9d", "1 beat 9h Th")
    assert GameOver(Result("draw", "empty", None, (3, 0, 2, 1))) == events(position, "1 beat 9d Td")[-1]


def test_without_draws_the_one_whose_hand_emptied_last_is_the_durak() -> None:
    """
    With `draws` off the defender who beat the last card has lost. (R11.8)
    """
    happened = events(at(DRAW + "draws=false"), "1 beat 9h Th")
    assert GameOver(Result("durak", "last_emptied", 1, (0,))) == happened[-1]


def test_without_draws_the_last_thrower_is_the_durak_where_the_table_says_so() -> None:
    """
    With `no_draw_durak: last_thrower` whoever played the last attack card has lost. (R11.8)
    """
    position = at("36/s/0/0:;1:Th,Td;2:9d/0>1/9h@0/seats=3,draws=false,no_draw_durak=last_thrower", "2 attack 9d", "1 beat 9h Th")
    assert GameOver(Result("durak", "last_emptied", 2, (0, 1))) == events(position, "1 beat 9d Td")[-1]


def test_a_game_that_stands_the_same_for_the_third_time_is_drawn() -> None:
    """
    Two seats pass the same cards to and fro by transfers: the third time all is as before, the game is a draw. (R11.9)
    """
    position = at("36/d/0/0:7h,Jh,Qh;1:7s,7c,9c,Tc/0>1/-/transfer=true,draws=false")
    once = ["0 attack 7h", "1 transfer 7s", "0 take", "1 attack 7c", "0 transfer 7s", "1 take"]
    events(position, *once)
    assert "OPENING" == phase(position)
    assert GameOver(Result("draw", "repetition", None, ())) == events(position, *once)[-1]


@pytest.mark.parametrize(("seats", "bouts"), [(3, 60), (5, 100)])
def test_a_game_without_progress_for_too_long_is_drawn(seats: int, bouts: int) -> None:
    """
    Twenty bouts for each seat with nothing beaten, drawn or gone out end the game. (R11.10)
    """
    hands = ["6c,7c,8c,9c", "6d,7d,8d,9d", "6h,7h,8h,9h", "Tc,Td,Th,Jc", "Qc,Qd,Qh,Kc"][:seats]
    cards = ";".join(f"{seat}:{each}" for seat, each in enumerate(hands))
    position = at(f"36/s/0/{cards}/0>1/-/seats={seats},draws=false,throw_on_take=false")
    n = 0
    while not result(position):
        seen = public(position)
        held = hand(position, seen.attacker or 0).split()
        events(position, f"{seen.attacker} attack {held[n * 7 % len(held)]}", f"{seen.defender} take")
        n += 1
    assert (bouts, Result("draw", "no_progress", None, ())) == (n, result(position))


@pytest.mark.parametrize(
    ("text", "moves", "starts"),
    [
        ("36/s/0/0:9c,Kd;1:Td,Jd;2:8c,8d/0>1/9h@0/seats=3", ["1 take", "0 pass", "2 pass"], 2),
        ("36/s/0/0:9c,Kd;1:Td,Jd;2:8c,8d/0>1/9h>Th@0/seats=3,cheat=true", ["0 challenge Th"], 2),
        ("36/s/0/0:9c,Kd;1:Td,Jd;2:8c,8d/0>1/9h>Th@0/seats=3", ["0 pass", "2 pass"], 1),
        ("36/s/6c,6s/0:9c,Kd;1:Td,Jd;2:8c,8d/0>1/9h@0/seats=3", ["1 take", "0 pass", "2 pass"], 1),
        ("36/s/0/0:;1:Td,Jd;2:8c,8d/0>1/9h@0/seats=3", ["1 take", "2 pass"], 1),
    ],
    ids=["taken", "penalty", "beaten", "drawn", "out"],
)
def test_what_is_progress(text: str, moves: list[str], starts: int) -> None:
    """
    Cards that are beaten or drawn and a seat that goes out begin the count anew; a take or a penalty does not. (R11.10)
    """
    past = setting_of(at(text, *moves)).past or ()
    assert starts == len(past) // 2

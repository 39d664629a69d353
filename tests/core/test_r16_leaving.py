"""R16: the default move, and leaving."""

from __future__ import annotations

import pytest

from kozyr.core.defaults import default_move
from kozyr.core.events import GameOver, Resigned, Result
from kozyr.core.options import Rules
from kozyr.core.position import Position
from tests.core.playing import after, at, code, events, public


def defaults(position: Position) -> list[str | None]:
    """
    List the default move of every seat.
    """
    moves = [default_move(position, seat) for seat in range(position.rules.seats)]
    return [None if move is None else move.text for move in moves]


@pytest.mark.parametrize(
    ("hand", "card"),
    [("7d,6s,9h", "7d"), ("As,Ks", "Ks"), ("7c,7d,7h", "7h"), ("7c,7d,8s", "7d"), ("Ac,6s", "Ac")],
    ids=["lowest plain", "only trumps", "first suit of s h d c", "equal ranks", "plain before trump"],
)
def test_the_attacker_out_of_time_plays_the_lowest_plain_card(hand: str, card: str) -> None:
    """
    The lowest plain card, else the lowest trump; among equal ranks the first suit in the order s h d c. (R16.2)
    """
    assert [f"attack {card}", None] == defaults(at(f"36/s/0/0:{hand};1:8h,Ts,Jc/0>1/-/"))


def test_the_defender_out_of_time_takes() -> None:
    """
    Beating needs a choice; taking does not. (R16.2)
    """
    assert [None, "take", None] == defaults(at("36/s/0/0:7d;1:8h,Ts;2:7c/0>1/7h@0/seats=3"))


def test_attackers_out_of_time_pass() -> None:
    """
    Everybody who is waited for passes. (R16.2)
    """
    position = at("36/s/0/0:7d;1:Ts,Kd;2:7c/0>1/7h>8h@0/seats=3")
    assert ["pass", None, "pass"] == defaults(position)
    assert [None, None, "pass"] == defaults(after(position, "0 pass"))


def test_who_does_not_have_the_floor_is_not_passed_for() -> None:
    """
    While the attacker goes first, only the attacker can be out of time. (R16.2)
    """
    assert ["pass", None, None] == defaults(at("36/s/0/0:7d;1:Ts,Kd;2:7c/0>1/7h>8h@0/seats=3,throw_priority=attacker_first"))


def test_seats_out_of_time_accept() -> None:
    """
    In the time for challenges silence is consent. (R16.2)
    """
    assert ["accept"] * 3 == defaults(at("36/s/0/0:7d;1:Ts,Kd;2:7c/0>1/7h>8h@0/seats=3,cheat=true", "0 pass", "2 pass"))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_may_leave_at_any_time(seat: int) -> None:
    """
    Whoever leaves is the durak, and the game is over; the seats already out keep their places. (R16.3)
    """
    position = at("36/s/0/0:7d;1:8h,Ts;2:7c;3:/0>1/7h@0/seats=4,out=3")
    assert [Resigned(seat), GameOver(Result("durak", "forfeit", seat, (3,)))] == events(position, f"{seat} resign")
    assert (False, 1) == (public(position).seats[3].is_in, public(position).seats[3].place)


def test_a_seat_that_is_out_cannot_leave() -> None:
    """
    Who has gone out has nothing to give up. (R16.3)
    """
    assert "seat_not_in" == code(at("36/s/0/0:7d;1:8h,Ts;2:7c;3:/0>1/7h@0/seats=4,out=3"), "3 resign")


@pytest.mark.parametrize(
    ("options", "forfeit"),
    [
        ({"seats": 2}, "end_game"),
        ({"seats": 4, "stake": 100}, "end_game"),
        ({"seats": 3}, "autopilot"),
        ({"seats": 3, "forfeit": "end_game"}, "end_game"),
        ({"seats": 2, "forfeit": "autopilot"}, "autopilot"),
    ],
)
def test_what_leaving_does_is_settled_by_stake_and_seats(options: dict[str, int | str], forfeit: str) -> None:
    """
    At staked and two-seat tables the game ends, at free tables of three and more the easy bot plays on, unless the table says. (R16.3)
    """
    assert forfeit == Rules.of(options).forfeit


def test_of_two_who_leave_the_first_is_the_durak() -> None:
    """
    The second finds the game over. (R16.4)
    """
    position = at("36/s/0/0:7d;1:8h,Ts;2:7c/0>1/7h@0/seats=3", "2 resign")
    assert "game_over" == code(position, "1 resign")
    assert 2 == (public(position).result or Result("", "", None, ())).durak


@pytest.mark.parametrize("move", ["0 attack 7d", "1 take", "0 pass", "0 accept", "1 challenge 7h", "0 resign"])
def test_a_game_that_is_over_takes_no_more_moves(move: str) -> None:
    """
    Nothing is played after the end. (R16.3)
    """
    assert "game_over" == code(at("36/s/0/0:7d;1:8h,Ts/0>1/7h@0/cheat=true", "1 resign"), move)

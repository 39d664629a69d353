"""Positions and views in words."""

from __future__ import annotations

from .conftest import Kozyr


def test_a_position_is_explained(kozyr: Kozyr) -> None:
    """
    Phase, roles, cards, the bout, and what each seat may do.
    """
    done = kozyr("show", "36/s/0/0:7h,9h;1:8h;2:6c,9c/0>1/9d>Td@0/seats=3,limit=6,bout_no=5")
    assert (0, "") == (done.code, done.err)
    assert done.lines == [
        "Options: deck=36,seats=3.",
        "Bout 5. All cards are beaten; more may be thrown in. Seat 0 attacks seat 1.",
        "Trump: spades. Stock: 0. Discard: 29.",
        "Cards: seat 0 2, seat 1 1, seat 2 2.",
        "In the bout: 9d from seat 0, beaten by Td.",
        "1 more attack card may come.",
        "Seat 0 holds 7h 9h.",
        "Seat 0 must choose: attack 9h; pass.",
        "Seat 1 holds 8h.",
        "Seat 2 holds 6c 9c.",
        "Seat 2 must choose: attack 9c; pass.",
    ]


def test_a_view_tells_no_more_than_it_holds(kozyr: Kozyr) -> None:
    """
    Of other hands a view knows the sizes.
    """
    done = kozyr("show", "--spoken", "36/s/4/0:7h,9s;1:5/0>1/-/seats=2,limit=5,bout_no=1,trump_card=As,view=0")
    assert done.lines == [
        "Options: deck=36,seats=2.",
        "Bout 1. The bout is about to be opened. Seat 0 attacks seat 1.",
        "Trump: spades, ace of spades under the stock. Stock: 4. Discard: 25.",
        "Cards: seat 1 5.",
        "Seat 0 holds seven of hearts, nine of spades.",
        "Seat 0 must choose: attack seven of hearts; attack nine of spades.",
    ]


def test_who_may_act_and_who_has_to_wait_is_told(kozyr: Kozyr) -> None:
    """
    At open pace a thrower may act while the defender is asked; where the attacker goes first the others wait.
    """
    done = kozyr("show", "36/s/0/0:7c,9h;1:8h,Th;2:6c,9c/0>1/7h@0/seats=3,limit=6,bout_no=5")
    assert "Seat 0 may play or wait: attack 7c." in done.lines
    done = kozyr("show", "36/s/0/0:7c,9h;1:Th;2:6c,8c/0>1/7h>8h@0/seats=3,throw_priority=attacker_first,limit=6,bout_no=5")
    assert "Seat 2 is waited for, but others go first." in done.lines


def test_a_game_that_is_over_has_a_result(kozyr: Kozyr) -> None:
    """
    The durak and the places are named.
    """
    done = kozyr("show", "36/s/0/0:7h;1:/0>-/-/seats=2,limit=6,bout_no=5,phase=OVER,out=1,durak=0,reason=cards")
    assert "Seat 0 is the durak: nobody else holds cards. Place 1: seat 1." in done.lines
    assert not any("choose" in line for line in done.lines)


def test_a_deal_is_shown_from_its_seed(kozyr: Kozyr) -> None:
    """
    `start:` deals a pack that is shuffled from a number.
    """
    first, again = (kozyr("show", "start:deck=24,seats=3,seed=5").out for _ in range(2))
    assert first == again
    assert first != kozyr("show", "start:deck=24,seats=3,seed=6").out


def test_standard_input_that_is_no_position_is_told(kozyr: Kozyr) -> None:
    """
    `-` with nothing behind it is one line, exit code 2.
    """
    done = kozyr("show", "-")
    assert (2, "", "kozyr: position: '' is no position") == (done.code, done.out, done.err[:34])


def test_a_view_of_no_table_is_told(kozyr: Kozyr) -> None:
    """
    A view for a seat that the table has not is refused.
    """
    done = kozyr("show", "36/s/0/0:7h;1:1/0>1/-/limit=6,view=4")
    assert (2, "kozyr: view: there is no seat 4 at a table for 2\n") == (done.code, done.err)

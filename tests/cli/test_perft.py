"""Counting lines of play."""

from __future__ import annotations

import pytest

from kozyr.cli.perft import divide, move_of
from kozyr.cli.reading import read_position
from kozyr.core.codes import OVER
from kozyr.core.judge import legal_moves
from kozyr.core.play import play
from kozyr.core.playout import choices
from kozyr.core.playout import perft as count

from .conftest import Kozyr

EVERYTHING = "seats=3,transfer=true,show_transfer=true,multi_attack=true,multi_transfer=true,pace=turns"


def test_lines_are_counted_by_first_move_and_in_total(kozyr: Kozyr) -> None:
    """
    Three moves deep: an opening, an answer, and what follows.
    """
    done = kozyr("perft", "start:deck=36,seats=2,seed=1", "3")
    lines = ["1 attack Ac 1", "1 attack Td 2", "1 attack Qd 2", "1 attack Th 5", "1 attack Qh 5", "1 attack Ks 1", "total 16"]
    assert (0, lines, "") == (done.code, done.lines, done.err)


def test_a_small_endgame_is_counted_to_its_end(kozyr: Kozyr) -> None:
    """
    Seven of hearts against the eight: it is beaten or taken, and there is no third way.
    """
    done = kozyr("perft", "36/s/0/0:7h;1:8h/0>1/-/seats=2,limit=6,bout_no=5", "9")
    assert ["0 attack 7h 2", "total 2"] == done.lines


def test_a_position_comes_from_standard_input(kozyr: Kozyr) -> None:
    """
    `-` spares the quoting of a position in the shell.
    """
    done = kozyr("perft", "-", "9", typed="36/s/0/0:7h;1:8h/0>1/-/seats=2,limit=6,bout_no=5\n")
    assert "total 2" == done.lines[-1]


@pytest.mark.parametrize("depth", ["0", "5"])
def test_there_is_one_line_where_there_is_no_move(kozyr: Kozyr, depth: str) -> None:
    """
    At depth 0, and after the end of a game, the one line is the empty one.
    """
    over = "36/s/0/0:7h;1:/0>-/-/seats=2,limit=6,bout_no=5,phase=OVER,out=1,durak=0,reason=cards"
    assert ["total 1"] == kozyr("perft", "start:" if depth == "0" else over, depth).lines


@pytest.mark.parametrize("seed", range(1, 9))
def test_parts_add_up_to_the_engines_own_count(seed: int) -> None:
    """
    The counts by first move sum to the count of the whole.
    """
    root = read_position(f"start:{EVERYTHING},seed={seed}")
    assert count(root, 4) == sum(n for _, n in divide(root, 4))


@pytest.mark.parametrize("seed", range(1, 25))
def test_every_action_has_a_move_that_does_the_same(seed: int) -> None:
    """
    Each action of the engine is written as the legal move with its effect, at honest and at cheating tables.
    """
    position = read_position(f"start:{EVERYTHING},cheat={str(seed % 2 == 0).lower()},seed={seed}")
    for step in range(60):
        if position.phase == OVER:
            break
        actions = choices(position)
        moves = [move_of(position, action) for action in actions]
        assert len(set(moves)) == len(moves)
        assert set(moves) <= set(legal_moves(position, position.turn))
        chosen = step * 7 % len(actions)
        other = position.copy()
        play(other, moves[chosen])
        position.act(actions[chosen])
        assert list(position.hands) == list(other.hands)
        assert (position.turn, position.phase, position.attacks) == (other.turn, other.phase, other.attacks)


@pytest.mark.parametrize(
    ("position", "depth", "text"),
    [
        ("start:", "-1", "the depth is a number from 0 to 200"),
        ("start:", "201", "the depth is a number from 0 to 200"),
        ("start:seed=0", "1", "position: a seed is a number from 1 to 2147483646"),
        ("start:seed=x", "1", "position: a seed is a number from 1 to 2147483646"),
        ("start:deck=24,seats=5", "1", "position: the deck does not give six cards to each of 5 seats"),
        ("start:colour=red", "1", "position: there is no option 'colour'; there are deck, seats, throw_scope"),
        ("start:transfer=maybe", "1", "position: transfer cannot be maybe: it is one of false, true"),
        ("start:stake=99999", "1", "position: stake cannot be 99999: it is a number from 0 to 10000"),
        ("start:deck", "1", "position: 'deck' is no option, or comes twice: an option is name=value"),
        ("36/s/0/0:7h;1:7h/0>1/-/limit=6", "1", "position: a card is in two places: 7h"),
        ("36/s/0/0:7h;1:1/0>1/-/limit=6", "1", "position: a position names every card in hands and stock"),
        ("36/s/0/0:7h;1:1/0>1/-/limit=6,view=0", "1", "position: this is a view, which does not name every card"),
        ("", "1", "position: '' is no position"),
    ],
)
def test_garbage_is_explained(kozyr: Kozyr, position: str, depth: str, text: str) -> None:
    """
    A malformed position, an unknown option or a depth out of range is told in one line.
    """
    done = kozyr("perft", position, depth)
    assert (2, "", 1) == (done.code, done.out, len(done.err.splitlines()))
    assert done.err.startswith(f"kozyr: {text}")

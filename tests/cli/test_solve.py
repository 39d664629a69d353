"""`kozyr solve` explains endgames."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import Kozyr

ENDGAME = "36/s/0/0:7c,7h,9h,Qd;1:Tc,Jc,9c,7s/0>1/-/limit=6,bout_no=5"
THREE = "36/s/0/0:7h,9h;1:8h;2:6c,9c/0>1/9d>Td@0/seats=3,limit=6,bout_no=5"


def test_an_endgame_is_explained(kozyr: Kozyr) -> None:
    """
    Who wins, what each move is worth, how it goes on to the durak.
    """
    done = kozyr("solve", ENDGAME)
    assert (0, "") == (done.code, done.err)
    assert "Seat 0 wins by force: seat 1 is the durak, whatever it plays." in done.lines
    assert ["  attack 7c  loses", "  attack Qd  wins", "  attack 7h  loses", "  attack 9h  wins"] == done.lines[8:12]
    assert re.fullmatch(r"    7  0 attack 9h .*Seat 1 is the durak: .*", done.lines[-2])
    assert re.fullmatch(r"[\d,]+ nodes in [\d,.]+ ms\.", done.lines[-1])


def test_the_line_is_a_game_in_notation(kozyr: Kozyr) -> None:
    """
    Each of its moves is written as in a game's file, with what happens in words.
    """
    done = kozyr("solve", "--spoken", "36/s/0/0:7h,As;1:8h,6c/0>1/-/")
    assert "    1  0 attack As   Seat 0 attacks with ace of spades." in done.lines


def test_a_drawn_endgame_is_told(kozyr: Kozyr) -> None:
    """
    7h against 8h: both run out (R11.7).
    """
    done = kozyr("solve", "36/s/0/0:7h;1:8h/0>1/-/")
    assert "Drawn: neither seat can force a win." in done.lines
    assert "  attack 7h  draws" in done.lines


def test_without_draws_the_durak_is_named(kozyr: Kozyr) -> None:
    """
    The same at a table without draws: whose hand ran out last is the durak (R11.8).
    """
    assert "Seat 0 wins by force: seat 1 is the durak, whatever it plays." in kozyr("solve", "36/s/0/0:7h;1:8h/0>1/-/draws=false").lines


def test_a_known_stock_is_part_of_the_position(kozyr: Kozyr) -> None:
    """
    Up to four cards in the stock, drawn in the order that is given.
    """
    done = kozyr("solve", "24/s/9c,Td,9s/0:9h,Th,Jh,Qh,Kh,Ah;1:9d,Jd,Qd,Kd,Ad,As/0>1/-/limit=6")
    assert 0 == done.code
    assert any("by force" in line or line.startswith("Drawn") for line in done.lines)


def test_a_game_that_is_over_has_its_result(kozyr: Kozyr) -> None:
    """
    Nothing is left to solve.
    """
    done = kozyr("solve", "36/s/0/0:7h;1:/0>-/-/phase=OVER,out=1,durak=0,reason=cards")
    assert (0, ["Seat 0 is the durak: nobody else holds cards. Place 1: seat 1."]) == (done.code, done.lines)


def test_three_seats_are_looked_at_under_assumptions(kozyr: Kozyr) -> None:
    """
    With three seats in nobody wins by force: what is assumed of the others is said.
    """
    done = kozyr("solve", THREE.replace("0:7h,9h;1:8h", "0:9h;1:8h"), "--nodes", "20000")
    assert any(line.startswith("If all others play against seat 0: ") for line in done.lines)
    assert any(line.startswith("If everybody plays for the best place: ") for line in done.lines)


def test_what_the_nodes_do_not_tell_is_not_solved(kozyr: Kozyr) -> None:
    """
    At the cap it says so, and the exit code is 1.
    """
    done = kozyr("solve", ENDGAME, "--nodes", "3")
    assert 1 == done.code
    assert done.lines[-1].startswith("Not solved: ")
    assert any("Not solved" in line for line in kozyr("solve", THREE, "--nodes", "50").lines)


def test_positions_come_from_files_and_standard_input(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    A position a line; empty lines and lines with # are passed over.
    """
    file = tmp_path / "endgames.txt"
    file.write_text(f"# two\n\n{ENDGAME}\n36/s/0/0:7h;1:8h/0>1/-/\n", encoding="utf-8")
    done = kozyr("solve", file)
    assert (0, 1, 1) == (done.code, done.out.count("by force"), done.out.count("Drawn"))
    assert "Drawn: neither seat can force a win." in kozyr("solve", "-", typed="36/s/0/0:7h;1:8h/0>1/-/\n").lines


@pytest.mark.parametrize(
    ("position", "told"),
    [
        ("nonsense", "position: 'nonsense' is no position"),
        ("", "position: '' is no position"),
        ("x" * 5000, "position: "),
        ("36/s/0/0:7h,7h;1:8h/0>1/-/", "position: "),
        ("36/s/0/0:2h;1:8h/0>1/-/", "position: "),
        ("36/s/0/0:7h;1:3/0>1/-/view=0", "position: this is a view"),
        ("start:deck=36,seats=2,seed=1", "position: 24 cards are in the stock: the solver takes 4 at most"),
        ("start:deck=36,seats=9", "position: "),
        ("36/s/0/0:7h;1:8h/0>1/-/cheat=true", "position: only honest tables can be solved"),
    ],
)
def test_what_cannot_be_solved_is_told_in_one_line(kozyr: Kozyr, position: str, told: str) -> None:
    """
    Garbage, impossible and unfinished positions: exit code 2, and nothing else is printed.
    """
    done = kozyr("solve", position)
    assert (2, "") == (done.code, done.out)
    assert done.err.startswith(f"kozyr: {told}"), done.err
    assert 1 == len(done.err.splitlines())


@pytest.mark.parametrize(("text", "told"), [("", "has 0 positions"), (f"{ENDGAME}\nnonsense\n", "line 2: position: 'nonsense'")])
def test_what_is_wrong_in_a_file_is_told_with_its_line(kozyr: Kozyr, tmp_path: Path, text: str, told: str) -> None:
    """
    An empty file, or a line that is no position.
    """
    file = tmp_path / "endgames.txt"
    file.write_text(text, encoding="utf-8")
    done = kozyr("solve", file)
    assert 2 == done.code
    assert told in done.err
    assert 2 == kozyr("solve", "-", typed=text).code

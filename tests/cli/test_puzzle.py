"""`kozyr puzzle` shows a problem and judges the answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from kozyr import puzzles as package
from kozyr.cli.terminal import tidy
from kozyr.puzzles import GRADES, puzzles

from .conftest import Kozyr


def test_a_wrong_move_is_told_and_the_right_one_ends_it(kozyr: Kozyr) -> None:
    """
    What the wrong move is worth, then the solution with a best line.
    """
    puzzle = puzzles()[0]
    wrong = next(each for each in range(1, puzzle.choices + 1) if f"{each}: {puzzle.move.text}\n" not in kozyr("puzzle", "1").out)
    done = kozyr("puzzle", "1", typed=f"{wrong}\nnonsense\n{puzzle.move.text}\n")
    assert (0, "") == (done.code, done.err)
    assert "Try again." in done.out
    assert "Type the number of a move" in done.out
    assert f"The solution: {puzzle.move.text}." in done.lines
    assert done.out.index("Try again.") < done.out.index("Right!") < done.out.index("A best line:")


def test_the_solution_is_shown_when_asked_for(kozyr: Kozyr) -> None:
    """
    Nothing is asked then.
    """
    done = kozyr("puzzle", "2", "--solution", "--spoken")
    assert (0, False) == (done.code, "Your move" in done.out)
    assert "A best line:" in done.lines


@pytest.mark.parametrize("typed", ["", "quit\n"])
def test_who_leaves_is_not_told_the_solution(kozyr: Kozyr, typed: str) -> None:
    """
    The end of the input is a way out, too.
    """
    done = kozyr("puzzle", "1", typed=typed)
    assert (0, False) == (done.code, "The solution" in done.out)


@pytest.mark.parametrize("grade", range(1, GRADES + 1))
def test_any_problem_of_a_grade(kozyr: Kozyr, grade: int) -> None:
    """
    Without a number it is one of them, and both hands are shown.
    """
    done = kozyr("puzzle", "--grade", str(grade))
    assert f", grade {grade} of {GRADES}. " in done.lines[0]
    assert 2 == sum(" hold" in line for line in done.lines)


@pytest.mark.parametrize(
    ("words", "told"), [(("0",), "there is no problem 0"), (("9999",), "there is no problem 9999"), (("x",), "Invalid value")]
)
def test_a_problem_that_is_not_there_is_told(kozyr: Kozyr, words: tuple[str, ...], told: str) -> None:
    """
    How many there are is said.
    """
    done = kozyr("puzzle", *words)
    assert 2 == done.code
    assert told in done.err


@pytest.mark.parametrize("data", [b"", b'{"puzzles": [{"n": 1', b"\xff\xfe", b'{"puzzles": [5]}', None])
def test_a_file_of_problems_that_is_damaged_is_named(
    kozyr: Kozyr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes | None
) -> None:
    """
    Cut short, no text, of something else, or gone: one line says which file it is.
    """
    file = tmp_path / "endgames.json"
    if data is not None:
        file.write_bytes(data)
    monkeypatch.setattr(package, "files", lambda name: tmp_path)
    puzzles.cache_clear()
    done = kozyr("puzzle", "1")
    assert (2, "") == (done.code, done.out)
    assert done.err.startswith(f"kozyr: {file}: "), done.err
    assert 1 == len(done.err.splitlines())


def test_moves_are_read_however_they_are_typed() -> None:
    """
    As at a table: tens and capitals do not matter.
    """
    assert "beat Th Jh" == tidy("Beat 10H jh")

"""`kozyr arena` prints what a contest has shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import Kozyr


def test_the_command_prints_the_matrix(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    kozyr arena easy random normal: a row for each.
    """
    ran = kozyr("arena", "easy", "random", "normal", "--deals", "4", "--workers", "1", "--json", str(tmp_path / "results"))
    assert (0, "") == (ran.code, ran.err)
    assert re.search(r"^easy +– +\d+\.\d ± \d+\.\d", ran.out, re.MULTILINE)
    assert 13 == len((tmp_path / "results").read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("easy", "grandmaster"), "kozyr: there is no player 'grandmaster'"),
        (("easy", "easy"), "kozyr: a player comes twice"),
        (("easy", "random", "--seats", "7"), "kozyr: options: seats cannot be 7"),
        (("easy", "random", "--json", "/nowhere/x"), "kozyr: cannot use /nowhere/x"),
        (("easy", "random", "--sprt", "40"), "kozyr: Invalid value"),
    ],
)
def test_bad_input_is_told_in_one_line(kozyr: Kozyr, words: tuple[str, ...], told: str) -> None:
    """
    Nothing is played, and the exit code is 2.
    """
    ran = kozyr("arena", *words, "--deals", "2", "--workers", "1")
    assert 2 == ran.code
    assert ran.err.startswith(told), ran.err
    assert 1 == len(ran.err.splitlines())

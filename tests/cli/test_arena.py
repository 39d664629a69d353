"""`kozyr arena` prints what a contest has shown."""

from __future__ import annotations

import re
import shlex
import sys
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
        (("easy",), "kozyr: a contest needs two players"),
        (("easy", "--external", "/nowhere/bot"), "kozyr: external: crash: it cannot be started"),
        (("easy", "--external", "me="), "kozyr: an external program is a command"),
        (("easy", "--external", "easy=/bin/true"), "kozyr: a player comes twice"),
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


def test_a_program_that_misbehaves_is_reported(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    kozyr arena easy --external "bad=…": the contest ends, and the report says what was lost and why.
    """
    script = Path(__file__).parent.parent / "arena" / "misbehaving.py"
    command = shlex.join([sys.executable, str(script), "illegal", str(tmp_path / "pids")])
    ran = kozyr("arena", "easy", "--external", f"bad={command}", "--deck", "24", "--deals", "1", "--workers", "1", "--move-ms", "5000")
    assert (0, "") == (ran.code, ran.err)
    assert re.search(r"^bad has lost \d+ moves, for which the default move was played: illegal \d+$", ran.out, re.MULTILINE)
    assert "  illegal: 'beat 2c 3c' is none of " in ran.out

"""`kozyr train` makes a file of weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from kozyr.bots.linear import parse_weights

from .conftest import Kozyr


def test_it_writes_weights_with_the_command_that_made_them(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    The file can be read by the bot, and tells how to make it again.
    """
    out = tmp_path / "weights.json"
    ran = kozyr("train", "normal", "--out", out, "--batches", "1", "--games", "50", "--seed", "3")
    assert (0, "") == (ran.code, ran.err)
    text = out.read_text(encoding="utf-8")
    assert "kozyr train normal --seats 2 --batches 1 --games 50 --step 0.08 --seed 3" in text
    assert parse_weights(text).values


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("normal", "--out", "/nowhere/x"), "kozyr: cannot write /nowhere/x"),
        (("easy", "--out", "x"), "kozyr: Unknown command"),
        (("normal", "--out", "x", "--seats", "7"), "kozyr: Invalid value"),
    ],
)
def test_bad_input_is_told_in_one_line(kozyr: Kozyr, words: tuple[str, ...], told: str) -> None:
    """
    Nothing is written, and the exit code is 2.
    """
    ran = kozyr("train", *words, "--batches", "1", "--games", "50")
    assert 2 == ran.code
    assert ran.err.startswith(told), ran.err

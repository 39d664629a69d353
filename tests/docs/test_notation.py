"""docs/notation.md is what the code does."""

from __future__ import annotations

import doctest
import re

import pytest

from kozyr.core.moves import KINDS
from kozyr.core.notation import FLAGS, VIEW_FLAGS
from kozyr.core.record import DERIVED, REQUIRED
from tests.tidy.files import ROOT

NOTATION = ROOT / "docs/notation.md"
TEXT = NOTATION.read_text(encoding="utf-8")


def section(title: str) -> str:
    """
    Find the text under a heading, to the next heading of its level or above.
    """
    deepest = title.index(" ")
    return re.split(rf"\n#{{2,{deepest}}} ", TEXT.split(f"\n{title}\n")[1])[0]


def first_cells(text: str) -> list[str]:
    """
    List the code words in the first column of a part's tables.
    """
    return [word for row in re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE) for word in re.findall(r"`([^`]+)`", row)]


def test_the_examples_run() -> None:
    """
    Every example gives what the page says.
    """
    failed, tried = doctest.testfile(str(NOTATION), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert tried > 20


def test_every_kind_of_move_is_described() -> None:
    """
    The table of moves has each word, and no other.
    """
    assert set(KINDS) == {move.split(" ")[1] for move in first_cells(section("## Moves"))}


def test_every_flag_is_described() -> None:
    """
    The tables of flags list each flag of a position once, and no other.
    """
    assert sorted(FLAGS) == sorted(first_cells(section("### Flags")))


@pytest.mark.parametrize("flag", sorted(set(FLAGS) - set(VIEW_FLAGS)))
def test_the_flags_that_no_view_has_are_named(flag: str) -> None:
    """
    What a view leaves out stands in its section.
    """
    assert f"`{flag}`" in section("## Views")


def test_every_tag_that_a_game_needs_is_described() -> None:
    """
    The table of tags has each tag that the code reads.
    """
    assert sorted([*REQUIRED, *DERIVED]) == sorted(word for word in first_cells(section("## Games")) if word[0].isupper())

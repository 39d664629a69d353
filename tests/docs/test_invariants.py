"""Every invariant of the server is named by a test that holds it."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.tidy.files import functions, name, python

INVARIANTS = {
    "I1": "a table's events are numbered without a gap",
    "I2": "a command is in the log at most once, and an acknowledged one for ever",
    "I3": "nobody is shown an event that is not committed",
    "I4": "the position is the fold of the events",
    "I5": "the server decides legality, and on conflict judges again",
    "I6": "a deadline fires at most once, never early, at most one sweep late",
    "I7": "postings sum to zero, no balance is negative, a game settles once",
    "I8": "every byte that a viewer is sent is a function of their view",
    "I9": "losing hints delays, and loses nothing",
    "I10": "with all processes killed but one every table goes on, and who comes back gets exactly what they missed",
    "I11": "the deck of a finished game verifies",
}
RANGE = re.compile(r"\bI(\d{1,2})[-–]I(\d{1,2})\b")
SINGLE = re.compile(r"\bI(?:\d{1,2})\b")


@cache
def cited() -> dict[str, list[str]]:
    """
    Map each invariant to the tests that name it.
    """
    found: dict[str, list[str]] = {}
    for path in python("tests"):
        if path.name.startswith("test_"):
            for node in functions(path):
                if node.name.startswith("test_"):
                    for number in named(ast.get_docstring(node) or ""):
                        found.setdefault(number, []).append(f"{name(path)}::{node.name}")
    return found


def named(text: str) -> set[str]:
    """
    List the invariants that a text names, be it as a range.
    """
    ranges = {f"I{number}" for first, last in RANGE.findall(text) for number in range(int(first), int(last) + 1)}
    return ranges | set(SINGLE.findall(text))


@pytest.mark.parametrize("invariant", INVARIANTS)
def test_tests_name_the_invariant(invariant: str) -> None:
    """
    Some test holds this invariant by itself, and the simulation or a storm among everything that goes wrong.
    """
    tests = cited().get(invariant, [])
    assert any(not where.startswith(("tests/sim/test_whole", "tests/chaos/test_storm")) for where in tests)
    assert any(where.startswith(("tests/sim/test_whole", "tests/chaos/test_storm")) for where in tests)


def test_only_invariants_that_there_are_are_named() -> None:
    """
    Who follows a number from a test finds the invariant.
    """
    assert [] == [f"{each}: {where}" for each, where in cited().items() if each not in INVARIANTS]

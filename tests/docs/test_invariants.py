"""Every invariant of the server, and every trap that its prototypes met, is named by a test that holds it."""

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
TRAPS = {
    "trap 1": "an event that is announced while its table is loaded is not dropped",
    "trap 2": "a hint that dies with its process is made up for",
    "trap 3": "a viewer who skips versions is sent what came since, or a whole view",
    "trap 4": "one append of a table is in flight, and a bad row aborts no group",
    "trap 5": "equal payloads are folded, and none is 8,000 bytes long",
    "trap 6": "a transaction of SQLite is one that writes from its beginning",
    "trap 7": "a slow seat is dropped, and blocks nobody",
    "trap 8": "heartbeat, presence and the game's clock are three clocks",
    "trap 9": "every task is owned, cancelled and awaited",
    "trap 10": "PostgreSQL does not run as root",
}
RANGE = re.compile(r"\bI(\d{1,2})[-–]I(\d{1,2})\b")
SINGLE = re.compile(r"\b(?:I|trap )\d{1,2}\b")


@cache
def cited() -> dict[str, list[str]]:
    """
    Map each invariant and each trap to the tests that name it.
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
    List the invariants and traps that a text names, be it as a range.
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


@pytest.mark.parametrize("trap", TRAPS)
def test_tests_name_the_trap(trap: str) -> None:
    """
    Some test falls into it where nobody looks out.
    """
    assert cited().get(trap)


def test_only_invariants_that_there_are_are_named() -> None:
    """
    Who follows a number from a test finds the invariant.
    """
    assert [] == [f"{each}: {where}" for each, where in cited().items() if each not in INVARIANTS | TRAPS]

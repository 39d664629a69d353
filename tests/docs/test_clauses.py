"""Every clause of the rules is cited by a test, and nothing is cited that the rules do not have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from kozyr.core.options import CHOICES, RANGES
from tests.examples.checking import read_examples
from tests.tidy.files import ROOT, functions, name, python

RULES = ROOT / "docs/rules.md"
CLAUSE = re.compile(r"\b(?:R\d{1,2}\.\d{1,2}|V[1-6])\b")

# Clauses that no test has to cite, and why.
NOT_TESTED = {
    "R3.4": "a fact for ratings, no rule",
    "R12.1": "the score of a series is kept by the application, which has none yet",
    "R12.2": "the score of a series is kept by the application, which has none yet",
    "R15.1": "accounts are the application's; the engine knows no coins",
    "R16.1": "clocks are the application's; the engine knows no time",
}


@cache
def clauses() -> tuple[str, ...]:
    """
    List the clauses of docs/rules.md in order.
    """
    return tuple(re.findall(r"^\s*- \*\*(R\d{1,2}\.\d{1,2}|V[1-6])\b", RULES.read_text(encoding="utf-8"), re.MULTILINE))


def is_test(path: Path) -> bool:
    """
    Tell whether pytest collects the file.
    """
    return path.name.startswith("test_")


@cache
def cited() -> dict[str, str]:
    """
    Map each clause that a test or a worked example cites to one that does.
    """
    found: dict[str, str] = {}
    for path in filter(is_test, python("tests")):
        for node in functions(path):
            if node.name.startswith("test_"):
                for clause in CLAUSE.findall(ast.get_docstring(node) or ""):
                    found.setdefault(clause, f"{name(path)}::{node.name}")
    for example in read_examples(ROOT / "tests/examples"):
        listed = example["clause"]
        for clause in [listed] if isinstance(listed, str) else listed:
            found.setdefault(clause, example["id"])
    return found


def test_clauses_are_numbered_without_gaps() -> None:
    """
    Each group's clauses count from 1, and none comes twice.
    """
    assert len(set(clauses())) == len(clauses())
    groups: dict[str, list[int]] = {}
    for clause in clauses():
        group, _, number = clause.rpartition(".") if "." in clause else ("V", ".", clause[1:])
        groups.setdefault(group, []).append(int(number))
    assert [f"R{n}" for n in range(1, 17)] + ["V"] == list(groups)
    assert [] == [group for group, numbers in groups.items() if numbers != list(range(1, len(numbers) + 1))]


@pytest.mark.parametrize("clause", [clause for clause in clauses() if clause not in NOT_TESTED])
def test_a_test_cites_the_clause(clause: str) -> None:
    """
    Somewhere a test or a worked example says that it holds this clause.
    """
    assert clause in cited()


def test_only_clauses_of_the_rules_are_cited() -> None:
    """
    Who follows a number from a test finds the clause.
    """
    assert [] == [f"{clause}: {where}" for clause, where in cited().items() if clause not in clauses()]


def test_only_clauses_of_the_rules_are_named_in_the_sources() -> None:
    """
    Who follows a number from the code finds the clause.
    """
    wrong = [
        f"{name(path)}:{number} {clause}"
        for path in python("src")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for clause in re.findall(r"\bR\d{1,2}\.\d{1,2}\b", line)
        if clause not in clauses()
    ]
    assert [] == wrong


def test_only_clauses_of_the_rules_are_left_out() -> None:
    """
    The list of clauses that need no test names clauses that there are.
    """
    assert [] == [clause for clause in NOT_TESTED if clause not in clauses()]


def options() -> Iterator[tuple[str, str]]:
    """
    Read the tables of options: names and the text of their values.
    """
    part = RULES.read_text(encoding="utf-8").split("## 2. Options and presets")[1].split("## 3.")[0]
    for row in re.findall(r"^\| ([a-z_0-9, ]+) \| ([^|]+) \|", part, re.MULTILINE):
        if row[0] != "option":
            for option in row[0].split(", "):
                yield option, row[1]


def test_every_option_is_in_the_rules() -> None:
    """
    The tables list each option once, and no other.
    """
    listed = [option for option, _ in options()]
    assert sorted([*CHOICES, *RANGES]) == sorted([*listed, "seats"])


def spelled(option: str, value: object) -> str:
    """
    Write an option's value as the rules do.
    """
    if isinstance(value, bool):
        return str(value).lower()
    return "off" if option == "turn_s" and value == 0 else str(value)


def test_the_rules_list_each_options_values_the_default_first() -> None:
    """
    What a table can choose stands in the rules as it is in the code.
    """
    for option, text in options():
        if option in CHOICES and option != "forfeit":
            assert ", ".join(spelled(option, value) for value in CHOICES[option]) == text, option

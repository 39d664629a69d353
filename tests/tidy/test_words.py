"""One word, one thing: the glossary's words in identifiers, and nothing left over from working."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.files import name, python, texts, tree

# A glossary word's rivals, wherever they are part of a name that our code gives.
RIVALS = {
    "room": "table", "rooms": "tables", "headroom": "capacity", "trick": "bout", "tricks": "bouts", "talon": "stock",
    "bito": "pass", "surrender": "resign", "loser": "durak", "losers": "durak", "leader": "attacker", "bet": "stake",
    "bets": "stakes", "bank": "pot", "manager": "what it does", "helper": "what it does", "utils": "what it holds",
}  # fmt: skip

# Words that are also English, or Python: only together with what gives them the rival meaning.
RIVAL_PAIRS = re.compile(
    r"""(?x)
    ^(match|round)(es|s)?_(id|ids|no|number|index|count|seq|over|result|results|winner|started|ended)$
    | ^(first|this|current|next|last|new|old|each|play|start|end)_(match|round)$
    | (^|_)(lead|cover)_(card|cards|suit|rank|seat|move)$ | (^|_)(covered|covers|covering)_?(by|card|cards)$
    """
)
MARKERS = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK")) + r")\b")
MACHINE_PATHS = re.compile(r"(?<![\w.])/(home|root|work|tmp|Users)/|[A-Z]:\\Users\\")


def words(identifier: str) -> list[str]:
    """
    Split an identifier into lower-case words.
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", identifier).lower().strip("_").split("_")


def given(path: Path) -> Iterator[tuple[int, str]]:
    """
    Walk the names that a file gives: functions, classes, arguments, variables, fields.
    """
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def rival(identifier: str) -> str | None:
    """
    Find the word that the glossary has another word for, if any.
    """
    parts = words(identifier)
    found = [part for part in parts if part in RIVALS]
    return found[0] if found else "_".join(parts) if RIVAL_PAIRS.search("_".join(parts)) else None


def test_names_use_the_glossarys_words() -> None:
    """
    A thing that the glossary names is called that everywhere in the code.
    """
    wrong = [f"{name(path)}:{line} {each}" for path in python("src") for line, each in given(path) if rival(each)]
    wrong += [name(path) for path in python("src") if rival(path.stem)]
    assert [] == wrong


@pytest.mark.parametrize("identifier", ["match_id", "lead_card", "TalonView", "current_round", "headroom", "trick_count"])
def test_a_rival_word_is_seen(identifier: str) -> None:
    """
    The check above finds what it looks for.
    """
    assert rival(identifier) is not None


@pytest.mark.parametrize("identifier", ["match", "round", "round_trip", "matches", "leaderboard", "cards_to_beat", "misleading"])
def test_an_innocent_word_is_left_alone(identifier: str) -> None:
    """
    Words that only look like a rival are nobody's business.
    """
    assert rival(identifier) is None


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    """
    List the lines of the repository's text files that match *pattern*.
    """
    return [
        f"{name(path)}:{number} {line.strip()[:80]}"
        for path in texts()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_markers_are_left() -> None:
    """
    What is still to be done stands in an issue, not in the code.
    """
    assert [] == lines_with(MARKERS)


def test_no_paths_of_one_machine() -> None:
    """
    The repository works wherever it is cloned.
    """
    assert [] == lines_with(MACHINE_PATHS)

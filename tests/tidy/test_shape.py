"""Files and functions are short enough to read, and say what they are."""

from __future__ import annotations

import ast
import re

from tests.tidy.files import functions, name, python, texts, tree

LINES_OF_A_FUNCTION = 70
LINES_OF_A_FILE = 500

# file, or file::function, and why it is longer
LONGER: dict[str, str] = {}


def test_functions_fit_a_screen() -> None:
    """
    A function has 70 lines at most.
    """
    long = [
        f"{name(path)}:{node.lineno} {node.name} has {length} lines"
        for path in python()
        for node in functions(path)
        if (length := (node.end_lineno or node.lineno) - node.lineno + 1) > LINES_OF_A_FUNCTION
        and f"{name(path)}::{node.name}" not in LONGER
    ]
    assert [] == long


def test_files_are_short() -> None:
    """
    A source file has 500 lines at most; what a generator writes is measured by its generator.
    """
    long = [
        f"{name(path)} has {length} lines"
        for path in texts(".py", ".ts", ".svelte", ".css")
        if (length := len((text := path.read_text(encoding="utf-8")).splitlines())) > LINES_OF_A_FILE
        and name(path) not in LONGER
        and not re.search(r"\bgenerated\b", text[:300], re.IGNORECASE)
    ]
    assert [] == long


def test_every_source_says_what_it_is() -> None:
    """
    Each module of the package begins with a docstring.
    """
    assert [] == [name(path) for path in python("src") if not ast.get_docstring(tree(path))]


def test_longer_ones_still_exist() -> None:
    """
    An exception goes with the file or function that it was made for.
    """
    known = {name(path) for path in texts()} | {f"{name(path)}::{node.name}" for path in python() for node in functions(path)}
    assert [] == [each for each in LONGER if each not in known]

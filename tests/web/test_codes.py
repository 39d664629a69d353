"""Every code that can be sent is one of the protocol's, and every code of the protocol can be sent."""
from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from kozyr.wire import codes

SOURCE = Path(__file__).parents[2] / "src" / "kozyr"


def strings(path: Path) -> set[str]:
    """All string literals of a file that look like a code, docstrings aside."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {text for text in found if re.fullmatch(r"[a-z]+(_[a-z]+)*", text)}


def returned(path: Path) -> set[str]:
    """The codes that the judge's refusals return."""
    found: set[str] = set()
    for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(function, ast.FunctionDef) and ("refusal" in function.name or function.name == "fault_of"):
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and node.value is not None:
                    found |= values(node.value)
    return found - {""}


def values(node: ast.expr) -> set[str]:
    """The string literals that an expression can be."""
    if isinstance(node, ast.IfExp):
        return values(node.body) | values(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def test_the_rules_codes_are_the_protocols() -> None:
    """What the judge answers is in the protocol, and nothing else is (one judge)."""
    assert set(codes.MOVES) == returned(SOURCE / "core" / "judge.py")


@pytest.mark.parametrize("group", ["COMMANDS", "FAULTS", "PROBLEMS"])
def test_every_code_is_used(group: str) -> None:
    """No code is documented that nothing sends."""
    paths = [*(SOURCE / "app").glob("*.py"), *(SOURCE / "web").glob("*.py"), *(SOURCE / "core").glob("*s.py")]
    used = {text for path in paths for text in strings(path)}
    assert set() == set(getattr(codes, group)) - used


def test_every_refusal_has_a_sentence() -> None:
    """What tables and handlers refuse with is one of the protocol's codes."""
    sent: set[str] = set()
    for folder in ("app", "web"):
        for path in (SOURCE / folder).glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                    called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                    at = 1 if called == "Refused" and folder == "web" else 0
                    if called in ("Refused", "Refusal", "Problem", "_fault") and len(node.args) > at:
                        sent |= {
                            each.value
                            for each in ast.walk(node.args[at])
                            if isinstance(each, ast.Constant) and isinstance(each.value, str) and "{" not in each.value
                        }
    assert set() == {code for code in sent if code} - set(codes.CODES)

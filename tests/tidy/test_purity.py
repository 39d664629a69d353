"""What the pure packages, the compiled modules and the bots may not do, beyond what import-linter sees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from tests.tidy.files import ROOT, imports, name, python, tree

PURE = ("src/kozyr/core", "src/kozyr/fair", "src/kozyr/ledger", "src/kozyr/rating")
WORLD = {"open", "print", "input", "eval", "exec", "compile", "breakpoint", "id", "hash", "__import__"}
FOR_BOTS = {"cards", "events", "moves", "options", "rules", "views"}


def calls(path: Path) -> Iterator[tuple[int, str]]:
    """
    Walk the plain function calls of a file; ``hash`` inside ``__hash__`` is what it is for.
    """
    allowed = {
        id(inner)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef) and node.name == "__hash__"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and id(node) not in allowed:
            yield node.lineno, node.func.id


def test_pure_packages_do_not_touch_the_world() -> None:
    """
    The rules, the shuffle, the coins and the ratings are functions of their arguments.
    """
    wrong = [f"{name(path)}:{line} {call}()" for path in python(*PURE) for line, call in calls(path) if call in WORLD]
    assert [] == wrong


def test_bots_see_what_a_seat_sees() -> None:
    """
    A bot knows cards, moves, options, views and what is told as it happens, and has no way to name a position.
    """
    wrong = []
    for path in python("src/kozyr/bots"):
        for line, module in imports(path):
            parts = module.split(".")
            if parts[:2] == ["kozyr", "core"] and (len(parts) < 3 or parts[2] not in FOR_BOTS):
                wrong.append(f"{name(path)}:{line} {module}")
    assert [] == wrong


def literals(module: ast.Module) -> set[str]:
    """
    Find the module's names for integer literals, which the compiler folds back into literals.
    """
    found = set()
    for node in module.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target if isinstance(node, ast.AnnAssign) else None
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(target, ast.Name) and value is not None and is_literal(value, set()):
            found.add(target.id)
    return found


def is_literal(node: ast.expr, named: set[str]) -> bool:
    """
    Tell whether the compiler knows *node* as an integer literal.
    """
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int)
    if isinstance(node, ast.Name):
        return node.id in named
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "i64" and len(node.args) == 1 and is_literal(node.args[0], named)


def shifted_literals(source: str) -> list[int]:
    """
    Find the lines that shift a literal by something that is none.

    mypyc 2.4 makes the literal a 32-bit C int, and the result is wrong from bit 31 on.
    """
    module = ast.parse(source)
    named = literals(module)
    return [
        node.lineno
        for node in ast.walk(module)
        if isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.LShift)
        and is_literal(node.left, named)
        and not is_literal(node.right, named)
    ]


def test_compiled_modules_shift_no_literals() -> None:
    """
    Compiled code shifts ONE, which the compiler cannot fold, so that both forms of the engine agree on every bit.
    """
    wrong = [f"{each}:{line}" for each in engine.COMPILED for line in shifted_literals((ROOT / each).read_text(encoding="utf-8"))]
    assert [] == wrong


@pytest.mark.parametrize("line", ["1 << x", "(2) << (x + 1)", "i64(1) << x", "A << x", "B << x"])
def test_a_shifted_literal_is_seen(line: str) -> None:
    """
    Every spelling that the compiler takes for a literal is found.
    """
    assert [3] == shifted_literals(f"A = 1\nB: Final[i64] = i64(1)\ny = {line}")


@pytest.mark.parametrize("line", ["ONE << x", "1 << 4", "A << 2", "x << 1", "x << y"])
def test_an_innocent_shift_is_left_alone(line: str) -> None:
    """
    Shifts that both forms do alike are allowed.
    """
    assert [] == shifted_literals(f'A = 1\nONE: Final[i64] = int("1")\ny = {line}')


def test_compiled_modules_exist() -> None:
    """
    The list of compiled modules names real files.
    """
    assert [] == [each for each in engine.COMPILED if not (ROOT / each).exists()]

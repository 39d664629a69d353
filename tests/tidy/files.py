"""The repository's own files, for the tests that read them."""

from __future__ import annotations

import ast
import functools
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MADE = {".venv", "node_modules", "build", "dist", "static", "__pycache__", ".svelte-kit"}
TEXT = {".py", ".pyi", ".ts", ".svelte", ".css", ".html", ".js", ".md", ".toml", ".txt", ".in", ".yaml", ".yml", ".json", ".sh", ""}


@functools.cache
def kept() -> tuple[Path, ...]:
    """
    List the files under version control; all that nothing made, where there is no git (an unpacked sdist).
    """
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        found = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        found = [path for path in ROOT.rglob("*") if not MADE & set(path.relative_to(ROOT).parts)]
    return tuple(sorted(path for path in found if path.is_file()))


def texts(*suffixes: str) -> list[Path]:
    """
    List the text files, or those with one of *suffixes*.
    """
    return [path for path in kept() if path.suffix in (suffixes or TEXT)]


def python(*folders: str) -> list[Path]:
    """
    List the Python files below *folders*, or all.
    """
    return [path for path in texts(".py") if not folders or any(path.is_relative_to(ROOT / folder) for folder in folders)]


def name(path: Path) -> str:
    """
    Name a file as a person would: from the repository's root.
    """
    return path.relative_to(ROOT).as_posix()


@functools.cache
def tree(path: Path) -> ast.Module:
    """
    Parse a Python file, once.
    """
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """
    Walk the functions and methods of a file.
    """
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """
    Walk what a file imports: line and dotted name, ``from a import b`` as a.b.
    """
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)

"""The repository's own files, for the tests that read them."""

from __future__ import annotations

import ast
import functools
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MADE = {"node_modules", "__pycache__", "static"}
MADE_AT_THE_TOP = {"build", "dist", "test-results"}
TEXT = {".py", ".pyi", ".ts", ".svelte", ".css", ".html", ".js", ".md", ".toml", ".txt", ".in", ".yaml", ".yml", ".json", ".sh", ""}


@functools.cache
def kept() -> tuple[Path, ...]:
    """
    List the files under version control; all that nothing made, where there is no git (an unpacked sdist).
    """
    git = shutil.which("git")
    listed = subprocess.run([git, "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False) if git else None
    if listed and listed.returncode == 0:
        found = [ROOT / each for each in listed.stdout.split("\0") if each]
    else:
        found = [path for path in ROOT.rglob("*") if not is_made(path.relative_to(ROOT))]
    return tuple(sorted(path for path in found if path.is_file()))


def is_made(path: Path) -> bool:
    """
    Tell whether a tool made the file, by its place below the root.
    """
    hidden = any(part.startswith(".") and part != ".ci" for part in path.parts[:-1])
    return hidden or bool(MADE & set(path.parts)) or path.parts[0] in MADE_AT_THE_TOP or path.suffix in (".so", ".pyd", ".pyc")


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

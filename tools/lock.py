"""
Write the lock files in requirements/ anew from pyproject.toml; needs `uv` on the path or in the running Python.

    .venv/bin/python tools/lock.py [--upgrade]

test.txt pins everything; the smaller files take their pins from it, so that any of them can be installed on top of another.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMON = ("--universal", "--python-version", "3.11", "--no-emit-index-url", "--generate-hashes", "--no-header", "--no-annotate", "--quiet")
HEADER = "# Written by tools/lock.py from pyproject.toml; install with pip's --require-hashes.\n"
LOCKS = {
    "test": ("pyproject.toml", "--extra", "postgres", "--extra", "nats", "--extra", "redis", "--group", "test"),
    "run": ("pyproject.toml",),
    "postgres": ("pyproject.toml", "--extra", "postgres"),
    "brokers": ("pyproject.toml", "--extra", "postgres", "--extra", "nats", "--extra", "redis"),
    "build": ("--group", "build"),
    "node": ("--group", "node"),
}


def lock(name: str, choice: tuple[str, ...], extra: list[str]) -> None:
    """
    Write requirements/*name*.txt, keeping the pins it has unless *extra* says ``--upgrade``.
    """
    uv = [shutil.which("uv") or "uv"] if shutil.which("uv") else [sys.executable, "-m", "uv"]
    path = f"requirements/{name}.txt"
    same = ("--constraint", "requirements/test.txt") if name in ("run", "postgres", "brokers", "build") else ()
    subprocess.run([*uv, "pip", "compile", *COMMON, *choice, *same, *extra, "-o", path], cwd=ROOT, check=True)
    written = (ROOT / path).read_text()
    (ROOT / path).write_text(HEADER + written)


if __name__ == "__main__":
    for each, how in LOCKS.items():
        lock(each, how, sys.argv[1:])

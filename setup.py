"""
Compile the engine with mypyc; without a C compiler, or with KOZYR_PURE=1, the same files run interpreted.

Everything else about the package stands in pyproject.toml.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tools"))

import engine  # noqa: E402  (tools/ is not a package, so that nothing of it gets installed)


def extensions() -> list[Extension]:
    """
    Translate the engine to C as one unit.

    Each extension is optional: where compiling fails, setuptools warns and the Python source is used.
    """
    if os.environ.get("KOZYR_PURE") or sys.implementation.name != "cpython":
        return []
    from mypyc.build import mypycify

    sources = engine.present(ROOT)
    if not sources:
        return []
    made: list[Extension] = mypycify([*sources, "--strict"], opt_level="3", debug_level="0", group_name=engine.UNIT)
    for extension in made:
        extension.optional = True
        if os.name == "posix":
            # 1.4 times faster: calls inside the library need not go through its symbol table
            extension.extra_compile_args.append("-fno-semantic-interposition")
    return made


setup(ext_modules=extensions())

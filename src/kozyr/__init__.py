"""
Durak, the trump card game: rules engine, bots, server and command line.

With KOZYR_PURE=1 in the environment the engine runs from its Python sources even where it has been compiled.
"""

from __future__ import annotations

import os

__version__ = "0.1.0"


def _run_interpreted() -> None:
    """
    Make the import system see the Python sources only, no extension module beside them: compiled ones take only compiled positions.
    """
    import sys
    from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
    from pathlib import Path

    for package in Path(__file__).parent.iterdir():
        if package.is_dir():
            sys.path_importer_cache[str(package)] = FileFinder(str(package), (SourceFileLoader, SOURCE_SUFFIXES))


if os.environ.get("KOZYR_PURE"):
    _run_interpreted()

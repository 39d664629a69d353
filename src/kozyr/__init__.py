"""
Durak, the trump card game: rules engine, bots, server and command line.

With KOZYR_PURE=1 in the environment the engine runs from its Python sources even where it has been compiled.
"""

from __future__ import annotations

import os

__version__ = "0.1.0"


def _run_interpreted() -> None:
    """
    Make the import system see the Python sources of the compiled package only, not the extension modules beside them.
    """
    import sys
    from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader
    from pathlib import Path

    core = str(Path(__file__).with_name("core"))
    sys.path_importer_cache[core] = FileFinder(core, (SourceFileLoader, SOURCE_SUFFIXES))


if os.environ.get("KOZYR_PURE"):
    _run_interpreted()

"""
The compiled form of the engine: which modules mypyc compiles, and keeping what it built in step with the sources.

    python tools/engine.py             say what a build would do: current, compile or interpret
    python tools/engine.py build       do it, with the Python that runs this
    python tools/engine.py form        say which form is there: compiled or interpreted

Standard library only: run.py uses it before the build requirements are installed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# One compilation unit: calls inside it are direct C calls, calls from outside cost about 70 ns.
COMPILED = (
    "src/kozyr/core/cards.py",
    "src/kozyr/core/codes.py",
    "src/kozyr/core/terms.py",
    "src/kozyr/core/standing.py",
    "src/kozyr/core/position.py",
    "src/kozyr/core/dealing.py",
    "src/kozyr/core/playout.py",
    "src/kozyr/core/cheating.py",
    "src/kozyr/core/judge.py",
    "src/kozyr/core/play.py",
    "src/kozyr/search/memo.py",
    "src/kozyr/search/canonical.py",
    "src/kozyr/search/certain.py",
    "src/kozyr/search/path.py",
    "src/kozyr/search/modes.py",
    "src/kozyr/search/state.py",
    "src/kozyr/search/prover.py",
    "src/kozyr/search/graph.py",
    "src/kozyr/search/asking.py",
    "src/kozyr/search/many.py",
    "src/kozyr/search/sight.py",
    "src/kozyr/search/told.py",
    "src/kozyr/search/sampling.py",
    "src/kozyr/search/ahead.py",
    "src/kozyr/search/playouts.py",
    "src/kozyr/arena/searches.py",
    "src/kozyr/arena/rivals.py",
    "src/kozyr/arena/selfplay.py",
    "src/kozyr/web/writing.py",
)
UNIT = "kozyr"  # the shared library is kozyr__mypyc.*; each module gets a small extension that loads it
READ = (*COMPILED, "src/kozyr/core/_native.pyi", "setup.py", "requirements/build.txt")
STAMP = "src/kozyr/core/.compiled"


def present(root: Path = ROOT) -> list[str]:
    """
    List the modules to compile.
    """
    return [name for name in COMPILED if (root / name).exists()]


def compiler() -> str | None:
    """
    Find a C compiler together with the headers of the running Python; None when either is missing.
    """
    if sys.implementation.name != "cpython" or not Path(sysconfig.get_path("include"), "Python.h").exists():
        return None
    named = os.environ.get("CC", "").split()
    return shutil.which(named[0]) if named else next(filter(None, map(shutil.which, ("cc", "gcc", "clang", "cl"))), None)


def sources(root: Path = ROOT) -> str:
    """
    Hash what is compiled and how.
    """
    h = hashlib.sha256()
    for name in READ:
        path = root / name
        h.update(name.encode() + b"\0" + (path.read_bytes() if path.exists() else b"") + b"\0")
    return h.hexdigest()


def machine() -> str:
    """
    Hash what it is compiled for and with.
    """
    return hashlib.sha256(f"{sys.implementation.cache_tag} {sysconfig.get_platform()} {compiler()}".encode()).hexdigest()


def built(root: Path = ROOT) -> list[Path]:
    """
    List the extension modules that lie in the source tree.
    """
    places = {root / "src", *((root / name).parent for name in COMPILED)}
    return sorted(path for place in places for path in place.glob("*") if path.suffix in (".so", ".pyd"))


def is_current(root: Path = ROOT) -> bool:
    """
    Tell whether the extension modules in the tree, or their absence, are what a build would leave now.
    """
    stamp = root / STAMP
    return stamp.exists() and stamp.read_text().split() == [sources(root), machine(), str(len(built(root)))]


def is_stale(root: Path = ROOT) -> bool:
    """
    Tell whether an extension module hides a source that has changed since it was built.
    """
    stamp = root / STAMP
    return bool(built(root)) and (not stamp.exists() or stamp.read_text().split()[0] != sources(root))


def build(root: Path = ROOT) -> bool:
    """
    Compile in place where a compiler is found; tell whether the compiled form is there now.

    What an earlier build left goes first: an extension module would hide its edited source.
    """
    for path in [*built(root), root / STAMP]:
        path.unlink(missing_ok=True)
    want = sources(root)
    if compiler():
        command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)
    found = built(root)
    (root / STAMP).write_text(f"{want} {machine()} {len(found)}\n")
    return bool(found)


def main(words: list[str]) -> str:
    """
    Do what the command line asks for; the answer in a word.
    """
    if words == ["form"]:
        return "compiled" if built() else "interpreted"
    if is_current():
        return "current"
    if words == ["build"]:
        return "compiled" if build() else "interpreted"
    return "compile" if compiler() else "interpret"


if __name__ == "__main__":
    print(main(sys.argv[1:]))

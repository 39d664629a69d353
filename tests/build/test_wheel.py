"""A wheel carries the client, and the engine in the form that the building machine can make."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import engine
import kozyr
import webclient
from tests.tidy.files import ROOT, kept

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


def run(*command: str | Path, cwd: Path, **env: str) -> str:
    """
    Run a command and return what it printed; fail with all its output.
    """
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """
    Copy the repository's own files and the built client, as a clone after `run.py` has them.
    """
    copy = tmp_path / "sources"
    for path in kept():
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    shutil.copytree(ROOT / "src/kozyr/static", copy / "src/kozyr/static")
    return copy


def install(wheel: Path, home: Path) -> Path:
    """
    Make a fresh environment with *wheel* in it; what kozyr needs comes from the running environment.
    """
    venv.create(home, with_pip=False)
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run(*PIP, f"--python={python}", "install", "--no-deps", "--no-index", wheel, cwd=home)
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).strip()
    Path(site, "rest.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return python


@pytest.mark.parametrize("cc", ["the machine's", "none"])
def test_a_wheel_builds_with_and_without_a_compiler(cc: str, sources: Path, tmp_path: Path) -> None:
    """
    Installed from a wheel, kozyr says which form of the engine runs; without a compiler it is the interpreted one.
    """
    compiles = cc != "none" and engine.compiler() is not None
    env = {} if compiles else {"CC": "/nonexistent"}
    out = tmp_path / "out"
    run(*PIP, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", out, ".", cwd=sources, KOZYR_PURE="", **env)
    (wheel,) = out.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    expected = {path.relative_to(ROOT / "src").as_posix() for path in kept() if path.is_relative_to(ROOT / "src")}
    assert set() == (expected | {"kozyr/static/index.html"}) - names
    assert compiles == any(name.startswith("kozyr__mypyc") for name in names)
    assert [] == [name for name in names if name.startswith(("tests/", "tools/", "client/"))]

    python = install(wheel, tmp_path / "fresh")
    said = run(python.with_name("kozyr"), "--version", cwd=tmp_path, KOZYR_PURE="", PYTHONPATH="")
    assert kozyr.__version__ in said
    assert ("compiled" if compiles else "interpreted") in said


def test_an_sdist_needs_no_node(sources: Path, tmp_path: Path) -> None:
    """
    An sdist carries the client both as source and built, so that a wheel from it takes the built one.
    """
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", tmp_path, ".", cwd=sources)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extraction_filter = getattr(tarfile, "data_filter", None)  # Debian 12's Python has no filters yet
        tar.extractall(tmp_path / "unpacked")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    assert webclient.is_current(unpacked)
    needed = ("run.py", "tools/backend.py", "requirements/run.txt", "LICENSE", *engine.COMPILED)
    assert [] == [path for path in needed if not (unpacked / path).exists()]

"""run.py does what it must and nothing twice."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import engine
import kozyr
import webclient
from tests.tidy.files import ROOT


@pytest.fixture(scope="module")
def run() -> ModuleType:
    """
    Load run.py as a module.
    """
    spec = importlib.util.spec_from_file_location("kozyr_run", ROOT / "run.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_second_start_prepares_nothing() -> None:
    """
    Once everything is built, run.py goes straight to the command.
    """
    command, env = [sys.executable, str(ROOT / "run.py"), "--version"], {**os.environ, "KOZYR_PURE": "1"}
    subprocess.run(command, env=env, capture_output=True, check=True, cwd=ROOT.parent)
    again = subprocess.run(command, env=env, capture_output=True, text=True, check=True, cwd=ROOT.parent)
    assert "" == again.stderr
    assert kozyr.__version__ in again.stdout


def test_the_report_is_counted(run: ModuleType, tmp_path: Path) -> None:
    """
    The last line says how many tests passed, failed and were skipped; an error in a fixture is a failure.
    """
    report = tmp_path / "report.xml"
    report.write_text('<testsuites><testsuite tests="9" failures="1" errors="1" skipped="2"/></testsuites>', encoding="utf-8")
    assert (5, 2, 2) == run.counts(report)


def test_no_report_is_no_passed_test(run: ModuleType, tmp_path: Path) -> None:
    """
    A run that died before it could report counts nothing.
    """
    assert (0, 0, 0) == run.counts(tmp_path / "none.xml")


def test_a_failed_command_is_named(run: ModuleType) -> None:
    """
    Whoever reads the output sees which command failed.
    """
    with pytest.raises(run.Failed, match=r"failed \(3\).*sys.exit"):
        run.run(sys.executable, "-c", "import sys; sys.exit(3)")


def tree(root: Path) -> Path:
    """
    Lay out the smallest tree that the engine's and the client's tools take for a repository.
    """
    for name in (*engine.READ, "client/src/main.ts", "client/dist/index.html", "src/kozyr/locale/en.json"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    return root


def test_an_edited_source_makes_the_compiled_engine_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    An extension module never hides a newer source unnoticed; where nothing compiles, it is removed.
    """
    root = tree(tmp_path)
    monkeypatch.setenv("CC", "/nonexistent")
    extension = root / "src/kozyr/core/cards.cpython-311.so"
    extension.touch()
    assert engine.is_stale(root)
    assert not engine.build(root)
    assert engine.is_current(root)
    assert not extension.exists()
    (root / engine.COMPILED[0]).write_text("edited", encoding="utf-8")
    assert not engine.is_current(root)
    assert not engine.is_stale(root)


def test_the_client_is_built_again_when_a_text_changes(tmp_path: Path) -> None:
    """
    The client bundles the catalogues, so that a new translation is a new client; what tools make is no source.
    """
    root = tree(tmp_path)
    before = webclient.fingerprint(root)
    (root / "client/dist/index.html").write_text("made", encoding="utf-8")
    assert before == webclient.fingerprint(root)
    (root / "src/kozyr/locale/en.json").write_text("{}", encoding="utf-8")
    assert before != webclient.fingerprint(root)


def test_pure_mode_hides_extension_modules(tmp_path: Path) -> None:
    """
    With KOZYR_PURE=1 the sources run, whatever was compiled: a compiled module beside an interpreted position would refuse it.
    """
    modules = ("core.cards", "search.prover", "web.writing", "arena.searches")
    code = f"import importlib; [print(importlib.import_module('kozyr.' + name).__file__) for name in {modules}]"
    env = {**os.environ, "KOZYR_PURE": "1", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert [str(ROOT / "src/kozyr" / f"{name.replace('.', '/')}.py") for name in modules] == done.stdout.split()


def test_brokers_are_installed_where_they_are_missing(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The servers that hints can go by come from the system's packages, as PostgreSQL does, and only those that are not there.
    """
    there = {"valkey-server"}
    asked: list[tuple[str, ...]] = []

    def apt(*names: str) -> bool:
        asked.append(names)
        there.update(names)
        return True

    monkeypatch.setattr(run, "apt", apt)
    monkeypatch.setattr(run.shutil, "which", lambda name, path=None: name if name in there else None)
    assert [] == run.find_brokers()
    assert [] == run.find_brokers()
    assert [("nats-server",)] == asked
    monkeypatch.setattr(run, "apt", lambda *names: False)
    there.clear()
    assert ["nats-server", "redis-server"] == run.find_brokers()

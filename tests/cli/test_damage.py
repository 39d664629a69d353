"""An installation of which a file is damaged: whoever needs that file is told so in a line, and whoever does not plays."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tidy.files import ROOT

SRC = ROOT / "src"
NORMAL = ("arena", "easy", "normal", "--deals", "1")
HARD = ("arena", "easy", "hard", "--seats", "3", "--deals", "1")
CHEATING = ("arena", "easy", "normal", "--deals", "4", "--option", "cheat=true")
EXPERT = ("arena", "easy", "expert", "--deals", "2", "--workers", "1")
SERVE = ("serve", "--port", "0", "--database", "games.db")
PLAY = ("play", "--level", "normal")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """
    Lay out the package anew, every file a link to the one here, and return the folder of its bots.
    """
    shutil.copytree(SRC / "kozyr", tmp_path / "src/kozyr", copy_function=os.symlink, ignore=shutil.ignore_patterns("__pycache__", "static"))
    return tmp_path / "src/kozyr/bots"


def run(installed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """
    Run a command of the laid out package in its folder.
    """
    root = installed.parents[2]
    environment = os.environ | {"PYTHONPATH": str(root / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "kozyr", *words]
    return subprocess.run(command, cwd=root, env=environment, input="1\n" * 200, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("name", "words", "harm"),
    [
        ("normal.json", NORMAL, "cut"),
        ("normal.json", PLAY, "gone"),
        ("normal.json", SERVE, "cut"),
        ("normal_more.json", HARD, "bytes"),
        ("normal_more.json", SERVE, "gone"),
        ("cheating.json", CHEATING, "cut"),
        ("cheating.json", SERVE, "bytes"),
        ("expert_two.npz", EXPERT, "cut"),
        ("expert_belief.npz", EXPERT, "gone"),
    ],
)
def test_a_damaged_file_is_named_in_a_line(installed: Path, name: str, words: tuple[str, ...], harm: str) -> None:
    """
    Cut short, gone or other bytes: exit code 2, and one line that names the file.
    """
    file = installed / name
    whole = file.read_bytes()
    file.unlink()
    if harm != "gone":
        file.write_bytes(whole[: len(whole) // 2] if harm == "cut" else bytes(range(256)) * 4)
    done = run(installed, *words)
    assert 2 == done.returncode, done.stderr
    assert 1 == done.stderr.count("\n"), done.stderr
    assert name in done.stderr


def test_a_damaged_file_is_missed_by_those_alone_who_need_it(installed: Path) -> None:
    """
    Without any weights or rates easy plays honest tables, against others and in the terminal.
    """
    for name in ("normal.json", "normal_more.json", "cheating.json", "expert_two.npz", "expert_more.npz", "expert_belief.npz"):
        (installed / name).unlink()
    for words in (("arena", "easy", "random", "--deals", "1", "--quiet"), ("play", "--level", "easy")):
        done = run(installed, *words)
        assert (0, "") == (done.returncode, done.stderr)

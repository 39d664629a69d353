"""Running a command line."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kozyr.cli import main


@dataclass(frozen=True, slots=True)
class Done:
    """
    How a command ended: its exit code, and what it wrote to standard output and standard error.
    """

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Kozyr = Callable[..., Done]


@pytest.fixture
def kozyr(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Kozyr:
    """
    Run a command line in this process; `typed` is what stands on standard input.
    """

    def run(*words: str | Path, typed: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return run


@pytest.fixture(scope="session")
def game_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    Play a whole game of three in the terminal, always the first move of the list, and return its file.
    """
    path = tmp_path_factory.mktemp("games") / "game.txt"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("1\n" * 1000))
        patch.setattr(sys, "stdout", io.StringIO())
        assert 0 == main(["play", "--seats", "3", "--transfer", "--seed", "a", "--record", str(path)])
    return path

"""`kozyr arena` prints what a contest has shown."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from tests.arena.test_external import wait_for_the_end
from tests.tidy.files import ROOT

from .conftest import Kozyr

SRC = ROOT / "src"


def test_the_command_prints_the_matrix(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    kozyr arena easy random normal: a row for each.
    """
    ran = kozyr("arena", "easy", "random", "normal", "--deals", "4", "--workers", "1", "--json", str(tmp_path / "results"))
    assert (0, "") == (ran.code, ran.err)
    assert re.search(r"^easy +– +\d+\.\d ± \d+\.\d", ran.out, re.MULTILINE)
    assert 13 == len((tmp_path / "results").read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("easy", "grandmaster"), "kozyr: there is no player 'grandmaster'"),
        (("easy",), "kozyr: a contest needs two players"),
        (("easy", "--external", "/nowhere/bot"), "kozyr: external: crash: it cannot be started"),
        (("easy", "--external", "me="), "kozyr: an external program is a command"),
        (("easy", "--external", "easy=/bin/true"), "kozyr: a player comes twice"),
        (("easy", "easy"), "kozyr: a player comes twice"),
        (("easy", "random", "--seats", "7"), "kozyr: options: seats cannot be 7"),
        (("easy", "random", "--json", "/nowhere/x"), "kozyr: cannot use /nowhere/x"),
        (("easy", "random", "--sprt", "40"), "kozyr: Invalid value"),
    ],
)
def test_bad_input_is_told_in_one_line(kozyr: Kozyr, words: tuple[str, ...], told: str) -> None:
    """
    Nothing is played, and the exit code is 2.
    """
    ran = kozyr("arena", *words, "--deals", "2", "--workers", "1")
    assert 2 == ran.code
    assert ran.err.startswith(told), ran.err
    assert 1 == len(ran.err.splitlines())


def test_a_program_that_misbehaves_is_reported(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    kozyr arena easy --external "bad=…": the contest ends, and the report says what was lost and why.
    """
    script = Path(__file__).parent.parent / "arena" / "misbehaving.py"
    command = shlex.join([sys.executable, str(script), "illegal", str(tmp_path / "pids")])
    ran = kozyr("arena", "easy", "--external", f"bad={command}", "--deck", "24", "--deals", "1", "--workers", "1", "--move-ms", "5000")
    assert (0, "") == (ran.code, ran.err)
    assert re.search(r"^bad has lost \d+ moves, for which the default move was played: illegal \d+$", ran.out, re.MULTILINE)
    assert "  illegal: 'beat 2c 3c' is none of " in ran.out


def test_figures_and_a_picture_are_written(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    JSON that any reader takes, also of one deal, and an SVG with every score and name.
    """
    figures, picture = tmp_path / "figures.json", tmp_path / "matrix.svg"
    ran = kozyr("arena", "easy", "random", "greedy", "--deals", "1", "--workers", "1", "--figures", figures, "--svg", picture)
    assert 0 == ran.code
    read = json.loads(figures.read_text(encoding="utf-8"), parse_constant=pytest.fail)
    assert [("easy", "random"), ("easy", "greedy"), ("random", "greedy")] == [(pair["a"], pair["b"]) for pair in read["pairs"]]
    drawn = ElementTree.parse(picture).getroot()
    texts = [each.text or "" for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"easy", "random", "greedy"} <= set(texts)
    assert 6 == sum(re.fullmatch(r"\d+\.\d", text) is not None for text in texts)
    ran = kozyr("arena", "easy", "random", "--deals", "1", "--workers", "1", "--svg", tmp_path)
    assert (2, True) == (ran.code, ran.err.startswith(f"kozyr: cannot write {tmp_path}"))


def test_a_cluster_that_is_not_there_is_told(kozyr: Kozyr) -> None:
    """
    --ray needs Ray.
    """
    if find_spec("ray") is None:
        ran = kozyr("arena", "easy", "random", "--deals", "1", "--ray", "auto")
        assert (2, "kozyr: --ray needs ray: install kozyr[ray]\n") == (ran.code, ran.err)


@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is an extra that is not installed here")
def test_a_real_cluster_plays_the_same(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    Ray itself, started for this contest: the file is byte by byte what one process makes.
    """
    words = ["arena", "easy", "random", "--deals", "5", "--json"]
    command = [sys.executable, "-m", "kozyr", *words, str(tmp_path / "there"), "--ray", "local"]
    environment = os.environ | {"PYTHONPATH": str(SRC), "RAY_USAGE_STATS_ENABLED": "0"}
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=120)
    assert 0 == kozyr(*words, tmp_path / "here", "--workers", "1").code
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()


def test_a_cluster_plays_the_same_units_of_work(kozyr: Kozyr, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """
    Through a stand-in for Ray the file is byte by byte what processes here make.
    """

    class Task:
        """A remote function that runs here and now."""

        def __init__(self, work: Callable[..., object]) -> None:
            self.work = work

        def remote(self, *given: object) -> Task:
            self.done: Future[object] = Future()
            self.done.set_result(self.work(*given))
            return self

        def future(self) -> Future[object]:
            return self.done

    asked: list[str] = []
    ray = ModuleType("ray")
    vars(ray).update(init=lambda address, **more: asked.append(address), remote=Task, shutdown=lambda: asked.append("bye"))
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.delitem(sys.modules, "kozyr.arena.learning_ray", raising=False)
    words = ("arena", "easy", "random", "--deals", "5", "--json")
    assert 0 == kozyr(*words, tmp_path / "there", "--ray", "auto").code
    assert 0 == kozyr(*words, tmp_path / "here", "--workers", "1").code
    assert ["auto", "bye"] == asked
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()


def test_a_contest_that_was_killed_goes_on(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    kill -9 in mid-run: its processes and their programs end, and the next run finishes the same file.
    """
    file, pids = tmp_path / "results", tmp_path / "pids"
    script = Path(__file__).parent.parent / "arena" / "misbehaving.py"
    program = "bad=" + shlex.join([sys.executable, str(script), "illegal", str(pids)])
    words = ["arena", "easy", "--external", program, "--deck", "24", "--deals", "12", "--workers", "2", "--move-ms", "9000", "--json"]
    command = [sys.executable, "-m", "kozyr", *words, str(file)]
    # With pauses, or all deals might be over before the first is seen to be.
    environment = os.environ | {"PYTHONPATH": str(SRC), "PAUSE_S": "0.02"}
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    until = time.monotonic() + 60
    while (not file.exists() or file.read_bytes().count(b"\n") < 2) and time.monotonic() < until and running.poll() is None:
        time.sleep(0.05)
    running.kill()
    assert running.wait() < 0
    wait_for_the_end(pids)
    kept = file.read_bytes().count(b"\n") - 1
    assert 1 <= kept < 12
    assert 0 == kozyr(*words, file).code
    whole = tmp_path / "whole"
    assert 0 == kozyr(*words, whole).code
    assert sorted(whole.read_bytes().splitlines()) == sorted(file.read_bytes().splitlines())
    wait_for_the_end(pids)

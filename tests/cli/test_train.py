"""`kozyr train` makes a file of weights."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from kozyr.bots.linear import parse_weights
from kozyr.bots.network import new_network, write_network
from kozyr.cli.train import replace
from kozyr.cli.trouble import Trouble

from .conftest import Kozyr


def test_it_writes_weights_with_the_command_that_made_them(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    The file can be read by the bot, and tells how to make it again.
    """
    out = tmp_path / "weights.json"
    ran = kozyr("train", "normal", "--out", out, "--batches", "1", "--games", "50", "--seed", "3")
    assert (0, "") == (ran.code, ran.err)
    text = out.read_text(encoding="utf-8")
    assert "kozyr train normal --seats 2 --batches 1 --games 50 --step 0.08 --seed 3" in text
    assert parse_weights(text).values


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("normal", "--out", "/nowhere/x"), "kozyr: cannot write /nowhere/x"),
        (("easy", "--out", "x"), "kozyr: Unknown command"),
        (("normal", "--out", "x", "--seats", "7"), "kozyr: Invalid value"),
    ],
)
def test_bad_input_is_told_in_one_line(kozyr: Kozyr, words: tuple[str, ...], told: str) -> None:
    """
    Nothing is written, and the exit code is 2.
    """
    ran = kozyr("train", *words, "--batches", "1", "--games", "50")
    assert 2 == ran.code
    assert ran.err.startswith(told), ran.err


@pytest.mark.parametrize("what", ["normal", "belief"])
def test_a_training_that_was_resumed_makes_the_same_file(kozyr: Kozyr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """
    Three steps in one go, and the first alone and then the others, in two processes: the same bytes.
    """
    monkeypatch.setattr("kozyr.arena.beliefs.SHARD", 8)
    whole, out, checkpoint = tmp_path / "whole", tmp_path / "out", tmp_path / "checkpoint"
    words = ("train", what, *short(what, tmp_path, 3), "--out")
    assert 0 == kozyr(*words, whole).code
    with stopped_after_one(what, monkeypatch):
        assert 2 == kozyr(*words, out, "--checkpoint", checkpoint).code
    ran = kozyr(*words, out, "--checkpoint", checkpoint, "--resume", "--workers", "2")
    assert (0, "") == (ran.code, ran.err)
    assert whole.read_bytes() == out.read_bytes()
    assert [] == list(tmp_path.glob("*.part"))


def short(what: str, folder: Path, steps: int) -> tuple[str | Path, ...]:
    """
    Ask for a short training of a level's rules, or of the belief from a network that knows nothing.
    """
    if what == "normal":
        return ("--batches", str(steps), "--games", "50")
    network = folder / "two.npz"
    network.write_bytes(write_network(new_network(1, 8, 8, np.random.default_rng(1)), {}))
    return ("--network", network, "--rounds", str(steps), "--units", "8")


@contextmanager
def stopped_after_one(what: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """
    Let a training write a checkpoint after every step, until it finds the disk full after the second.
    """
    module = {"normal": "kozyr.cli.train", "belief": "kozyr.cli.train_belief"}[what]

    def fail(path: Path, data: bytes) -> None:
        if path.exists():
            raise Trouble("the disk is full")
        replace(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(f"{module}.EVERY", 1)
        patch.setattr(f"{module}.replace", fail)
        yield


@pytest.mark.parametrize("what", ["normal", "belief"])
def test_checkpoints_that_are_no_use_are_told_in_one_line(
    kozyr: Kozyr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """
    Missing, garbage, of another command, or in the way: nothing is written over.
    """
    monkeypatch.setattr("kozyr.arena.beliefs.SHARD", 8)
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "kozyr.arena.learning_ray", raising=False)
    garbage, mine = tmp_path / "garbage", tmp_path / "mine"
    garbage.write_text("dear diary", encoding="utf-8")
    words = ("train", what, *short(what, tmp_path, 1), "--out", tmp_path / "out")
    assert 0 == kozyr(*words, "--checkpoint", mine).code
    for more, told in (
        (("--resume",), "--resume goes on from a --checkpoint"),
        (("--resume", "--checkpoint", tmp_path / "none"), "cannot read"),
        (("--resume", "--checkpoint", garbage), "is no checkpoint"),
        (("--resume", "--seed", "2", "--checkpoint", mine), "is of another training: kozyr train"),
        (("--checkpoint", garbage), "is there already"),
        (("--ray", "127.0.0.1:1"), "--ray needs ray"),
    ):
        ran = kozyr(*words, *more)
        assert (2, 1) == (ran.code, len(ran.err.splitlines()))
        assert told in ran.err
    assert "dear diary" == garbage.read_text(encoding="utf-8")

"""`kozyr train expert` writes checkpoints and weights, and goes on from them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from kozyr.bots.network import read_network

from .conftest import Kozyr

SMALL = ("train", "expert", "--units", "8", "--nodes", "100", "--seed", "3")


def test_it_trains_stops_and_goes_on(kozyr: Kozyr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A round, then another from its checkpoint: the bot can read the weights, and beside them stand both commands.
    """
    monkeypatch.setattr("kozyr.arena.learning.SHARD", 256)
    out, folder = tmp_path / "expert.npz", tmp_path / "kept"
    first = kozyr(*SMALL, "--out", out, "--checkpoint", folder, "--rounds", "1")
    assert (0, "") == (first.code, first.err)
    more = kozyr(*SMALL, "--out", out, "--checkpoint", folder, "--rounds", "2", "--rate", "0.0005", "--resume")
    assert (0, "") == (more.code, more.err)
    made = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    assert ["--rounds 1", "--rounds 2"] == [command[-10:] for command in made["commands"]]
    assert 1 == read_network(out.read_bytes(), out.name, 1).others


def test_a_best_response_plays_one_rival_alone(kozyr: Kozyr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    It begins with given weights, tells how it does against the rival as it goes, and goes on against no other.
    """
    monkeypatch.setattr("kozyr.arena.learning.SHARD", 256)
    monkeypatch.setattr("kozyr.cli.train_expert.DEALS", 4)
    rival, other, out, folder = (tmp_path / name for name in ("rival.npz", "other.npz", "best.npz", "kept"))
    kozyr(*SMALL, "--out", rival, "--checkpoint", tmp_path / "a", "--rounds", "1")
    kozyr(*SMALL, "--out", other, "--checkpoint", tmp_path / "b", "--rounds", "2")
    response = (*SMALL, "--every", "1", "--start", rival, "--out", out, "--checkpoint", folder)
    first = kozyr(*response, "--against", rival, "--rounds", "1")
    assert (0, "") == (first.code, first.err)
    assert "% against the rival" in first.out
    more = kozyr(*response, "--against", rival, "--rounds", "2", "--resume")
    assert (0, "") == (more.code, more.err)
    made = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    assert 2 == len(made["scores"])
    assert "--start rival.npz --against rival.npz" in made["commands"][0]
    wrong = kozyr(*response, "--against", other, "--rounds", "3", "--resume")
    assert (2, True) == (wrong.code, "of another training" in wrong.err)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--resume",), "kozyr: cannot read "),
        (("--seats", "7"), "kozyr: Invalid value"),
        (("--against", "nothing.npz"), "kozyr: cannot read nothing.npz"),
        (("--start", __file__), f"kozyr: {__file__} is no file of weights"),
        (("--given", "0.2"), "kozyr: --given and --rival go together"),
        (("--rival", "nothing.npz"), "kozyr: --given and --rival go together"),
        (("--given", "0.2", "--rival", "nothing.npz"), "kozyr: cannot read nothing.npz"),
        (("--playouts", "2"), "kozyr: Invalid value"),
        (("--ray", "nowhere:1"), "kozyr: --ray needs ray: install kozyr[ray]"),
    ],
)
def test_bad_input_is_told_in_one_line(
    kozyr: Kozyr, tmp_path: Path, words: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    The exit code is 2 and nothing is trained.
    """
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "kozyr.arena.learning_ray", raising=False)
    ran = kozyr(*SMALL, "--out", tmp_path / "x.npz", "--checkpoint", tmp_path / "none", *words)
    assert 2 == ran.code
    assert ran.err.startswith(told), ran.err


def test_a_checkpoint_is_not_written_over(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    Who forgets --resume is told so.
    """
    (tmp_path / "checkpoint.npz").write_bytes(b"")
    ran = kozyr(*SMALL, "--out", tmp_path / "x.npz", "--checkpoint", tmp_path)
    assert (2, True) == (ran.code, "--resume" in ran.err)
    broken = kozyr(*SMALL, "--out", tmp_path / "x.npz", "--checkpoint", tmp_path, "--resume")
    assert (2, True) == (broken.code, "checkpoint.npz is no checkpoint" in broken.err)

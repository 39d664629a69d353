"""`kozyr train belief` writes what the expert believes of hidden cards."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kozyr.bots.network import new_network, read_belief, write_network

from .conftest import Kozyr


def test_a_belief_is_trained_from_the_games_of_a_network(kozyr: Kozyr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The bot can read it, and beside it stands the command.
    """
    monkeypatch.setattr("kozyr.arena.beliefs.SHARD", 8)
    network, out = tmp_path / "two.npz", tmp_path / "belief.npz"
    network.write_bytes(write_network(new_network(1, 8, 8, np.random.default_rng(1)), {}))
    words = ("train", "belief", "--network", network, "--rounds", "2", "--units", "8", "--out")
    ran = kozyr(*words, out)
    assert (0, "") == (ran.code, ran.err)
    assert 8 == read_belief(out.read_bytes(), out.name).bias1.size
    made = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    assert ["kozyr train belief --network two.npz --rounds 2 --units 8 --seed 1"] == made["commands"]
    other, another = tmp_path / "sampler.npz", tmp_path / "another.npz"
    other.write_bytes(write_network(new_network(1, 8, 8, np.random.default_rng(2)), {}))
    ran = kozyr(*words, another, "--sampler", other)
    assert (0, "") == (ran.code, ran.err)
    assert "--seed 1 --sampler sampler.npz" in another.with_suffix(".json").read_text(encoding="utf-8")
    alone, among_others = (read_belief(each.read_bytes(), each.name) for each in (out, another))
    assert (alone.first != among_others.first).any()


def test_a_network_that_is_none_is_told_in_one_line(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    It is not there, or something else.
    """
    for path, told in ((tmp_path / "none.npz", "cannot read"), (Path(__file__), "is no file of weights")):
        ran = kozyr("train", "belief", "--network", path, "--out", tmp_path / "x.npz")
        assert (2, True) == (ran.code, told in ran.err)

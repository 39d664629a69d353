"""Networks measured against each other over mirrored deals."""

from __future__ import annotations

import numpy as np

from kozyr.arena.duels import duel
from kozyr.bots.expert import TWO, network
from kozyr.bots.network import new_network
from kozyr.core.options import Rules


def test_a_network_is_its_own_equal() -> None:
    """
    With the seats rotated both games of a deal are the same: half of the points, and no error.
    """
    one = new_network(1, 8, 8, np.random.default_rng(1))
    assert (50.0, 0.0) == duel(one, one, Rules(), 20, 1, 1000)


def test_what_has_been_trained_beats_what_knows_nothing() -> None:
    """
    Seen from either side.
    """
    nothing = new_network(1, 8, 8, np.random.default_rng(1))
    score, error = duel(network(TWO), nothing, Rules(), 60, 1, 1000)
    other, _ = duel(nothing, network(TWO), Rules(), 60, 1, 1000)
    assert score - error > 75
    assert abs(100 - score - other) < 1e-6

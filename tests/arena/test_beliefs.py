"""Training of the expert's belief: what is learnt from are true hands, and the slopes are right."""

from __future__ import annotations

import numpy as np
import pytest

from kozyr.arena import beliefs
from kozyr.arena.adam import Adam
from kozyr.arena.beliefs import belief_slopes, learn_belief, watch
from kozyr.bots.network import new_belief, new_network
from kozyr.core.options import Rules

KNOWN = 8
"""Place among the words of the cards that the other is known to hold."""


def test_it_watches_true_hands() -> None:
    """
    Wherever it looks the other's cards are unseen ones or known ones, and all known ones among them.
    """
    words, hands = watch([new_network(1, 8, 8, np.random.default_rng(1))], Rules(), 3, 16)
    assert len(words) == len(hands) > 50
    assert not (hands & ~(words[:, beliefs.UNSEEN] | words[:, KNOWN])).any()
    assert not (words[:, KNOWN] & ~hands).any()


def test_slopes_of_a_belief_are_those_of_its_error() -> None:
    """
    A small change of a weight changes the sum of cross entropies as the slope says.
    """
    rng = np.random.default_rng(2)
    belief = new_belief(6, rng)
    words = rng.integers(0, 2**60, (9, 12), dtype=np.int64)
    hands = words[:, beliefs.UNSEEN] & rng.integers(0, 2**60, 9)
    each = sum(int(word).bit_count() for word in words[:, beliefs.UNSEEN]) / len(words)
    found, _ = belief_slopes(belief, words, hands)
    for at, array in enumerate(belief.arrays()):
        place = int(np.abs(found[at]).argmax())
        flat = array.reshape(-1)
        errors = []
        for change in (0.002, -0.002):
            flat[place] += np.float32(change)
            errors.append(belief_slopes(belief, words, hands)[1] * each)
            flat[place] -= np.float32(change)
        assert (errors[0] - errors[1]) / 0.004 == pytest.approx(float(found[at].reshape(-1)[place]), rel=0.06, abs=2e-3)


def test_the_same_seed_learns_the_same_belief(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Rounds bring it nearer to what hands there are, the same way each time.
    """
    monkeypatch.setattr(beliefs, "SHARD", 64)
    monkeypatch.setattr(beliefs, "BATCH", 64)
    learnt = []
    for _ in range(2):
        adam = Adam(new_belief(8, np.random.default_rng(1)))
        errors = [error for _, error in learn_belief(adam, [new_network(1, 8, 8, np.random.default_rng(2))], 6, 1)]
        assert errors[-1] < errors[0]
        learnt.append([array.tobytes() for array in adam.averaged().arrays()])
    assert learnt[0] == learnt[1]

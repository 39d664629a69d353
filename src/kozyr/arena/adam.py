"""The learning of a network: slopes by the chain rule, steps by Adam, and a running mean of the weights. Needs numpy."""
from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np

from kozyr.bots.network import Belief, Floats, Network, Words, spread_used

Learnt = TypeVar("Learnt", Network, Belief)

BETA1 = 0.9
BETA2 = 0.999
MEAN = 0.9995
"""How much of the running mean stays from one step to the next."""


def slopes(network: Network, words: Words, moves: Words, goals: Floats) -> tuple[list[Floats], float]:
    """Return how the mean square error over some moves, and how it changes with each weight."""
    bits, at = spread_used(words)
    about, at_about = spread_used(moves[:, 1:])
    codes = moves[:, 0]
    first = bits @ network.game[at] + network.code[codes] + about @ network.about[at_about] + network.bias1
    np.maximum(first, 0, out=first)
    hidden = first @ network.second + network.bias2
    np.maximum(hidden, 0, out=hidden)
    worth = np.tanh(hidden @ network.third + network.bias3)
    miss = worth - goals[:, None]
    n = np.float32(len(goals))
    # The small straight share keeps moves alive whose worth has run into -1 or 1.
    back3 = miss * (2 * (1 - worth * worth) + np.float32(0.02)) / n
    back2 = (back3 @ network.third.T) * (hidden > 0)
    back1 = (back2 @ network.second.T) * (first > 0)
    by_code = np.zeros_like(network.code)
    order = np.argsort(codes, kind="stable")
    kinds, starts = np.unique(codes[order], return_index=True)
    by_code[kinds] = np.add.reduceat(back1[order], starts, axis=0)
    by_game, by_about = np.zeros_like(network.game), np.zeros_like(network.about)
    by_game[at] = bits.T @ back1
    by_about[at_about] = about.T @ back1
    found = [
        by_game, by_code, by_about, back1.sum(axis=0), first.T @ back2, back2.sum(axis=0), hidden.T @ back3, back3.sum(axis=0)
    ]  # fmt: skip
    return found, float((miss * miss).mean())


class Adam(Generic[Learnt]):
    """Adam's steps on a network, which is changed in place, and the running mean of its weights."""

    __slots__ = ("mean", "moments", "network", "powers", "steps")

    def __init__(self, network: Learnt) -> None:
        self.network: Learnt = network
        self.moments = [np.zeros_like(array) for array in network.arrays()]
        self.powers = [np.zeros_like(array) for array in network.arrays()]
        self.mean = [array.copy() for array in network.arrays()]
        self.steps = 0

    def step(self, found: list[Floats], rate: float) -> None:
        """Go a step down the slopes."""
        self.steps += 1
        pace = np.float32(rate * (1 - BETA2**self.steps) ** 0.5 / (1 - BETA1**self.steps))
        share = np.float32(1 - min(MEAN, 1 - 10 / (9 + self.steps)))
        each = zip(self.network.arrays(), self.moments, self.powers, self.mean, found, strict=True)
        for array, moment, power, mean, slope in each:
            moment *= np.float32(BETA1)
            moment += np.float32(1 - BETA1) * slope
            power *= np.float32(BETA2)
            power += np.float32(1 - BETA2) * slope * slope
            array -= pace * moment / (np.sqrt(power) + np.float32(1e-8))
            mean += share * (array - mean)

    def averaged(self) -> Learnt:
        """Return a network of the mean weights."""
        made: type[Learnt] = type(self.network)
        return made(*[array.copy() for array in self.mean])

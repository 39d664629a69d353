"""The statistics of the arena: intervals, the sequential test, ratings."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

Z95 = 1.959964
LEAST = 1e-9
ELO = 400 / math.log(10)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with half the width of its 95 % interval, from independent values."""

    value: float
    error: float
    n: int

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.value - self.error

    def percent(self) -> str:
        """Write it as a percentage: `58.3 ± 1.2`."""
        return f"{100 * self.value:.1f} ± {100 * self.error:.1f}"


def mean_of(values: Sequence[float]) -> Mean:
    """Estimate a mean; one value alone tells nothing about its error, which then is infinite."""
    n = len(values)
    value = math.fsum(values) / n if n else 0.0
    if n < 2:
        return Mean(value, math.inf, n)
    variance = math.fsum((each - value) ** 2 for each in values) / (n - 1)
    return Mean(value, Z95 * math.sqrt(variance / n), n)


@dataclass(frozen=True, slots=True)
class Sprt:
    """
    The sequential test whether a score is *s1* rather than *s0*; errors of either kind have the chance *alpha*.

    Source: Wald's test on pair scores, their variance estimated (a generalised likelihood ratio in the normal approximation).
    """

    s0: float
    s1: float
    alpha: float = 0.05

    def ratio(self, scores: Sequence[float]) -> float:
        """Return the logarithm of how much likelier *s1* is than *s0*."""
        n = len(scores)
        if n < 2:
            return 0.0
        value = math.fsum(scores) / n
        # A little variance is always assumed, so that a run of equal scores does not decide at once.
        variance = (math.fsum((each - value) ** 2 for each in scores) + 0.25) / n
        return n * (self.s1 - self.s0) * (value - (self.s0 + self.s1) / 2) / variance

    def decision(self, scores: Sequence[float]) -> int:
        """Return 1 where *s1* is accepted, -1 where *s0* is, 0 while it is open."""
        bound = math.log((1 - self.alpha) / self.alpha)
        ratio = self.ratio(scores)
        return 1 if ratio >= bound else -1 if ratio <= -bound else 0


Scores = Mapping[tuple[str, str], Sequence[float]]
"""Of each pair of players the scores of the first, one a deal."""


def bradley_terry(players: Sequence[str], scores: Scores, start: Mapping[str, float] | None = None) -> dict[str, float]:
    """
    Fit ratings on the scale of Elo, their mean 0, by minorising and maximising, from a guess if there is one.

    A half point each is added between every pair that has met, so that a player without a loss has a finite rating.
    """
    wins = dict.fromkeys(players, 0.0)
    games: dict[tuple[str, str], float] = {}
    for (a, b), values in scores.items():
        won = math.fsum(values)
        wins[a] += won + 0.5
        wins[b] += len(values) - won + 0.5
        games[a, b] = games[b, a] = len(values) + 1.0
    strength = {player: math.exp((start[player] if start else 0.0) / ELO) for player in players}
    for _ in range(2000):
        new = {}
        for player in players:
            met = math.fsum(n / (strength[player] + strength[other]) for (one, other), n in games.items() if one == player)
            new[player] = wins[player] / met if met else strength[player]
        scale = math.exp(math.fsum(math.log(max(each, LEAST)) for each in new.values()) / len(players))
        new = {player: value / scale for player, value in new.items()}
        change = max(abs(math.log(max(new[player], LEAST) / strength[player])) for player in players)
        strength = new
        if change < 1e-5:
            break
    return {player: ELO * math.log(value) for player, value in strength.items()}


def ratings(players: Sequence[str], scores: Scores, samples: int = 100, seed: int = 1) -> dict[str, tuple[float, float, float]]:
    """Fit ratings, with the 95 % interval of each from deals drawn anew *samples* times (bootstrap)."""
    best = bradley_terry(players, scores)
    rng = Random(seed)
    drawn: dict[str, list[float]] = {player: [] for player in players}
    for _ in range(samples):
        again = {pair: rng.choices(values, k=len(values)) for pair, values in scores.items() if values}
        for player, rating in bradley_terry(players, again, best).items():
            drawn[player].append(rating)
    found = {}
    for player in players:
        ordered = sorted(drawn[player])
        low = ordered[int(0.025 * (len(ordered) - 1))] if ordered else best[player]
        high = ordered[math.ceil(0.975 * (len(ordered) - 1))] if ordered else best[player]
        found[player] = (best[player], low, high)
    return found

"""What this process counts of its own doing, for whoever looks after it: a few additions, nothing that a move waits for."""
from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096)


class Spread:
    """How often values have lain where: up to each of the bounds, or above all of them."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    @property
    def count(self) -> int:
        """How many values there were."""
        return sum(self.counts)

    def below(self, part: float) -> float:
        """Name the bound under which this part of the values lies; infinity above the last one, 0 where there was none."""
        left = part * self.count
        if not left:
            return 0.0
        for bound, count in zip((*self.bounds, float("inf")), self.counts, strict=True):
            left -= count
            if left <= 0:
                return bound
        return float("inf")


@dataclass(slots=True)
class Counts:
    """
    Everything that is counted since the process began.

    `acknowledged` has the seconds from a command's turn at its table to its acknowledgement, `late` those by which clocks acted after they
    were due, `batches` how many appends shared a commit.
    """

    moves: int = 0
    conflicts: int = 0
    doubled: int = 0
    opened: int = 0
    stopped: int = 0
    sweeps: int = 0
    overdue: int = 0
    failures: int = 0
    thinking: int = 0
    thoughts: int = 0
    unthought: int = 0
    crowded: int = 0
    replaced: int = 0
    broker_connected: int = 0
    broker_connections: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    http: Counter[int] = field(default_factory=Counter)
    acknowledged: Spread = field(default_factory=lambda: Spread(SECONDS))
    late: Spread = field(default_factory=lambda: Spread(SECONDS))
    batches: Spread = field(default_factory=lambda: Spread(ROWS))


COUNTS = Counts()
"""Those of this process."""

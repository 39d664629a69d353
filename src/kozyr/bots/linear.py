"""Linear rules: weights by situation and phase, kept as data, and the move that they like best."""
from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from math import isfinite

from kozyr.bots.chances import Chances
from kozyr.bots.features import COUNT, NAMES, PHASES, SITUATIONS, Weighed, weigh
from kozyr.core.moves import Move
from kozyr.core.views import View
from kozyr.damage import Damaged, read_data

ROWS = [f"{situation} {phase}" for situation in SITUATIONS for phase in PHASES]


class WeightsError(Damaged, ValueError):
    """A file of weights that cannot be used, and why."""


class Weights:
    """The weights of every situation and phase, flat, in the order of `ROWS` and `NAMES`."""

    __slots__ = ("values",)

    def __init__(self, values: Sequence[float]) -> None:
        if len(values) != COUNT * len(ROWS):
            raise WeightsError(f"{len(values)} weights instead of {COUNT * len(ROWS)}")
        self.values = tuple(values)

    def score(self, weighed: Weighed) -> float:
        """Say how well a move is liked; the move without a card has 0."""
        start = weighed.at * COUNT
        total = 0.0
        for weight, x in zip(self.values[start : start + COUNT], weighed.row, strict=True):
            total += weight * x
        return total

    def best(self, view: View, chances: Chances) -> Move | None:
        """Return the move that is liked best, the first of equals; None where there is nothing to weigh."""
        moves = weigh(view, chances)
        return max(moves, key=self.score).move if moves else None


def parse_weights(text: str) -> Weights:
    """
    Read weights from JSON: `weights` by situation and phase, then by name.

    Raises: WeightsError that says what is wrong.
    """
    try:
        table = json.loads(text)["weights"]
        values = [float(table[row][name]) for row in ROWS for name in NAMES]
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise WeightsError(f"no file of weights: {error!r}") from None
    if not all(map(isfinite, values)):
        raise WeightsError("some weights are no numbers")
    return Weights(values)


def format_weights(weights: Weights, made: dict[str, object]) -> str:
    """Write weights as JSON with the command that *made* them."""
    rows = {
        row: {name: round(weights.values[i * COUNT + j], 4) for j, name in enumerate(NAMES)} for i, row in enumerate(ROWS)
    }
    lines = ",\n".join(f"    {json.dumps(row)}: {json.dumps(values)}" for row, values in rows.items())
    return f'{{\n  "made": {json.dumps(made)},\n  "weights": {{\n{lines}\n  }}\n}}\n'


@cache
def read_weights(name: str) -> Weights:
    """
    Read weights that come with the package.

    Raises: Damaged, of which WeightsError is one, that names the file.
    """
    file, data = read_data("kozyr.bots", name)
    try:
        return parse_weights(data.decode())
    except ValueError as error:
        raise WeightsError(f"{file}: {error}") from None

"""Measuring the engine."""

from __future__ import annotations

import re

import pytest

from kozyr.cli.bench import measure
from kozyr.core import FORM

from .conftest import Kozyr


def test_the_engine_is_measured_for_two_and_four_seats(kozyr: Kozyr) -> None:
    """
    Games a CPU-second, nanoseconds an action, actions a game, nanoseconds a copy, and which form of the engine that was.
    """
    done = kozyr("bench", "--games", "3", "--repeat", "1")
    assert (0, "") == (done.code, done.err)
    assert f"engine {FORM}, 36 cards, transfer" == done.lines[0]
    for seats, line in zip((2, 4), done.lines[1:], strict=True):
        wanted = rf"{seats} seats: [\d,]+ games a CPU-second, [\d,]+ ns an action, [\d.]+ actions a game, [\d,.]+ ns a copy"
        assert re.fullmatch(wanted, line)


def test_other_tables_can_be_measured(kozyr: Kozyr) -> None:
    """
    --seats may be given again and again.
    """
    done = kozyr("bench", "--games", "2", "--repeat", "1", "--seats", "3", "--seats", "6")
    assert ["3 seats", "6 seats"] == [line.partition(":")[0] for line in done.lines[1:]]


@pytest.mark.parametrize(("seats", "actions"), [(2, 118), (4, 228)])
def test_random_games_have_the_length_that_random_games_have(seats: int, actions: int) -> None:
    """
    A random game of transfer durak takes about so many actions: what is measured is whole games.
    """
    speed = measure(seats, 60, 1)
    assert actions * 0.85 < speed.actions < actions * 1.15
    assert speed.games_s > 0

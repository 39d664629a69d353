"""The engine's two forms play alike."""

from __future__ import annotations

import pytest

import engine
from kozyr.core import FORM
from tests.golden.traces import FILE, in_the_other_form, lines


@pytest.fixture(scope="module")
def played() -> list[str]:
    """
    Play all games once, in the form that runs here.
    """
    return lines()


def test_games_go_as_they_went_before(played: list[str]) -> None:
    """
    Whether compiled or interpreted, the engine plays the games of traces.txt.

    Both forms made them; `PYTHONPATH=src:tools python -m tests.golden.traces --write` writes them again after a change of what is hashed.
    """
    assert FILE.read_text(encoding="utf-8").splitlines() == played


def test_both_forms_play_alike(played: list[str]) -> None:
    """
    Where the engine is compiled, its interpreted form goes the same way, action by action and event by event.
    """
    form, others = in_the_other_form()
    assert played == others
    assert engine.is_stale() or {"compiled", "interpreted"} == {FORM, form} or not engine.built()

"""Weighing moves: a win that is easily found is found, however hard the other moves are to judge."""
from __future__ import annotations

import pytest

from kozyr.core.moves import Move
from kozyr.core.notation import format_position, parse_position
from kozyr.core.position import Position
from kozyr.search import weighing
from kozyr.search.asking import LOSS, UNSOLVED, WIN
from kozyr.search.prover import Prover
from kozyr.search.weighing import worths

POSITION = "36/s/0/0:7h,9h,Qd;1:8h,Th,7s/0>1/-/"


def liking(move: Move) -> float:
    """Like low cards."""
    return -float(move.cards[0])


def test_a_move_that_is_hard_to_judge_does_not_hide_a_win(monkeypatch: pytest.MonkeyPatch) -> None:
    """The move that is liked best takes all the nodes there are; the next one is tried all the same, and wins."""

    def value(prover: Prover, position: Position, seat: int, cap: int) -> int:
        prover.nodes = min(cap, 3_000)
        if "7h@0" in format_position(position):
            prover.nodes = cap
            return UNSOLVED
        if "9h@0" in format_position(position):
            return WIN if cap >= 3_000 else UNSOLVED
        return LOSS

    monkeypatch.setattr(weighing, "value", value)
    found = worths(parse_position(POSITION), 100_000, liking)
    assert {"0 attack 9h": WIN} == {str(move): worth for move, worth in found.items() if worth == WIN}


def test_the_nodes_are_not_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """All rounds together look at no more than the cap, and what is not solved is told so."""
    spent = []

    def value(prover: Prover, position: Position, seat: int, cap: int) -> int:
        prover.nodes = cap
        spent.append(cap)
        return UNSOLVED

    monkeypatch.setattr(weighing, "value", value)
    found = worths(parse_position(POSITION), 50_000, liking)
    assert 50_000 == sum(spent)
    assert {UNSOLVED} == set(found.values())

"""Weighing moves: a win that is easily found is found, however hard the other moves are to judge."""
from __future__ import annotations

from random import Random

import pytest

from kozyr.core.moves import Move
from kozyr.core.notation import format_position, parse_position
from kozyr.core.play import play
from kozyr.core.position import Position
from kozyr.search import weighing
from kozyr.search.asking import LOSS, UNSOLVED, WIN, value
from kozyr.search.prover import Prover
from kozyr.search.weighing import best, forget, worths
from tests.search.plain import small_position

POSITION = "36/s/0/0:7h,9h,Qd;1:8h,Th,7s/0>1/-/"


def liking_none(move: Move) -> float:
    """Like no move more than another."""
    return 0.0


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


@pytest.mark.parametrize("transfer", [False, True])
def test_moves_that_are_weighed_together_keep_the_value(monkeypatch: pytest.MonkeyPatch, transfer: bool) -> None:
    """Where the first nodes do not tell, all open moves are searched as one, and the move that comes out is a best one."""
    monkeypatch.setattr(weighing, "SMALL", 0)
    monkeypatch.setattr(weighing, "ROUND", 1)
    forget()
    weighing.prover(weighing.LARGE_MEMO_BITS).leaf_nodes = 1
    judge = Prover(12)
    rng = Random(f"together {transfer}")
    for _ in range(300):
        position = small_position(rng, 9, transfer)
        seat = int(position.turn)
        found = worths(position, 1_000_000, liking_none)
        move = best([found], liking_none)
        child = position.copy()
        play(child, move)
        assert (value(judge, position, seat, 1_000_000), format_position(position)) == (
            value(judge, child, seat, 1_000_000),
            format_position(position),
        )
        assert found[move] == value(judge, position, seat, 1_000_000)
    forget()

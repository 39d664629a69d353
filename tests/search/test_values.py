"""
The solver's values against slow searches that look at everything.

A few hundred positions of each kind in the suite; `-m soak` solves 100,000, or as many as KOZYR_SOAK_POSITIONS in the environment says.
"""
from __future__ import annotations

import os
from random import Random

import pytest

from kozyr.core.codes import OPENING
from kozyr.core.notation import format_position, parse_position
from kozyr.core.position import Position
from kozyr.search.asking import DRAW, value
from kozyr.search.prover import Prover
from tests.search.plain import CIRCLE, TooBig, endless_value, full_value, small_position, with_past

SOAK = int(os.environ.get("KOZYR_SOAK_POSITIONS", "100000"))
SOAK_CHUNKS = 50
NODES = 2_000_000
NODES_LOOKED_AT = 1_331_605
PROVER = Prover(8)  # so small that it forgets all the time
BEST_FIRST = Prover(8)  # searches best first as if these were many cards
BEST_FIRST.plain_nodes = 0
BEST_FIRST.leaf_nodes = 1


def compare(position: Position, slow: int) -> None:
    """Hold the solver's value for the seat to move against the slow one."""
    for prover in (PROVER, BEST_FIRST):
        assert (slow, format_position(position)) == (value(prover, position, position.turn, NODES), format_position(position))


def run(seed: str, positions: int, most: int, cap: int, transfer: bool = False, stock: int = 0, past: bool = False) -> int:
    """Compare that many small positions, and return how many of them were too big to be looked through."""
    rng = Random(seed)
    skipped = 0
    for _ in range(positions):
        position = small_position(rng, most, transfer, stock)
        if past:
            position = with_past(rng, position)
        try:
            slow = full_value(position, position.turn, cap)
        except TooBig:
            skipped += 1
            continue
        compare(position, slow)
    return skipped


def test_throw_in_endgames_are_worth_what_a_full_search_says() -> None:
    """With an empty stock and no transfers the better seat wins, whatever the table's options (R4-R11)."""
    assert run("throw in", 600, 7, 3000) < 20


def test_endgames_with_a_known_stock_are_worth_what_a_full_search_says() -> None:
    """Up to four cards in the stock are drawn as they lie, the attacker first (R10.3)."""
    assert run("stock", 200, 5, 3000, stock=4) < 40


def test_transfer_endgames_are_worth_what_a_full_search_says() -> None:
    """Where transfers repeat the position, the third time it is drawn (R8, R11.9)."""
    assert run("transfer", 400, 5, 3000, transfer=True) < 20


def test_transfer_endgames_are_worth_what_can_be_forced_in_an_endless_game() -> None:
    """A repetition changes nothing for a seat that can force a win: it need not repeat (R11.9)."""
    rng = Random("endless")
    for _ in range(60):
        position = small_position(rng, 7, transfer=True)
        try:
            slow = endless_value(position, position.turn, 3000)
        except TooBig:
            continue
        compare(position, slow)


def test_what_came_before_counts() -> None:
    """A bout start that has been there twice ends the game when it comes again, and so do forty bouts without progress (R11.9, R11.10)."""
    assert run("past", 200, 5, 3000, past=True) < 20
    assert run("past and transfers", 250, 5, 3000, transfer=True, past=True) < 20


def test_a_win_that_takes_too_many_bouts_is_none() -> None:
    """Somewhere in these positions the past turns a win into a draw, so that the comparison above says something (R11.10)."""
    rng = Random("past")
    turned = 0
    for _ in range(200):
        position = small_position(rng, 5)
        late = with_past(rng, position)
        if position.phase == OPENING:
            turned += value(PROVER, position, position.turn, NODES) != value(PROVER, late, late.turn, NODES)
    assert turned > 3


def test_both_forms_of_the_engine_look_at_the_same_nodes() -> None:
    """Compiled and interpreted, the search goes the same way, card for card; a change of the search changes the number."""
    rng = Random("forms")
    prover = Prover(8)
    nodes = 0
    for i in range(300):
        position = small_position(rng, 9, transfer=i % 2 == 0, stock=2 if i % 5 == 0 else 0)
        worth = value(prover, position, 0, 5000)
        nodes += (i + 1) * prover.nodes + worth
    assert NODES_LOOKED_AT == nodes


def test_the_search_best_first_finds_the_same() -> None:
    """Who lists what follows and looks at the nearest first finds the values of the search straight on, repetitions or not (R4-R11)."""
    rng = Random("best first")
    others = draws = 0
    for i in range(2000):
        position = small_position(rng, 9, transfer=i % 5 > 0)
        worth = value(PROVER, position, 0, NODES)
        nodes = PROVER.nodes
        assert (worth, format_position(position)) == (value(BEST_FIRST, position, 0, NODES), format_position(position))
        others += BEST_FIRST.nodes != nodes
        draws += worth == DRAW
    assert others > 300
    assert draws > 50


def test_a_draw_by_repetition_is_found_best_first() -> None:
    """Where all ways of not losing lead back to where they began, nobody wins (R8.8, R11.9)."""
    assert DRAW == value(BEST_FIRST, parse_position(CIRCLE), 0, NODES)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(SOAK_CHUNKS))
def test_a_hundred_thousand_positions_are_worth_what_a_full_search_says(chunk: int) -> None:
    """The comparisons above, over and over: 60 of 100 throw-in games, 10 with stock, 20 with transfers, 10 with a past."""
    n = SOAK // SOAK_CHUNKS
    skipped = run(f"soak {chunk}", 6 * n // 10, 9, 20_000)
    skipped += run(f"soak stock {chunk}", n // 10, 7, 20_000, stock=4)
    skipped += run(f"soak transfer {chunk}", n // 5, 6, 20_000, transfer=True)
    skipped += run(f"soak past {chunk}", n // 20, 7, 20_000, past=True)
    skipped += run(f"soak past and transfers {chunk}", n // 20, 6, 20_000, transfer=True, past=True)
    assert skipped < n // 20

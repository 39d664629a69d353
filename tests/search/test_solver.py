"""What the solver says beyond a value: best moves, a line to the end, its limits, and what it refuses."""
from __future__ import annotations

from random import Random

import pytest

from kozyr.core.codes import OVER
from kozyr.core.judge import legal_moves
from kozyr.core.notation import format_position, parse_position
from kozyr.core.play import play
from kozyr.core.position import Position
from kozyr.search.solver import Solver, best_actions, explain, solve
from tests.search.plain import CIRCLE, TooBig, endless_value, full_value, result_for, small_position

THROW_IN = "36/s/0/0:7c,7h,9h,Qd;1:Tc,Jc,9c,7s/0>1/-/limit=6,bout_no=5"


def positions(seed: str, n: int, most: int, transfer: bool = False, stock: int = 0) -> list[Position]:
    """Choose small positions."""
    rng = Random(seed)
    return [small_position(rng, most, transfer, stock) for _ in range(n)]


def test_a_position_is_explained_in_a_few_lines() -> None:
    """Who wins, which moves keep it, how the game may go on, and what it took to find out."""
    assert [
        "seat 0 wins",
        "best: 0 attack Qd, 0 attack 9h",
        "line: 0 attack Qd, 1 beat Qd 7s, 0 attack 7c, 1 beat 7c 9c, 0 attack 7h, 1 take, 0 attack 9h",
    ] == explain(parse_position(THROW_IN))[:3]
    assert explain(parse_position(THROW_IN))[3].startswith("nodes: ")


@pytest.mark.parametrize("transfer", [False, True])
def test_the_line_ends_the_game_as_the_value_says(transfer: bool) -> None:
    """Both play best to the end, and the winner wins (R11)."""
    for position in positions(f"line {transfer}", 60, 7, transfer):
        solution = solve(position)
        at = position.copy()
        for move in solution.line:
            play(at, move)
        assert at.phase == OVER, format_position(position)
        assert [result_for(at, seat) for seat in (0, 1)] == [solution.values[0], solution.values[1]], format_position(position)


@pytest.mark.parametrize("transfer", [False, True])
def test_every_move_has_its_value(transfer: bool) -> None:
    """All legal moves are told apart, beating the second card first among them; the best ones keep the value (R7.2)."""
    for position in positions(f"moves {transfer}", 40, 5, transfer):
        seat = position.turn
        moves = best_actions(position)
        assert legal_moves(position, seat) == list(moves)
        for move, worth in moves.items():
            child = position.copy()
            play(child, move)
            try:
                assert (full_value(child, seat, 3000), move, format_position(position)) == (worth, move, format_position(position))
            except TooBig:
                continue
        solution = solve(position)
        assert [move for move in moves if moves[move] == solution.values[seat]] == list(solution.best)


def test_a_draw_by_repetition_is_found_and_played() -> None:
    """Neither seat can force anything here: both show trumps and take, round in circles, until it is a draw (R8.8, R11.9)."""
    solution = solve(parse_position(CIRCLE))
    assert {0: 0, 1: 0} == solution.values
    circle = "1 attack Jc, 0 show Jh, 1 take, 0 attack 9d, 1 show 9h, 0 take"
    assert [circle, circle] == [", ".join(str(move) for move in half) for half in (solution.line[:6], solution.line[6:])]


def test_a_draw_by_repetition_is_one_in_an_endless_game() -> None:
    """Among all 16,186 positions that can come from there, none lets a seat force a win (R11.9)."""
    assert 0 == endless_value(parse_position(CIRCLE), 0, 20_000)


def test_nodes_that_run_out_are_no_answer() -> None:
    """With too few nodes the solver says that it has not solved the position; it raises nothing."""
    position = parse_position("36/s/0/0:6c,Qc,Ac,6d,9d,Ad,6h,Ah,6s,7s,Ts,Qs;1:7c,Jc,7d,Kh,Js,Ks/0>1/-/limit=6,bout_no=5")
    solution = solve(position, 500)
    assert (False, {}, (), ()) == (solution.solved, solution.values, solution.best, solution.line)
    assert 500 <= solution.nodes < 1000
    assert ["not solved within"] == [line[:17] for line in explain(position, 500)]
    assert {None} == set(best_actions(position, 0).values())


def test_what_was_learnt_at_one_table_does_not_mislead_at_another() -> None:
    """One solver for all tables, decks and trumps finds what a fresh one finds."""
    kept = Solver(bits=6)
    mixed = [*positions("a", 80, 6), *positions("b", 80, 6, transfer=True), *positions("c", 40, 5, stock=3)]
    Random("mix").shuffle(mixed)
    for position in mixed:
        assert Solver(bits=6).value(position, 0) == kept.value(position, 0), format_position(position)


def test_a_table_for_more_with_two_seats_left_is_solved() -> None:
    """Seats that have gone out change nothing but the number of bouts without progress (R11.3, R11.10)."""
    three = "36/s/0/0:7c,7h,9h,Qd;1:;2:Tc,Jc,9c,7s/0>2/-/seats=3,out=1,limit=6,bout_no=9"
    assert {0: 1, 2: -1} == solve(parse_position(three)).values
    assert {0: 1, 1: -1} == solve(parse_position(THROW_IN)).values


def test_the_pace_of_the_table_does_not_matter() -> None:
    """A position of an open table is solved as turns: cards that already lie there have to be beaten or taken (R5.6)."""
    text = "36/s/0/0:7c,Qd;1:Tc,Jc,9c,7s/0>1/9h>Th@0,9d@0/limit=6,bout_no=5"
    assert solve(parse_position(text)).values == solve(parse_position(text.replace("limit", "pace=turns,limit"))).values


def test_the_longest_deal_does_not_hang() -> None:
    """All 52 cards in two hands: the nodes end the search, however deep it is."""
    hands = [[rank + suit for suit in "cdhs" for rank in ranks] for ranks in ("2468TQA", "3579JK")]
    text = f"52/s/0/0:{','.join(hands[0])};1:{','.join(hands[1])}/0>1/-/transfer=true,multi_transfer=true,limit=6,bout_no=5"
    assert solve(parse_position(text), 20_000).nodes < 50_000


def test_a_game_that_is_over_has_its_result() -> None:
    """Nothing is left to search, and nobody moves."""
    solution = solve(parse_position("36/s/0/0:;1:7h/0>1/-/phase=OVER,out=0,durak=1,reason=cards,limit=6,bout_no=9"))
    assert (True, {0: 1, 1: -1}, (), ()) == (solution.solved, solution.values, solution.best, solution.line)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("36/s/0/0:7h;1:8h;2:9h/0>1/-/seats=3,limit=6,bout_no=5", "3 seats are in"),
        ("36/s/8d,9d,Td,Jd,7s/0:7h;1:8h/0>1/-/limit=6,bout_no=5", "5 cards are in the stock"),
        ("36/s/0/0:7h;1:8h/0>1/-/cheat=true,limit=6,bout_no=5", "honest tables"),
        ("36/s/0/0:;1:8h,9h/0>1/7h@0/emptied=,limit=6,bout_no=5", "run out"),
        ("36/s/0/0:8h;1:8c,9h/0>1/7h@0/transfer_lost=true,transfer=true,limit=6,bout_no=5", "right to transfer"),
    ],
)
def test_what_the_solver_cannot_take_is_refused_with_a_reason(text: str, why: str) -> None:
    """Three seats, a long stock, a cheating table, and positions that no game leads to."""
    with pytest.raises(ValueError, match=why):
        solve(parse_position(text))


@pytest.mark.parametrize("seat", [-1, 1, 3])
def test_only_seats_that_are_in_have_a_value(seat: int) -> None:
    """A seat that has gone out, or is none, is refused."""
    position = parse_position("36/s/0/0:7c,7h,9h,Qd;1:;2:Tc,Jc,9c,7s/0>2/-/seats=3,out=1,limit=6,bout_no=9")
    with pytest.raises(ValueError, match="is not in"):
        Solver(bits=6).value(position, seat)

"""What each move of a known position is worth: the exact solver asked about every one."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from kozyr.core import FORM
from kozyr.core.moves import Move
from kozyr.core.play import move_of
from kozyr.core.playout import choices
from kozyr.core.position import Position
from kozyr.search.asking import DRAW, UNSOLVED, WIN, value, values_after
from kozyr.search.prover import Prover

MEMO_BITS = 16
LARGE_MEMO_BITS = 18
SMALL = 400_000
"""Nodes from which on the large memory pays for being laid out."""

NODES = {"compiled": 36_000_000, "interpreted": 300_000}[FORM]
"""For one choice in a known position: two seconds at most compiled, a second or two else; a thousandth of it does for most."""

ROUND = 2_000
"""Nodes for each move at first: most wins take far less, and no move that is hard to judge keeps the search from them."""


@cache
def prover(bits: int = MEMO_BITS) -> Prover:
    """Return this process's prover with a memory of that size."""
    return Prover(bits)


def is_exact(position: Position) -> bool:
    """Say whether the solver takes the position: two seats in, and four cards in the stock at most."""
    seats_in = int(position.seats_in)
    return seats_in.bit_count() == 2 and position.deal.size - position.top <= 4


def worths(position: Position, cap: int, liking: Callable[[Move], float], worlds: int = 1) -> dict[Move, int]:
    """
    Return what each move is worth to the seat whose turn it is: WIN, DRAW, LOSS, or UNSOLVED where *cap* nodes do not tell.

    Moves are tried as they are liked, in rounds of ever more nodes; with one world alone the first that wins ends the search.
    """
    seat = int(position.turn)
    asked = prover()
    actions = sorted(((move_of(position, action), action) for action in choices(position)), key=lambda each: -liking(each[0]))
    after = {move: position.copy() for move, _ in actions}
    for move, action in actions:
        after[move].act(action)
    found: dict[Move, int] = {}
    left = cap
    share = ROUND if worlds == 1 else cap
    while left > 0 and (not found or UNSOLVED in found.values()):
        if cap - left > SMALL and worlds == 1 and position.n_past < 2:
            return together(position, after, found, left)
        for move, child in after.items():
            if found.get(move, UNSOLVED) != UNSOLVED:
                continue
            asked.nodes = 0
            found[move] = int(value(asked, child, seat, min(share, left))) if left > 0 else UNSOLVED
            left -= int(asked.nodes)
            if found[move] == WIN and worlds == 1:
                return found
        share *= 4
    return found


def together(position: Position, after: dict[Move, Position], found: dict[Move, int], cap: int) -> dict[Move, int]:
    """
    Go on with the moves whose worth is not told yet, all in one search.

    If one of them wins the search ends; where none does but one draws, those of which nothing else is told are left out.
    """
    seat = int(position.turn)
    open_moves = [move for move in after if found[move] == UNSOLVED]
    children = [after[move] for move in open_moves]
    values, no_win = values_after(prover(LARGE_MEMO_BITS), position, children, seat, cap, DRAW in found.values())
    told = found | {move: int(worth) for move, worth in zip(open_moves, values, strict=True)}
    if no_win and DRAW in told.values():
        return {move: worth for move, worth in told.items() if worth != UNSOLVED}
    return told


def forget() -> None:
    """Forget what the solver has learnt, so that what it finds within a cap depends on nothing that came before."""
    prover.cache_clear()


def best(found: Sequence[dict[Move, int]], liking: Callable[[Move], float]) -> Move:
    """
    Return the move that is worth most over some worlds; of equals the one that is liked best. What is not solved counts as a draw.

    A world in which a move was not looked at, because another wins, counts as a loss.
    """
    moves = list(dict.fromkeys(move for each in found for move in each))

    def total(move: Move) -> int:
        worths_of = [each.get(move, -1) for each in found]
        return sum(DRAW if worth == UNSOLVED else worth for worth in worths_of)

    return max(moves, key=lambda move: (total(move), liking(move)))

"""
The hard bot: normal's rules with a full memory, and exact play at the end.

It remembers every public card. Once two seats are left and the stock is empty it knows the other hand, and plays what the exact solver
finds, or by the rules where its nodes do not tell; with a few cards left in the stock it asks the solver about a sample of the worlds that
are possible. Its budget is in nodes, so that equal views and memories get equal moves, in the same form of the engine.
"""
from __future__ import annotations

from math import factorial
from random import Random
from zlib import crc32

from kozyr.bots.chances import Chances
from kozyr.bots.cheating import at_cheating_table
from kozyr.bots.features import weigh
from kozyr.bots.hidden import Hidden, hidden_of
from kozyr.bots.memory import Memory
from kozyr.bots.normal import weights_for
from kozyr.core.moves import Move
from kozyr.core.views import View
from kozyr.search.weighing import NODES, best, forget, worths
from kozyr.search.worlds import world_of

WORLDS = 12
NODES_OF_WORLD = 10_000
STOCK_MAX = 3


def choose(view: View, memory: Memory | None = None) -> Move | None:
    """
    Choose the move of the view's seat, or None where there is nothing to do.

    Without a memory it knows what lies open, and plans no endgame.
    """
    return at_cheating_table("hard", view, memory, choose_honestly(view, memory))


def choose_honestly(view: View, memory: Memory | None = None) -> Move | None:
    """Choose as at an honest table."""
    seat = view.seat
    if seat is None or seat not in view.waiting or not view.legal:
        return None
    if view.phase == "CHALLENGE":
        return Move(seat, "accept")
    kept = memory or Memory.at(view)
    likings = rate(view, kept)
    if len(likings) > 1 and sum(one.is_in for one in view.seats) == 2 and view.stock <= STOCK_MAX:
        hidden = hidden_of(view, kept)
        planned = None if hidden is None else plan(view, hidden, likings)
        if planned is not None:
            return planned
    return max(likings, key=lambda move: likings[move], default=None)


def rate(view: View, memory: Memory) -> dict[Move, float]:
    """Say how well the rules like each move that they weigh."""
    weights = weights_for(view)
    return {each.move: weights.score(each) for each in weigh(view, Chances(view, memory, counts=True))}


def plan(view: View, hidden: Hidden, likings: dict[Move, float]) -> Move | None:
    """Return the best move by the solver, over a sample of worlds where something is to guess; None where it is not this seat's turn."""

    def liking(move: Move) -> float:
        return likings.get(move, -1000.0)

    orders = orders_of(view, hidden)
    forget()
    found = []
    for order in orders:
        position = world_of(view, *hidden.fill(order))
        if position.turn != view.seat:
            return None
        found.append(worths(position, NODES if len(orders) == 1 else NODES_OF_WORLD, liking, len(orders)))
    chosen = best(found, liking)
    return chosen if chosen in view.legal else None


def orders_of(view: View, hidden: Hidden) -> list[list[int]]:
    """List orders of the unseen cards, one for each world: the only one there is, or a sample that the view alone decides."""
    if hidden.is_sure:
        return [list(hidden.unseen)]
    rng = Random(crc32(repr((view.hand, view.bout, view.bout_no, view.seat, hidden)).encode()))
    n = len(hidden.unseen)
    count = min(WORLDS, factorial(n) // factorial(n - hidden.stock))
    seen: dict[tuple[int, ...], list[int]] = {}
    for _ in range(4 * count):
        order = rng.sample(hidden.unseen, n)
        seen.setdefault(tuple(order[n - hidden.stock :]), order)
        if len(seen) == count:
            break
    return list(seen.values())

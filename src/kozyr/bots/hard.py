"""
The hard bot: normal's rules with a full memory, and exact play at the end.

It remembers every public card. Once two seats are left and the stock is empty it knows the other hand, and plays what the exact solver
finds, or by the rules where its nodes do not tell; with a few cards left in the stock it asks the solver about a sample of the worlds that
are possible. With three seats left it plays such a sample out. Its budget is in nodes and games, so that equal views and memories get equal
moves, in the same form of the engine.
"""
from __future__ import annotations

from collections.abc import Callable
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
from kozyr.search.asking import DRAW, UNSOLVED, WIN
from kozyr.search.sampled import PLAYOUTS, averages
from kozyr.search.weighing import NODES, best, forget, worths
from kozyr.search.worlds import world_of

Foresee = Callable[[list[Move]], dict[Move, float]]
"""Says what moves come to that the solver does not tell."""

WORLDS = 12
NODES_OF_WORLD = 10_000
STOCK_MAX = 3
SEATS_OF_PLAYOUTS = 3
STOCK_OF_PLAYOUTS = 0


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
    seats_in = sum(one.is_in for one in view.seats)
    if len(likings) > 1:
        planned = None
        if seats_in == 2 and view.stock <= STOCK_MAX:
            planned = plan(view, hidden_of(view, kept), likings)
        elif seats_in == SEATS_OF_PLAYOUTS and view.stock <= STOCK_OF_PLAYOUTS:
            planned = play_out(view, hidden_of(view, kept), likings)
        if planned is not None:
            return planned
    return max(likings, key=lambda move: likings[move], default=None)


def rate(view: View, memory: Memory) -> dict[Move, float]:
    """Say how well the rules like each move that they weigh."""
    weights = weights_for(view)
    return {each.move: weights.score(each) for each in weigh(view, Chances(view, memory, counts=True))}


def plan(view: View, hidden: Hidden | None, likings: dict[Move, float], foresee: Foresee | None = None) -> Move | None:
    """
    Return the best move by the solver, over a sample of worlds where something is to guess.

    Where all is known, no move wins and some are not solved, *foresee* may say what those come to, from -1 (a loss) to 1. None where it is
    not this seat's turn, or its memory does not know where the hidden cards are.
    """
    if hidden is None:
        return None

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
    if foresee and len(found) == 1 and UNSOLVED in found[0].values() and WIN not in found[0].values():
        worth = {**found[0], **foresee([move for move, told in found[0].items() if told == UNSOLVED and move in likings])}
        chosen = max(worth, key=lambda move: (DRAW if worth[move] == UNSOLVED else worth[move], liking(move)))
    return chosen if chosen in view.legal else None


def play_out(view: View, hidden: Hidden | None, likings: dict[Move, float]) -> Move | None:
    """
    Return the move that does best over a sample of worlds played out, of equals the one that is liked best; None as for `plan`.
    """
    if hidden is None:
        return None
    position = world_of(view, *hidden.fill(hidden.unseen))
    if position.turn != view.seat:
        return None
    seed = 1 + seed_of(view, hidden) % 2147483645
    worlds = 1 if hidden.is_sure else PLAYOUTS
    found = averages(position, hidden.unseen, hidden.known, hidden.needs, worlds, seed)
    return max((move for move in likings if move in found), key=lambda move: (found[move], likings[move]), default=None)


def orders_of(view: View, hidden: Hidden) -> list[list[int]]:
    """List orders of the unseen cards, one for each world: the only one there is, or a sample that the view alone decides."""
    if hidden.is_sure:
        return [list(hidden.unseen)]
    rng = Random(seed_of(view, hidden))
    n = len(hidden.unseen)
    count = min(WORLDS, factorial(n) // factorial(n - hidden.stock))
    seen: dict[tuple[int, ...], list[int]] = {}
    for _ in range(4 * count):
        order = rng.sample(hidden.unseen, n)
        seen.setdefault(tuple(order[n - hidden.stock :]), order)
        if len(seen) == count:
            break
    return list(seen.values())


def seed_of(view: View, hidden: Hidden) -> int:
    """Draw a seed, 0 to 2^32 - 1, by what the seat sees and remembers alone."""
    return crc32(repr((view.hand, view.bout, view.bout_no, view.seat, hidden)).encode())

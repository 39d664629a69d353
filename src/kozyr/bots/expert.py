"""
The expert bot: a small network trained by self-play weighs the moves, at tables of two it looks ahead, endgames are exact as hard's are.

It looks at its view and the full public memory. One network plays tables of two seats, another those of three and more; `kozyr train
expert` makes both, and `kozyr train belief` what it believes of hidden cards. Once everything is known the exact solver decides, of equals
by the network's liking. Needs numpy, which is imported when the first expert thinks.
"""
from __future__ import annotations

import os
from functools import cache, partial
from typing import TYPE_CHECKING

from kozyr.bots.cheating import at_cheating_table
from kozyr.bots.hard import plan
from kozyr.bots.hidden import Hidden, hidden_of
from kozyr.bots.memory import Memory
from kozyr.bots.seeing import moves_of, see
from kozyr.core.moves import Move
from kozyr.core.views import View
from kozyr.damage import Damaged, read_data

if TYPE_CHECKING:
    from kozyr.bots.network import Belief, Network
    from kozyr.search.sight import Sight

TWO = "expert_two.npz"
MORE = "expert_more.npz"
BELIEF = "expert_belief.npz"
OTHERS = {TWO: 1, MORE: 5}
STOCK_MAX = 1
"""With so many cards in the stock the solver is asked: at a table of two every card is known then."""


def choose(view: View, memory: Memory | None = None) -> Move | None:
    """
    Choose the move of the view's seat, or None where there is nothing to do.

    Without a memory it knows what lies open, and plans no endgame.

    Raises: Damaged where weights are missing or broken, or numpy is.
    """
    return at_cheating_table("expert", view, memory, choose_honestly(view, memory))


def choose_honestly(view: View, memory: Memory | None = None) -> Move | None:
    """Choose as at an honest table."""
    seat = view.seat
    if seat is None or seat not in view.waiting or not view.legal:
        return None
    if view.phase == "CHALLENGE":
        return Move(seat, "accept")
    kept = memory or Memory.at(view)
    name = TWO if view.rules.seats == 2 else MORE
    sight = see(view, kept, seat, OTHERS[name])
    likings = rate(sight, moves_of(sight, view, seat), name)
    if len(likings) > 1 and sum(one.is_in for one in view.seats) == 2:
        hidden = hidden_of(view, kept)
        if hidden is not None and view.stock <= STOCK_MAX:
            planned = plan(view, hidden, likings, partial(on, view, kept, hidden, sight, likings) if name == TWO else None)
            if planned is not None:
                return planned
        if hidden is not None and name == TWO:
            likings = ahead(view, kept, hidden, sight, likings)
    return max(likings, key=lambda move: likings[move], default=None)


def ahead(view: View, memory: Memory, hidden: Hidden, sight: Sight, likings: dict[Move, float]) -> dict[Move, float]:
    """Look ahead from a choice that the network has weighed."""
    from kozyr.bots.looking import look

    return look(view, memory, hidden, sight, likings, network(TWO), belief(BELIEF))


def on(view: View, memory: Memory, hidden: Hidden, sight: Sight, likings: dict[Move, float], moves: list[Move]) -> dict[Move, float]:
    """Say what moves of a known endgame come to that the solver does not tell."""
    from kozyr.bots.looking import foresee

    return foresee(view, memory, hidden, sight, likings, network(TWO), moves)


def rate(sight: Sight, moves: list[Move], name: str) -> dict[Move, float]:
    """Say what the network expects of each move that it weighs, from -1 (the durak) to 1."""
    if len(moves) < 2:
        return dict.fromkeys(moves, 0.0)
    return dict(zip(moves, network(name).judge_one(sight.words(), sight.moves()), strict=True))


class NumpyMissing(Damaged):
    """The expert needs numpy, which is not there."""


@cache
def network(name: str) -> Network:
    """
    Read a network that comes with the package.

    Raises: Damaged, of which NetworkError and NumpyMissing are, that names the file.
    """
    # Its products are small: several threads wait for each other more than they work, ten times as long where other processes think too.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from kozyr.bots.network import read_network
    except ModuleNotFoundError as error:
        raise NumpyMissing(f"the expert needs {error.name}: install kozyr with its dependencies") from error
    file, data = read_data("kozyr.bots", name)
    return read_network(data, file, OTHERS[name])


@cache
def belief(name: str) -> Belief:
    """
    Read what tells which cards the other may hold.

    Raises: Damaged, of which NetworkError is one, that names the file.
    """
    from kozyr.bots.network import read_belief

    file, data = read_data("kozyr.bots", name)
    return read_belief(data, file)

"""
The expert bot: a small network trained by self-play weighs the moves, and endgames are exact as hard's are.

It looks at its view and the full public memory. One network plays tables of two seats, another those of three and more; `kozyr train
expert` makes both. Once everything is known the exact solver decides, of equals by the network's liking. Needs numpy, which is imported
when the first expert thinks.
"""
from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from kozyr.bots.cheating import at_cheating_table
from kozyr.bots.hard import plan
from kozyr.bots.hidden import hidden_of
from kozyr.bots.memory import Memory
from kozyr.bots.seeing import moves_of, see
from kozyr.core.moves import Move
from kozyr.core.views import View

if TYPE_CHECKING:
    from kozyr.bots.network import Network

TWO = "expert_two.npz"
MORE = "expert_more.npz"
OTHERS = {TWO: 1, MORE: 5}
STOCK_MAX = 3
"""With so many cards in the stock the solver is asked."""


def choose(view: View, memory: Memory | None = None) -> Move | None:
    """
    Choose the move of the view's seat, or None where there is nothing to do.

    Without a memory it knows what lies open, and plans no endgame.

    Raises: NetworkError where the weights are missing or broken, NumpyMissing.
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
    likings = rate(view, kept, seat)
    if len(likings) > 1 and view.stock <= STOCK_MAX and sum(one.is_in for one in view.seats) == 2:
        hidden = hidden_of(view, kept)
        planned = None if hidden is None else plan(view, hidden, likings)
        if planned is not None:
            return planned
    return max(likings, key=lambda move: likings[move], default=None)


def rate(view: View, memory: Memory, seat: int) -> dict[Move, float]:
    """Say what the network expects of each move that it weighs, from -1 (the durak) to 1."""
    name = TWO if view.rules.seats == 2 else MORE
    sight = see(view, memory, seat, OTHERS[name])
    moves = moves_of(sight, view, seat)
    if len(moves) < 2:
        return dict.fromkeys(moves, 0.0)
    return dict(zip(moves, network(name).judge_one(sight.words(), sight.moves()), strict=True))


class NumpyMissing(RuntimeError):
    """The expert needs numpy, which is not there."""


@cache
def network(name: str) -> Network:
    """
    Read a network that comes with the package.

    Raises: NetworkError, NumpyMissing.
    """
    try:
        from kozyr.bots.network import NetworkError, read_network
    except ModuleNotFoundError as error:
        raise NumpyMissing(f"the expert needs {error.name}: install kozyr with its dependencies") from error
    file = files("kozyr.bots").joinpath(name)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise NetworkError(f"{file} cannot be read: {error.strerror}") from None
    return read_network(data, str(file), OTHERS[name])

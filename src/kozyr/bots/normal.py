"""
The normal bot: weighs its cards by linear rules, with the public memory except for the discard.

It knows who took which cards and which ranks somebody refused to play, saves its trumps, throws in what it believes the defender lacks, and
minds how much of the stock is left. The weights are data: `normal.json` and, for three and more seats, `normal_more.json`, each with the
command that made it.
"""
from __future__ import annotations

from kozyr.bots.chances import Chances
from kozyr.bots.cheating import at_cheating_table
from kozyr.bots.linear import Weights, read_weights
from kozyr.bots.memory import Memory
from kozyr.core.moves import Move
from kozyr.core.views import View

HEADS_UP = "normal.json"
MORE = "normal_more.json"


def weights_for(view: View) -> Weights:
    """
    Return the weights for the seats that are still in: two, or more.

    Raises: Damaged where they are missing or broken.
    """
    return read_weights(HEADS_UP if sum(one.is_in for one in view.seats) == 2 else MORE)


def choose(view: View, memory: Memory | None = None) -> Move | None:
    """
    Choose the move of the view's seat, or None where there is nothing to do.

    Without a memory it knows what lies open.

    Raises: Damaged where the weights are missing or broken.
    """
    return at_cheating_table("normal", view, memory, choose_honestly(view, memory))


def choose_honestly(view: View, memory: Memory | None = None) -> Move | None:
    """Choose as at an honest table."""
    seat = view.seat
    if seat is None or seat not in view.waiting or not view.legal:
        return None
    if view.phase == "CHALLENGE":
        return Move(seat, "accept")
    return weights_for(view).best(view, Chances(view, memory or Memory.at(view), counts=False))

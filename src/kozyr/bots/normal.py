"""
The normal bot: weighs its cards by linear rules, with the public memory except for the discard.

It knows who took which cards and which ranks somebody refused to play, saves its trumps, throws in what it believes the defender lacks, and
minds how much of the stock is left. The weights are data: `normal.json`, with the command that made them.
"""
from __future__ import annotations

from kozyr.bots.chances import Chances
from kozyr.bots.linear import read_weights
from kozyr.bots.memory import Memory
from kozyr.core.moves import Move
from kozyr.core.views import View

WEIGHTS = read_weights("normal.json")


def choose(view: View, memory: Memory | None = None) -> Move | None:
    """
    Choose the move of the view's seat, or None where there is nothing to do.

    Without a memory it knows what lies open.
    """
    seat = view.seat
    if seat is None or seat not in view.waiting or not view.legal:
        return None
    if view.phase == "CHALLENGE":
        return Move(seat, "accept")
    return WEIGHTS.best(view, Chances(view, memory or Memory.at(view), counts=False))

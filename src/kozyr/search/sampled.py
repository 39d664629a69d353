"""What each move is worth where more than two seats are in and cards are hidden: a sample of worlds, played out."""
from __future__ import annotations

from collections.abc import Sequence

from kozyr.core import FORM
from kozyr.core.moves import Move
from kozyr.core.play import move_of
from kozyr.core.playout import choices
from kozyr.core.position import Position
from kozyr.search.playouts import means
from kozyr.search.prover import Prover
from kozyr.search.sampling import Worlds

MEMO_BITS = 12
PLAYOUTS = {"compiled": 60, "interpreted": 4}[FORM]
"""Worlds in which every move of a choice is played out: a millisecond for all of them compiled, some tenths of a second else."""


def averages(
    position: Position, unseen: Sequence[int], known: Sequence[int], needs: Sequence[int], worlds: int, seed: int
) -> dict[Move, float]:
    """
    Return what each move of the seat whose turn it is comes to on average, from 0 (it becomes the durak) to 1 (it does not).

    The *unseen* cards are dealt anew to the hands, which hold the masks *known* and so many of them besides as *needs* says (-1: the seat
    that asks), and to the stock. Every move is played on in the same *worlds*, by the rules of easy, to an endgame for two that the solver
    tells or to the end. The *seed*, 1 to 2^31 - 2, and the position decide what is found, with the same form of the engine.
    """
    drawn = Worlds(position, list(unseen), list(known), list(needs), seed)
    actions = choices(position)
    found = means(drawn, actions, worlds, Prover(MEMO_BITS))
    return {move_of(position, action): float(mean) for action, mean in zip(actions, found, strict=True)}

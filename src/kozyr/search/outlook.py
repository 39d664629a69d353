"""What a seat may expect at a table of three and more where every card is known, under an assumption about the others."""
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kozyr.core.codes import OVER
from kozyr.core.moves import Move
from kozyr.core.play import move_of
from kozyr.core.position import Position
from kozyr.search.many import SCALE, Many

NODE_CAP = 200_000


class Assumption(Enum):
    """What the other seats are taken to play for: each its own score, or together against the seat that asks."""

    MAXN = "maxn"
    PARANOID = "paranoid"


@dataclass(frozen=True, slots=True)
class Outlook:
    """
    What a search under an assumption found for the seat whose turn it is.

    `scores` are payouts by seat in entries, a linear split of the pot; with PARANOID only the seat that asks has one. `bouts` is how
    many bouts ahead every line was looked at, and with `exact` each ended with the game. Where the nodes did not even do for the
    present bout, `move` is None.
    """

    move: Move | None
    scores: dict[int, float]
    bouts: int
    exact: bool
    nodes: int
    assumption: Assumption


def look_ahead(position: Position, assumption: Assumption, node_cap: int = NODE_CAP) -> Outlook:
    """
    Find the best move of the seat whose turn it is, play going on turn by turn.

    Raises: ValueError for a game that is over.
    """
    if position.phase == OVER:
        raise ValueError("nobody is to move: the game is over")
    seat = int(position.turn)
    paranoid = assumption is Assumption.PARANOID
    many = Many(paranoid)
    many.search(position, node_cap)
    seats = position.terms.seats
    scores: dict[int, float] = {}
    if many.action >= 0:
        entry = int(SCALE) * (int(seats) - 1)
        scores = {each: int(many.scores[each]) / entry for each in ((seat,) if paranoid else range(seats))}
    move = move_of(position, int(many.action)) if many.action >= 0 else None
    return Outlook(move, scores, int(many.bouts), bool(many.is_exact), int(many.nodes), assumption)

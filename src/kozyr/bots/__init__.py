"""
Bots: each level looks at a seat's view, which lists its legal moves, and chooses one of them.

No level knows a position: hidden cards cannot change what it does. What it may remember of earlier play is in a `Memory` of public events.
"""
from __future__ import annotations

from typing import Protocol

from kozyr.bots import cheating, easy, expert, hard, linear, normal
from kozyr.bots.memory import Memory
from kozyr.core.moves import Move
from kozyr.core.views import View


class Choose(Protocol):
    """
    Choose a legal move of the view's seat; None where the seat has nothing to do now and the game does not wait for it.

    Without a memory a level knows what lies open.
    """

    def __call__(self, view: View, memory: Memory | None = None, /) -> Move | None: ...


LEVELS: dict[str, Choose] = {"easy": easy.choose, "normal": normal.choose, "hard": hard.choose, "expert": expert.choose}
"""Every level by name, the weakest first."""



def check_data() -> None:
    """
    Read what the quick levels choose by, which stand in for those that fail; a server does so before it starts.

    Raises: kozyr.damage.Damaged that names the file that is missing or broken.
    """
    for name in (normal.HEADS_UP, normal.MORE):
        linear.read_weights(name)
    for level in LEVELS:
        cheating.rates_of(level)


__all__ = ["LEVELS", "Choose", "Memory", "check_data"]

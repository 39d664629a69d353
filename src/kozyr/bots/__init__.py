"""
Bots: each level looks at a seat's view, which lists its legal moves, and chooses one of them.

No level knows a position: hidden cards cannot change what it does.
"""
from __future__ import annotations

from collections.abc import Callable

from kozyr.bots import easy
from kozyr.core.moves import Move
from kozyr.core.views import View

Choose = Callable[[View], Move | None]
"""Choose a legal move of the view's seat; None where the seat has nothing to do now and the game does not wait for it."""

LEVELS: dict[str, Choose] = {"easy": easy.choose}
"""Every level by name, the weakest first."""

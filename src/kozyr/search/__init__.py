"""
Search with every card known: exact endgames for two seats, assumptions for more, and worlds that a view allows.

`solve`, `best_actions` and `explain` take a position and start afresh; a `Solver` keeps what it has learnt for the next position.
`look_ahead` is for three seats and more.
"""
from __future__ import annotations

from kozyr.search.outlook import Assumption, Outlook, look_ahead
from kozyr.search.solver import NODE_CAP, Solution, Solver, best_actions, explain, solve

__all__ = ["NODE_CAP", "Assumption", "Outlook", "Solution", "Solver", "best_actions", "explain", "look_ahead", "solve"]

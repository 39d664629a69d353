"""A state of a bout with the question about it: what the search of large endgames keeps a graph of."""
from __future__ import annotations

from typing import Final, final

from kozyr.core._native import i64, mypyc_attr
from kozyr.search.memo import UNKNOWN

# what a state is
OPEN_BOUT: Final = 0  # a bout begins
DEFEND: Final = 1  # the defender is to act
THROW_IN: Final = 2  # all is beaten; the attacker is to act
ADD: Final = 3  # the defender takes; the attacker is to act
MOVES: Final = 4  # what follows was given: moves of a seat, the one that asks with role 1


@final
@mypyc_attr(acyclic=True)
class State:
    """What a call of the prover is told, and what is known about the answer."""

    __slots__ = (
        *("a", "answer", "base", "capacity", "d", "disproof", "follow", "is_listed", "is_on_way", "kind", "laid", "mode"),
        *("proof", "role", "unbeaten"),
    )

    def __init__(self, kind: i64, a: i64, d: i64, laid: i64, unbeaten: i64, capacity: i64, mode: i64, role: i64) -> None:
        self.kind: i64 = kind
        self.a: i64 = a
        self.d: i64 = d
        self.laid: i64 = laid
        self.unbeaten: i64 = unbeaten
        self.capacity: i64 = capacity
        self.mode: i64 = mode
        self.role: i64 = role
        self.answer: i64 = UNKNOWN
        self.base: i64 = 0  # what the moves that end the game at once come to
        self.proof: i64 = 1  # how much is at least left to show for a yes, in states that were looked at in vain
        self.disproof: i64 = 1  # the same for a no
        self.is_listed: bool = False  # `follow` tells what follows
        self.follow: list[State] = []
        self.is_on_way: bool = False  # on the way from the question to the state that is looked at

    def close(self) -> None:
        """Forget what follows, but for moves that were given."""
        if self.kind != MOVES:
            self.is_listed = False
            self.follow = []
            self.proof = 1
            self.disproof = 1


def is_mine(state: State) -> bool:
    """Say whether the seat that asks is to act."""
    if state.kind == DEFEND:
        return state.role == 0
    return state.role == 1

"""What a seat cannot see, counted: the unseen cards, and how many of them lie where."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kozyr.bots.chances import Chances
from kozyr.bots.memory import Memory
from kozyr.core.cards import cards_in, mask_of, popcount
from kozyr.core.views import View


class Hidden(NamedTuple):
    """
    The cards that a seat with a full memory has not seen, ascending, and where they may be.

    `known` are masks by seat; `needs` how many unseen cards each seat holds besides (-1: the viewer, who sees its own); `stock` how many
    lie in the stock; `turned` the turned card, if it is still under it.
    """

    unseen: tuple[int, ...]
    known: tuple[int, ...]
    needs: tuple[int, ...]
    stock: int
    turned: int | None

    @property
    def is_sure(self) -> bool:
        """Whether there is nothing to guess."""
        return not self.stock and sum(need > 0 for need in self.needs) <= 1

    def fill(self, order: Sequence[int]) -> tuple[list[int], list[int]]:
        """Deal the unseen cards in an order: hands by seat (masks; the viewer's empty), then the stock from the top."""
        at = 0
        hands = []
        for known, need in zip(self.known, self.needs, strict=True):
            taken = order[at : at + max(0, need)]
            at += len(taken)
            hands.append(known | int(mask_of(taken)) if need >= 0 else 0)
        stock = list(order[at : at + self.stock])
        return hands, stock if self.turned is None else [*stock, self.turned]


def hidden_of(view: View, memory: Memory) -> Hidden | None:
    """Count what the view's seat cannot see; None for a memory that does not know where every other card is."""
    unseen = tuple(cards_in(Chances(view, memory, counts=True).unseen))
    needs = []
    for seat, one in enumerate(view.seats):
        needs.append(-1 if seat == view.seat else one.cards - int(popcount(memory.known[seat])))
    turned = view.trump_card if view.stock else None
    stock = view.stock - (turned is not None)
    if len(unseen) != sum(need for need in needs if need > 0) + stock or min(needs) < -1:
        return None
    known = tuple(0 if seat == view.seat else known for seat, known in enumerate(memory.known))
    return Hidden(unseen, known, tuple(needs), stock, turned)

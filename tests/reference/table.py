"""
The whole position, and the questions that the rules ask about it.

Source: rules, "Words"; R4-R6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .bout import CHALLENGE, DEFENCE, OPENING, TAKING, THROW_IN, Bout
from .options import Options, complete


@dataclass
class Result:
    """
    Hold how a game ended; *payout* is coins by seat.
    """

    kind: str
    durak: int | None
    reason: str
    payout: list[int]


class Table:
    """
    Hold everything about a game.
    """

    def __init__(self, options: Options, hands: list[list[str]], stock: list[str], trump: str) -> None:
        self.options = complete(options, len(hands))
        self.seats = len(hands)
        self.hands = [list(hand) for hand in hands]
        self.stock = list(stock)
        self.trump = trump
        self.discard = 0
        self.out: list[int] = []
        self.emptied: list[int] = []
        self.beaten_before = False
        self.bout_no = 0
        self.barred: set[int] = set()
        self.no_challenge: set[int] = set()
        self.starts: Counter[tuple[object, ...]] = Counter()
        self.bouts_without_progress = 0
        self.outcome: str | None = None
        self.draw_order: list[int] = []
        self.drew: dict[int, list[str]] = {}
        self.result: Result | None = None
        self.bout: Bout

    def seats_in(self) -> list[int]:
        """
        List the seats that have not gone out.
        """
        return [seat for seat in range(self.seats) if seat not in self.out]

    def clockwise_from(self, seat: int) -> Iterator[int]:
        """
        Go round the seats that are in, beginning with *seat* itself.
        """
        for k in range(self.seats):
            if (seat + k) % self.seats not in self.out:
                yield (seat + k) % self.seats

    def next_in(self, seat: int) -> int:
        """
        Find the next seat in to the left of *seat*; *seat* itself if there is no other.
        """
        return next(other for other in [*self.clockwise_from(seat + 1), seat])

    def limit_now(self) -> int:
        """
        Say how many attack cards a bout that starts now may have.

        Source: R6.1.
        """
        if self.options["first_limit_scope"] == "first_bout":
            held_back = self.bout_no == 1
        else:
            held_back = not self.beaten_before
        return int(self.options["first_limit"]) if held_back else 6

    def eligible(self) -> list[int]:
        """
        List the seats that may attack this defender, from the attacker clockwise.

        Source: R5.2.
        """
        bout = self.bout
        if self.options["throw_scope"] == "attacker":
            return [bout.attacker]
        others = [seat for seat in self.clockwise_from(bout.attacker) if seat != bout.defender]
        if self.options["throw_scope"] == "all":
            return others
        around = list(self.clockwise_from(bout.defender))
        return [seat for seat in others if seat in (around[1], around[-1])]

    def waiting(self) -> list[int]:
        """
        List the seats whose pass is still needed, from the attacker clockwise.

        Source: R5.4, R5.7.
        """
        if self.bout.phase not in (THROW_IN, TAKING):
            return []
        return [seat for seat in self.eligible() if self.hands[seat] and seat not in self.bout.passed]

    def has_the_floor(self, seat: int) -> bool:
        """
        Say whether *seat*, which is eligible, may throw in or pass as far as the order of the seats goes.

        Source: R5.5, R5.6.
        """
        bout = self.bout
        if self.options["throw_priority"] == "attacker_first" and not bout.floor_open and seat != bout.attacker:
            return False
        if self.options["pace"] == "turns":
            return self.waiting()[:1] == [seat]
        return True

    def may_throw(self, seat: int) -> bool:
        """
        Say whether *seat* may throw in now, whatever ranks it holds.

        Source: R5.2-R5.6, R6.4.
        """
        bout = self.bout
        if self.result is not None or bout.phase in (OPENING, CHALLENGE) or not self.hands[seat]:
            return False
        if bout.phase != DEFENCE and seat in bout.passed:
            return False
        return seat in self.eligible() and bout.capacity() > 0 and self.has_the_floor(seat)

    def may_pass(self, seat: int) -> bool:
        """
        Say whether *seat* may pass now.

        Source: R5.4-R5.6.
        """
        return self.result is None and seat in self.waiting() and self.has_the_floor(seat)

    def is_taking(self) -> bool:
        """
        Say whether the defender has said *take*, or must take.
        """
        return self.bout.taking_from is not None

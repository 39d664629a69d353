"""
Three seats and more with every card known: the best move under an assumption about the others.

There is no value by force with three seats; two assumptions are common. *Max^n*: every seat plays for its own score. *Paranoid*: all the
others play against the seat that asks. A score is the payout by places of a linear split, in parts of an entry (R15.3): with n seats
place k gets 2(n - k), the durak 0, everybody n - 1 in a draw, all times 100. The search looks ever more bouts ahead until the game's end
or until its nodes are used up; a game that goes on beyond is estimated: seats still in share what places are left, fewer cards are better.
"""
from __future__ import annotations

from typing import Final, final

from kozyr.core._native import i64, mypyc_attr, vec
from kozyr.core.cards import popcount
from kozyr.core.codes import OVER
from kozyr.core.playout import choices
from kozyr.core.position import Position

SCALE: Final = 100
CARD: Final = 10  # what a card more than the others have costs
PLIES_MAX: Final = 300
SEATS_MAX: Final = 6
WORST: Final = -1_000_000


@final
@mypyc_attr(acyclic=True)
class Many:
    """A search under one assumption; `action`, `scores`, `bouts` and `is_exact` tell what the last question found."""

    __slots__ = (
        "action", "beyond", "bouts", "cap", "is_exact", "is_paranoid", "last_bout", "nodes", "scores", "seat", "stack", "stopped", "work"
    )

    def __init__(self, is_paranoid: bool) -> None:
        self.is_paranoid: bool = is_paranoid
        self.action: i64 = -1  # the best action, in the core's integers; -1 where not one bout could be looked through
        self.scores: vec[i64] = vec[i64]([0] * SEATS_MAX)  # what each seat gets by it; with paranoia only the seat that asks counts
        self.bouts: i64 = 0  # how many bouts ahead were looked through
        self.is_exact: bool = False  # every line ended with the game
        self.nodes: i64 = 0
        self.cap: i64 = 0
        self.stopped: bool = False
        self.beyond: bool = False  # a line went beyond the last bout that is looked at
        self.last_bout: i64 = 0
        self.seat: i64 = 0
        self.stack: list[Position] = []
        self.work: vec[i64] = vec[i64]([0] * (SEATS_MAX * (PLIES_MAX + 2)))  # scores by ply

    def search(self, position: Position, cap: i64) -> None:
        """Find the best action of the seat in `turn` within *cap* nodes."""
        self.nodes = 0
        self.cap = cap
        self.stopped = False
        self.action = -1
        self.bouts = 0
        self.is_exact = False
        self.seat = position.turn
        if position.phase == OVER:
            return
        self.stack = [position.copy()]
        actions: list[int] = choices(position)
        while not self.is_exact:
            self.last_bout = position.bout_no + self.bouts
            self.beyond = False
            best: i64 = self._best(actions)
            if self.stopped:
                return
            self.action = best
            i: i64 = 0
            while i < position.terms.seats:
                self.scores[i] = self.work[i]
                i += 1
            self.bouts += 1
            self.is_exact = not self.beyond

    def _best(self, actions: list[int]) -> i64:
        """Return the best of the first actions as far as is looked ahead, its scores in `work`."""
        best: i64 = -1
        most: i64 = WORST
        for action in actions:
            code: i64 = action
            self._child(0, code)
            score: i64 = self._score(1, most)
            if self.stopped:
                return -1
            if score > most:
                most = score
                best = code
                self._take_over(0)
        return best

    def _child(self, ply: i64, action: i64) -> None:
        """Put the position after an action one ply further on."""
        if len(self.stack) == ply + 1:
            self.stack.append(self.stack[ply].copy())
        child = self.stack[ply + 1]
        child.assign(self.stack[ply])
        child.act(action)

    def _take_over(self, ply: i64) -> None:
        """Make the scores of the next ply those of *ply*."""
        i: i64 = 0
        while i < SEATS_MAX:
            self.work[SEATS_MAX * ply + i] = self.work[SEATS_MAX * (ply + 1) + i]
            i += 1

    def _score(self, ply: i64, floor: i64) -> i64:
        """
        Search the position at a ply; leave its scores in `work` and return that of the seat that moved last.

        With paranoia it returns that of the seat that asks, and gives up a position that cannot come above *floor*.
        """
        position = self.stack[ply]
        mover: i64 = self.stack[ply - 1].turn
        if self.is_paranoid:
            mover = self.seat
        self.nodes += 1
        if self.nodes > self.cap:
            self.stopped = True
            return WORST
        if position.phase == OVER or position.bout_no > self.last_bout or ply == PLIES_MAX:
            if position.phase != OVER:
                self.beyond = True
            self._estimate(position, SEATS_MAX * ply)
            return self.work[SEATS_MAX * ply + mover]
        turn: i64 = position.turn
        is_friend: bool = not self.is_paranoid or turn == self.seat
        most: i64 = WORST
        least: i64 = -WORST
        bound: i64 = floor
        for action in choices(position):
            code: i64 = action
            self._child(ply, code)
            score: i64 = self._score(ply + 1, bound)
            if self.stopped:
                return WORST
            if is_friend:
                if score > most:
                    most = score
                    self._take_over(ply)
                    if self.is_paranoid and most > bound:
                        bound = most
            elif score < least:
                least = score
                self._take_over(ply)
                if least <= floor:
                    break
        return self.work[SEATS_MAX * ply + mover]

    def _estimate(self, position: Position, at: i64) -> None:
        """Write the scores of a game that is over, or the estimates for one that goes on, from *at* in `work`."""
        seats: i64 = position.terms.seats
        places: i64 = position.places
        out: i64 = 0
        while places >> 4 * out & 15:
            out += 1
        i: i64 = 0
        while i < seats:
            self.work[at + i] = 0
            if position.phase == OVER and position.durak < 0:
                self.work[at + i] = SCALE * (seats - 1)
            i += 1
        if position.phase == OVER and position.durak < 0:
            return
        i = 0
        while i < out:
            self.work[at + (places >> 4 * i & 15) - 1] = 2 * SCALE * (seats - out + i)
            i += 1
        if position.phase == OVER:
            return
        cards: i64 = popcount(position.laid)
        i = 0
        while i < seats:
            cards += popcount(position.hands[i])
            i += 1
        left: i64 = seats - out
        i = 0
        while i < seats:
            if position.seats_in >> i & 1:
                self.work[at + i] = SCALE * (left - 1) + CARD * (cards // left - popcount(position.hands[i]))
            i += 1

"""What the endgame search remembers: a table of exact keys, packed, bounded, and sound where positions repeat."""
from __future__ import annotations

from typing import Final, final

from kozyr.core._native import i64, mypyc_attr, vec
from kozyr.core.cards import ONE

# Answers to "can the seat that asks force a win?" Zero and more is yes: the takes in a row that the proof needs.
NO: Final = -1
HANGS: Final = -10_000  # plus the depth of a bout: no, if that bout, which is still being searched, turns out to be no
GIVEN_UP: Final = -10_001  # nothing but a limit of the search says no
PUT_OFF: Final = -15_000  # not told within the nodes that there are for it
UNKNOWN: Final = -20_000

WIDTH: Final = 8  # words of a place: two entries of hand, hand, rest of the key, answers
HALF: Final = 18  # bits of an answer: 2 of kind, then 7 of need or 16 of epoch
ANSWER: Final[i64] = int("0x3FFFF", 16)
BOTH: Final = 0xF_FFFF_FFFF
EFFORT: Final = 36  # shift of the nodes that an answer has cost, 16 bits, and of the question's number, 8 bits
NUMBER: Final = 52
EFFORT_MAX: Final = 0xFFFF
YES: Final = 1
REFUTED: Final = 2
NEED_MAX: Final = 127  # stands for "too many"
EPOCHS: Final = 0xFFFF
LOW31: Final = 0x7FFFFFFF
FREE: Final = 0x7FFFFFFF  # deeper than any bout


@final
@mypyc_attr(acyclic=True)
class Memo:
    """
    Answers for bout starts, for both roles: whether the attacker (role 1), whether the defender (role 0) forces a win.

    The first entry of a place stays until one that has cost more comes, or a new question; the second gives way to every other.

    A *no* may hang on bouts further up that are still being searched. Such answers carry the epoch in which they were noted: they count
    in their own epoch, and later only if it was confirmed. `low` is the depth of the shallowest bout that an answer of this epoch hangs on.
    """

    __slots__ = ("confirmed", "epoch", "low", "mask", "number", "words")

    def __init__(self, bits: i64) -> None:
        self.mask: i64 = (ONE << bits) - 1
        self.words: vec[i64] = vec[i64]([0] * (WIDTH * (ONE << bits)))
        self.confirmed: vec[i64] = vec[i64]([0] * (EPOCHS // 32 + 1))
        self.epoch: i64 = 1
        self.low: i64 = FREE
        self.number: i64 = 0

    def clear(self) -> None:
        """Forget everything."""
        i: i64 = 0
        n: i64 = len(self.words)
        while i < n:
            self.words[i] = 0
            i += 1
        i = 0
        n = len(self.confirmed)
        while i < n:
            self.confirmed[i] = 0
            i += 1
        self.epoch = 1
        self.low = FREE

    def next_question(self) -> None:
        """Let the entries of earlier questions give way."""
        self.number = self.number + 1 & 0xFF

    def place(self, a: i64, d: i64, rest: i64) -> i64:
        """Return where the entries of a key begin."""
        # Halves of 31 bits times constants of 30 stay below 2^61, so that both forms of the engine agree.
        h: i64 = (a & LOW31) * 0x2C1B3C6D ^ (a >> 31) * 0x297A2D39
        h ^= (d & LOW31) * 0x165667B1 ^ (d >> 31) * 0x27D4EB2F
        h ^= (rest & LOW31) * 0x3F58476D ^ (rest >> 31) * 0x1B873593
        return (h >> 29 & self.mask) * WIDTH

    def look(self, at: i64, role: i64, a: i64, d: i64, rest: i64) -> i64:
        """Return what is known of a key that belongs to the place *at*."""
        words = self.words
        if words[at] != a or words[at + 1] != d or words[at + 2] != rest:
            at += 4
            if words[at] != a or words[at + 1] != d or words[at + 2] != rest:
                return UNKNOWN
        both: i64 = words[at + 3]
        one: i64 = both >> HALF * role & ANSWER
        if one & 3 == YES:
            return one >> 2
        if one & 3 == REFUTED:
            epoch: i64 = one >> 2
            if epoch == 0 or self.confirmed[epoch >> 5] >> (epoch & 31) & 1:
                return NO
            if epoch == self.epoch:
                return HANGS + self.low
        if both >> HALF * (1 - role) & 3 == YES:
            return NO
        return UNKNOWN

    def note(self, at: i64, role: i64, a: i64, d: i64, rest: i64, answer: i64, effort: i64) -> None:
        """Note an answer that has cost *effort* nodes; a *no* that hangs on a bout only for this epoch."""
        one: i64 = REFUTED
        if answer >= 0:
            one = YES | answer << 2
        elif answer != NO:
            one |= self.epoch << 2
            if answer - HANGS < self.low:
                self.low = answer - HANGS
        if effort > EFFORT_MAX:
            effort = EFFORT_MAX
        cost: i64 = self.number << NUMBER | effort << EFFORT
        words = self.words
        second: i64 = at + 4
        if words[second] == a and words[second + 1] == d and words[second + 2] == rest:
            at = second
        elif words[at] != a or words[at + 1] != d or words[at + 2] != rest:
            kept: i64 = words[at + 3]
            if kept >> NUMBER == self.number and kept & ~BOTH > cost:
                at = second
            else:
                words[second] = words[at]
                words[second + 1] = words[at + 1]
                words[second + 2] = words[at + 2]
                words[second + 3] = kept
            words[at] = a
            words[at + 1] = d
            words[at + 2] = rest
            words[at + 3] = one << HALF * role | cost
            return
        words[at + 3] = words[at + 3] & ANSWER << HALF * (1 - role) | one << HALF * role | cost

    def confirm(self) -> None:
        """Turn every *no* of this epoch into one that hangs on nothing."""
        if self.low != FREE:
            self.confirmed[self.epoch >> 5] |= ONE << (self.epoch & 31)
            self._next_epoch()

    def drop(self) -> None:
        """Forget every *no* of this epoch that hangs on a bout."""
        if self.low != FREE:
            self._next_epoch()

    def _next_epoch(self) -> None:
        self.low = FREE
        self.epoch += 1
        if self.epoch == EPOCHS:
            self.clear()

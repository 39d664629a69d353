"""
The linear rules of normal and hard as a rival in training, compiled: they weigh what a sight tells, with hard's memory.

They are those of `bots.features` but for one thing: a sight does not count how many cards were drawn since a card was refused, and two are
taken for it.
"""
from __future__ import annotations

from typing import Final, final

from kozyr.bots.linear import read_weights
from kozyr.bots.normal import HEADS_UP, MORE
from kozyr.core._native import i64, mypyc_attr, vec
from kozyr.core.cards import ONE, RANK, SUIT, beaters, popcount
from kozyr.core.codes import DEFENCE, OPENING, PASS, TAKE, TAKING, TRANSFER
from kozyr.search.sight import Sight

NUMBERS: Final = 14
PHASES_OF_STOCK: Final = 3
LATE: Final = 8
DRAWN: Final = 2


@final
@mypyc_attr(acyclic=True)
class RuleWeights:
    """Weights in the order of `bots.linear`, for two seats in and for more."""

    __slots__ = ("more", "two")

    def __init__(self, two: list[float], more: list[float]) -> None:
        self.two: vec[float] = vec[float](two)
        self.more: vec[float] = vec[float](more)


def rule_weights() -> RuleWeights:
    """
    Return the weights that normal and hard play with.

    Raises: Damaged where they are missing or broken.
    """
    return RuleWeights(list(read_weights(HEADS_UP).values), list(read_weights(MORE).values))


def preferred(sight: Sight, weights: RuleWeights) -> i64:
    """Return the action of a sight that the rules like best, by its number; what does without a card has 0."""
    best: i64 = 0
    most: float = -1e9
    i: i64 = 0
    while i < sight.n:
        action: i64 = sight.actions[i]
        liking: float = 0.0
        if action != PASS and action != TAKE:
            liking = score(sight, action, weights)
        if liking > most:
            most = liking
            best = i
        i += 1
    return best


def score(sight: Sight, action: i64, weights: RuleWeights) -> float:
    """Return how well the rules like an action with a card."""
    card: i64 = action & 63
    trumps: i64 = sight.trumps()
    first: i64 = first_rank(sight.options)
    scale: float = float(12 - first)
    x: float = float((card & 15) - first) / scale
    target: i64 = sight.defender - 1
    situation: i64 = 1
    if action >= TRANSFER:
        situation = 4
        target = 0
    elif sight.phase == OPENING:
        situation = 0
    elif sight.phase == DEFENCE:
        situation = 3
        target = sight.attacker - 1
    elif sight.phase == TAKING:
        situation = 2
    late: i64 = 0
    if sight.stock == 0:
        late = 2
    elif sight.stock <= LATE:
        late = 1
    w = weights.more
    if sight.others == 1:
        w = weights.two
    at: i64 = (situation * PHASES_OF_STOCK + late) * NUMBERS
    total: float = w[at]
    if trumps >> card & 1:
        total += w[at + 3] + w[at + 4] * x
    else:
        total += w[at + 1] * x + w[at + 2] * x * x
    rank: i64 = RANK << (card & 15)
    total += w[at + 5] * float(popcount(sight.hand & rank) - 1)
    if sight.bout & rank:
        total += w[at + 6]
    total += w[at + 7] * float(popcount(sight.bout)) / 12.0
    total += w[at + 8] * float(popcount(sight.hand) - 6) / 6.0 + w[at + 9] * float(sight.sizes[target] - 6) / 6.0
    return total + told(sight, card, situation, target, w, at + 10) + w[at + 13] * cost(sight, first, scale)


def told(sight: Sight, card: i64, situation: i64, target: i64, w: vec[float], at: i64) -> float:
    """Return what the chances of others add."""
    trumps: i64 = sight.trumps()
    rank: i64 = RANK << (card & 15)
    if situation == 3:
        lacked: float = 1.0
        k: i64 = 0
        while k < sight.others:
            lacked *= lacks(sight, k, rank)
            k += 1
        own: i64 = popcount(sight.hand & trumps) - (trumps >> card & 1)
        return w[at] * (1.0 - lacked) + w[at + 1] * float(sight.facing - 1) / 6.0 + w[at + 2] * float(own) / 6.0
    able: i64 = beaters(card, trumps)
    same: i64 = able & SUIT << (card & 48)
    return (
        w[at] * (1.0 - lacks(sight, target, same))
        + w[at + 1] * (1.0 - lacks(sight, target, able))
        + w[at + 2] * lacks(sight, target, rank)
    )


def lacks(sight: Sight, k: i64, cards: i64) -> float:
    """Return the chance that another seat holds none of some cards."""
    if sight.known[k] & cards:
        return 0.0
    cards &= sight.unseen
    unknown: i64 = sight.sizes[k] - popcount(sight.known[k])
    if cards == 0 or unknown <= 0:
        return 1.0
    total: i64 = popcount(sight.unseen)
    if total < unknown:
        total = unknown
    chance: float = 1.0
    n: i64 = popcount(cards & ~sight.doubted[k])
    while n:
        chance *= 1.0 - float(unknown) / float(total)
        n -= 1
    n = popcount(cards & sight.doubted[k] & ~sight.fresh[k])
    drawn: i64 = DRAWN
    if unknown < drawn:
        drawn = unknown
    while n:
        chance *= 1.0 - float(drawn) / float(total)
        n -= 1
    return chance


def cost(sight: Sight, first: i64, scale: float) -> float:
    """Return what taking the bout would bring."""
    n: i64 = popcount(sight.bout)
    if n == 0:
        return 0.0
    total: float = 2.0 * scale * float(popcount(sight.bout & sight.trumps()))
    rank: i64 = first
    while rank < 13:
        total += float(rank - first) * float(popcount(sight.bout & RANK << rank))
        rank += 1
    return total / (scale * float(n))


def first_rank(options: i64) -> i64:
    """Return the lowest rank of the deck that `options_word` names."""
    if options & ONE:
        return 7
    if options & 2:
        return 4
    return 0

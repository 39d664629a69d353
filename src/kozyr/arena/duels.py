"""Two networks against each other in lockstep, over mirrored deals. Needs numpy."""
from __future__ import annotations

import numpy as np

from kozyr.arena.learning import MEMO_BITS, choose, judge_all
from kozyr.arena.rivals import rule_weights
from kozyr.arena.selfplay import Lockstep, dealt
from kozyr.bots.network import Network
from kozyr.core.options import Rules
from kozyr.core.terms import Terms
from kozyr.search.prover import Prover
from kozyr.search.sight import words_of


def duel(network: Network, rival: Network, rules: Rules, deals: int, seed: int, cap: int) -> tuple[float, float]:
    """
    Let a network play another at a table of two, both exact at the empty stock within *cap* nodes.

    Returns what the first scores in per cent, and the error of it (95 %).
    """
    rng = np.random.default_rng(seed)
    terms = Terms(rules)
    games = [dealt(terms, rules.deck, int(each)) for each in rng.integers(1, 2_000_000_000, deals) for _ in range(2)]
    drivers = [0, 1, 1, 0] * deals
    lockstep = Lockstep(games, drivers, 1, Prover(MEMO_BITS), cap, rule_weights())
    while True:
        words_raw, heads_raw, moves_raw = lockstep.advance()
        if not heads_raw:
            break
        words = np.frombuffer(words_raw, dtype="<i8").reshape(-1, words_of(1))
        heads = np.frombuffer(heads_raw, dtype="<i8").reshape(-1, 5)
        worths = judge_all([network, rival], words, heads, np.frombuffer(moves_raw, dtype="<i8").reshape(-1, 2))
        lockstep.choose(choose(worths, heads[:, 3], 0.0, rng)[0].tolist())
    worth = np.array(lockstep.worths).reshape(deals, 4)
    scores = 25 * (worth[:, 0] + worth[:, 3]) + 50
    return float(scores.mean()), float(1.96 * scores.std(ddof=1) / deals**0.5)

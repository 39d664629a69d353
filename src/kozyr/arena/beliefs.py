"""
The training of the expert's belief: which unseen cards the other seat of two holds, learnt from games in which the hands are known.

The expert's network plays itself, the greedy rules, those of hard and weights that judge as flat sampling does, so that the belief knows
what each way of playing tells. The same seed gives the same weights. Needs numpy.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future

import numpy as np

from kozyr.arena.adam import Adam
from kozyr.arena.learning import MEMO_BITS, SHARD, choose, judge_all
from kozyr.arena.learning_files import study_tables
from kozyr.arena.rivals import rule_weights
from kozyr.arena.selfplay import GREEDY, RULES, Lockstep, dealt
from kozyr.bots.network import Belief, Floats, Network, Words, spread
from kozyr.core.options import Rules
from kozyr.core.terms import Terms
from kozyr.search.prover import Prover
from kozyr.search.sight import words_of

BATCH = 512
RATE = 2e-3
RATE_LAST = 5e-5
TRIES = 0.03
SHARE_GREEDY = 0.15
SHARE_RULES = 0.25
SHARE_SAMPLER = 0.25
SHARE_KEPT = 0.5
"""Of all choices so many are learnt from: those of one game tell much the same."""

AHEAD = 8
"""So many rounds are played ahead of the one that is learnt from, where there are others to play them."""

UNSEEN = 1
COUNTS = 6
"""Places of words: the unseen cards, and the counts, whose first bit says that the stock is empty."""


def watch(networks: Sequence[Network], rules: Rules, seed: int, games: int) -> tuple[Words, Words]:
    """
    Play games; return the words of choices with cards in the stock, and the other's hand at each.

    The first network is the expert's; a second is one that judges as flat sampling does.
    """
    rng = np.random.default_rng(seed)
    terms = Terms(rules)
    told = [dealt(terms, rules.deck, int(each)) for each in rng.integers(1, 2_000_000_000, games)]
    lot = rng.random(games)
    drivers = np.zeros((games, 2), dtype=np.int64)
    ruled = SHARE_GREEDY + SHARE_RULES
    others = np.where(lot < SHARE_GREEDY, GREEDY, np.where(lot < ruled, RULES, 0))
    if len(networks) > 1:
        others[(lot >= ruled) & (lot < ruled + SHARE_SAMPLER)] = 1
    drivers[np.arange(games), rng.integers(0, 2, games)] = others
    rivals = rule_weights()
    lockstep = Lockstep(told, drivers.ravel().tolist(), 1, Prover(MEMO_BITS), 1, rivals)
    words_kept: list[Words] = []
    hands_kept: list[Words] = []
    while True:
        words_raw, heads_raw, moves_raw = lockstep.advance()
        if not heads_raw:
            break
        words = np.frombuffer(words_raw, dtype="<i8").reshape(-1, words_of(1))
        heads = np.frombuffer(heads_raw, dtype="<i8").reshape(-1, 5)
        worths = judge_all(networks, words, heads, np.frombuffer(moves_raw, dtype="<i8").reshape(-1, 2))
        lockstep.choose(choose(worths, heads[:, 3], TRIES, rng)[0].tolist())
        kept = (words[:, COUNTS] & 1 == 0) & (rng.random(len(heads)) < SHARE_KEPT)
        words_kept.append(words[kept])
        hands_kept.append(heads[kept, 4])
    return np.concatenate(words_kept), np.concatenate(hands_kept)


def belief_slopes(belief: Belief, words: Words, hands: Words) -> tuple[list[Floats], float]:
    """Return the mean cross entropy of an unseen card, and how the sum over cards, in the mean of choices, changes with each weight."""
    bits = spread(words)
    unseen = spread(words[:, UNSEEN : UNSEEN + 1])
    held = spread(hands[:, None])
    hidden = np.maximum(bits @ belief.first + belief.bias1, 0)
    told = hidden @ belief.second + belief.bias2 + bits @ belief.straight
    chance = 1 / (1 + np.exp(-told))
    miss = (chance - held) * unseen / np.float32(len(hands))
    back = (miss @ belief.second.T) * (hidden > 0)
    found = [bits.T @ back, back.sum(axis=0), hidden.T @ miss, miss.sum(axis=0), bits.T @ miss]
    loss = np.logaddexp(0, told) - held * told
    return found, float((loss * unseen).sum() / max(1.0, float(unseen.sum())))


def watched(
    networks: Sequence[Network], numbers: Sequence[int], seed: int, pool: Executor | None = None
) -> Iterator[tuple[int, tuple[Words, Words]]]:
    """Play rounds, in a pool some ahead of the one that is given; what is played depends on the seed and the round's number alone."""
    tables = study_tables(2)
    ahead: deque[Future[tuple[Words, Words]]] = deque()
    for i, number in enumerate(numbers):
        asked = [(list(networks), tables[each % len(tables)], seed * 1_000_003 + each, SHARD) for each in numbers[i : i + AHEAD]]
        if pool is None:
            yield number, watch(*asked[0])
            continue
        ahead.extend(pool.submit(watch, *each) for each in asked[len(ahead) :])
        yield number, ahead.popleft().result()


def learn_belief(
    adam: Adam[Belief], networks: Sequence[Network], rounds: int, seed: int, done: int = 0, pool: Executor | None = None
) -> Iterator[tuple[int, float]]:
    """Learn from so many rounds of games, of which some are done; after each give its number and the mean error in it."""
    for number, (words, hands) in watched(networks, range(done, rounds), seed, pool):
        order = np.random.default_rng([seed, number]).permutation(len(hands))
        rate = RATE * (1 - number / rounds) + RATE_LAST
        total = 0.0
        steps = max(1, len(order) // BATCH)
        for i in range(steps):
            part = order[i * BATCH : (i + 1) * BATCH]
            found, error = belief_slopes(adam.network, words[part], hands[part])
            adam.step(found, rate)
            total += error
        yield number + 1, total / steps

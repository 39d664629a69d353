"""
The expert's look ahead at tables of two: what the moves that its network likes come to in worlds that it believes in.

Unseen cards are dealt by a second network's belief in what the other holds, which its play has told. In every world each of the moves is
played on, both seats by the network and by what they may know, for some bouts; there the network says what the game is worth, or the
solver where the stock is empty. The mean is mixed with what the network said at once. The worlds depend on the view and the memory alone.
"""
from __future__ import annotations

from zlib import crc32

import numpy as np

from kozyr.bots.hidden import Hidden
from kozyr.bots.memory import Memory
from kozyr.bots.network import Belief, Floats, Network
from kozyr.core.cards import cards_in, mask_of
from kozyr.core.moves import Move
from kozyr.core.views import View
from kozyr.search.ahead import Ahead, told_of
from kozyr.search.sampling import Worlds
from kozyr.search.sight import Sight, words_of
from kozyr.search.told import Told
from kozyr.search.worlds import WORLDS, world_of

BOUTS = 3
MOVES = 4
MARGIN = 0.25
"""Moves that the network likes less than the best by more than this are not looked at."""

SHARE = 0.7
"""How much the look ahead counts, against the network's first thought."""

NODES = 1000
SIGHTS_MAX = 40_000
"""Choices that a look takes at most; usually some thousands come to be taken."""


def look(
    view: View, memory: Memory, hidden: Hidden, sight: Sight, likings: dict[Move, float], network: Network, belief: Belief
) -> dict[Move, float]:
    """Look ahead from a choice of two and more moves, which *sight* lists; return what those worth a look come to."""
    moves = list(likings)
    order = sorted(range(len(moves)), key=lambda i: -likings[moves[i]])[:MOVES]
    order = [i for i in order if likings[moves[i]] >= likings[moves[order[0]]] - MARGIN]
    base = world_of(view, *hidden.fill(hidden.unseen))
    if len(order) < 2 or base.turn != view.seat:
        return likings
    seed = 1 + crc32(repr((view.hand, view.bout, view.bout_no, view.seat, hidden)).encode()) % 2147483645
    worlds = Worlds(base, list(hidden.unseen), list(hidden.known), list(hidden.needs), seed)
    odds = belief.odds(sight.words())
    worlds.believe([odds[int(sight.renamed(1 << card)).bit_length() - 1] for card in hidden.unseen])
    refusals = memory.refusals
    doubted = list(refusals.doubted)
    fresh = [int(mask_of(card for card in cards_in(each) if not refusals.drawn_since(seat, card))) for seat, each in enumerate(doubted)]
    root = told_of(base, view.rules.deck, list(memory.known), doubted, fresh)
    means = play_on(root, worlds, [int(sight.actions[i]) for i in order], network)
    return {moves[i]: SHARE * float(mean) + (1 - SHARE) * likings[moves[i]] for i, mean in zip(order, means, strict=True)}


def play_on(root: Told, worlds: Worlds, actions: list[int], network: Network) -> Floats:
    """Play some actions on in the same worlds; return what each is worth in the mean."""
    ahead = Ahead(root, worlds, actions, WORLDS, BOUTS, NODES)
    found = np.zeros(WORLDS * len(actions), dtype=np.float32)
    left = SIGHTS_MAX
    while left > 0:
        words_raw, heads_raw, moves_raw = ahead.advance()
        if not heads_raw:
            break
        heads = np.frombuffer(heads_raw, dtype="<i8").reshape(-1, 4)
        counts = heads[:, 3]
        words = np.frombuffer(words_raw, dtype="<i8").reshape(-1, words_of(1))
        worths = network.judge(words, counts, np.frombuffer(moves_raw, dtype="<i8").reshape(-1, 2))
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        best = np.maximum.reduceat(worths, starts)
        left -= len(heads)
        is_leaf = (heads[:, 2] == 1) | (left <= 0)
        found[heads[is_leaf, 0]] = best[is_leaf] * heads[is_leaf, 1]
        places = np.where(worths == np.repeat(best, counts), np.arange(len(worths)) - np.repeat(starts, counts), len(worths))
        ahead.choose(np.minimum.reduceat(places, starts).tolist())
    found += np.array(ahead.worths, dtype=np.float32)
    means: Floats = found.reshape(WORLDS, len(actions)).mean(axis=0)
    return means

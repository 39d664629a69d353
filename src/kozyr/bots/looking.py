"""
The expert's look ahead at tables of two: what the moves that its network likes come to in worlds that it believes in.

Unseen cards are dealt by a second network's belief in what the other holds, which its play has told. In every world each of the moves is
played on, both seats by the network and by what they may know, for some bouts; there the network says what the game is worth, or the
solver where the stock is empty. The mean is mixed with what the network said at once. More worlds are tried as long as more than one move
may be the best, with those moves. The worlds depend on the view and the memory alone.
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
from kozyr.search.worlds import FAR_NODES, GAMES, world_of

STOCK_MAX = 14
"""With more cards in the stock worlds tell no more than the network does."""

BOUTS = 6
MOVES = 6
MARGIN = 0.5
"""Moves that the network likes less than the best by more than this are not looked at."""

SHARE = 0.85
"""How much the look ahead counts, against the network's first thought."""

TRUST = 0.6
"""How much is believed, as the power of the odds: others do not play quite like those in whose games the belief was trained."""

STEPS = 4
SURE = 1.5
"""Games are played in so many steps at most; a move is given up when it is worse than the best by so many errors of the difference."""

NODES = 1000
SIGHTS_MAX = 40_000
"""Choices that a look takes at most; usually some thousands come to be taken."""

FAR_BOUTS = 100
"""In an endgame that is known but not solved every move is played on to an end that the solver tells, for so many bouts at most."""
FAR_SHARE = 0.9
"""How much that counts, against the network's first thought."""


def look(
    view: View, memory: Memory, hidden: Hidden, sight: Sight, likings: dict[Move, float], network: Network, belief: Belief
) -> dict[Move, float]:
    """Look ahead from a choice of two and more moves, which *sight* lists; return what those come to that may be the best."""
    if view.stock > STOCK_MAX:
        return likings
    moves = list(likings)
    order = sorted(range(len(moves)), key=lambda i: -likings[moves[i]])[:MOVES]
    order = [i for i in order if likings[moves[i]] >= likings[moves[order[0]]] - MARGIN]
    root, worlds = lay_out(view, memory, hidden)
    if len(order) < 2 or root.position.turn != view.seat:
        return likings
    odds = belief.odds(sight.words())
    worlds.believe([odds[int(sight.renamed(1 << card)).bit_length() - 1] ** TRUST for card in hidden.unseen])
    found = compare(root, worlds, [int(sight.actions[i]) for i in order], [likings[moves[i]] for i in order], network)
    return {moves[order[k]]: worth for k, worth in found.items()}


def foresee(
    view: View, memory: Memory, hidden: Hidden, sight: Sight, likings: dict[Move, float], network: Network, moves: list[Move]
) -> dict[Move, float]:
    """Say what some moves come to where every card is known: both seats play on by the network, to an end that the solver tells."""
    listed = list(likings)
    actions = [int(sight.actions[listed.index(move)]) for move in moves]
    if not actions:
        return {}
    told = play_on(*lay_out(view, memory, hidden), 1, actions, network, FAR_BOUTS, FAR_NODES)[0].tolist()
    return {move: FAR_SHARE * worth + (1 - FAR_SHARE) * likings[move] for move, worth in zip(moves, told, strict=True)}


def lay_out(view: View, memory: Memory, hidden: Hidden) -> tuple[Told, Worlds]:
    """Lay out what play has told everybody, and the worlds that a seat holds possible, drawn by what it sees and remembers alone."""
    base = world_of(view, *hidden.fill(hidden.unseen))
    seed = 1 + crc32(repr((view.hand, view.bout, view.bout_no, view.seat, hidden)).encode()) % 2147483645
    worlds = Worlds(base, list(hidden.unseen), list(hidden.known), list(hidden.needs), seed)
    refusals = memory.refusals
    doubted = list(refusals.doubted)
    fresh = [int(mask_of(card for card in cards_in(each) if not refusals.drawn_since(seat, card))) for seat, each in enumerate(doubted)]
    return told_of(base, view.rules.deck, list(memory.known), doubted, fresh), worlds


def compare(root: Told, worlds: Worlds, actions: list[int], likings: list[float], network: Network) -> dict[int, float]:
    """Play actions on in more and more worlds, fewer and fewer of them; return what those that are left are worth, by their numbers."""
    left = np.arange(len(actions))
    liked = np.array(likings, dtype=np.float32)
    played = np.zeros((0, len(actions)), dtype=np.float32)
    worths = liked
    for _ in range(STEPS):
        played = np.concatenate([played, play_on(root, worlds, GAMES // len(left), [actions[i] for i in left], network, BOUTS, NODES)])
        worths = SHARE * played.mean(axis=0) + (1 - SHARE) * liked[left]
        best = worths.argmax()
        errors = SHARE * (played - played[:, best, None]).std(axis=0) / len(played) ** 0.5
        stays = worths >= worths[best] - SURE * errors
        left, played, worths = left[stays], played[:, stays], worths[stays]
        if len(left) < 2:
            break
    return dict(zip(left.tolist(), worths.tolist(), strict=True))


def play_on(root: Told, worlds: Worlds, n: int, actions: list[int], network: Network, bouts: int, nodes: int) -> Floats:
    """Play some actions on in the same *n* worlds, for so many bouts; return what each is worth in each world."""
    ahead = Ahead(root, worlds, actions, n, bouts, nodes)
    found = np.zeros(n * len(actions), dtype=np.float32)
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
    by_world: Floats = found.reshape(n, len(actions))
    return by_world

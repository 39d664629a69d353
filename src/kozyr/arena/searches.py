"""The yardsticks' searches, compiled with the engine: flat sampling and ISMCTS, with greedy playouts and exact endgames."""
from __future__ import annotations

import math
from typing import Final, final

from kozyr.core._native import i64, mypyc_attr, vec
from kozyr.core.cards import ONE, lowest, popcount
from kozyr.core.codes import OVER, TRANSFER
from kozyr.core.playout import next_random
from kozyr.core.position import Position
from kozyr.search.playouts import greedy, means, playout, points
from kozyr.search.prover import Prover
from kozyr.search.sampling import Worlds
from kozyr.search.told import is_endgame

EVEN: Final = 1e-3
"""So much of a game counts as equal."""


def sample(worlds: Worlds, actions: list[int], n: i64, prover: Prover) -> i64:
    """Play *n* worlds out after each of some actions; return the one that did best, of equals the greedy one."""
    found: list[float] = means(worlds, actions, n, prover)
    first: i64 = greedy(worlds.base)
    best: i64 = actions[0]
    most: float = -1.0
    for i in range(i64(len(actions))):
        mean: float = found[i]
        if actions[i] == first:
            mean += EVEN / float(n)
        if mean > most:
            most = mean
            best = actions[i]
    return best


@final
@mypyc_attr(acyclic=True)
class Tree:
    """
    A single-observer tree of ISMCTS: nodes are lines of actions; each has been visited and has been available in some worlds.

    Source: Cowling, Powley, Whitehouse 2012, as the yardstick asks: c = 0.7, greedy playouts, exact endgame.
    """

    __slots__ = ("actions", "available", "c", "children", "count", "parents", "players", "siblings", "visits", "wins")

    def __init__(self, size: i64, c: float) -> None:
        self.c: float = c
        self.count: i64 = 1
        self.parents: vec[i64] = vec[i64]([0] * (size + 2))
        self.children: vec[i64] = vec[i64]([0] * (size + 2))
        self.siblings: vec[i64] = vec[i64]([0] * (size + 2))
        self.actions: vec[i64] = vec[i64]([0] * (size + 2))
        self.players: vec[i64] = vec[i64]([0] * (size + 2))
        self.visits: vec[i64] = vec[i64]([0] * (size + 2))
        self.available: vec[i64] = vec[i64]([0] * (size + 2))
        self.wins: list[float] = [0.0] * int(size + 2)
        self.parents[0] = -1

    def grow(self, node: i64, action: i64, seat: i64) -> i64:
        """Add an action of a seat below a node."""
        new: i64 = self.count
        self.count += 1
        self.parents[new] = node
        self.siblings[new] = self.children[node]
        self.children[node] = new
        self.actions[new] = action
        self.players[new] = seat
        self.available[new] = 1
        return new

    def descend(self, world: Position, seed: i64) -> i64:
        """Play down from the root to a new node, or as far as the tree goes; return the node."""
        node: i64 = 0
        while world.phase != OVER and not is_endgame(world):
            actions: i64 = world.actions()
            transfers: i64 = world.transfers()
            best: i64 = 0
            most: float = -1.0
            child: i64 = self.children[node]
            while child:
                action: i64 = self.actions[child]
                found = False
                if self.players[child] == world.turn:
                    if action < TRANSFER:
                        found = actions >> action & 1 != 0
                    else:
                        found = transfers >> action - TRANSFER & 1 != 0
                if found:
                    if action < TRANSFER:
                        actions &= ~(ONE << action)
                    else:
                        transfers &= ~(ONE << action - TRANSFER)
                    self.available[child] += 1
                    n: float = float(self.visits[child])
                    bound: float = self.wins[child] / n + self.c * math.sqrt(math.log(float(self.available[child])) / n)
                    if bound > most:
                        most = bound
                        best = child
                child = self.siblings[child]
            if actions or transfers:
                chosen: i64 = untried(world, actions, transfers, seed)
                node = self.grow(node, chosen, world.turn)
                world.act(chosen)
                return node
            node = best
            world.act(self.actions[best])
        return node

    def learn(self, node: i64, durak: i64, seats: i64) -> None:
        """Count a playout's end in a node and all above it."""
        while node > 0:
            self.visits[node] += 1
            self.wins[node] += points(durak, self.players[node], seats)
            node = self.parents[node]

    def favourite(self, otherwise: i64) -> i64:
        """Return the action of the root that was visited most."""
        best: i64 = otherwise
        most: i64 = 0
        child: i64 = self.children[0]
        while child:
            if self.visits[child] > most:
                most = self.visits[child]
                best = self.actions[child]
            child = self.siblings[child]
        return best


def untried(world: Position, actions: i64, transfers: i64, seed: i64) -> i64:
    """Return the greedy action if it is among those not tried, else one at random."""
    first: i64 = greedy(world)
    if first < TRANSFER:
        if actions >> first & 1:
            return first
    elif transfers >> first - TRANSFER & 1:
        return first
    k: i64 = seed % (popcount(actions) + popcount(transfers))
    while k and actions:
        actions &= actions - 1
        k -= 1
    if actions:
        return lowest(actions)
    while k:
        transfers &= transfers - 1
        k -= 1
    return TRANSFER + lowest(transfers)


def ismcts(worlds: Worlds, n: i64, c: float, prover: Prover) -> i64:
    """Search *n* playouts from one seat's point of view; return the action that was visited most."""
    tree = Tree(n, c)
    world = worlds.base.copy()
    seed: i64 = worlds.seed
    k: i64 = 0
    while k < n:
        worlds.draw(world)
        seed = next_random(seed + 1)
        node: i64 = tree.descend(world, seed)
        tree.learn(node, playout(world, prover), worlds.seats)
        k += 1
    return tree.favourite(greedy(worlds.base))

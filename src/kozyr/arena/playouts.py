"""
The yardsticks' searches, compiled with the engine: greedy playouts with exact endgames, flat sampling, ISMCTS.

They see a world only where it agrees with what their seat may know: `Worlds` deals the unseen cards anew each time.
"""
from __future__ import annotations

import math
from typing import Final, final

from kozyr.core._native import i64, mypyc_attr, vec
from kozyr.core.cards import ONE, RANK, beaters, lowest, popcount
from kozyr.core.codes import CHALLENGE, DEFENCE, OPENING, OVER, PASS, TAKE, TRANSFER
from kozyr.core.playout import next_random
from kozyr.core.position import Position
from kozyr.search.asking import DRAW, UNSOLVED, WIN, value
from kozyr.search.prover import Prover
from kozyr.search.sampling import Worlds
from kozyr.search.told import is_endgame

CAP: Final = 1000
"""Nodes for the exact end of a playout."""


def smallest(cards: i64, trumps: i64) -> i64:
    """Return the lowest plain card of a set, else its lowest trump; of equal ranks the first suit in the order s h d c."""
    plain: i64 = cards & ~trumps
    if plain == 0:
        return lowest(cards)
    ranks: i64 = plain | plain >> 32
    ranks = (ranks | ranks >> 16) & 0x1FFF
    rank: i64 = lowest(ranks)
    plain &= RANK << rank
    suit: i64 = 48
    while not plain >> suit + rank & 1:
        suit -= 16
    return suit + rank


def greedy(position: Position) -> i64:
    """Choose as the easy bot does, turn by turn."""
    hand: i64 = position.hands[position.turn]
    trumps: i64 = position.trumps
    if position.phase == DEFENCE:
        transfers: i64 = position.transfers()
        if transfers:
            return TRANSFER + smallest(transfers, trumps)
        first: i64 = TAKE
        place: i64 = 0
        while place < position.n_attacks:
            if not position.beaten >> place & 1:
                able: i64 = hand & beaters(position.attacks >> 9 * place & 63, trumps)
                if able == 0:
                    return TAKE
                card: i64 = smallest(able, trumps)
                hand &= ~(ONE << card)
                if first == TAKE:
                    first = card
            place += 1
        return first
    if position.phase == OPENING:
        return smallest(hand, trumps)
    if position.phase == CHALLENGE:
        return PASS
    fitting: i64 = hand & position.ranks & ~trumps
    if fitting:
        return smallest(fitting, trumps)
    return PASS


def playout(position: Position, prover: Prover) -> i64:
    """Play greedily to an endgame that the solver takes, or to the end; return the durak, or -1 for a draw."""
    asked = False
    while position.phase != OVER:
        if not asked and is_endgame(position):
            asked = True
            seat: i64 = position.turn
            worth: i64 = value(prover, position, seat, CAP)
            if worth == DRAW:
                return -1
            if worth == WIN:
                return position.after(seat)
            if worth != UNSOLVED:
                return seat
        position.act(greedy(position))
    return position.durak


def points(durak: i64, seat: i64, seats: i64) -> float:
    """Return what a game with that durak (-1: a draw) is worth to a seat."""
    if durak < 0:
        return float(seats - 1) / float(seats)
    if durak == seat:
        return 0.0
    return 1.0


def sample(worlds: Worlds, actions: list[int], n: i64, prover: Prover) -> i64:
    """Play *n* worlds out after each of some actions; return the one that did best, of equals the greedy one."""
    world = worlds.base.copy()
    child = worlds.base.copy()
    seat: i64 = worlds.base.turn
    first: i64 = greedy(worlds.base)
    sums: list[float] = [0.0] * len(actions)
    k: i64 = 0
    while k < n:
        worlds.draw(world)
        for i in range(i64(len(actions))):
            child.assign(world)
            action: i64 = actions[i]
            child.act(action)
            sums[i] += points(playout(child, prover), seat, worlds.seats)
        k += 1
    best: i64 = actions[0]
    most: float = -1.0
    for i in range(i64(len(actions))):
        found: float = sums[i]
        if actions[i] == first:
            found += 1e-3
        if found > most:
            most = found
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

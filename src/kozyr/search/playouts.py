"""
Games played out greedily from worlds that a seat holds possible, compiled with the engine; what is left of them for two is exact.

They see a world only where it agrees with what their seat may know: `Worlds` deals the unseen cards anew each time.
"""
from __future__ import annotations

from typing import Final

from kozyr.core._native import i64
from kozyr.core.cards import ONE, RANK, beaters, lowest
from kozyr.core.codes import CHALLENGE, DEFENCE, OPENING, OVER, PASS, TAKE, TRANSFER
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


def means(worlds: Worlds, actions: list[int], n: i64, prover: Prover) -> list[float]:
    """Return what each of some actions of the seat to move is worth on average, in points, in *n* worlds played out, the same for all."""
    world = worlds.base.copy()
    child = worlds.base.copy()
    seat: i64 = worlds.base.turn
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
    for i in range(i64(len(actions))):
        sums[i] /= float(n)
    return sums

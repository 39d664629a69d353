"""Worlds at random, compiled with the engine: positions in which the cards that a seat has not seen are dealt anew."""
from __future__ import annotations

from typing import final

from kozyr.core._native import i64, mypyc_attr, vec
from kozyr.core.cards import ONE
from kozyr.core.playout import next_random
from kozyr.core.position import Position
from kozyr.core.terms import Deal


@final
@mypyc_attr(acyclic=True)
class Worlds:
    """
    Positions that a seat holds possible: like *base*, with the *unseen* cards dealt anew to hands and stock.

    `draw` takes every deal for as likely as any other; after `believe` it deals to the one other seat by what is believed of each card.
    """

    __slots__ = ("base", "chances", "deal", "known", "needs", "other", "seats", "seed", "unseen")

    def __init__(self, base: Position, unseen: list[int], known: list[int], needs: list[int], seed: i64) -> None:
        """Take the cards that each seat is known to hold, and how many unseen cards each holds besides; the rest lies in the stock."""
        self.base: Position = base
        self.seats: i64 = len(needs)
        self.unseen: vec[i64] = vec[i64]([0] * len(unseen))
        for i in range(i64(len(unseen))):
            self.unseen[i] = unseen[i]
        self.known: vec[i64] = vec[i64]([0] * len(known))
        self.needs: vec[i64] = vec[i64]([0] * len(needs))
        for i in range(self.seats):
            self.known[i] = known[i]
            self.needs[i] = needs[i]
        size: i64 = base.deal.size
        self.deal: Deal = Deal(bytes(int(size)), base.deal.trump_card, base.deal.dealer)
        for i in range(size):
            self.deal.cards[i] = base.deal.cards[i]
        self.seed: i64 = seed
        self.other: i64 = -1
        self.chances: vec[float] = vec[float]([])

    def believe(self, odds: list[float]) -> None:
        """
        Take for each unseen card the odds that the one other seat holds it, for tables of two.

        A hand is as likely as the product of its cards' odds. `chances` are those that a card is dealt to the hand, by its place, the last
        one first, and by how many cards the hand still needs.
        """
        self.other = 1 if self.needs[0] < 0 else 0
        need: i64 = self.needs[self.other]
        n: i64 = len(self.unseen)
        width: i64 = need + 1
        sums: list[float] = [0.0] * int((n + 1) * width)  # of the products of so many odds among the first cards
        self.chances = vec[float]([0.0] * int((n + 1) * width))
        sums[0] = 1.0
        i: i64 = 1
        while i <= n:
            odd: float = odds[i - 1]
            k: i64 = 0
            while k <= need:
                at: i64 = i * width + k
                total: float = sums[at - width]
                if k > 0:
                    with_card: float = odd * sums[at - width - 1]
                    total += with_card
                    if total > 0.0:
                        self.chances[at] = with_card / total
                sums[at] = total
                k += 1
            i += 1

    def draw_believed(self, world: Position) -> None:
        """Make *world* a position that is as likely as is believed."""
        self.seed = next_random(self.seed)
        held: i64 = 0
        order: i64 = 0
        need: i64 = self.needs[self.other]
        width: i64 = need + 1
        i: i64 = len(self.unseen)
        stock: vec[i64] = vec[i64]([0] * len(self.unseen))
        while i > 0:
            self.seed = next_random(self.seed)
            if need and float(self.seed) / 2147483647.0 < self.chances[i * width + need]:
                held |= ONE << self.unseen[i - 1]
                need -= 1
            else:
                stock[order] = self.unseen[i - 1]
                order += 1
            i -= 1
        world.assign(self.base)
        world.deal = self.deal
        world.hands[self.other] = self.known[self.other] | held
        # The turned card stays the last of the stock.
        top: i64 = world.top
        while top < self.deal.size - 1:
            self.seed = next_random(self.seed)
            j: i64 = self.seed % order
            self.deal.cards[top] = stock[j]
            order -= 1
            stock[j] = stock[order]
            top += 1

    def draw(self, world: Position) -> None:
        """Make *world* a position that is as likely as any other."""
        unseen = self.unseen
        n: i64 = len(unseen)
        seed: i64 = self.seed
        i: i64 = n - 1
        while i > 0:
            seed = next_random(seed)
            j: i64 = seed % (i + 1)
            card: i64 = unseen[i]
            unseen[i] = unseen[j]
            unseen[j] = card
            i -= 1
        self.seed = seed
        world.assign(self.base)
        world.deal = self.deal
        at: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            if self.needs[seat] >= 0:
                hand: i64 = self.known[seat]
                need: i64 = self.needs[seat]
                while need:
                    hand |= ONE << unseen[at]
                    at += 1
                    need -= 1
                world.hands[seat] = hand
            seat += 1
        # The turned card stays the last of the stock.
        top: i64 = world.top
        while top < self.deal.size - 1:
            self.deal.cards[top] = unseen[at]
            at += 1
            top += 1

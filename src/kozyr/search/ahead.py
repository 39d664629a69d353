"""
Looking ahead from one choice, compiled with the engine: worlds that the seat holds possible, played on side by side after each move.

Every seat plays by what it may know, never by the cards of its world: whoever drives the search asks a network what each sight is worth.
All moves are tried in the same worlds, so that what a world gives to all alike does not blur how they differ.
"""
from __future__ import annotations

from typing import Final, final

from kozyr.core._native import BytesWriter, i64, mypyc_attr, write_i64_le
from kozyr.core.codes import OPENING, OVER
from kozyr.core.position import Position
from kozyr.core.terms import Deal
from kozyr.search.asking import DRAW, UNSOLVED, WIN, value
from kozyr.search.prover import Prover
from kozyr.search.sampling import Worlds
from kozyr.search.sight import Sight
from kozyr.search.told import Told, is_endgame

TRIES: Final = 12
"""Worlds drawn at most for one in which nobody has refused a card that it holds."""


@final
@mypyc_attr(acyclic=True)
class Ahead:
    """
    Games of two seats that go on from one choice: the moves in order, in one world after the other.

    `advance` plays what is no choice; then every game that is not over waits: for the choice of a seat, or, at its leaf, for what the next
    choice is worth. `worths` are those of the games that have ended, to the seat that looks ahead: 1 a win, 0 a draw, -1 a loss.
    """

    __slots__ = ("cap", "games", "prover", "seat", "sight", "stop", "waiting", "worths")

    def __init__(self, root: Told, worlds: Worlds, actions: list[int], n: i64, bouts: i64, cap: i64) -> None:
        """Draw *n* worlds; leaves are the first choices *bouts* bouts after this one, and endgames are solved within *cap* nodes."""
        self.seat: i64 = root.position.turn
        self.stop: i64 = root.position.bout_no + bouts
        self.cap: i64 = cap
        self.prover: Prover = Prover(12)
        self.sight: Sight = Sight(1)
        self.games: list[Told] = []
        world = root.position.copy()
        for _ in range(n):
            if worlds.other >= 0:
                worlds.draw_believed(world)
            else:
                draw_believed(worlds, world, root, self.seat)
            deal = copy_of(world.deal)
            for action in actions:
                position = world.copy()
                position.deal = deal
                told = root.copy(position)
                code: i64 = action
                told.act(code)
                self.games.append(told)
        self.worths: list[float] = [0.0] * len(self.games)
        self.waiting: list[i64] = list(range(len(self.games)))

    def advance(self) -> tuple[bytes, bytes, bytes]:
        """
        Play on until all games wait or are over.

        Of each that waits, in order: its words; its number, 1 if the seat that looks ahead is to choose and -1 else, 1 for a leaf and 0
        else, and how many actions it has; and of each action two numbers.
        """
        words = BytesWriter()
        heads = BytesWriter()
        moves = BytesWriter()
        still: list[i64] = []
        sight = self.sight
        for number in self.waiting:
            if self.play_on(number):
                still.append(number)
                position = self.games[number].position
                sight.rename_suits()
                sight.write_words(words)
                sight.write_actions(moves)
                write_i64_le(heads, number)
                write_i64_le(heads, 1 if position.turn == self.seat else -1)
                write_i64_le(heads, 1 if position.bout_no >= self.stop else 0)
                write_i64_le(heads, sight.n)
        self.waiting = still
        return words.getvalue(), heads.getvalue(), moves.getvalue()

    def choose(self, chosen: list[int]) -> None:
        """Do in every game that waits the action of this number; leaves are done with."""
        sight = self.sight
        still: list[i64] = []
        for number, choice in zip(self.waiting, chosen, strict=True):
            told = self.games[number]
            if told.position.bout_no < self.stop:
                told.show_to(sight)
                k: i64 = choice
                told.act(sight.actions[k])
                still.append(number)
        self.waiting = still

    def play_on(self, number: i64) -> bool:
        """Play one game until there is something to choose or a leaf, and say so; False when it is over."""
        told = self.games[number]
        position = told.position
        sight = self.sight
        while True:
            if position.phase == OVER:
                self.score(number, position.durak)
                return False
            if position.phase == OPENING and is_endgame(position) and self.solve(number):
                return False
            told.show_to(sight)
            if sight.n > 1 or position.bout_no >= self.stop:
                return True
            told.act(sight.actions[0])

    def solve(self, number: i64) -> bool:
        """Score a game with an empty stock by the solver, if it can."""
        worth: i64 = value(self.prover, self.games[number].position, self.seat, self.cap)
        if worth == UNSOLVED:
            return False
        self.worths[number] = 1.0 if worth == WIN else (0.0 if worth == DRAW else -1.0)
        return True

    def score(self, number: i64, durak: i64) -> None:
        """Note what a game with that durak (-1: a draw) is worth."""
        self.worths[number] = 0.0 if durak < 0 else (-1.0 if durak == self.seat else 1.0)


def draw_believed(worlds: Worlds, world: Position, root: Told, seat: i64) -> None:
    """Draw a world in which the other has refused no card since it last drew that it holds; after some tries any."""
    other: i64 = world.after(seat)
    refused: i64 = root.fresh[other] & ~root.known[other]
    for _ in range(TRIES):
        worlds.draw(world)
        if world.hands[other] & refused == 0:
            return


def copy_of(deal: Deal) -> Deal:
    """Copy a deal, whose cards the next world would change."""
    new = Deal(bytes(int(deal.size)), deal.trump_card, deal.dealer)
    for i in range(deal.size):
        new.cards[i] = deal.cards[i]
    return new


def told_of(position: Position, size: i64, known: list[int], doubted: list[int], fresh: list[int]) -> Told:
    """Say what play has told everybody of a position, as the public memory has it."""
    told = Told(position, size)
    for i in range(i64(len(known))):
        told.known[i] = known[i]
        told.doubted[i] = doubted[i]
        told.fresh[i] = fresh[i]
    return told

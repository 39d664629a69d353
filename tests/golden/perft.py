"""
Counting lines of play with both engines.

Each line of perft.txt is a deal: options, the seed of its pack, how many moves are played first; a depth and the lines of that many moves
of all seats; a depth and the lines of that many actions of `playout.perft`, which goes turn by turn, beats the oldest card first, and
plays honestly (0 where it is not asked). `PYTHONPATH=src python -m tests.golden.perft` writes the counts again, when both engines agree.
"""

from __future__ import annotations

import sys
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path

from kozyr.core.cards import format_card
from kozyr.core.codes import OVER
from kozyr.core.judge import legal_moves
from kozyr.core.moves import parse_move
from kozyr.core.options import Rules, parse_options
from kozyr.core.play import play
from kozyr.core.playout import next_random, perft, shuffled
from kozyr.core.position import Position
from kozyr.core.setup import first_attacker, start
from tests.reference.dealing import deal
from tests.reference.game import Game

FILE = Path(__file__).with_name("perft.txt")


@dataclass(frozen=True)
class Deal:
    """
    A line of perft.txt.
    """

    options: str
    seed: int
    skip: int
    depth: int
    lines: int
    turns_depth: int
    turns_lines: int

    def __str__(self) -> str:
        return f"{self.options} {self.seed} {self.skip} {self.depth} {self.lines} {self.turns_depth} {self.turns_lines}"


def read() -> list[Deal]:
    """
    Read perft.txt.
    """
    rows = [line.split(" ") for line in FILE.read_text(encoding="utf-8").splitlines()]
    return [Deal(row[0], *(int(each) for each in row[1:])) for row in rows]


def begin(deal_: Deal) -> tuple[Position, Game]:
    """
    Deal in both engines, and play the first moves in both.
    """
    rules = Rules.of(parse_options(deal_.options))
    pack = shuffled(rules.deck, deal_.seed)
    attacker = first_attacker(rules, pack, rules.seats - 1) or 0
    position = start(rules, pack, rules.seats - 1, attacker)
    dealt = deal([format_card(card) for card in pack], rules.seats, rules.seats - 1)
    game = Game(rules.to_dict(), dealt.hands, dealt.stock, dealt.trump_card[1], attacker)
    seed = deal_.seed
    for _ in range(deal_.skip):
        moves = [f"{seat} {text}" for seat in range(rules.seats) for text in game.legal(seat) if not text.startswith("challenge")]
        seed = next_random(seed)
        move = moves[seed // 1000 % len(moves)]
        play(position, parse_move(move))
        game.do(int(move[0]), move[2:])
    return position, game


def count(position: Position, depth: int) -> int:
    """
    Count the lines of *depth* moves of all seats; a game that ends earlier counts once.
    """
    moves = [move for seat in range(position.rules.seats) for move in legal_moves(position, seat)]
    if depth <= 1 or position.phase == OVER:
        return len(moves) if depth and moves else 1
    n = 0
    for move in moves:
        child = position.copy()
        play(child, move)
        n += count(child, depth - 1)
    return n


def count_by_reference(game: Game, depth: int, in_turns: bool = False) -> int:
    """
    Count the same with the literal engine, or what `playout.perft` counts.
    """
    moves = [(seat, text) for seat in range(game.seats) for text in game.legal(seat) if not in_turns or is_counted(game, seat, text)]
    if depth <= 1 or not moves:
        return len(moves) if depth and moves else 1
    n = 0
    for seat, text in moves:
        child = deepcopy(game)
        child.do(seat, text)
        n += count_by_reference(child, depth - 1, in_turns)
    return n


def is_counted(game: Game, seat: int, text: str) -> bool:
    """
    Tell whether `playout.perft` counts a move: of beats only those of the oldest card.
    """
    verb, *cards = text.split()
    return verb != "beat" or cards[0] == game.bout.unbeaten()[0]


def counted(deal_: Deal) -> Deal:
    """
    Count a deal's lines with the engine.
    """
    position, _ = begin(deal_)
    in_turns = int(perft(position, deal_.turns_depth)) if deal_.turns_depth else 0
    return replace(deal_, lines=count(position, deal_.depth), turns_lines=in_turns)


def counted_by_reference(deal_: Deal) -> Deal:
    """
    Count a deal's lines with the literal engine.
    """
    _, game = begin(deal_)
    in_turns = count_by_reference(game, deal_.turns_depth, in_turns=True) if deal_.turns_depth else 0
    return replace(deal_, lines=count_by_reference(game, deal_.depth), turns_lines=in_turns)


def main() -> None:
    """
    Write the counts again.
    """
    deals = [counted(each) for each in read()]
    if deals != [counted_by_reference(each) for each in deals]:
        sys.exit("the two engines do not agree")
    FILE.write_text("".join(f"{each}\n" for each in deals), encoding="utf-8")


if __name__ == "__main__":
    main()

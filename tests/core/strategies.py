"""
Random tables, packs and games for hypothesis.

A game begins with a *prelude*, a number of moves played from one seed, which leads into the middle of a game; then a list of small integers
chooses among the legal moves. So a failing game shrinks to a short prelude and a few low choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from kozyr.core.codes import OVER
from kozyr.core.judge import legal_moves
from kozyr.core.moves import Move
from kozyr.core.notation import format_position
from kozyr.core.options import CHOICES, DECKS, Rules, Value, may_deal
from kozyr.core.play import play
from kozyr.core.playout import shuffled
from kozyr.core.position import Position
from kozyr.core.record import GameRecord, format_game
from kozyr.core.setup import first_attacker, start

TABLES = [(deck, seats) for deck in sorted(DECKS) for seats in range(2, 7) if may_deal(deck, seats)]
WEIGHTS = {"challenge": 0.05, "take": 0.4, "accept": 2.0, "beat": 3.0, "transfer": 5.0, "show": 5.0}


class Game:
    """
    A game in the middle, how it got there, and the choices to go on with.
    """

    def __init__(self, rules: Rules, pack: bytes, dealer: int, attacker: int) -> None:
        self.rules = rules
        self.pack = pack
        self.dealer = dealer
        self.attacker = attacker
        self.position = start(rules, pack, dealer, attacker)
        self.moves: list[Move] = []
        self.choices: list[int] = []

    def __repr__(self) -> str:
        """
        Show a failing game as a position that can be pasted, and how it went on.
        """
        record = GameRecord(self.rules, self.pack, self.dealer, self.attacker, tuple(self.moves))
        return f"{format_position(self.position)} then {self.choices}\n{format_game(record)}"

    def steps(self) -> Iterator[Move]:
        """
        Give one legal move after the other, to be played by the caller, until the choices or the game end.
        """
        for choice in self.choices:
            if self.position.phase == OVER:
                return
            moves = every_move(self.position)
            move = moves[choice % len(moves)]
            self.moves.append(move)
            yield move


def every_move(position: Position) -> list[Move]:
    """
    List the legal moves of all seats.
    """
    return [move for seat in range(position.rules.seats) for move in legal_moves(position, seat)]


def random_rules(rng: Random, fixed: dict[str, Value]) -> Rules:
    """
    Choose a table: any deck and seats that go together, any mix of options but those that are *fixed*.
    """
    deck, seats = rng.choice(TABLES)
    words: dict[str, Value] = {name: rng.choice(values) for name, values in CHOICES.items() if name not in ("deck", "seats", "series")}
    words["cheat"] = rng.random() < 0.4
    return Rules.of({**words, "deck": deck, "seats": seats, **fixed})


def random_move(position: Position, rng: Random) -> Move:
    """
    Choose a legal move as lively players would: beats rather than takes, and seldom a challenge.
    """
    seats = [seat for seat in range(position.rules.seats) if position.seats_in >> seat & 1]
    rng.shuffle(seats)
    for seat in seats:
        moves = legal_moves(position, seat)
        weights = [WEIGHTS.get(move.kind, 1.0) for move in moves]
        # A seat that could only challenge seldom does; if nobody else has a move, all seats are asked again.
        if moves and rng.random() < max(weights):
            return rng.choices(moves, weights)[0]
    return rng.choice(every_move(position))


def random_game(rng: Random, most: int, **fixed: Value) -> Game:
    """
    Play at most *most* random moves of a random game.
    """
    return play_random(random_rules(rng, fixed), rng, most)


def play_random(table: Rules, rng: Random, most: int = 10_000) -> Game:
    """
    Play at most *most* random moves of a random game at a table.
    """
    pack = shuffled(table.deck, rng.randrange(1, 2**31 - 1))
    dealer = rng.randrange(table.seats)
    first = first_attacker(table, pack, dealer)
    attacker = rng.randrange(table.seats) if first is None else first
    game = Game(table, pack, dealer, attacker)
    while len(game.moves) < most and game.position.phase != OVER:
        move = random_move(game.position, rng)
        play(game.position, move)
        game.moves.append(move)
    return game


@st.composite
def games(draw: st.DrawFn, /, prelude: int = 200, most: int = 12, **fixed: Value) -> Game:
    """
    Choose a game that is not over, in its middle, and how it goes on.
    """
    seed = draw(st.integers(0, 2**20))
    moves = draw(st.integers(0, prelude))
    game = random_game(Random(seed), moves, **fixed)
    while game.position.phase == OVER:  # the game was shorter than that
        game = random_game(Random(seed), len(game.moves) * 3 // 4, **fixed)
    game.choices = draw(st.lists(st.integers(0, 63), min_size=1, max_size=most))
    return game


def tables() -> st.SearchStrategy[Rules]:
    """
    Choose a table.
    """
    return st.integers(0, 2**20).map(lambda seed: random_rules(Random(seed), {}))

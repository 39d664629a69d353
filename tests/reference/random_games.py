"""
Random games over random options, played by the reference engine and written as traces.

`python -m tests.reference.random_games --games 100 --seed 1 > FILE` gives the same bytes for the same seed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from .cards import full_deck, height
from .dealing import Dealt, deal, first_attacker
from .game import Game
from .options import VALUES, Options, may_be_opened

# How often an option leaves its default, where not every value is as likely as every other.
SELDOM = {"first_limit": 0.25, "transfer_first_bout": 0.2, "caught_bar": 0.3, "cheat": 0.4, "split": 0.4, "throw_priority": 0.4}
STAKES = (0, 0, 1, 7, 100, 999)


@dataclass(frozen=True)
class Mood:
    """
    Hold what the players of a game like: a weight for each kind of move (1 where none is given), and whether they play low.

    With *even* every single move is as likely as every other. *often* weighs the mood among the moods.
    """

    weights: dict[str, float]
    low: bool = False
    even: bool = False
    often: float = 1


MOODS = (
    Mood({"challenge": 0.1}),
    Mood({"challenge": 0.02}),
    Mood({}, even=True),
    Mood({"beat": 20, "transfer": 3, "challenge": 0.05, "pass": 0.3}, often=2),
    Mood({"beat": 20, "transfer": 3, "challenge": 0.02}, low=True, often=2),
    Mood({"transfer": 30, "show": 60, "challenge": 0.05}),
    Mood({"attack": 8, "challenge": 0.05}),
    Mood({"challenge": 1.5}),
    # Hundreds of moves without progress are dear, so seldom.
    Mood({"take": 25, "pass": 8, "accept": 8, "challenge": 0.01, "transfer": 0.5}, often=0.25),
    Mood({"take": 1000, "pass": 1000, "accept": 1000, "challenge": 0, "beat": 0, "transfer": 0}, low=True),
    Mood({"take": 1000, "pass": 50, "accept": 1000, "challenge": 0.01, "transfer": 30, "beat": 1}, low=True),
)


@dataclass
class RandomGame:
    """
    Hold a game that is dealt and may be played on; *resigning* is the chance of a resignation at each move.
    """

    options: Options
    dealt: Dealt
    dealer: int
    attacker: int
    game: Game
    mood: Mood
    resigning: float


def choose_options(rng: Random, honest: bool) -> Options:
    """
    Choose a table: any deck and seats that go together, any mix of options.
    """
    deck = rng.choice((24, 24, 36, 36, 52))
    seats = rng.choice([seats for seats in range(2, 7) if may_be_opened(deck, seats)])
    options: Options = {"deck": deck, "seats": seats}
    for name, values in VALUES.items():
        if name == "deck":
            continue
        usual = rng.random() >= SELDOM.get(name, 1 - 1 / len(values))
        options[name] = values[0] if usual else rng.choice(values[1:])
    options["stake"] = rng.choice(STAKES)
    if honest:
        options["cheat"] = False
    return options


def deal_game(rng: Random, honest: bool = False) -> RandomGame:
    """
    Choose a table and deal its first game.
    """
    options = choose_options(rng, honest)
    dealer = rng.randrange(options["seats"])
    attacker: int | str = "redeal"
    while attacker == "redeal":
        pack = full_deck(options["deck"])
        rng.shuffle(pack)
        dealt = deal(pack, options["seats"], dealer)
        attacker = first_attacker(dealt.hands, dealt.trump_card[1], dealer, options["no_trump"])
    if attacker == "lot":
        attacker = rng.randrange(options["seats"])
    assert isinstance(attacker, int)
    game = Game(options, dealt.hands, dealt.stock, dealt.trump_card[1], attacker)
    mood = rng.choices(MOODS, [mood.often for mood in MOODS])[0]
    resigning = rng.choice((0, 0, 0, 0, 0, 0.005))
    return RandomGame(options, dealt, dealer, attacker, game, mood, resigning)


def choose_move(rng: Random, random_game: RandomGame, legal: list[list[str]]) -> tuple[int, str]:
    """
    Choose one of the legal moves of all seats as the mood has it: a kind of move first, then a move of that kind.
    """
    mood = random_game.mood
    if random_game.resigning and rng.random() < random_game.resigning:
        return rng.choice(random_game.game.seats_in()), "resign"
    moves = [(seat, text) for seat, texts in enumerate(legal) for text in texts]
    if mood.even:
        return rng.choice(moves)
    kinds: dict[str, list[tuple[int, str]]] = {}
    for seat, text in moves:
        kinds.setdefault(text.partition(" ")[0], []).append((seat, text))
    # The smallest weight is above 0: a kind that nobody likes is still played when there is no other.
    weights = [mood.weights.get(kind, 1) + 1e-9 for kind in kinds]
    kind = rng.choices(list(kinds), weights)[0]
    if mood.low and kind in ("attack", "beat"):
        return min(kinds[kind], key=lambda move: (move[1][-1] == random_game.game.trump, height(move[1].split()[-1]), move))
    return rng.choice(kinds[kind])


def trace(rng: Random, number: int, honest: bool) -> Iterator[dict[str, Any]]:
    """
    Play a game to its end; give its trace line by line.
    """
    random_game = deal_game(rng, honest)
    game, dealt = random_game.game, random_game.dealt
    seats = range(game.seats)
    legal = [game.legal(seat) for seat in seats]
    head = {"game": number, "options": random_game.options, "hands": dealt.hands, "stock": dealt.stock, "trump_card": dealt.trump_card}
    yield head | {"dealer": random_game.dealer, "attacker": random_game.attacker, "state": game.state(), "legal": legal}
    n = 0
    while game.result is None:
        n += 1
        seat, text = choose_move(rng, random_game, legal)
        game.do(seat, text)
        legal = [game.legal(other) for other in seats]
        yield {"game": number, "n": n, "seat": seat, "move": text, "state": game.state(), "legal": legal}


def main() -> None:
    """
    Write traces to the standard output.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--honest", action="store_true", help="no cheating tables")
    words = parser.parse_args()
    for number in range(words.games):
        # A string seeds the same way in every process.
        for line in trace(Random(f"{words.seed} {number}"), number, words.honest):
            sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()

"""
The engine that people play with against the literal one, move by move, over random games of all option mixes.

10,000 games in the suite; `-m soak` plays a million, or as many as the environment variable KOZYR_SOAK_GAMES says.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest

from tests.examples.engines import Engine, Playing, Refused, engine
from tests.traces.replaying import Difference, compare, tell

from .cards import full_deck
from .random_games import RandomGame, choose_move, deal_game

GAMES, CHUNKS = 10_000, 50
DECKS = {deck: full_deck(deck) for deck in (24, 36, 52)}
SOAK_GAMES, SOAK_CHUNKS = int(os.environ.get("KOZYR_SOAK_GAMES", "1000000")), 200


def compare_game(engine: Engine, seed: str) -> None:
    """
    Play one random game in both engines.

    Raises: Difference with the game, the position and both sides.
    """
    rng = Random(seed)
    random_game = deal_game(rng)
    game, dealt = random_game.game, random_game.dealt
    seats = range(game.seats)
    head: dict[str, Any] = {
        "game": seed,
        "options": random_game.options,
        "hands": dealt.hands,
        "stock": dealt.stock,
        "trump_card": dealt.trump_card,
        "dealer": random_game.dealer,
        "attacker": random_game.attacker,
    }
    moves: list[str] = []
    playing = engine.from_deal(random_game.options, dealt.hands, dealt.stock, dealt.trump_card, random_game.dealer, random_game.attacker)
    line: dict[str, Any] = {"state": game.state(), "legal": [game.legal(seat) for seat in seats]}
    before = line
    try:
        while True:
            compare(playing, line)
            compare_defaults(playing, random_game)
            if game.result is not None:
                return
            if rng.random() < 0.02:
                try_something_else(rng, playing, random_game, line)
            seat, text = choose_move(rng, random_game, line["legal"])
            moves.append(f"{seat} {text}")
            game.do(seat, text)
            try:
                playing.do(seat, text)
            except Refused:
                raise Difference("the engine does not accept the move") from None
            before, line = line, {"state": game.state(), "legal": [game.legal(seat) for seat in seats]}
    except Difference as difference:
        raise Difference(f"{tell(head, moves, before)}\n{difference}") from None
    except Exception as error:
        error.add_note(tell(head, moves, before))
        raise


def compare_defaults(playing: Playing, random_game: RandomGame) -> None:
    """
    Compare the timer's moves.
    """
    game = random_game.game
    expected = [game.default_move(seat) for seat in range(game.seats)]
    actual = [playing.default_move(seat) for seat in range(game.seats)]
    if expected != actual:
        raise Difference(f"the default moves are {expected}, the engine has {actual}")


def try_something_else(rng: Random, playing: Playing, random_game: RandomGame, line: dict[str, Any]) -> None:
    """
    Try a move at random; where it is not legal, it must be refused and change nothing.
    """
    game = random_game.game
    seat = rng.randrange(game.seats)
    held = rng.choice([hand for hand in game.hands if hand] or [["7c"]])
    deck = DECKS[random_game.options["deck"]]
    verb = rng.choice(("attack", "beat", "transfer", "show", "take", "pass", "challenge", "accept"))
    cards = [rng.choice(rng.choice((held, deck))) for _ in range({"beat": 2, "take": 0, "pass": 0, "accept": 0}.get(verb, 1))]
    text = " ".join([verb, *cards])
    if text in line["legal"][seat]:
        return
    try:
        playing.do(seat, text)
    except Refused:
        if playing.state() == line["state"]:
            return
        raise Difference(f"the engine refuses {seat} {text} and is changed by it") from None
    raise Difference(f"the engine accepts {seat} {text}")


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_both_engines_play_random_games_alike(chunk: int) -> None:
    """
    Position, legal moves of every seat, default moves and result agree after every move, whatever the options.
    """
    core = engine("core")
    for number in range(chunk, GAMES, CHUNKS):
        compare_game(core, f"suite {number}")


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(SOAK_CHUNKS))
def test_both_engines_play_a_million_random_games_alike(chunk: int) -> None:
    """
    The same, over many more games than the suite has time for.
    """
    core = engine("core")
    for number in range(chunk, SOAK_GAMES, SOAK_CHUNKS):
        compare_game(core, f"soak {number}")

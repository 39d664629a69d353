"""The solver against the slow, literal engine that was written from the rules alone."""
from __future__ import annotations

import copy
from random import Random
from typing import Any

from kozyr.core.building import place
from kozyr.core.cards import deck_of, format_card
from kozyr.core.notation import format_position
from kozyr.search.asking import value
from kozyr.search.prover import Prover
from tests.examples.core_engine import read_setting
from tests.reference.game import Game
from tests.reference.reading import from_position
from tests.search.plain import TooBig, some_rules

POSITIONS = 200
CAP = 1500


def literal_value(game: Game, seat: int) -> int:
    """
    Return the value for *seat* by playing every move on the literal engine.

    Raises: TooBig after CAP positions.
    """
    known: dict[str, int] = {}

    def value(game: Game) -> int:
        if game.result is not None:
            return 0 if game.result.durak is None else -1 if game.result.durak == seat else 1
        starts = sorted((str(start), times) for start, times in game.starts.items())
        key = f"{game.state()} {game.bout} {game.emptied} {game.bouts_without_progress} {game.beaten_before} {game.bout_no == 1} {starts}"
        if key in known:
            return known[key]
        if len(known) >= CAP:
            raise TooBig
        moves = [(who, text) for who in range(2) for text in game.legal(who)]
        mine = moves[0][0] == seat
        best = -1 if mine else 1
        for who, text in moves:
            child = copy.deepcopy(game)
            child.do(who, text)
            best = (max if mine else min)(best, value(child))
            if best == (1 if mine else -1):
                break
        known[key] = best
        return best

    return value(game)


def small_game(rng: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Choose the options of a table and the start of a bout there, in the form of the worked examples."""
    rules = some_rules(rng, transfer=rng.random() < 0.4)
    options = {name: value for name, value in rules.differences().items() if name != "seats"} | {"pace": "turns"}
    low = rng.randint(13 - rules.deck // 4, 10)
    cards = [format_card(card) for card in deck_of(rules.deck) if low <= card & 15 <= low + 2]
    rng.shuffle(cards)
    n = rng.randint(2, 6)
    split = rng.randint(1, n - 1)
    stock = cards[n : n + rng.choice((0, 0, 0, 1, 2))]
    position: dict[str, Any] = {
        "trump": stock[-1][1] if stock else rng.choice("cdhs"),
        "attacker": rng.randrange(2),
        "hands": {0: " ".join(cards[:split]), 1: " ".join(cards[split:n])},
        "stock": " ".join(stock),
        "beaten_before": rng.random() < 0.5,
    }
    return options, position


def test_the_literal_engine_leads_to_the_same_values() -> None:
    """Played out move by move on an engine that shares no code with ours, endgames end as the solver says (R4-R11)."""
    rng = Random("literal")
    prover = Prover(12)
    skipped = 0
    for _ in range(POSITIONS):
        options, described = small_game(rng)
        game = from_position(options, described, Game)
        position = place(read_setting(options, described))
        seat = rng.randrange(2)
        if game.result is not None:
            continue
        try:
            slow = literal_value(game, seat)
        except TooBig:
            skipped += 1
            continue
        text = format_position(position)
        assert (slow, text) == (value(prover, position, seat, 1_000_000), text)
    assert skipped < POSITIONS // 5

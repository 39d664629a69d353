"""Whole games of bots over every mix of options: they end, no move is refused or unlawful, and hidden cards change nothing."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozyr.bots import LEVELS, Choose, Memory, hard, looking
from kozyr.core.building import place, setting_of
from kozyr.core.cards import deck_of
from kozyr.core.codes import OVER
from kozyr.core.events import seen_by
from kozyr.core.judge import fault_of, waiting_for
from kozyr.core.options import CHOICES, Rules, may_deal
from kozyr.core.play import play
from kozyr.core.position import Position
from kozyr.core.setup import first_attacker, start
from kozyr.core.views import view

GAMES = 240
PLAY = [name for name in CHOICES if name not in ("series", "series_first", "split", "turn_s", "timeout", "forfeit", "redeal", "no_trump")]


def some_rules(rng: Random) -> Rules:
    """
    Mix the options that a game's play depends on.
    """
    while True:
        words = {name: rng.choice(CHOICES[name]) for name in PLAY}
        if may_deal(int(words["deck"]), int(words["seats"])):
            return Rules.of(words)


def some_deal(rng: Random, rules: Rules) -> Position:
    """
    Deal a shuffled pack.
    """
    pack = bytes(rng.sample(deck_of(rules.deck), rules.deck))
    dealer = rng.randrange(rules.seats)
    attacker = first_attacker(rules, pack, dealer)
    return start(rules, pack, dealer, rng.randrange(rules.seats) if attacker is None else attacker)


def step(rng: Random, position: Position, choose: Choose, memory: Memory | None = None) -> None:
    """
    Let one of the bots that have a move make it; the order of seats is any that the open pace allows.
    """
    waiting = waiting_for(position)
    seats = [seat for seat in range(position.rules.seats) if waiting >> seat & 1]
    moves = (choose(view(position, seat), memory) for seat in rng.sample(seats, len(seats)))
    move = next((move for move in moves if move is not None), None)
    assert move is not None, "the game waits for bots that have no move"
    assert memory is not None or "" == fault_of(position, move)
    for event in play(position, move):
        if memory is not None:
            memory.see(seen_by(event, None))


@pytest.fixture(autouse=True)
def small_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Let hard and expert think less: this is about what they may play, not how well.
    """
    monkeypatch.setattr(hard, "NODES", 300)
    monkeypatch.setattr(hard, "NODES_OF_WORLD", 20)
    monkeypatch.setattr(hard, "WORLDS", 2)
    monkeypatch.setattr(looking, "GAMES", 12)


@pytest.mark.parametrize("level", LEVELS)
def test_games_of_bots_end_with_lawful_moves_at_every_table(level: str) -> None:
    """
    Bots play every table to its end: each move is legal, each card lawful, at cheating tables too.
    """
    for number in range(GAMES):
        rng = Random(f"{level} {number}")
        position = some_deal(rng, some_rules(rng))
        moves = 0
        while position.phase != OVER:
            step(rng, position, LEVELS[level])
            moves += 1
            assert moves < 10_000, f"game {number} of {level} does not end"


@pytest.mark.parametrize("level", LEVELS)
def test_games_of_bots_that_remember_end_at_every_table(level: str) -> None:
    """
    With their memory bots play every table to its end; at cheating tables they slip and catch cards now and then (R14.1).
    """
    for number in range(GAMES // 8):
        rng = Random(f"{level} {number} remembered")
        position = some_deal(rng, some_rules(rng))
        memory = Memory.at(view(position, None))
        moves = 0
        while position.phase != OVER:
            step(rng, position, LEVELS[level], memory)
            moves += 1
            assert moves < 10_000, f"game {number} of {level} does not end"


def with_other_hidden_cards(position: Position, seat: int, rng: Random) -> Position:
    """
    Exchange the cards that *seat* cannot see: other hands, the stock but for the turned card, the discard.
    """
    setting = setting_of(position)
    shown = {card for attack, _, beat in setting.bout for card in (attack, beat)} | set(setting.hands[seat]) | {setting.trump_card}
    hidden = [card for card in deck_of(setting.rules.deck) if card not in shown]
    rng.shuffle(hidden)

    def others(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(card if card in shown else hidden.pop() for card in cards)

    hands = tuple(hand if at == seat else tuple(sorted(others(hand))) for at, hand in enumerate(setting.hands))
    return place(replace(setting, hands=hands, stock=others(setting.stock)))


@pytest.mark.parametrize("level", LEVELS)
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 200))
@settings(max_examples=100)
def test_a_bot_does_the_same_whatever_cards_it_cannot_see(level: str, seed: int, moves: int) -> None:
    """
    Bots use only their hand and what is open (seeds 002, 003): other hands and the stock may hold anything.
    """
    rng = Random(seed)
    position = some_deal(rng, some_rules(rng))
    memory = Memory.at(view(position, None))
    for _ in range(moves):
        if position.phase == OVER:
            break
        step(rng, position, LEVELS[level], memory)
    for seat in range(position.rules.seats):
        other = with_other_hidden_cards(position, seat, rng)
        assert LEVELS[level](view(position, seat)) == LEVELS[level](view(other, seat))
        # What a memory knows is public: with the truth exchanged behind it, it stays the same.
        assert LEVELS[level](view(position, seat), memory) == LEVELS[level](view(other, seat), memory)

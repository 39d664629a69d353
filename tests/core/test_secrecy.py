"""Two positions that differ only in what a seat cannot see look the same to it, byte for byte."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozyr.core.building import place, setting_of
from kozyr.core.cards import deck_of
from kozyr.core.defaults import default_move
from kozyr.core.events import Drew, Event, seen_by
from kozyr.core.judge import legal_moves, refusal
from kozyr.core.moves import Move
from kozyr.core.notation import format_view
from kozyr.core.play import play
from kozyr.core.position import Position
from kozyr.core.views import view
from tests.core.strategies import Game, games


def otherwise(position: Position, viewer: int | None, rng: Random) -> Position:
    """
    Deal everything anew that *viewer* cannot see.

    Other hands, the stock but the turned card, and the discard change cards; at a cheating table so does what was unlawful, except for
    what has been judged. The order of emptying stays: it was seen.
    """
    setting = setting_of(position)
    seen = view(position, viewer)
    known = {card for pair in setting.bout for card in (pair[0], pair[2]) if card is not None} | set(seen.hand)
    known |= set() if seen.trump_card is None else {seen.trump_card}
    hidden = [card for card in deck_of(setting.rules.deck) if card not in known]
    rng.shuffle(hidden)

    def anew(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(card if card in known else hidden.pop() for card in cards)

    hands = tuple(hand if seat == viewer else tuple(sorted(anew(hand))) for seat, hand in enumerate(setting.hands))
    stock = anew(setting.stock)
    unlawful = setting.unlawful
    if unlawful is not None:
        open_cards = [card for pair in setting.bout for card in (pair[0], pair[2]) if card is not None and card not in seen.settled]
        unlawful = tuple(sorted(card for card in open_cards if rng.random() < 0.5))
    return place(replace(setting, hands=hands, stock=stock, unlawful=unlawful, past=None))


def viewers(position: Position) -> list[int | None]:
    """
    List everybody who may look: every seat and a spectator.
    """
    return [None, *range(position.rules.seats)]


@pytest.mark.parametrize("cheat", [False, True], ids=["honest", "cheating"])
@settings(max_examples=60)
@given(data=st.data())
def test_what_a_viewer_cannot_see_does_not_change_the_view(cheat: bool, data: st.DataObject) -> None:
    """
    Seats and spectators see the same, whatever the others hold, at every step (part 4, 5; V5, R14.3).
    """
    game = data.draw(games(cheat=cheat, most=6))
    rng = Random(data.draw(st.integers(0, 2**20)))
    for move in game.steps():
        for viewer in viewers(game.position):
            one, other = game.position, otherwise(game.position, viewer, rng)
            assert view(one, viewer) == view(other, viewer)
            assert format_view(view(one, viewer)).encode() == format_view(view(other, viewer)).encode()
        play(game.position, move)


@settings(max_examples=60)
@given(games(most=6), st.integers(0, 2**20))
def test_what_a_seat_cannot_see_does_not_change_its_moves(game: Game, seed: int) -> None:
    """
    Legal moves, the clock's move, and the code of every refusal follow from what the seat knows (part 4, 5; V5).
    """
    rng = Random(seed)
    deck = deck_of(game.rules.deck)
    for move in game.steps():
        for seat in range(game.rules.seats):
            one, other = game.position, otherwise(game.position, seat, rng)
            assert legal_moves(one, seat) == legal_moves(other, seat)
            assert default_move(one, seat) == default_move(other, seat)
            for kind in ("attack", "beat", "transfer", "show", "take", "pass", "accept", "challenge"):
                tried = Move(seat, kind, tuple(rng.sample(deck, {"beat": 2, "take": 0, "pass": 0, "accept": 0}.get(kind, 1))))
                assert refusal(one, tried) == refusal(other, tried)
        play(game.position, move)


def told(happened: list[Event], viewer: int) -> list[Event]:
    """
    Tell events as *viewer* sees them, but for the cards that come from the stock, which nobody could know before.
    """
    seen = [seen_by(event, viewer) for event in happened]
    return [replace(event, cards=()) if isinstance(event, Drew) else event for event in seen]


@settings(max_examples=60)
@given(games(most=6), st.integers(0, 2**20))
def test_what_a_seat_cannot_see_does_not_change_what_it_is_told(game: Game, seed: int) -> None:
    """
    A move that tells nothing of hidden cards tells the same, whatever they are (V3, V5, R5.7).
    """
    rng = Random(seed)
    for move in game.steps():
        for seat in range(game.rules.seats):
            if (move.seat == seat and move.kind != "challenge") or move.kind in ("take", "pass", "accept"):
                one, other = place(replace(setting_of(game.position), past=None)), otherwise(game.position, seat, rng)
                assert told(play(one, move), seat) == told(play(other, move), seat)
        play(game.position, move)


@settings(max_examples=60)
@given(games(most=6))
def test_of_the_cards_that_others_draw_only_the_turned_one_is_seen(game: Game) -> None:
    """
    Who draws sees its cards; the others see how many, and the turned trump (V3, V5).
    """
    for move in game.steps():
        for event in play(game.position, move):
            for viewer in viewers(game.position):
                seen = seen_by(event, viewer)
                if isinstance(event, Drew) and event.seat != viewer:
                    assert replace(event, cards=() if event.turned is None else (event.turned,)) == seen
                else:
                    assert event is seen

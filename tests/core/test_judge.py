"""The one judge: what is legal is what is not refused, and a refusal changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozyr.core.building import setting_of
from kozyr.core.cards import cards_in, deck_of
from kozyr.core.judge import fault_of, legal_moves, refusal
from kozyr.core.moves import IllegalMove, Move
from kozyr.core.notation import format_position
from kozyr.core.play import bout_cards, play
from kozyr.core.playout import sets_of
from kozyr.core.position import Position
from tests.core.strategies import Game, every_move, games


def candidates(position: Position, seat: int) -> set[Move]:
    """
    List every move that a seat could say, with cards that it holds, that lie in the bout, and some that are elsewhere.
    """
    held = cards_in(position.hands[seat])
    lying = bout_cards(position)
    elsewhere = [card for card in deck_of(position.rules.deck) if card not in held][:3]
    several = [tuple(cards_in(cards)) for rank in range(13) for cards in sets_of(position.hands[seat], rank, 4)]
    moves = {Move(seat, kind) for kind in ("take", "pass", "accept")}
    for card in (*held, *elsewhere):
        moves |= {Move(seat, kind, (card,)) for kind in ("attack", "transfer", "show", "challenge")}
        moves |= {Move(seat, "beat", (attack, card)) for attack in (*lying, *elsewhere[:1])}
    moves |= {Move(seat, "challenge", (card,)) for card in lying}
    moves |= {Move(seat, kind, cards) for kind in ("attack", "transfer") for cards in several}
    return moves


@settings(max_examples=60)
@given(games())
def test_the_legal_moves_are_those_that_are_not_refused(game: Game) -> None:
    """
    The list of legal moves and the judge of single moves are of one mind, for every seat.
    """
    for move in game.steps():
        for seat in range(game.rules.seats):
            listed = legal_moves(game.position, seat)
            assert len(set(listed)) == len(listed)
            assert {each for each in candidates(game.position, seat) if not refusal(game.position, each)} == set(listed)
        play(game.position, move)


@settings(max_examples=60)
@given(games(), st.data())
def test_an_illegal_move_changes_nothing(game: Game, data: st.DataObject) -> None:
    """
    Who tries what the rules forbid gets a code, and the position stays as it is.
    """
    for move in game.steps():
        position = game.position
        seat = data.draw(st.integers(0, game.rules.seats - 1))
        illegal = sorted(candidates(position, seat) - set(legal_moves(position, seat)))
        wrong = data.draw(st.sampled_from(illegal))
        before = setting_of(position)
        with pytest.raises(IllegalMove) as caught:
            play(position, wrong)
        assert before == setting_of(position)
        assert (wrong, format_position(position)) == (caught.value.move, caught.value.position)
        assert caught.value.code.replace("_", "").isalpha()
        assert f"{caught.value.code}: {wrong} in {format_position(position)}" == str(caught.value)
        play(position, move)


@settings(max_examples=60)
@given(games(cheat=False))
def test_every_legal_card_is_lawful_at_an_honest_table(game: Game) -> None:
    """
    Where nobody cheats, no legal card breaks a rule (R14.3).
    """
    for move in game.steps():
        assert {""} == {fault_of(game.position, each) for each in every_move(game.position)}
        play(game.position, move)


@settings(max_examples=60)
@given(games(cheat=True))
def test_a_cheating_table_adds_unlawful_cards_and_challenges_only(game: Game) -> None:
    """
    Every legal move that an honest table would refuse breaks R5.1 or R7.1 with its card, or challenges or accepts (R14.2).
    """
    for move in game.steps():
        faults = {fault_of(game.position, each) for each in every_move(game.position)}
        assert faults <= {"", "rank_not_in_bout", "does_not_beat"}
        play(game.position, move)


@settings(max_examples=60)
@given(games(cheat=True))
def test_the_verdict_is_what_the_judge_said_when_the_card_was_played(game: Game) -> None:
    """
    A card is found unlawful exactly if it broke a rule as the bout lay then (R14.3).
    """
    faults: dict[int, str] = {}
    for move in game.steps():
        position = game.position
        if not position.n_attacks:
            faults.clear()
        if move.kind in ("attack", "beat"):
            faults[move.cards[-1]] = fault_of(position, move)
        if move.kind == "challenge" and move.cards[0] in faults:
            verdict = play(position, move)[0]
            assert (faults[move.cards[0]] or None) == getattr(verdict, "code", None)
        else:
            play(position, move)

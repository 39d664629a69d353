"""The fast way in, by small integers, is the same game as the one by moves."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from kozyr.core.building import setting_of
from kozyr.core.cards import cards_in, deck_of, mask_of
from kozyr.core.codes import ATTACK_SET, CHALLENGE, DEFENCE, OVER, PASS, SHOW, TAKE, TRANSFER, TRANSFER_SET, code_of, set_of
from kozyr.core.judge import fault_of, legal_moves
from kozyr.core.moves import Move
from kozyr.core.options import Rules
from kozyr.core.play import bout_pairs, play
from kozyr.core.playout import choices, fingerprint, play_random, random_deal, shuffled
from kozyr.core.position import Position
from kozyr.core.setup import start
from kozyr.core.terms import Terms
from tests.core.strategies import Game, games, tables


def meant(position: Position, action: int) -> Move:
    """
    Say an action of the seat whose turn it is as a move.
    """
    seat = position.turn
    if action == PASS:
        return Move(seat, "accept" if position.phase == CHALLENGE else "pass")
    if action == TAKE:
        return Move(seat, "take")
    if action < TRANSFER and position.phase == DEFENCE:
        return Move(seat, "beat", (oldest(position), action))
    for least, kind in ((TRANSFER_SET, "transfer"), (ATTACK_SET, "attack")):
        if action >= least:
            return Move(seat, kind, tuple(cards_in(set_of(action - least))))
    kind = "show" if action >= SHOW else "transfer" if action >= TRANSFER else "attack"
    return Move(seat, kind, (action & 63,))


def oldest(position: Position) -> int:
    """
    Find the oldest unbeaten attack card.
    """
    return next(attack for attack, _, beat in bout_pairs(position) if beat is None)


@settings(max_examples=60)
@given(games(pace="turns"))
def test_actions_are_the_lawful_moves_of_the_seat_whose_turn_it_is(game: Game) -> None:
    """
    Each action is one move and each move one action, but that only the oldest card is beaten and nobody cheats or challenges (R5.6).
    """
    for move in game.steps():
        position = game.position
        moves = [meant(position, action) for action in choices(position)]
        lawful = {
            each
            for each in legal_moves(position, position.turn)
            if each.kind != "challenge" and not fault_of(position, each) and (each.kind != "beat" or each.cards[0] == oldest(position))
        }
        assert len(moves) == len(set(moves))
        assert lawful == set(moves)
        play(position, move)


@settings(max_examples=60)
@given(games(pace="turns"))
def test_an_action_does_what_its_move_does(game: Game) -> None:
    """
    Both ways lead to the same position, to the last bit.
    """
    while game.position.phase != OVER and game.choices:
        actions = choices(game.position)
        action = actions[game.choices.pop() % len(actions)]
        other = game.position.copy()
        play(other, meant(game.position, action))
        game.position.closing = 0  # tells of the last bout that ended; playing a move forgets it first
        game.position.act(action)
        assert fingerprint(other, 7) == fingerprint(game.position, 7)
        assert setting_of(other) == setting_of(game.position)


def test_sets_of_a_rank_have_one_number_each() -> None:
    """
    13 ranks with 11 sets of two cards and more: all numbers differ, and are read back.
    """
    sets = [mask_of(suit * 16 + rank for suit in range(4) if suits >> suit & 1) for rank in range(13) for suits in range(1, 16)]
    assert sets == [set_of(code_of(cards)) for cards in sets]
    assert len(sets) == len({code_of(cards) for cards in sets})


@settings(max_examples=60)
@given(games(), st.integers(0, 2**20))
def test_a_copy_goes_its_own_way(game: Game, seed: int) -> None:
    """
    What is played on a copy does not change the original, and a waiting object becomes an equal of any position of its table.
    """
    rng = Random(seed)
    waiting = start(game.rules, game.pack, game.dealer, game.attacker)
    for move in game.steps():
        before = setting_of(game.position)
        other = game.position.copy()
        waiting.assign(game.position)
        assert before == setting_of(other) == setting_of(waiting)
        moves = [each for seat in range(game.rules.seats) for each in legal_moves(other, seat)]
        play(other, rng.choice(moves))
        assert before == setting_of(game.position) == setting_of(waiting)
        play(game.position, move)


@settings(max_examples=10)
@given(st.integers(0, 2**20))
def test_a_copy_remembers_a_long_game(seed: int) -> None:
    """
    Earlier bout starts are copied too, however many there are (R11.9, R11.10).
    """
    rng = Random(seed)
    rules = Rules(deck=36, seats=5, throw_on_take=False, throw_scope="attacker")
    position = start(rules, shuffled(36, seed + 1), 0, 0)
    while position.phase != OVER:
        position = position.copy()
        attack = rng.choice([move for move in legal_moves(position, position.attacker) if move.kind == "attack"])
        play(position, attack)
        play(position, Move(position.defender, "take"))
    assert setting_of(position) == setting_of(position.copy())


@settings(max_examples=20)
@given(tables(), st.integers(1, 2**20))
def test_random_play_ends_every_game(rules: Rules, seed: int) -> None:
    """
    Playing random actions in turns comes to an end at every table (part 4, 11).
    """
    position = random_deal(Terms(rules), rules.deck, seed)
    assert play_random(position, seed) > 0
    assert position.phase == OVER


@given(st.sampled_from((24, 36, 52)), st.integers(1, 2**31 - 2))
def test_a_quick_shuffle_is_a_shuffle(deck: int, seed: int) -> None:
    """
    Every card of the deck comes once, and the same seed gives the same pack.
    """
    assert sorted(deck_of(deck)) == sorted(shuffled(deck, seed))
    assert shuffled(deck, seed) == shuffled(deck, seed)

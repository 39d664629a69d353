"""Games of the arena: deals from a seed, who moves, what an ending is worth."""

from __future__ import annotations

import pytest

from kozyr.arena.blocks import play_block
from kozyr.arena.games import deal_of, outcome_of, play_game
from kozyr.arena.players import RandomPlayer, make_player
from kozyr.bots.memory import Memory
from kozyr.core.cards import deck_of
from kozyr.core.moves import Move
from kozyr.core.notation import parse_position
from kozyr.core.options import Rules
from kozyr.core.views import View


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_seed_gives_one_deal(seats: int) -> None:
    """
    The same seed deals the same cards, and another seed others.
    """
    rules = Rules(seats=seats)
    assert deal_of(rules, 7) == deal_of(rules, 7) != deal_of(rules, 8)
    assert sorted(deck_of(36)) == sorted(deal_of(rules, 7).pack)


def test_dealers_and_first_attackers_vary() -> None:
    """
    Over many seeds every seat deals and every seat attacks first (R2.5, R3.1).
    """
    deals = [deal_of(Rules(seats=6), seed) for seed in range(200)]
    assert [set(range(6))] * 2 == [{deal.dealer for deal in deals}, {deal.attacker for deal in deals}]


def test_equal_players_score_a_half_over_rotated_seats() -> None:
    """
    Each deal is played with the seats rotated, so that a player against itself has exactly one half.
    """
    for seats in (2, 3):
        block = play_block(Rules(seats=seats), "easy", "greedy", 1, 5, {})
        assert (0.5, 2 if seats == 2 else 6) == (block.score, block.games)


def test_the_durak_has_no_point() -> None:
    """
    Seat 2 is left with cards: it is the durak and last (R11.6).
    """
    over = "36/s/0/0:;1:;2:7h/2>-/-/seats=3,phase=OVER,reason=cards,durak=2,out=1.0"
    outcome = outcome_of(parse_position(over))
    assert (2, (1.0, 1.0, 0.0), (2.0, 1.0, 3.0)) == (outcome.durak, outcome.points, outcome.places)


def test_a_draw_is_worth_a_fair_share() -> None:
    """
    Nobody is left: with two seats each has half a point (R11.7).
    """
    outcome = outcome_of(parse_position("36/s/0/0:;1:/0>-/-/seats=2,phase=OVER,reason=empty,out=0.1"))
    assert (None, (0.5, 0.5)) == (outcome.durak, outcome.points)


def test_a_player_that_moves_for_another_seat_stops_the_game() -> None:
    """
    A broken bot is told at once.
    """

    def broken(view: View, memory: Memory | None = None) -> Move | None:
        return Move(1 - (view.seat or 0), "take")

    with pytest.raises(ValueError, match="chose a move of another"):
        play_game(Rules(), deal_of(Rules(), 1), [broken, broken])


def test_a_game_in_which_nobody_moves_stops() -> None:
    """
    The arena never hangs.
    """
    with pytest.raises(ValueError, match="nobody moves"):
        play_game(Rules(), deal_of(Rules(), 1), [lambda view, memory=None: None] * 2)


def test_random_players_play_any_table() -> None:
    """
    Random moves bring even a cheating table with transfers to its end.
    """
    rules = Rules(seats=4, cheat=True, transfer=True, multi_attack=True, show_transfer=True)
    assert play_game(rules, deal_of(rules, 3), [RandomPlayer(seat) for seat in range(4)]).moves > 20


def test_an_unknown_player_is_named() -> None:
    """
    A slip of the pen is told with the names that there are.
    """
    with pytest.raises(ValueError, match="no player 'grandmaster': players are easy"):
        make_player("grandmaster", 1)

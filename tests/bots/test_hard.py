"""The hard bot remembers everything and plays known endgames exactly."""

from __future__ import annotations

import pytest

from kozyr.bots import hard
from kozyr.bots.hard import choose
from kozyr.bots.hidden import hidden_of
from kozyr.core.notation import parse_position
from kozyr.core.views import view
from kozyr.search.worlds import world_of
from tests.bots.endgames import loses_no_value, remembering


def chosen(text: str, seat: int) -> str:
    """
    Say what hard plays in a position whose earlier play it has seen.
    """
    position = parse_position(text)
    return str(choose(view(position, seat), remembering(position)))


def test_it_keeps_the_card_that_cannot_be_beaten_for_the_end() -> None:
    """
    With 7h and the trump ace against 8h and a club, 0 wins by the ace first: it is taken, and the seven is the last card.
    """
    assert "0 attack As" == chosen("36/s/0/0:7h,As;1:8h,6c/0>1/-/seats=2", 0)


def test_no_choice_in_a_known_endgame_loses_value() -> None:
    """
    Whatever hard plays with two small hands is worth as much as the best move, as the solver tells.
    """
    loses_no_value(choose, 5)


def test_without_a_memory_it_still_plays() -> None:
    """
    Who has not seen the game does not know the other hand, and follows the rules of normal.
    """
    assert choose(view(parse_position("36/s/0/0:7h,As;1:8h,6c/0>1/-/seats=2"), 0)) is not None


def test_the_other_hand_is_what_nobody_else_can_hold() -> None:
    """
    Two seats, no stock: the unseen cards are the other hand, so that the world is known.
    """
    position = parse_position("36/s/0/0:7h,As;1:8h,6c/0>1/-/seats=2")
    hidden = hidden_of(view(position, 0), remembering(position))
    assert hidden is not None
    world = world_of(view(position, 0), *hidden.fill(hidden.unseen))
    assert (True, list(position.hands)) == (hidden.is_sure, list(world.hands))


def test_with_one_card_in_the_stock_nothing_is_hidden() -> None:
    """
    The last card is the turned one, which everybody sees (R2.2).
    """
    position = parse_position("36/s/6s/0:7h,9h,As,Kd,Kc,Qd;1:8h,6c,7c,8c,9c,Tc/0>1/-/seats=2")
    hidden = hidden_of(view(position, 0), remembering(position))
    assert hidden is not None and hidden.is_sure


@pytest.mark.parametrize("stock", ["7d,6s", "7d,8d,6s"])
def test_the_last_cards_of_the_stock_are_guessed_the_same_each_time(stock: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Equal views and memories get equal moves, also where worlds are sampled.
    """
    position = parse_position(f"36/s/{stock}/0:7h,9h,As,Kd,Kc,Qd;1:8h,6c,7c,8c,9c,Tc/0>1/-/seats=2")
    monkeypatch.setattr(hard, "WORLDS", 3)
    monkeypatch.setattr(hard, "NODES_OF_WORLD", 300)
    moves = {choose(view(position, 0), remembering(position)) for _ in range(2)}
    assert 1 == len(moves)

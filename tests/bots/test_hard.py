"""The hard bot remembers everything and plays known endgames exactly."""

from __future__ import annotations

import pytest

from kozyr.bots import hard
from kozyr.bots.hard import choose
from kozyr.bots.hidden import hidden_of
from kozyr.bots.memory import Memory
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


THREE = "36/s/0/0:9c,Qh;1:Td,8h;2:8c/0>1/-/seats=3"


def test_with_three_left_it_plays_what_lets_it_out() -> None:
    """
    1 takes the queen, whereupon the nine beats the last card of 2. The rules would part with the nine, and keep the queen to the end.
    """
    position = parse_position(THREE)
    memory = remembering(position)
    memory.known[1], memory.known[2] = int(position.hands[1]), int(position.hands[2])
    seen = view(position, 0)
    likings = hard.rate(seen, memory)
    assert "0 attack 9c" == str(max(likings, key=lambda move: likings[move]))
    assert "0 attack Qh" == str(choose(seen, memory))


@pytest.mark.parametrize("hands", ["0:9c,Qh;1:Td,8h;2:8c", "0:9c,Qh;1:8c,8h;2:Td", "0:9c,Qh;1:Td,8c;2:8h"])
def test_with_three_left_worlds_are_drawn_the_same_each_time(hands: str) -> None:
    """
    Who does not know which of the other hands holds what plays alike whichever does, and alike again.
    """
    position = parse_position(f"36/s/0/{hands}/0>1/-/seats=3")
    played = {str(choose(view(position, 0), remembering(position))) for _ in range(3)}
    alike = parse_position(THREE)
    assert {str(choose(view(alike, 0), remembering(alike)))} == played


def test_without_a_memory_three_are_played_by_the_rules() -> None:
    """
    Who has not seen the game cannot tell which cards the others hold.
    """
    seen = view(parse_position(THREE), 0)
    assert hidden_of(seen, Memory.at(seen)) is None
    assert "0 attack 9c" == str(choose(seen))


def test_out_of_turn_nothing_is_played_out() -> None:
    """
    A bout goes on turn by turn in a world that is played out: while the defender is to answer the throwers wait.
    """
    position = parse_position("36/s/0/0:9c,Qh;1:Td,8h;2:8c,9d/0>1/8s@0/seats=3")
    told = {}
    for seat in (0, 1, 2):
        seen = view(position, seat)
        told[seat] = hard.play_out(seen, hidden_of(seen, remembering(position)), dict.fromkeys(seen.legal, 0.0))
    assert (None, None) == (told[0], told[2])
    assert told[1] is not None

"""The yardsticks: greedy playouts are easy's game, worlds agree with what a seat may know, searches see no hidden card."""

from __future__ import annotations

from random import Random

import pytest

from kozyr.arena.players import Searcher, make_player
from kozyr.bots.easy import choose_honestly
from kozyr.bots.hidden import hidden_of
from kozyr.bots.memory import Memory
from kozyr.core.cards import mask_of
from kozyr.core.codes import OVER
from kozyr.core.events import seen_by
from kozyr.core.judge import legal_moves
from kozyr.core.notation import parse_position
from kozyr.core.options import Rules, format_options
from kozyr.core.play import move_of, play
from kozyr.core.position import Position
from kozyr.core.views import view
from kozyr.search.playouts import greedy, playout
from kozyr.search.prover import Prover
from kozyr.search.sampling import Worlds
from kozyr.search.worlds import world_of
from tests.bots.test_games import some_deal, with_other_hidden_cards

TABLES = [
    Rules(),
    Rules(transfer=True, draws=False),
    Rules(seats=3, deck=24),
    Rules(seats=4, transfer=True, throw_scope="neighbours"),
    Rules(seats=6),
]


def middle(rng: Random, rules: Rules, moves: int) -> tuple[Position, Memory]:
    """
    Play some random moves of the seats in turn; return the position and what everybody remembers.
    """
    position = some_deal(rng, rules)
    memory = Memory.at(view(position, None))
    for _ in range(moves):
        before = position.copy()
        for event in play(position, rng.choice(legal_moves(position, int(position.turn)))):
            memory.see(seen_by(event, None))
        if position.phase == OVER:
            return before, memory
    return position, memory


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: format_options(rules.differences()))
def test_greedy_playouts_play_as_easy_does(rules: Rules) -> None:
    """
    Turn by turn greedy chooses what the easy bot chooses on the view.
    """
    rng = Random(1)
    for _ in range(6):
        position = some_deal(rng, rules)
        while position.phase != OVER:
            move = choose_honestly(view(position, int(position.turn)))
            assert move == move_of(position, int(greedy(position)))
            play(position, move)


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: format_options(rules.differences()))
def test_worlds_agree_with_what_the_seat_knows(rules: Rules) -> None:
    """
    A world has the seat's own hand, hands of the right sizes with the cards that are known, the turned card last, and no card twice.
    """
    rng = Random(2)
    for _ in range(20):
        position, memory = middle(rng, rules, rng.randrange(60))
        seat = int(position.turn)
        hidden = hidden_of(view(position, seat), memory)
        assert hidden is not None
        base = world_of(view(position, seat), *hidden.fill(hidden.unseen))
        worlds = Worlds(base, list(hidden.unseen), list(hidden.known), list(hidden.needs), 7)
        world = base.copy()
        for _ in range(3):
            worlds.draw(world)
            hands = [int(hand) for hand in world.hands]
            stock = [int(world.deal.cards[i]) for i in range(world.top, world.deal.size)]
            assert position.hands[seat] == hands[seat]
            assert [int(hand).bit_count() for hand in position.hands] == [hand.bit_count() for hand in hands]
            assert all(known & ~hand == 0 for known, hand in zip(memory.known, hands, strict=True))
            assert position.deal.size - position.top == len(stock)
            assert not stock or stock[-1] == position.deal.trump_card
            everything = [*hands, int(mask_of(stock)), int(world.laid), int(world.discard)]
            assert rules.deck == sum(mask.bit_count() for mask in everything) == sum(everything).bit_count()


@pytest.mark.parametrize("kind", ["ge", "sampling", "ismcts"])
@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: format_options(rules.differences()))
def test_searches_see_no_hidden_card(kind: str, rules: Rules) -> None:
    """
    Whatever the others hold, the same moves are chosen, and they are legal.
    """
    rng = Random(3)
    for number in range(4):
        position, memory = middle(rng, rules, rng.randrange(40))
        seat = int(position.turn)
        move = Searcher(kind, 12, number)(view(position, seat), memory)
        assert move in legal_moves(position, seat)
        other = with_other_hidden_cards(position, seat, rng)
        if memory.known == [0] * rules.seats and not memory.discarded:
            assert move == Searcher(kind, 12, number)(view(other, seat), memory)


def test_ge_plays_the_endgame_exactly() -> None:
    """
    Easy would open with the seven and lose the lead; with both hands known the ace wins.
    """
    position = parse_position("36/s/0/0:7h,As;1:8h,6c/0>1/-/seats=2")
    memory = Memory.at(view(position, None))
    memory.discarded = position.discard
    assert "0 attack 7h" == str(choose_honestly(view(position, 0)))
    assert "0 attack As" == str(Searcher("ge", 0, 1)(view(position, 0), memory))


def test_a_playout_ends_in_the_exact_value() -> None:
    """
    From the empty stock a playout is the solver's verdict: here 1 is the durak.
    """
    assert 1 == playout(parse_position("36/s/0/0:7h,As;1:8h,6c/0>1/-/seats=2"), Prover(10))


@pytest.mark.parametrize("name", ["sampling:0", "sampling:", "ismcts:x", "ismcts:99999999", "ge:5"])
def test_a_budget_that_is_none_is_told(name: str) -> None:
    """
    A slip of the pen is no player.
    """
    with pytest.raises(ValueError, match="there is no player"):
        make_player(name, 1)

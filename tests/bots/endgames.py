"""Endgames in which everything is known, for the bots that play them exactly."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from kozyr.bots.memory import Memory
from kozyr.core.cards import format_cards
from kozyr.core.codes import OVER
from kozyr.core.moves import Move
from kozyr.core.notation import parse_position
from kozyr.core.play import move_of, play
from kozyr.core.playout import choices
from kozyr.core.position import Position
from kozyr.core.views import View, view
from kozyr.search.asking import value
from kozyr.search.prover import Prover

Choose = Callable[[View, Memory | None], Move | None]


def remembering(position: Position) -> Memory:
    """
    Make the memory of somebody who has seen every card of the discard.
    """
    memory = Memory.at(view(position, None))
    memory.discarded = position.discard
    return memory


def loses_no_value(choose: Choose, seed: int) -> None:
    """
    Play endgames of two small hands: every move is worth as much as the best one, as the solver tells.
    """
    rng = Random(seed)
    prover = Prover(14)
    for _ in range(12):
        pack = rng.sample([suit * 16 + rank for suit in range(4) for rank in range(4, 13)], 8)
        hands = [format_cards(sorted(hand)).replace(" ", ",") for hand in (pack[:4], pack[4:])]
        position = parse_position(f"36/s/0/0:{hands[0]};1:{hands[1]}/0>1/-/seats=2")
        while position.phase != OVER:
            seat = int(position.turn)
            move = choose(view(position, seat), remembering(position))
            assert move is not None
            worth = {}
            for action in choices(position):
                child = position.copy()
                child.act(action)
                worth[move_of(position, action)] = value(prover, child, seat, 1_000_000)
            assert max(worth.values()) == worth[move]
            play(position, move)

"""What the expert's network looks at comes from a view and public events alone, in training as in play."""

from __future__ import annotations

from random import Random

import pytest

from kozyr.arena.selfplay import dealt
from kozyr.bots.memory import Memory
from kozyr.bots.seeing import moves_of, see
from kozyr.core.codes import OVER
from kozyr.core.events import seen_by
from kozyr.core.options import CHOICES, Rules, may_deal
from kozyr.core.play import move_of, play
from kozyr.core.playout import choices
from kozyr.core.terms import Terms
from kozyr.core.views import view
from kozyr.search.sight import Sight
from kozyr.search.told import Told

PLAY = [
    "throw_scope", "throw_priority", "first_limit", "first_limit_scope", "transfer", "show_transfer", "transfer_first_bout",
    "throw_on_take", "draw_order", "draws", "no_draw_durak",
]  # fmt: skip


def some_told(rng: Random) -> Told:
    """
    Deal a game at a table that the expert is trained at.
    """
    while True:
        deck, seats = rng.choice(CHOICES["deck"]), rng.choice(CHOICES["seats"])
        assert isinstance(deck, int) and isinstance(seats, int)
        if may_deal(deck, seats):
            rules = Rules.of({name: rng.choice(CHOICES[name]) for name in PLAY} | {"deck": deck, "seats": seats})
            return dealt(Terms(rules), deck, rng.randrange(1, 2**31 - 1))


@pytest.mark.parametrize("number", range(40))
def test_training_looks_at_what_a_view_and_the_memory_tell(number: int) -> None:
    """
    At every decision of a random game the bits made while training equal those made from the seat's view and the public memory.
    """
    rng = Random(number)
    told = some_told(rng)
    position = told.position
    memory = Memory.at(view(position, None))
    room = 1 if position.terms.seats == 2 else 5
    trained = Sight(room)
    while position.phase != OVER:
        seat = int(position.turn)
        told.show_to(trained)
        seen = see(view(position, seat), memory, seat, room)
        assert (trained.words(), trained.moves()) == (seen.words(), seen.moves())
        assert moves_of(trained, view(position, seat), seat) == moves_of(seen, view(position, seat), seat)
        action = rng.choice([each for each in choices(position) if each < 192])
        twin = position.copy()
        for event in play(twin, move_of(position, action)):
            memory.see(seen_by(event, None))
        told.act(action)

"""The move that the clock plays for a seat out of time."""
from __future__ import annotations

from kozyr.core.cards import cards_in
from kozyr.core.codes import CHALLENGE, DEFENCE, OPENING
from kozyr.core.judge import may_pass, waiting_for
from kozyr.core.moves import Move
from kozyr.core.position import Position

SUIT_ORDER = (3, 2, 1, 0)  # s h d c


def default_move(position: Position, seat: int) -> Move | None:
    """
    Return the default move of a seat, or None if the game is not waiting for it.

    OPENING: the lowest plain card, else the lowest trump; among equal ranks the first suit in the order s h d c. The defender
    takes, others pass or accept.

    Source: R16.2.
    """
    if not waiting_for(position) >> seat & 1:
        return None
    if position.phase == OPENING:
        return Move(seat, "attack", (lowest_plain(position, seat),))
    if position.phase == DEFENCE:
        return Move(seat, "take")
    if position.phase == CHALLENGE:
        return Move(seat, "accept")
    return Move(seat, "pass") if may_pass(position, seat) else None


def lowest_plain(position: Position, seat: int) -> int:
    """Return the lowest plain card of a hand, else its lowest trump."""

    def cost(card: int) -> tuple[bool, int, int]:
        return (position.trumps >> card & 1 == 1, card & 15, SUIT_ORDER.index(card >> 4))

    return min(cards_in(position.hands[seat]), key=cost)

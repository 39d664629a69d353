"""How long a seat has to decide, and what starts its time anew. Pure; the due time is kept in the log's fold."""
from __future__ import annotations

from collections.abc import Iterable

from kozyr.core.codes import CHALLENGE, DEFENCE, FLOOR_OPEN, OPENING, OVER, THROW_IN
from kozyr.core.events import Beaten, Challenged, Event, Returned, Showed, Transferred
from kozyr.core.options import Rules
from kozyr.core.position import Position

THROW_IN_MS = 6000
"""The most that all together have to throw in or pass."""

GRACE_MS = 2000
"""What a seat gets on top whose connection was lost while its clock ran."""

DEFENCES = (Beaten, Transferred, Showed)

LAPSES = 3
"""So many lapses in a row are a forfeit."""


def clock_ms(rules: Rules, position: Position) -> int | None:
    """
    Return how long the clock of a position's phase runs, in milliseconds; None where none runs.

    Source: R14.5, R16.1.
    """
    phase = position.phase
    if phase == OVER:
        return None
    if phase == CHALLENGE:
        return rules.challenge_ms
    if not rules.turn_s:
        return None
    turn_ms = rules.turn_s * 1000
    return turn_ms if phase in (OPENING, DEFENCE) else min(turn_ms, THROW_IN_MS)


def restarts(before: Position, after: Position, happened: Iterable[Event]) -> bool:
    """
    Say whether what happened starts the clock anew.

    A new phase or bout does. The defender's clock restarts with a beat or a transfer, never with a throw-in; the one for throwing in
    when passes are cleared or the floor opens; the one for challenges when a card has been judged.

    Source: R5.4, R5.5, R14.5, R16.1.
    """
    phase = after.phase
    if phase != before.phase or after.bout_no != before.bout_no:
        return True
    if phase == DEFENCE:
        return has_any(happened, DEFENCES)
    if phase == CHALLENGE:
        return has_any(happened, (Challenged,))
    if phase >= THROW_IN and phase != OVER and after.rights & ~before.rights & FLOOR_OPEN:
        return True
    return has_any(happened, (Returned,))


def has_any(happened: Iterable[Event], kinds: tuple[type, ...]) -> bool:
    """Say whether something of these kinds has happened."""
    for event in happened:  # noqa: SIM110  # each move comes by here, and a generator takes as long as all the rest
        if isinstance(event, kinds):
            return True
    return False


def lapses_after(lapses: tuple[int, ...], seat: int, by: str, kind: str, was_turn: bool) -> tuple[int, ...]:
    """
    Count a seat's lapses in a row after a move.

    Only where the game waited for it to attack or to defend: *was_turn*. A move of the player's own ends the row, but not a pass or
    an acceptance, which a client may make by itself.

    Source: R5.7, R16.2.
    """
    if by == "clock":
        count = lapses[seat] + 1 if was_turn else lapses[seat]
    elif by == "player" and kind not in ("pass", "accept"):
        count = 0
    else:
        count = lapses[seat]
    return lapses if count == lapses[seat] else (*lapses[:seat], count, *lapses[seat + 1 :])

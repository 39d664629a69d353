"""Worlds: positions that a view allows, with a guess at what its seat cannot see."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kozyr.core import FORM
from kozyr.core.building import Setting, place
from kozyr.core.cards import cards_in
from kozyr.core.position import Position
from kozyr.core.views import View

GAMES = {"compiled": 200, "interpreted": 20}[FORM]
"""Games of one step of a look ahead, shared among the moves: a look takes some hundredths of a second compiled, some tenths else."""

FAR_NODES = {"compiled": 20_000, "interpreted": 200}[FORM]
"""Nodes that tell an endgame to which a move of a known one is played on: some hundredths of a second for all moves compiled, more else."""


def world_of(view: View, hands: Sequence[int], stock: Sequence[int]) -> Position:
    """
    Build the position of a view in which the other seats hold *hands* (masks by seat) and *stock* lies to be drawn, the turned card last.

    What came before the present bout is not known to a view: for the rule on repetitions it is a fresh start. A cheating table is taken
    for an honest one from here on.

    Raises: ValueError where the guess cannot be, or the game is over.
    """
    out = sorted((one.place, seat) for seat, one in enumerate(view.seats) if one.place is not None)
    if view.attacker is None or view.phase in ("CHALLENGE", "OVER"):
        raise ValueError(f"nothing is played in the phase {view.phase}")
    return place(
        Setting(
            rules=replace(view.rules, cheat=False) if view.rules.cheat else view.rules,
            trump=view.trump,
            hands=tuple(view.hand if seat == view.seat else tuple(cards_in(hand)) for seat, hand in enumerate(hands)),
            attacker=view.attacker,
            stock=tuple(stock),
            bout=tuple((pair.attack, pair.by, pair.beat) for pair in view.bout),
            defender=view.defender,
            phase=view.phase,
            opener=view.opener,
            joined=view.joined,
            out=tuple(seat for _, seat in out),
            limit=view.limit,
            bout_no=view.bout_no,
            passed=tuple(seat for seat, one in enumerate(view.seats) if one.has_passed),
            floor_open=view.floor_open,
            transfer_lost=view.transfer_lost,
            shown=tuple(seat for seat, one in enumerate(view.seats) if one.has_shown),
            dealer=view.dealer,
        )
    )

"""
What bots do at cheating tables: now and then slip a card, and notice some of what others slip, at rates that are data.

All that is judged lies open: the memory knows of every card in the bout whether it was lawful when it was played (R14.3). Whether a bot
slips or notices is decided by a hash of what lies open and its own hand, the same however often it is asked.
"""
from __future__ import annotations

import json
from functools import cache
from typing import NamedTuple
from zlib import crc32

from kozyr.bots.memory import Memory
from kozyr.core.cards import beaters
from kozyr.core.moves import Move
from kozyr.core.views import View
from kozyr.damage import Damaged, read_data

RATES = "cheating.json"


class RatesError(Damaged, ValueError):
    """A file of rates that cannot be used, and why."""


class Rates(NamedTuple):
    """How often a level slips a card where it would have to take or pass, and how often it notices an unlawful card."""

    slip: float
    catch: float


def parse_rates(text: str) -> dict[str, Rates]:
    """
    Read the rates of every level.

    Raises: RatesError for what is no file of rates.
    """
    try:
        rates = {level: Rates(float(each["slip"]), float(each["catch"])) for level, each in json.loads(text).items()}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise RatesError(f"no file of rates: {error!r}") from None
    for level, each in rates.items():
        if not all(0 <= rate <= 1 for rate in each):
            raise RatesError(f"the rates of {level} are not between 0 and 1")
    return rates


@cache
def rates_of_levels() -> dict[str, Rates]:
    """
    Read the rates that come with the package.

    Raises: Damaged, of which RatesError is one, that names the file.
    """
    file, data = read_data("kozyr.bots", RATES)
    try:
        return parse_rates(data.decode())
    except ValueError as error:
        raise RatesError(f"{file}: {error}") from None


def rates_of(level: str) -> Rates:
    """
    Return the rates of a level.

    Raises: Damaged where there are none.
    """
    rates = rates_of_levels().get(level)
    if rates is None:
        raise RatesError(f"{RATES} has no rates of {level}")
    return rates


def at_cheating_table(level: str, view: View, memory: Memory | None, honest: Move | None) -> Move | None:
    """
    Return what a level does instead of its honest choice; that choice at honest tables and without a memory.

    Source: R14.1, R14.2.

    Raises: Damaged where the rates are missing or broken.
    """
    if not view.rules.cheat or memory is None or honest is None:
        return honest
    rates = rates_of(level)
    if view.phase == "CHALLENGE":
        caught = [move for move in view.legal if move.kind == "challenge" and memory.unlawful >> move.cards[0] & 1]
        return next((move for move in caught if chance(view, memory, move.cards[0]) < rates.catch), honest)
    if honest.kind in ("take", "pass") and chance(view, memory, *view.hand) < rates.slip:
        return slip(view) or honest
    return honest


def slip(view: View) -> Move | None:
    """
    Find an unlawful card worth a try: a lower card of the suit for the only unbeaten one, or the lowest plain card thrown in.

    Source: R14.2.
    """
    trumps = 0x1FFF << 16 * view.trump
    unbeaten = [pair.attack for pair in view.bout if pair.beat is None]
    found = []
    for move in view.legal:
        card = move.cards[-1] if move.cards else -1
        if move.kind == "beat" and len(unbeaten) == 1 and not trumps >> card & 1 and card >> 4 == unbeaten[0] >> 4:
            if not int(beaters(unbeaten[0], trumps)) >> card & 1:
                found.append(move)
        elif move.kind == "attack" and len(move.cards) == 1 and not trumps >> card & 1:
            found.append(move)
    return min(found, key=lambda move: (move.cards[-1] & 15, move.cards[-1]), default=None)


def chance(view: View, memory: Memory, *cards: int) -> float:
    """Draw a number from 0 to 1 that depends on the seat, the bout, what has been discarded, and some cards."""
    return crc32(repr((view.seat, view.bout_no, view.dealer, view.stock, memory.discarded, cards)).encode()) / 2**32

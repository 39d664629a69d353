"""`kozyr bench`: the engine's speed on this machine."""
from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter, validators

from kozyr.cli.trouble import Trouble
from kozyr.core import FORM
from kozyr.core.options import Rules, may_deal
from kozyr.core.playout import play_games, time_assign
from kozyr.core.terms import Terms

DECK = 36
GAMES = {"compiled": 20_000, "interpreted": 300}
COPIES = 50  # for each game
SEED = 12345

Count = Annotated[int, Parameter(validator=validators.Number(gte=1, lte=10_000_000))]


@dataclass(frozen=True, slots=True)
class Speed:
    """Random turn-by-turn play and copying by CPU time; `copy_ns` copies a position into a waiting one."""

    games_s: float
    action_ns: float
    actions: float
    copy_ns: float


def bench(*, seats: Annotated[list[int] | None, Parameter(negative="")] = None, games: Count | None = None, repeat: Count = 5) -> int:
    """
    Measure the engine on this machine: random play of honest transfer games with 36 cards, turn by turn, and copying.

    Times are CPU times of one core, the median of several runs.

    Parameters
    ----------
    seats
        Table sizes to measure; without it 2 and 4.
    games
        How many games a run plays.
    repeat
        How many runs there are.
    """
    sizes = seats or [2, 4]
    for size in sizes:
        if not may_deal(DECK, size):
            raise Trouble(f"no table has {size} seats")
    print(f"engine {FORM}, {DECK} cards, transfer")
    for size in sizes:
        speed = measure(size, games or GAMES[FORM], repeat)
        print(
            f"{size} seats: {speed.games_s:,.0f} games a CPU-second, {speed.action_ns:,.0f} ns an action, "
            f"{speed.actions:.1f} actions a game, {speed.copy_ns:,.1f} ns a copy",
            flush=True,
        )
    return 0


def measure(seats: int, games: int, repeat: int) -> Speed:
    """Time random games and copies, *repeat* times each, and take medians."""
    terms = terms_of(seats)
    actions = int(play_games(terms, DECK, games, SEED)[0])
    play_s = statistics.median(cpu_s(lambda: play_games(terms, DECK, games, SEED)) for _ in range(repeat))
    copy_s = statistics.median(cpu_s(lambda: time_assign(terms, DECK, games * COPIES)) for _ in range(repeat))
    return Speed(games / play_s, play_s / actions * 1e9, actions / games, copy_s / (games * COPIES) * 1e9)


def terms_of(seats: int) -> Terms:
    """Give the rules that are measured."""
    return Terms(Rules(deck=DECK, seats=seats, pace="turns", transfer=True))


def cpu_s(work: Callable[[], object]) -> float:
    """Time some work, in seconds of this process's CPU."""
    began = time.process_time()
    work()
    return max(time.process_time() - began, 1e-9)

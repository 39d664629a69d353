"""Of what kind the worlds are: how many tables of which games, how fast it all goes."""

from __future__ import annotations

import random
from dataclasses import dataclass

from kozyr.app.bot_seats import Pause
from kozyr.core.options import CHOICES, OptionError, Rules, Value

STAKE = 50
LONG_GAMES = 0.15
"""So many of the tables of a quick world have any deck and any number of seats."""


@dataclass(frozen=True)
class Shape:
    """
    The shape of a world.

    People play at `tables`, only bots at `of_bots` others. People begin new games for `play_s` seconds, and something goes wrong every
    `trouble_s` seconds; both are drawn between two bounds. `slowness_s` are the mean times that people take to decide.
    """

    tables: int
    of_bots: int
    play_s: tuple[float, float]
    trouble_s: tuple[float, float]
    pause: Pause
    slowness_s: tuple[float, ...]
    is_quick: bool


LONG = Shape(14, 10, (40, 120), (1, 25), Pause(250, 150), (0.05, 0.1, 0.2, 0.8), is_quick=False)
"""Games of all lengths, at a pace nearer to life."""

QUICK = Shape(8, 60, (10, 30), (0.3, 6), Pause(60, 40), (0.02, 0.05, 0.1, 0.3), is_quick=True)
"""Many short games: small packs, few seats, quick players, and as much trouble in a game as in a long one."""

SMALL = Shape(3, 1, (10, 30), (0.3, 6), Pause(60, 40), (0.02, 0.05, 0.1, 0.3), is_quick=True)
"""A world to look at."""

LONG_EVERY = 50


def shape_of(seed: int) -> Shape:
    """Choose the shape of a seed's world."""
    return LONG if seed % LONG_EVERY == 0 else QUICK


def some_rules(chance: random.Random, shape: Shape, *, is_for_bots: bool = False) -> Rules:
    """Choose options of all kinds that go together."""
    while True:
        options = some_options(chance, is_short=shape.is_quick and chance.random() > LONG_GAMES)
        if not is_for_bots and chance.random() < 0.3:
            options["stake"] = STAKE
        # Without a clock only somebody who comes to the table makes a new process go on with it.
        if options.get("turn_s") == 0 and (is_for_bots or "stake" in options):
            continue
        try:
            return Rules.of(options)
        except OptionError:
            continue


def some_options(chance: random.Random, *, is_short: bool) -> dict[str, Value]:
    """Draw options, short games more often than the choices are."""
    options = {name: chance.choice(values) for name, values in CHOICES.items() if chance.random() < 0.4 and name != "seats"}
    options["seats"] = chance.choice((2, 2, 3, 3, 4, 4, 5, 6))
    options["cheat"] = chance.random() < 0.3
    if is_short:
        options["deck"], options["seats"] = 24, chance.choice((2, 2, 2, 2, 3, 3, 4))
        options["turn_s"] = chance.choice((15, 15, 30))
    if is_short or chance.random() < 0.8:
        options["challenge_ms"] = chance.choice((500, 500, 1500))
    if options.get("series"):
        options["series_games"] = 2
    return options

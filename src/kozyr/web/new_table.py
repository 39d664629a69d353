"""What a new table may be: the choices on the screen, and the check of what was chosen."""
from __future__ import annotations

from functools import cache

from kozyr.app.events import BOT, Player
from kozyr.bots import LEVELS
from kozyr.core.options import CHOICES, RANGES, STAKE_MIN, OptionError, Rules, may_deal
from kozyr.core.presets import ADVANCED, LIBRARY, MAIN, PRESETS, preset_rules
from kozyr.web.guard import Refused
from kozyr.wire import http

GROUPS = (("main", MAIN), ("advanced", ADVANCED), ("library", LIBRARY))


@cache
def choices() -> http.Choices:
    """List presets, options and what cannot be dealt."""
    presets = [http.Preset(name, dict(preset.values), list(preset.change)) for name, preset in PRESETS.items()]
    options = [option(name, group) for group, names in GROUPS for name in names]
    undealable = [
        http.Undealable(deck, seats)
        for deck in CHOICES["deck"]
        for seats in CHOICES["seats"]
        if isinstance(deck, int) and isinstance(seats, int) and not may_deal(deck, seats)
    ]
    return http.Choices(presets, options, undealable, list(LEVELS))


def option(name: str, group: str) -> http.Option:
    """Describe an option."""
    default = Rules().to_dict()[name]
    if name in RANGES:
        least, most = RANGES[name]
        return http.Option(name, group, default, least=least, most=most)
    if name == "forfeit":
        # Without a value it follows from stake and seats (R16.3).
        return http.Option(name, group, "", values=list(CHOICES[name]))
    return http.Option(name, group, default, values=list(CHOICES[name]))


def rules_of(new: http.NewTable) -> Rules:
    """
    Build the rules of a new table.

    Raises: Refused with the code and the option.
    """
    try:
        rules = preset_rules(new.preset, dict(new.options))
    except OptionError as error:
        raise Refused(422, error.code, error.option) from None
    if 0 < rules.stake < STAKE_MIN:
        raise Refused(422, "bad_value", "stake")
    if not rules.turn_s and (rules.stake or not new.private):
        # Only friends may wait for each other without end (R16.1).
        raise Refused(422, "not_together", "turn_s")
    if rules.stake and rules.forfeit == "autopilot":
        # No bot plays for coins, nor instead of somebody who has left.
        raise Refused(422, "not_together", "forfeit")
    return rules


def players_of(new: http.NewTable, rules: Rules, first: Player) -> list[Player | None]:
    """
    Seat the guest at seat 0 and bots at the others, or nobody.

    Raises: Refused for bots that there are not, or that may not sit there.
    """
    levels = [None if rules.stake else "easy"] * (rules.seats - 1) if new.bots is None else new.bots
    if len(levels) != rules.seats - 1 or not {level for level in levels if level is not None} <= set(LEVELS):
        raise Refused(422, "bad_bots", "bots")
    if rules.stake and any(level is not None for level in levels):
        raise Refused(422, "bots_at_stake", "stake")
    bots = [None if level is None else Player(f"Bot {seat}", BOT, level=level) for seat, level in enumerate(levels, 1)]
    return [first, *bots]

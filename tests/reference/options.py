"""
The options of a game and what they are when nobody sets them.

Source: rules, part 2.
"""

from __future__ import annotations

from typing import Any

Options = dict[str, Any]

VALUES: dict[str, tuple[Any, ...]] = {
    "deck": (36, 24, 52),
    "no_trump": ("lot", "left_of_dealer", "lowest_card", "redeal"),
    "throw_scope": ("all", "neighbours", "attacker"),
    "throw_priority": ("free", "attacker_first"),
    "pace": ("open", "turns"),
    "multi_attack": (False, True),
    "first_limit": (5, 6),
    "first_limit_scope": ("until_beaten", "first_bout"),
    "transfer": (False, True),
    "multi_transfer": (False, True),
    "show_transfer": (False, True),
    "transfer_first_bout": (True, False),
    "throw_on_take": (True, False),
    "draw_order": ("clockwise", "joined"),
    "draws": (True, False),
    "no_draw_durak": ("defender", "last_thrower"),
    "cheat": (False, True),
    "penalty": ("take_bout", "rollback"),
    "caught_bar": (True, False),
    "split": ("linear", "winner", "equal"),
}
DEFAULTS: Options = {name: values[0] for name, values in VALUES.items()} | {"stake": 0}
# What concerns a table, its clocks or a series, and changes nothing within one game that is dealt.
OUTSIDE_A_GAME = ("redeal", "series", "series_first", "series_games", "challenge_ms", "turn_s", "timeout", "forfeit")


def may_be_opened(deck: int, seats: int) -> bool:
    """
    Say whether a table of this deck and number of seats may be opened.

    Source: R1.2.
    """
    return 2 <= seats <= (4 if deck == 24 else 6) and 6 * seats <= deck


def complete(options: Options, seats: int) -> Options:
    """
    Fill in the defaults, and refuse what is no option.
    """
    whole = DEFAULTS | {"seats": seats} | options
    for name, value in whole.items():
        if name in VALUES and value not in VALUES[name]:
            raise ValueError(f"{name} has no value {value!r}")
        if name not in VALUES and name not in ("seats", "stake", *OUTSIDE_A_GAME):
            raise ValueError(f"no option {name!r}")
    if whole["seats"] != seats:
        raise ValueError(f"{whole['seats']} seats in the options, {seats} hands")
    return whole

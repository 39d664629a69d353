"""The presets of the create screen: option values, and which of them a player may still change."""
from __future__ import annotations

from dataclasses import dataclass

from kozyr.core.options import OptionError, Rules, Value

MAIN = ("deck", "seats", "throw_scope", "transfer", "draws", "cheat", "stake", "turn_s", "series")
ADVANCED = (
    "first_limit", "first_limit_scope", "throw_on_take", "draw_order", "throw_priority", "multi_attack", "transfer_first_bout",
    "multi_transfer", "show_transfer", "no_draw_durak", "penalty", "series_games", "series_first", "redeal", "no_trump", "timeout",
    "forfeit", "split",
)  # fmt: skip
LIBRARY = ("pace", "challenge_ms", "caught_bar")
ON_SCREEN = MAIN + ADVANCED


@dataclass(frozen=True, slots=True)
class Preset:
    """Values that differ from the defaults, and the options that a player may change."""

    values: dict[str, Value]
    change: tuple[str, ...]


_FOUR: dict[str, Value] = {"deck": 36, "seats": 4, "throw_scope": "all", "draws": True, "stake": 0}

PRESETS: dict[str, Preset] = {
    "throw_in": Preset({**_FOUR, "transfer": False, "first_limit": 6}, ("seats", "turn_s", "series", "series_games", "forfeit")),
    "transfer": Preset({**_FOUR, "transfer": True, "first_limit": 6, "draw_order": "joined"}, ("seats", "turn_s", "forfeit")),
    "classic": Preset({**_FOUR, "transfer": False, "first_limit": 6, "series": True}, ("seats", "turn_s", "series_games", "forfeit")),
    "peak": Preset(
        {**_FOUR, "transfer": True, "first_limit": 5, "first_limit_scope": "until_beaten", "cheat": False, "penalty": "take_bout",
         "split": "linear", "series_first": "left_of_last_defender"},
        ("deck", "seats", "throw_scope", "transfer", "draws", "cheat", "stake", "turn_s"),
    ),
    "cheating": Preset(
        {**_FOUR, "transfer": True, "first_limit": 5, "cheat": True, "penalty": "take_bout"},
        ("deck", "seats", "throw_scope", "transfer", "draws", "penalty", "stake", "turn_s"),
    ),
    "heads_up_24": Preset(
        {"deck": 24, "seats": 2, "throw_scope": "all", "transfer": True, "first_limit": 5, "draws": True, "stake": 0}, ON_SCREEN
    ),
    "custom": Preset({}, ON_SCREEN),
}  # fmt: skip
"""By name, as on the create screen; their titles are in the catalogue of each language."""


def preset_rules(name: str, changes: dict[str, object]) -> Rules:
    """
    Build the rules of a preset with a player's changes.

    Raises: OptionError `unknown_preset` or `not_changeable`, or as `Rules` says.
    """
    if name not in PRESETS:
        raise OptionError("unknown_preset", "preset", name)
    preset = PRESETS[name]
    for option in changes:
        if option not in preset.change and (option not in preset.values or preset.values[option] != changes[option]):
            raise OptionError("not_changeable", option, changes[option])
    return Rules.of({**preset.values, **changes})

"""The options of a table: one frozen value, checked when it is built, so that a table that cannot be dealt cannot exist."""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields

Value = int | bool | str

DECKS = (36, 24, 52)
STAKE_MIN, STAKE_MAX = 10, 10_000

CHOICES: dict[str, tuple[Value, ...]] = {
    "deck": DECKS,
    "seats": (2, 3, 4, 5, 6),
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
    "redeal": ("off", "auto_5"),
    "no_trump": ("lot", "left_of_dealer", "lowest_card", "redeal"),
    "series": (False, True),
    "series_first": ("lowest_trump", "left_of_last_defender", "attack_durak", "left_of_durak", "durak", "winner"),
    "split": ("linear", "winner", "equal"),
    "turn_s": (30, 15, 60, 120, 0),
    "timeout": ("auto", "forfeit"),
    "forfeit": ("", "end_game", "autopilot"),
}
"""Options with few values, the default first. `turn_s` 0 is off; an empty `forfeit` is settled by stake and seats (R16.3)."""

RANGES: dict[str, tuple[int, int]] = {"stake": (0, STAKE_MAX), "series_games": (0, 1000), "challenge_ms": (500, 60_000)}
"""Options that are numbers: least and most."""


class OptionError(ValueError):
    """An option set that no table can have; `code` is stable and the key of its translation."""

    def __init__(self, code: str, option: str, value: object) -> None:
        super().__init__(f"{code}: {option} = {value!r}")
        self.code = code
        self.option = option
        self.value = value


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """
    The options of one game.

    `stake` is in coins, `turn_s` in seconds (0: no clock), `challenge_ms` in milliseconds, `series_games` 0 is open-ended.

    Raises: OptionError `bad_value`, `undealable` or `not_together`.

    Source: rules, part 2; R1.2, R1.3.
    """

    deck: int = 36
    seats: int = 2
    throw_scope: str = "all"
    throw_priority: str = "free"
    pace: str = "open"
    multi_attack: bool = False
    first_limit: int = 5
    first_limit_scope: str = "until_beaten"
    transfer: bool = False
    multi_transfer: bool = False
    show_transfer: bool = False
    transfer_first_bout: bool = True
    throw_on_take: bool = True
    draw_order: str = "clockwise"
    draws: bool = True
    no_draw_durak: str = "defender"
    cheat: bool = False
    penalty: str = "take_bout"
    caught_bar: bool = True
    redeal: str = "off"
    no_trump: str = "lot"
    series: bool = False
    series_games: int = 0
    series_first: str = "lowest_trump"
    stake: int = 0
    split: str = "linear"
    turn_s: int = 30
    challenge_ms: int = 3000
    timeout: str = "auto"
    forfeit: str = ""

    def __post_init__(self) -> None:
        for field in fields(self):
            _check_value(field.name, getattr(self, field.name))
        if not may_deal(self.deck, self.seats):
            raise OptionError("undealable", "seats", self.seats)
        if self.series and self.stake:
            raise OptionError("not_together", "series", self.stake)
        if not self.forfeit:
            object.__setattr__(self, "forfeit", "end_game" if self.stake or self.seats == 2 else "autopilot")

    @classmethod
    def of(cls, words: Mapping[str, object]) -> Rules:
        """
        Build rules from options by name; what is not named has its default.

        Raises: OptionError `unknown_option`, or as the class says.
        """
        known = {field.name for field in fields(cls)}
        for name in words:
            if name not in known:
                raise OptionError("unknown_option", name, words[name])
        return cls(**words)  # type: ignore[arg-type]  # every value is checked in __post_init__

    def to_dict(self) -> dict[str, Value]:
        """Return every option by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def differences(self) -> dict[str, Value]:
        """Return the options that differ from their defaults, `seats` and `deck` always among them."""
        plain = Rules(seats=self.seats, deck=self.deck, stake=self.stake)
        same = {name for name, value in plain.to_dict().items() if name not in ("deck", "seats", "stake") and getattr(self, name) == value}
        return {name: value for name, value in self.to_dict().items() if name not in same and (name != "stake" or value)}


def format_options(options: Mapping[str, Value]) -> str:
    """Write options as `deck=36,transfer=true`."""
    return ",".join(f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in options.items())


def parse_options(text: str) -> dict[str, Value]:
    """
    Read options such as `deck=36,transfer=true`; whether they make sense, `Rules.of` says.

    Raises: ValueError for a text that is no list of options.
    """
    options: dict[str, Value] = {}
    for item in text.split(",") if text else ():
        name, equals, word = item.partition("=")
        if not equals or name in options:
            raise ValueError(f"{item!r} is no option, or comes twice: an option is name=value")
        options[name] = parse_value(word)
    return options


def parse_value(word: str) -> Value:
    """Read the value of an option: `true`, `false`, a number or a word."""
    if word in ("true", "false"):
        return word == "true"
    return int(word) if re.fullmatch("0|[1-9][0-9]{0,5}", word) else word


def may_deal(deck: int, seats: int) -> bool:
    """
    Say whether a deck gives six cards to every seat.

    Source: R1.2.
    """
    return deck in DECKS and 2 <= seats <= 6 and 6 * seats <= deck


def _check_value(name: str, value: object) -> None:
    if name in CHOICES:
        # True equals 1 and 5.0 equals 5 in Python: an option's type counts too.
        if not any(type(choice) is type(value) and choice == value for choice in CHOICES[name]):
            raise OptionError("bad_value", name, value)
        return
    least, most = RANGES[name]
    if type(value) is not int or not least <= value <= most:
        raise OptionError("bad_value", name, value)

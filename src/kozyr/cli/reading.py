"""What commands read: positions, views, options; with what is wrong with them in words."""
from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, TypeVar

from cyclopts import Parameter

from kozyr.cli.trouble import Trouble
from kozyr.core.notation import LENGTH_MAX, parse_position
from kozyr.core.options import CHOICES, RANGES, OptionError, Rules, Value, parse_options, parse_value
from kozyr.core.playout import random_deal
from kozyr.core.position import Position
from kozyr.core.presets import PRESETS, preset_rules
from kozyr.core.terms import Terms

START = "start:"
SEED_MAX = 2**31 - 2
"""Seeds of a quick deal are states of the engine's own generator: 1 to this."""

Switch = Annotated[bool, Parameter(negative="")]
"""An option that is there or not."""

Line = Annotated[str, Parameter(allow_leading_hyphen=True)]
"""A line of text, or `-` for standard input."""

Result = TypeVar("Result")


def read(what: str, parse: Callable[[str], Result], text: str) -> Result:
    """Parse what somebody typed. Raises: Trouble."""
    try:
        return parse(text)
    except OptionError as error:
        raise Trouble(f"{what}: {explain(error)}") from None
    except ValueError as error:
        raise Trouble(f"{what}: {error}") from None


def read_position(text: str) -> Position:
    """
    Read a position line, or `start:` and options for one that is dealt anew: `start:deck=36,seats=2,seed=1`.

    Raises: Trouble.
    """
    return read("position", _start if text.startswith(START) else parse_position, text)


def argument(text: str) -> str:
    """Return an argument, or the first line of standard input for `-`. Raises: Trouble."""
    if text != "-":
        return text
    try:
        return sys.stdin.readline(LENGTH_MAX + 2).strip()
    except UnicodeDecodeError:
        raise Trouble("standard input is no text") from None


def read_text(size_max: int) -> str:
    """Read all of standard input. Raises: Trouble."""
    try:
        text = sys.stdin.read(size_max + 1)
    except UnicodeDecodeError:
        raise Trouble("standard input is no text") from None
    if len(text) > size_max:
        raise Trouble(f"standard input is too big: {size_max} characters at most")
    return text


def read_file(path: Path, size_max: int) -> str:
    """Read a text file, whatever editor has saved it: with a mark at its beginning, with line ends of Windows. Raises: Trouble."""
    try:
        with path.open("rb") as file:
            read = file.read(size_max + 1)
        if len(read) > size_max:
            raise Trouble(f"{path} is too big: {size_max} bytes at most")
        if b"\0" in read:
            raise Trouble(f"{path} is no text")
        return read.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise Trouble(f"{path} is no text") from None


def read_rules(preset: str | None, words: Mapping[str, Value], more: list[str]) -> Rules:
    """Build the rules of a table from a preset, options with switches of their own, and others as `name=value`. Raises: Trouble."""
    changes: dict[str, object] = dict(words)
    for item in more:
        name, equals, word = item.partition("=")
        if not equals:
            raise Trouble(f"options: {item!r} is not name=value")
        changes[name] = parse_value(word)
    try:
        return Rules.of(changes) if preset is None else preset_rules(preset, changes)
    except OptionError as error:
        raise Trouble(f"options: {explain(error)}") from None


def explain(error: OptionError) -> str:
    """Say in words what is wrong with an option."""
    option, value = error.option, _word(error.value)
    match error.code:
        case "unknown_option":
            return f"there is no option {option!r}; there are {', '.join(field.name for field in fields(Rules))}"
        case "unknown_preset":
            return f"there is no preset {value!r}; there are {', '.join(PRESETS)}"
        case "not_changeable":
            return f"this preset does not let {option} be {value}"
        case "undealable":
            return f"the deck does not give six cards to each of {value} seats"
        case "not_together":
            return "a series is played without a stake"
    if option in RANGES:
        return f"{option} cannot be {value}: it is a number from {RANGES[option][0]} to {RANGES[option][1]}"
    return f"{option} cannot be {value}: it is one of {', '.join(_word(choice) for choice in CHOICES[option] if choice != '')}"


def _start(text: str) -> Position:
    options = parse_options(text[len(START) :])
    seed = options.pop("seed", 1)
    if type(seed) is not int or not 1 <= seed <= SEED_MAX:
        raise ValueError(f"a seed is a number from 1 to {SEED_MAX}")
    rules = Rules.of(options)
    return random_deal(Terms(rules), rules.deck, seed)


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

"""Reading the parts of a record from JSON, with an error that says where the bad part stands."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import TypeVar

from kozyr.fair.commit import PROTOCOL, game_bytes

Word = TypeVar("Word", bound=StrEnum)


def fields(value: object, where: str, required: Collection[str], optional: Collection[str] = ()) -> Mapping[str, object]:
    """Read an object that has all *required* keys and no key that is not named."""
    if not isinstance(value, dict):
        raise ValueError(f"{where}: an object expected, not {_short(value)}")
    for key in required:
        if key not in value:
            raise ValueError(f"{where}: {key} is missing")
    for key in value:
        if key not in required and key not in optional:
            raise ValueError(f"{where}: {_short(key)} is unknown")
    return value


def sequence(value: object, where: str) -> list[object]:
    """Read an array."""
    if not isinstance(value, list):
        raise ValueError(f"{where}: an array expected, not {_short(value)}")
    return value


def text(value: object, where: str) -> str:
    """Read a game's id."""
    if not isinstance(value, str):
        raise ValueError(f"{where}: text expected, not {_short(value)}")
    game_bytes(value)
    return value


def hexadecimal(value: object, length: int, where: str) -> bytes:
    """Read *length* bytes as lower-case hexadecimal digits, the one way in which they are written."""
    if not isinstance(value, str) or len(value) != 2 * length or not set(value) <= set("0123456789abcdef"):
        raise ValueError(f"{where}: {2 * length} hexadecimal digits (0-9, a-f) expected, not {_short(value)}")
    return bytes.fromhex(value)


def choice(value: object, words: type[Word], where: str) -> Word:
    """Read one of the *words* of an enum."""
    for word in words:
        if word == value:
            return word
    raise ValueError(f"{where}: one of {', '.join(words)} expected, not {_short(value)}")


def protocol(value: object) -> None:
    """Accept only records of the protocol that this package knows."""
    if value != PROTOCOL:
        raise ValueError(f"protocol: {PROTOCOL} expected, not {_short(value)}")


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."

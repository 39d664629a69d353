"""Names of people: which there may be, and which of them look alike."""
from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from kozyr.app import abuse
from kozyr.app.lookalikes import PUNCTUATION, skeleton, words_of

LENGTH_MAX = 24

ALPHABETS: Final = (
    ("latin", ((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x24F), (0x259, 0x259), (0x1E00, 0x1EFF))),
    ("greek", ((0x370, 0x373), (0x376, 0x377), (0x37B, 0x37D), (0x386, 0x386), (0x388, 0x3FF), (0x1F00, 0x1FFC))),
    ("cyrillic", ((0x400, 0x481), (0x48A, 0x52F))),
    ("armenian", ((0x531, 0x556), (0x561, 0x587))),
    ("georgian", ((0x10D0, 0x10FA),)),
)
"""The letters of alphabets some of whose letters look like those of another."""

SCRIPTS: Final = (
    *ALPHABETS,
    ("hebrew", ((0x5D0, 0x5EA),)),
    ("arabic", ((0x620, 0x63F), (0x641, 0x64A), (0x66E, 0x6D3))),
    ("east asian", ((0x3005, 0x3005), (0x3041, 0x3096), (0x30A1, 0x30FC), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3))),
)
ACCENTS: Final = (0x300, 0x36F)

NO_NAMES: Final = ("guest", "гость", "qonaq", "misafir", "svecias", "svečias", "ospite")
"""What people are called who have not said their names: nobody's account."""


class BadName(Exception):
    """A text that is no name; `about` says why: `empty`, `long`, `letters`, `mixed`, `abuse` or `reserved`."""

    def __init__(self, about: str) -> None:
        super().__init__(about)
        self.about = about


def parse_name(text: str) -> str:
    """
    Tidy a name: composed characters, single spaces, none around it.

    Raises: BadName.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    about = fault_of(name)
    if about is not None:
        raise BadName(about)
    return name


def fault_of(name: str) -> str | None:
    """Say what is wrong with a tidy name, if anything is."""
    if not name:
        return "empty"
    if len(name) > LENGTH_MAX:
        return "long"
    if not is_written(name):
        return "letters"
    if any(len(scripts_in(word)) > 1 for word in words_of(name)):
        return "mixed"
    if is_reserved(name):
        return "reserved"
    return "abuse" if abuse.is_in([skeleton(word) for word in words_of(name)], words_of(name)) else None


def is_written(name: str) -> bool:
    """Whether a name is written with letters, digits and a little punctuation, and not with punctuation or accents alone."""
    before = ""
    for letter in name:
        if ACCENTS[0] <= ord(letter) <= ACCENTS[1]:
            # One accent where there is no letter with it; more of them climb into other lines.
            if script_of(before) is None:
                return False
        elif letter not in PUNCTUATION and not is_digit(letter) and script_of(letter) is None:
            return False
        before = letter
    return any(is_digit(letter) or script_of(letter) is not None for letter in name)


def is_digit(letter: str) -> bool:
    """Whether it is one of the digits 0-9."""
    return letter.isascii() and letter.isdigit()


def script_of(letter: str) -> str | None:
    """Name the script of a letter; None for everything that is none of ours."""
    if not letter or not unicodedata.category(letter).startswith("L"):
        return None
    point = ord(letter)
    return next((script for script, ranges in SCRIPTS if any(first <= point <= last for first, last in ranges)), None)


def scripts_in(word: str) -> set[str]:
    """List the scripts of a word's letters."""
    return {script for script in map(script_of, word) if script is not None}


def distinct(name: str, others: Iterable[str]) -> str:
    """Put a number behind a name that looks like one of the others."""
    taken = {skeleton(other) for other in others}
    number, one = 1, name
    while skeleton(one) in taken:
        number += 1
        one = f"{name[: LENGTH_MAX - 1 - len(str(number))].rstrip()} {number}"
    return one


@cache
def _reserved() -> tuple[frozenset[str], frozenset[str]]:
    """Read the words that stand for the server's own voice: as the whole of a name, and as a word in it."""
    text = Path(__file__).with_name("reserved.txt").read_text(encoding="utf-8")
    words = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    whole = frozenset(skeleton(word.removeprefix("=")) for word in words)
    return whole, frozenset(skeleton(word) for word in words if not word.startswith("="))


def is_reserved(name: str) -> bool:
    """Whether a name speaks for the server, its operator or a bot."""
    whole, words = _reserved()
    is_whole = skeleton(name.rstrip("0123456789 ")) in whole or skeleton(name) in whole
    return is_whole or any(skeleton(word) in words for word in words_of(name))


def is_no_name(name: str) -> bool:
    """Whether a name is that of somebody who has not said one: nobody can log in with it."""
    return skeleton(name.rstrip("0123456789 ")) in {skeleton(each) for each in NO_NAMES}

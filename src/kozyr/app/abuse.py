"""Words of abuse in the six languages, found in names however they are spelt."""
from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from kozyr.app.lookalikes import skeleton

DIGITS = str.maketrans("013457", "oieast")
"""The letters for which digits stand in."""

STRETCHED_MIN = 4
"""A word of so many letters is also found where letters are doubled."""


class Words(NamedTuple):
    """
    The list, as skeletons.

    `whole` ones are words of their own, `starts` begin a word, `parts` stand anywhere; what is `innocent` is none of them.
    """

    whole: frozenset[str]
    starts: tuple[str, ...]
    parts: tuple[str, ...]
    innocent: frozenset[str]


@cache
def words() -> Words:
    """Read the list: `=word` a whole word, `word*` the start of one, `word` anywhere, `!word` an innocent one."""
    lines = Path(__file__).with_name("abuse.txt").read_text(encoding="utf-8").splitlines()
    found = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return Words(
        frozenset(skeleton(word[1:]) for word in found if word.startswith("=")),
        tuple(skeleton(word[:-1]) for word in found if word.endswith("*")),
        tuple(skeleton(word) for word in found if word[0] not in "=!" and word[-1] != "*"),
        frozenset(skeleton(word[1:]) for word in found if word.startswith("!")),
    )


def is_in(skeletons: Sequence[str], spelt: Sequence[str]) -> bool:
    """
    Whether one of the words is in a name.

    *skeletons* are those of the words of the name, *spelt* the words themselves, in which digits may stand for letters.
    """
    letters = [skeleton(word.translate(DIGITS)) if any(letter.isalpha() for letter in word) else skeleton(word) for word in spelt]
    return any(_is_in([word for word in each if word not in words().innocent]) for each in (list(skeletons), letters))


def _is_in(name: list[str]) -> bool:
    known, joined = words(), "".join(name)
    candidates = [*name, joined]
    if any(word in known.whole or word.startswith(known.starts) for word in candidates):
        return True
    if any(part in joined for part in known.parts):
        return True
    # "fuuuck": every run of a letter as one.
    short = [single(word) for word in candidates]
    long_starts = tuple(single(word) for word in known.starts if len(single(word)) >= STRETCHED_MIN)
    is_stretched = short != candidates
    return is_stretched and (
        any(word.startswith(long_starts) for word in short)
        or any(single(part) in short[-1] for part in known.parts if len(single(part)) >= STRETCHED_MIN)
    )


def single(word: str) -> str:
    """Write every run of one letter as one."""
    return re.sub(r"(.)\1+", r"\1", word)

"""Which names look alike."""
from __future__ import annotations

import json
import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

PUNCTUATION: Final = frozenset(" -'’._·")
"""What may stand between the letters of a name."""


def words_of(name: str) -> list[str]:
    """Split a name at its punctuation."""
    return "".join(" " if letter in PUNCTUATION else letter for letter in name).split()


@cache
def _likes() -> dict[int, str]:
    """Read for each letter the one that stands for all which look like it."""
    groups = json.loads(Path(__file__).with_name("lookalikes.json").read_text(encoding="utf-8"))["groups"]
    return {ord(letter): head for head, letters in groups.items() for letter in letters}


def skeleton(name: str) -> str:
    """
    Write a name so that names which look alike become the same: without accents, punctuation and capitals, one letter for all its likes.

    The likes are those of Unicode's UTS 39, and further `rn` for `m` and `vv` for `w`.
    """
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    likes = "".join(letter for letter in plain if letter not in PUNCTUATION).translate(_likes())
    # Some capitals become two small letters, and small ones have likes of their own.
    return likes.casefold().translate(_likes()).replace("rn", "m").replace("vv", "w")

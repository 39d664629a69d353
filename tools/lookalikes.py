"""
Write src/kozyr/app/lookalikes.json anew: which letters look alike; needs `confusable-homoglyphs`, which has Unicode's list.

    .venv/bin/python tools/lookalikes.py
"""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

from kozyr.app.names import ALPHABETS

ROOT = Path(__file__).resolve().parent.parent
SOURCE = "confusables.txt of Unicode's UTS 39, by way of confusable-homoglyphs; Copyright Unicode, Inc.; Unicode License V3"
TOGETHER = ({"i", "l", "1"}, {"o", "0"}, {"s", "5"}, {"b", "6"})
"""Letters and digits of ASCII that look alike. Others stay apart, though a chain of likenesses may join them."""


def bare(text: str) -> str:
    """
    Take the accents off a text.
    """
    return "".join(each for each in unicodedata.normalize("NFD", text) if unicodedata.category(each) not in ("Mn", "Cf"))


class Classes:
    """
    Letters that look alike, joined pair by pair.
    """

    def __init__(self) -> None:
        self.parents: dict[str, str] = {}

    def find(self, letter: str) -> str:
        while (parent := self.parents.setdefault(letter, letter)) != letter:
            letter = parent
        return letter

    def join(self, first: str, second: str) -> None:
        a, b = sorted((self.find(first), self.find(second)), key=rank)
        if a != b and (not b.isascii() or b == a.swapcase() or any({a, b} <= each for each in TOGETHER)):
            self.parents[b] = a


def rank(letter: str) -> tuple[bool, bool, str]:
    """
    Order letters by how well they stand for their class: small Latin ones first.
    """
    return not letter.isascii(), not letter.islower(), letter


def main() -> None:
    """
    Join every letter of a name's alphabets with its capital and with what Unicode says that it looks like.
    """
    from confusable_homoglyphs import confusables  # type: ignore[import-not-found, import-untyped, unused-ignore]

    letters = sorted({bare(chr(point)) for _, ranges in ALPHABETS for first, last in ranges for point in range(first, last + 1)})
    letters = [*(each for each in letters if len(each) == 1), *"0123456789"]
    known = set(letters)
    classes = Classes()
    for letter in letters:
        if len(letter.casefold()) == 1:
            classes.join(letter, letter.casefold())
    for letter in letters:
        for like in confusables.confusables_data.get(letter, ()):
            other = bare(like["c"])
            if len(other) == 1 and other in known:
                classes.join(letter, other)
    for first, second in ("il", "l1", "o0"):
        classes.join(first, second)
    table = {each: classes.find(each) for each in letters if classes.find(each) != each}
    groups: dict[str, str] = {}
    for each in sorted(table):
        groups[table[each]] = groups.get(table[each], "") + each
    written = {"source": SOURCE, "groups": {head: groups[head] for head in sorted(groups, key=rank)}}
    path = ROOT / "src/kozyr/app/lookalikes.json"
    path.write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

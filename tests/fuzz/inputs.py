"""Inputs that are nearly right: valid samples spoilt by grammar, by structure and by bytes; garbage; and what is made to blow up."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Any

TOKENS = re.compile(rb'[0-9]+|[A-Za-z_]+|\s+|"|.', re.DOTALL)
WORDS: tuple[bytes, ...] = (
    *(b"0", b"1", b"-1", b"6", b"52", b"999999999", b"9007199254740992", b"18446744073709551616", b"1e400", b"-0.0"),
    *(b"NaN", b"Infinity", b"7h", b"Td", b"As", b"none", b"true", b"false", b"null", b"{}", b"[]", b'""', b"\\ud800", b"\\u0000"),
    *(b"\x00", b"\xff", b"\xe2\x80\xae"),
    *("٣".encode(), "é".encode(), "ſ".encode(), "İ".encode(), b"=", b",", b":", b"/", b"-", b">", b".", b"\n", b"\r\n", b'"', b"\\", b"''"),
    *(b"attack", b"beat", b"transfer", b"take", b"pass", b"resign", b"seats", b"deck", b"cheat", b"[x]", b"inf", b"1_000", b" ", b"\t"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 5, 6, 2**31, 2**53, 2**63, 2**64, 10**30, 10**400, 0.5, -0.0, 1e308, float("inf"), float("nan")),
    *("", "0", "7h", "none", "\ud800", "\x00", "a" * 200, "é", "٣", [], {}, [[]], [None], {"": None}, {"t": "play"}, ["7h", "7h"]),
)
ALPHABET = b"0123456789abcdefhsTJQKA{}[]\":,.-+/> \n\\=_x\x00\xff"
KEPT_MAX = 300
GARBAGE, SPOILT_JSON, SPOILT_TOKENS = 0.06, 0.3, 0.75


class Inputs:
    """
    Draws inputs that grow out of samples; what was read goes on being spoilt.

    No input has more than `size_max` bytes by much.
    """

    def __init__(self, samples: Sequence[bytes], size_max: int, chance: Random) -> None:
        self._samples = list(samples)
        self._first = len(self._samples)
        self._size_max = size_max
        self._chance = chance

    def draw(self) -> bytes:
        """Draw an input."""
        chance = self._chance
        luck = chance.random()
        if luck < GARBAGE:
            found = self._garbage()
        else:
            sample = chance.choice(self._samples)
            found = None
            if luck < SPOILT_JSON:
                found = self._spoil_json(sample)
            if found is None:
                found = self._spoil_tokens(sample) if luck < SPOILT_TOKENS else self._spoil_bytes(sample)
        return found[: self._size_max + 1]

    def keep(self, accepted: bytes) -> None:
        """Go on from an input that was read."""
        if len(self._samples) < KEPT_MAX:
            self._samples.append(accepted)
        elif self._first < KEPT_MAX:
            self._samples[self._chance.randrange(self._first, KEPT_MAX)] = accepted

    def _garbage(self) -> bytes:
        chance = self._chance
        size = min(int(chance.expovariate(1 / 60)), self._size_max)
        if chance.random() < 0.5:
            return chance.randbytes(size)
        return bytes(chance.choices(ALPHABET, k=size))

    def _spoil_tokens(self, sample: bytes) -> bytes:
        """Leave out, double, exchange and insert words, also of other samples."""
        chance = self._chance
        tokens = TOKENS.findall(sample)
        others = TOKENS.findall(chance.choice(self._samples))
        for _ in range(min(1 + int(chance.expovariate(0.7)), 12)):
            at = chance.randrange(len(tokens) + 1)
            to = min(len(tokens), at + chance.choice((1, 1, 1, 2, 3, 8)))
            match chance.randrange(6):
                case 0:
                    del tokens[at:to]
                case 1:
                    tokens[at:at] = tokens[at:to] * chance.choice((1, 1, 2, 20))
                case 2:
                    tokens[at:to] = [chance.choice(WORDS)]
                case 3:
                    tokens.insert(at, chance.choice(WORDS))
                case 4:
                    begin = chance.randrange(len(others) + 1)
                    tokens[at:to] = others[begin : begin + chance.choice((1, 2, 5, 30))]
                case _:
                    tokens[at:to] = tokens[at:to][::-1]
        return b"".join(tokens)

    def _spoil_bytes(self, sample: bytes) -> bytes:
        """Change, leave out and insert single bytes, cut the end off, or begin again in the middle."""
        chance, found = self._chance, bytearray(sample)
        for _ in range(min(1 + int(chance.expovariate(0.7)), 12)):
            at = chance.randrange(len(found) + 1)
            match chance.randrange(5):
                case 0:
                    found[at : at + 1] = bytes([chance.randrange(256)])
                case 1:
                    del found[at : at + chance.choice((1, 1, 2, 8))]
                case 2:
                    found.insert(at, chance.choice(ALPHABET))
                case 3:
                    if at < len(found):
                        found[at] ^= 1 << chance.randrange(8)
                case _:
                    found = found[:at] if chance.random() < 0.5 else found[:at] + found[chance.randrange(len(found) + 1) :]
        return bytes(found)

    def _spoil_json(self, sample: bytes) -> bytes | None:
        """Exchange, rename, add and leave out parts of an object; None where the sample is no JSON."""
        chance = self._chance
        try:
            found = json.loads(sample)
        except (ValueError, RecursionError):
            return None
        for _ in range(1 + int(chance.expovariate(0.7))):
            places = list(places_in(found))[:400]
            if not places:
                return json.dumps(chance.choice(VALUES)).encode()
            holder, key = chance.choice(places)
            match chance.randrange(6):
                case 0:
                    del holder[key]
                case 1:
                    if isinstance(holder, dict):
                        holder[chance.choice(("x", "t", "id", "seat", "", "a" * 50))] = holder.pop(key)
                    else:
                        holder.append(holder[key])
                case 2:
                    other, its = chance.choice(places)
                    holder[key] = deepcopy(other[its]) if is_there(other, its) else None
                case _:
                    holder[key] = deepcopy(chance.choice(VALUES))
        return json.dumps(found).encode()


def places_in(value: Any) -> list[tuple[Any, Any]]:
    """List where in a JSON value something stands."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        each = waiting.pop()
        keys = list(each) if isinstance(each, dict) else range(len(each)) if isinstance(each, list) else ()
        for key in keys:
            found.append((each, key))
            waiting.append(each[key])
    return found


def is_there(holder: Any, key: Any) -> bool:
    """Whether a place is still there."""
    return key in holder if isinstance(holder, dict) else key < len(holder)


def bombs(samples: Sequence[bytes], size_max: int) -> list[bytes]:
    """Make inputs that are as big and as deep as they may be."""
    deep = size_max // 2 - 20
    found = [
        b"[" * size_max, b"{" * size_max, b'{"a":' * (size_max // 5), b"[" * deep + b"]" * deep,
        b'{"x":' + b"[" * deep + b"]" * deep + b"}", b"9" * size_max, b"-" * size_max, b"1e" + b"9" * 300, b"\x00" * size_max,
        b"\xff" * size_max, b" " * size_max, b"\n" * size_max, b"," * size_max, b"=" * size_max, b'"' * size_max, b"\\" * size_max,
        b"a" * size_max, b"7h" * (size_max // 2), b"7h," * (size_max // 3), b"a=1," * (size_max // 4), b"a.b." * (size_max // 4),
        b'"' + b"a" * (size_max - 2) + b'"', b"\xc2\xa0" * (size_max // 2), b"e\xcc\x81" * (size_max // 3),
    ]  # fmt: skip
    for sample in list(samples)[:8]:
        found.append((sample * (size_max // max(1, len(sample)) + 1))[:size_max])
        for token in set(TOKENS.findall(sample)[:60]):
            at = sample.index(token)
            found.append(sample[:at] + token * max(1, (size_max - len(sample)) // len(token)) + sample[at + len(token) :])
    return [bomb[:size_max] for bomb in found]

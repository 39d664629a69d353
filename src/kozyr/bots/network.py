"""
The expert's networks: words of bits and a move in, the score to expect out; words in, what the other may hold out. Needs numpy.
"""
from __future__ import annotations

import json
import struct
import tokenize
import zipfile
import zlib
from dataclasses import dataclass, fields
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt

from kozyr.damage import Damaged
from kozyr.search.sight import CODES, words_of

Floats = npt.NDArray[np.float32]
Words = npt.NDArray[np.int64]

FORMAT = 1
BITS = 64
ODDS_MAX = 12
"""How sure a belief may be at most, as the logarithm of odds."""


UNREADABLE = (
    *(ValueError, LookupError, TypeError, OSError, EOFError, OverflowError, RuntimeError, MemoryError),
    *(zipfile.BadZipFile, zlib.error, struct.error, SyntaxError, tokenize.TokenError),
)
"""What reading a spoilt archive of arrays may end in."""


class NetworkError(Damaged, ValueError):
    """A file of weights that cannot be used, and why."""


@dataclass(slots=True)
class Network:
    """
    The weights: of the game's bits, of codes of moves and of bits about a card; then of two layers.

    A move is worth -1 (its seat becomes the durak) to 1 (it does not).
    """

    game: Floats
    code: Floats
    about: Floats
    bias1: Floats
    second: Floats
    bias2: Floats
    third: Floats
    bias3: Floats

    @property
    def others(self) -> int:
        """For how many others at most the network was made."""
        return next(k for k in range(1, 6) if words_of(k) * BITS >= len(self.game))

    def arrays(self) -> list[Floats]:
        """List the weights."""
        return [getattr(self, field.name) for field in fields(self)]

    def judge(self, words: Words, counts: npt.NDArray[np.int64], moves: Words) -> Floats:
        """Say what each move is worth: *words* by game, so many moves of each, and of each move its code and its bits."""
        base = weigh(words, self.game)
        base += self.bias1
        first = weigh(moves[:, 1:], self.about)
        first += self.code[moves[:, 0]]
        first += np.repeat(base, counts, axis=0)
        np.maximum(first, 0, out=first)
        hidden = first @ self.second
        hidden += self.bias2
        np.maximum(hidden, 0, out=hidden)
        worth: Floats = np.tanh(hidden @ self.third + self.bias3)[:, 0]
        return worth

    def judge_one(self, words: bytes, moves: bytes) -> list[float]:
        """Say what each move of one game is worth, from what a sight has written."""
        read = np.frombuffer(moves, dtype="<i8").reshape(-1, 2)
        found: list[float] = self.judge(np.frombuffer(words, dtype="<i8")[None, :], np.array([len(read)]), read).tolist()
        return found


@dataclass(slots=True)
class Belief:
    """
    The weights that say which unseen cards the other seat of two holds: a layer of rectified units, and a straight share.

    Cards have suits by their new names, as in the words.
    """

    first: Floats
    bias1: Floats
    second: Floats
    bias2: Floats
    straight: Floats

    def arrays(self) -> list[Floats]:
        """List the weights."""
        return [getattr(self, field.name) for field in fields(self)]

    def odds(self, words: bytes) -> list[float]:
        """Say of each card what the odds are that the other holds it rather than not, from what a sight has written."""
        bits = spread(np.frombuffer(words, dtype="<i8")[None, :])
        hidden = np.maximum(bits @ self.first + self.bias1, 0)
        told = hidden @ self.second + self.bias2 + bits @ self.straight
        found: list[float] = np.exp(np.clip(told[0], -ODDS_MAX, ODDS_MAX)).tolist()
        return found


def spread(words: Words) -> Floats:
    """Spread words to numbers, one a bit."""
    octets = np.ascontiguousarray(words, dtype="<i8").view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little").astype(np.float32)


def spread_used(words: Words) -> tuple[Floats, npt.NDArray[np.intp]]:
    """Spread the bits that some row of words has to numbers, and say which bits they are: most of them no row of a few has."""
    octets = np.ascontiguousarray(words, dtype="<i8").view(np.uint8)
    bits = np.flatnonzero(np.unpackbits(np.bitwise_or.reduce(octets, axis=0), bitorder="little"))
    return np.unpackbits(octets, axis=1, bitorder="little").take(bits, axis=1).astype(np.float32), bits


def weigh(words: Words, weights: Floats) -> Floats:
    """Add up the weights of the bits that each row of words has."""
    numbers, bits = spread_used(words)
    found: Floats = numbers @ weights[bits]
    return found


def shapes(others: int, first: int, second: int) -> list[tuple[int, ...]]:
    """List the shapes of a network's arrays."""
    return [(words_of(others) * BITS, first), (CODES, first), (BITS, first), (first,), (first, second), (second,), (second, 1), (1,)]


def new_network(others: int, first: int, second: int, rng: np.random.Generator) -> Network:
    """Make a network that knows nothing yet."""
    scales = [0.15, 0.15, 0.15, 0.0, (2 / first) ** 0.5, 0.0, 0.1, 0.0]
    each = zip(shapes(others, first, second), scales, strict=True)
    return Network(*[rng.standard_normal(shape, dtype=np.float32) * np.float32(scale) for shape, scale in each])


def belief_shapes(first: int) -> list[tuple[int, ...]]:
    """List the shapes of a belief's arrays."""
    return [(words_of(1) * BITS, first), (first,), (first, BITS), (BITS,), (words_of(1) * BITS, BITS)]


def new_belief(first: int, rng: np.random.Generator) -> Belief:
    """Make a belief that knows nothing yet."""
    each = zip(belief_shapes(first), [0.1, 0.0, 0.05, 0.0, 0.0], strict=True)
    return Belief(*[rng.standard_normal(shape, dtype=np.float32) * np.float32(scale) for shape, scale in each])


def write_network(network: Network | Belief, made: dict[str, Any]) -> bytes:
    """Write a network in half precision, with what *made* it."""
    out = BytesIO()
    arrays = {field.name: array.astype(np.float16) for field, array in zip(fields(network), network.arrays(), strict=True)}
    about = np.frombuffer(json.dumps({"format": FORMAT, **made}).encode(), dtype=np.uint8)
    np.savez_compressed(out, made=about, **arrays)  # type: ignore[arg-type]  # names of arrays, not of options
    return out.getvalue()


def read_network(data: bytes, name: str, others: int) -> Network:
    """
    Read a network for so many others.

    Raises: NetworkError that names the file and says what is wrong.
    """
    network = Network(*_read(data, name, [field.name for field in fields(Network)]))
    _check(network, name, shapes(others, network.bias1.size, network.bias2.size))
    return network


def read_belief(data: bytes, name: str) -> Belief:
    """
    Read a belief.

    Raises: NetworkError that names the file and says what is wrong.
    """
    belief = Belief(*_read(data, name, [field.name for field in fields(Belief)]))
    _check(belief, name, belief_shapes(belief.bias1.size))
    return belief


def _read(data: bytes, name: str, names: list[str]) -> list[Floats]:
    try:
        with np.load(BytesIO(data), allow_pickle=False) as found:
            arrays = [found[each].astype(np.float32) for each in names]
            made = json.loads(found["made"].tobytes())
    except UNREADABLE as error:
        raise NetworkError(f"{name} is no file of weights: {error}") from None
    if not isinstance(made, dict) or made.get("format") != FORMAT:
        raise NetworkError(f"{name} has weights of another format than {FORMAT}")
    return arrays


def _check(network: Network | Belief, name: str, wanted: list[tuple[int, ...]]) -> None:
    for field, array, shape in zip(fields(network), network.arrays(), wanted, strict=True):
        if array.shape != shape:
            raise NetworkError(f"{name}: {field.name} has the shape {array.shape} instead of {shape}")
        if not np.isfinite(array).all():
            raise NetworkError(f"{name}: {field.name} has weights that are no numbers")

"""The bytes that are hashed: commitments and the key of the stream."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

PROTOCOL: Final = "kozyr/1"
SEED_BYTES: Final = 32
COMMITMENT_BYTES: Final = 32
SEATS_MIN: Final = 2
SEATS_MAX: Final = 255
GAME_BYTES_MAX: Final = 0xFFFF

# Every hash starts with a prefix of its own, so that the bytes of one can never be passed off as the bytes of another.
_SERVER_PREFIX: Final = b"kozyr/1/server\0"
_SEAT_PREFIX: Final = b"kozyr/1/seat\0"
_STREAM_PREFIX: Final = b"kozyr/1/stream\0"


class Origin(StrEnum):
    """Where the seed of a seat comes from."""

    SEAT = "seat"  # the player's own device
    SERVER = "server"  # the server, for a bot
    ABSENT = "absent"  # nowhere: the seat adds nothing to this shuffle


class Absence(StrEnum):
    """Why a seat added nothing."""

    NO_COMMITMENT = "no_commitment"
    NOT_REVEALED = "not_revealed"
    MISMATCH = "mismatch"  # what it revealed does not fit what it committed


def commit_server(game: str, seed: bytes) -> bytes:
    """
    Commit the server's *seed* for the game with the id *game*.

    The game is bound in, for it is mixed into the stream: a server free to name the game later could search for a name it likes.

    Raises: ValueError for a seed that is not 32 bytes, or a game id that is empty, too long or no Unicode text.
    """
    return hashlib.sha256(_SERVER_PREFIX + _field(game_bytes(game)) + _field(exact(seed, SEED_BYTES, "the server's seed"))).digest()


def commit_seat(server_commitment: bytes, seat: int, seed: bytes, origin: Origin = Origin.SEAT) -> bytes:
    """
    Commit the *seed* of *seat* to the game that *server_commitment* opened.

    The server's commitment is bound in, so that whoever knows a seat's seed can tell that the server had committed before the seat
    did; the seat is, so that nobody can copy a neighbour's commitment; the origin is, so that a bot can't be made a player afterwards.

    Raises: ValueError for wrong lengths, a seat outside 0-254, or the origin *absent*.
    """
    if not 0 <= seat < SEATS_MAX:
        raise ValueError(f"seat {seat} is not between 0 and {SEATS_MAX - 1}")
    if origin is Origin.ABSENT:
        raise ValueError("an absent seat has no seed to commit")
    return hashlib.sha256(
        _SEAT_PREFIX
        + _field(exact(server_commitment, COMMITMENT_BYTES, "the server's commitment"))
        + bytes([seat])
        + _field(origin.encode())
        + _field(exact(seed, SEED_BYTES, f"the seed of seat {seat}"))
    ).digest()


def stream_key(game: str, server_seed: bytes, seats: Iterable[tuple[Origin, bytes]]) -> bytes:
    """
    Mix the seeds of one game into the key of its stream; *seats* holds origin and seed by seat, the seed empty when absent.

    Why a seat is absent is not mixed in: it would hand whoever keeps the record a choice between three decks.
    """
    listed = list(seats)
    message = _STREAM_PREFIX + _field(game_bytes(game)) + bytes([len(listed)])
    for origin, seed in listed:
        message += _field(origin.encode()) + _field(seed)
    return hmac.digest(server_seed, message, "sha256")


def game_bytes(game: str) -> bytes:
    """
    Encode a game's id.

    Raises: ValueError for an id that is empty, no Unicode text, or longer than 65,535 bytes.
    """
    try:
        encoded = game.encode()
    except UnicodeEncodeError:
        raise ValueError(f"the game id {game!r} is not Unicode text") from None
    if not 1 <= len(encoded) <= GAME_BYTES_MAX:
        raise ValueError(f"a game id has 1 to {GAME_BYTES_MAX} bytes, not {len(encoded)}")
    return encoded


def exact(value: bytes, length: int, what: str) -> bytes:
    """Return *value* if it has exactly *length* bytes, and raise ValueError naming *what* if not."""
    if not isinstance(value, bytes):
        raise ValueError(f"{what} must be bytes, not {type(value).__name__}")
    if len(value) != length:
        raise ValueError(f"{what} has {len(value)} bytes, not {length}")
    return value


def _field(value: bytes) -> bytes:
    """Write *value* after its length in two bytes, so that neighbouring fields can't run into each other."""
    return len(value).to_bytes(2, "big") + value

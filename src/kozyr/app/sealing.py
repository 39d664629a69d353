"""Events on their way between server processes: sealed, so that who merely hears or says hints can neither read nor invent one."""
from __future__ import annotations

import binascii
import secrets

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Struct

from kozyr.app.ports import Row

KEY_BYTES = 32
NONCE_BYTES = 12
SEALED_MAX = 2000
"""So many characters a sealed event has at most; one that would be longer is read in the log."""


class Carried(Struct, frozen=True, array_like=True, gc=False):
    """A row without its place."""

    at: int
    body: bytes
    command: str | None


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Carried).decode


class Seals:
    """
    Seals rows with the key that all processes on one log share.

    Whoever may listen to the database, or to a broker, need not be somebody who may read the log, in which packs and seeds are; whoever may
    announce something need not be somebody who may write there. A sealed row belongs to its table and `seq`, and is of no use elsewhere.
    """

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)
        # Two messages must never have the same number: each process counts from where no other will.
        self._number = int.from_bytes(secrets.token_bytes(NONCE_BYTES), "big")

    def seal(self, table_id: str, row: Row) -> str | None:
        """Write a row as one word without a colon; None for one that is too long."""
        self._number = (self._number + 1) % 2 ** (8 * NONCE_BYTES)
        nonce = self._number.to_bytes(NONCE_BYTES, "big")
        sealed = self._cipher.encrypt(nonce, _encode(Carried(row.at, row.body, row.command)), place_of(table_id, row.seq))
        word = binascii.b2a_base64(nonce + sealed, newline=False)
        return word.decode() if len(word) <= SEALED_MAX else None

    def open(self, table_id: str, seq: int, word: str) -> Row | None:
        """Read the row that belongs to a place; None for whatever is not one that was sealed for it."""
        try:
            sealed = binascii.a2b_base64(word)
            carried = _decode(self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], place_of(table_id, seq)))
        except (ValueError, InvalidTag):
            return None
        return Row(seq, carried.at, carried.body, carried.command)


def place_of(table_id: str, seq: int) -> bytes:
    """Write a place in a log."""
    return f"{table_id}:{seq}".encode()

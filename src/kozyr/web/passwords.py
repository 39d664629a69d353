"""Passwords of tables: kept as scrypt's hash with its salt, never themselves."""
from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import unicodedata

COST = 2**14
BLOCK, LANES, SALT_BYTES = 8, 1, 16


async def keep(password: str, salt: bytes) -> str:
    """Return what is kept of a password; it takes a while, elsewhere than in the event loop."""
    digest = await asyncio.to_thread(_digest, password, salt)
    return f"{base64.b64encode(salt).decode()} {base64.b64encode(digest).decode()}"


async def fits(password: str, kept: str) -> bool:
    """Whether a password is the one of which *kept* was kept."""
    salt, digest = (base64.b64decode(part) for part in kept.split(" "))
    return hmac.compare_digest(digest, await asyncio.to_thread(_digest, password, salt))


def _digest(password: str, salt: bytes) -> bytes:
    text = unicodedata.normalize("NFC", password).encode()
    return hashlib.scrypt(text, salt=salt, n=COST, r=BLOCK, p=LANES, dklen=32)

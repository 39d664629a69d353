"""Passwords of accounts: kept as argon2id's hash, never themselves; hashed elsewhere than in the event loop, few at once."""
from __future__ import annotations

import asyncio
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from kozyr.app.lookalikes import skeleton
from kozyr.web.guard import Refused

if TYPE_CHECKING:
    from argon2 import PasswordHasher

PASSES, MEMORY_KIB, LANES = 2, 19 * 1024, 1
"""The cost of a hash. Source: OWASP, Password Storage Cheat Sheet."""

AT_ONCE = 2
WAITING_MAX = 40
"""So many hashes may be wanted at once; whoever comes then is told to come later."""

SHORTEST, LONGEST = 8, 128

LIST = """
    12345678 123456789 1234567890 87654321 11111111 00000000 password password1 passw0rd qwertyui qwertyuiop qwerty123 1q2w3e4r 1qaz2wsx
    iloveyou sunshine princess football baseball superman starwars trustno1 letmein1 welcome1 admin123 abcd1234 a1b2c3d4 asdfghjk zaq12wsx
    йцукенгш йцукенгшщз пароль12 parol123 sifre123 slaptazodis galatasaray fenerbahce besiktas juventus
"""
COMMON = frozenset(LIST.split())
"""Passwords that are tried first."""


def normal(password: str) -> str:
    """Write a password in one way, however a keyboard composes its letters."""
    return unicodedata.normalize("NFC", password.encode(errors="replace").decode())


def check(password: str, name: str) -> None:
    """
    Let nobody choose a password that is guessed at once.

    Raises: Refused.
    """
    text = normal(password)
    if len(text) < SHORTEST:
        raise Refused(422, "bad_password", "short")
    if len(text) > LONGEST:
        raise Refused(422, "bad_password", "long")
    if len(set(text)) < 3 or text.casefold() in COMMON:
        raise Refused(422, "bad_password", "common")
    if skeleton(text) == skeleton(name):
        raise Refused(422, "bad_password", "name")


class Hasher:
    """Makes and checks hashes of passwords, in threads of its own."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="kozyr-argon")
        self._waiting = 0
        self._hasher: PasswordHasher | None = None
        self._nobodys: str | None = None

    async def keep(self, password: str) -> str:
        """Return what is kept of a password."""
        return str(await self._run(password, None))

    async def fits(self, password: str, kept: str | None) -> bool:
        """
        Whether a password is the one of which *kept* was kept.

        Without one it takes as long and does not fit: nobody learns from the time whether there is such an account.
        """
        if self._nobodys is None:
            self._nobodys = await self.keep("nobody's password")
        fits = await self._run(password, kept or self._nobodys)
        return kept is not None and fits is True

    def is_old(self, kept: str) -> bool:
        """Whether a hash was made at another cost than is usual now."""
        return self._argon().check_needs_rehash(kept)

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, password: str, kept: str | None) -> str | bool:
        if self._waiting >= WAITING_MAX:
            raise Refused(429, "not_so_fast")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._work, normal(password), kept)
        finally:
            self._waiting -= 1

    def _work(self, password: str, kept: str | None) -> str | bool:
        from argon2.exceptions import InvalidHashError, VerificationError

        if kept is None:
            return self._argon().hash(password)
        try:
            return self._argon().verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False

    def _argon(self) -> PasswordHasher:
        if self._hasher is None:
            from argon2 import PasswordHasher

            self._hasher = PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=LANES)
        return self._hasher

"""Passwords that were tried and were wrong: how often, and where from, before the next one has to wait."""
from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import web

from kozyr.app.limits import Limits
from kozyr.app.people import Person
from kozyr.web.sessions import AGE_S, is_encrypted

COOKIE = "kozyr_known_"
"""Before the public id of an account that this browser has been in; sent with logins alone."""
PATH = "/api/login"

FREE, FORGOTTEN_MS = 100, 10_000
"""So many wrong passwords of one name, from everywhere, make nobody wait; one is forgotten after each so many milliseconds."""
STEP = 10
"""With each so many more the wait is twice as long, until as many are forgotten as are tried."""
WAIT_MS = 1000
NAMES_MAX = 50_000


@dataclass(slots=True)
class Far:
    """The wrong passwords of a name: how many are remembered at a moment, and when the next one may be tried."""

    count: float = 0
    at: int = 0
    next: int = 0

    def take(self, now: int) -> bool:
        """Say whether a password may be tried now; counted as wrong until it is known to be right."""
        self.count = max(0.0, self.count - max(0, now - self.at) / FORGOTTEN_MS)
        self.at = now
        if now < self.next:
            return False
        self.count += 1
        if self.count > FREE:
            self.next = now + (WAIT_MS << int((self.count - FREE) // STEP))
        return True

    def give(self) -> None:
        """Take back that a password was wrong, and the wait with it."""
        self.count = max(0.0, self.count - 1)
        self.next = 0


class Tries:
    """
    Judges who may try a password for a name.

    Wrong ones are counted for a name and an address together, so that nobody keeps anybody else from logging in; and for a name from
    everywhere, where many make the next wait, longer and longer. A browser that has been in the account before has a count of its own,
    whatever strangers do. Right passwords count for nothing.
    """

    def __init__(self, near: Callable[[], Limits], seal: Callable[[str], bytes]) -> None:
        self._near = near
        self._seal = seal
        self._far: dict[str, Far] = {}

    def begin(self, request: web.Request, name: str, person: Person | None, address: str, now: int) -> Try | None:
        """Let a password be tried, which is wrong until it is `right`; None for who has to wait."""
        device = None if person is None else self._known(request, person)
        key = f"{name} {address}" if device is None else device
        near = self._near()
        if not near.take(key, now):
            return None
        if device is not None:
            return Try(near, key, None)
        far = self._far_of(name, now)
        if not far.take(now):
            near.give(key)
            return None
        return Try(near, key, far)

    def _far_of(self, name: str, now: int) -> Far:
        if name not in self._far and len(self._far) >= NAMES_MAX:
            kept = {each: far for each, far in self._far.items() if far.count - (now - far.at) / FORGOTTEN_MS > 0}
            self._far = dict(list(kept.items())[-NAMES_MAX // 2 :])
        return self._far.setdefault(name, Far(at=now))

    def know(self, response: web.StreamResponse, request: web.Request, person: Person, device: str) -> None:
        """Let the browser be known to an account, until all its sessions are ended."""
        value = f"{device}.{self._sealed(person, device)}"
        response.set_cookie(
            COOKIE + person.public, value, max_age=AGE_S, path=PATH, httponly=True, samesite="Lax", secure=is_encrypted(request)
        )  # fmt: skip

    def _known(self, request: web.Request, person: Person) -> str | None:
        device, _, seal = request.cookies.get(COOKIE + person.public, "").partition(".")
        if not (device.isascii() and seal.isascii() and hmac.compare_digest(seal, self._sealed(person, device))):
            return None
        return f"{person.guest} {device}"

    def _sealed(self, person: Person, device: str) -> str:
        return self._seal(f"known {person.guest} {person.generation} {device}").hex()


@dataclass(slots=True)
class Try:
    """A password that is being tried."""

    near: Limits
    key: str
    far: Far | None

    def right(self) -> None:
        """Count it for nothing."""
        self.near.give(self.key)
        if self.far is not None:
            self.far.give()

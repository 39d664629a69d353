"""Who a request comes from: guests by signed cookie; and whether it comes from our own page."""
from __future__ import annotations

import base64
import hashlib
import hmac
from typing import NamedTuple
from urllib.parse import urlsplit

from aiohttp import web

from kozyr.app.ports import Clock, Entropy
from kozyr.web.allowances import PROXIES, last_of

COOKIE = "kozyr_guest"
AGE_S = 400 * 24 * 3600
GUEST_BYTES = 15
NAME_BYTES = 10
PORTS = {"http": "80", "https": "443"}


class Session(NamedTuple):
    """
    Whom a cookie is for: a guest, as long as the guest's sessions have not been ended since, which raises the generation.

    `since` is when the cookie was given, in seconds; 0 for those of the first versions. The session's `name` stays the same when its
    cookie is renewed: by it this one session can be ended.
    """

    guest: str
    generation: int
    since: int
    name: str


SESSION: web.RequestKey[Session] = web.RequestKey("session", Session)
"""The session that a request comes from; not there for a stranger, nor for a session that was ended."""


class Sessions:
    """Signs guests' sessions into cookies with the secret of the database, and reads them back."""

    def __init__(self, secret: bytes, entropy: Entropy, clock: Clock) -> None:
        self._secret = secret
        self._entropy = entropy
        self._clock = clock

    def read(self, request: web.BaseRequest) -> Session | None:
        """Read the cookie of a request; None for a stranger, or for a cookie that we did not sign or that is too old."""
        text, _, signature = request.cookies.get(COOKIE, "").rpartition(".")
        # Bytes that are no text come as surrogates; what we signed is ASCII.
        is_ours = text.isascii() and signature.isascii() and hmac.compare_digest(signature, self._sign(text))
        if not text or not is_ours:
            return None
        guest, generation, since, name = (*text.split("."), "", "", "")[:4]
        # Cookies of earlier versions name no session: each is one by itself.
        session = Session(guest, int(generation or 0), int(since or 0), name or hashlib.sha256(text.encode()).hexdigest()[:16])
        is_old = session.since and self._clock.now() > (session.since + AGE_S) * 1000
        return None if is_old else session

    def guest_of(self, request: web.Request) -> str | None:
        """Return the guest who sent a request; None for a stranger."""
        session = request.get(SESSION)
        return None if session is None else session.guest

    def new_guest(self) -> str:
        """Make the id of a new guest."""
        return self.new_name(GUEST_BYTES)

    def keep(self, response: web.StreamResponse, request: web.Request, guest: str, generation: int | None = None) -> None:
        """Give a guest the cookie, a new session's or that of the present one; without a *generation* that of the latter."""
        session = request.get(SESSION)
        if session is not None and session.guest != guest:
            session = None
        if generation is None:
            generation = 0 if session is None else session.generation
        name = self.new_name() if session is None else session.name
        text = f"{guest}.{generation}.{self._clock.now() // 1000}.{name}"
        value, is_secure = f"{text}.{self._sign(text)}", is_encrypted(request)
        response.set_cookie(COOKIE, value, max_age=AGE_S, path="/", httponly=True, samesite="Lax", secure=is_secure)

    def forget(self, response: web.StreamResponse, request: web.Request) -> None:
        """Take the cookie away."""
        response.set_cookie(COOKIE, "", max_age=0, path="/", httponly=True, samesite="Lax", secure=is_encrypted(request))

    def end_of(self, now: int) -> int:
        """Say when every cookie that has been given by *now* is too old."""
        return now + AGE_S * 1000

    def new_name(self, size: int = NAME_BYTES) -> str:
        """Draw a name that nobody guesses."""
        return base64.b32encode(self._entropy.draw(size)).decode().lower()

    def seal(self, text: str) -> bytes:
        """Seal a text that comes back; what it is for is its first word, and never `guest`."""
        return hmac.new(self._secret, text.encode(), hashlib.sha256).digest()

    def _sign(self, text: str) -> str:
        return hmac.new(self._secret, f"guest {text}".encode(errors="replace"), hashlib.sha256).hexdigest()


def is_encrypted(request: web.BaseRequest) -> bool:
    """Whether the browser speaks https, be it with a proxy on this machine that says so."""
    if request.secure:
        return True
    return request.remote in PROXIES and last_of(request, "X-Forwarded-Proto").lower() == "https"


def is_same_origin(request: web.BaseRequest) -> bool:
    """
    Whether a request comes from a page of this server, or from no page at all.

    Browsers send `Origin` with every POST and websocket; what is no browser has no other site's cookies to misuse.
    """
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    try:
        asked = urlsplit(origin)
        return asked.netloc != "" and bare(asked.netloc, asked.scheme) == bare(request.host, asked.scheme)
    except ValueError:
        return False


def bare(host: str, scheme: str) -> str:
    """Write a host with its port, without the one that the scheme has by default: browsers leave it out, and proxies may not."""
    name, _, port = host.lower().rpartition(":")
    return name if name and port == PORTS.get(scheme.lower()) else host.lower()

"""Who a request comes from: guests by signed cookie; and whether it comes from our own page."""
from __future__ import annotations

import base64
import hashlib
import hmac
from urllib.parse import urlsplit

from aiohttp import web

from kozyr.app.ports import Entropy

COOKIE = "kozyr_guest"
AGE_S = 400 * 24 * 3600
GUEST_BYTES = 15
PORTS = {"http": "80", "https": "443"}


class Sessions:
    """Signs guests' ids into cookies with the secret of the database, and reads them back."""

    def __init__(self, secret: bytes, entropy: Entropy) -> None:
        self._secret = secret
        self._entropy = entropy

    def guest_of(self, request: web.BaseRequest) -> str | None:
        """Return the guest who sent a request; None for a stranger, or for a cookie that we did not sign."""
        guest, _, signature = request.cookies.get(COOKIE, "").partition(".")
        # Bytes that are no text come as surrogates; what we signed is ASCII.
        is_ours = guest.isascii() and signature.isascii() and hmac.compare_digest(signature, self._sign(guest))
        return guest if guest and is_ours else None

    def new_guest(self) -> str:
        """Make the id of a new guest."""
        return base64.b32encode(self._entropy.draw(GUEST_BYTES)).decode().lower()

    def keep(self, response: web.StreamResponse, guest: str, is_secure: bool) -> None:
        """Give a guest the cookie."""
        value = f"{guest}.{self._sign(guest)}"
        response.set_cookie(COOKIE, value, max_age=AGE_S, path="/", httponly=True, samesite="Lax", secure=is_secure)

    def _sign(self, guest: str) -> str:
        return hmac.new(self._secret, f"guest {guest}".encode(), hashlib.sha256).hexdigest()


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

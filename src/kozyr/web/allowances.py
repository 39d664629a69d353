"""How much one address, and one guest, may ask of the server."""
from __future__ import annotations

from dataclasses import dataclass, field

from aiohttp import web

from kozyr.app.limits import Limits

PROXIES = ("127.0.0.1", "::1")
"""Whoever connects from here may be a proxy, and says in X-Forwarded-For whom it speaks for."""


@dataclass(slots=True)
class Allowances:
    """What may happen at once, and how often again, in milliseconds: by address, and trying passwords by address and table."""

    creating: Limits = field(default_factory=lambda: Limits(30, 3000))
    joining: Limits = field(default_factory=lambda: Limits(30, 1000))
    guessing: Limits = field(default_factory=lambda: Limits(5, 10_000))
    connecting: Limits = field(default_factory=lambda: Limits(120, 250))
    looking: Limits = field(default_factory=lambda: Limits(120, 100))


def address_of(request: web.BaseRequest) -> str:
    """Name where a request comes from; addresses of version 6 by the 64 bits that one household has."""
    address = request.remote or ""
    if address in PROXIES:
        forwarded = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
        address = forwarded[:45] or address
    return ":".join(address.split(":")[:4]) if address.count(":") > 1 else address

"""How much one address, and one guest, may ask of the server."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache

from aiohttp import web

from kozyr.app.limits import Limits
from kozyr.ledger.making import address_block

PROXIES = {"127.0.0.1", "::1"}
"""Whoever connects from here may be a proxy, and says in X-Forwarded-For whom it speaks for; an operator may name others."""


@dataclass(slots=True)
class Allowances:
    """
    What may happen at once, and how often again, in milliseconds: by address.

    Trying passwords of tables is limited by table too, and wrong logins by the name (`names`).
    """

    creating: Limits = field(default_factory=lambda: Limits(30, 3000))
    joining: Limits = field(default_factory=lambda: Limits(30, 1000))
    guessing: Limits = field(default_factory=lambda: Limits(5, 10_000))
    connecting: Limits = field(default_factory=lambda: Limits(120, 250))
    looking: Limits = field(default_factory=lambda: Limits(120, 100))
    changing: Limits = field(default_factory=lambda: Limits(30, 2000))
    accounts: Limits = field(default_factory=lambda: Limits(10, 60_000))
    logging_in: Limits = field(default_factory=lambda: Limits(20, 5000))
    names: Limits = field(default_factory=lambda: Limits(10, 20_000))
    reporting: Limits = field(default_factory=lambda: Limits(5, 60_000))
    listing: Limits = field(default_factory=lambda: Limits(20, 30_000))


SOCKETS = 200
"""So many websockets may be open from one address, a school's, say."""


class Places:
    """How many websockets each address has open at this process; a proxy that does not say for whom it asks may have any number."""

    def __init__(self, most: int = SOCKETS) -> None:
        self.most = most
        self._taken: Counter[str] = Counter()

    @contextmanager
    def one(self, address: str) -> Iterator[bool]:
        """Take a place for an address; says whether there was one."""
        if self.most and self._taken[address] >= self.most and address not in PROXIES:
            yield False
            return
        self._taken[address] += 1
        try:
            yield True
        finally:
            self._taken[address] -= 1
            if not self._taken[address]:
                del self._taken[address]


def address_of(request: web.BaseRequest) -> str:
    """Name where a request comes from; addresses of version 6 by the 64 bits that one household has."""
    address = request.remote or ""
    if address in PROXIES:
        address = last_of(request, "X-Forwarded-For")[:45] or address
    return household(address)


def last_of(request: web.BaseRequest, header: str) -> str:
    """Return the last entry of a list, be it in one header or in several: what a proxy has added itself."""
    return ",".join(request.headers.getall(header, ())).rpartition(",")[2].strip()


household = lru_cache(maxsize=4096)(address_block)
"""The address, in one way however it is spelt."""

"""What the handlers of the HTTP interface share: the parts of the server, and how bodies are read and limits are held."""
from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from aiohttp import web

from kozyr.app.limits import Limits
from kozyr.app.live import DEFAULT_TERMS
from kozyr.app.ports import Clock, Entropy, EventStore, Guests, Ledger
from kozyr.app.tables import Tables
from kozyr.ledger import Terms
from kozyr.web.allowances import Allowances, Places, address_of
from kozyr.web.argon import Hasher
from kozyr.web.audience import Audiences
from kozyr.web.connection import Connection
from kozyr.web.elsewhere import Elsewhere
from kozyr.web.guard import Refused
from kozyr.web.lobby import Lobby
from kozyr.web.passkeys import Passkeys
from kozyr.web.phrases import Phrases
from kozyr.web.running import Running
from kozyr.web.sessions import Sessions
from kozyr.web.static import StaticFiles
from kozyr.web.tries import Tries

T = TypeVar("T")


@dataclass(slots=True)
class Site:
    """Everything that the handlers share."""

    tables: Tables
    store: EventStore
    guests: Guests
    sessions: Sessions
    clock: Clock
    entropy: Entropy
    files: StaticFiles
    ledger: Ledger | None = None
    terms: Terms = DEFAULT_TERMS
    allowances: Allowances = field(default_factory=Allowances)
    running: Running = field(default_factory=Running)
    audiences: Audiences = field(init=False)
    lobby: Lobby = field(init=False)
    elsewhere: Elsewhere = field(init=False)
    phrases: Phrases = field(init=False)
    hasher: Hasher = field(default_factory=Hasher)
    passkeys: Passkeys = field(init=False)
    tries: Tries = field(init=False)
    places: Places = field(default_factory=Places)

    def __post_init__(self) -> None:
        self.audiences = Audiences(self.store, self.clock)
        self.lobby = Lobby(self.tables, self.clock)
        self.phrases = Phrases(self.audiences, self.clock, self.guests)
        self.elsewhere = Elsewhere(self.tables, self.audiences, self.lobby, self.phrases, self.clock)
        self.tries = Tries(lambda: self.allowances.names, self.sessions.seal)
        self.passkeys = Passkeys(self.clock, self.entropy, self.sessions.seal)

    def connections(self) -> list[Connection]:
        """List the websockets of all viewers and visitors."""
        return self.audiences.connections() + self.lobby.connections()


SITE: web.AppKey[Site] = web.AppKey("site", Site)


@dataclass(frozen=True, slots=True)
class Route:
    """A path of the interface with its description; `answer` is a type, or None for text."""

    method: str
    path: str
    handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    summary: str
    answer: Any = None
    status: int = 200
    body: Any = None
    problems: dict[int, str] = field(default_factory=dict, hash=False)


async def body_of(request: web.Request, decode: Callable[[bytes], T]) -> T:
    """Read a request's body, or refuse it."""
    if request.content_type != "application/json":
        raise Refused(415, "bad_type", request.content_type)
    try:
        return decode(await request.read())
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refused(400, "bad_body", str(error)) from None


def allowed(request: web.Request, limits: Limits, about: str = "") -> None:
    """Refuse whoever asks too often."""
    if not limits.take(f"{address_of(request)} {about}", request.app[SITE].clock.now()):
        raise Refused(429, "not_so_fast")

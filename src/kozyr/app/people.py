"""People: who they are, what they have played, whom they want nothing to do with; and the port that keeps it all."""
from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from kozyr.app.played import PlayedGame, PlayedSeries, Score

BLOCKS_MAX = 200
"""So many players can be blocked by one."""

PASSKEYS_MAX = 20
"""So many passkeys an account may have."""

PUBLIC_BYTES = 10


def public_id(guest: str) -> str:
    """
    Name a guest for everybody.

    It follows from the guest's id, and nothing leads back from it to the id, which the guest's cookie holds. Two guests with one name are
    as likely as two equal draws of eighty bits.
    """
    return base64.b32encode(hashlib.sha256(f"player {guest}".encode()).digest()[:PUBLIC_BYTES]).decode().lower()


@dataclass(frozen=True, slots=True)
class Person:
    """
    A guest, known by the server since a moment in milliseconds.

    `generation` counts how often all sessions of the guest were ended. `skeleton` is that of an account's name, None for a guest without an
    account; `password` is what is kept of an account's password, if it has one.
    """

    guest: str
    public: str
    name: str
    since: int
    avatar: int = 0
    language: str | None = None
    generation: int = 0
    skeleton: str | None = None
    password: str | None = None

    @property
    def has_account(self) -> bool:
        """Whether the guest can be come back to from another browser."""
        return self.skeleton is not None


@dataclass(frozen=True, slots=True)
class Key:
    """A passkey: its public key, and the count of signatures that the authenticator last told, which never falls."""

    id: str
    guest: str
    name: str
    public_key: bytes
    count: int
    created: int
    used: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What a guest changes; None stays as it is."""

    name: str | None = None
    avatar: int | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Denied:
    """
    Nothing was written: `taken` by a name that looks like an account's, `already` since it is so, `none` since there is nothing of the
    kind, `last` since nobody could come back to the account, `full` since there are as many as there may be; or nobody is told: `ended`.
    """

    why: str


@dataclass(frozen=True, slots=True)
class Report:
    """What somebody told the operator about another player, at a game of a table; `game` is 0 before the first one."""

    number: int
    at: int
    table: str
    game: int
    reporter: str
    reported: str
    reason: str
    words: str


class People(Protocol):
    """Who the guests are. Every change is durable when it returns; nothing here is on a move's path."""

    async def person(self, guest: str) -> Person | None:
        """Return a guest; None for one who has never been here."""

    async def person_called(self, public: str) -> Person | None:
        """Return the guest with a public id."""

    async def account_like(self, skeleton: str) -> Person | None:
        """Return the account whose name looks so."""

    async def generations(self, guests: Collection[str]) -> dict[str, int]:
        """Return how often all sessions of each of these guests were ended; those who are not known are left out."""

    async def change(self, guest: str, change: Change, skeleton: str | None, now: int) -> Person | Denied:
        """
        Change a guest, who may be new; *skeleton* is that of a new name.

        `taken` if another guest's account looks like the name.
        """

    async def open_account(self, guest: str, skeleton: str, password: str | None, key: Key | None, now: int) -> Person | Denied:
        """Make an account of a guest, with a password or a passkey; all earlier sessions end. `none`, `taken` or `already`."""

    async def set_password(self, guest: str, password: str, *, ends_sessions: bool = True) -> Person | Denied:
        """Keep another password of an account. `none`."""

    async def end_sessions(self, guest: str) -> Person | Denied:
        """End every session of a guest. `none`."""

    async def visitor(self, guest: str, session: str) -> Person | Denied | None:
        """Return the guest of a session; None for one who has never been here. `ended` for a session that was."""

    async def end_session(self, session: str, until: int, now: int) -> None:
        """End a session, whose cookies are too old by *until*, in milliseconds; doing it twice does it once."""

    async def ended(self, sessions: Collection[str]) -> set[str]:
        """Return which of these sessions have been ended one by one."""

    async def add_key(self, key: Key) -> Person | Denied:
        """Add a passkey to an account. `none`, `already` if there is one with its id, or `full`."""

    async def keys(self, guest: str) -> list[Key]:
        """List the passkeys of an account, the oldest first."""

    async def key(self, key: str) -> Key | None:
        """Return a passkey."""

    async def use_key(self, key: str, count: int, begun: int, now: int) -> bool:
        """
        Remember that a passkey was used for a login that began at *begun*; says whether it may be.

        Not with a count below the last one, nor if it has been used since then: so that no login is made twice, in whichever process.
        """

    async def drop_key(self, guest: str, key: str) -> Person | Denied:
        """Take a passkey from an account. `none`, or `last`."""

    async def scores(self, guest: str) -> list[Score]:
        """List what a guest's finished games came to, by kind of table, the kinds most played first."""

    async def games(self, guest: str, before: int | None, most: int) -> list[PlayedGame]:
        """List a guest's finished games, the newest first, those numbered below *before*."""

    async def series(self, guest: str, before: int | None, most: int) -> list[PlayedSeries]:
        """List a guest's series, the newest first, those numbered below *before*."""

    async def block(self, guest: str, other: str, now: int) -> Denied | None:
        """Block another player; doing it twice does it once. `full`."""

    async def unblock(self, guest: str, other: str) -> None:
        """Block another player no longer."""

    async def blocked(self, guest: str) -> list[Person]:
        """List whom a guest has blocked, the last one first."""

    async def blockers(self, guest: str, among: Collection[str] | None = None) -> set[str]:
        """Return who has blocked a guest, of some or of all."""

    async def report(self, report: Report) -> int:
        """Keep a report; returns its number, which the given one's does not matter for."""

    async def reports(self, most: int) -> Sequence[Report]:
        """List the reports, the newest first."""

"""The port `Office` on any database whose statements can be run."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

from kozyr.app.office import Act
from kozyr.store.sql import Sql

T = TypeVar("T")


class KeepsOffice(ABC):
    """Implements the port `Office`; a store says how it asks and how it writes."""

    @abstractmethod
    async def ask(self, question: Callable[[Any], T]) -> T:
        """Answer a question on a connection that only reads."""

    @abstractmethod
    async def do(self, work: Callable[[Any], T]) -> T:
        """Do something in a transaction; it is durable when this returns."""

    async def act(self, act: Act) -> int:
        """Write an act down; see `Office`."""
        return await self.do(lambda db: write(db, act))

    async def acts(self, most: int) -> list[Act]:
        """List acts; see `Office`."""
        return await self.ask(lambda db: read(db, most))

    async def mute(self, guest: str, until: int, act: Act) -> None:
        """Mute a guest; see `Office`."""
        await self.do(lambda db: mute(db, guest, until, act))

    async def mutes(self, now: int) -> dict[str, int]:
        """Return who is muted; see `Office`."""
        return await self.ask(lambda db: muted(db, now))


def write(db: Sql, act: Act) -> int:
    """Write an act down; see `Office.act`."""
    found = db.execute(
        "INSERT INTO acts (number, at, address, what, about, words) "
        "VALUES ((SELECT coalesce(max(number), 0) + 1 FROM acts), ?, ?, ?, ?, ?) RETURNING number",
        (act.at, act.address, act.what, act.about, act.words),
    ).fetchall()
    return int(found[0][0])


def read(db: Sql, most: int) -> list[Act]:
    """List acts; see `Office.acts`."""
    found = db.execute("SELECT number, at, address, what, about, words FROM acts ORDER BY number DESC LIMIT ?", (most,))
    return [Act(*row) for row in found]


def mute(db: Sql, guest: str, until: int, act: Act) -> None:
    """Mute a guest; see `Office.mute`."""
    db.execute("DELETE FROM mutes WHERE guest = ?", (guest,))
    if until:
        db.execute("INSERT INTO mutes (guest, until) VALUES (?, ?)", (guest, until))
    write(db, act)


def muted(db: Sql, now: int) -> dict[str, int]:
    """Return who is muted; see `Office.mutes`."""
    return {str(guest): int(until) for guest, until in db.execute("SELECT guest, until FROM mutes WHERE until > ?", (now,))}

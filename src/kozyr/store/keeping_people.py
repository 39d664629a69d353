"""The port `People` on any database whose statements can be run."""
from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from kozyr.app.people import Change, Denied, Key, Person, Report
from kozyr.app.played import PlayedGame, PlayedSeries, Score
from kozyr.store import people, played
from kozyr.store.office import KeepsOffice

T = TypeVar("T")


class KeepsPeople(KeepsOffice):
    """Implements the ports `People` and `Office`; a store says how it asks and how it writes."""

    @abstractmethod
    async def ask(self, question: Callable[[Any], T]) -> T:
        """Answer a question on a connection that only reads."""

    @abstractmethod
    async def do(self, work: Callable[[Any], T]) -> T:
        """Do something in a transaction; it is durable when this returns."""

    async def person(self, guest: str) -> Person | None:
        """Return a guest; see `People`."""
        return await self.ask(lambda db: people.person(db, guest))

    async def person_called(self, public: str) -> Person | None:
        """Return a guest by the public id; see `People`."""
        return await self.ask(lambda db: people.person_called(db, public))

    async def account_like(self, skeleton: str) -> Person | None:
        """Return an account by its name; see `People`."""
        return await self.ask(lambda db: people.account_like(db, skeleton))

    async def generations(self, guests: Collection[str]) -> dict[str, int]:
        """Return the guests' generations; see `People`."""
        return await self.ask(lambda db: people.generations(db, guests))

    async def change(self, guest: str, change: Change, skeleton: str | None, now: int) -> Person | Denied:
        """Change a guest; see `People`."""
        return await self.do(lambda db: people.change(db, guest, change, skeleton, now))

    async def open_account(self, guest: str, skeleton: str, password: str | None, key: Key | None, now: int) -> Person | Denied:
        """Make an account of a guest; see `People`."""
        return await self.do(lambda db: people.open_account(db, guest, skeleton, password, key, now))

    async def set_password(self, guest: str, password: str, *, ends_sessions: bool = True) -> Person | Denied:
        """Keep another password; see `People`."""
        return await self.do(lambda db: people.set_password(db, guest, password, ends_sessions))

    async def end_sessions(self, guest: str) -> Person | Denied:
        """End a guest's sessions; see `People`."""
        return await self.do(lambda db: people.end_sessions(db, guest))

    async def visitor(self, guest: str, session: str) -> Person | Denied | None:
        """Return the guest of a session; see `People`."""
        return await self.ask(lambda db: people.visitor(db, guest, session))

    async def end_session(self, session: str, until: int, now: int) -> None:
        """End a session; see `People`."""
        await self.do(lambda db: people.end_session(db, session, until, now))

    async def ended(self, sessions: Collection[str]) -> set[str]:
        """Return which sessions have ended; see `People`."""
        return await self.ask(lambda db: people.ended(db, sessions))

    async def add_key(self, key: Key) -> Person | Denied:
        """Add a passkey; see `People`."""
        return await self.do(lambda db: people.add_key(db, key))

    async def keys(self, guest: str) -> list[Key]:
        """List passkeys; see `People`."""
        return await self.ask(lambda db: people.keys(db, guest))

    async def key(self, key: str) -> Key | None:
        """Return a passkey; see `People`."""
        return await self.ask(lambda db: people.find_key(db, key))

    async def use_key(self, key: str, count: int, begun: int, now: int) -> bool:
        """Remember that a passkey was used; see `People`."""
        return await self.do(lambda db: people.use_key(db, key, count, begun, now))

    async def drop_key(self, guest: str, key: str) -> Person | Denied:
        """Take a passkey away; see `People`."""
        return await self.do(lambda db: people.drop_key(db, guest, key))

    async def scores(self, guest: str) -> list[Score]:
        """List a guest's scores; see `People`."""
        return await self.ask(lambda db: played.scores(db, guest))

    async def games(self, guest: str, before: int | None, most: int) -> list[PlayedGame]:
        """List a guest's games; see `People`."""
        return await self.ask(lambda db: played.games(db, guest, before, most))

    async def series(self, guest: str, before: int | None, most: int) -> list[PlayedSeries]:
        """List a guest's series; see `People`."""
        return await self.ask(lambda db: played.series(db, guest, before, most))

    async def block(self, guest: str, other: str, now: int) -> Denied | None:
        """Block somebody; see `People`."""
        return await self.do(lambda db: people.block(db, guest, other, now))

    async def unblock(self, guest: str, other: str) -> None:
        """Block somebody no longer; see `People`."""
        await self.do(lambda db: people.unblock(db, guest, other))

    async def blocked(self, guest: str) -> list[Person]:
        """List whom a guest has blocked; see `People`."""
        return await self.ask(lambda db: people.blocked(db, guest))

    async def blockers(self, guest: str, among: Collection[str] | None = None) -> set[str]:
        """List who has blocked a guest; see `People`."""
        return await self.ask(lambda db: people.blockers(db, guest, among))

    async def report(self, report: Report) -> int:
        """Keep a report; see `People`."""
        return await self.do(lambda db: people.report(db, report))

    async def reports(self, most: int) -> list[Report]:
        """List the reports; see `People`."""
        return await self.ask(lambda db: people.reports(db, most))

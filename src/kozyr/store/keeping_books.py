"""What the port `Ledger` only reads, on any database whose statements can be run."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from kozyr.app.ports import Company, Line, Pot, Totals
from kozyr.ledger import COMPANY, Coins, Entry, company_of, day_of, player
from kozyr.store import books, statements

T = TypeVar("T")


class KeepsBooks(ABC):
    """Implements the reading half of the port `Ledger`; a store says how it asks."""

    @abstractmethod
    async def look(self, question: Callable[[Any], T]) -> T:
        """Answer a question about a few rows, for which a table may be waiting."""

    @abstractmethod
    async def ask(self, question: Callable[[Any], T]) -> T:
        """Answer a question for which no table waits."""

    async def balance(self, guest: str) -> Coins | None:
        """Return a guest's coins; see `Ledger`."""
        return await self.look(lambda db: books.read_balance(db, player(guest)))

    async def company_games(self, players: Sequence[str], now: int) -> int:
        """Count the staked games of a company; see `Ledger`."""
        return await self.look(lambda db: books.read_count(db, COMPANY, day_of(now), company_of(players)))

    async def stake_of(self, game: str) -> Entry | None:
        """Find the stakes of a game; see `Ledger`."""
        return await self.look(lambda db: statements.stake_of(db, game))

    async def history(self, guest: str, before: int | None = None, most: int = 50) -> list[Line]:
        """List a guest's postings; see `Ledger`."""
        return await self.ask(lambda db: statements.history(db, guest, before, most))

    async def companies(self, day: int, most: int) -> list[Company]:
        """List who has played together for stakes; see `Ledger`."""
        return await self.ask(lambda db: statements.companies(db, day, most))

    async def open_pots(self, most: int) -> list[Pot]:
        """List the games that are not settled; see `Ledger`."""
        return await self.ask(lambda db: statements.open_pots(db, most))

    async def totals(self) -> Totals:
        """Add up the books; see `Ledger`."""
        return await self.ask(statements.totals)

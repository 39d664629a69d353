"""What the statements need of a database: SQLite's own connection is one, and one to PostgreSQL is made to look like it."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol


class Found(Protocol):
    """What a statement gave."""

    @property
    def rowcount(self) -> int:
        """How many rows it wrote."""

    def fetchone(self) -> Any:
        """Return the next row, or None."""

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""

    def __iter__(self) -> Iterator[Any]:
        """Walk the rows."""


class Sql(Protocol):
    """A connection in a transaction. Statements are written for both databases, with `?` for each value."""

    def execute(self, statement: str, values: Sequence[Any] = ..., /) -> Found:
        """Do a statement."""

    def executemany(self, statement: str, values: Sequence[Sequence[Any]], /) -> object:
        """Do a statement once for each row of values."""

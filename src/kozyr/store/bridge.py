"""A connection to PostgreSQL that statements written for both databases can use as if it were SQLite's."""
from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, TypeVar

import asyncpg
from greenlet import getcurrent, greenlet

T = TypeVar("T")

GIVES_ROWS = re.compile(r"^\s*(SELECT|WITH)\b|\bRETURNING\b", re.IGNORECASE)

NO_LETTERS = re.compile("[\0\ud800-\udfff]")


class Rows:
    """What a statement gave. Implements `Found`."""

    def __init__(self, rows: Sequence[Sequence[Any]], rowcount: int) -> None:
        self.rowcount = rowcount
        self._rows = iter([tuple(map(whole, row)) for row in rows])

    def fetchone(self) -> tuple[Any, ...] | None:
        """Return the next row, or None."""
        return next(self._rows, None)

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return the rows that are left."""
        return list(self._rows)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Walk the rows."""
        return self._rows


class Bridge:
    """A connection in a transaction. Implements `Sql`; used inside `bridged` only."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Rows:
        """Do a statement."""
        text, values = numbered(statement), [storable(value) for value in values]
        if GIVES_ROWS.search(text):
            rows = wait(self._connection.fetch(text, *values))
            return Rows(rows, len(rows))
        return Rows((), int(wait(self._connection.execute(text, *values)).rpartition(" ")[2]))

    def executemany(self, statement: str, values: Sequence[Sequence[Any]], /) -> None:
        """Do a statement once for each row of values."""
        wait(self._connection.executemany(numbered(statement), [[storable(value) for value in row] for row in values]))


@cache
def numbered(statement: str) -> str:
    """Number the values of a statement as PostgreSQL wants them; no text of ours has a question mark."""
    parts = statement.split("?")
    return "".join(part if not number else f"${number}{part}" for number, part in enumerate(parts))


def storable(value: Any) -> Any:
    """
    Return what the database can be asked for: letters that it has no place for become one that no name and no id has.

    Whoever looks for a text with such a letter finds nothing, as in a file, instead of failing.
    """
    return NO_LETTERS.sub("\ufffd", value) if isinstance(value, str) else value


def whole(value: Any) -> Any:
    """Return a sum as the integer that it is: PostgreSQL adds up in decimals."""
    return int(value) if isinstance(value, Decimal) else value


def wait(answer: Awaitable[T]) -> T:
    """Wait for an answer, while the event loop goes on."""
    parent = getcurrent().parent
    assert parent is not None, "outside of `bridged`"
    return parent.switch(answer)  # type: ignore[no-any-return]


async def bridged(work: Callable[[], T]) -> T:
    """Run what waits for the database in the event loop, though it is written without `await`."""
    running = greenlet(work)
    given = running.switch()
    while not running.dead:
        try:
            answer = await given
        except BaseException as error:  # noqa: BLE001  # whatever it is, it is for who asked
            given = running.throw(error)
        else:
            given = running.switch(answer)
    return given  # type: ignore[no-any-return]

"""What the application needs of the world: a log, hints, a clock, entropy."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Row:
    """One event of a table's log. `at` is milliseconds of the server's clock; `command` the id of the command that it answers."""

    seq: int
    at: int
    body: bytes
    command: str | None = None


@dataclass(frozen=True, slots=True)
class Tail:
    """A table's head and the rows asked for; `due` is when its clock acts, in milliseconds."""

    seq: int
    due: int | None
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class Appended:
    """The rows are in the log, durably."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The log had moved on; nothing was written."""


@dataclass(frozen=True, slots=True)
class Doubled:
    """The command is in the log already, at `seq`; nothing was written."""

    seq: int


class EventStore(Protocol):
    """
    The log of every table: the truth that everything else is folded from.

    A table comes to be by its first append, expected at `seq` 0.
    """

    async def append(self, table_id: str, expected: int, rows: Sequence[Row], due: int | None) -> Appended | Conflict | Doubled:
        """Append *rows*, numbered from *expected* + 1 without a gap, if the table stands at *expected*; durable when it returns."""

    async def load(self, table_id: str, after: int = 0) -> Tail | None:
        """Return the head and the rows after *after*, or None for a table that there is not."""

    async def find(self, table_id: str, command: str) -> int | None:
        """Return the `seq` at which a command is in the log."""

    async def overdue(self, now: int, most: int) -> list[str]:
        """Return tables whose clock should have acted by *now*, the longest overdue first."""


class Guests(Protocol):
    """Who has been here, and the secrets that tell guests from strangers."""

    async def keep(self, name: str, value: bytes) -> bytes:
        """Keep *value* under *name* unless there is one already; return the one that is kept."""

    async def remember(self, guest: str, name: str, now: int) -> None:
        """Remember a guest's name."""

    async def name_of(self, guest: str) -> str | None:
        """Return the name that a guest last had."""


class Hints(Protocol):
    """Says to every process that a table has moved on. Losing a hint delays, and loses nothing (I9)."""

    def publish(self, table_id: str, seq: int) -> None:
        """Announce that *table_id* is at *seq*."""

    def subscribe(self, listener: Callable[[str, int], None]) -> None:
        """Call *listener* at every announcement of another process."""


class Timer(Protocol):
    """Something that will be called."""

    def cancel(self) -> None:
        """Do not call it after all."""


class Clock(Protocol):
    """The server's clock, the only one that counts."""

    def now(self) -> int:
        """Return milliseconds since 1970."""

    def call_later(self, ms: int, callback: Callable[[], None]) -> Timer:
        """Call *callback* once, when *ms* milliseconds have gone by."""


class Entropy(Protocol):
    """Where secrets come from."""

    def draw(self, count: int) -> bytes:
        """Return *count* random bytes."""

"""What the application needs of the world: a log, the books of coins, hints, a clock, entropy."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from msgspec import Struct

from kozyr.app.office import Office
from kozyr.app.people import People
from kozyr.app.played import Finished
from kozyr.bots import Memory
from kozyr.core.moves import Move
from kozyr.core.views import View
from kozyr.ledger import Coins, Entry, Kind


class Row(Struct, frozen=True, gc=False):
    """One event of a table's log. `at` is milliseconds of the server's clock; `command` the id of the command that it answers."""

    seq: int
    at: int
    body: bytes
    command: str | None = None


class Unwritable(Exception):
    """Nothing can be written now, such as on a full disk, or read, whatever it is; it may be asked for again. That has been said."""


class Spoilt(Exception):
    """A table whose log cannot be read; all others go on."""


BEATS_MS = 2500
"""Beats that are further apart mean that no server was there in between."""


@dataclass(frozen=True, slots=True)
class Tail:
    """A table's head and the rows asked for; `due` is when somebody has to look at it, in milliseconds."""

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


@dataclass(frozen=True, slots=True)
class Unpaid:
    """The players at these seats cannot pay their stake (R15.2); nothing was written."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Limited:
    """Something has happened as often today as it may: `kind` says what, `name` to whom; nothing was written."""

    kind: str
    name: str


class EventStore(Protocol):
    """
    The log of every table: the truth that everything else is folded from.

    A table comes to be by its first append, expected at `seq` 0.
    """

    async def append(
        self,
        table_id: str,
        expected: int,
        rows: Sequence[Row],
        due: int | None,
        entries: Sequence[Entry] = (),
        finished: Sequence[Finished] = (),
    ) -> Appended | Conflict | Doubled | Unpaid | Limited:
        """
        Append *rows*, numbered from *expected* + 1 without a gap, if the table stands at *expected*; durable when it returns.

        *entries* of the table's games are booked with the rows, or neither is. They are judged last, in their order. Games that the rows
        finish are written with them into their players' records, once.

        Raises: LedgerError for entries that would break the books, such as a second settlement of a game.
        """

    async def load(self, table_id: str, after: int = 0) -> Tail | None:
        """
        Return the head and the rows after *after*, or None for a table that there is not.

        Raises: Spoilt where they cannot be read, and those of others can.
        """

    async def find(self, table_id: str, command: str) -> int | None:
        """Return the `seq` at which a command is in the log."""

    async def overdue(self, now: int, most: int) -> list[str]:
        """
        Return tables that somebody should have looked at by *now*, such as one whose clock acts; the longest overdue first.

        Where there are several processes each table is for one of them, for a moment.
        """

    async def waiting(self, until: int, most: int) -> list[str]:
        """Return tables that have to be looked at by *until*, the soonest first; nobody is kept from looking after them."""

    async def beat(self, now: int) -> None:
        """Keep that a server was there at *now*, in milliseconds."""

    async def last_beat(self) -> int | None:
        """Return when a server was last there; None if there never was one."""

    async def last_gap(self) -> tuple[int, int] | None:
        """Return the last time in which none was, as far as beats more than `BEATS_MS` apart tell: from when, until when."""


@runtime_checkable
class PromptStore(Protocol):
    """A log that can be told to append without anybody awaiting it."""

    def append_soon(
        self,
        table_id: str,
        expected: int,
        rows: Sequence[Row],
        due: int | None,
        settled: Callable[[Appended | Conflict | Doubled | Unpaid | Limited | BaseException], None],
    ) -> None:
        """
        Append as `EventStore.append` does, at a table that there is, and call *settled* with what became of it, later.

        Of the rows' commands none is in the log up to *expected*: the caller knows all that are.
        """


@dataclass(frozen=True, slots=True)
class Booked:
    """The entry is in the books, durably; it was booked before unless it `is_new`."""

    entry: Entry
    is_new: bool


@dataclass(frozen=True, slots=True)
class Line:
    """
    A posting as its owner sees it, numbered from 1 for each account.

    `balance` is what the account had after it; `key` names the entry, `game` the game that it is of.
    """

    number: int
    at: int
    kind: Kind
    key: str
    game: str | None
    coins: Coins
    balance: Coins


@dataclass(frozen=True, slots=True)
class Company:
    """How many staked games the same players have begun in a UTC day."""

    players: tuple[str, ...]
    games: int


@dataclass(frozen=True, slots=True)
class Pot:
    """The stakes of a game that is not settled yet, taken at a moment in milliseconds."""

    game: str
    coins: Coins
    at: int


@dataclass(frozen=True, slots=True)
class Totals:
    """The books at one moment. `sum` adds up all postings and is 0, whatever has happened (I7)."""

    accounts: int
    entries: int
    granted: Coins
    refilled: Coins
    with_players: Coins
    in_pots: Coins
    sum: Coins


class Ledger(Protocol):
    """
    The books of coins; what belongs to a game's events goes through `EventStore.append`.

    Nothing here moves coins from one player to another.
    """

    async def book(self, entry: Entry) -> Booked | Limited:
        """
        Book a grant, or the refund of a game whose table cannot write events any more; an entry with this key, if there is one, stays.

        Raises: LedgerError for a refund that would break the books, ValueError for entries of other kinds.
        """

    async def refill(self, guest: str, floor: Coins, now: int) -> Booked | None:
        """
        Fill up what a guest owns to the floor, once a UTC day, coins in running games counted.

        None for who has enough, and for who never had an opening grant.
        """

    async def balance(self, guest: str) -> Coins | None:
        """Return a guest's coins; None for who has no account."""

    async def history(self, guest: str, before: int | None = None, most: int = 50) -> list[Line]:
        """Return every posting of a guest, the newest first, a page at a time: those numbered below *before*."""

    async def company_games(self, players: Sequence[str], now: int) -> int:
        """Return how many staked games these players, at whatever seats, have begun on the UTC day of *now*."""

    async def companies(self, day: int, most: int) -> list[Company]:
        """Return who has begun staked games together on a UTC day, most games first."""

    async def stake_of(self, game: str) -> Entry | None:
        """Return the entry that took the stakes of a game."""

    async def open_pots(self, most: int) -> list[Pot]:
        """Return the games that are not settled, the oldest first."""

    async def totals(self) -> Totals:
        """Add up the books."""


class Guests(People, Office, Protocol):
    """Who has been here, what their operator did, and the secrets that tell guests from strangers."""

    async def keep(self, name: str, value: bytes) -> bytes:
        """Keep *value* under *name* unless there is one already; return the one that is kept."""

    async def remember(self, guest: str, name: str, now: int) -> None:
        """Remember a guest's name."""

    async def name_of(self, guest: str) -> str | None:
        """Return the name that a guest last had."""


class Thinking(Protocol):
    """Where bots think. They are given what their seat may know and what all have seen, and nothing else."""

    async def choose(self, level: str, view: View, memory: Memory | None) -> Move | None:
        """Let a level choose a move of the view's seat; None where it has nothing to do."""


class Hints(Protocol):
    """Says to every process that a table has moved on. Losing a hint delays, and loses nothing (I9)."""

    def publish(self, table_id: str, seq: int, row: Row | None = None) -> None:
        """Announce that *table_id* is at *seq*, with the row that has brought it there where that was one by itself."""

    def subscribe(self, listener: Callable[[str, int, Row | None], None]) -> None:
        """
        Call *listener* at every announcement of another process; with the row at that `seq`, if the announcement brought it.

        Such a row is in the log.
        """


class Peers(Protocol):
    """
    The other server processes on the same log: who is connected to them, and which of them looks after what.

    What is said here is a matter of manners only: whatever it gets wrong for a moment, the log stays right.
    """

    @property
    def is_alone(self) -> bool:
        """Whether there is no other process."""

    def is_home(self, table_id: str) -> bool:
        """Whether this process looks after a table that nobody is at."""

    def is_driver(self, table_id: str) -> bool:
        """Whether this process moves a table's bots: of those that people are connected to, one, and its home where there is none."""

    def address_of(self, table_id: str) -> str:
        """Name where a table's home can be reached; empty where all are reached in the same way."""

    async def elsewhere(self, table_id: str) -> frozenset[int]:
        """Find out which seats' players are connected to other processes."""

    def known_elsewhere(self, table_id: str) -> frozenset[int]:
        """Return what is known of that now; nothing where the table is not in memory."""

    def say_here(self, table_id: str, seat: int, is_here: bool) -> None:
        """Say that a seat's player has come to this process, or has gone from it."""

    def list_table(self, table_id: str, seq: int, body: bytes | None) -> None:
        """Let the others list a table as it is at *seq*, or list it no longer."""

    def tell(self, table_id: str, message: bytes) -> None:
        """Tell the others, now or never, what is written nowhere, such as a phrase that was said."""

    def subscribe(
        self,
        local: Callable[[], Iterable[str]],
        presence: Callable[[str, int, bool], None],
        listing: Callable[[str, int, bytes | None], None],
        told: Callable[[str, bytes], None],
    ) -> None:
        """Have the others' news of the tables that *local* names, of the tables that they list, and what they tell."""

    def hand_over(self, table_id: str) -> None:
        """Ask a table's home to look after it: nobody is at it here."""

    def watch(self, changed: Callable[[], None], wanted: Callable[[str], None]) -> None:
        """Call *changed* when a process has come or gone, and *wanted* with a table that is to be looked after here."""


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

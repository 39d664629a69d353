"""The event log and the books of coins in PostgreSQL: for any number of server processes, on any number of machines."""
from __future__ import annotations

import asyncio
import hashlib
import random
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Self, TypeVar

import asyncpg

from kozyr.app.played import Finished
from kozyr.app.ports import (
    Appended,
    Booked,
    Conflict,
    Doubled,
    Limited,
    Row,
    Tail,
    Unpaid,
)
from kozyr.app.sealing import KEY_BYTES, Seals
from kozyr.ledger import Coins, Entry, format_account, player
from kozyr.store import books, journal
from kozyr.store.answering import settle
from kozyr.store.bridge import Bridge, bridged, storable
from kozyr.store.connecting import ANSWER_S, CLOSE_S, LOST, SETTINGS, Backoff, again_and_again
from kozyr.store.grouping import CHANNEL, HOLDS, Group, Job, Outcome, look_up
from kozyr.store.keeping_books import KeepsBooks
from kozyr.store.keeping_people import KeepsPeople
from kozyr.store.schema import SchemaError
from kozyr.store.sql import Sql
from kozyr.store.tails import Tails
from kozyr.store.urls import without_password

T = TypeVar("T")

VERSION = "v003"
"""The version of the tables that this Kozyr reads and writes."""
CONNECTIONS = 8
NUMBERS = 2**63
"""The least number that is too great for the database."""
SWEEP_S = 3
"""So long a clock that was found overdue is left to the process that found it."""
TRIES = 50

HOLD = f"""
INSERT INTO presences (table_id, seat, process) SELECT t.table_id, {HOLDS}, $2::text FROM tables t WHERE t.table_id = $1
ON CONFLICT DO NOTHING
"""
TELL = f"""
SELECT pg_notify('{CHANNEL} ' || p.process, ?) FROM presences p WHERE p.table_id = ? AND p.seat = {HOLDS} AND p.process <> ?
"""

OVERDUE = """
WITH found AS MATERIALIZED (
    SELECT t.table_id, t.due FROM tables t
    WHERE t.due <= $1 AND NOT EXISTS (
        SELECT FROM sweeps s WHERE s.table_id = t.table_id AND s.process <> $3 AND s.until > clock_timestamp()
    )
    ORDER BY t.due LIMIT $2 FOR UPDATE OF t SKIP LOCKED
), claimed AS (
    INSERT INTO sweeps (table_id, process, until)
    SELECT f.table_id, $3, clock_timestamp() + make_interval(secs => $4) FROM found f ORDER BY f.table_id
    ON CONFLICT (table_id) DO UPDATE SET process = excluded.process, until = excluded.until
)
SELECT table_id FROM found ORDER BY due
"""
FORGET = "DELETE FROM sweeps WHERE until < clock_timestamp() - interval '1 minute'"


class PostgresStore(KeepsBooks, KeepsPeople):
    """
    Tables, guests, secrets and coins in one database. Implements the ports `EventStore`, `Guests`, `People` and `Ledger`.

    `process` names this process to the others; with `tells` every append is announced by NOTIFY. A lost connection is opened again;
    whatever was not acknowledged is looked up before it is tried again.
    """

    def __init__(self, url: str, pool: asyncpg.Pool, process: str, seals: Seals, tells: bool = True) -> None:
        self.url = url
        self.process = process
        self.seals = seals
        self._pool = pool
        self._tells = tells
        self._group = Group(url, process if tells else None, seals)
        self._tails = Tails(self._fetch)

    @classmethod
    async def open(cls, url: str, process: str | None = None, tells: bool = True) -> Self:
        """
        Open a database, making its tables or bringing them up first where that is needed.

        Raises: SchemaError for a database that cannot be reached or used.
        """
        await ready(url)
        try:
            pool = asyncpg.create_pool(
                url, min_size=1, max_size=CONNECTIONS, command_timeout=ANSWER_S, timeout=ANSWER_S, server_settings=SETTINGS, reset=as_it_is
            )
            await pool
            seals = Seals(await shared_key(pool))
        except (*LOST, ValueError, asyncpg.PostgresError) as error:
            raise SchemaError(f"{without_password(url)} cannot be used: {error}") from None
        return cls(url, pool, process or secrets.token_hex(6), seals, tells)

    async def append(
        self,
        table_id: str,
        expected: int,
        rows: Sequence[Row],
        due: int | None,
        entries: Sequence[Entry] = (),
        finished: Sequence[Finished] = (),
    ) -> Appended | Conflict | Doubled | Unpaid | Limited:
        """Append rows at an expected `seq`, and entries and finished games with them; see `EventStore`."""
        check(table_id, expected, rows, due, entries)
        if not entries and not finished and all(row.command is None for row in rows[1:]):
            waiting: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
            self._group.append(table_id, expected, rows, due, partial(settle, waiting))
            return await waiting
        return await self._append_alone(Job(table_id, expected, rows, due, nobody), entries, finished)

    def append_soon(
        self,
        table_id: str,
        expected: int,
        rows: Sequence[Row],
        due: int | None,
        settled: Callable[[Appended | Conflict | Doubled | Unpaid | Limited | BaseException], None],
    ) -> None:
        """Append at a table that there is, and call back; see `PromptStore`."""
        check(table_id, expected, rows, due, ())
        self._group.append(table_id, expected, rows, due, settled)

    async def load(self, table_id: str, after: int = 0) -> Tail | None:
        """Load a table's tail; see `EventStore`."""
        if storable(table_id) != table_id:
            return None
        if self._tells and not after:
            # Whoever reads a whole log has the table from now on, and is told what the others append; see `PostgresBus`.
            await self._fetch(HOLD, table_id, self.process)
        return await self._tails.read(table_id, after)

    async def find(self, table_id: str, command: str) -> int | None:
        """Find a command in a table's log; see `EventStore`."""
        return await self.look(lambda db: journal.find(db, table_id, command))

    async def overdue(self, now: int, most: int) -> list[str]:
        """List tables whose clock should have acted, each for one process at a time; see `EventStore`."""
        return [row[0] for row in await self._fetch(OVERDUE, now, most, self.process, SWEEP_S)]

    async def waiting(self, until: int, most: int) -> list[str]:
        """List tables whose clock acts soon; see `EventStore`."""
        return await self.look(lambda db: journal.overdue(db, until, most))

    async def heads(self, table_ids: Sequence[str]) -> dict[str, int]:
        """Read at which `seq` tables are."""
        found = await self._fetch("SELECT table_id, seq FROM tables WHERE table_id = ANY($1::text[])", list(table_ids))
        return {row[0]: row[1] for row in found}

    async def beat(self, now: int) -> None:
        """Remember that a server is there at *now*; see `EventStore`."""
        await self._fetch(FORGET)
        await self._write(lambda db: journal.beat(db, now), ["beats"])

    async def time(self) -> int:
        """Return the database's time, which is one for all processes, in milliseconds since 1970."""
        return int((await self._fetch("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"))[0][0])

    async def last_beat(self) -> int | None:
        """Return when a server was last there; see `EventStore`."""
        return await self.look(journal.last_beat)

    async def last_gap(self) -> tuple[int, int] | None:
        """Return when no server was there; see `EventStore`."""
        return await self.look(journal.last_gap)

    async def keep(self, name: str, value: bytes) -> bytes:
        """Keep a secret once; see `Guests`."""
        return await self._write(lambda db: journal.keep(db, name, value))

    async def remember(self, guest: str, name: str, now: int) -> None:
        """Remember a guest's name; see `Guests`."""
        await self._write(lambda db: journal.remember(db, guest, name, now))

    async def name_of(self, guest: str) -> str | None:
        """Return a guest's last name; see `Guests`."""
        return await self.look(lambda db: journal.name_of(db, guest))

    async def book(self, entry: Entry) -> Booked | Limited:
        """Book a grant, or a refund by itself; see `Ledger`."""
        return await self._write(lambda db: books.book(db, entry), touched([entry]))

    async def refill(self, guest: str, floor: Coins, now: int) -> Booked | None:
        """Fill up a guest's coins; see `Ledger`."""
        return await self._write(lambda db: books.refill(db, guest, floor, now), [format_account(player(guest)), "mint"])

    async def close(self) -> None:
        """Write what is waiting and close all connections; a database that does not answer is not waited for."""
        await self._group.close()
        closing = asyncio.ensure_future(self._pool.close())
        await asyncio.wait((closing,), timeout=CLOSE_S)
        if not closing.done() or closing.exception() is not None:
            self._pool.terminate()
            closing.cancel()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def look(self, question: Callable[[Sql], T]) -> T:
        """Answer a question; see `KeepsBooks`."""

        async def put() -> T:
            async with self._pool.acquire() as connection:
                return await bridged(lambda: question(Bridge(connection)))

        return await again_and_again(put)

    async def ask(self, question: Callable[[Sql], T]) -> T:
        """Answer a question, on any free connection as always; see `KeepsBooks` and `KeepsPeople`."""
        return await self.look(question)

    async def do(self, work: Callable[[Sql], T]) -> T:
        """Do something for people in a transaction; see `KeepsPeople`."""
        return await self._write(work)

    async def _append_alone(
        self, job: Job, entries: Sequence[Entry], finished: Sequence[Finished]
    ) -> Appended | Conflict | Doubled | Unpaid | Limited:
        """Append with entries or finished games, in a transaction of its own, with the hint."""

        def work(db: Sql) -> Appended | Conflict | Doubled | Unpaid | Limited:
            outcome = journal.append(db, job.table_id, job.expected, job.rows, job.due, entries, finished)
            if self._tells and isinstance(outcome, Appended):
                db.execute(TELL, (f"{self.process} {job.table_id}:{job.seq}", job.table_id, self.process))
            return outcome

        backoff = Backoff()
        locks = touched(entries) + [f"records of {part.guest}" for game in finished for part in game.parts]
        is_in_doubt = False
        while True:
            try:
                if is_in_doubt and await self._is_written(job):
                    return Appended()
                return await self._transact(work, locks)
            except LOST as why:
                is_in_doubt = True
                await backoff.wait(why)

    async def _is_written(self, job: Job) -> bool:
        async with self._pool.acquire() as connection:
            return not await look_up(connection, [job])

    async def _fetch(self, statement: str, *values: object) -> list[asyncpg.Record]:
        """Ask what may be asked twice."""

        async def ask() -> list[asyncpg.Record]:
            async with self._pool.acquire() as connection:
                found: list[asyncpg.Record] = await connection.fetch(statement, *values)
                return found

        return await again_and_again(ask)

    async def _write(self, work: Callable[[Sql], T], locks: Sequence[str] | None = None) -> T:
        """Do in a transaction what does nothing when it is done again."""
        return await again_and_again(lambda: self._transact(work, locks))

    async def _transact(self, work: Callable[[Sql], T], locks: Sequence[str] | None) -> T:
        """
        Do *work* in a transaction.

        With *locks* it holds all that they name, taken in one order by everybody; without, the database sees to it that the outcome is
        that of one transaction after the other, and one that comes in between is done again.
        """
        isolation = "serializable" if locks is None else "read_committed"
        for left in reversed(range(TRIES)):
            async with self._pool.acquire() as connection:
                try:
                    async with connection.transaction(isolation=isolation):
                        if locks:
                            await connection.execute(LOCK, lock_keys(locks))
                        return await bridged(lambda: work(Bridge(connection)))
                except (asyncpg.SerializationError, asyncpg.DeadlockDetectedError, asyncpg.UniqueViolationError):
                    if not left:
                        raise
            await asyncio.sleep(random.uniform(0, 0.02))
        raise AssertionError("unreachable")


def nobody(outcome: object) -> None:
    """Tell nobody: whoever asks finds out by itself."""


async def shared_key(pool: asyncpg.Pool) -> bytes:
    """Return the key for hints, of which all processes on a database have the same."""
    question = "SELECT value FROM secrets WHERE name = 'hints'"
    if (found := await pool.fetchval(question)) is None:
        # Written once: whoever only looks need not be somebody who may write.
        await pool.execute("INSERT INTO secrets (name, value) VALUES ('hints', $1) ON CONFLICT DO NOTHING", secrets.token_bytes(KEY_BYTES))
        found = await pool.fetchval(question)
    return bytes(found)


async def as_it_is(connection: asyncpg.Connection) -> None:
    """Leave a session as it is: nothing here changes one, and asking for it would be a second statement after each."""


LOCK = "SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key"


def lock_keys(names: Sequence[str]) -> list[int]:
    """Number what is to be locked, in the order in which everybody locks it."""
    digests = (hashlib.blake2b(name.encode(), digest_size=8).digest() for name in set(names))
    return sorted(int.from_bytes(digest, "big", signed=True) for digest in digests)


def touched(entries: Sequence[Entry]) -> list[str]:
    """Name everything in the books that the outcome of entries depends on."""
    names = [entry.home for entry in entries]
    names += [format_account(posting.account) for entry in entries for posting in entry.postings]
    return names + [f"{count.kind} {count.day} {count.name}" for entry in entries for count in entry.counts]


def check(table_id: str, expected: int, rows: Sequence[Row], due: int | None, entries: Sequence[Entry]) -> None:
    """
    Check what is to be appended: a row that the database would refuse would take its whole group with it.

    Raises: ValueError for what cannot be written.
    """
    journal.check(table_id, expected, rows, entries)
    is_wrong = not (-NUMBERS <= expected < NUMBERS - len(rows) and (due is None or -NUMBERS <= due < NUMBERS))
    check_text(table_id)
    for row in rows:
        is_wrong = is_wrong or not -NUMBERS <= row.at < NUMBERS
        if row.command is not None:
            check_text(row.command)
    if is_wrong:
        raise ValueError(f"an append to table {table_id} has a number that cannot be written")


def check_text(text: str) -> None:
    """
    Check what is to be written as a text.

    Raises: ValueError for what the database has no place for.
    """
    if "\0" in text or (not text.isascii() and any("\ud800" <= each <= "\udfff" for each in text)):
        raise ValueError(f"{text!r} cannot be written")


async def ready(url: str) -> None:
    """
    Make or bring up the tables of a database where that is needed; wait for one that is just starting.

    Raises: SchemaError for a database that cannot be reached or used; it names no password.
    """
    try:
        await prepare(url)
    except (*LOST, ValueError, asyncpg.PostgresError) as error:
        raise SchemaError(f"{without_password(url)} cannot be used: {error}") from None


async def prepare(url: str) -> None:
    """
    Make the tables of a database, or bring them up, where they are not what this version needs.

    Raises: SchemaError for a database of a newer version.
    """
    connection = await asyncpg.connect(url, command_timeout=ANSWER_S, timeout=ANSWER_S)
    try:
        is_there = await connection.fetchval("SELECT to_regclass('alembic_version') IS NOT NULL")
        version = await connection.fetchval("SELECT version_num FROM alembic_version") if is_there else None
    finally:
        await connection.close()
    if version == VERSION:
        return
    if version is not None and version > VERSION:
        raise SchemaError(f"{without_password(url)} has version {version} of the tables; this Kozyr reads up to {VERSION}")
    # Imported only where there is something to do: it takes longer than everything else together.
    from kozyr.store.migrations import migrate

    await migrate(url)

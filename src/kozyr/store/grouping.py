"""Appends to PostgreSQL in groups: what is waiting while a statement runs goes into the next one."""
from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

import asyncpg
from msgspec import Struct

from kozyr.app.counts import COUNTS
from kozyr.app.ports import Appended, Conflict, Doubled, Row
from kozyr.app.sealing import Seals
from kozyr.store.answering import tell
from kozyr.store.connecting import CLOSE_S, LOST, Backoff, connect

Outcome = Appended | Conflict | Doubled
Settled = Callable[[Outcome | BaseException], None]
"""Is called with what came of an append."""

GROUP_MAX = 1024
PAGE_BYTES = 4000
"""A hint is full with so much; with its last table it has less than 8,000 bytes, which is what NOTIFY carries."""
APPENDED = Appended()
HEARD_MOST = 50_000
"""Of so many tables it is known that somebody hears their hints; of one that is forgotten the next hint brings no event."""
CHANNEL = "kozyr"
"""What concerns one process alone is announced on a channel of its own: this word, a space and the process."""
HOLDS = -1
"""A table that a process has in memory is noted like somebody's presence, at a seat that there is not."""

# One row of `asked` is one append, to one table, with its first event; `given` are further ones. Heads are locked in the order of their
# ids, whichever process asks; a first event that is there already, by its place or by its command, is left out, and everything else is
# written for what was let in only. What is asked is looked up in what came before it, never joined with it: a plan that was made for a
# few rows would compare each with each. Hints go only to the other processes that have the table in memory: where there is none nobody is
# woken, and the commit waits for no other, as commits with announcements do. What is given back is what was not let in, and of which
# tables somebody was told.
APPEND = f"""
WITH asked AS MATERIALIZED (
    SELECT * FROM unnest(
        $1::text[], $2::text::bigint[], $3::text::bigint[], $4::text::bigint[], $5::text::bigint[], $6::text[], $7::bytea[], $13::text[]
    ) AS a (table_id, expected, seq, due, at, command, body, sealed)
), held AS MATERIALIZED (
    SELECT t.table_id FROM tables t JOIN asked a ON a.table_id = t.table_id AND a.expected = t.seq
    WHERE a.expected > 0 ORDER BY t.table_id FOR UPDATE OF t
), opened AS (
    INSERT INTO events (table_id, seq, at, command, body)
    SELECT a.table_id, a.expected + 1, a.at, a.command, a.body FROM asked a
    WHERE a.expected = 0 OR a.table_id IN (SELECT h.table_id FROM held h)
    ORDER BY a.table_id
    ON CONFLICT DO NOTHING
    RETURNING table_id
), followed AS (
    INSERT INTO events (table_id, seq, at, body)
    SELECT g.table_id, g.seq, g.at, g.body
    FROM unnest($8::text[], $9::text::bigint[], $10::text::bigint[], $11::bytea[]) AS g (table_id, seq, at, body)
    WHERE g.table_id IN (SELECT o.table_id FROM opened o)
), made AS (
    INSERT INTO tables (table_id, seq, due, created)
    SELECT a.table_id, a.seq, a.due, a.at FROM asked a WHERE a.expected = 0 AND a.table_id IN (SELECT o.table_id FROM opened o)
), holding AS (
    INSERT INTO presences (table_id, seat, process)
    SELECT a.table_id, {HOLDS}, $12::text FROM asked a
    WHERE $12::text IS NOT NULL AND a.expected = 0 AND a.table_id IN (SELECT o.table_id FROM opened o)
    ON CONFLICT DO NOTHING
), moved AS (
    UPDATE tables t SET seq = a.seq, due = a.due FROM asked a
    WHERE t.table_id = a.table_id AND t.seq = a.expected AND a.expected > 0 AND a.table_id IN (SELECT o.table_id FROM opened o)
), heard AS MATERIALIZED (
    SELECT h.process, a.table_id, ' ' || a.table_id || ':' || a.seq || rtrim(' ' || a.sealed) AS place
    FROM asked a CROSS JOIN LATERAL (
        SELECT p.process FROM presences p WHERE p.table_id = a.table_id AND p.seat = {HOLDS} AND p.process <> $12::text OFFSET 0
    ) AS h
    WHERE $12::text IS NOT NULL AND a.table_id IN (SELECT o.table_id FROM opened o)
), paged AS (
    SELECT h.process, h.place,
    (sum(octet_length(h.place)) OVER (PARTITION BY h.process ROWS UNBOUNDED PRECEDING) - octet_length(h.place)) / {PAGE_BYTES} AS page
    FROM heard h
), told AS MATERIALIZED (
    SELECT pg_notify('{CHANNEL} ' || p.process, $12::text || string_agg(p.place, '')) AS hint
    FROM paged p GROUP BY p.process, p.page
)
SELECT ARRAY(SELECT a.table_id FROM asked a WHERE a.table_id NOT IN (SELECT o.table_id FROM opened o)) AS lost,
ARRAY(SELECT h.table_id FROM heard h) AS heard, (SELECT count(hint) FROM told) AS hints
"""

FIND = """
SELECT e.table_id, e.seq FROM events e
JOIN unnest($1::text[], $2::text[]) AS a (table_id, command) ON e.table_id = a.table_id AND e.command = a.command
"""

LOOK_UP = """
SELECT e.table_id, e.seq, e.at, e.body, e.command FROM events e
JOIN unnest($1::text[], $2::bigint[], $3::bigint[]) AS a (table_id, expected, seq)
ON e.table_id = a.table_id AND e.seq > a.expected AND e.seq <= a.seq ORDER BY e.table_id, e.seq
"""


class Job(Struct):
    """An append, and who is told once what came of it."""

    table_id: str
    expected: int
    rows: Sequence[Row]
    due: int | None
    settled: Settled
    is_settled: bool = False

    @property
    def seq(self) -> int:
        """Where the table is after it."""
        return self.expected + len(self.rows)

    def settle(self, outcome: Outcome | BaseException) -> None:
        """Tell what came of it."""
        if self.is_settled:
            return
        self.is_settled = True
        tell(self.settled, outcome)


class Group:
    """
    Appends what is waiting, in one statement on a connection of its own; *process* is named in the hint that goes with it. Where there is
    none, no hint goes with it. With *seals* a hint brings the event itself, if it is one by itself and the last hint of that table had
    somebody to hear it.

    There is no timer: an idle group writes at once, a busy one finds a larger batch after each statement. When the connection is lost
    it is opened again, and what was not acknowledged is looked up before it is tried again.
    """

    def __init__(self, url: str, process: str | None, seals: Seals | None = None) -> None:
        self._url = url
        self._process = process
        self._seals = seals
        self._heard: set[str] = set()
        self._waiting: list[Job] = []
        self._writing: list[Job] = []
        self._woken = asyncio.Event()
        self._closing = False
        self._connection: asyncpg.Connection | None = None
        self._task = asyncio.ensure_future(self._run())
        self.statements = 0

    def append(self, table_id: str, expected: int, rows: Sequence[Row], due: int | None, settled: Settled) -> None:
        """Append rows, validated before; the first one alone may have a command. *settled* is called with what came of it."""
        if self._closing:
            raise RuntimeError("the store is closed")
        self._waiting.append(Job(table_id, expected, rows, due, settled))
        self._woken.set()

    async def close(self) -> None:
        """Finish what is waiting and close the connection; who waits for a database that does not answer is told that it failed."""
        self._closing = True
        self._woken.set()
        await asyncio.wait((self._task,), timeout=CLOSE_S)
        if not self._task.done():
            await self._drop()
            self._task.cancel()
            for job in (*self._writing, *self._waiting):
                job.settle(ConnectionError("the store was closed before the database had answered"))
        if self._connection is not None:
            with contextlib.suppress(*LOST):
                await self._connection.close(timeout=CLOSE_S)

    async def _run(self) -> None:
        while self._waiting or not self._closing:
            if not self._waiting:
                self._woken.clear()
                await self._woken.wait()
                continue
            jobs = self._writing = self._take()
            try:
                await self._write(jobs)
            except Exception as error:  # noqa: BLE001  # whoever waits gets the error, and the others go on
                if len(jobs) == 1 or isinstance(error, LOST):
                    for job in jobs:
                        job.settle(error)
                    continue
                # One bad job must not take the others with it: each gets a statement of its own.
                for job in jobs:
                    try:
                        await self._write([job])
                    except Exception as own:  # noqa: BLE001
                        job.settle(own)

    def _take(self) -> list[Job]:
        """Take what is waiting, of each table the first."""
        taken: dict[str, Job] = {}
        left: list[Job] = []
        for job in self._waiting:
            if job.table_id in taken or len(taken) == GROUP_MAX:
                left.append(job)
            else:
                taken[job.table_id] = job
        self._waiting = left
        return list(taken.values())

    async def _write(self, jobs: list[Job]) -> None:
        backoff = Backoff()
        is_in_doubt = False
        while jobs:
            try:
                connection = await self._connected()
                if is_in_doubt:
                    jobs = await look_up(connection, jobs)
                    is_in_doubt = False
                    continue
                await self._execute(connection, jobs)
                return
            except asyncpg.DeadlockDetectedError as why:
                # Nothing was written; the other one goes first.
                await backoff.wait(why)
            except LOST as why:
                is_in_doubt = True
                await self._drop()
                await backoff.wait(why)

    async def _execute(self, connection: asyncpg.Connection, jobs: list[Job]) -> None:
        self.statements += 1
        COUNTS.batches.add(len(jobs))
        first = [job.rows[0] for job in jobs]
        more = [(job.table_id, row) for job in jobs for row in job.rows[1:]]
        values = (
            [job.table_id for job in jobs], numbers([job.expected for job in jobs]), numbers([job.seq for job in jobs]),
            numbers([job.due for job in jobs]), numbers([row.at for row in first]), [row.command for row in first],
            [row.body for row in first], [table_id for table_id, _ in more], numbers([row.seq for _, row in more]),
            numbers([row.at for _, row in more]), [row.body for _, row in more],
            self._process, [self._sealed(job) for job in jobs],
        )  # fmt: skip
        [(lost, heard, _)] = await connection.fetch(APPEND, *values)
        outcomes: dict[str, Outcome] = {}
        if lost:
            outcomes = await self._why(connection, [job for job in jobs if job.table_id in set(lost)])
        self._heard.difference_update([job.table_id for job in jobs])
        if len(self._heard) > HEARD_MOST:
            # Nobody says when a table is over: all that were ever shared would be far more than are now.
            self._heard.clear()
        self._heard.update(heard)
        for job in jobs:
            job.settle(outcomes.get(job.table_id, APPENDED))

    def _sealed(self, job: Job) -> str:
        if self._seals is None or len(job.rows) > 1 or job.table_id not in self._heard:
            return ""
        return self._seals.seal(job.table_id, job.rows[0]) or ""

    async def _why(self, connection: asyncpg.Connection, lost: list[Job]) -> dict[str, Outcome]:
        """Find out why tables were not let in."""
        outcomes: dict[str, Outcome] = {job.table_id: Conflict() for job in lost}
        names = [(job.table_id, job.rows[0].command) for job in lost if job.rows[0].command is not None]
        if names:
            found = await connection.fetch(FIND, *map(list, zip(*names, strict=True)))
            outcomes |= {table_id: Doubled(seq) for table_id, seq in found}
        return outcomes

    async def _connected(self) -> asyncpg.Connection:
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect(self._url)
        return self._connection

    async def _drop(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None


async def look_up(connection: asyncpg.Connection, jobs: list[Job]) -> list[Job]:
    """Settle the jobs that are in the log already, row for row; return the others."""
    places = [job.table_id for job in jobs], [job.expected for job in jobs], [job.seq for job in jobs]
    found: dict[str, list[Row]] = {}
    for table_id, *row in await connection.fetch(LOOK_UP, *places):
        found.setdefault(table_id, []).append(Row(*row))
    left = []
    for job in jobs:
        if found.get(job.table_id) == list(job.rows):
            job.settle(APPENDED)
        else:
            left.append(job)
    return left


def numbers(values: Sequence[int | None]) -> str:
    """Write an array of numbers as the database reads it: the driver asks of each number by itself whether it is an array."""
    return f"{{{','.join(['NULL' if value is None else str(value) for value in values])}}}"

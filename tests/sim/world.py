"""A world for tests: a clock that moves when it is told to, entropy from a seed, a log in memory."""
from __future__ import annotations

import asyncio
import heapq
import itertools
import random
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from kozyr.app.played import Finished
from kozyr.app.ports import BEATS_MS, Appended, Conflict, Doubled, Limited, Row, Tail, Unpaid
from kozyr.ledger import Entry
from tests.contracts.memory_books import MemoryBooks


@dataclass(order=True)
class FakeTimer:
    """A callback that waits for its time."""

    at: int
    number: int
    callback: Callable[[], None] = field(compare=False)
    is_cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        self.is_cancelled = True


class FakeClock:
    """Stands still until it is moved."""

    def __init__(self, start: int = 1_000_000) -> None:
        self._now = start
        self._timers: list[FakeTimer] = []
        self._numbers = itertools.count()

    def now(self) -> int:
        return self._now

    def call_later(self, ms: int, callback: Callable[[], None]) -> FakeTimer:
        timer = FakeTimer(self._now + ms, next(self._numbers), callback)
        heapq.heappush(self._timers, timer)
        return timer

    @property
    def waiting(self) -> list[int]:
        """In how many milliseconds timers run out, soonest first."""
        return sorted(timer.at - self._now for timer in self._timers if not timer.is_cancelled)

    async def advance(self, ms: int) -> None:
        """Let time go by; everything that becomes due happens in its order."""
        end = self._now + ms
        await settle()
        while self._timers and self._timers[0].at <= end:
            timer = heapq.heappop(self._timers)
            if not timer.is_cancelled:
                self._now = max(self._now, timer.at)
                timer.callback()
                await settle()
        self._now = end


async def settle() -> None:
    """Let everything happen that can happen without time going by."""
    for _ in range(30):
        await asyncio.sleep(0)


class SeededEntropy:
    """The same bytes for the same seed."""

    def __init__(self, seed: int = 1) -> None:
        self._random = random.Random(seed)

    def draw(self, count: int) -> bytes:
        return self._random.randbytes(count)


def call_back(work: Coroutine[Any, Any, Any], settled: Callable[[Any], None]) -> None:
    """Call *settled* with what came of some work, which may be an error."""

    def done(task: asyncio.Task[Any]) -> None:
        working.discard(task)
        # Who was stopped in the middle of it, like a process that is killed, hears nothing.
        if not task.cancelled():
            settled(task.exception() or task.result())

    task = asyncio.ensure_future(work)
    working.add(task)
    task.add_done_callback(done)


working: set[asyncio.Task[Any]] = set()


class MemoryStore(MemoryBooks):
    """The ports `EventStore`, `Guests` and `Ledger` in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, list[Row]] = {}
        self._commands: dict[tuple[str, str], int] = {}
        self.dues: dict[str, int | None] = {}
        self.secrets: dict[str, bytes] = {}
        self.guests: dict[str, str] = {}
        self.appends = 0
        self.finished: list[Finished] = []
        self.beats: int | None = None
        self.gap: tuple[int, int] | None = None

    def append_soon(self, table_id: str, expected: int, rows: Sequence[Row], due: int | None, settled: Callable[[Any], None]) -> None:
        call_back(self.append(table_id, expected, rows, due), settled)

    async def append(
        self,
        table_id: str,
        expected: int,
        rows: Sequence[Row],
        due: int | None,
        entries: Sequence[Entry] = (),
        finished: Sequence[Finished] = (),
    ) -> Appended | Conflict | Doubled | Unpaid | Limited:
        if any(entry.home != table_id for entry in entries):
            raise ValueError(f"an entry is not of table {table_id}")
        if not rows or [row.seq for row in rows] != list(range(expected + 1, expected + 1 + len(rows))):
            raise ValueError(f"rows are not numbered from {expected + 1}")
        await asyncio.sleep(0)
        for row in rows:
            seq = None if row.command is None else self._commands.get((table_id, row.command))
            if seq is not None:
                return Doubled(seq)
        if len(self.rows.get(table_id, ())) != expected:
            return Conflict()
        refusal = self.add(entries)
        if refusal is not None:
            return refusal
        self.rows.setdefault(table_id, []).extend(rows)
        self._commands.update({(table_id, row.command): row.seq for row in rows if row.command is not None})
        self.dues[table_id] = due
        self.appends += 1
        self.finished += finished
        return Appended()

    async def load(self, table_id: str, after: int = 0) -> Tail | None:
        await asyncio.sleep(0)
        log = self.rows.get(table_id)
        return None if log is None else Tail(len(log), self.dues[table_id], log[after:])

    async def find(self, table_id: str, command: str) -> int | None:
        await asyncio.sleep(0)
        return self._commands.get((table_id, command))

    async def overdue(self, now: int, most: int) -> list[str]:
        found = sorted((due, table_id) for table_id, due in self.dues.items() if due is not None and due <= now)
        return [table_id for _, table_id in found[:most]]

    async def waiting(self, until: int, most: int) -> list[str]:
        return await self.overdue(until, most)

    async def beat(self, now: int) -> None:
        if self.beats is not None and now - self.beats > BEATS_MS:
            self.gap = (self.beats, now)
        self.beats = max(now, self.beats or now)

    async def last_gap(self) -> tuple[int, int] | None:
        return self.gap

    async def last_beat(self) -> int | None:
        return self.beats

    async def keep(self, name: str, value: bytes) -> bytes:
        return self.secrets.setdefault(name, value)

    async def remember(self, guest: str, name: str, now: int) -> None:
        self.guests[guest] = name

    async def name_of(self, guest: str) -> str | None:
        return self.guests.get(guest)

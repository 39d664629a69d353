"""Reading tables from the log: a few at a time, and nobody waits for long while it cannot be read."""
from __future__ import annotations

import asyncio

from kozyr.app.live import LiveTable
from kozyr.app.ports import Clock, EventStore, Hints, Spoilt, Unwritable
from kozyr.ledger import Terms

LOADS_MOST = 4
"""So many tables are read at a time, and taken in in one turn of the loop: whoever moves elsewhere does not wait for thousands."""

PATIENCE_MS = 10_000
"""Whoever has waited for so long to be read, while reading failed, is told that it failed: not each has to find out by itself."""


class Reading:
    """Reads tables from a log, and folds them."""

    def __init__(self, store: EventStore, hints: Hints, clock: Clock, terms: Terms) -> None:
        self._store = store
        self._hints = hints
        self._clock = clock
        self._terms = terms
        self._places = asyncio.Semaphore(LOADS_MOST)
        # When reading last failed for what may be no fault of the table's, and why.
        self._failed: tuple[int, Exception] | None = None
        self._closing = False

    def close(self) -> None:
        """Read nothing more but what is being read."""
        self._closing = True

    async def read(self, table_id: str) -> LiveTable | None:
        """
        Return a table as the log has it; None if there is no such table.

        Raises: Spoilt for a log that is no table's, Unwritable where others could not be read or the server stops, and what the store does.
        """
        asked_at = self._clock.now()
        async with self._places:
            self._check(table_id, asked_at)
            live = await self._read(table_id)
            # The place is kept for this turn of the loop, however fast the log was read.
            await asyncio.sleep(0)
        return live

    def _check(self, table_id: str, asked_at: int) -> None:
        """Let nobody wait in a row of thousands while each of those before them waits for a database that is away, or for a stop."""
        if self._closing:
            raise Unwritable(f"table {table_id} is not read any more: the server stops")
        waited_ms = self._clock.now() - asked_at
        if self._failed is not None and self._failed[0] >= asked_at and waited_ms >= PATIENCE_MS:
            raise Unwritable(f"table {table_id} cannot be read now: others could not be for {waited_ms} ms") from self._failed[1]

    async def _read(self, table_id: str) -> LiveTable | None:
        try:
            tail = await self._store.load(table_id)
        except Spoilt:
            raise
        except Exception as error:
            self._failed = self._clock.now(), error
            raise
        if tail is None:
            return None
        last = tail.rows[-1].seq if tail.rows else 0
        if last != tail.seq:
            # Nothing could ever be appended to it.
            raise Spoilt(f"table {table_id} cannot be read: its log ends at {last}, and it should be at {tail.seq}")
        try:
            return LiveTable(table_id, tail.rows, self._store, self._hints, self._clock, self._terms)
        except Exception as error:  # the edge of one table, whatever stands in its rows
            raise Spoilt(f"table {table_id} cannot be read: {error!r}") from error

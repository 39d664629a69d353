"""What viewers are shown of a table: its state, and what has happened since they last looked."""
from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from kozyr.app.counts import COUNTS
from kozyr.app.events import GameOpened
from kozyr.app.evolve import Happening, Step, steps
from kozyr.app.ports import EventStore
from kozyr.app.table import Table
from kozyr.app.turn import Turn

log = logging.getLogger(__name__)

RECENT = 12
"""How many steps are remembered for viewers who are a little behind; who is further behind makes the table read its log."""


class Shown:
    """
    A table as viewers see it, `delay_ms` late.

    `lost` says of persons' seats without a connection since when that is so, in milliseconds.
    """

    delay_ms = 0
    table: Table

    def __init__(self, store: EventStore) -> None:
        self.lost: dict[int, int] = {}
        self._store = store
        # Who reads the log holds back whoever would write it, so that what was read is of one moment.
        self._turn = Turn()
        self._listeners: list[Callable[[], None]] = []
        # The `seq` of each, and what is told of it; the tables that they made are not kept.
        self._recent: list[tuple[int, list[Happening]]] = []
        self._opening: Table | None = None
        self._whole: tuple[int, list[tuple[int, Happening]]] = (0, [])

    @property
    def listeners(self) -> int:
        """How many listen."""
        return len(self._listeners)

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call *listener* whenever the table has moved on; returns how to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def since(self, seq: int | None) -> tuple[Table, list[Happening]]:
        """Return the table now, and what has happened in the present game after *seq*, in order; nothing for None, who is new here."""
        async with self._turn:
            if seq is None:
                return self.table, []
            while (told := self.told_since(seq)) is None:
                now = self.table.seq
                if self._whole[0] != now:
                    self._whole = (now, await self._read_whole(now))
                # A table that is shown later moves on whoever reads its log: then there is more to tell.
                if self.table.seq == now:
                    return self.table, [each for at, each in self._whole[1] if at > seq]
            return self.table, told

    async def _read_whole(self, until: int) -> list[tuple[int, Happening]]:
        """Read what has happened in the present game up to *until*, each with its `seq`."""
        opening = self._opening
        tail = await self._store.load(self.table.id, 0 if opening is None else opening.seq)
        rows = [] if tail is None else [row for row in tail.rows if row.seq <= until]
        return [(step.table.seq, each) for step in steps(self.table.id, rows, opening) for each in step.told]

    def told_since(self, seq: int) -> list[Happening] | None:
        """Tell what has happened after *seq* if it is remembered, else None."""
        last, told = self._recent[-1]
        if seq + 1 == last:
            # Most viewers are one step behind.
            return told
        oldest = self._recent[0][0]
        if seq + 1 < oldest and (self._opening is None or oldest > self._opening.seq + 1):
            return None
        start = max(seq, 0 if self._opening is None else self._opening.seq)
        return [each for at, told in self._recent if at > start for each in told]

    def close(self) -> None:
        """Nobody looks any more."""

    def _show(self, taken: Sequence[Step]) -> None:
        """Show what has happened, and tell whoever listens."""
        self._take_in(taken)
        self._tell_listeners()

    def _take_in(self, taken: Sequence[Step]) -> None:
        for step in taken:
            self._add(step)
        self.table = taken[-1].table
        if self._whole[0]:
            self._whole = (0, [])

    def _tell_listeners(self) -> None:
        for listener in tuple(self._listeners):
            try:
                listener()
            except Exception:
                # What is in the log has happened: neither an answer nor the others may miss it.
                COUNTS.failures += 1
                log.exception("a listener of table %s failed", self.table.id)

    def _add(self, step: Step) -> None:
        if isinstance(step.event, GameOpened):
            # Where a reading of the present game's log begins.
            self._opening = replace(step.table, seq=step.table.seq - 1, game=None)
        self._recent.append((step.table.seq, step.told))
        if len(self._recent) > RECENT:
            del self._recent[0]

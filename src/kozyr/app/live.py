"""A table in memory: the fold of its log so far, and the one place of this process that appends to it."""
from __future__ import annotations

import asyncio
import logging
from array import array
from collections import deque
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from kozyr.app.commands import Command, Done, Lapse, Refusal
from kozyr.app.decide import Draft, decide
from kozyr.app.events import GameOpened, encode
from kozyr.app.evolve import Happening, Step, steps
from kozyr.app.limits import Bucket
from kozyr.app.ports import Appended, Clock, Conflict, Doubled, EventStore, Hints, Limited, Row, Unpaid
from kozyr.app.table import Table
from kozyr.core.notation import format_position

log = logging.getLogger(__name__)

RECENT = 12
"""How many steps are remembered for viewers who are a little behind; who is further behind makes the table read its log."""

READS, READS_MS = 5, 200
"""So many refusals in a row look into the log whether another process has moved on, and one more after each so many milliseconds."""


class LiveTable:
    """
    One table of this process.

    `table` only ever holds what is in the log (I3). Commands wait for each other, so that one append is in flight; between processes
    the log's compare-and-set decides, and the command is judged again on what the other process wrote (I5).

    `lost` says of seats whose connection was lost, and has not come back, when that was, in milliseconds.

    Raises: ValueError for rows that are no whole log.
    """

    def __init__(self, table_id: str, rows: Sequence[Row], store: EventStore, hints: Hints, clock: Clock) -> None:
        self.is_stopped = False
        self._store = store
        self._hints = hints
        self._clock = clock
        self._appending = asyncio.Lock()
        self._listeners: list[Callable[[], None]] = []
        self._recent: deque[Step] = deque(maxlen=RECENT)
        self._opening: Table | None = None
        self.lost: dict[int, int] = {}
        self._names = array("q")
        self._reads = Bucket(READS, READS_MS)
        self._whole: tuple[int, list[tuple[int, Happening]]] = (0, [])
        self._note(rows)
        for step in steps(table_id, rows):
            self._add(step)
        self.table: Table = self._recent[-1].table

    @property
    def listeners(self) -> int:
        """How many listen."""
        return len(self._listeners)

    @property
    def is_appending(self) -> bool:
        """Whether a command is being handled."""
        return self._appending.locked()

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call *listener* whenever the table has moved on; returns how to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def handle(self, command: Command) -> Done | Refusal | None:
        """Decide about a command, make what it does durable, and answer; None for a clock that was not due."""
        name = name_of(command)
        async with self._appending:
            while True:
                draft = self._decide(command)
                if draft is None:
                    return None
                if isinstance(draft, Refusal):
                    answer = await self._first_answer(name)
                    # Only what the newest position forbids is refused: another process may have moved on. Whoever is refused again
                    # and again cannot make the log be read each time; another process's hints still come.
                    if answer is None and self._reads.take(self._clock.now()) and await self._catch_up():
                        continue
                    return answer or draft
                first = self.table.seq + 1
                outcome = await self._append(draft, name)
                if isinstance(outcome, Appended):
                    return Done(first)
                await self._catch_up()
                if isinstance(outcome, Doubled):
                    return Done(outcome.seq)

    async def catch_up(self) -> None:
        """Read what other processes have appended."""
        async with self._appending:
            await self._catch_up()

    async def since(self, seq: int) -> tuple[Table, list[Happening]]:
        """Return the table now, and what has happened in the present game after *seq*, in order."""
        async with self._appending:
            told = self.told_since(seq)
            if told is None:
                if self._whole[0] != self.table.seq:
                    self._whole = (self.table.seq, await self._read_whole())
                told = [each for at, each in self._whole[1] if at > seq]
            return self.table, told

    async def _read_whole(self) -> list[tuple[int, Happening]]:
        """Read what has happened in the present game, each with its `seq`."""
        opening = self._opening
        assert opening is not None
        tail = await self._store.load(self.table.id, opening.seq)
        rows = [] if tail is None else [row for row in tail.rows if row.seq <= self.table.seq]
        return [(step.table.seq, each) for step in steps(self.table.id, rows, opening) for each in step.told]

    def told_since(self, seq: int) -> list[Happening] | None:
        """Tell what has happened after *seq* if it is remembered, else None."""
        if seq + 1 < self._recent[0].table.seq and (self._opening is None or self._recent[0].table.seq > self._opening.seq + 1):
            return None
        start = 0 if self._opening is None else self._opening.seq
        return [each for step in self._recent if step.table.seq > max(seq, start) for each in step.told]

    def _decide(self, command: Command) -> Draft | Refusal | None:
        if self.is_stopped:
            return None if isinstance(command, Lapse) else Refusal("table_stopped")
        try:
            return decide(self.table, command, self._clock.now())
        except Exception:  # a broken invariant stops this table, not the server
            self.is_stopped = True
            position = self.table.position
            where = None if position is None else format_position(position)
            log.exception("table %s stopped at %s on %s in %s", self.table.id, self.table.seq, command, where)
            return Refusal("table_stopped")

    async def _append(self, draft: Draft, name: str | None) -> Appended | Conflict | Doubled:
        first = self.table.seq + 1
        rows = [Row(first + i, draft.now, encode(step.event), name if i == 0 else None) for i, step in enumerate(draft.steps)]
        outcome = await self._store.append(self.table.id, self.table.seq, rows, draft.table.due)
        assert not isinstance(outcome, Unpaid | Limited), f"an append without coins at table {self.table.id} was judged by them"
        if isinstance(outcome, Appended):
            self._note(rows)
            self._move_on(draft.steps)
            self._hints.publish(self.table.id, self.table.seq)
        return outcome

    async def _first_answer(self, name: str | None) -> Done | None:
        """
        A command that was acknowledged before is not refused when it comes again (I2).

        The log is only asked for one that may be in it.
        """
        if name is None or hash(name) not in self._names:
            return None
        seq = await self._store.find(self.table.id, name)
        return None if seq is None else Done(seq)

    def _note(self, rows: Sequence[Row]) -> None:
        """Remember, in few bytes, which commands are in the log."""
        self._names.extend(hash(row.command) for row in rows if row.command is not None)

    async def _catch_up(self) -> bool:
        """Take in what other processes have appended; says whether there was anything."""
        tail = await self._store.load(self.table.id, self.table.seq)
        if tail is None or not tail.rows:
            return False
        self._note(tail.rows)
        self._move_on(list(steps(self.table.id, tail.rows, self.table)))
        return True

    def _move_on(self, taken: Sequence[Step]) -> None:
        for step in taken:
            self._add(step)
        self.table = taken[-1].table
        self._whole = (0, [])
        for listener in tuple(self._listeners):
            listener()

    def _add(self, step: Step) -> None:
        if isinstance(step.event, GameOpened):
            # Where a reading of the present game's log begins.
            self._opening = replace(step.table, seq=step.table.seq - 1, game=None)
        self._recent.append(step)


def name_of(command: Command) -> str | None:
    """
    Name a command as the log does: by its seat and the id that its client gave it, so that no seat can use up another's ids.

    Bots' moves and the clock's have none: they are only made at the `seq` that they were meant for.
    """
    if isinstance(command, Lapse) or command.id is None or command.seat is None:
        return None
    return f"{command.seat}.{command.id}"

"""Hints by PostgreSQL's NOTIFY, which the store puts into the statement that appends."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence

from kozyr.app.ports import Row
from kozyr.app.sealing import Seals
from kozyr.bus.link import Link

Listener = Callable[[str, int, Row | None], None]
Heads = Callable[[Sequence[str]], Awaitable[dict[str, int]]]

CHANNEL = "kozyr"
DIGITS_MAX = 18
"""No table has a longer `seq`."""

AGAIN_S = 10.0
"""How often what is noted of this process is read again, in case that others have forgotten it."""

# A table in memory is noted like somebody's presence, at a seat that there is not.
HELD = "SELECT table_id FROM presences WHERE process = $1 AND seat = -1"
HOLD = "INSERT INTO presences (table_id, seat, process) SELECT unnest($1::text[]), -1, $2 ON CONFLICT DO NOTHING"
LET_GO = "DELETE FROM presences WHERE table_id = ANY($1::text[]) AND seat = -1 AND process = $2"


class PostgresBus:
    """
    What other processes have appended. Implements the port `Hints`.

    A payload names the process that appended and then each table with its `seq`, and after it, sealed, the row that brought it there, if
    that is one by itself and not too long. It is for a process that has those tables in memory, as the store notes when it reads one, and
    this bus what has been let go of. Hints that were lost, with a connection or with a process that died, are made up for: every round asks
    where this process's own tables are (traps of every bus that forgets).
    """

    def __init__(self, link: Link, process: str, heads: Heads, seals: Seals | None = None) -> None:
        self._link = link
        self._process = process
        self._heads = heads
        self._seals = seals
        self._held: set[str] = set()
        self._strange: set[str] = set()
        self._held_by = 0
        self._held_at = -AGAIN_S
        self._listeners: list[Listener] = []
        self._local: Callable[[], Iterable[tuple[str, int]]] = tuple
        self.heard = 0
        link.hear(CHANNEL, self._hear)
        link.hear(f"{CHANNEL} {process}", self._hear)
        link.do_each_round(self._hold)
        link.do_each_round(self._heal)

    def publish(self, table_id: str, seq: int, row: Row | None = None) -> None:
        """Announce nothing: what is in the log has been announced by the statement that put it there."""

    def subscribe(self, listener: Listener) -> None:
        """Listen to the others."""
        self._listeners.append(listener)

    def look_after(self, local: Callable[[], Iterable[tuple[str, int]]]) -> None:
        """Say which tables this process has in memory, and at which `seq`."""
        self._local = local

    def _hear(self, payload: str) -> None:
        process, *words = payload.split() or [""]
        self.heard += 1
        if process == self._process:
            return
        table_id, seq = "", 0
        for word in words:
            name, _, number = word.rpartition(":")
            if name and number.isdecimal() and len(number) <= DIGITS_MAX:
                if table_id:
                    self._hand_on(table_id, seq)
                table_id, seq = name, int(number)
            elif table_id:
                # What is neither a place nor its row a newer version has said, beside which this one goes on for a while.
                self._hand_on(table_id, seq, self._open(table_id, seq, word))
                table_id = ""
        if table_id:
            self._hand_on(table_id, seq)

    def _open(self, table_id: str, seq: int, word: str) -> Row | None:
        return None if self._seals is None else self._seals.open(table_id, seq, word)

    async def _hold(self) -> None:
        """Note which tables are in memory here."""
        now, local = asyncio.get_running_loop().time(), {table_id for table_id, _ in self._local()}
        if self._held_by != self._link.connections or now - self._held_at >= AGAIN_S:
            # A crash of the database forgets all of it, and cuts the connection.
            self._held_by, self._held_at = self._link.connections, now
            found = {row[0] for row in await self._link.ask(HELD, self._process)}
            # Noted, and not in memory: the store reads it just now. What is so the next time, too, was let go of before anybody looked.
            lasting = found & self._strange
            self._strange = found - local - self._held - lasting
            self._held = found - self._strange
        if new := local - self._held:
            await self._link.ask(HOLD, sorted(new), self._process)
        if gone := self._held - local:
            await self._link.ask(LET_GO, sorted(gone), self._process)
        self._held = local

    async def _heal(self) -> None:
        local = dict(self._local())
        if not local:
            return
        for table_id, seq in (await self._heads(list(local))).items():
            if seq > local[table_id]:
                self._hand_on(table_id, seq)

    def _hand_on(self, table_id: str, seq: int, row: Row | None = None) -> None:
        for listener in self._listeners:
            listener(table_id, seq, row)

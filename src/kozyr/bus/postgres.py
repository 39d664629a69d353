"""Hints by PostgreSQL's NOTIFY, which the store puts into the statement that appends."""
from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence

from kozyr.bus.link import Link

Listener = Callable[[str, int], None]
Heads = Callable[[Sequence[str]], Awaitable[dict[str, int]]]

CHANNEL = "kozyr"


class PostgresBus:
    """
    What other processes have appended. Implements the port `Hints`.

    A payload names the process that appended and then each table with its `seq`. Hints that were lost, with a connection or with a
    process that died, are made up for: every round asks where this process's own tables are (traps of every bus that forgets).
    """

    def __init__(self, link: Link, process: str, heads: Heads) -> None:
        self._process = process
        self._heads = heads
        self._listeners: list[Listener] = []
        self._local: Callable[[], Iterable[tuple[str, int]]] = tuple
        self.heard = 0
        link.hear(CHANNEL, self._hear)
        link.do_each_round(self._heal)

    def publish(self, table_id: str, seq: int) -> None:
        """Announce nothing: what is in the log has been announced by the statement that put it there."""

    def subscribe(self, listener: Listener) -> None:
        """Listen to the others."""
        self._listeners.append(listener)

    def look_after(self, local: Callable[[], Iterable[tuple[str, int]]]) -> None:
        """Say which tables this process has in memory, and at which `seq`."""
        self._local = local

    def _hear(self, payload: str) -> None:
        process, *places = payload.split() or [""]
        self.heard += 1
        if process == self._process:
            return
        for place in places:
            table_id, _, seq = place.rpartition(":")
            # What is no table with its `seq` a newer version has said, beside which this one goes on for a while.
            if table_id and seq.isdecimal():
                self._hand_on(table_id, int(seq))

    async def _heal(self) -> None:
        local = dict(self._local())
        if not local:
            return
        for table_id, seq in (await self._heads(list(local))).items():
            if seq > local[table_id]:
                self._hand_on(table_id, seq)

    def _hand_on(self, table_id: str, seq: int) -> None:
        for listener in self._listeners:
            listener(table_id, seq)

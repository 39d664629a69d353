"""A staked table as spectators see it: what happens in a game comes to them later, so that nobody can be helped by one."""
from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Self

from kozyr.app.evolve import Step, steps
from kozyr.app.live import LiveTable
from kozyr.app.ports import Clock, EventStore, Timer
from kozyr.app.shown import Shown

DELAY_MS = 60_000


class DelayedTable(Shown):
    """
    Follows a live table: each event of a game comes *delay_ms* after it happened, or when the game is over; others come at once.

    Source: R13.2.
    """

    def __init__(self, live: LiveTable, past: Sequence[Step], store: EventStore, clock: Clock, delay_ms: int) -> None:
        super().__init__(store)
        self.lost = live.lost
        self.delay_ms = delay_ms
        self._live = live
        self._clock = clock
        self._pending = deque(past)
        self._timer: Timer | None = None
        first = self._pending.popleft()
        self._add(first)
        self.table = first.table
        # While somebody looks the live table is not let go.
        self._unlisten = live.listen(self._release)
        live.followers.append(self._follow)
        self._release()

    @classmethod
    async def of(cls, live: LiveTable, store: EventStore, clock: Clock, delay_ms: int = DELAY_MS) -> Self:
        """Read the table's log, from its first event on."""
        newer: list[Step] = []
        live.followers.append(newer.extend)
        try:
            tail = await store.load(live.table.id)
        finally:
            live.followers.remove(newer.extend)
        assert tail is not None
        past = list(steps(live.table.id, tail.rows))
        last = past[-1].table.seq
        if live.table.seq > last:
            past += [step for step in newer if step.table.seq > last]
        return cls(live, [step for step in past if step.table.seq <= live.table.seq], store, clock, delay_ms)

    def close(self) -> None:
        """Stop following."""
        self._unlisten()
        self._live.followers.remove(self._follow)
        if self._timer is not None:
            self._timer.cancel()

    def _follow(self, taken: Sequence[Step]) -> None:
        self._pending.extend(taken)

    def _release(self) -> None:
        """Show what may be shown by now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now, taken = self._clock.now(), []
        while self._pending and self._at(self._pending[0]) <= now:
            taken.append(self._pending.popleft())
        if self._pending:
            self._timer = self._clock.call_later(self._at(self._pending[0]) - now, self._release)
        if taken:
            self._show(taken)

    def _at(self, step: Step) -> int:
        """Say when an event may be shown."""
        live, game = self._live.table, step.table.game
        # A game before the present one is over, however little time ago: spectators have been shown its end.
        is_present = live.game is not None and game is not None and live.game.number == game.number
        return step.table.at + self.delay_ms if live.is_running and step.table.is_running and is_present else 0

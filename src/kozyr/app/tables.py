"""All tables of this process: opening, loading, clocks, bots."""
from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

from kozyr.app.bot_seats import BotSeats, Pause
from kozyr.app.commands import Lapse, Seeds
from kozyr.app.decide import open_table
from kozyr.app.events import Player, encode
from kozyr.app.live import LiveTable
from kozyr.app.ports import Appended, Clock, Entropy, EventStore, Hints, Row, Timer
from kozyr.core.options import Rules

log = logging.getLogger(__name__)

SWEEP_MS = 1000
SWEEP_MOST = 200
IDLE_SWEEPS = 10
"""How many sweeps a table is kept although nobody is at it: whoever has just asked for it may be about to come."""
ID_BYTES = 10


class Tables:
    """
    The tables that this process serves.

    Any table can be loaded from the log at any time, and let go again when nobody is at it and nothing is going on there.
    """

    def __init__(self, store: EventStore, hints: Hints, clock: Clock, entropy: Entropy, pause: Pause | None = None) -> None:
        self._store = store
        self._hints = hints
        self._clock = clock
        self._entropy = entropy
        self._pause = pause or Pause()
        self._seated: dict[str, Seated] = {}
        self._loading: dict[str, asyncio.Future[LiveTable | None]] = {}
        self._announced: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sweeper: Timer | None = None
        self._closing = False

    def __len__(self) -> int:
        return len(self._seated)

    def start(self) -> None:
        """Begin to listen to other processes and to look after overdue clocks."""
        self._hints.subscribe(self.on_hint)
        self.spawn(self._sweep())

    async def close(self) -> None:
        """Stop clocks and bots, and wait for what is being written."""
        self._closing = True
        if self._sweeper is not None:
            self._sweeper.cancel()
        for seated in self._seated.values():
            seated.stop()
        while self._tasks:
            await asyncio.wait(self._tasks)

    def draw_seeds(self, seats: int) -> Seeds:
        """Draw the secrets of a game's shuffle."""
        return Seeds(self._entropy.draw(32), tuple(self._entropy.draw(32) for _ in range(seats)))

    async def open(self, rules: Rules, players: Sequence[Player]) -> LiveTable:
        """Open a table with its first game, durably."""
        table_id = base64.b32encode(self._entropy.draw(ID_BYTES)).decode().lower()
        draft = open_table(table_id, rules, list(players), self.draw_seeds(rules.seats), self._clock.now())
        rows = [Row(step.table.seq, draft.now, encode(step.event)) for step in draft.steps]
        outcome = await self._store.append(table_id, 0, rows, draft.table.due)
        assert isinstance(outcome, Appended), f"a new table has the id of another: {table_id}"
        return self._seat(LiveTable(table_id, rows, self._store, self._hints, self._clock))

    async def get(self, table_id: str) -> LiveTable | None:
        """Return a table, from the log if it is not in memory; None if there is no such table."""
        seated = self._seated.get(table_id)
        if seated is not None:
            seated.idle_sweeps = 0
            return seated.live
        loading = self._loading.get(table_id)
        if loading is None:
            loading = asyncio.ensure_future(self._load(table_id))
            self._loading[table_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(table_id, None))
        # Shielded: who asked first may go away while others still wait.
        return await asyncio.shield(loading)

    def on_hint(self, table_id: str, seq: int) -> None:
        """Catch up with another process; a hint that comes while the table is being loaded is not lost."""
        if table_id in self._loading:
            self._announced[table_id] = max(seq, self._announced.get(table_id, 0))
        seated = self._seated.get(table_id)
        if seated is not None and seated.live.table.seq < seq:
            self.spawn(seated.live.catch_up())

    def let_go(self) -> int:
        """Forget the tables that nobody has been at for a while and where neither a clock nor a bot has anything to do; return how many."""
        before = len(self._seated)
        for table_id, seated in list(self._seated.items()):
            seated.idle_sweeps = seated.idle_sweeps + 1 if seated.is_idle else 0
            if seated.idle_sweeps > IDLE_SWEEPS:
                self._seated.pop(table_id).stop()
        return before - len(self._seated)

    async def _load(self, table_id: str) -> LiveTable | None:
        tail = await self._store.load(table_id)
        if tail is None:
            return None
        live = LiveTable(table_id, tail.rows, self._store, self._hints, self._clock)
        if self._announced.pop(table_id, 0) > live.table.seq:
            await live.catch_up()
        return self._seat(live)

    def _seat(self, live: LiveTable) -> LiveTable:
        seated = Seated(self, live, self._clock, self._pause)
        self._seated[live.table.id] = seated
        if not self._closing:
            seated.look()
        return live

    async def _sweep(self) -> None:
        """Find clocks that should have acted while nobody had their table in memory, and let go of idle tables."""
        now = self._clock.now()
        for table_id in await self._store.overdue(now - SWEEP_MS, SWEEP_MOST):
            live = await self.get(table_id)
            if live is not None:
                await live.handle(Lapse())
        self.let_go()
        if not self._closing:
            self._sweeper = self._clock.call_later(SWEEP_MS, lambda: self.spawn(self._sweep()))

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something on the side; `close` waits for it."""
        if self._closing:
            work.close()
            return
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("a table's work failed", exc_info=error)


class Seated:
    """A live table with its clock and its bots."""

    def __init__(self, tables: Tables, live: LiveTable, clock: Clock, pause: Pause) -> None:
        self.live = live
        self.idle_sweeps = 0
        self._tables = tables
        self._clock = clock
        self._bots = BotSeats(live, clock, pause, tables.spawn)
        self._due: int | None = None
        self._timer: Timer | None = None
        self._unlisten = live.listen(self.look)

    @property
    def is_idle(self) -> bool:
        """Whether nobody would notice if the table were let go."""
        return self.live.listeners == 1 and not self.live.is_appending and self._bots.is_idle and self._timer is None

    def look(self) -> None:
        """Set the clock and the bots to what the game waits for now."""
        self._bots.look()
        due = self.live.table.due
        if due == self._due:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._due = due
        self._timer = None if due is None else self._clock.call_later(max(0, due - self._clock.now()), self._lapse)

    def stop(self) -> None:
        """Stop clock and bots."""
        self._unlisten()
        self._bots.stop()
        if self._timer is not None:
            self._timer.cancel()

    def _lapse(self) -> None:
        self._timer = None
        self._tables.spawn(self._let_clock_act())

    async def _let_clock_act(self) -> None:
        if await self.live.handle(Lapse()) is None:
            # Timers may be a millisecond early, the clock's deadline never is.
            self._due = None
            self.look()

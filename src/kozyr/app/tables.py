"""All tables of this process: opening, loading, clocks, bots."""
from __future__ import annotations

import asyncio
import base64
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from kozyr.app.alone import Alone
from kozyr.app.bot_seats import RETRY_MS, BotSeats, Pause
from kozyr.app.commands import Lapse, Outage, Seeds
from kozyr.app.counts import COUNTS
from kozyr.app.decide import open_table
from kozyr.app.events import Player, encode
from kozyr.app.failing import Failing
from kozyr.app.live import DEFAULT_TERMS, LiveTable
from kozyr.app.ports import BEATS_MS, Appended, Clock, Entropy, EventStore, Hints, Ledger, Peers, Row, Thinking, Timer, Unwritable
from kozyr.app.reading import Reading
from kozyr.app.sharing import shared
from kozyr.app.table import Stage, Table, game_id
from kozyr.app.thinking import HereAndNow
from kozyr.core.options import Rules
from kozyr.ledger import Terms, refund_of

log = logging.getLogger(__name__)

SWEEP_MS = 1000
SWEEP_MOST = 200
STALL_MS = 5000
"""Sweeps that are further apart than this mean that the process, or its machine, stood still; that is the server's fault."""

RETRY_MS_MAX = 60_000
"""For so long a clock that failed is left alone at most."""

STOP_S, BEAT_S = 10.0, 2.0
"""So long a stop waits for what the log has not answered, and for the word that it leaves there."""

REVIVE_MS = 3_600_000
REVIVE_MOST = 50_000
POTS_MOST = 1_000_000
IDLE_SWEEPS = 10
"""How many sweeps a table is kept although nobody is at it: whoever has just asked for it may be about to come."""
ID_BYTES = 10


class Tables:
    """
    The tables that this process serves.

    Any table can be loaded from the log at any time, and let go again when nobody is at it and nothing is going on there.
    """

    def __init__(
        self,
        store: EventStore,
        hints: Hints,
        clock: Clock,
        entropy: Entropy,
        pause: Pause | None = None,
        ledger: Ledger | None = None,
        terms: Terms = DEFAULT_TERMS,
        thinking: Thinking | None = None,
        peers: Peers | None = None,
    ) -> None:
        self._store = store
        self._hints = hints
        self._clock = clock
        self._entropy = entropy
        self._pause = pause or Pause()
        self.thinking = thinking or HereAndNow()
        self.peers = peers or Alone()
        self._ledger = ledger
        self._terms = terms
        self._watchers: list[Callable[[Table], None]] = []
        self._seated: dict[str, Seated] = {}
        self._loading: dict[str, asyncio.Future[LiveTable | None]] = {}
        self._reading = Reading(store, hints, clock, terms)
        self._announced: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sweeper: Timer | None = None
        self._alive: int | None = None
        self._outage: Outage | None = None
        # Nobody could move while nothing could be written, and that is the server's fault.
        self._is_unwritable = False
        self._closing = False
        self._judging: asyncio.Future[None] | None = None
        self._failing = Failing(clock)

    def __len__(self) -> int:
        return len(self._seated)

    async def start(self) -> None:
        """Find out how long no server was there, then listen to other processes and look after clocks and bots of all tables."""
        now, beat = self._clock.now(), await self._store.last_beat()
        if beat is None:
            # Whoever was there has died before the first beat: of the time since a table's last event nobody knows that anybody was.
            self._outage = Outage(0, now)
        elif beat < now - (0 if self.peers.is_alone else BEATS_MS):
            self._outage = Outage(beat, now)
        elif (gap := await self._store.last_gap()) is not None:
            self._outage = Outage(*gap)
        self._alive = now
        self._hints.subscribe(self.on_hint)
        self.peers.watch(lambda: self.spawn(self._revive()), lambda table_id: self.spawn(self.get(table_id)))
        self.spawn(self._revive())
        self.spawn(self._sweep())

    async def close(self) -> None:
        """
        Stop clocks and bots, wait for what is being written, and leave word until when a server was there: the rest is given back.

        Where the log does not answer a stop waits for it no longer than `STOP_S`, and loses nothing by that.
        """
        self._closing = True
        self._reading.close()
        now = self._clock.now()
        if self._sweeper is not None:
            self._sweeper.cancel()
        for seated in self._seated.values():
            seated.stop()
        # Also for what is being read: where processes say which tables they have, this one says afterwards that it has none.
        loop = asyncio.get_running_loop()
        end = loop.time() + STOP_S
        while busy := self._busy():
            await asyncio.wait(busy, timeout=max(0, end - loop.time()))
            if loop.time() >= end:
                await self._give_up()
                break
        if self._seated:
            await self._leave_word(now)

    async def _leave_word(self, now: int) -> None:
        """Say until when a server was there; where that cannot be written the last sweep's word is at most a second older."""
        beating = asyncio.ensure_future(self._store.beat(now))
        # Not `asyncio.timeout`: what it cancels may have to wait in its turn, for a database that says nothing.
        await asyncio.wait((beating,), timeout=BEAT_S)
        if not beating.done():
            beating.cancel()
            log.warning("the time of the stop cannot be kept: the log does not answer")
        elif error := beating.exception():
            log.error("the time of the stop cannot be kept", exc_info=error)

    def _busy(self) -> list[asyncio.Future[Any]]:
        return [*self._tasks, *self._loading.values()]

    async def _give_up(self) -> None:
        """Wait no more for what the log does not answer: what of it was not acknowledged may be in the log, or not."""
        if busy := self._busy():
            log.warning("the log does not answer; the server stops without %d answers", len(busy))
            for each in busy:
                each.cancel()
            await asyncio.wait(busy, timeout=BEAT_S)

    def draw_seeds(self, seats: int) -> Seeds:
        """Draw the secrets of a game's shuffle."""
        return Seeds(self._entropy.draw(32), tuple(self._entropy.draw(32) for _ in range(seats)))

    async def open(
        self, rules: Rules, players: Sequence[Player | None], is_private: bool = True, password: str | None = None
    ) -> LiveTable:
        """Open a table durably; where nobody else is awaited, with its first game."""
        table_id = base64.b32encode(self._entropy.draw(ID_BYTES)).decode().lower()
        now, seeds = self._clock.now(), self.draw_seeds(rules.seats)
        draft = open_table(table_id, rules, players, seeds, now, is_private, password)
        rows = [Row(step.table.seq, draft.now, encode(step.event)) for step in draft.steps]
        outcome = await self._store.append(table_id, 0, rows, draft.table.wake)
        COUNTS.opened += 1
        assert isinstance(outcome, Appended), f"a new table has the id of another: {table_id}"
        return self._seat(LiveTable(table_id, rows, self._store, self._hints, self._clock, self._terms))

    def watch(self, watcher: Callable[[Table], None]) -> None:
        """Call *watcher* with every table of this process whose players, stage or readiness have changed."""
        self._watchers.append(watcher)

    def tell_watchers(self, table: Table) -> None:
        """Tell everybody who watches that a table has changed."""
        for watcher in self._watchers:
            watcher(table)

    def all(self) -> list[Table]:
        """List the tables in memory."""
        return [seated.live.table for seated in self._seated.values()]

    def ids(self) -> list[str]:
        """List the ids of the tables in memory."""
        return list(self._seated)

    def in_memory(self, table_id: str) -> LiveTable | None:
        """Return a table if it is in memory."""
        seated = self._seated.get(table_id)
        return None if seated is None else seated.live

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
            loading.add_done_callback(lambda ended: self._is_loaded(table_id, ended))
        # Shielded: who asked first may go away while others still wait.
        return await asyncio.shield(loading)

    def on_hint(self, table_id: str, seq: int, row: Row | None = None) -> None:
        """Catch up with another process, by the row that came with its hint; a hint while the table is being loaded is not lost."""
        if table_id in self._loading:
            self._announced[table_id] = max(seq, self._announced.get(table_id, 0))
        seated = self._seated.get(table_id)
        if seated is not None and seated.live.table.seq < seq and (row is None or not seated.live.follow(row)):
            self.spawn(seated.live.catch_up(seq))

    def let_go(self) -> int:
        """
        Forget the tables that nobody has been at for a while, where neither a clock nor a bot has anything to do or other processes look
        after them; return how many.
        """
        before = len(self._seated)
        for table_id, seated in list(self._seated.items()):
            has_people = bool(self.peers.known_elsewhere(table_id))
            # Whoever people are connected to looks after it: to take in each move here as well would cost a third more.
            is_others = seated.is_unwatched and (has_people or not self.peers.is_home(table_id))
            if is_others and not has_people and not seated.is_idle:
                self.peers.hand_over(table_id)
            seated.idle_sweeps = seated.idle_sweeps + 1 if is_others or seated.is_idle else 0
            if seated.idle_sweeps > IDLE_SWEEPS:
                self._seated.pop(table_id).stop()
        return before - len(self._seated)

    async def outage(self) -> Outage | None:
        """Name the last time in which no server was there, or this one stood still, or could not write, while no other was."""
        if self._is_stalled:
            # All who ask at once have one answer, be it that the log cannot be asked: they do not find that out one after the other.
            if self._judging is None:
                self._judging = asyncio.ensure_future(self._judge_stall())
                self._judging.add_done_callback(self._has_judged)
            await asyncio.shield(self._judging)
        return self._outage

    def _has_judged(self, ended: asyncio.Future[None]) -> None:
        self._judging = None
        if not ended.cancelled():
            ended.exception()

    @property
    def _is_stalled(self) -> bool:
        return self._alive is not None and (self._is_unwritable or self._clock.now() - self._alive > STALL_MS)

    async def _judge_stall(self) -> None:
        now, alive = self._clock.now(), self._alive
        if alive is None or not self._is_stalled:
            return
        before = self._outage
        if before is not None and self._is_unwritable and before.until == alive:
            # It goes on; what has been given back of it was written, and so happened since.
            alive = before.since
        beat, gap = await self._store.last_beat(), await self._store.last_gap()
        if beat is None or beat < now - BEATS_MS:
            self._outage = Outage(alive, now)
        elif gap is not None and gap[1] > alive:
            self._outage = Outage(max(alive, gap[0]), gap[1])
        elif self._is_unwritable:
            # Too short to be told yet.
            return
        self._alive = now

    async def _revive(self) -> None:
        """Go on at the tables where a clock runs or bots play alone, the soonest first."""
        for table_id in await self._store.waiting(self._clock.now() + REVIVE_MS, REVIVE_MOST):
            if self._closing:
                return
            if self.peers.is_home(table_id):
                await self._failing.look_at(table_id, self._go_on)

    async def _load(self, table_id: str) -> LiveTable | None:
        live = await self._reading.read(table_id)
        if live is None:
            return None
        outage = await self.outage()
        if outage is not None and live.table.due is not None and live.table.at < outage.until:
            await live.handle(Lapse(outage=outage))
        elsewhere = await self.peers.elsewhere(table_id)
        # Last of all: from here on whatever is announced finds the table.
        while self._announced.pop(table_id, 0) > live.table.seq:
            await live.catch_up()
        return self._seat(live, elsewhere)

    def _is_loaded(self, table_id: str, ended: asyncio.Future[LiveTable | None]) -> None:
        """Loading has come to its end, whichever that is."""
        self._loading.pop(table_id, None)
        self._announced.pop(table_id, None)
        if not ended.cancelled():
            # Everybody who asked may have gone away meanwhile; whoever asks next finds out anew.
            ended.exception()

    def _seat(self, live: LiveTable, elsewhere: frozenset[int] = frozenset()) -> LiveTable:
        # Nobody is here before they have come.
        live.lost = {seat: self._clock.now() for seat in live.table.persons if seat not in elsewhere}
        live.stopped = lambda: self.spawn(self._refund(live.table))
        seated = Seated(self, live, self._clock, self._pause)
        self._seated[live.table.id] = seated
        if not self._closing:
            seated.look()
        return live

    async def give_back(self, table_id: str) -> int:
        """Give the stakes of a spoilt table's games back; returns of how many games (R15.5)."""
        if self._ledger is None:
            return 0
        games = [pot.game for pot in await self._ledger.open_pots(POTS_MOST) if pot.game.startswith(f"{table_id}/")]
        stakes = [stake for game in games if (stake := await self._ledger.stake_of(game)) is not None]
        for stake in stakes:
            await self._ledger.book(refund_of(stake, self._clock.now()))
        return len(stakes)

    async def _refund(self, table: Table) -> None:
        """Give the stakes of a game back that cannot go on (R15.5)."""
        if self._ledger is not None and table.rules.stake and table.game is not None and table.is_running:
            stake = await self._ledger.stake_of(game_id(table.id, table.game.number))
            if stake is not None:
                await self._ledger.book(refund_of(stake, self._clock.now()))

    async def _sweep(self) -> None:
        """Look after all tables, again and again, whatever happens."""
        try:
            await self._look_after()
        finally:
            if not self._closing:
                self._sweeper = self._clock.call_later(SWEEP_MS, lambda: self.spawn(self._sweep()))

    async def _look_after(self) -> None:
        """Give sleep back, say that a server is there, find clocks that nobody had in memory, and let go of idle tables."""
        before, outage, now = self._outage, await self.outage(), self._clock.now()
        if self._seated:
            try:
                await self._store.beat(now)
            except Exception:
                # Nothing else could be written either.
                self._is_unwritable = True
                raise
        was_unwritable, self._is_unwritable, self._alive = self._is_unwritable, False, now
        if outage is not before or was_unwritable:
            for table_id in list(self._seated):
                if self._closing:
                    return
                await self._failing.look_at(table_id, self._let_clock_act)
        # Those that cannot be looked after, or have stopped, stay overdue and must not use up the places of the others.
        COUNTS.sweeps += 1
        useless = len(self._failing) + sum(seated.live.is_stopped for seated in self._seated.values())
        for table_id in await self._store.overdue(now - SWEEP_MS, SWEEP_MOST + useless):
            if self._closing:
                return
            COUNTS.overdue += 1
            await self._failing.look_at(table_id, self._let_clock_act)
        self.let_go()

    async def _go_on(self, table_id: str) -> None:
        await self.get(table_id)

    async def _let_clock_act(self, table_id: str) -> None:
        live = await self.get(table_id)
        if live is not None:
            await live.handle(Lapse(dict(live.lost), await self.outage()))
        seated = self._seated.get(table_id)
        if seated is not None:
            seated.look()

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
            COUNTS.failures += 1
            # That nothing can be written now has been said.
            if not isinstance(error, Unwritable):
                log.error("a table's work failed", exc_info=error)


class Seated:
    """A live table with its clock and its bots."""

    def __init__(self, tables: Tables, live: LiveTable, clock: Clock, pause: Pause) -> None:
        self.live = live
        self.idle_sweeps = 0
        self._tables = tables
        self._clock = clock
        self._bots = BotSeats(live, clock, shared(pause, lambda: tables.peers.is_driver(live.table.id)), tables.thinking, tables.spawn)
        self._at = 0
        self._retry_ms = RETRY_MS
        self._timer: Timer | None = None
        self._has_ended = False
        self._players: tuple[Player | None, ...] = ()
        self._stage: Stage | None = None
        self._ready: frozenset[int] = frozenset()
        self._unlisten = live.listen(self.look)

    @property
    def is_unwatched(self) -> bool:
        """Whether nobody is at it here; its clock and its bots are no concern of this process where it is not their home."""
        return self.live.listeners == 1 and not self.live.is_appending and not self.live.is_stopped

    @property
    def is_idle(self) -> bool:
        """Whether nobody would notice if the table were let go."""
        if self.live.is_stopped:
            # Loaded anew it would stop again.
            return False
        return self.live.listeners == 1 and not self.live.is_appending and self._bots.is_idle and self._timer is None

    def look(self) -> None:
        """Set the clock and the bots to what the game waits for now."""
        if self._has_ended:
            return
        table = self.live.table
        self._bots.look()
        stage = table.stage
        if table.players is not self._players or stage is not self._stage or table.ready != self._ready:
            if stage is not self._stage and self._stage is not None:
                game = 0 if table.game is None else table.game.number
                log.info("a table is %s", stage.value, extra={"table": table.id, "seq": table.seq, "game": game})
            self._players, self._stage, self._ready = table.players, stage, table.ready
            self._tables.tell_watchers(table)
        due = table.due
        if due is None or self.live.is_stopped:
            self._stop_timer()
        elif self._timer is None or due < self._at:
            # A timer that is too early is not moved with every move: it looks again when it runs out.
            self._stop_timer()
            self._at = due
            self._timer = self._clock.call_later(max(0, due - self._clock.now()), self._run_out)

    def stop(self) -> None:
        """Stop clock and bots, those included that are about to act."""
        self._has_ended = True
        self._unlisten()
        self._bots.stop()
        self._stop_timer()

    async def let_clock_act(self) -> None:
        """Let the clock act if it is due; where that cannot be written it is tried again."""
        try:
            await self.live.handle(Lapse(dict(self.live.lost), await self._tables.outage()))
        except Exception as error:
            # What nobody can write is no fault of this table's; where it is, nobody shall hear of it each second.
            self._retry_ms = RETRY_MS if isinstance(error, Unwritable) else min(RETRY_MS_MAX, 2 * self._retry_ms)
            if self._timer is None and not self._has_ended:
                self._timer = self._clock.call_later(self._retry_ms, self._run_out)
            raise
        self._retry_ms = RETRY_MS
        self.look()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _run_out(self) -> None:
        self._timer = None
        due = self.live.table.due
        if due is not None and due <= (now := self._clock.now()):
            COUNTS.late.add((now - due) / 1000)
            self._tables.spawn(self.let_clock_act())
        else:
            # The clock has been started anew since then; or the timer was early, as the clock's deadline never is.
            self.look()

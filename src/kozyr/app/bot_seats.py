"""The bots of a table: each moves a human-like pause after the game began to wait for it."""
from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from kozyr.app.commands import Done, Play, Refusal
from kozyr.app.events import BOT, Player
from kozyr.app.live import LiveTable
from kozyr.app.ports import Clock, Thinking, Timer
from kozyr.app.thinking import QUICK
from kozyr.core.codes import CHALLENGE
from kozyr.core.judge import waiting_for
from kozyr.core.position import Position
from kozyr.core.views import view

THINK_MS = 350
"""What a level that takes its time gets of its pause for thinking, whether it needs it or not."""


@dataclass(frozen=True, slots=True)
class Pause:
    """
    How long a bot seems to think: `ms`, give or take `jitter_ms`.

    It depends on table, `seq` and seat alone, never on what the bot holds (V5).
    """

    ms: int = 700
    jitter_ms: int = 300

    def before_move(self, table_id: str, seq: int, seat: int) -> int:
        """Return the pause in milliseconds before a move that the game began to wait for at *seq*."""
        if not self.jitter_ms:
            return self.ms
        seed = hashlib.blake2b(f"{table_id} {seq} {seat}".encode(), digest_size=4).digest()
        return max(0, self.ms - self.jitter_ms + int.from_bytes(seed, "big") % (2 * self.jitter_ms + 1))

    def before_accept(self) -> int:
        """Return the pause before a bot accepts in CHALLENGE: the same for all, always."""
        return self.ms


RETRY_MS = 1000
"""How long a bot waits after a move that could not be written."""


class BotSeats:
    """
    Moves for the bots of a live table, and for the seats on autopilot.

    Each seat has a timer from the `seq` at which the game began to wait for it; when it runs out the bot chooses on the view of that
    moment. Many bots may be waited for at once, as at any open table.
    """

    def __init__(
        self, live: LiveTable, clock: Clock, pause: Pause, thinking: Thinking, spawn: Callable[[Coroutine[Any, Any, None]], None]
    ) -> None:
        self._live = live
        self._thinking = thinking
        self._clock = clock
        self._pause = pause
        self._spawn = spawn
        self._waited: dict[int, tuple[str, Timer]] = {}
        self._players: Sequence[Player | None] = ()
        self._has_bots = False
        self._has_ended = False
        # A seat whose bot is making its move is not timed again before that is done.
        self._moving: set[int] = set()
        self._hiding: set[asyncio.Future[None]] = set()
        # Where a bot has found nothing to do, such as while the attacker goes first (R5.5): it looks again when something has happened.
        self._nothing: dict[int, int] = {}

    @property
    def is_idle(self) -> bool:
        """Whether no bot has anything to do."""
        return not self._waited and not self._moving

    def look(self) -> None:
        """Start the timers of the bots that the game has begun to wait for, stop those that it no longer waits for."""
        if self._has_ended:
            return
        table = self._live.table
        if table.players is not self._players:
            self._players = table.players
            self._has_bots = any(player is not None and player.kind == BOT for player in table.players)
        if not self._has_bots and not self._waited and (table.game is None or not table.game.autopilot):
            return
        position = table.position
        asked: dict[int, str] = {}
        if position is not None and table.has_bots and not self._live.is_stopped:
            waiting = waiting_for(position)
            asked = {seat: situation(position) for seat in range(table.rules.seats) if waiting >> seat & 1 and table.bot_at(seat)}
        for seat in [seat for seat, (since, _) in self._waited.items() if asked.get(seat) != since]:
            self._waited.pop(seat)[1].cancel()
        for seat, since in asked.items():
            if seat not in self._waited and seat not in self._moving and self._nothing.get(seat) != table.seq:
                self._wait(seat, since, position is not None and position.phase == CHALLENGE)

    def stop(self) -> None:
        """Stop all timers; what is thought about now is not played, since by then others look after the table."""
        self._has_ended = True
        for _, timer in self._waited.values():
            timer.cancel()
        self._waited.clear()
        for woken in tuple(self._hiding):
            woken.cancel()

    def _wait(self, seat: int, since: str, is_closing: bool) -> None:
        table = self._live.table
        ms = self._pause.before_accept() if is_closing else self._pause.before_move(table.id, table.seq, seat)
        if table.bot_at(seat) not in QUICK:
            ms = max(0, ms - THINK_MS)
        self._move_in(ms, seat, since)

    def _move_in(self, ms: int, seat: int, since: str) -> None:
        self._waited[seat] = (since, self._clock.call_later(ms, lambda: self._spawn(self._move(seat, since))))

    async def _move(self, seat: int, since: str) -> None:
        self._waited.pop(seat, None)
        self._moving.add(seat)
        try:
            await self._choose_and_play(seat)
        except Exception:
            # Such as a disk that is full for a moment: the bot tries again, and whoever owns the task logs the failure.
            if not self._has_ended:
                self._move_in(RETRY_MS, seat, since)
            raise
        finally:
            self._moving.discard(seat)
        self.look()

    async def _choose_and_play(self, seat: int) -> None:
        while True:
            table = self._live.table
            position, level = table.position, table.bot_at(seat)
            if self._live.is_stopped or position is None or level is None or not waiting_for(position) >> seat & 1:
                return
            seen = view(position, seat)
            # The bot is given what its seat may know, and nothing else.
            thought_from = self._clock.now()
            player = table.players[seat]
            # Without a memory the stand-in for a person who is away neither slips a card nor accuses anybody.
            memory = self._live.memory if player is not None and player.kind == BOT else None
            move = await self._thinking.choose(level, seen, memory)
            await self._hide_thinking(level, thought_from)
            if self._has_ended:
                return
            if move is None:
                self._nothing[seat] = table.seq
                return
            answer = await self._live.handle(Play(seat, move.text, seen.bout_no, by="bot", at_seq=table.seq))
            if isinstance(answer, Refusal) and (self._live.table.seq != table.seq or self._live.is_stopped):
                # Where somebody was faster, or has closed the table, the bot looks again, without a new pause.
                continue
            assert isinstance(answer, Done), f"a bot's move was refused: {answer} for {move} at {table.id}, {table.seq}"
            return

    async def _hide_thinking(self, level: str, since: int) -> None:
        """Wait until a level that takes its time has taken as long as always, so that it does not tell how hard its choice was (V5)."""
        left = 0 if level in QUICK or not self._pause.ms else since + THINK_MS - self._clock.now()
        if left > 0:
            woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            timer = self._clock.call_later(left, lambda: woken.set_result(None))
            self._hiding.add(woken)
            try:
                await woken
            finally:
                timer.cancel()
                self._hiding.discard(woken)


def situation(position: Position) -> str:
    """Name what a seat is waited for in: the same bout and phase are one wait, whoever else moves meanwhile."""
    return f"{position.bout_no} {position.phase}"

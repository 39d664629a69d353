"""Phrases at a table: heard at once, and written nowhere."""
from __future__ import annotations

from collections.abc import Callable, Collection

from kozyr.app.limits import Limits
from kozyr.app.live import LiveTable
from kozyr.app.people import People
from kozyr.app.ports import Clock
from kozyr.web.audience import Audience, Audiences
from kozyr.wire import messages as wire

PHRASES = (3, 3000)
"""So many phrases at once from a player at a table, and one more after each so many milliseconds."""


class Phrases:
    """
    Tells a table's players and spectators what one of the players says.

    Spectators who see a game later hear it as much later, or when the game is over: what is said tells them nothing before its time.
    """

    def __init__(self, audiences: Audiences, clock: Clock, people: People) -> None:
        self._audiences = audiences
        self._clock = clock
        self._people = people
        self._limits = Limits(*PHRASES)
        self.muted: dict[str, int] = {}
        """Until when guests may say nothing, as the operator has decided."""
        self.echo: Callable[[str, int, str, wire.Phrase], None] = lambda table_id, seat, guest, phrase: None

    def limit(self, most: int, refill_ms: int) -> None:
        """Set how often a player may say something."""
        self._limits = Limits(most, refill_ms)

    def muted_until(self, guest: str) -> int:
        """Say until when a guest may say nothing, in milliseconds; 0 for who may."""
        until = self.muted.get(guest, 0)
        return until if until > self._clock.now() else 0

    def may_say(self, table_id: str, guest: str) -> bool:
        """Say whether a player may say something once more, and count it if so."""
        return self._limits.take(f"{guest} {table_id}", self._clock.now())

    async def say(self, live: LiveTable, seat: int, guest: str, phrase: wire.Phrase) -> None:
        """Tell everybody at a table, those at other processes too, but who have blocked the guest who says it."""
        self.echo(live.table.id, seat, guest, phrase)
        await self.hear(live, seat, guest, phrase)

    async def hear(self, live: LiveTable, seat: int, guest: str, phrase: wire.Phrase) -> None:
        """Tell everybody at this process."""
        deaf = await self._people.blockers(guest)
        message = wire.encode(wire.Said(seat, phrase))
        here, later = self._audiences.all_at(live.table.id)
        if here is not None:
            here.tell(message, deaf)
        if later is not None:
            self._tell_later(live, later, message, deaf)

    def _tell_later(self, live: LiveTable, later: Audience, message: bytes, deaf: Collection[str]) -> None:
        if not live.table.is_running:
            later.tell(message, deaf)
            return
        stops: list[Callable[[], None]] = []

        def tell() -> None:
            timer.cancel()
            for stop in stops:
                stop()
            stops.clear()
            later.tell(message, deaf)

        def look() -> None:
            if not live.table.is_running and stops:
                tell()

        timer = self._clock.call_later(later.live.delay_ms, tell)
        stops.append(live.listen(look))

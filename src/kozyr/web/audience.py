"""Everybody who looks at one table: who is told what, and who is here."""
from __future__ import annotations

from collections.abc import Callable, Collection

from kozyr.app.delayed import DELAY_MS, DelayedTable
from kozyr.app.evolve import Happening
from kozyr.app.live import LiveTable
from kozyr.app.ports import Clock, EventStore
from kozyr.app.shown import Shown
from kozyr.app.table import Table
from kozyr.web import translate
from kozyr.web.connection import Connection
from kozyr.web.teller import Sending, Teller, send
from kozyr.web.telling import Telling, Views
from kozyr.web.translate import Presence
from kozyr.web.writing import SPECTATOR
from kozyr.wire import VERSION
from kozyr.wire import messages as wire


class Audience:
    """
    The connections at a table, or of the spectators at one that they see later.

    A change of the table is told in the event loop's next turn, so that whoever made it has the acknowledgement first; a viewer may so
    skip versions and gets all events since its own. What all spectators, and all seats, have in common is made once.
    """

    def __init__(self, live: Shown, clock: Clock, teller: Teller) -> None:
        self.live = live
        self._teller = teller
        self.connections: set[Connection] = set()
        self._clock = clock
        self._is_telling = False
        self._players = live.table.players
        self._unlisten: Callable[[], None] = live.listen(self._changed)

    @property
    def present(self) -> Presence:
        """Who is here, and for how long the others have been away."""
        return presence_of(self.live, self._clock.now())

    def welcome(self, connection: Connection, table: Table, missed: list[Happening]) -> list[Connection]:
        """
        Let a connection in with the whole state; returns the older connections of the same seat, which it replaces.

        *table* must be the table's present state.
        """
        seat = connection.seat
        replaced = [other for other in self.connections if seat is not None and other.seat == seat and other is not connection]
        is_new = connection not in self.connections
        self.connections.difference_update(replaced)
        if seat is not None:
            self.live.lost.pop(seat, None)
        self.connections.add(connection)
        connection.seq = table.seq
        left_ms, of_ms = translate.clock_of(table, self._clock.now() - self.live.delay_ms)
        connection.send(
            wire.encode(
                wire.Welcome(
                    v=VERSION,
                    seq=table.seq,
                    table=translate.table_of(table, self.present, delay_of(table)),
                    seat=seat,
                    view=translate.view_of(table, seat),
                    missed=translate.told(table, missed, seat),
                    reveal=translate.reveal_of(table),
                    left_ms=left_ms,
                    of_ms=of_ms,
                )
            )
        )
        if seat is not None and is_new and not replaced:
            self._say(seat, True, connection)
        return replaced

    def leave(self, connection: Connection) -> None:
        """Let a connection go."""
        if connection not in self.connections:
            return
        self.connections.discard(connection)
        seat = connection.seat
        if seat is not None and self.live.table.seat_of(connection.guest) == seat:
            self.live.lost[seat] = self._clock.now()
            self._say(seat, False, connection)

    def close(self) -> None:
        """Stop listening to the table."""
        self._unlisten()
        self.live.close()

    def say_here(self, seat: int, is_here: bool) -> None:
        """Tell everybody that a seat's player has come or gone."""
        self._say(seat, is_here, None)

    def tell(self, message: bytes, deaf: Collection[str]) -> None:
        """Send a message to everybody but the *deaf* guests."""
        for connection in tuple(self.connections):
            if connection.guest not in deaf:
                connection.send(message)

    def _say(self, seat: int, is_here: bool, about: Connection | None) -> None:
        message = wire.encode(wire.Presence(seat, is_here))
        for connection in self.connections:
            if connection is not about:
                connection.send(message)

    def tell_now(self) -> None:
        """Tell of a change that has not been told yet, without waiting for the next turn."""
        sending: Sending = []
        self.write(sending)
        send(sending)

    def _changed(self) -> None:
        if not self._is_telling and self.connections:
            self._is_telling = True
            self._teller.note(self)

    def write(self, sending: Sending) -> None:
        """Write what is to be sent of a change that has not been told yet; whoever has this sends it at once."""
        if not self._is_telling:
            return
        self._is_telling = False
        table = self.live.table
        if table.players is not self._players:
            self._players = table.players
            self._unseat(table)
        seq = table.seq
        behind: dict[int, list[Connection]] = {}
        for connection in self.connections:
            since = connection.seq
            if since is not None and since < seq:
                alike = behind.get(since)
                if alike is None:
                    behind[since] = [connection]
                else:
                    alike.append(connection)
        views = Views(table)
        for since, alike in behind.items():
            happened = self.live.told_since(since)
            if happened is None:
                # Too far behind to be told what happened: they come back and are told from the log.
                for connection in alike:
                    connection.drop()
                continue
            now = self._clock.now() - self.live.delay_ms
            telling = Telling(table, happened, views, lambda: self.present, now, DELAY_MS if table.rules.stake else 0)
            seats = [SPECTATOR if connection.seat is None else connection.seat for connection in alike]
            for connection, update in zip(alike, telling.updates(seats), strict=True):
                connection.seq = seq
                sending.append((connection, update))

    def _unseat(self, table: Table) -> None:
        """Make spectators of those who have left their seats."""
        for connection in self.connections:
            if connection.seat is not None and table.seat_of(connection.guest) != connection.seat:
                connection.seat = None
                if table.rules.stake:
                    # Spectators see a staked table later; this one comes back as one of them, and knows by then that the seat is free.
                    connection.end()


def presence_of(live: Shown, now: int) -> Presence:
    """Say which persons are here, and for how long the others have been away."""
    away = {seat: max(0, now - since) for seat, since in live.lost.items()}
    return Presence({seat for seat in live.table.persons if seat not in away}, away)


def delay_of(table: Table) -> int:
    """Say how much later spectators see a table."""
    return DELAY_MS if table.rules.stake else 0


class Audiences:
    """The audiences of all tables that somebody looks at; spectators of a staked table are one of their own."""

    def __init__(self, store: EventStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self.teller = Teller()
        self._by_table: dict[tuple[str, bool], Audience] = {}
        self.presence: Callable[[str, int, bool], None] = lambda table_id, seat, is_here: None
        self.came: Callable[[LiveTable, Connection], None] = lambda live, connection: None

    async def shown(self, live: LiveTable, seat: int | None) -> Shown:
        """Return the table as a seat or a spectator may see it."""
        if seat is not None or not live.table.rules.stake:
            return live
        audience = self._by_table.get((live.table.id, True))
        return await DelayedTable.of(live, self._store, self._clock) if audience is None else audience.live

    def of(self, shown: Shown) -> Audience:
        """Return the audience of a table as it is shown."""
        key = (shown.table.id, isinstance(shown, DelayedTable))
        audience = self._by_table.get(key)
        if audience is not None and key[1] and audience.live is not shown:
            # Somebody else was faster to open the same spectators' table.
            shown.close()
            return audience
        if audience is None or audience.live is not shown:
            audience = Audience(shown, self._clock, self.teller)
            self._by_table[key] = audience
        return audience

    def leave(self, audience: Audience, connection: Connection) -> None:
        """Let a connection go, and an audience that nobody is left in; spectators elsewhere are told."""
        seat, was_here = connection.seat, connection in audience.connections
        audience.leave(connection)
        if was_here and seat is not None:
            self.say_elsewhere(audience, seat, False)
        key = (audience.live.table.id, isinstance(audience.live, DelayedTable))
        if not audience.connections and self._by_table.get(key) is audience:
            del self._by_table[key]
            audience.close()

    def say_elsewhere(self, audience: Audience, seat: int, is_here: bool) -> None:
        """Tell the spectators of a staked table, and whoever else has to know, of a player's coming and going."""
        self.presence(audience.live.table.id, seat, is_here)
        other = self._by_table.get((audience.live.table.id, True))
        if other is not None and other is not audience:
            other.say_here(seat, is_here)

    def all_at(self, table_id: str) -> tuple[Audience | None, Audience | None]:
        """Return the audience of a table, and that of the spectators who see it later."""
        return self._by_table.get((table_id, False)), self._by_table.get((table_id, True))

    def connections(self) -> list[Connection]:
        """List all connections."""
        return [connection for audience in self._by_table.values() for connection in audience.connections]

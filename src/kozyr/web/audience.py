"""Everybody who looks at one table: who is told what, and who is here."""
from __future__ import annotations

import asyncio
from collections.abc import Callable

from kozyr.app.evolve import Happening
from kozyr.app.live import LiveTable
from kozyr.app.ports import Clock
from kozyr.app.table import Table
from kozyr.web import translate
from kozyr.web.connection import Connection
from kozyr.web.telling import Telling, Views
from kozyr.wire import VERSION
from kozyr.wire import messages as wire


class Audience:
    """
    The connections at a live table.

    A change of the table is told in the event loop's next turn, so that whoever made it has the acknowledgement first; a viewer may so
    skip versions and gets all events since its own. The bytes of a seat, or of all spectators, are made once.
    """

    def __init__(self, live: LiveTable, clock: Clock) -> None:
        self.live = live
        self.connections: set[Connection] = set()
        self._clock = clock
        self._is_telling = False
        self._unlisten: Callable[[], None] = live.listen(self._changed)

    @property
    def here(self) -> set[int]:
        """The seats whose players are connected."""
        return {connection.seat for connection in self.connections if connection.seat is not None}

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
        left_ms, of_ms = translate.clock_of(table, self._clock.now())
        connection.send(
            wire.encode(
                wire.Welcome(
                    v=VERSION,
                    seq=table.seq,
                    table=translate.table_of(table, self.here),
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
        if connection.seat is not None:
            self.live.lost[connection.seat] = self._clock.now()
            self._say(connection.seat, False, connection)

    def close(self) -> None:
        """Stop listening to the table."""
        self._unlisten()

    def _say(self, seat: int, is_here: bool, about: Connection) -> None:
        message = wire.encode(wire.Presence(seat, is_here))
        for connection in self.connections:
            if connection is not about:
                connection.send(message)

    def _changed(self) -> None:
        if not self._is_telling and self.connections:
            self._is_telling = True
            asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        self._is_telling = False
        table = self.live.table
        views = Views(table)
        tellings: dict[int, Telling | None] = {}
        written: dict[tuple[int | None, int], bytes] = {}
        for connection in tuple(self.connections):
            since = connection.seq
            if since is None or since >= table.seq:
                continue
            if since not in tellings:
                happened = self.live.told_since(since)
                tellings[since] = None if happened is None else Telling(table, happened, views, self.here, self._clock.now())
            telling = tellings[since]
            if telling is None:
                # Too far behind to be told what happened: it comes back and is told from the log.
                connection.drop()
                continue
            key = (connection.seat, since)
            if key not in written:
                written[key] = telling.update(connection.seat)
            connection.seq = table.seq
            connection.send(written[key])


class Audiences:
    """The audiences of all tables that somebody looks at."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._by_table: dict[str, Audience] = {}

    def of(self, live: LiveTable) -> Audience:
        """Return the audience of a table."""
        audience = self._by_table.get(live.table.id)
        if audience is None or audience.live is not live:
            audience = Audience(live, self._clock)
            self._by_table[live.table.id] = audience
        return audience

    def here(self, table_id: str) -> set[int]:
        """Return the seats of a table whose players are connected."""
        audience = self._by_table.get(table_id)
        return set() if audience is None else audience.here

    def leave(self, audience: Audience, connection: Connection) -> None:
        """Let a connection go, and an audience that nobody is left in."""
        audience.leave(connection)
        if not audience.connections and self._by_table.get(audience.live.table.id) is audience:
            del self._by_table[audience.live.table.id]
            audience.close()

    def connections(self) -> list[Connection]:
        """List all connections."""
        return [connection for audience in self._by_table.values() for connection in audience.connections]

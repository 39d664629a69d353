"""One change of a table, as bytes for each of its viewers; what all may know is written once."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from kozyr.app.evolve import Happening
from kozyr.app.table import Table
from kozyr.core.codes import OVER
from kozyr.core.events import Drew
from kozyr.core.play import result_of
from kozyr.web import translate
from kozyr.web.translate import Presence
from kozyr.web.writing import own_view, public_view
from kozyr.wire import messages as wire


class Views:
    """
    The views of a table's state: the public part, which all views share, is written once.

    A seat's view is that of a spectator with the seat's own hand and legal moves behind it; a test holds that to `view_of`.
    """

    def __init__(self, table: Table) -> None:
        self._position = position = table.position
        self.public = b""
        self._end = "}"
        if position is not None:
            self.public = public_view(position).encode()
            if position.phase == OVER:
                self._end = f',"result":{wire.encode(translate.result_of(table, result_of(position))).decode()}}}'

    def own(self, seat: int | None) -> bytes:
        """Return what only a seat may know, and the end of its view; nothing before the deal."""
        if self._position is None:
            return b""
        return self._end.encode() if seat is None else own_view(self._position, seat, self._end)


class Telling:
    """
    What has happened at a table since some `seq`, and its state now.

    *present* says who is here; *now* is the time of the server, *delay_ms* how much later spectators see the table. The bytes are those
    of a `wire.Update`: the events, each written once, the public part of the view, what is the seat's own, and the rest.
    """

    def __init__(
        self, table: Table, happened: Sequence[Happening], views: Views, present: Callable[[], Presence], now: int, delay_ms: int = 0
    ) -> None:
        self._views = views
        self._events: list[bytes] = []
        # What a seat has drawn stands in its own events as it does in nobody else's.
        self._draws: list[tuple[int, Drew]] = []
        is_about_table = False
        for happening in happened:
            event = translate.event_of(table, happening, None)
            if event is None:
                continue
            if isinstance(happening, Drew):
                self._draws.append((len(self._events), happening))
            elif translate.is_about_table(happening):
                is_about_table = True
            self._events.append(wire.encode(event))
        self._head = b'{"t":"update","seq":%d,"events":[' % table.seq
        self._view = b'],"view":' + views.public if views.public else b"]"
        self._table = table
        self._rest = self._written_rest(is_about_table, present, now, delay_ms)
        self._public = b",".join(self._events)
        self._for_all = b""

    def update(self, seat: int | None) -> bytes:
        """Write the update for a seat, or for spectators."""
        if seat is None:
            if not self._for_all:
                self._for_all = b"".join((self._head, self._public, self._view, self._views.own(None), self._rest))
            return self._for_all
        events = self._own_events(seat) if self._draws else self._public
        return b"".join((self._head, events, self._view, self._views.own(seat), self._rest))

    def _own_events(self, seat: int) -> bytes:
        events = self._events[:]
        for at, draw in self._draws:
            if draw.seat == seat:
                events[at] = wire.encode(translate.drew_of(draw, seat))
        return b",".join(events)

    def _written_rest(self, is_about_table: bool, present: Callable[[], Presence], now: int, delay_ms: int) -> bytes:
        """Write what comes after the view: the table and what is revealed, where something has happened to them; the clock."""
        parts: list[bytes] = []
        if is_about_table:
            parts += [b',"table":', wire.encode(translate.table_of(self._table, present(), delay_ms))]
            reveal = translate.reveal_of(self._table)
            if reveal is not None:
                parts += [b',"reveal":', wire.encode(reveal)]
        left_ms, of_ms = translate.clock_of(self._table, now)
        if left_ms is not None and of_ms is not None:
            parts.append(b',"left_ms":%d,"of_ms":%d' % (left_ms, of_ms))
        parts.append(b"}")
        return b"".join(parts)

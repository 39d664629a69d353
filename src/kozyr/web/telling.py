"""One change of a table, as bytes for each of its viewers; what all may know is written once."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from kozyr.app.evolve import Happening
from kozyr.app.table import Stage, Table
from kozyr.core.codes import OVER
from kozyr.core.events import Drew
from kozyr.core.play import result_of
from kozyr.web import translate, writing
from kozyr.web.translate import Presence
from kozyr.wire import messages as wire


class Views:
    """
    The views of a table's state: the public part, which all views share, is written once.

    A seat's view is that of a spectator with the seat's own hand and legal moves behind it; a test holds that to `view_of`.
    """

    __slots__ = ("end", "position", "public")

    def __init__(self, table: Table) -> None:
        self.position = position = None if table.game is None else table.game.position
        self.public = ""
        self.end = ""
        if position is not None:
            self.public = writing.public_view(position)
            self.end = "}"
            if position.phase == OVER:
                self.end = f',"result":{wire.encode(translate.result_of(table, result_of(position))).decode()}}}'


class Telling:
    """
    What has happened at a table since some `seq`, and its state now.

    *present* says who is here; *now* is the time of the server, *delay_ms* how much later spectators see the table. The bytes are those
    of a `wire.Update`: the events, each written once, the public part of the view, what is the seat's own, and the rest.
    """

    __slots__ = ("_after", "_before", "_draws", "_events", "_views")

    def __init__(
        self, table: Table, happened: Sequence[Happening], views: Views, present: Callable[[], Presence], now: int, delay_ms: int = 0
    ) -> None:
        self._views = views
        self._events: list[str] = []
        # What a seat has drawn stands in its own events as it does in nobody else's.
        self._draws: list[tuple[int, int, str]] = []
        about_table = ""
        if not writing.plain_events(happened, self._events, self._draws) and self._write_all(table, happened):
            about_table = written_table(table, present(), delay_ms)
        self._before = f'{{"t":"update","seq":{table.seq},"events":['
        self._after = views.end + about_table + clock(table, now)

    def updates(self, seats: list[int]) -> list[bytes]:
        """Write the updates for these seats; -1 is a spectator's."""
        views = self._views
        if views.position is None:
            return [f"{self._before}{','.join(self._events)}]{self._after}".encode()] * len(seats)
        return writing.updates(views.position, self._before, self._events, self._draws, views.public, self._after, seats)

    def _write_all(self, table: Table, happened: Sequence[Happening]) -> bool:
        """Write what has happened, whatever it is; says whether anything of it was about the table itself."""
        self._events, self._draws = [], []
        is_about_table = False
        for happening in happened:
            event = translate.event_of(table, happening, None)
            if event is None:
                continue
            if isinstance(happening, Drew):
                own = wire.encode(translate.drew_of(happening, happening.seat)).decode()
                self._draws.append((len(self._events), happening.seat, own))
            is_about_table = is_about_table or translate.is_about_table(happening)
            self._events.append(wire.encode(event).decode())
        return is_about_table


def written_table(table: Table, present: Presence, delay_ms: int) -> str:
    """Write the table and what is revealed, as they come after the view."""
    written = f',"table":{wire.encode(translate.table_of(table, present, delay_ms)).decode()}'
    reveal = translate.reveal_of(table)
    return written if reveal is None else f'{written},"reveal":{wire.encode(reveal).decode()}'


def clock(table: Table, now: int) -> str:
    """Write the running clock, and the end of an update."""
    game = table.game
    if game is None or game.due is None or game.stage is Stage.OVER:
        return "}"
    return f',"left_ms":{max(0, game.due - now)},"of_ms":{game.due - game.clock}}}'

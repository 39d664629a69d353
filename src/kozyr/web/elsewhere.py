"""What happens in other server processes, at the tables and in the lobby of this one."""
from __future__ import annotations

import msgspec

from kozyr.app.ports import Clock
from kozyr.app.table import Table
from kozyr.app.tables import Tables
from kozyr.web.audience import Audiences
from kozyr.web.lobby import Lobby
from kozyr.web.phrases import Phrases
from kozyr.wire.messages import Phrase


class Elsewhere:
    """
    Who is connected to other processes is here, and who comes here is said to be.

    A seat is lost when its player is connected nowhere.
    """

    def __init__(self, tables: Tables, audiences: Audiences, lobby: Lobby, phrases: Phrases, clock: Clock) -> None:
        self._tables = tables
        self._audiences = audiences
        self._clock = clock
        self._here: dict[str, set[int]] = {}
        self._phrases = phrases
        audiences.presence = self.say
        phrases.echo = lambda table_id, *said: tables.peers.tell(table_id, msgspec.json.encode(said))
        tables.watch(self._look)
        tables.peers.subscribe(tables.ids, self._hear, lobby.hear, self._listen)

    def say(self, table_id: str, seat: int, is_here: bool) -> None:
        """Say that a seat's player has come here, or has gone from here."""
        seats = self._here.setdefault(table_id, set())
        (seats.add if is_here else seats.discard)(seat)
        if not seats:
            del self._here[table_id]
        self._tables.peers.say_here(table_id, seat, is_here)
        if not is_here and seat in self._tables.peers.known_elsewhere(table_id):
            # Gone from here only.
            self._hear(table_id, seat, True)

    def _listen(self, table_id: str, message: bytes) -> None:
        """Hand on what somebody has said at another process."""
        live = self._tables.in_memory(table_id)
        if live is not None:
            seat, guest, phrase = msgspec.json.decode(message, type=tuple[int, str, Phrase])
            self._tables.spawn(self._phrases.hear(live, seat, guest, phrase))

    def _look(self, table: Table) -> None:
        """Say of nobody any more that they are here at a seat that is another's now, or nobody's."""
        here, _ = self._audiences.all_at(table.id)
        for seat in tuple(self._here.get(table.id, ())):
            if here is None or not any(table.seat_of(each.guest) == seat for each in here.connections if each.seat == seat):
                self.say(table.id, seat, False)

    def _hear(self, table_id: str, seat: int, is_here: bool) -> None:
        """Take in that somebody has come to another process, or has gone from it."""
        live = self._tables.in_memory(table_id)
        if live is None or seat in self._here.get(table_id, ()) or seat not in live.table.persons:
            return
        if is_here:
            live.lost.pop(seat, None)
        else:
            live.lost[seat] = self._clock.now()
        for audience in self._audiences.all_at(table_id):
            if audience is not None:
                audience.say_here(seat, is_here)

"""What happens in other server processes, at the tables and in the lobby of this one."""
from __future__ import annotations

import asyncio

import msgspec
from msgspec import Struct

from kozyr.app.commands import Redress
from kozyr.app.live import LiveTable
from kozyr.app.ports import Clock
from kozyr.app.table import Table
from kozyr.app.tables import Tables
from kozyr.web.audience import Audiences
from kozyr.web.connection import Connection
from kozyr.web.lobby import Lobby
from kozyr.web.phrases import Phrases
from kozyr.web.socket import CLOSE_FINAL
from kozyr.wire.messages import Fault, Phrase, encode

EVERYWHERE = "-"
"""Where something is told that is about no table."""

LATER_S = 0.5
"""Sockets of a session that has ended are cut a moment later, so that the browser that ended it knows by then."""


class SaidThere(Struct, tag="said", array_like=True):
    """Somebody has said something at another process."""

    seat: int
    guest: str
    phrase: Phrase


class SeatedThere(Struct, tag="seated", array_like=True):
    """A seat's player has come to another process, at a moment in milliseconds."""

    seat: int
    guest: str
    at: int


class EndedThere(Struct, tag="ended", array_like=True):
    """A session was ended."""

    session: str


class RedressedThere(Struct, tag="redressed", array_like=True):
    """A guest has chosen another picture."""

    guest: str
    avatar: int


Told = SaidThere | SeatedThere | EndedThere | RedressedThere


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
        audiences.came = self._came
        phrases.echo = lambda table_id, *said: self._tell(table_id, SaidThere(*said))
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

    def end_session(self, session: str) -> None:
        """Cut the sockets of a session that has ended, in every process."""
        self._tell(EVERYWHERE, EndedThere(session))
        self._cut(session)

    def redress(self, guest: str, avatar: int) -> None:
        """Show a guest's other picture where the guest sits, in every process."""
        self._tell(EVERYWHERE, RedressedThere(guest, avatar))
        self._show(guest, avatar)

    def _tell(self, table_id: str, told: Told) -> None:
        self._tables.peers.tell(table_id, msgspec.json.encode(told))

    def _came(self, live: LiveTable, connection: Connection) -> None:
        """Tell the others that a seat's player has come here: older windows of theirs make way."""
        if connection.seat is not None and connection.guest is not None:
            self._tell(live.table.id, SeatedThere(connection.seat, connection.guest, self._clock.now()))

    def _listen(self, table_id: str, message: bytes) -> None:
        """Take in what is told at another process, and written nowhere; what is no such thing a newer version has said."""
        try:
            told = msgspec.json.decode(message, type=Told)
        except msgspec.DecodeError:
            return
        live = self._tables.in_memory(table_id)
        if isinstance(told, EndedThere):
            self._cut(told.session)
        elif isinstance(told, RedressedThere):
            self._show(told.guest, told.avatar)
        elif live is not None and isinstance(told, SaidThere):
            self._tables.spawn(self._phrases.hear(live, told.seat, told.guest, told.phrase))
        elif isinstance(told, SeatedThere):
            self._make_way(table_id, told)

    def _make_way(self, table_id: str, told: SeatedThere) -> None:
        """Tell the windows of a seat that were opened before it was taken over at another process."""
        here, _ = self._audiences.all_at(table_id)
        for connection in () if here is None else tuple(here.connections):
            if connection.seat == told.seat and connection.guest == told.guest and connection.came < told.at:
                connection.send(encode(Fault("taken_over")))
                self._tables.spawn(connection.close(CLOSE_FINAL))

    def _cut(self, session: str) -> None:
        def cut() -> None:
            for connection in self._audiences.connections():
                if connection.session == session:
                    connection.drop()

        asyncio.get_running_loop().call_later(LATER_S, cut)

    def _show(self, guest: str, avatar: int) -> None:
        for table in self._tables.all():
            seat = table.seat_of(guest)
            live = self._tables.in_memory(table.id)
            if seat is not None and live is not None:
                self._tables.spawn(live.handle(Redress(seat, avatar), guest))

    def _look(self, table: Table) -> None:
        """Say of nobody any more that they are here at a seat that is another's now, or nobody's."""
        here, _ = self._audiences.all_at(table.id)
        for seat in tuple(self._here.get(table.id, ())):
            if here is None or not any(table.seat_of(each.guest) == seat for each in here.connections if each.seat == seat):
                self.say(table.id, seat, False)
        live = self._tables.in_memory(table.id)
        if live is not None:
            # They were heard to be there before it was heard that they have sat down.
            for seat in self._tables.peers.known_elsewhere(table.id).intersection(live.lost):
                self._hear(table.id, seat, True)

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

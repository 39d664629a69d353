"""The open tables: who may find which, and who is told when they change."""
from __future__ import annotations

import asyncio

import msgspec
from aiohttp import WSMsgType, web

from kozyr.app.limits import Bucket
from kozyr.app.ports import Clock
from kozyr.app.table import Stage, Table
from kozyr.app.tables import Tables
from kozyr.web import translate
from kozyr.web.connection import Connection
from kozyr.web.socket import HELLOS, MESSAGES
from kozyr.wire import lobby as wire
from kozyr.wire.messages import SIZE_MAX, Fault, Ping, Pong, encode

LISTED_MAX = 200
"""So many tables are listed at most, the newest first."""

GATHER_MS = 200
"""Changes are told together, so that a busy lobby does not send each of them to everybody."""


def is_listed(table: Table) -> bool:
    """Whether everybody may find a table: it is open, people are at it, and others can join or watch."""
    if table.is_private or table.stage is Stage.CLOSED or not table.persons:
        return False
    return table.stage is not Stage.OVER or None in table.players


def entry_of(table: Table) -> wire.OpenTable:
    """Write a table as the lobby shows it; nobody is told there who is connected."""
    present = translate.Presence(set(range(table.rules.seats)), {})
    return wire.OpenTable(
        id=table.id,
        options=table.rules.differences(),
        players=translate.players_of(table, present),
        stage=str(table.stage),
        free=table.players.count(None),
        password=table.password is not None,
    )


def passes(asked: wire.Filter, table: Table) -> bool:
    """Whether a table is one of those that were asked for."""
    rules = table.rules
    found = ((asked.deck, rules.deck), (asked.seats, rules.seats), (asked.transfer, rules.transfer), (asked.scope, rules.throw_scope),
             (asked.cheating, rules.cheat), (asked.free, None in table.players))  # fmt: skip
    if any(wanted is not None and wanted != given for wanted, given in found):
        return False
    return asked.stake is None or (rules.stake == 0 if asked.stake == 0 else 0 < rules.stake <= asked.stake)


class Visitor:
    """Somebody who looks at the lobby, and what they have been shown."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.filter: wire.Filter | None = None
        self.shown: set[str] = set()
        self.filters = Bucket(*HELLOS)


class Lobby:
    """The open tables of this process, the newest first, and everybody who looks at them."""

    def __init__(self, tables: Tables, clock: Clock) -> None:
        self._clock = clock
        self._listed: dict[str, Table] = {}
        self._changed: dict[str, Table] = {}
        self.visitors: set[Visitor] = set()
        self._telling: asyncio.TimerHandle | None = None
        tables.watch(self._note)

    def listed(self, asked: wire.Filter) -> list[Table]:
        """List the tables that pass a filter, the newest first."""
        return [table for table in reversed(self._listed.values()) if passes(asked, table)][:LISTED_MAX]

    def connections(self) -> list[Connection]:
        """List all connections."""
        return [visitor.connection for visitor in self.visitors]

    async def talk(self, socket: web.WebSocketResponse, connection: Connection) -> None:
        """Answer a visitor until the connection ends."""
        visitor, bucket = Visitor(connection), Bucket(*MESSAGES)
        self.visitors.add(visitor)
        loop = asyncio.get_running_loop()
        try:
            async for message in socket:
                connection.heard = loop.time()
                if not bucket.take(self._clock.now()):
                    connection.send(encode(Fault("not_so_fast")))
                elif message.type is not WSMsgType.TEXT:
                    connection.send(encode(Fault("not_text")))
                else:
                    self._hear(visitor, message.data)
        finally:
            self.visitors.discard(visitor)

    def _hear(self, visitor: Visitor, text: str) -> None:
        if len(text) > SIZE_MAX:
            visitor.connection.send(encode(Fault("too_big")))
            return
        try:
            message = wire.decode_lobby(text)
        except (msgspec.DecodeError, UnicodeError) as error:
            visitor.connection.send(encode(Fault("bad_message", str(error))))
            return
        if isinstance(message, Ping):
            visitor.connection.send(encode(Pong(message.n, self._clock.now())))
            return
        if not visitor.filters.take(self._clock.now()):
            visitor.connection.send(encode(Fault("not_so_fast")))
            return
        found = self.listed(message)
        visitor.filter, visitor.shown = message, {table.id for table in found}
        visitor.connection.send(encode(wire.Listed([entry_of(table) for table in found])))

    def _note(self, table: Table) -> None:
        """Take in that a table is new or has changed."""
        if is_listed(table):
            self._listed[table.id] = table
        elif self._listed.pop(table.id, None) is None:
            return
        self._changed[table.id] = table
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(GATHER_MS / 1000, self._tell)

    def _tell(self) -> None:
        self._telling = None
        changed, self._changed = self._changed, {}
        for table in changed.values():
            is_there = table.id in self._listed
            written = encode(wire.Changed(entry_of(table))) if is_there else b""
            gone = encode(wire.Gone(table.id))
            for visitor in self.visitors:
                if visitor.filter is None:
                    continue
                if is_there and passes(visitor.filter, table):
                    visitor.shown.add(table.id)
                    visitor.connection.send(written)
                elif table.id in visitor.shown:
                    visitor.shown.discard(table.id)
                    visitor.connection.send(gone)

    def close(self) -> None:
        """Tell nobody any more."""
        if self._telling is not None:
            self._telling.cancel()

"""The open tables: who may find which, and who is told when they change."""
from __future__ import annotations

import asyncio
from typing import NamedTuple

import msgspec
from aiohttp import WSMsgType, web

from kozyr.app.limits import Bucket
from kozyr.app.ports import Clock
from kozyr.app.table import Stage, Table
from kozyr.app.tables import Tables
from kozyr.core.options import Rules
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


class Listing(NamedTuple):
    """A table as everybody may find it, at a `seq`."""

    seq: int
    rules: Rules
    entry: wire.OpenTable


def read(seq: int, body: bytes) -> Listing | None:
    """Read how another process lists a table; None for one with options of a newer version, at which nobody here could sit."""
    try:
        entry = msgspec.json.decode(body, type=wire.OpenTable)
        return Listing(seq, Rules.of(entry.options), entry)
    except (msgspec.DecodeError, ValueError):
        return None


def passes(asked: wire.Filter, listing: Listing) -> bool:
    """Whether a table is one of those that were asked for."""
    rules = listing.rules
    found = ((asked.deck, rules.deck), (asked.seats, rules.seats), (asked.transfer, rules.transfer), (asked.scope, rules.throw_scope),
             (asked.cheating, rules.cheat), (asked.free, listing.entry.free > 0))  # fmt: skip
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
    """
    The open tables, the newest first, and everybody who looks at them.

    Each process lists the tables that it has in memory, and takes the others' from them.
    """

    def __init__(self, tables: Tables, clock: Clock) -> None:
        self._clock = clock
        self._peers = tables.peers
        self._listed: dict[str, Listing] = {}
        self._changed: dict[str, Listing | None] = {}
        self.visitors: set[Visitor] = set()
        self._telling: asyncio.TimerHandle | None = None
        tables.watch(self._note)

    def listed(self, asked: wire.Filter) -> list[wire.OpenTable]:
        """List the tables that pass a filter, the newest first."""
        return [listing.entry for listing in reversed(self._listed.values()) if passes(asked, listing)][:LISTED_MAX]

    def hear(self, table_id: str, seq: int, body: bytes | None) -> None:
        """Take in what another process lists, or lists no longer."""
        known = self._listed.get(table_id)
        if known is not None and known.seq >= seq:
            return
        self._take(table_id, None if body is None else read(seq, body))

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
                if not connection.is_open:
                    break
                # However much one visitor sends at once, everybody else's turn comes between any two messages.
                await asyncio.sleep(0)
        finally:
            self.visitors.discard(visitor)

    def _hear(self, visitor: Visitor, text: str) -> None:
        if len(text.encode(errors="replace")) > SIZE_MAX:
            visitor.connection.send(encode(Fault("too_big")))
            return
        try:
            message = wire.decode_lobby(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            visitor.connection.send(encode(Fault("bad_message", str(error))))
            return
        if isinstance(message, Ping):
            visitor.connection.send(encode(Pong(message.n, self._clock.now())))
            return
        if not visitor.filters.take(self._clock.now()):
            visitor.connection.send(encode(Fault("not_so_fast")))
            return
        found = self.listed(message)
        visitor.filter, visitor.shown = message, {entry.id for entry in found}
        visitor.connection.send(encode(wire.Listed(found)))

    def _note(self, table: Table) -> None:
        """Take in that a table of this process is new or has changed."""
        listing = Listing(table.seq, table.rules, entry_of(table)) if is_listed(table) else None
        if listing is None and table.id not in self._listed:
            return
        self._take(table.id, listing)
        self._peers.list_table(table.id, table.seq, None if listing is None else encode(listing.entry))

    def _take(self, table_id: str, listing: Listing | None) -> None:
        if listing is not None:
            self._listed[table_id] = listing
        elif self._listed.pop(table_id, None) is None:
            return
        self._changed[table_id] = listing
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(GATHER_MS / 1000, self._tell)

    def _tell(self) -> None:
        self._telling = None
        changed, self._changed = self._changed, {}
        for table_id, listing in changed.items():
            written = b"" if listing is None else encode(wire.Changed(listing.entry))
            gone = encode(wire.Gone(table_id))
            for visitor in self.visitors:
                if visitor.filter is None:
                    continue
                if listing is not None and passes(visitor.filter, listing):
                    visitor.shown.add(table_id)
                    visitor.connection.send(written)
                elif table_id in visitor.shown:
                    visitor.shown.discard(table_id)
                    visitor.connection.send(gone)

    def close(self) -> None:
        """Tell nobody any more."""
        if self._telling is not None:
            self._telling.cancel()

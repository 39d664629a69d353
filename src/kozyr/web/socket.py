"""The conversation over one websocket."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import msgspec
from aiohttp import WSMsgType, web

from kozyr.app.commands import (
    AskAgain,
    Command,
    CommitSeed,
    Done,
    Leave,
    Play,
    Ready,
    Refusal,
    RevealSeed,
    SeatBot,
    TakeBack,
    UnseatBot,
)
from kozyr.app.limits import Bucket
from kozyr.app.live import LiveTable
from kozyr.app.ports import Clock, Unwritable
from kozyr.app.tables import Tables
from kozyr.bots import LEVELS
from kozyr.web.audience import Audience, Audiences
from kozyr.web.connection import Connection
from kozyr.web.phrases import Phrases
from kozyr.wire import VERSION
from kozyr.wire import messages as wire

log = logging.getLogger(__name__)

CLOSE_FINAL = 4000
"""The websocket's close code after a fault with which it makes no sense to come back at once."""

MESSAGES = (60, 33)
"""So many messages at once from a connection, and one more after each so many milliseconds; whoever sends more is told so."""

HELLOS = (8, 1000)

HELLO_S = 30
"""A websocket that has not said hello by then is dropped, whatever else it says."""

CLOSE_FAILED = 1011
"""The close code after an error of the server; coming back helps."""


class Asked:
    """A move that a conversation waits for: the acknowledgement goes out first, and in one piece with the update that it makes."""

    __slots__ = ("_conversation", "_id")

    def __init__(self, conversation: Conversation, name: str) -> None:
        self._conversation = conversation
        self._id = name

    def answer(self, answer: Done | Refusal | None) -> None:
        """Answer, before viewers are told; see `Asking`."""
        if isinstance(answer, Done):
            self._conversation.connection.hold(wire.encode(wire.Ack(self._id, answer.seq)))
        else:
            self._conversation.answer(self._id, answer)

    def told(self) -> None:
        """Go on once viewers have been told; see `Asking`."""
        self._conversation.teller.then(self._conversation.settle)

    def fail(self, error: BaseException) -> None:
        """End the conversation; see `Asking`."""
        self._conversation.fail(error)


class Conversation:
    """One viewer and one table, from hello to the end."""

    __slots__ = (
        "_audience", "_audiences", "_clock", "_has_failed", "_has_waited", "_hellos", "_is_asking", "_live", "_may_play", "_messages",
        "_phrases", "_settled", "_table_id", "_tables", "connection", "teller",
    )  # fmt: skip

    def __init__(
        self, tables: Tables, audiences: Audiences, phrases: Phrases, clock: Clock, table_id: str, connection: Connection
    ) -> None:
        self._tables = tables
        self._audiences = audiences
        self.teller = audiences.teller
        self._phrases = phrases
        self._clock = clock
        self._table_id = table_id
        self.connection = connection
        self._audience: Audience | None = None
        self._live: LiveTable | None = None
        # Whether moves can be asked for without waiting for each here.
        self._may_play = False
        # Whether the last message had to wait for the disk.
        self._has_waited = False
        # A move of this viewer is on its way; whatever they say next has to wait for it.
        self._is_asking = False
        self._settled: asyncio.Future[None] | None = None
        self._has_failed = False
        self._messages = Bucket(*MESSAGES)
        self._hellos = Bucket(*HELLOS)

    async def run(self, socket: web.WebSocketResponse) -> None:
        """Answer messages until the connection ends."""
        loop = asyncio.get_running_loop()
        late = loop.call_later(HELLO_S, self._drop_stranger)
        try:
            async for message in socket:
                self.connection.heard = loop.time()
                self._has_waited = False
                if self._is_asking:
                    self._settled = loop.create_future()
                    await self._settled
                    if self._has_failed or not self.connection.is_open:
                        break
                asked = self._read(message.type, message.data)
                if self._may_play and type(asked) is wire.Play:
                    self._play(asked)
                elif not await self._hear(asked):
                    await self.connection.close(CLOSE_FINAL)
                    break
                if not self.connection.is_open:
                    break
                # However much one client sends at once, everybody else's turn comes between any two of its messages.
                if not self._has_waited:
                    await asyncio.sleep(0)
        finally:
            late.cancel()
            if self._audience is not None:
                self._audiences.leave(self._audience, self.connection)

    def settle(self) -> None:
        """Go on after a move of this viewer: what it has made is told."""
        self._is_asking = False
        # Sent with the update, unless there was none for this viewer.
        self.connection.flush()
        if self._settled is not None and not self._settled.done():
            self._settled.set_result(None)

    def fail(self, error: BaseException) -> None:
        """End the conversation, since nobody can say what has become of a command; its client comes back."""
        if isinstance(error, Exception) and not isinstance(error, Unwritable):
            # Else the process ends, and with it whatever it was about; or nothing can be written now, which has been said.
            log.error("a conversation failed", extra={"table": self._table_id}, exc_info=error)
        self._has_failed = True
        self._tables.spawn(self.connection.close(CLOSE_FAILED))
        self.settle()

    def _drop_stranger(self) -> None:
        if self._audience is None:
            self.connection.drop()

    def _read(self, kind: WSMsgType, data: Any) -> wire.ClientMessage | bool:
        """Read a message; where there is none that may be answered, say what is wrong, and whether the conversation goes on."""
        if kind is not WSMsgType.TEXT:
            self._fault("not_text")
            return kind is WSMsgType.BINARY
        if len(data) > wire.SIZE_MAX or (not data.isascii() and len(data.encode(errors="replace")) > wire.SIZE_MAX):
            self._fault("too_big")
            return True
        try:
            message = wire.decode_client(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._fault("bad_message", str(error))
            return True
        if not self._messages.take(self._clock.now()):
            if isinstance(message, wire.Hello | wire.Ping):
                self._fault("not_so_fast")
            else:
                self.answer(message.id, Refusal("not_so_fast"))
            return True
        return message

    def _play(self, message: wire.Play) -> None:
        """Ask for a move."""
        assert self._live is not None and self.connection.guest is not None
        self._has_waited = self._is_asking = True
        move = Play(self.connection.seat, message.move, message.bout, message.id)
        self._live.play(move, self.connection.guest, Asked(self, message.id))

    async def _hear(self, message: wire.ClientMessage | bool) -> bool:
        """Answer one message; says whether the conversation goes on."""
        if isinstance(message, bool):
            return message
        if isinstance(message, wire.Hello):
            return await self._greet(message)
        if self._live is None:
            self._fault("hello_first")
            return False
        if isinstance(message, wire.Ping):
            self.connection.send(wire.encode(wire.Pong(message.n, self._clock.now())))
            return True
        live = self._live
        if isinstance(message, wire.Say):
            await self._say(live, message)
            return True
        if isinstance(message, wire.SeatBot) and message.level not in LEVELS:
            self.answer(message.id, Refusal("bad_bot", message.level))
            return True
        command = COMMANDS[type(message)](message, self.connection.seat, self._tables, live)
        answer = await live.handle(command, self.connection.guest)
        if isinstance(answer, Done) and self._audience is not None:
            self._has_waited = True
            # The acknowledgement goes out first, and in one piece with the update that it makes.
            self.connection.hold(wire.encode(wire.Ack(message.id, answer.seq)))
            try:
                self._audience.tell_now()
            finally:
                self.connection.flush()
        else:
            self.answer(message.id, answer)
        return True

    async def _greet(self, hello: wire.Hello) -> bool:
        if hello.v != VERSION:
            self._fault("version", str(VERSION))
            return False
        if not self._hellos.take(self._clock.now()):
            self._fault("not_so_fast")
            return True
        # Asked for only now: until somebody has said hello the table may have been let go and loaded again.
        live = await self._tables.get(self._table_id)
        assert live is not None, f"table {self._table_id} has gone"
        if hello.since is not None and hello.since > live.table.seq:
            # Another process has shown more than this one has heard of: nobody goes back in time.
            await live.catch_up()
        while True:
            seat = live.table.seat_of(self.connection.guest)
            audience = self._audiences.of(await self._audiences.shown(live, seat))
            is_theirs = False
            try:
                table, missed = await audience.live.since(hello.since)
                # Nothing is awaited from here on: the welcome is of the state that later updates go on from.
                is_theirs = live.table.seat_of(self.connection.guest) == seat
            finally:
                # The seat has changed hands meanwhile, or the log cannot be read: an audience of nobody would keep the table for ever.
                if not is_theirs and audience is not self._audience:
                    self._audiences.leave(audience, self.connection)
            if is_theirs:
                break
        if self._audience is not None and self._audience is not audience:
            self._audiences.leave(self._audience, self.connection)
        self._live, self._audience, self.connection.seat = live, audience, seat
        self._may_play = live.may_play and self.connection.guest is not None
        if seat is not None:
            if not self.connection.came:
                self.connection.came = self._clock.now()
                self._audiences.came(live, self.connection)
            self._audiences.say_elsewhere(audience, seat, True)
        for replaced in self._audience.welcome(self.connection, table, missed):
            replaced.send(wire.encode(wire.Fault("taken_over")))
            self._tables.spawn(replaced.close(CLOSE_FINAL))
        return True

    async def _say(self, live: LiveTable, said: wire.Say) -> None:
        seat, guest = self.connection.seat, self.connection.guest
        if seat is None or guest is None or live.table.seat_of(guest) != seat:
            self.answer(said.id, Refusal("not_seated"))
        elif until := self._phrases.muted_until(guest):
            self.answer(said.id, Refusal("muted", str(until)))
        elif not self._phrases.may_say(live.table.id, guest):
            self.answer(said.id, Refusal("not_so_fast"))
        else:
            await self._phrases.say(live, seat, guest, said.phrase)

    def answer(self, name: str, answer: Done | Refusal | None) -> None:
        """Answer a command."""
        if isinstance(answer, Done):
            self.connection.send(wire.encode(wire.Ack(name, answer.seq)))
        elif isinstance(answer, Refusal):
            self.connection.send(wire.encode(wire.Refused(name, answer.code, answer.about)))

    def _fault(self, code: str, about: str = "") -> None:
        self.connection.send(wire.encode(wire.Fault(code, about)))


COMMANDS: dict[type, Callable[[Any, int | None, Tables, LiveTable], Command]] = {
    wire.Play: lambda message, seat, tables, live: Play(seat, message.move, message.bout, message.id),
    wire.SeedCommit: lambda message, seat, tables, live: CommitSeed(seat, message.game, message.commitment, message.id),
    wire.SeedReveal: lambda message, seat, tables, live: RevealSeed(seat, message.game, message.seed, message.id),
    wire.Again: lambda message, seat, tables, live: AskAgain(
        seat, message.game, tables.draw_seeds(live.table.rules.seats), dict(live.lost), message.id
    ),
    wire.Ready: lambda message, seat, tables, live: Ready(
        seat, message.on, tables.draw_seeds(live.table.rules.seats), dict(live.lost), message.id
    ),
    wire.SeatBot: lambda message, seat, tables, live: SeatBot(
        seat, message.seat, message.level, tables.draw_seeds(live.table.rules.seats), dict(live.lost), message.id
    ),
    wire.UnseatBot: lambda message, seat, tables, live: UnseatBot(seat, message.seat, message.id),
    wire.Leave: lambda message, seat, tables, live: Leave(seat, message.id),
    wire.TakeBack: lambda message, seat, tables, live: TakeBack(seat, message.game, message.id),
}

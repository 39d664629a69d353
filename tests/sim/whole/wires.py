"""Websockets without a network: bytes that a server writes become messages at a client, later, in order, or never."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

from aiohttp import WSMsgType

if TYPE_CHECKING:
    from tests.sim.whole.checks import Told

LATENCY_S = 0.004, 0.18
HALF_OPEN = 0.2
"""So often one side of a cut connection does not notice for long."""


class Message(NamedTuple):
    """A message as aiohttp gives it to the server."""

    type: WSMsgType
    data: str


class Listener(Protocol):
    """A client."""

    def hear(self, wire: Wire, told: Told) -> None: ...

    def lose(self, wire: Wire) -> None: ...


class Wire:
    """
    One connection between a client and a server process, both of its ends.

    It is the socket and the transport of a `Connection`. `told` is the `seq` that was written last, None before the welcome; `since` what
    the client said that it had seen.
    """

    def __init__(self, client: Listener, seed: str, check: Callable[[Wire, bytes], Told]) -> None:
        self.client = client
        self.name = seed
        self.told: int | None = None
        self.since: int | None = None
        self.seat: int | None = None
        # A chance of its own: in which order connections are served must change nothing.
        self._chance = random.Random(seed)
        self._check = check
        self._loop = asyncio.get_running_loop()
        self._inbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._to_client = self._to_server = 0.0
        self._is_closed = False
        self._is_cut = False
        self.is_lost = False

    # the server's end

    @property
    def closed(self) -> bool:
        return self._is_closed

    def is_closing(self) -> bool:
        return self._is_closed

    def set_write_buffer_limits(self, high: int) -> None:
        """A wire takes everything."""

    def get_write_buffer_size(self) -> int:
        return 0

    def write(self, frames: bytes) -> None:
        """Take in frames of the server."""
        if self._is_closed:
            return
        for message in messages_in(frames):
            told = self._check(self, message)
            self._to_client = self._after(self._to_client)
            self._loop.call_at(self._to_client, self._hand_over, told)

    def abort(self) -> None:
        """Cut the connection from the server's side."""
        self.cut(is_known_to_server=True)

    async def close(self, code: int = 1000) -> None:
        """Close it in good order: what was written still arrives."""
        if not self._is_closed:
            self._is_closed = True
            self._inbox.put_nowait(None)
            self._to_client = self._after(self._to_client)
            self._loop.call_at(self._to_client, self._lose)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Message:
        text = await self._inbox.get()
        if text is None:
            self._is_closed = True
            raise StopAsyncIteration
        return Message(WSMsgType.TEXT, text)

    # the client's end

    def send(self, text: str) -> None:
        """Send a message to the server."""
        if not self._is_cut:
            self._to_server = self._after(self._to_server)
            self._loop.call_at(self._to_server, self._arrive, text)

    def leave(self) -> None:
        """Close it from the client's side."""
        self.is_lost = True
        self._to_server = self._after(self._to_server)
        self._loop.call_at(self._to_server, self._inbox.put_nowait, None)

    def cut(self, *, is_known_to_server: bool = False) -> None:
        """Lose the connection, with everything that is under way; either side finds out in its time."""
        if self._is_cut:
            return
        self._is_cut = True
        self._loop.call_later(self._notice(), self._lose)
        if is_known_to_server:
            self._is_closed = True
            self._inbox.put_nowait(None)
        else:
            self._loop.call_later(self._notice(), self._inbox.put_nowait, None)

    def _notice(self) -> float:
        return self._chance.uniform(5, 20) if self._chance.random() < HALF_OPEN else self._chance.uniform(0.001, 0.5)

    def _after(self, last: float) -> float:
        return max(last + 1e-6, self._loop.time() + self._chance.uniform(*LATENCY_S))

    def _arrive(self, text: str) -> None:
        if not self._is_cut:
            self._inbox.put_nowait(text)

    def _hand_over(self, told: Told) -> None:
        if not self._is_cut and not self.is_lost:
            self.client.hear(self, told)

    def _lose(self) -> None:
        if not self.is_lost:
            self.is_lost = True
            self.client.lose(self)


def messages_in(frames: bytes) -> list[bytes]:
    """
    Take unmasked text frames apart.

    Source: RFC 6455, 5.2.
    """
    found, at = [], 0
    while at < len(frames):
        size, start = frames[at + 1], at + 2
        if size >= 126:
            start += 2 if size == 126 else 8
            size = int.from_bytes(frames[at + 2 : start], "big")
        assert frames[at] == 0x81, "no whole text"
        found.append(frames[start : start + size])
        at = start + size
    return found

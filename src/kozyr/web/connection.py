"""One websocket: writing to it without ever waiting for it."""
from __future__ import annotations

import asyncio
from typing import Any

from aiohttp import web
from multidict import CIMultiDict, CIMultiDictProxy

from kozyr.web.writing import frame

BUFFERED_MAX = 256 * 1024
"""A viewer with more bytes waiting than this is dropped; it comes back and resyncs."""

END_S = 5

NO_HEADERS: CIMultiDictProxy[str] = CIMultiDictProxy(CIMultiDict())


class Connection:
    """
    A viewer's websocket.

    `seat` is None for a spectator, `guest` for a stranger. `generation` and `session` are those of the session that it was opened with.
    `seq` is the last `seq` that it was told of; None until it has said hello, at the moment `came` in milliseconds.

    Messages are framed here and handed to the transport as they are, since they are never compressed and nobody waits for them; what
    else belongs to the protocol is aiohttp's.
    """

    __slots__ = ("__weakref__", "_held", "_socket", "_transport", "came", "generation", "guest", "heard", "seat", "seq", "session")

    def __init__(
        self, socket: web.WebSocketResponse, transport: asyncio.Transport, seat: int | None, now: float, guest: str | None = None
    ) -> None:
        self.seat = seat
        self.guest = guest
        self.generation = 0
        self.session = ""
        self.came = 0
        self.seq: int | None = None
        self.heard = now
        self._socket = socket
        self._transport = transport
        self._held = b""
        # Far above the limit at which a slow viewer is dropped: a write never has to wait.
        transport.set_write_buffer_limits(high=4 * BUFFERED_MAX)

    @property
    def is_open(self) -> bool:
        """Whether it can still be written to."""
        return not self._socket.closed and not self._transport.is_closing()

    def send(self, message: bytes) -> None:
        """Send an encoded message, or drop a viewer who does not keep up."""
        frames = frame(message)
        if self._held:
            frames = self._held + frames
            self._held = b""
        transport = self._transport
        if self._socket.closed or transport.is_closing():
            return
        if transport.get_write_buffer_size() > BUFFERED_MAX:
            transport.abort()
            return
        transport.write(frames)

    def hold(self, message: bytes) -> None:
        """Send a message together with the next one, in their order, and with `flush` at the latest."""
        self._held += frame(message)

    def flush(self) -> None:
        """Send what is still held."""
        if self._held:
            held, self._held = self._held, b""
            if self.is_open:
                self._transport.write(held)

    def drop(self) -> None:
        """Cut the connection at once."""
        self._transport.abort()

    def end(self) -> None:
        """Cut the connection once what was sent to it is out, what is held included; not even for that is a viewer waited for long."""
        self.flush()
        self._transport.close()
        asyncio.get_running_loop().call_later(END_S, self._transport.abort)

    async def close(self, code: int) -> None:
        """Close the connection in good order."""
        self.flush()
        await self._socket.close(code=code)


def forget_request(request: web.Request) -> None:
    """
    Let go of what a websocket's request said, once all has been read that is wanted of it.

    aiohttp would keep it, and what has read it, for as long as somebody looks at the table; a browser's headers take more memory than all
    else that a viewer costs. Its own parser is not asked for anything after the upgrade.
    """
    request.protocol._parser = None
    for name in ("headers", "raw_headers", "cookies"):
        request._cache.pop(name, None)
    request._headers = NO_HEADERS
    said: Any = request._message
    if not isinstance(said, tuple):
        # The loop that called us holds it, too: only what is in it can go.
        kept = said.should_close, said.compression, said.upgrade, said.chunked, said.url
        said.__init__(said.method, said.path, said.version, NO_HEADERS, (), *kept)

"""One websocket: writing to it without ever waiting for it."""
from __future__ import annotations

import asyncio

from aiohttp import WSMsgType, web

BUFFERED_MAX = 256 * 1024
"""A viewer with more bytes waiting than this is dropped; it comes back and resyncs."""


class Connection:
    """
    A viewer's websocket.

    `seat` is None for a spectator, `guest` for a stranger. `seq` is the last `seq` that it was told of; None until it has said hello.
    """

    def __init__(
        self, socket: web.WebSocketResponse, transport: asyncio.Transport, seat: int | None, now: float, guest: str | None = None
    ) -> None:
        self.seat = seat
        self.guest = guest
        self.seq: int | None = None
        self.heard = now
        self._socket = socket
        self._transport = transport
        # Far above the limit at which a slow viewer is dropped: a write never has to wait.
        transport.set_write_buffer_limits(high=4 * BUFFERED_MAX)

    @property
    def is_open(self) -> bool:
        """Whether it can still be written to."""
        return not self._socket.closed and not self._transport.is_closing()

    def send(self, message: bytes) -> None:
        """Send an encoded message, or drop a viewer who does not keep up."""
        if not self.is_open:
            return
        if self._transport.get_write_buffer_size() > BUFFERED_MAX:
            self.drop()
            return
        writing = self._socket.send_frame(message, WSMsgType.TEXT)
        try:
            # Run here and now, without a task for every view.
            writing.send(None)
        except StopIteration:
            return
        except ConnectionError:
            return
        writing.close()
        self.drop()

    def drop(self) -> None:
        """Cut the connection at once."""
        self._transport.abort()

    async def close(self, code: int) -> None:
        """Close the connection in good order."""
        await self._socket.close(code=code)

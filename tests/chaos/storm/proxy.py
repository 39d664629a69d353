"""A network between servers and PostgreSQL that loses announcements, holds them back and cuts connections."""

from __future__ import annotations

import asyncio
import contextlib
import random

LOST, LATE = 0.2, 0.2
LATE_S = 0.05, 1.0
NOTIFICATION = ord("A")


class Proxy:
    """Hands on what both sides say, frame by frame; notifications may be late or lost."""

    def __init__(self, port: int, chance: random.Random) -> None:
        self.lost = self.late = self.cuts = 0
        self._to = port
        self._chance = chance
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> int:
        """Listen; gives the port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Cut everything."""
        self._server.close()
        self.cut()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def cut(self) -> None:
        """Cut all connections at once."""
        self.cuts += len(self._writers) // 2
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            there, back = await asyncio.open_connection("127.0.0.1", self._to)
            self._writers |= {writer, back}
            try:
                await asyncio.wait(
                    [asyncio.ensure_future(self._copy(reader, back)), asyncio.ensure_future(self._frames(there, writer))],
                    return_when=asyncio.FIRST_COMPLETED,
                )
            finally:
                self._writers -= {writer, back}
                back.transport.abort()
        writer.transport.abort()
        self._tasks.discard(task)

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()

    async def _frames(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take the server's messages apart: a letter, and a length that counts itself."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readexactly(5)
                frame = head + await reader.readexactly(int.from_bytes(head[1:], "big") - 4)
                luck = self._chance.random() if head[0] == NOTIFICATION else 1.0
                if luck < LOST:
                    self.lost += 1
                elif luck < LOST + LATE:
                    self.late += 1
                    loop.call_later(self._chance.uniform(*LATE_S), self._write, writer, frame)
                else:
                    writer.write(frame)
                    await writer.drain()

    def _write(self, writer: asyncio.StreamWriter, frame: bytes) -> None:
        if not writer.transport.is_closing():
            writer.write(frame)

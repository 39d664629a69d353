"""Several server processes at one port, each started again when it ends."""
from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator

from kozyr.cli.settings import Settings
from kozyr.cli.worker import READY, Orders

log = logging.getLogger(__name__)

SOON_S = 5.0
"""A worker that ends sooner than this is started again later each time."""
FIRST_S, LONGEST_S = 0.05, 5.0
STOP_S = 25.0
"""A worker that was told to stop has so long for it, after the time in which it only says so; what kills a service does so after 30 s."""


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """
    Serve by several processes until told to stop.

    Raises: OSError for an address that cannot be listened at.
    """
    with held(settings["host"], settings["port"]) as bound:
        asyncio.run(Supervisor(settings, bound, ready).run())


@contextlib.contextmanager
def held(host: str, port: int) -> Iterator[int]:
    """Hold a port for the workers to listen at; gives its number. Nothing is accepted here."""
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, number, _, place = found[0]
    with socket.socket(family, kind, number) as holding:
        holding.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holding.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        holding.bind(place)
        yield int(holding.getsockname()[1])


class Supervisor:
    """Keeps workers going, all with the same settings."""

    def __init__(self, settings: Settings, port: int, ready: Callable[[str], None]) -> None:
        self._settings = settings
        self._port = port
        self._ready: Callable[[str], None] | None = ready
        self._stopping = asyncio.Event()
        self.restarts = 0

    async def run(self) -> None:
        """Run the workers until told to stop."""
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, self._stopping.set)
        await asyncio.gather(*(self._keep(number) for number in range(1, self._settings["workers"] + 1)))

    async def _keep(self, number: int) -> None:
        """Run one worker again and again."""
        pause = FIRST_S
        while not self._stopping.is_set():
            started = time.monotonic()
            code = await self._run_once(Orders(number, self._port, self._settings.written().decode()))
            if self._stopping.is_set():
                return
            self.restarts += 1
            pause = FIRST_S if time.monotonic() - started > SOON_S else min(LONGEST_S, 2 * pause)
            log.warning("a server process ended with %s; it is started again", code, extra={"worker": number})
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stopping.wait()

    async def _run_once(self, orders: Orders) -> int:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "kozyr.cli.worker", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(orders.written())
        listening = asyncio.ensure_future(self._listen(process.stdout))
        ended, stopping = asyncio.ensure_future(process.wait()), asyncio.ensure_future(self._stopping.wait())
        await asyncio.wait((ended, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not ended.done():
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            done, _ = await asyncio.wait((ended,), timeout=self._settings["drain_s"] + STOP_S)
            if not done:
                log.warning("a server process does not stop; it is killed", extra={"worker": orders.number})
                process.kill()
        await listening
        return await ended

    async def _listen(self, output: asyncio.StreamReader) -> None:
        """Say once where the server is."""
        while line := (await output.readline()).decode():
            if line.startswith(READY) and self._ready is not None:
                ready, self._ready = self._ready, None
                ready(line.removeprefix(READY).strip())

"""Where the parts meet: the only place that knows which store, bus, clock and server there are."""
from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.thinking import Workers
from kozyr.bus.memory import MemoryBus
from kozyr.store.sqlite import SqliteStore
from kozyr.web.server import STATIC, make_site, serve_until_stopped

HOST, PORT = "127.0.0.1", 8000


def say_address(address: str) -> None:
    """Say where the server is."""
    print(f"Kozyr is at {address}", flush=True)


def serve(
    host: str = HOST,
    port: int = PORT,
    database: Path = Path("kozyr.db"),
    *,
    pause: Pause | None = None,
    static: Path = STATIC,
    ready: Callable[[str], None] = say_address,
) -> None:
    """
    Serve from a database file until the process is told to stop; port 0 lets the system choose one.

    Raises: SchemaError for a file that cannot be used, OSError for an address that cannot.
    """

    async def run() -> None:
        clock = SystemClock()
        async with SqliteStore(database) as store:
            bus, entropy, bots = MemoryBus().join(), SystemEntropy(), Workers()
            site = await make_site(store, store, bus, clock, entropy, pause or Pause(), static, store, thinking=bots)
            try:
                await serve_until_stopped(site, host, port, ready)
            finally:
                bots.close()

    if sys.platform == "win32":
        asyncio.run(run())
    else:
        import uvloop

        uvloop.run(run())

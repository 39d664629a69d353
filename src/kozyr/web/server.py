"""One server process: everything put together, served on one port until it is told to stop."""
from __future__ import annotations

import asyncio
import gc
import logging
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

import kozyr
from kozyr.app.bot_seats import Pause
from kozyr.app.counts import COUNTS
from kozyr.app.live import DEFAULT_TERMS
from kozyr.app.ports import Clock, Entropy, EventStore, Guests, Hints, Ledger, Peers, Thinking
from kozyr.app.tables import Tables
from kozyr.ledger import Terms
from kozyr.web import people
from kozyr.web.guard import guarded, named, secured
from kozyr.web.health import looked_at
from kozyr.web.routes import add_routes
from kozyr.web.sessions import Sessions
from kozyr.web.site import SITE, Site
from kozyr.web.static import StaticFiles
from kozyr.wire.messages import SIZE_MAX

log = logging.getLogger(__name__)

SILENT_S = 30
"""A websocket from which nothing has come for so long is dropped; clients say `ping` after a few seconds of silence."""

KEPT_S = 75
"""A connection on which nothing is asked any more is kept so long."""

LOOK_S = 5
ENDED_S = 30
"""So often a process looks for sessions that another one has ended."""

STATIC = Path(kozyr.__file__).with_name("static")


def is_news(record: logging.LogRecord) -> bool:
    """
    Whether a line of the HTTP library is news.

    Bytes of a stranger that are no request, and askers who go away, are none: anybody could fill the log with them.
    """
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, ConnectionError) and not (isinstance(error, HttpProcessingError) and error.code < 500)


quiet = logging.getLogger("kozyr.web.requests")
"""Where the HTTP library logs."""
quiet.addFilter(is_news)


async def make_site(
    store: EventStore,
    guests: Guests,
    hints: Hints,
    clock: Clock,
    entropy: Entropy,
    pause: Pause,
    static: Path,
    ledger: Ledger | None = None,
    terms: Terms = DEFAULT_TERMS,
    thinking: Thinking | None = None,
    peers: Peers | None = None,
) -> Site:
    """Put the parts of a server together; without the books of coins there are no staked tables."""
    secret = await guests.keep("cookies", entropy.draw(32))
    tables = Tables(store, hints, clock, entropy, pause, ledger, terms, thinking, peers)
    return Site(tables, store, guests, Sessions(secret, entropy, clock), clock, entropy, StaticFiles(static), ledger, terms)


def make_app(site: Site) -> web.Application:
    """Make the web application of a site."""
    app = web.Application(middlewares=[named, guarded, people.recognised], client_max_size=SIZE_MAX)
    app[SITE] = site
    app.on_response_prepare.append(secured)
    app.on_shutdown.append(let_all_go)
    app.cleanup_ctx.append(going)
    add_routes(app)
    return app


async def going(app: web.Application) -> AsyncIterator[None]:
    """Run the tables, and drop connections that have gone silent, while the application runs."""
    site = app[SITE]
    site.phrases.muted = await site.guests.mutes(site.clock.now())
    await site.tables.start()
    dropping = asyncio.create_task(drop_silent(site)), asyncio.create_task(drop_ended(site))
    yield
    for task in dropping:
        task.cancel()
    site.lobby.close()
    site.hasher.close()
    await site.tables.close()


async def let_all_go(app: web.Application) -> None:
    """Cut all connections, so that a stop does not wait for them; the clients come back to the next server."""
    for connection in app[SITE].connections():
        connection.drop()


async def drop_ended(site: Site) -> None:
    """Drop connections whose sessions have been ended, again and again; this process does so at once, for the others it looks."""
    while True:
        await asyncio.sleep(ENDED_S)
        try:
            await people.cut_ended(site)
            site.phrases.muted = await site.guests.mutes(site.clock.now())
        except Exception:  # the process's edge: what could not be looked at now is looked at again
            log.exception("sessions could not be looked at")


async def drop_silent(site: Site) -> None:
    """Drop connections from which nothing has come for too long, again and again."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(LOOK_S)
        site.running.look(loop.time(), COUNTS.moves)
        for connection in site.connections():
            if loop.time() - connection.heard > SILENT_S:
                connection.drop()


@asynccontextmanager
async def serving(site: Site, host: str, port: int, *, is_shared: bool = False) -> AsyncIterator[int]:
    """Serve a site; gives the port, which is chosen by the system for port 0. With `is_shared` other processes listen there too."""
    runner = web.AppRunner(
        make_app(site), access_log=None, handle_signals=False, shutdown_timeout=1.0, keepalive_timeout=KEPT_S, logger=quiet
    )
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port, backlog=1024, reuse_port=is_shared or None).start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


async def serve_until_stopped(
    site: Site,
    host: str,
    port: int,
    ready: Callable[[str], None],
    *,
    is_shared: bool = False,
    stopped: Callable[[asyncio.Event], Any] | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM, or until what *stopped* is given is set; *ready* is told the address."""
    end = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, end.set)
    if stopped is not None:
        stopped(end)
    collect_seldom()
    async with looked_at(site), serving(site, host, port, is_shared=is_shared) as bound:
        ready(address(host, bound))
        await end.wait()
        await drain(site)


async def drain(site: Site) -> None:
    """Say that this process is not ready, for as long as whoever spreads people over processes needs to hear it."""
    site.running.is_stopping = True
    await asyncio.sleep(site.running.drain_s)


def collect_seldom() -> None:
    """Let the garbage collector look seldom: what a table leaves behind has no cycles, and there is much that it would walk in vain."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def address(host: str, port: int) -> str:
    """Write the address at which a browser on this machine finds the server."""
    name = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"

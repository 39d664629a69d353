"""Where the parts meet: the only place that knows which store, bus, clock and server there are."""
from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from kozyr.app.alone import Alone
from kozyr.app.bot_seats import Pause
from kozyr.app.clock import UNSAID_MS, SystemClock, SystemEntropy
from kozyr.app.limits import Limits
from kozyr.app.ports import EventStore, Guests, Hints, Ledger, Peers
from kozyr.app.tables import Tables
from kozyr.app.thinking import Workers
from kozyr.bus.memory import MemoryBus
from kozyr.cli import logs
from kozyr.cli.settings import HINTS, Settings
from kozyr.ledger import Terms
from kozyr.store.sqlite import SqliteStore
from kozyr.web import lobby, socket
from kozyr.web.allowances import PROXIES, Allowances
from kozyr.web.running import Running
from kozyr.web.server import STATIC, make_site, serve_until_stopped
from kozyr.web.site import Site

if TYPE_CHECKING:
    from kozyr.bus.brokered import Broker

HOST, PORT = "127.0.0.1", 8000
URLS = ("postgresql://", "postgres://")


class Store(EventStore, Guests, Ledger, Protocol):
    """A store is all of these ports on one database."""


class Parts(NamedTuple):
    """What depends on the database; `join` makes tables known to the other processes on it."""

    store: Store
    hints: Hints
    peers: Peers
    join: Callable[[Tables], Awaitable[None]]


def is_url(database: str | Path) -> bool:
    """Whether a database is one of a server, not a file."""
    return isinstance(database, str) and database.startswith(URLS)


def say_address(address: str) -> None:
    """Say where the server is."""
    print(f"Kozyr is at {address}", flush=True)


def serve(
    host: str = HOST,
    port: int = PORT,
    database: Path | str = Path("kozyr.db"),
    *,
    pause: Pause | None = None,
    static: Path = STATIC,
    ready: Callable[[str], None] = say_address,
    is_shared: bool = False,
    stopped: Callable[[asyncio.Event], Any] | None = None,
    settings: Settings | None = None,
    worker: int = 1,
) -> None:
    """
    Serve from a database until the process is told to stop; port 0 lets the system choose one.

    With `is_shared` other processes listen at the same port, and this is number `worker` of them. `stopped` is given what ends the
    server. Everything else is in the settings.

    Raises: SchemaError for a database that cannot be used, OSError for an address that cannot.
    """
    chosen = settings or Settings()
    PROXIES.update(chosen["proxy"])
    logs.start(chosen["log"], chosen["log_level"], str(worker) if is_shared else "")

    async def run() -> None:
        clock = SystemClock()
        async with parts_of(database, clock, chosen["address"], chosen["hints"]) as parts:
            entropy, bots = SystemEntropy(), thinkers(chosen)
            site = await make_site(
                parts.store, parts.store, parts.hints, clock, entropy, pause or Pause(), static, parts.store,
                Terms(**chosen.part("coins")), bots, parts.peers,
            )  # fmt: skip
            arrange(site, chosen, worker)
            await parts.join(site.tables)
            try:
                await serve_until_stopped(site, host, port, ready, is_shared=is_shared, stopped=stopped)
            finally:
                await bots.close()

    if sys.platform == "win32":
        asyncio.run(run())
    else:
        import uvloop

        open_as_many_as_may_be()
        uvloop.run(run())


def arrange(site: Site, settings: Settings, worker: int) -> None:
    """Set what an operator has chosen."""
    limits = settings.part("limits")
    heard = {"MESSAGES": limits.pop("messages"), "HELLOS": limits.pop("hellos")}
    for part in (socket, lobby):
        vars(part).update(heard)
    site.phrases.limit(*limits.pop("phrases"))
    site.allowances = Allowances(**{name: Limits(*rate) for name, rate in limits.items()})
    site.places.most = settings["sockets"]
    metrics_port = settings["metrics_port"]
    site.running = Running(
        process=str(worker),
        metrics_host=settings["metrics_host"],
        metrics_port=metrics_port + worker - 1 if metrics_port else None,
        metrics_token=settings["metrics_token"],
        operator_password=settings["operator_password"],
        drain_s=settings["drain_s"],
    )


def thinkers(settings: Settings) -> Workers:
    """Make what bots think in; several server processes share the cores."""
    cores = max(1, ((os.cpu_count() or 2) - 1) // settings["workers"])
    return Workers(settings["bots.processes"] or cores, settings["bots.queue"])


def broker_of(hints: str) -> Broker | None:
    """Make an end of the broker that hints go by; None where there is none. Its package is imported only here."""
    match HINTS.get(hints.partition("://")[0]):
        case "nats":
            from kozyr.bus.nats import NatsBroker

            return NatsBroker(hints)
        case "redis":
            from kozyr.bus.redis import RedisBroker

            return RedisBroker(hints)
        case _:
            return None


def open_as_many_as_may_be() -> None:
    """Let this process have as many connections as the system lets it: what is usual without asking is few, and then nobody gets in."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@asynccontextmanager
async def parts_of(database: Path | str, clock: SystemClock, address: str, hints: str = "notify") -> AsyncIterator[Parts]:
    """Open a database, and what tells the processes on it of each other."""
    if isinstance(database, str) and is_url(database):
        async with shared_parts(database, clock, address, hints) as parts:
            yield parts
        return
    async with SqliteStore(Path(database)) as store:
        clock.agree(None, await store.last_time(), UNSAID_MS)
        await store.begin(clock.now())
        yield Parts(store, MemoryBus().join(), Alone(), nobody)


async def nobody(tables: Tables) -> None:
    """Join nobody: this process is the only one."""


@asynccontextmanager
async def shared_parts(url: str, clock: SystemClock, address: str, hints: str) -> AsyncIterator[Parts]:
    """Open a PostgreSQL that other processes use too."""
    # Imported here: a server on a file must not wait for what it does not use.
    from kozyr.bus.brokered import BrokerBus, BrokerLink
    from kozyr.bus.link import Link
    from kozyr.bus.peers import PostgresPeers
    from kozyr.bus.postgres import PostgresBus
    from kozyr.store.postgres import PostgresStore

    broker = broker_of(hints)
    async with await PostgresStore.open(url, tells=broker is None) as store:
        clock.agree(await store.time(), await store.last_beat())
        link = Link(url) if broker is None else BrokerLink(url, broker)
        said = store.process, store.heads, store.seals
        bus = BrokerBus(link, *said) if isinstance(link, BrokerLink) else PostgresBus(link, *said)
        peers = PostgresPeers(link, store.process, address, clock.now)

        async def join(tables: Tables) -> None:
            bus.look_after(lambda: [(table.id, table.seq) for table in tables.all()])
            await link.start()

        try:
            yield Parts(store, bus, peers, join)
        finally:
            await peers.leave()
            await link.close()

"""Server processes of one database, inside the test's own event loop: each with its store, its link to the others and its port."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.limits import Limits
from kozyr.bus.brokered import Broker, BrokerBus, BrokerLink
from kozyr.bus.link import Link
from kozyr.bus.peers import PostgresPeers
from kozyr.bus.postgres import PostgresBus
from kozyr.store.postgres import PostgresStore
from kozyr.web.allowances import Allowances
from kozyr.web.server import make_site, serving
from kozyr.web.site import Site

PATIENCE_S = 20


@dataclass
class Process:
    """A server process: its parts, its address."""

    site: Site
    store: PostgresStore
    link: Link
    bus: PostgresBus
    peers: PostgresPeers
    base: str
    is_dying: bool = False

    def browser(self) -> aiohttp.ClientSession:
        """A browser that keeps its cookies."""
        return aiohttp.ClientSession(self.base, cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def vanish(self) -> None:
        """Say nothing any more, as a killed process does."""
        self.is_dying = True
        await self.link.close()


@asynccontextmanager
async def process(
    url: str, name: str, static: Path, *, pause: Pause | None = None, round_s: float = 0.5, broker: Broker | None = None
) -> AsyncIterator[Process]:
    """Run a server process on a database, whose hints go by a broker where there is one."""
    clock = SystemClock()
    async with await PostgresStore.open(url, name, tells=broker is None) as store:
        link = Link(url, round_s) if broker is None else BrokerLink(url, broker, round_s)
        said = name, store.heads, store.seals
        bus = BrokerBus(link, *said) if isinstance(link, BrokerLink) else PostgresBus(link, *said)
        peers = PostgresPeers(link, name, f"/p/{name}", clock.now)
        site = await make_site(
            store, store, bus, clock, SystemEntropy(), pause or Pause(0, 0), static, store, peers=peers
        )
        site.allowances = Allowances(Limits(10**6, 1), Limits(10**6, 1), Limits(5, 10_000), Limits(10**6, 1), Limits(10**6, 1))
        bus.look_after(lambda: [(table.id, table.seq) for table in site.tables.all()])
        await link.start()
        try:
            async with serving(site, "127.0.0.1", 0) as port:
                running = Process(site, store, link, bus, peers, f"http://127.0.0.1:{port}")
                yield running
        finally:
            if not running.is_dying:
                await peers.leave()
            await link.close()

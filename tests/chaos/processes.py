"""Server processes of one database, inside the test's own event loop: each with its store, its link to the others and its port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp

from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.commands import Sit
from kozyr.app.events import PERSON, Player
from kozyr.app.limits import Limits
from kozyr.app.live import LiveTable
from kozyr.bus.brokered import Broker, BrokerBus, BrokerLink
from kozyr.bus.link import Link
from kozyr.bus.peers import PostgresPeers
from kozyr.bus.postgres import PostgresBus
from kozyr.core.options import Rules
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


async def until(is_so: Callable[[], Any], within_s: float = PATIENCE_S) -> float:
    """Wait until something is so; returns how long it took."""
    loop = asyncio.get_running_loop()
    started = loop.time()
    async with asyncio.timeout(within_s):
        while not is_so():
            await asyncio.sleep(0.005)
    return loop.time() - started


async def opened(by: Process, **options: Any) -> LiveTable:
    """Open a table with somebody at it."""
    rules = Rules.of({"seats": 2, **options})
    return await by.site.tables.open(rules, [Player("P0", PERSON, guest="g0"), *[None] * (rules.seats - 1)], False)


async def at(where: Process, live: LiveTable) -> LiveTable:
    """Have a table in another process."""
    found = await where.site.tables.get(live.table.id)
    assert found is not None
    return found


async def sit(live: LiveTable, number: int = 1) -> None:
    """Have somebody sit down."""
    await live.handle(Sit(Player(f"P{number}", PERSON, guest=f"g{number}"), number))

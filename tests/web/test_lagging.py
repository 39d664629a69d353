"""A server process that has not heard yet of what another one has shown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import pytest

from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.bus.memory import MemoryBus
from kozyr.store.sqlite import SqliteStore
from kozyr.web.server import make_site, serving
from tests.web.player import Player, open_table


@pytest.fixture
async def bases(tmp_path: Path, static: Path) -> AsyncIterator[list[str]]:
    """Two servers on one log that never hear of each other."""
    async with SqliteStore(tmp_path / "kozyr.db") as store, AsyncExitStack() as stack:
        found = []
        for _ in range(2):
            site = await make_site(store, store, MemoryBus().join(), SystemClock(), SystemEntropy(), Pause(60_000, 0), static, store)
            found.append(f"http://127.0.0.1:{await stack.enter_async_context(serving(site, '127.0.0.1', 0))}")
        yield found


async def test_nobody_is_taken_back_to_what_was_before(bases: list[str]) -> None:
    """Who has seen more than this process knows of is shown what they have seen, and misses nothing (I9, I10)."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        here, there = (f"{base}/ws/tables/" for base in bases)
        async with aiohttp.ClientSession(bases[0], cookie_jar=session.cookie_jar) as opening:
            opened = await open_table(opening, options={"seats": 2}, bots=["easy"])
        async with session.ws_connect(there + opened["id"]) as socket:
            behind = Player(session, opened["id"])
            behind.socket = socket
            known = (await behind.hello())["seq"]
            async with session.ws_connect(here + opened["id"]) as other:
                ahead = Player(session, opened["id"])
                ahead.socket = other
                await ahead.hello()
                await ahead.agree()
                assert ahead.seq > known
            welcome = await behind.hello(ahead.seq)
            assert (ahead.seq, []) == (welcome["seq"], welcome.get("missed", []))
            assert ahead.view == welcome["view"]

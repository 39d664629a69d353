"""`kozyr serve --workers 2 --hints …`, with the real broker, which is killed in the middle of the game and comes back."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import asyncpg
import pytest

from tests import servers
from tests.chaos.test_workers import PATIENCE_S, ROOT, living
from tests.servers import Server
from tests.web.player import Player, seated

TABLES = 4


@pytest.fixture(params=["nats", "redis"])
def broker(request: pytest.FixtureRequest) -> Iterator[Server]:
    found = servers.nats() if request.param == "nats" else servers.redis()
    yield found
    found.close()


@pytest.fixture
def base(broker: Server, postgres_url: str, tmp_path: Path) -> Iterator[str]:
    """Two processes at one port, and where they are."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "KOZYR_HINTS": broker.url}
    command = [sys.executable, "-m", "kozyr", "serve", "--port", "0", "--workers", "2", "--pause", "0", "--database", postgres_url]
    with (
        (tmp_path / "said").open("w") as said,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True, env=environment) as process,
    ):
        assert process.stdout is not None
        yield process.stdout.readline().removeprefix("Kozyr is at ").strip().rstrip("/")
        process.terminate()
        assert 0 == process.wait(PATIENCE_S)
    assert "Traceback" not in (tmp_path / "said").read_text()


async def test_games_go_on_without_their_broker_and_with_it_again(base: str, broker: Server, postgres_url: str) -> None:
    """Players are connected to either process; every game comes to its end, and each log is numbered without a gap or a double."""
    async with asyncio.timeout(PATIENCE_S):
        while await living(postgres_url) < 2:
            await asyncio.sleep(0.1)
    broker.kill()
    async with aiohttp.ClientSession(base, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        names = [await play(session) for _ in range(TABLES // 2)]
        broker.start()
        names += [await play(session) for _ in range(TABLES // 2)]
    connection = await asyncpg.connect(postgres_url)
    found = await connection.fetch(
        "SELECT t.table_id, t.seq, count(*) AS rows, min(e.seq) AS first, max(e.seq) AS last,"
        " count(e.command) - count(DISTINCT e.command) AS doubled FROM tables t JOIN events e USING (table_id) GROUP BY t.table_id, t.seq"
    )
    await connection.close()
    assert set(names) <= {row["table_id"] for row in found}
    for row in found:
        assert (row["seq"], row["seq"], 1, 0) == (row["rows"], row["last"], row["first"], row["doubled"])


async def play(session: aiohttp.ClientSession) -> str:
    """Play a game to its end, and come back in its midst, to whichever process."""
    player = await seated(session, options={"seats": 2}, bots=["normal"])
    async with player:
        await player.hello()
    async with asyncio.timeout(PATIENCE_S), Player(session, player.table_id) as again:
        await again.hello()
        await again.play_out()
    return player.table_id

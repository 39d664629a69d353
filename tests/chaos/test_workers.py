"""`kozyr serve --workers`: one port, several processes, and each that dies comes again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import asyncpg
import pytest

from kozyr.cli import supervisor
from kozyr.cli.settings import Settings
from tests.web.player import Player, seated

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60


@pytest.fixture
def served(postgres_url: str, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Two workers, and where they are; what they complain of is in a file."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "kozyr", "serve", "--port", "0", "--workers", "2", "--pause", "0", "--database", postgres_url]
    with (
        (tmp_path / "said").open("w") as said,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True, env=environment) as process,
    ):
        assert process.stdout is not None
        line = process.stdout.readline()
        yield process, line.removeprefix("Kozyr is at ").strip().rstrip("/")
        if process.poll() is None:
            process.kill()


def workers_of(pid: int) -> list[int]:
    """List the processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


async def living(url: str) -> int:
    """Count the processes that say that they are there."""
    connection = await asyncpg.connect(url)
    try:
        return int(await connection.fetchval("SELECT count(*) FROM processes WHERE seen > clock_timestamp() - interval '3 seconds'"))
    finally:
        await connection.close()


@pytest.mark.skipif(sys.platform != "linux", reason="counts processes where Linux shows them")
async def test_a_worker_that_dies_is_started_again_and_a_stop_ends_all(
    served: tuple[subprocess.Popen[str], str], postgres_url: str, tmp_path: Path
) -> None:
    """People at one port notice a reconnect at most; with SIGTERM everything ends, and nothing is left of it."""
    process, base = served
    async with asyncio.timeout(PATIENCE_S):
        while await living(postgres_url) < 2:
            await asyncio.sleep(0.1)
    before = workers_of(process.pid)
    assert 2 == len(before)
    async with aiohttp.ClientSession(base, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        player = await seated(session, options={"seats": 2}, bots=["easy"])
        for victim in before:
            os.kill(victim, signal.SIGKILL)
            async with asyncio.timeout(PATIENCE_S):
                while len(workers_of(process.pid)) < 2 or victim in workers_of(process.pid) or not await answers(session):
                    await asyncio.sleep(0.1)
        async with Player(session, player.table_id) as again:
            try:
                assert 0 == (await again.hello()).get("seat")
            except ConnectionError:
                raise AssertionError((tmp_path / "said").read_text()) from None
            await again.play_out()
    assert not set(before) & set(workers_of(process.pid))
    process.send_signal(signal.SIGTERM)
    ended = time.monotonic()
    process.communicate(timeout=PATIENCE_S)
    said = (tmp_path / "said").read_text()
    assert 0 == process.returncode and time.monotonic() - ended < 30
    assert 2 == len(re.findall("a server process ended with -9", said)), said
    assert "Traceback" not in said, said
    # Those that were killed are taken for dead a little later.
    async with asyncio.timeout(PATIENCE_S):
        while await living(postgres_url):
            await asyncio.sleep(0.1)


async def answers(session: aiohttp.ClientSession) -> bool:
    """Whether the port is answered at."""
    try:
        async with session.get("/api/health") as response:
            return response.status == 200
    except aiohttp.ClientError:
        return False


async def test_workers_end_with_their_parent(served: tuple[subprocess.Popen[str], str], postgres_url: str) -> None:
    """A supervisor that is killed leaves no server behind that nobody looks after."""
    process, _ = served
    process.kill()
    process.wait(PATIENCE_S)
    async with asyncio.timeout(PATIENCE_S):
        while await living(postgres_url):
            await asyncio.sleep(0.1)


def two_ports() -> int:
    """Find two free ports, one after the other, below those that the system gives to connections; names the first."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as first, socket.socket() as second, contextlib.suppress(OSError):
            first.bind(("127.0.0.1", port))
            second.bind(("127.0.0.1", port + 1))
            return port


async def test_every_worker_has_its_figures(postgres_url: str) -> None:
    """The operator sees each process by its number, at a port of its own, and none of them at the public one."""
    port = two_ports()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "KOZYR_DATABASE": postgres_url, "KOZYR_WORKERS": "2"}
    command = [sys.executable, "-m", "kozyr", "serve", "--port", "0", "--metrics-port", str(port), "--set", "limits.creating=1,60000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment) as process:
        assert process.stdout is not None
        base = process.stdout.readline().removeprefix("Kozyr is at ").strip().rstrip("/")
        try:
            async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
                for number in (1, 2):
                    text = await figures(session, f"http://127.0.0.1:{port + number - 1}/metrics")
                    assert f'kozyr_moves_total{{process="{number}"}}' in text
                async with session.get(f"{base}/metrics") as response:
                    assert 404 == response.status
                statuses = []
                for _ in range(4):
                    async with session.post(f"{base}/api/tables", json={"options": {"seats": 2}}) as response:
                        statuses.append(response.status)
                # Each process lets an address open one table; which of them is asked is the system's choice.
                assert 1 <= statuses.count(201) <= 2 and 429 in statuses
        finally:
            process.terminate()
        assert 0 == await asyncio.to_thread(process.wait, PATIENCE_S)


async def figures(session: aiohttp.ClientSession, address: str) -> str:
    """Read a process's figures, once it is there."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            with contextlib.suppress(aiohttp.ClientConnectionError):
                async with session.get(address) as response:
                    assert 200 == response.status
                    return await response.text()
            await asyncio.sleep(0.1)


async def test_workers_are_left_the_time_in_which_they_say_that_they_stop(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `drain_s` longer than a stop takes no worker is killed in it: each serves for as long, and then stops in good order."""
    said: list[str] = []
    monkeypatch.setattr(supervisor, "STOP_S", 3.0)
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    settings = Settings()
    for name, value in {"workers": 2, "database": postgres_url, "drain_s": 4.0, "pause": 0}.items():
        settings.put(name, value, "the test")
    with supervisor.held("127.0.0.1", 0) as port:
        running = supervisor.Supervisor(settings, port, said.append)
        work = asyncio.ensure_future(running.run())
        async with asyncio.timeout(PATIENCE_S):
            while await living(postgres_url) < 2 or not said:
                await asyncio.sleep(0.1)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(1)
        async with aiohttp.ClientSession(said[0].strip().rstrip("/")) as session, session.get("/readyz") as response:
            assert (503, "stopping\n") == (response.status, await response.text())
        await asyncio.wait_for(work, PATIENCE_S)
    # Each said that it goes, which one that is killed cannot.
    assert 0 == await living(postgres_url)

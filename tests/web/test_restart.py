"""A server process is killed in mid-game, and the game goes on at the same card."""
from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import aiohttp
import pytest

from tests.web.player import PATIENCE_S, Player, gone, seated, wrong

ROOT = Path(__file__).parents[2]
RESTART_S = 1.5
STOP_S = 5
SERVE = """
import sys
from pathlib import Path
from kozyr.app.bot_seats import Pause
from kozyr.cli.wiring import serve
serve("127.0.0.1", int(sys.argv[1]), Path(sys.argv[2]), pause=Pause(int(sys.argv[3]), 0))
"""


class Process:
    """A server in a process of its own."""

    def __init__(self, database: Path, port: int = 0, pause_ms: int = 0) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        command = [sys.executable, "-c", SERVE, str(port), str(database), str(pause_ms)]
        started = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.took_s = spent_s(self.process.pid, time.monotonic() - started)
        assert line.startswith("Kozyr is at http://127.0.0.1:"), line
        self.base = line.removeprefix("Kozyr is at ").strip().rstrip("/")
        self.port = int(self.base.rsplit(":", 1)[1])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self._end()

    def _end(self) -> int:
        code = self.process.wait(PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


def spent_s(pid: int, otherwise: float) -> float:
    """The processor's seconds that a process has used, so that a busy machine does not count; else the time that went by."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return otherwise
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Start(Protocol):
    """Starts a server on a file, at a port where one is given."""

    def __call__(self, database: Path, port: int = 0) -> Process: ...


@pytest.fixture
def start() -> Iterator[Start]:
    """Start servers; what is left of them ends with the test."""
    started: list[Process] = []

    def begin(database: Path, port: int = 0) -> Process:
        started.append(Process(database, port))
        return started[-1]

    yield begin
    for process in started:
        if process.process.poll() is None:
            process.kill()


def session_at(base: str) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(base, cookie_jar=aiohttp.CookieJar(unsafe=True))


@pytest.mark.parametrize("preset", ["peak", "cheating"])
async def test_a_killed_server_goes_on_at_the_same_card(tmp_path: Path, start: Start, preset: str) -> None:
    """SIGKILL in mid-game, the same file, the same seat, the same view; what was acknowledged is there, and the game ends (I2, I10)."""
    database = tmp_path / "kozyr.db"
    server = start(database)
    async with session_at(server.base) as session:
        player = await seated(session, preset=preset, options={"seats": 3})
        async with player:
            await player.hello()
            await player.agree()
            for turn in range(2):
                await player.some_moves(2)
                await player.alone()
                if player.is_over:
                    break
                before: dict[str, Any] | None = player.view
                seq = player.seq
                server.kill()
                server = start(database, server.port)
                assert server.took_s < RESTART_S, f"restart {turn} took {server.took_s:.2f} s"
                player.socket = await session.ws_connect(f"/ws/tables/{player.table_id}")
                player.salt = f"after{turn}-"
                welcome = await player.hello(seq)
                # All that has happened meanwhile is that the clock has the time back.
                missed = welcome.get("missed", [])
                assert [] == [event for event in missed if (event["e"], event.get("why")) != ("time", "server")]
                assert (seq + len(missed), 0) == (welcome["seq"], welcome["seat"])
                assert before == welcome["view"]
            await player.play_out()
            async with session.get(f"/api/tables/{player.table_id}/games/1") as response:
                assert [] == wrong(await response.text())
        assert 0 == server.stop()


async def test_a_command_whose_answer_was_lost_is_not_doubled(tmp_path: Path, start: Start) -> None:
    """The server dies before the answer arrives; the retry after its return is acknowledged at one place in the log (I2)."""
    database = tmp_path / "kozyr.db"
    server = start(database)
    async with session_at(server.base) as session, await seated(session, options={"seats": 2}) as player:
        await player.hello()
        await player.agree()
        await player.alone()
        move, view = player.choice(), player.view
        assert move is not None and view is not None
        await player.send(t="play", id="lost", move=move, bout=view["bout_no"])
        await asyncio.sleep(0.05)
        server.kill()
        server = start(database, server.port)
        async with Player(session, player.table_id) as again:
            await again.hello()
            seqs = set()
            for _ in range(3):
                told = await again.ask(t="play", id="lost", move=move, bout=view["bout_no"])
                assert "ack" == told["t"]
                seqs.add(told["seq"])
            assert 1 == len(seqs)
            again.salt = "more"
            await again.play_out()
    assert 0 == server.stop()


async def test_the_window_for_challenges_closes_after_a_restart(tmp_path: Path, start: Start) -> None:
    """A deadline that the killed server had set is kept by the next one (I6, R14.5)."""
    database = tmp_path / "kozyr.db"
    server = start(database)
    async with session_at(server.base) as session, await seated(session, preset="cheating", options={"seats": 2}) as player:
        await player.hello()
        await player.agree()
        while player.view is None or player.view["phase"] != "CHALLENGE" or player.view["waiting"] != [0]:
            move = player.choice()
            if move is None or (player.view is not None and player.view["phase"] == "CHALLENGE"):
                await player.until("update")
            else:
                assert player.view is not None
                await player.ask(t="play", move=move, bout=player.view["bout_no"])
        bout = player.view["bout_no"]
        server.kill()
        server = start(database, server.port)
        async with Player(session, player.table_id) as again:
            welcome = await again.hello()
            # Where it took long to come back the window may have closed already: no move of this player was needed for it.
            assert welcome["view"]["bout_no"] > bout or welcome["left_ms"] <= 3000
            while again.view is None or again.view["bout_no"] == bout:
                await again.until("update")
    assert 0 == server.stop()


async def test_a_stop_does_not_wait_for_connections(tmp_path: Path, start: Start) -> None:
    """SIGTERM ends a server that players are connected to, and they come back to the next one."""
    database = tmp_path / "kozyr.db"
    server = start(database)
    async with session_at(server.base) as session, await seated(session, options={"seats": 2}) as player:
        await player.hello()
        started = time.monotonic()
        assert 0 == await asyncio.to_thread(server.stop)
        assert time.monotonic() - started < STOP_S
        await gone(player)
        start(database, server.port)
        async with Player(session, player.table_id) as again:
            assert 0 == (await again.hello())["seat"]


def test_a_stop_in_good_order_is_quick_and_leaves_one_file(tmp_path: Path, start: Start) -> None:
    """SIGTERM ends the process at once with everything in the database file."""
    database = tmp_path / "kozyr.db"
    server = start(database)
    started = time.monotonic()
    assert 0 == server.stop()
    assert time.monotonic() - started < STOP_S
    assert [database] == [path for path in tmp_path.iterdir() if path.stat().st_size]

"""Real server processes on one PostgreSQL, killed in turn while people play at the same tables through different ones."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
import asyncpg
import pytest

from kozyr.app.evolve import steps
from kozyr.app.ports import Row
from kozyr.wire import VERSION
from tests.web.player import open_table, wrong

ROOT = Path(__file__).parents[2]
KILLS = 8
TABLES = 4
PATIENCE_S = 60
SERVE = """
import sys
from kozyr.app.bot_seats import Pause
from kozyr.cli.wiring import serve
serve("127.0.0.1", int(sys.argv[1]), sys.argv[2], pause=Pause(20, 0))
"""


class Server:
    """A server in a process of its own, at a port that stays."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it, and wait until it says where it is."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE, str(self.port), self._url], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.port = int(line.rstrip().rstrip("/").rpartition(":")[2])

    def end(self, how: int) -> None:
        """End it."""
        self.process.send_signal(how)
        self.process.wait(PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture
def servers(postgres_url: str) -> Iterator[list[Server]]:
    running = [Server(postgres_url), Server(postgres_url)]
    yield running
    for server in running:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)


class Seat:
    """A person who plays on whatever happens: at either server, sending each command until it is answered."""

    def __init__(self, servers: list[Server], cookies: aiohttp.CookieJar, table_id: str, first: int) -> None:
        self.servers, self.table_id, self.at = servers, table_id, first
        self.session = aiohttp.ClientSession(cookie_jar=cookies)
        self.seq = 0
        self.seen: dict[int, int] = Counter()
        self.view: dict[str, Any] = {}
        self.stage = ""
        self.acknowledged: dict[str, int] = {}
        self.refused = 0
        self.waits: list[float] = []
        self.number = 0
        self.seat: int | None = None
        self.pending: dict[str, Any] | None = None
        self.shown_at = 0

    async def play(self, until: asyncio.Event) -> None:
        """Play until told to stop or the game is over, coming back to another server whenever the connection ends."""
        while not until.is_set() and self.stage != "over":
            lost_at = time.monotonic()
            try:
                base = self.servers[self.at].base
                async with self.session.ws_connect(f"{base}/ws/tables/{self.table_id}", timeout=aiohttp.ClientWSTimeout(5)) as socket:
                    await self.converse(socket, until, lost_at)
            except (aiohttp.ClientError, ConnectionError, TimeoutError, OSError):
                self.at = 1 - self.at
                await asyncio.sleep(0.03)

    async def converse(self, socket: aiohttp.ClientWebSocketResponse, until: asyncio.Event, lost_at: float) -> None:
        """Say hello, take in what was missed, and play."""
        await socket.send_str(json.dumps({"t": "hello", "v": VERSION, "since": self.seq}))
        self.pending, self.shown_at = None, -1
        is_back = False
        while not until.is_set() and self.stage != "over":
            told = await self.hear(socket)
            if told["t"] == "welcome" and not is_back:
                is_back = True
                self.waits.append(time.monotonic() - lost_at)
            if self.pending is not None and told.get("id") == self.pending["id"]:
                if told["t"] == "ack":
                    self.acknowledged[self.pending["id"]] = told["seq"]
                    self.shown_at = told["seq"] - 1
                else:
                    self.refused += 1
                self.pending = None
            move = self.choice()
            # What is refused may have been answered after the update that explains it: then there is no other to wait for.
            if self.pending is None and move is not None and self.seq > self.shown_at:
                self.shown_at = self.seq
                self.number += 1
                self.pending = {"t": "play", "move": move, "bout": self.view["bout_no"], "id": f"m{self.number}"}
                # Twice: a client that is unsure sends again.
                for _ in range(2):
                    await socket.send_str(json.dumps(self.pending))

    async def hear(self, socket: aiohttp.ClientWebSocketResponse) -> dict[str, Any]:
        """Take in a message; what a viewer is told is in the order of the log, each event once."""
        message = await socket.receive(timeout=PATIENCE_S)
        if message.type is not aiohttp.WSMsgType.TEXT:
            raise ConnectionError
        told: dict[str, Any] = json.loads(message.data)
        if told["t"] in ("welcome", "update"):
            assert told["seq"] >= self.seq, f"back from {self.seq} to {told['seq']}"
            self.seq, self.view = told["seq"], told.get("view", self.view)
            self.stage = told.get("table", {}).get("stage", self.stage)
            self.seat = told.get("seat", self.seat)
        return told

    def standing(self) -> str:
        """Tell where this person stands, for who finds a game that does not end."""
        told = {name: self.view.get(name) for name in ("phase", "waiting", "legal", "bout_no")}
        return f"seat {self.seat} of {self.table_id}: {self.stage} {self.seq}, awaits {self.pending}, {self.refused} refused, {told}"

    def choice(self) -> str | None:
        """Choose a move if it is this seat's turn."""
        if self.seat not in self.view.get("waiting", []):
            return None
        legal = [move for move in self.view.get("legal", []) if not move.startswith(("challenge", "transfer", "show"))]
        quiet = [move for move in legal if move in ("pass", "accept")]
        chosen: str | None = (quiet or legal or [None])[0]
        return chosen


async def begin(servers: list[Server], chance: random.Random) -> list[Seat]:
    """Open a table by one server and sit down at it by the other: two persons and a bot."""
    jars = [aiohttp.CookieJar(unsafe=True) for _ in range(2)]
    async with aiohttp.ClientSession(servers[0].base, cookie_jar=jars[0]) as session:
        opened = await open_table(session, options={"seats": 3, "turn_s": 120}, bots=[None, "easy"], private=False)
    async with (
        aiohttp.ClientSession(servers[1].base, cookie_jar=jars[1]) as session,
        session.post(f"/api/tables/{opened['id']}/seats", json={}) as response,
    ):
        assert response.status == 200, await response.text()
    return [Seat(servers, jar, opened["id"], (number + chance.randrange(2)) % 2) for number, jar in enumerate(jars)]


async def get_ready(seat: Seat) -> None:
    """Be ready; the shuffle goes on without this person's seed."""
    async with seat.session.ws_connect(f"{seat.servers[seat.at].base}/ws/tables/{seat.table_id}") as socket:
        await socket.send_str(json.dumps({"t": "hello", "v": VERSION}))
        while (await seat.hear(socket))["t"] != "welcome":
            pass
        await socket.send_str(json.dumps({"t": "ready", "on": True, "id": "ready"}))
        while (await seat.hear(socket)).get("id") != "ready":
            pass


async def kill_in_turn(servers: list[Server], seats: list[Seat], chance: random.Random, kills: int) -> None:
    """Kill one server after the other, each at a moment of its own, and start it again."""
    loop = asyncio.get_running_loop()
    for number in range(kills):
        server = servers[number % 2]
        await asyncio.sleep(chance.uniform(0.2, 1.0))
        server.end(signal.SIGKILL)
        await asyncio.sleep(chance.uniform(0.0, 0.2))
        await loop.run_in_executor(None, server.start)
        if all(seat.stage == "over" for seat in seats):
            return


async def check_logs(url: str, seats: list[Seat]) -> None:
    """Nothing that was acknowledged is lost, nothing is doubled, no log has a gap, and every log folds to what was seen last."""
    connection = await asyncpg.connect(url)
    for table_id in {seat.table_id for seat in seats}:
        found = await connection.fetch("SELECT seq, at, body, command FROM events WHERE table_id = $1 ORDER BY seq", table_id)
        rows = [Row(*each) for each in found]
        assert list(range(1, len(rows) + 1)) == [row.seq for row in rows]
        commands = Counter(row.command for row in rows if row.command is not None)
        assert set(commands.values()) <= {1}
        at = {row.command: row.seq for row in rows}
        folded = list(steps(table_id, rows))
        assert folded[-1].table.seq == len(rows)
        for seat in (each for each in seats if each.table_id == table_id):
            player = folded[-1].table.players[seat.seat or 0]
            assert player is not None and player.guest is not None
            for name, seq in seat.acknowledged.items():
                assert at[f"{player.guest[:10]}.{name}"] == seq
    await connection.close()


async def test_two_servers_that_are_killed_in_turn_lose_nothing(
    servers: list[Server], postgres_url: str, record_property: Callable[[str, object], None]
) -> None:
    """Every game goes on and ends, at whichever server its players are; what was acknowledged stays, once (I1, I2, I4, I10, T7)."""
    chance = random.Random(7)
    tables = [await begin(servers, chance) for _ in range(TABLES)]
    seats = [seat for table in tables for seat in table]
    for seat in seats:
        await get_ready(seat)
    until = asyncio.Event()
    playing = [asyncio.ensure_future(seat.play(until)) for seat in seats]
    await kill_in_turn(servers, seats, chance, KILLS)
    _, late = await asyncio.wait(playing, timeout=PATIENCE_S)
    for each in late:
        each.cancel()
    await asyncio.wait(playing)
    for seat in seats:
        await seat.session.close()
    for each in playing:
        if each not in late:
            each.result()
    assert [] == [seat.standing() for seat in seats if seat.stage != "over"]
    assert sum(len(seat.acknowledged) for seat in seats) > 10 * TABLES
    async with aiohttp.ClientSession(servers[1].base) as session:
        for table in tables:
            async with session.get(f"/api/tables/{table[0].table_id}/games/1") as response:
                assert [] == wrong(await response.text())
    await check_logs(postgres_url, seats)
    waits = sorted(wait for seat in seats for wait in seat.waits[1:])
    record_property("seconds until a seat is back, median of all", median(waits))

"""A person at a browser who plays on whatever happens, and remembers every byte that they were told."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Sequence
from typing import Any

import aiohttp

from kozyr.fair import commit_seat
from kozyr.wire import VERSION
from tests.chaos.storm.servers import Server

SILENCE_S = 2.5
"""Who hears nothing for so long, though it has asked, goes elsewhere."""
LOST = (aiohttp.ClientError, ConnectionError, TimeoutError, OSError)
STOPS = ("unpaid", "company_limit", "table_closed")


class Heard:
    """What came over one connection, after what had been seen before it."""

    def __init__(self, since: int | None) -> None:
        self.since = since
        self.messages: list[bytes] = []


class Person:
    """Plays a seat; `waits` are the seconds from losing a server until being welcomed by another, and until a command was answered."""

    def __init__(self, servers: Sequence[Server], number: int, chance: random.Random) -> None:
        headers = {"X-Forwarded-For": f"10.1.{number // 250}.{number % 250 + 1}"}
        self.session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True), headers=headers)
        self.table_id = ""
        self.heard: list[Heard] = []
        self.acknowledged: dict[str, int] = {}
        self.seq: int | None = None
        self.view: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.seat: int | None = None
        self.goes_on = True
        self.is_released = False
        self.waits: list[float] = []
        self.answers: list[float] = []
        self._servers = servers
        self._chance = chance
        self._at = number % len(servers)
        self._pending: dict[str, Any] | None = None
        self._number = 0
        self._lost_at: float | None = None
        self._socket: aiohttp.ClientWebSocketResponse | None = None

    async def ask(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Ask the HTTP interface, until some server answers."""
        while True:
            try:
                base = self._servers[self._at].base
                async with self.session.post(f"{base}{path}", json=body, timeout=aiohttp.ClientTimeout(5)) as response:
                    assert response.status < 300, await response.text()
                    told: dict[str, Any] = await response.json()
                    return told
            except LOST:
                self._go_elsewhere()
                await asyncio.sleep(0.1)

    @property
    def is_done(self) -> bool:
        """Whether the game is over and no other is wanted."""
        return not self.goes_on and self.table.get("stage") in ("over", "closed", "gathering") and self._pending is None

    async def play(self) -> None:
        """Play until told to stop, at whichever server there is."""
        while not self.is_released:
            try:
                base = self._servers[self._at].base
                async with self.session.ws_connect(f"{base}/ws/tables/{self.table_id}", timeout=aiohttp.ClientWSTimeout(1)) as socket:
                    self._socket = socket
                    await self._talk(socket)
            except LOST:
                server = self._servers[self._at]
                if self._lost_at is None:
                    self._lost_at = max(server.killed_at, time.monotonic() - SILENCE_S)
                self._go_elsewhere()
                await asyncio.sleep(self._chance.uniform(0.01, 0.08))

    def cut(self) -> None:
        """Lose the connection."""
        if self._socket is not None and self._socket._response.connection is not None:
            self._socket._response.connection.close()

    def _go_elsewhere(self) -> None:
        self._at = (self._at + 1) % len(self._servers)

    async def _talk(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.heard.append(Heard(self.seq))
        await socket.send_str(json.dumps({"t": "hello", "v": VERSION, **({} if self.seq is None else {"since": self.seq})}))
        if self._pending is not None:
            await socket.send_str(json.dumps(self._pending))
        is_asked = False
        while not self.is_released:
            try:
                message = await socket.receive(timeout=SILENCE_S / 2)
            except TimeoutError:
                if is_asked:
                    raise
                is_asked = True
                await socket.send_str(json.dumps({"t": "ping"}))
                continue
            is_asked = False
            if message.type is not aiohttp.WSMsgType.TEXT:
                raise ConnectionError
            self._hear(message.data)
            await self._act(socket)

    def _hear(self, text: str) -> None:
        told = json.loads(text)
        self.heard[-1].messages.append(text.encode())
        if told["t"] in ("welcome", "update"):
            assert self.seq is None or told["seq"] >= self.seq, f"back from {self.seq} to {told['seq']}"
            self.seq, self.view = told["seq"], told.get("view", self.view)
            self.table = told.get("table", self.table)
            if told["t"] == "welcome":
                self.seat = told.get("seat")
                if self._lost_at is not None:
                    self.waits.append(time.monotonic() - self._lost_at)
                    self._lost_at = self._lost_at if self._pending is not None else None
        if self._pending is not None and told.get("id") == self._pending["id"]:
            if told["t"] == "ack":
                self.acknowledged[told["id"]] = told["seq"]
                if self._lost_at is not None:
                    self.answers.append(time.monotonic() - self._lost_at)
            assert told.get("code") != "table_stopped"
            self.goes_on = self.goes_on and told.get("code") not in STOPS
            self._pending, self._lost_at = None, None

    async def _act(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        command = None if self._pending is not None or self.seat is None else self._choice()
        if command is None:
            return
        self._number += 1
        self._pending = command = {**command, "id": f"s{self._number}"}
        for _ in range(self._chance.choice((1, 2, 3))):
            await socket.send_str(json.dumps(command))

    def _choice(self) -> dict[str, Any] | None:
        table, seat = self.table, self.seat
        assert seat is not None
        stage = table["stage"]
        if stage == "gathering":
            return {"t": "ready"} if self.goes_on and seat not in table.get("ready", []) else None
        if stage == "over":
            return {"t": "again", "game": table["game"]} if self.goes_on and seat not in table.get("again", []) else None
        if stage == "seeds":
            seed = bytes([seat + 1] * 32)
            if table["seeds"][seat] == "waiting":
                commitment = commit_seat(bytes.fromhex(table["commitment"]), seat, seed).hex()
                return {"t": "seed_commit", "game": table["game"], "commitment": commitment}
            may_reveal = table["seeds"][seat] == "committed" and "waiting" not in table["seeds"]
            return {"t": "seed_reveal", "game": table["game"], "seed": seed.hex()} if may_reveal else None
        if stage != "playing" or seat not in self.view.get("waiting", []):
            return None
        if table["players"][seat].get("autopilot"):
            return {"t": "take_back", "game": table["game"]}
        legal = [move for move in self.view.get("legal", []) if not move.startswith("challenge")]
        quiet = [move for move in legal if move in ("pass", "accept")]
        moves = quiet if quiet and self._chance.random() < 0.7 else legal
        return {"t": "play", "move": self._chance.choice(moves), "bout": self.view["bout_no"]} if moves else None

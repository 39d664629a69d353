"""A client of the protocol, for tests: it knows the messages and nothing else."""
from __future__ import annotations

import asyncio
import itertools
import json
from types import TracebackType
from typing import Any, Self

import aiohttp

from kozyr.app.gamefile import check
from kozyr.core.record import parse_game
from kozyr.fair import commit_seat
from kozyr.wire import VERSION

PATIENCE_S = 10

OVERTAKEN = ("stale", "nothing_to_pass", "nothing_to_accept", "no_capacity", "already_passed", "game_over")
"""What a move is refused with when somebody was faster."""


class Player:
    """
    A websocket to a table, and what it was told last.

    Answers to commands are waited for by id; everything else is kept in `heard`, in order.
    """

    def __init__(self, session: aiohttp.ClientSession, table_id: str) -> None:
        self.session = session
        self.table_id = table_id
        self.heard: list[dict[str, Any]] = []
        self.raw: list[bytes] = []
        self.seq = 0
        self.view: dict[str, Any] | None = None
        self.table: dict[str, Any] = {}
        self.seat: int | None = None
        self.names = itertools.count(1)
        self.salt = "k"

    async def __aenter__(self) -> Self:
        self.socket = await self.session.ws_connect(f"/ws/tables/{self.table_id}")
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.socket.close()

    async def send(self, **message: Any) -> None:
        await self.socket.send_str(json.dumps(message))

    async def next(self) -> dict[str, Any]:
        """Take in the next message."""
        message = await self.socket.receive(timeout=PATIENCE_S)
        if message.type is not aiohttp.WSMsgType.TEXT:
            raise ConnectionError(f"closed with {self.socket.close_code}")
        self.raw.append(message.data.encode())
        told: dict[str, Any] = json.loads(message.data)
        self.heard.append(told)
        if told["t"] in ("welcome", "update"):
            self.seq = told["seq"]
            self.view = told.get("view", self.view)
            self.table = told.get("table", self.table)
        if told["t"] == "welcome":
            self.seat = told.get("seat")
        return told

    async def until(self, kind: str) -> dict[str, Any]:
        """Take in messages until one of a kind comes."""
        while True:
            told = await self.next()
            if told["t"] == kind:
                return told

    async def hello(self, since: int | None = None) -> dict[str, Any]:
        await self.send(t="hello", v=VERSION, **({} if since is None else {"since": since}))
        return await self.until("welcome")

    async def ask(self, **message: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        name = message.setdefault("id", f"{self.salt}{next(self.names)}")
        await self.send(**message)
        while True:
            told = await self.next()
            if told.get("id") == name:
                return told

    async def agree(self) -> None:
        """Take part in the shuffle until the cards are dealt."""
        assert self.seat is not None
        seed = bytes([self.seat] * 32)
        commitment = commit_seat(bytes.fromhex(self.table["commitment"]), self.seat, seed).hex()
        game = self.table["game"]
        assert (await self.ask(t="seed_commit", game=game, commitment=commitment))["t"] == "ack"
        while "waiting" in self.table["seeds"]:
            await self.until("update")
        assert (await self.ask(t="seed_reveal", game=game, seed=seed.hex()))["t"] == "ack"
        while self.table["stage"] == "seeds" if "stage" in self.table else True:
            await self.until("update")

    @property
    def is_over(self) -> bool:
        return self.table.get("stage") == "over"

    def choice(self) -> str | None:
        """Choose a move if it is this seat's turn: the first that is no transfer, quietly where possible."""
        view = self.view
        if view is None or self.seat not in view.get("waiting", []):
            return None
        legal = [move for move in view.get("legal", []) if not move.startswith(("challenge", "transfer", "show"))]
        quiet = [move for move in legal if move in ("pass", "accept")]
        chosen: list[str] = quiet or legal
        return chosen[0] if chosen else None

    async def some_moves(self, count: int) -> None:
        """Play until so many of one's own moves are acknowledged and seen."""
        while count and not self.is_over:
            move = self.choice()
            if move is None:
                await self.until("update")
                continue
            assert self.view is not None
            told = await self.ask(t="play", move=move, bout=self.view["bout_no"])
            while told["t"] == "ack" and self.seq < told["seq"]:
                await self.until("update")
            count -= told["t"] == "ack"

    async def alone(self) -> None:
        """Go on until the game waits for this player alone, and no clock runs: then nothing more is on its way."""
        while not self.is_over:
            assert self.view is not None
            if self.view.get("waiting") != [self.seat]:
                await self.until("update")
            elif self.view["phase"] == "CHALLENGE":
                await self.some_moves(1)
            else:
                return

    async def play_out(self) -> None:
        """Play until the game is over."""
        while not self.is_over:
            move = self.choice()
            if move is None:
                await self.until("update")
            else:
                assert self.view is not None
                known = self.seq
                told = await self.ask(t="play", move=move, bout=self.view["bout_no"])
                if told["t"] == "ack":
                    while self.seq < told["seq"]:
                        await self.until("update")
                else:
                    # Somebody was faster; what they did has come meanwhile, or is on its way.
                    assert told["code"] in OVERTAKEN, told
                    if self.seq == known:
                        await self.until("update")


async def open_table(session: aiohttp.ClientSession, **body: Any) -> dict[str, Any]:
    """Open a table as a browser does."""
    async with session.post("/api/tables", json=body) as response:
        assert response.status == 201, await response.text()
        opened: dict[str, Any] = await response.json()
        return opened


async def seated(session: aiohttp.ClientSession, **body: Any) -> Player:
    """Open a table and come to it."""
    opened = await open_table(session, **body)
    return Player(session, opened["id"])


async def gone(player: Player) -> None:
    """Wait until the server has closed a player's connection."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                await player.next()
    except ConnectionError:
        return


def wrong(text: str) -> list[str]:
    """What is wrong with the file of a finished game."""
    return [each.text for each in check(parse_game(text)) if not each.is_right]

"""A person's client: it knows the protocol, has a will of its own, and a bad connection."""

from __future__ import annotations

import asyncio
import json
import random
from typing import TYPE_CHECKING, Any

import msgspec

from kozyr.fair import commit_seat
from kozyr.wire import VERSION
from tests.sim.whole.checks import Told
from tests.sim.whole.wires import Wire

if TYPE_CHECKING:
    from tests.sim.whole.world import World

WEIGHTS = {"beat": 6.0, "pass": 5.0, "accept": 8.0, "attack": 4.0, "transfer": 2.0, "show": 1.0, "take": 1.0, "challenge": 0.4}
AGAIN_S = 3.0
STOPS = ("unpaid", "company_limit", "table_closed")


class Seen(msgspec.Struct):
    """The part of a view that a client decides by."""

    bout_no: int = 0
    waiting: list[int] = []
    legal: list[str] = []


read_view = msgspec.json.Decoder(Seen).decode


class Client:
    """
    Plays a seat, or watches without one.

    It comes back whenever its connection is lost, with the last `seq` that it saw, and sends again what was not answered.
    """

    def __init__(self, world: World, table_id: str, guest: str | None, seed: str) -> None:
        self.table_id = table_id
        self.guest = guest
        self.goes_on = True
        self.seq: int | None = None
        self.acknowledged: dict[str, int] = {}
        self.table: dict[str, Any] = {}
        self.view: msgspec.Raw | None = None
        self.seat: int | None = None
        self.is_gone = False
        self.wire: Wire | None = None
        self._world = world
        self._chance = random.Random(seed)
        self._slowness = self._chance.choice(world.shape.slowness_s)
        self._doubles = self._chance.choice((0.0, 0.1, 1.0))
        self._is_careless = self._chance.random() < 0.15
        self._pending: dict[str, dict[str, Any]] = {}
        self._numbers = 0
        self._thinking: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    # the connection

    def connect(self) -> None:
        """Come to some process of the server; if none is there, try again."""
        if self.is_gone:
            return
        if self.wire is not None:
            # A second tab: the older one is taken over, or left alone.
            self.wire = None
        machine = self._world.some_machine(self._chance)
        if machine is None:
            self._loop.call_later(self._chance.uniform(0.05, 0.5), self.connect)
            return
        self.wire = wire = self._world.wire(self)
        wire.since = self.seq
        machine.accept(wire, self.table_id, self.guest)
        self._say({"t": "hello", "v": VERSION, **({} if self.seq is None else {"since": self.seq})})
        for message in self._pending.values():
            self._say(message)

    def leave(self) -> None:
        """Go, for good."""
        self.is_gone = True
        if self.wire is not None:
            self.wire.leave()

    def lose(self, wire: Wire) -> None:
        """Notice that a connection has been lost."""
        if wire is self.wire and not self.is_gone:
            self.wire = None
            # In the end everybody is to be told everything; somebody who stays away cannot be.
            stays_away = self._is_careless and self._chance.random() < 0.2 and not self._world.is_calm
            self._loop.call_later(self._chance.uniform(20, 90) if stays_away else self._chance.uniform(0.05, 1.5), self._come_back)

    def _come_back(self) -> None:
        if self.wire is None:
            self.connect()

    # what is heard

    def hear(self, wire: Wire, told: Told) -> None:
        """Take in a message."""
        if wire is not self.wire:
            return
        if told.t in ("welcome", "update"):
            self.seq = told.seq if self.seq is None else max(self.seq, told.seq)
            if told.t == "welcome":
                self.seat = told.seat
            self.view = told.view if bytes(told.view) else self.view
            self.table = told.table or self.table
            self._think_soon()
        elif told.t in ("ack", "refused"):
            self._pending.pop(told.id, None)
            if told.t == "ack":
                self.acknowledged[told.id] = told.seq
            elif told.code in STOPS:
                self.goes_on = False
            self._think_soon()

    def _think_soon(self) -> None:
        if self.guest is not None and self._thinking is None and not self.is_gone:
            pause = self._chance.expovariate(1 / self._slowness)
            if self._is_careless and self._chance.random() < 0.05:
                pause += self._chance.uniform(10, 60)
            self._thinking = self._loop.call_later(pause, self._think)

    def _think(self) -> None:
        self._thinking = None
        if self.wire is None or self.is_gone or self.seat is None:
            return
        if self._pending:
            self._loop.call_later(AGAIN_S, self._send_again, dict(self._pending))
            return
        command = self._choice()
        if command is None:
            return
        self._numbers += 1
        command["id"] = f"c{self._numbers}"
        self._pending[command["id"]] = command
        for _ in range(3 if self._chance.random() < self._doubles else 1):
            self._say(command)
        self._loop.call_later(AGAIN_S, self._send_again, {command["id"]: command})

    def _send_again(self, commands: dict[str, dict[str, Any]]) -> None:
        for name, command in commands.items():
            if name in self._pending and not self.is_gone:
                self._say(command)
                self._loop.call_later(AGAIN_S, self._send_again, {name: command})

    # what is wanted

    def _choice(self) -> dict[str, Any] | None:
        """Choose what to do now, if anything."""
        table, stage = self.table, self.table["stage"]
        if stage == "gathering":
            return None if self.seat in table.get("ready", []) else {"t": "ready", "on": True}
        if stage == "seeds":
            return self._seed_choice()
        if stage == "over":
            is_asked = self.seat in table.get("again", [])
            goes_on = self.goes_on and self._loop.time() < self._world.closing_s
            return {"t": "again", "game": table["game"]} if goes_on and not is_asked else None
        if stage != "playing" or self.view is None:
            return None
        if table["players"][self.seat].get("autopilot"):
            return {"t": "take_back", "game": table["game"]}
        return self._move_choice(read_view(self.view))

    def _seed_choice(self) -> dict[str, Any] | None:
        table, seat = self.table, self.seat
        assert seat is not None
        seed = bytes([seat + 1] * 32)
        state = table["seeds"][seat]
        if self._is_careless and self._chance.random() < 0.3:
            return None
        if state == "waiting":
            commitment = commit_seat(bytes.fromhex(table["commitment"]), seat, seed).hex()
            return {"t": "seed_commit", "game": table["game"], "commitment": commitment}
        if state == "committed" and "waiting" not in table["seeds"]:
            return {"t": "seed_reveal", "game": table["game"], "seed": seed.hex()}
        return None

    def _move_choice(self, view: Seen) -> dict[str, Any] | None:
        if self._chance.random() < 0.003:
            return {"t": "play", "move": "resign", "bout": view.bout_no}
        if not view.legal or (self.seat not in view.waiting and self._chance.random() < 0.8):
            return None
        weights = [WEIGHTS.get(move.split(" ")[0], 1.0) for move in view.legal]
        move = self._chance.choices(view.legal, weights)[0]
        return {"t": "play", "move": move, "bout": view.bout_no}

    def _say(self, message: dict[str, Any]) -> None:
        if self.wire is not None:
            self.wire.send(json.dumps(message))

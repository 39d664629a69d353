"""A world of a seed: processes, tables of all kinds, people, and everything that goes wrong between them."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from dataclasses import dataclass, field

from kozyr.app.commands import Sit
from kozyr.app.events import BOT, PERSON, Player
from kozyr.app.table import Stage
from kozyr.app.tables import SWEEP_MS
from kozyr.ledger import Terms, opening_grant
from tests.sim.whole.checks import Checks
from tests.sim.whole.client import Client
from tests.sim.whole.machine import Machine
from tests.sim.whole.shapes import Shape, shape_of, some_rules
from tests.sim.whole.shared import Database, at_once
from tests.sim.whole.virtual import VirtualLoop, now_ms
from tests.sim.whole.wires import Wire

END_S = 4 * 3600
LOOK_S = 0.5
SETTLE_S = 25
"""By then everybody has noticed that a connection was cut, and is back."""
LATE_MS = 2 * SWEEP_MS + 200
AFTER_TROUBLE_MS = 8000
"""After a process has died its claim on a clock, and its being there, have to run out first."""
TROUBLES = {"kill": 5, "stop": 2, "kill all": 2, "links": 3, "database": 2, "wires": 5, "tabs": 3, "spectator": 2}
"""What goes wrong, and how often each does."""
TERMS = Terms(company_games=50)


@dataclass
class Report:
    """What came of a world."""

    seed: int
    games: int
    moves: int
    messages: int
    troubles: int
    virtual_s: float
    took_s: float
    latest_ms: int
    digest: str
    faults: list[str] = field(default_factory=list)


class Errors(logging.Handler):
    """Whatever the server logs as an error is a fault."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.exc_info:
            text += f": {logging.Formatter().formatException(record.exc_info)}"
        self.found.append(text)


class World:
    """Everything of a seed."""

    def __init__(self, seed: int, shape: Shape) -> None:
        self.seed = seed
        self.shape = shape
        self.chance = random.Random(f"world {seed}")
        self.database = Database(f"database {seed}")
        self.checks = Checks(self.database, now_ms)
        self.machines: list[Machine | None] = [None] * self.chance.choice((1, 1, 2, 2, 3))
        self.lives = 0
        self.clients: list[Client] = []
        self.opening: asyncio.Task[None] | None = None
        self.closing_s = self.chance.uniform(*shape.play_s)
        self.troubles = 0
        self.troubled_ms = now_ms()
        self.is_calm = False
        self._wires = 0

    # the processes

    def some_machine(self, chance: random.Random) -> Machine | None:
        """Choose a process that takes connections."""
        ready = [machine for machine in self.machines if machine is not None and machine.is_ready]
        return chance.choice(ready) if ready else None

    async def start(self, place: int) -> None:
        """Start a process where there is none."""
        if self.machines[place] is None:
            self.lives += 1
            name, is_alone = f"p{place}x{self.lives}s{self.seed}", len(self.machines) == 1
            machine = Machine(self.database, name, is_alone=is_alone, terms=TERMS, pause=self.shape.pause)
            self.machines[place] = machine
            await asyncio.wait([machine.starting])
            self.troubled_ms = now_ms()
            if machine.starting.cancelled() or machine.life.is_alive is False:
                return
            error = machine.starting.exception()
            if isinstance(error, ConnectionError):
                # The database is away; whoever looks after processes starts it again.
                self._kill(place)
            elif error is not None:
                self.checks.faults.append(f"a process does not start: {error!r}")

    def wire(self, client: Client) -> Wire:
        """Lay a connection for a client."""
        self._wires += 1
        table_id, guest = client.table_id, client.guest
        return Wire(client, f"wire {self.seed} {self._wires}", lambda wire, message: self.checks.written(wire, message, table_id, guest))

    # the tables

    @property
    def tables(self) -> list[str]:
        """The tables that have been opened, also by a process that died of it."""
        return list(self.checks.logs)

    async def open_tables(self) -> None:
        """Open tables of all kinds, and let people sit down."""
        for number in range(self.shape.tables):
            rules = some_rules(self.chance, self.shape)
            players: list[Player | None] = [Player("P0", PERSON, guest=f"g{number}s0")]
            for seat in range(1, rules.seats):
                is_bot = not rules.stake and self.chance.random() < 0.45
                players.append(Player(f"B{seat}", BOT, level=self.chance.choice(("easy", "normal"))) if is_bot else None)
            machine = self.some_machine(self.chance)
            assert machine is not None
            opening = machine.run(machine.site.tables.open(rules, players, is_private=self.chance.random() < 0.5))
            live = await opening
            assert live is not None
            table_id: str = live.table.id
            guests = [f"g{number}s{seat}" for seat in range(rules.seats) if players[seat] is None or seat == 0]
            for guest in guests:
                if rules.stake:
                    at_once(self.database.store.book(opening_grant(guest, f"of {guest}", now_ms(), TERMS)))
                if guest != guests[0]:
                    await machine.do(table_id, Sit(Player(f"P {guest}", PERSON, guest=guest)))
                self.add(table_id, guest)
            if self.chance.random() < 0.3:
                self.add(table_id, None)
        self.opening = asyncio.ensure_future(self.open_tables_of_bots())

    async def open_tables_of_bots(self) -> None:
        """Open tables that nobody looks at, one after the other: their games go on whatever happens to the processes."""
        chance = random.Random(f"bots {self.seed}")
        for _ in range(self.shape.of_bots):
            rules = some_rules(chance, self.shape, is_for_bots=True)
            bots = [Player(f"B{seat}", BOT, level=chance.choice(("easy", "normal"))) for seat in range(rules.seats)]
            while (machine := self.some_machine(chance)) is None:
                await asyncio.sleep(LOOK_S)
            # If the process dies of it, the table is there or not, as it may be.
            await asyncio.wait([machine.run(machine.site.tables.open(rules, bots))])
            await asyncio.sleep(chance.uniform(0, 2 * self.shape.play_s[0] / self.shape.of_bots))

    def add(self, table_id: str, guest: str | None) -> None:
        """Let somebody come to a table."""
        client = Client(self, table_id, guest, f"client {self.seed} {len(self.clients)}")
        self.clients.append(client)
        asyncio.get_running_loop().call_later(self.chance.uniform(0, 3), client.connect)

    def is_over(self, table_id: str) -> bool:
        """Whether nobody wants another game at a table whose game is over."""
        table = self.checks.logs[table_id].tables[-1]
        if table.is_closed:
            return True
        return table.stage is Stage.OVER and asyncio.get_running_loop().time() > self.closing_s + SETTLE_S

    # what goes wrong

    async def trouble(self) -> None:
        """Let something go wrong."""
        self.troubles += 1
        self.troubled_ms = now_ms()
        kind = self.chance.choices(list(TROUBLES), list(TROUBLES.values()))[0]
        place = self.chance.randrange(len(self.machines))
        loop = asyncio.get_running_loop()
        if kind in ("kill", "kill all"):
            for each in range(len(self.machines)) if kind == "kill all" else [place]:
                self._kill(each)
        elif kind == "stop":
            machine = self.machines[place]
            if machine is not None and machine.is_ready:
                await machine.stop()
                self.machines[place] = None
                self._start_later(place)
        elif kind == "links":
            for machine in self.machines:
                if machine is not None:
                    machine.cut_links()
        elif kind == "database":
            self.database.restart(self.chance.uniform(0.05, 1.5))
        elif kind == "spectator":
            self.add(self.chance.choice(self.tables), None)
        else:
            for client in self.chance.sample(self.clients, min(4, len(self.clients))):
                if kind == "tabs":
                    loop.call_later(self.chance.uniform(0, 0.2), client.connect)
                elif client.wire is not None:
                    client.wire.cut()

    def _kill(self, place: int) -> None:
        machine = self.machines[place]
        if machine is not None:
            machine.kill()
            self.machines[place] = None
            self._start_later(place)

    def _start_later(self, place: int) -> None:
        loop = asyncio.get_running_loop()
        loop.call_later(self.chance.choice((0.05, 0.5, 3.0, 9.0)), lambda: asyncio.ensure_future(self.start(place)))

    def look_at_clocks(self) -> None:
        """No clock is later than a sweep, unless something has just gone wrong."""
        now = now_ms()
        for table_id, log in self.checks.logs.items():
            due = log.tables[-1].due
            if due is not None and self.machines.count(None) < len(self.machines):
                late = now - max(due, self.troubled_ms + AFTER_TROUBLE_MS if due < self.troubled_ms + AFTER_TROUBLE_MS else due)
                self.checks.latest_ms = max(self.checks.latest_ms, late)
                self.checks.claim(late <= LATE_MS, f"I6: the clock of {table_id} is {late} ms late at {log.seq}")

    # the course of things

    async def run(self) -> None:
        """Let everything happen, until all games are over or something is wrong."""
        loop = asyncio.get_running_loop()
        for place in range(len(self.machines)):
            await self.start(place)
        await self.open_tables()
        next_at = loop.time() + self.chance.uniform(*self.shape.trouble_s)
        while not self.checks.faults and not (self.opening is not None and self.opening.done() and all(map(self.is_over, self.tables))):
            await asyncio.sleep(LOOK_S)
            self.look_at_clocks()
            if loop.time() > next_at:
                next_at = loop.time() + self.chance.uniform(*self.shape.trouble_s)
                await self.trouble()
            if loop.time() > END_S:
                unfinished = [table_id for table_id in self.tables if not self.is_over(table_id)]
                self.checks.claim(False, f"{unfinished} do not end")
        if not self.checks.faults:
            await self.calm_down()

    async def calm_down(self) -> None:
        """Let everything be told, and see that everybody has been told everything."""
        self.is_calm = True
        while None in self.machines:
            await self.start(self.machines.index(None))
        for client in self.clients:
            if client.wire is None:
                client.connect()
        await asyncio.sleep(SETTLE_S)
        for client in self.clients:
            log = self.checks.logs[client.table_id]
            self.checks.claim(client.seq == log.seq, f"I9: {client.guest} has heard of {client.table_id} up to {client.seq} of {log.seq}")
            for name, seq in client.acknowledged.items():
                self.checks.claim(log.commands.get(f"{client.guest}.{name}") == seq, f"I2: {name} of {client.guest} is lost")
            client.leave()
        for machine in self.machines:
            if machine is not None:
                await machine.stop()


def simulate(seed: int, shape: Shape | None = None) -> Report:
    """Run the world of a seed; of what shape it is, the seed says too."""
    started, errors, state = time.process_time(), Errors(), random.getstate()
    random.seed(seed)
    loop, log = VirtualLoop(), logging.getLogger("kozyr")
    log.addHandler(errors)
    try:
        return loop.run_until_complete(_simulate(seed, shape or shape_of(seed), loop, errors, started))
    finally:
        log.removeHandler(errors)
        loop.end()
        random.setstate(state)


async def _simulate(seed: int, shape: Shape, loop: VirtualLoop, errors: Errors, started: float) -> Report:
    world = World(seed, shape)
    await world.run()
    checks = world.checks
    games = 0 if checks.faults else checks.check_end()
    faults = [*checks.faults, *errors.found, *loop.faults]
    moves = sum(log.seq for log in checks.logs.values())
    took_s = time.process_time() - started
    return Report(seed, games, moves, checks.messages, world.troubles, loop.time(), took_s, checks.latest_ms, checks.digest, faults)

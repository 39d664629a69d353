"""Real servers by clocks that are set forward and back, differ from each other, and sleep: whoever plays has their time, to the second."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import asyncpg

from kozyr.app.events import GameEnded, Moved, decode
from kozyr.app.evolve import steps
from kozyr.app.turn_clock import clock_ms
from tests.chaos.jumping import Mover
from tests.chaos.storm.gathering import PATIENCE_S, end_all, finished, server_on
from tests.chaos.storm.held import hold, logs_of
from tests.chaos.storm.person import Person
from tests.chaos.storm.servers import BROKEN, Server

TURN_S = 15
GRACE_S = 2
"""What a lost connection gives, once a clock."""

HEARD_S = 0.5
"""So much later somebody may hear of something than it happened, and by what the machine is late besides; see `Pace`."""

LATE_S = 20
"""A sweep, a start, and a machine that others use too; what a clock does wrong that was set is minutes."""

SLOW_S = 7
AUTO: dict[str, object] = {"seats": 2, "turn_s": TURN_S}
FORFEIT: dict[str, object] = {"seats": 2, "turn_s": TURN_S, "timeout": "forfeit"}


class Slow(Person):
    """Takes `delay_s` real seconds for each decision, and notes when what was heard first."""

    def __init__(self, servers: Sequence[Server], number: int, chance: random.Random, delay_s: float) -> None:
        super().__init__(servers, number, chance)
        self.delay_s = delay_s
        self.moments: dict[int, float] = {}
        self._waited: tuple[object, float] = (None, 0.0)

    def _hear(self, text: str) -> None:
        super()._hear(text)
        if self.seq is not None:
            self.moments.setdefault(self.seq, time.monotonic())

    def _choice(self) -> dict[str, Any] | None:
        command = super()._choice()
        if command is None or command["t"] != "play":
            return command
        situation = (self.table["game"], self.view["bout_no"], self.view["phase"])
        if situation != self._waited[0]:
            self._waited = situation, time.monotonic()
        return command if time.monotonic() - self._waited[1] >= self.delay_s else None

    def moment(self, seq: int) -> float:
        """Say when this person knew of an event."""
        return next(self.moments[each] for each in sorted(self.moments) if each >= seq)


class Pace:
    """Measures how late this machine is: how long a server takes, at worst, to answer what it need not think about."""

    def __init__(self, servers: Sequence[Server]) -> None:
        self.worst_s = 0.0
        self._servers = servers
        self._task = asyncio.ensure_future(self._measure())

    def stop(self) -> None:
        """Measure no more."""
        self._task.cancel()

    async def _measure(self) -> None:
        async with aiohttp.ClientSession() as session:
            while True:
                for server in self._servers:
                    began = time.monotonic()
                    # One that is away is late by as much as is given back.
                    with contextlib.suppress(aiohttp.ClientError, OSError):
                        async with session.get(f"{server.base}/api/health") as response:
                            await response.read()
                        self.worst_s = max(self.worst_s, time.monotonic() - began)
                await asyncio.sleep(0.1)


async def acts_of(database: str) -> int:
    """Count the moves that clocks have made so far, while servers write."""
    if database.startswith("postgresql://"):
        connection = await asyncpg.connect(database)
        try:
            return int(await connection.fetchval("SELECT count(*) FROM events WHERE position($1 in body) > 0", BY_CLOCK))
        finally:
            await connection.close()
    with closing(sqlite3.connect(f"{Path(database).as_uri()}?mode=ro", uri=True)) as db:
        both = "SELECT body FROM events UNION ALL SELECT body FROM fresh"
        return int(db.execute(f"SELECT count(*) FROM ({both}) WHERE instr(body, ?)", (BY_CLOCK,)).fetchone()[0])


BY_CLOCK = b'"by":"clock"'


async def acted(database: str, count: int) -> None:
    """Wait until clocks have made so many moves."""
    async with asyncio.timeout(PATIENCE_S):
        while await acts_of(database) < count:
            await asyncio.sleep(0.2)


async def playing_all(people: Sequence[Slow]) -> None:
    """Wait until everybody's game runs."""
    async with asyncio.timeout(PATIENCE_S):
        while not all(person.table.get("stage") == "playing" for person in people):
            await asyncio.sleep(0.1)


async def sit_down(servers: Sequence[Server], chance: random.Random, options: dict[str, object], delay_s: float, number: int) -> Slow:
    """Open a table with a bot."""
    person = Slow(servers, number, chance, delay_s)
    made = await person.ask("/api/tables", {"preset": "custom", "options": options, "bots": ["easy"], "private": False})
    person.table_id = made["id"]
    return person


async def restart(server: Server, wrong_s: int) -> float:
    """Kill a server, and start it by a clock that is wrong; gives for how long it was away."""
    began = time.monotonic()
    await asyncio.to_thread(server.end, signal.SIGKILL)
    assert server.mover is not None
    server.mover.set_wall(wrong_s)
    await asyncio.to_thread(server.start)
    return time.monotonic() - began


async def play_on(people: Sequence[Slow], playing: Sequence[asyncio.Task[None]]) -> None:
    """Let everybody finish at once, and hear the end."""
    for person in people:
        person.delay_s = 0
    await finished(people, playing)


async def clocks_of(database: str, people: Sequence[Slow], away_s: float, heard_s: float) -> int:
    """Hold what clocks did against real time: never before the time that they give, and not long after it; count them."""
    logs, count = await logs_of(database), 0
    for person in people:
        rows = logs[person.table_id]
        assert [row.at for row in rows] == sorted(row.at for row in rows)
        began: dict[int, int] = {}
        before = None
        for row, step in zip(rows, steps(person.table_id, rows), strict=True):
            event = decode(row.body)
            if isinstance(event, Moved) and event.by == "clock" and before is not None and before.at != row.at:
                assert before.game is not None and before.position is not None and before.due is not None and before.due <= row.at
                due_s = (clock_ms(before.rules, before.position) or 0) / 1000
                took_s = person.moment(row.seq) - person.moment(began[before.game.clock])
                assert due_s - heard_s <= took_s <= due_s + GRACE_S + away_s + LATE_S, f"{row.seq} of {person.table_id}: {took_s:.2f}"
                count += 1
            assert not (isinstance(event, GameEnded) and event.reason == "forfeit"), f"{person.table_id} forfeits at {row.seq}"
            began.setdefault(row.at, row.seq)
            before = step.table
    return count


def right(errors: Path) -> None:
    """No invariant was broken in a server."""
    written = errors.read_text(encoding="utf-8")
    assert [] == [line for line in written.splitlines() if any(word in line for word in BROKEN)], written[-3000:]


async def seat_people(servers: Sequence[Server]) -> list[Slow]:
    """Some who never move in time, and some who take half of their time where the first lapse would be a forfeit."""
    chance = random.Random(5)
    idle = [await sit_down(servers, chance, AUTO, 1e9, number) for number in range(3)]
    return idle + [await sit_down(servers, chance, FORFEIT, SLOW_S, 3 + number) for number in range(3)]


async def test_a_server_whose_clock_is_set_and_sleeps(tmp_path: Path) -> None:
    """The machine sleeps for five minutes, then a new process finds the wall clock ten minutes back, then far ahead (I2, I4, I6, R16.1)."""
    mover = Mover(tmp_path / "clock")
    database, errors = str(tmp_path / "kozyr.db"), tmp_path / "errors"
    async with server_on(database, errors, mover) as server:
        people = await seat_people([server])
        playing, pace = [asyncio.ensure_future(person.play()) for person in people], Pace([server])
        await playing_all(people)
        await asyncio.sleep(1)
        mover.sleep(300)
        await asyncio.sleep(2)
        away_s = await restart(server, -600)
        await asyncio.sleep(1.5)
        # While it runs it does not care what the wall clock is set to.
        mover.set_wall(-3600)
        await asyncio.sleep(1.5)
        away_s += await restart(server, 3600)
        await acted(database, 3)
        pace.stop()
        await play_on(people, playing)
        assert 0 == await asyncio.to_thread(server.end, signal.SIGTERM)
    right(errors)
    assert await clocks_of(database, people, away_s, HEARD_S + pace.worst_s) >= 3
    assert [] == (await hold(database, people)).faults


async def test_two_servers_whose_clocks_differ(postgres_url: str, tmp_path: Path) -> None:
    """One process's machine is ten minutes ahead, the other's ten behind, and they change while people play (I2, I4, I6, I10, R16.1)."""
    movers = [Mover(tmp_path / f"clock{number}") for number in range(2)]
    movers[0].set_wall(600)
    movers[1].set_wall(-600)
    errors = tmp_path / "errors"
    servers = [await asyncio.to_thread(Server, postgres_url, errors, mover) for mover in movers]
    try:
        people = await seat_people(servers)
        playing, pace = [asyncio.ensure_future(person.play()) for person in people], Pace(servers)
        await playing_all(people)
        await asyncio.sleep(1)
        away_s = await restart(servers[0], -3600)
        await asyncio.sleep(2)
        away_s += await restart(servers[1], 3600)
        await acted(postgres_url, 3)
        pace.stop()
        await play_on(people, playing)
        for server in servers:
            assert 0 == await asyncio.to_thread(server.end, signal.SIGTERM)
    finally:
        end_all(servers)
    right(errors)
    assert await clocks_of(postgres_url, people, away_s, HEARD_S + pace.worst_s) >= 3
    assert [] == (await hold(postgres_url, people)).faults

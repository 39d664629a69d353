"""People at the tables of real servers: gathered, and let finish."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from tests.chaos.jumping import Mover
from tests.chaos.processes import until
from tests.chaos.storm.person import Person
from tests.chaos.storm.servers import Server

PATIENCE_S = 120
OPTIONS: tuple[dict[str, object], ...] = (
    {"seats": 2, "stake": 20},
    {"seats": 3, "transfer": True},
    {"seats": 2, "cheat": True},
    {"seats": 3, "stake": 20, "turn_s": 60},
    {"seats": 4, "deck": 52, "multi_attack": True},
    {"seats": 2, "series": True, "series_games": 3},
)
BOTS = (0, 1, 0, 0, 2, 0)


async def gather_people(servers: Sequence[Server], chance: random.Random, tables: int) -> list[Person]:
    """Open tables of several kinds, and let people sit down, and somebody watch."""
    people: list[Person] = []
    for number in range(tables):
        options, bots = OPTIONS[number % len(OPTIONS)], BOTS[number % len(OPTIONS)]
        seats = int(str(options["seats"]))
        new = [Person(servers, len(people) + each, chance) for each in range(seats - bots + 1)]
        levels = [None] * (seats - bots - 1) + ["easy"] * bots
        body = {"preset": "custom", "options": options, "bots": levels, "private": False}
        async with new[0].session.post(f"{servers[0].base}/api/tables", json=body) as made:
            assert made.status == 201, await made.text()
            table_id = (await made.json())["id"]
        for person in new:
            person.table_id = table_id
        for person in new[1:-1]:
            await person.ask(f"/api/tables/{table_id}/seats", {})
        people += new
    return people


async def moved(people: Sequence[Person], count: int) -> None:
    """Wait until so many more commands are acknowledged."""
    before = sum(len(person.acknowledged) for person in people)
    await until(lambda: sum(len(person.acknowledged) for person in people) >= before + count, PATIENCE_S)


async def finished(people: Sequence[Person], playing: Sequence[asyncio.Task[None]]) -> None:
    """Let everybody finish and hear the end."""
    for person in people:
        person.goes_on = False
    async with asyncio.timeout(PATIENCE_S):
        while not all(person.is_done for person in people):
            await asyncio.sleep(0.1)
            for each in playing:
                assert not each.done(), each.exception()
    await asyncio.sleep(2)
    for person in people:
        person.is_released = True
    await asyncio.gather(*playing)
    for person in people:
        await person.session.close()


@asynccontextmanager
async def server_on(database: Path | str, errors: Path, mover: Mover | None = None) -> AsyncIterator[Server]:
    """Run a server on a file; whatever becomes of it, no process is left."""
    server = await asyncio.to_thread(Server, str(database), errors, mover)
    try:
        yield server
    finally:
        end_all([server])


def end_all(servers: Sequence[Server]) -> None:
    """Leave no process behind."""
    for server in servers:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)

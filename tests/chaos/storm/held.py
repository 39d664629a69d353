"""Holds what a storm has left against what must always be true."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import asyncpg

from kozyr.app.ports import Row
from kozyr.app.table import Stage
from kozyr.store import schema
from tests.chaos.storm.person import Person
from tests.sim.whole.checks import Checks, read
from tests.sim.whole.shared import Database
from tests.store.auditing import FAULTS

EVENTS = "SELECT table_id, seq, at, body, command FROM events ORDER BY table_id, seq"


@dataclass
class Found:
    """What the log has, and what is wrong."""

    events: int
    games: int
    acknowledged: int
    messages: int
    faults: list[str]


async def questions(database: str) -> tuple[list[tuple[Any, ...]], list[str]]:
    """Read the log, and ask what is wrong with the books, with plain SQL."""
    if database.startswith("postgresql://"):
        connection = await asyncpg.connect(database)
        try:
            rows = [tuple(row) for row in await connection.fetch(EVENTS)]
            wrong = [f"{rule}: {found}" for rule, question in FAULTS.items() if (found := await connection.fetch(question))]
        finally:
            await connection.close()
        return rows, wrong
    # A server that was killed has left rows that are not at their places.
    schema.prepare(Path(database))
    with closing(sqlite3.connect(database)) as db:
        return db.execute(EVENTS).fetchall(), [f"{rule}: {found}" for rule, ask in FAULTS.items() if (found := db.execute(ask).fetchall())]


def by_table(rows: Sequence[tuple[Any, ...]]) -> dict[str, list[Row]]:
    """Part rows into the logs of their tables."""
    logs: dict[str, list[Row]] = {}
    for table_id, *row in rows:
        logs.setdefault(table_id, []).append(Row(*row))
    return logs


async def logs_of(database: str) -> dict[str, list[Row]]:
    """Read the logs of all tables."""
    return by_table((await questions(database))[0])


async def hold(database: str, people: Sequence[Person]) -> Found:
    """Fold every log; hold every acknowledgement, every message and every last view against it (I1-I4, I7, I8, I10, I11)."""
    rows, wrong = await questions(database)
    checks = Checks(Database(""), lambda: 0)
    checks.faults += [f"I7: {each}" for each in wrong]
    logs = by_table(rows)
    for table_id, log in logs.items():
        for number, row in enumerate(log, 1):
            checks.claim(row.seq == number, f"I1: {table_id} has {row.seq} at {number}")
        checks.take_in(table_id, log)
    games = sum(hold_games(checks, table_id) for table_id in logs)
    for person in people:
        hold_person(checks, person)
    acknowledged = sum(len(person.acknowledged) for person in people)
    return Found(len(rows), games, acknowledged, checks.messages, checks.faults)


def hold_games(checks: Checks, table_id: str) -> int:
    """Verify the shuffles and replay the games that are over."""
    log = checks.logs[table_id]
    last = log.tables[-1].game
    games = 0 if last is None else last.number - (last.stage is not Stage.OVER)
    for number in range(1, games + 1):
        checks.check_game(table_id, log, number)
    return games


def hold_person(checks: Checks, person: Person) -> None:
    """What somebody was told, from the first byte to the last, is what the log says that they may know."""
    log = checks.logs[person.table_id]
    guest = None
    for heard in person.heard:
        connection: Any = SimpleNamespace(since=heard.since, told=None, seat=None, name="")
        for message in heard.messages:
            told = read(message)
            if told.t == "refused":
                # One copy of a command may be refused before another one is played.
                continue
            if told.t == "welcome" and told.seat is not None:
                player = log.at(told.seq).players[told.seat]
                guest = None if player is None else player.guest
            checks.written(connection, message, person.table_id, guest)
    checks.claim(person.seq == log.seq, f"I10: {guest} has seen {person.table_id} up to {person.seq} of {log.seq}")
    for name, seq in person.acknowledged.items():
        checks.claim(log.commands.get(f"{str(guest)[:10]}.{name}") == seq, f"I2: {name} of {guest} is lost")


def log_of(database: Path, table_id: str) -> list[Row]:
    """Read a table's log while a server writes it, whether its rows are at their places yet or not."""
    columns = "seq, at, body, command"
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
        found = db.execute(
            f"SELECT {columns} FROM events WHERE table_id = ?1 UNION ALL SELECT {columns} FROM fresh WHERE table_id = ?1 ORDER BY seq",
            (table_id,),
        )
        return [Row(*row) for row in found]

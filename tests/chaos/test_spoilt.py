"""Rows that are spoilt: the one table is refused, by name, nobody else notices, and its stakes can be given back."""
from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from tests.chaos.processes import until
from tests.chaos.storm.gathering import PATIENCE_S, finished, moved, server_on
from tests.chaos.storm.held import hold
from tests.chaos.storm.person import Person
from tests.chaos.storm.servers import Server
from tests.store.auditing import faults
from tests.web.test_operator import PASSWORD, do, log_in

SPOILT = {
    "an event that is none": "UPDATE events SET body = '{' WHERE table_id = ?1 AND seq = 3",
    "an event of another kind": """UPDATE events SET body = '{"k":"rumour"}' WHERE table_id = ?1 AND seq = 3""",
    "an event that cannot be": """UPDATE events SET body = '{"k":"move","seat":0,"move":"attack 6h"}' WHERE table_id = ?1 AND seq = 3""",
    "an event without its number": "UPDATE events SET seq = 'three' WHERE table_id = ?1 AND seq = 3",
    "an event without its moment": "UPDATE events SET at = 'noon' WHERE table_id = ?1 AND seq = 3",
    "an event that has gone": "DELETE FROM events WHERE table_id = ?1 AND seq = 3",
    "an end that has gone": "DELETE FROM events WHERE table_id = ?1 AND seq = (SELECT seq FROM tables WHERE table_id = ?1)",
    "a head without events": "DELETE FROM events WHERE table_id = ?1",
    "a head that is elsewhere": "UPDATE tables SET seq = seq + 7 WHERE table_id = ?1",
    "a head that is no number": "UPDATE tables SET seq = 'many' WHERE table_id = ?1",
    "a fresh row that contradicts": (
        "INSERT INTO fresh (table_id, seq, at, command, body, due) SELECT table_id, seq, at, command, '{}', 0 FROM events "
        "WHERE table_id = ?1 AND seq = 3"
    ),
    "a fresh row that is none": (
        "INSERT INTO fresh (table_id, seq, at, body, due) SELECT table_id, seq + 1, 0, '{', 0 FROM tables WHERE table_id = ?1"
    ),
}


async def test_tables_that_are_spoilt_are_refused_and_nobody_else_notices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All others play on to the end; the server says which tables it are, and its operator gives the stakes back (I2, I7, R15.5)."""
    monkeypatch.setenv("KOZYR_OPERATOR_PASSWORD", PASSWORD)
    database, errors = tmp_path / "kozyr.db", tmp_path / "errors"
    async with server_on(database, errors) as server:
        people = await seated(server, len(SPOILT) + 2)
        playing = [asyncio.ensure_future(person.play()) for person in people]
        await until(lambda: len(pots(database)) == len(SPOILT) + 2, PATIENCE_S)
        await moved(people, 2 * len(people))
        assert 0 == await asyncio.to_thread(server.end, signal.SIGTERM)
        tables = dict(zip(dict.fromkeys(person.table_id for person in people), SPOILT.values(), strict=False))
        with closing(sqlite3.connect(database)) as db:
            for table_id, statement in tables.items():
                assert 1 <= db.execute(statement, (table_id,)).rowcount
            db.commit()
        stakes = [game.partition("/")[0] for game in pots(database)]
        await asyncio.to_thread(server.start)
        both = list(zip(people, playing, strict=True))
        others = [each for each in both if each[0].table_id not in tables]
        await finished([person for person, _ in others], [each for _, each in others])
        async with aiohttp.ClientSession(server.base, cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            form = await log_in(session)
            for table_id in tables:
                said = await do(session, form, "close", table=table_id)
                expected = f"table {table_id} cannot be read; the stakes of {stakes.count(table_id)} of its games were given back"
                assert expected == said
        for person, each in both:
            if person.table_id in tables:
                each.cancel()
                await person.session.close()
        assert 0 == await asyncio.to_thread(server.end, signal.SIGTERM)
    written = errors.read_text(encoding="utf-8")
    assert [] == [what for what, table_id in zip(SPOILT, tables, strict=True) if f"table {table_id} cannot be read" not in written]
    assert [] == pots(database)
    await hold_others(database, tables, [person for person, _ in others])
    assert [] == faults(database)


async def seated(server: Server, tables: int) -> list[Person]:
    """Open tables for coins, of two people each."""
    people = [Person([server], number, random.Random(number)) for number in range(2 * tables)]
    for one, other in zip(people[::2], people[1::2], strict=True):
        made = await one.ask("/api/tables", {"preset": "custom", "options": {"seats": 2, "stake": 20}, "bots": [None], "private": False})
        one.table_id = other.table_id = made["id"]
        await other.ask(f"/api/tables/{other.table_id}/seats", {})
    return people


def pots(database: Path) -> list[str]:
    """Name the games that are not settled."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as db:
        found = db.execute("SELECT substr(account, 5) FROM accounts WHERE account LIKE 'pot:%' AND balance > 0 ORDER BY account")
        return [row[0] for row in found]


async def hold_others(database: Path, spoilt: Iterable[str], people: Sequence[Person]) -> None:
    """Hold everybody else's table against what must always be true."""
    with closing(sqlite3.connect(database)) as db:
        for table_id in spoilt:
            for table in ("events", "fresh", "tables"):
                db.execute(f"DELETE FROM {table} WHERE table_id = ?", (table_id,))
        db.commit()
    assert [] == (await hold(str(database), people)).faults

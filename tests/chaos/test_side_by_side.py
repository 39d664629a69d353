"""Two versions of the server on one PostgreSQL, as while an update goes process by process: the older one goes on beside the newer."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest
import sqlglot
from sqlglot import exp

from kozyr.app.commands import Done, Leave, Ready
from kozyr.app.live import LiveTable
from kozyr.app.ports import Appended, Row
from kozyr.store.migrations import versions
from kozyr.store.postgres import PostgresStore
from kozyr.store.schema import SchemaError
from tests.chaos.processes import Process, at, opened, process, sit, until
from tests.postgres import Postgres
from tests.web.player import VERSION, seated
from tests.web.player import Player as Client

NEWER = "v999"


@pytest.fixture
def url(postgres_server: Postgres) -> Iterator[str]:
    """A database of its own: its tables do not stay as this version made them."""
    name = postgres_server.make_database()
    yield postgres_server.url(name)
    postgres_server.drop_database(name)


@pytest.fixture
async def two(url: str, tmp_path: Path) -> AsyncIterator[tuple[Process, Process]]:
    async with process(url, "1", tmp_path) as one, process(url, "2", tmp_path) as other:
        await until(lambda: not one.peers.is_alone and not other.peers.is_alone)
        yield one, other


async def ready(by: Process, live: LiveTable, name: str) -> None:
    """Have the first player say that they are ready, or that they are not."""
    command = Ready(0, 0 not in live.table.ready, by.site.tables.draw_seeds(2), id=name)
    assert isinstance(await live.handle(command), Done)


async def add_everywhere(url: str) -> None:
    """Bring the tables up as a newer version might: a column for each, a table, an index, and its number."""
    connection = await asyncpg.connect(url)
    names = [row[0] for row in await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
    for name in names:
        if name != "alembic_version":
            await connection.execute(f"ALTER TABLE {name} ADD COLUMN mood text, ADD COLUMN weight bigint NOT NULL DEFAULT 7")
            await connection.execute(f"CREATE INDEX {name}_mood ON {name} (mood)")
    await connection.execute("CREATE TABLE moods (mood text PRIMARY KEY)")
    await connection.execute("UPDATE alembic_version SET version_num = $1", NEWER)
    await connection.close()


async def test_the_older_server_goes_on_when_the_tables_have_more_columns(two: tuple[Process, Process], url: str) -> None:
    """Everything is played, joined, listed and left as before; only a start of the older version on newer tables is refused."""
    one, other = two
    live = await opened(one)
    await add_everywhere(url)
    away = await at(other, live)
    await sit(live)
    await ready(one, live, "on")
    await until(lambda: away.table.ready == live.table.ready == frozenset({0}))
    async with one.browser() as session, other.browser() as elsewhere:
        player = await seated(session, options={"seats": 2}, private=False, bots=["easy"])
        async with player, Client(elsewhere, player.table_id) as spectator:
            await spectator.hello()
            await player.hello()
            await player.play_out()
        bare = await seated(session, options={"seats": 2}, private=False, bots=[None])
        await until(lambda: bool(other.site.lobby._listed))
        closing = await one.site.tables.get(bare.table_id)
        assert closing is not None
        await closing.handle(Leave(0, "l"))
    await one.store.beat(one.site.clock.now())
    with pytest.raises(SchemaError, match=NEWER):
        await PostgresStore.open(url)


async def test_what_a_newer_event_says_besides_is_passed_over(two: tuple[Process, Process]) -> None:
    """A field that this version does not know changes nothing of what it knows."""
    one, other = two
    live = await opened(one)
    await sit(live)
    tail = await one.store.load(live.table.id)
    assert tail is not None
    newer = {**json.loads(tail.rows[-1].body), "mood": {"is": "good"}, "seat": 1}
    copied = [Row(each.seq, each.at, each.body, each.command) for each in tail.rows[:-1]]
    last = Row(tail.seq, tail.rows[-1].at, json.dumps(newer).encode())
    assert Appended() == await one.store.append("newer", 0, [*copied, last], None)
    there = await other.site.tables.get("newer")
    assert there is not None and there.table.players == live.table.players
    await ready(other, there, "on")
    assert frozenset({0}) == there.table.ready


async def test_an_event_that_is_not_known_costs_its_own_table_only(two: tuple[Process, Process]) -> None:
    """A version that writes what the one before cannot read breaks the rule; even then all other tables go on."""
    one, other = two
    live, beside = await opened(one), await opened(one)
    there, there_too = await at(other, live), await at(other, beside)
    before = there.table.seq
    written = await one.store.append(live.table.id, live.table.seq, [Row(live.table.seq + 1, 0, b'{"k":"mood","is":"good"}')], None)
    assert Appended() == written
    await sit(beside)
    await until(lambda: there_too.table.seq == beside.table.seq)
    assert before == there.table.seq
    assert await other.site.tables.get(beside.table.id) is there_too


async def test_what_a_newer_process_announces_is_passed_over(two: tuple[Process, Process], url: str) -> None:
    """Words of a hint that this version does not know, and things that it has never heard of, keep it from nothing."""
    one, other = two
    live = await opened(one)
    away = await at(other, live)
    connection = await asyncpg.connect(url)
    table = live.table.id
    unknown = ("", "3", "3 told", f"3 mood=good {table}", f"3 rumour {table} x", f'3 told {table} ["mood",1]', '3 told - {"t":1}')
    for channel in ("kozyr", "kozyr 2", "kozyr_peers"):
        for payload in unknown:
            await connection.execute("SELECT pg_notify($1, $2)", channel, payload)
    await connection.close()
    await sit(live)
    await ready(one, live, "on")
    await until(lambda: away.table.ready == live.table.ready == frozenset({0}))
    assert not other.peers.is_alone


async def test_a_newer_page_goes_on_at_an_older_server(two: tuple[Process, Process]) -> None:
    """What it alone knows is refused by name; the connection stays, and everything that both know is answered."""
    async with two[0].browser() as session:
        player = await seated(session, options={"seats": 2}, bots=["easy"])
        async with player:
            await player.send(t="hello", v=VERSION, mood="good")
            assert "bad_message" == (await player.until("fault"))["code"]
            assert 0 == (await player.hello()).get("seat", 0)


def test_a_new_version_of_the_tables_only_adds() -> None:
    """
    What an older server reads and writes stays as it is: tables, indexes and columns come, with a default or empty; none goes or changes.
    """
    names = sorted(module.name for module in pkgutil.iter_modules(versions.__path__) if re.fullmatch(r"v\d+_\w+", module.name))
    assert len(names) >= 3
    for name in names[1:]:
        module = importlib.import_module(f"{versions.__name__}.{name}")
        statements = [each for value in vars(module).values() if isinstance(value, tuple) for each in value if isinstance(each, str)]
        assert statements and [] == [(name, each) for each in statements if not only_adds(each)]


@pytest.mark.parametrize(
    ("statement", "adds"),
    [
        ("CREATE TABLE a (b text PRIMARY KEY)", True),
        ("CREATE INDEX a_b ON a (b)", True),
        ("ALTER TABLE a ADD COLUMN b text", True),
        ("ALTER TABLE a ADD COLUMN b bigint NOT NULL DEFAULT 0", True),
        ("ALTER TABLE a ADD COLUMN b bigint NOT NULL", False),
        ("ALTER TABLE a DROP COLUMN b", False),
        ("ALTER TABLE a RENAME COLUMN b TO c", False),
        ("ALTER TABLE a ALTER COLUMN b TYPE text", False),
        ("CREATE UNIQUE INDEX a_b ON a (b)", False),
        ("DROP TABLE a", False),
    ],
)
def test_what_adds_and_what_does_not(statement: str, adds: bool) -> None:
    """A column that must be given, a new uniqueness, or another type is what an older server knows nothing of."""
    assert adds == only_adds(statement)


def only_adds(statement: str) -> bool:
    """Whether an older server, which does not know of it, can go on after a statement."""
    # A trigger is not parsed; those that there are belong to the tables that they come with.
    if re.match(r"CREATE (TRIGGER|FUNCTION)\b", statement.strip()):
        return True
    tree = sqlglot.parse_one(statement, read="postgres")
    if isinstance(tree, exp.Create):
        return tree.kind == "TABLE" or (tree.kind == "INDEX" and not tree.args.get("unique"))
    return isinstance(tree, exp.Alter) and all(isinstance(action, exp.ColumnDef) and is_optional(action) for action in tree.args["actions"])


def is_optional(column: exp.ColumnDef) -> bool:
    """Whether a row can be written without a column."""
    kinds = [constraint.kind for constraint in column.constraints]
    must = any(isinstance(kind, exp.NotNullColumnConstraint) and not kind.args.get("allow_null") for kind in kinds)
    return not must or any(isinstance(kind, exp.DefaultColumnConstraint) for kind in kinds)

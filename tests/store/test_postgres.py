"""What is particular to PostgreSQL: groups, lost connections, crashes, versions, and statements that stay with one table."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from alembic.script import ScriptDirectory

from kozyr.app.ports import Appended, Conflict, Doubled, Row
from kozyr.ledger import Terms, opening_grant, settle, stakes
from kozyr.store import grouping, journal, migrations, moving, postgres, schema, tails
from kozyr.store.postgres import PostgresStore
from kozyr.store.urls import without_password
from tests.postgres import Postgres

OURS = ("processes", "presences", "sweeps", "listings")
"""What server processes tell each other; a file is served by one."""


@pytest.fixture
async def store(postgres_url: str) -> AsyncIterator[PostgresStore]:
    async with await PostgresStore.open(postgres_url, "one") as opened:
        yield opened


def row(seq: int, command: str | None = None, body: bytes = b"x") -> list[Row]:
    return [Row(seq, 0, body, command)]


async def ask(url: str, statement: str) -> list[Any]:
    """Ask the database itself."""
    connection = await asyncpg.connect(url)
    try:
        return [tuple(found) for found in await connection.fetch(statement)]
    finally:
        await connection.close()


async def test_waiting_appends_share_a_statement(store: PostgresStore) -> None:
    """Many tables that move at once cost a few statements, not one each."""
    outcomes = await asyncio.gather(*(store.append(f"t{i}", 0, row(1), None) for i in range(500)))
    assert [Appended()] * 500 == outcomes
    assert store._group.statements <= 10


async def test_all_processes_seal_hints_with_one_key_and_who_only_looks_writes_nothing(postgres_url: str) -> None:
    """Processes that start at once agree; an operator whose account may only read, or who reads at a replica, reads as before."""
    opened = await asyncio.gather(*(PostgresStore.open(postgres_url, f"p{number}") for number in range(4)))
    words = [store.seals.seal("t1", Row(1, 0, b"x")) for store in opened]
    assert all(store.seals.open("t1", 1, word or "") == Row(1, 0, b"x") for store in opened for word in words)
    for store in opened:
        await store.close()
    async with await PostgresStore.open(f"{postgres_url}?default_transaction_read_only=on", "reader") as reading:
        assert Row(1, 0, b"x") == reading.seals.open("t1", 1, words[0] or "")
        assert await reading.load("t1", 1) is None


async def test_what_was_ever_shared_is_not_remembered_for_ever(
    postgres_url: str, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that runs for years does not grow by every table whose last move another process has heard of."""
    monkeypatch.setattr(grouping, "HEARD_MOST", 5)
    await ask(postgres_url, "INSERT INTO presences (table_id, seat, process) SELECT 't' || i, -1, 'other' FROM generate_series(0, 19) i")
    for number in range(20):
        await store.append(f"t{number}", 0, row(1), None)
        assert 1 <= len(store._group._heard) <= 6


async def test_tails_that_are_asked_for_at_once_share_a_statement(store: PostgresStore) -> None:
    """Whoever hears that many tables have moved on reads them together, each from its own place; what is not there is None."""
    await asyncio.gather(*(store.append(f"t{i}", 0, [Row(seq, seq, b"%d" % i) for seq in (1, 2, 3)], i) for i in range(50)))
    before = store._tails.statements
    # From its beginning a log is read when a table comes into memory, which is noted first, for each table by itself.
    found = await asyncio.gather(*(store.load(f"t{i}", i % 3 + 1) for i in range(51)))
    assert store._tails.statements - before <= 3
    for i, tail in enumerate(found[:50]):
        assert tail is not None
        assert (3, i, [Row(seq, seq, b"%d" % i) for seq in range(i % 3 + 2, 4)]) == (tail.seq, tail.due, tail.rows)
    assert found[50] is None


async def test_a_question_that_cannot_be_asked_fails_alone(store: PostgresStore) -> None:
    """What the database refuses is told to whoever asked it, and the others of its group are answered."""
    await store.append("t1", 0, row(1), None)
    refused, found = await asyncio.gather(store.load("t1", 2**63), store.load("t1", 0), return_exceptions=True)
    assert isinstance(refused, asyncpg.PostgresError | asyncpg.DataError)
    assert not isinstance(found, BaseException) and found is not None and row(1) == found.rows


async def test_conflicts_and_doubles_in_a_group_are_each_ones_own(store: PostgresStore) -> None:
    """In one statement some appends win, some come too late and some are there already; none of them touches another."""
    await asyncio.gather(*(store.append(f"t{i}", 0, row(1, f"c{i}"), None) for i in range(30)))
    outcomes = await asyncio.gather(
        *(
            store.append(f"t{i}", 1, row(2, "new"), 5) if i % 3 == 0
            else store.append(f"t{i}", 0, row(1, "late"), 6) if i % 3 == 1
            else store.append(f"t{i}", 1, row(2, f"c{i}"), 7)
            for i in range(30)
        )
    )  # fmt: skip
    assert [(Appended(), Conflict(), Doubled(1))[i % 3] for i in range(30)] == outcomes
    for i in range(30):
        tail = await store.load(f"t{i}")
        assert tail is not None
        assert (2, 5) == (tail.seq, tail.due) if i % 3 == 0 else (1, None) == (tail.seq, tail.due)


@pytest.mark.parametrize("command", ["nul\0", "half \ud800"])
async def test_a_row_that_cannot_be_written_is_refused_before_its_group(store: PostgresStore, command: str) -> None:
    """A bad row is told to whoever brought it, and the others of its group are written (trap 4)."""
    outcomes = await asyncio.gather(
        store.append("t1", 0, row(1), None), store.append("t2", 0, row(1, command), None), store.append("t3", 0, row(1), 2**70),
        store.append("t4", 0, row(1), None), return_exceptions=True,
    )  # fmt: skip
    assert [Appended(), Appended()] == [outcomes[0], outcomes[3]]
    assert all(isinstance(each, ValueError) for each in outcomes[1:3])


async def test_a_group_that_fails_is_written_one_by_one(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Should the database refuse a row after all, the others are written nevertheless."""
    monkeypatch.setattr(postgres, "check", lambda *given: None)
    outcomes = await asyncio.gather(
        *(store.append(f"t{i}", 0, row(1, "nul\0" if i == 7 else None), None) for i in range(12)), return_exceptions=True
    )
    assert isinstance(outcomes.pop(7), asyncpg.PostgresError | asyncpg.DataError)
    assert [Appended()] * 11 == outcomes
    assert await store.load("t7") is None


async def test_processes_that_append_in_opposite_orders_do_not_lock_each_other_out(postgres_url: str, store: PostgresStore) -> None:
    """Heads are locked in one order: two processes that write to the same tables at once both get through, and nothing is lost."""
    names = [f"t{i:02}" for i in range(40)]
    await asyncio.gather(*(store.append(name, 0, row(1), None) for name in names))

    async def write(by: PostgresStore, name: str, who: str) -> None:
        while True:
            tail = await store.load(name)
            assert tail is not None
            if await by.append(name, tail.seq, row(tail.seq + 1, who), None) != Conflict():
                return

    async with await PostgresStore.open(postgres_url, "two") as other:
        for turn in range(4):
            await asyncio.gather(
                *(write(store, name, f"a{turn}") for name in names), *(write(other, name, f"b{turn}") for name in reversed(names))
            )
    found = await ask(postgres_url, "SELECT table_id, count(*), max(seq) FROM events GROUP BY table_id ORDER BY table_id")
    assert [(name, 9, 9) for name in names] == found


async def keep_appending(store: PostgresStore, name: str, acknowledged: dict[str, int], until: asyncio.Event) -> None:
    """Append one command after the other, each until it is acknowledged."""
    seq = number = 0
    while not until.is_set():
        number += 1
        command = f"{name}.{number}"
        while True:
            outcome = await store.append(name, seq, row(seq + 1, command, command.encode()), None)
            if isinstance(outcome, Conflict):
                tail = await store.load(name, seq)
                assert tail is not None
                seq = tail.seq
                continue
            seq = acknowledged[command] = outcome.seq if isinstance(outcome, Doubled) else seq + 1
            break


async def check_log(url: str, acknowledged: dict[str, int]) -> None:
    """Every acknowledged command is in the log where it was acknowledged, once, and the log has no gap."""
    found = await ask(url, "SELECT command, seq FROM events WHERE command IS NOT NULL")
    assert len(found) == len(dict(found))
    assert acknowledged.items() <= dict(found).items()
    assert [] == await ask(
        url,
        "SELECT t.table_id FROM tables t WHERE (t.seq, t.seq) <> (SELECT count(*), max(e.seq) FROM events e WHERE e.table_id = t.table_id)",
    )


async def disturb(store: PostgresStore, disturbance: Callable[[], Coroutine[Any, Any, None]], times: int) -> dict[str, int]:
    """Append to eight tables while something happens again and again."""
    acknowledged: dict[str, int] = {}
    until = asyncio.Event()
    writing = [asyncio.ensure_future(keep_appending(store, f"t{i}", acknowledged, until)) for i in range(8)]
    for _ in range(times):
        before = len(acknowledged)
        await disturbance()
        async with asyncio.timeout(30):
            while len(acknowledged) < before + 40:
                await asyncio.sleep(0.005)
    until.set()
    await asyncio.gather(*writing)
    return acknowledged


async def test_killed_connections_lose_and_double_nothing(postgres_url: str, store: PostgresStore) -> None:
    """What was not acknowledged when a connection ended is looked up before it is tried again (I2)."""
    killing = await asyncpg.connect(postgres_url)

    async def kill() -> None:
        await killing.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kozyr'")
        await asyncio.sleep(0.02)

    acknowledged = await disturb(store, kill, 12)
    await killing.close()
    await check_log(postgres_url, acknowledged)


async def test_an_append_whose_answer_was_lost_is_found(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection ends after the commit and before the answer: the append is acknowledged as the one that it was (I2)."""
    whole = grouping.Group._execute

    async def lost(self: grouping.Group, connection: Any, jobs: list[grouping.Job]) -> None:
        monkeypatch.setattr(grouping.Group, "_execute", whole)
        hidden = [grouping.Job(job.table_id, job.expected, job.rows, job.due, lambda outcome: None) for job in jobs]
        await whole(self, connection, hidden)
        raise ConnectionResetError

    await store.append("t", 0, row(1), None)
    monkeypatch.setattr(grouping.Group, "_execute", lost)
    assert Appended() == await store.append("t", 1, row(2), None)
    assert Appended() == await store.append("t", 2, row(3, "k"), None)
    monkeypatch.setattr(grouping.Group, "_execute", lost)
    assert Appended() == await store.append("t", 3, row(4, "l"), None)
    tail = await store.load("t")
    assert tail is not None and 4 == tail.seq


async def test_a_crash_of_the_database_loses_nothing(postgres_server: Postgres, postgres_url: str, store: PostgresStore) -> None:
    """PostgreSQL dies and comes back from its log: servers go on by themselves, with every acknowledged move (I2)."""

    async def crash() -> None:
        # Here and not in a thread, with which the server would end.
        postgres_server.stop(at_once=True)
        postgres_server.start()

    await check_log(postgres_url, await disturb(store, crash, 1))


async def test_staked_games_at_once_from_several_processes_keep_the_books(postgres_url: str, store: PostgresStore) -> None:
    """The same players start and end games by two processes at once: every coin is where it must be (I7)."""
    terms = Terms(company_games=1000)
    players = ["ann", "bob", "cem", "dan"]
    async with await PostgresStore.open(postgres_url, "two") as other:
        await asyncio.gather(*((store, other)[i % 2].book(opening_grant(who, "192.0.2.1", 0, terms)) for i, who in enumerate(players)))

        async def play(by: PostgresStore, table: str, seats: list[str]) -> None:
            assert Appended() == await by.append(table, 0, row(1), None, [stakes(f"{table}/1", seats, 10, 0, terms)])
            order = list(range(1, len(seats)))
            assert Appended() == await by.append(table, 1, row(2), None, [settle(f"{table}/1", seats, 10, "linear", order, 0, 0)])

        await asyncio.gather(*(play((store, other)[i % 2], f"t{i}", (players * 2)[i % 4 : i % 4 + 2 + i % 3]) for i in range(24)))
    totals = await store.totals()
    assert (0, 0, 4000) == (totals.sum, totals.in_pots, totals.with_players)
    assert [] == await ask(
        postgres_url, "SELECT account FROM accounts a WHERE balance <> (SELECT sum(coins) FROM postings p WHERE p.account = a.account)"
    )


async def test_coins_move_once_through_killed_connections(postgres_url: str, store: PostgresStore) -> None:
    """Games begin and end while connections are killed: whatever is tried again moves coins once (I7)."""
    terms = Terms(opening=100_000, company_games=10_000)
    for who in ("ann", "bob"):
        await store.book(opening_grant(who, "192.0.2.1", 0, terms))
    killing = await asyncpg.connect(postgres_url)
    games, is_over = 0, False

    async def play(table: str) -> None:
        nonlocal games
        for game in range(1, 16):
            for seq, entry in (
                (2 * game - 1, stakes(f"{table}/{game}", ["ann", "bob"], 10, 0, terms)),
                (2 * game, settle(f"{table}/{game}", ["ann", "bob"], 10, "linear", [game % 2], 1 - game % 2, 0)),
            ):
                assert await store.append(table, seq - 1, row(seq, f"c{seq}"), None, [entry]) in (Appended(), Doubled(seq))
            games += 1

    async def kill() -> None:
        while not is_over:
            await killing.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kozyr'")
            before = games
            while games < before + 3 and not is_over:
                await asyncio.sleep(0.003)

    disturbing = asyncio.ensure_future(kill())
    await asyncio.gather(*(play(f"t{i}") for i in range(4)))
    is_over = True
    await disturbing
    await killing.close()
    totals = await store.totals()
    assert (60, 0, 0, 200_000) == (games, totals.sum, totals.in_pots, totals.with_players)
    # The grant, a stake a game, and what came back from those that were won.
    assert [(1 + 60 + 28,)] == await ask(postgres_url, "SELECT postings FROM accounts WHERE account = 'player:ann'")


async def test_a_process_that_stands_still_keeps_nothing_locked(store: PostgresStore) -> None:
    """A transaction that its process has left in the middle ends by itself, and so does the connection of a machine that has gone."""
    async with store._pool.acquire() as connection:
        names = ("idle_in_transaction_session_timeout", "tcp_keepalives_idle")
        assert ["5s", "5"] == [await connection.fetchval(f"SHOW {name}") for name in names]


def test_the_database_of_the_tests_is_no_root(postgres_server: Postgres) -> None:
    """PostgreSQL refuses to run as root: the tests start it as somebody else (trap 10)."""
    process = postgres_server._process
    assert process is not None
    status = Path(f"/proc/{process.pid}/status")
    if status.exists():
        assert 0 != int(re.findall(r"Uid:\s+(\d+)", status.read_text())[0])


async def test_an_overdue_clock_is_one_processs_for_a_moment(postgres_url: str, store: PostgresStore) -> None:
    """Two processes that sweep at once share what they find, and each finds its own again (I6)."""
    await asyncio.gather(*(store.append(f"t{i}", 0, row(1), i) for i in range(10)))
    async with await PostgresStore.open(postgres_url, "two") as other:
        first = await store.overdue(100, 4)
        second = await other.overdue(100, 100)
        assert (["t0", "t1", "t2", "t3"], [f"t{i}" for i in range(4, 10)]) == (first, second)
        assert first == await store.overdue(100, 100)


def clauses(statement: str) -> list[tuple[str, str]]:
    """Split a statement into its parts at the words that read or write a table; each with the table's name."""
    plain = " ".join(statement.split())
    found = re.split(r"\b(?=(?:INSERT INTO|UPDATE|DELETE FROM|FROM) (?:tables|events)\b)", plain)[1:]
    return [(re.findall(r"\b(tables|events)\b", part)[0], part) for part in found]


def test_statements_of_a_move_touch_one_table_a_row() -> None:
    """Whatever is read or written on a move's path is found by its table_id, so that the log can be spread over machines."""
    written = [grouping.APPEND, grouping.FIND, grouping.LOOK_UP, tails.TAILS, postgres.HOLD]
    source = Path(journal.__file__).read_text(encoding="utf-8")
    written += re.findall(r'"((?:SELECT|INSERT|UPDATE)[^"]*\b(?:tables|events)\b[^"]*)"', source)
    # The sweep is no move; it is asked of every part of the log.
    written.remove("SELECT table_id FROM tables WHERE due <= ? ORDER BY due LIMIT ?")
    parts = [part for statement in written for part in clauses(statement)]
    assert len(parts) >= 12
    named = re.compile(r"\b\w?\.?table_id = |\(table_id,")
    assert [] == [part for _, part in parts if not named.search(part)]


def test_table_id_leads_every_key_of_the_log() -> None:
    """A row of the log lies where its table lies."""
    made = migrations.written()
    for table in ("tables", "events"):
        columns = re.search(rf"CREATE TABLE {table} \((.*?)\n    \)", made, re.DOTALL)
        assert columns is not None and columns[1].split()[0] == "table_id"
    assert "PRIMARY KEY (table_id, seq)" in made and "ON events (table_id, command)" in made


def test_the_statements_of_an_upgrade_can_be_read() -> None:
    """An operator may look at what an upgrade does, and do it by hand."""
    made = migrations.written()
    assert "CREATE TABLE events" in made and f"'{postgres.VERSION}'" in made and "COMMIT" in made


def test_the_newest_version_is_the_one_that_is_asked_for() -> None:
    """The version that a server wants is the last of the migrations."""
    assert postgres.VERSION == ScriptDirectory(str(Path(migrations.__file__).parent)).get_current_head()


async def test_both_databases_have_the_same_tables(postgres_url: str, tmp_path: Path) -> None:
    """What is kept in a file can be kept in PostgreSQL, column by column."""
    schema.prepare(tmp_path / "kozyr.db")
    with closing(sqlite3.connect(tmp_path / "kozyr.db")) as db:
        names = moving.tables_of(db)
        file = {(name, column[1]) for name in names for column in db.execute(f"PRAGMA table_info({name})")}
    found = await ask(postgres_url, "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'")
    assert file == {each for each in found if each[0] not in (*OURS, "alembic_version")}


async def test_a_newer_database_is_refused_without_its_password(postgres_server: Postgres) -> None:
    """A server leaves a database alone that it does not know, and nobody reads a password in what it says."""
    url = postgres_server.url(postgres_server.make_database())
    await postgres.prepare(url)
    await ask(url, "UPDATE alembic_version SET version_num = 'v999' RETURNING 1")
    with pytest.raises(schema.SchemaError, match="v999") as refused:
        await PostgresStore.open(url)
    assert "of-tests-only" not in str(refused.value)
    with pytest.raises(schema.SchemaError) as wrong:
        await PostgresStore.open(url.replace("of-tests-only", "guessed-word"))
    assert "guessed-word" not in str(wrong.value)


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("postgresql://ann:secret@host:5432/kozyr", "postgresql://ann:…@host:5432/kozyr"),
        ("postgresql://ann@host/kozyr", "postgresql://ann@host/kozyr"),
        ("postgresql:///kozyr?host=/run&password=secret&user=ann", "postgresql:///kozyr?host=/run&password=…&user=ann"),
    ],
)
def test_passwords_are_not_shown(url: str, written: str) -> None:
    """A database's URL is written without its password."""
    assert written == without_password(url)


OF_VERSION_1 = """
INSERT INTO tables (table_id, seq, due, created) VALUES ('t1', 2, 4000, 1000);
INSERT INTO events (table_id, seq, at, command, body) VALUES ('t1', 1, 1000, NULL, 'a'), ('t1', 2, 1500, '0.k1', 'b');
INSERT INTO secrets (name, value) VALUES ('cookie', 'one');
INSERT INTO guests (guest, name, created, public) VALUES ('g1', 'Ayla', 900, 'p1');
INSERT INTO accounts (account, balance, postings) VALUES ('mint', -1000, 1), ('player:g1', 1000, 1);
INSERT INTO entries (home, key, kind, at) VALUES ('player:g1', 'grant:g1', 'grant', 900);
INSERT INTO postings (account, number, home, key, line, coins, balance) VALUES
    ('player:g1', 1, 'player:g1', 'grant:g1', 0, 1000, 1000), ('mint', 1, 'player:g1', 'grant:g1', 1, -1000, -1000);
"""
SINCE = {
    "v001": OF_VERSION_1,
    "v002": """
        INSERT INTO acts VALUES (1, 1000, '192.0.2.1', 'mute', 'p1', 'why');
        INSERT INTO mutes VALUES ('g1', 9000)
    """,
}
"""What each version added, with something in it; the newest one is what a new database has."""
COLUMNS = "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns WHERE table_schema = 'public'"


@pytest.mark.parametrize("version", SINCE)
async def test_a_database_of_an_older_version_goes_on(postgres_server: Postgres, postgres_url: str, version: str) -> None:
    """After an update of the server every table, name, secret and coin is there, and the tables are those of a new database."""
    name = postgres_server.make_database()
    await migrations.migrate(postgres_server.url(name), version)
    before = [statements for each, statements in SINCE.items() if each <= version]
    postgres_server.execute(*before, database=name)
    async with await PostgresStore.open(postgres_server.url(name)) as store:
        tail = await store.load("t1")
        assert tail is not None
        assert (2, 4000, [Row(1, 1000, b"a"), Row(2, 1500, b"b", "0.k1")]) == (tail.seq, tail.due, tail.rows)
        assert Doubled(2) == await store.append("t1", 2, row(3, "0.k1"), None)
        assert Appended() == await store.append("t1", 2, row(3), None)
        assert ("Ayla", b"one", 1000) == (await store.name_of("g1"), await store.keep("cookie", b"two"), await store.balance("g1"))
        acts = [(act.what, act.about, act.words) for act in await store.acts(5)]
        assert (acts, await store.mutes(1000)) == (([("mute", "p1", "why")], {"g1": 9000}) if len(before) > 1 else ([], {}))
        assert set() == await store.ended(["s1"])
    assert sorted(await ask(postgres_url, COLUMNS)) == sorted(await ask(postgres_server.url(name), COLUMNS))


def test_every_older_version_is_one_that_a_test_goes_on_from() -> None:
    """Whoever adds a version says what the one before it had."""
    found = sorted(each.revision for each in ScriptDirectory.from_config(migrations._config()).walk_revisions())
    assert [*SINCE, postgres.VERSION] == found


async def test_processes_that_start_at_once_make_the_tables_once(postgres_server: Postgres) -> None:
    """Four workers start on an empty database together."""
    url = postgres_server.url(postgres_server.make_database())
    await asyncio.gather(*(postgres.prepare(url) for _ in range(4)))
    assert [(postgres.VERSION,)] == await ask(url, "SELECT version_num FROM alembic_version")


def test_a_server_on_a_file_loads_nothing_of_it() -> None:
    """Who serves from a file does not wait for what PostgreSQL needs."""
    code = "import sys, kozyr.cli.wiring; print([each for each in ('asyncpg', 'sqlalchemy', 'alembic', 'greenlet') if each in sys.modules])"
    environment = {"PYTHONPATH": str(Path(__file__).parents[2] / "src"), "PATH": ""}
    assert "[]\n" == subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("statement", ["UPDATE {} SET key = 'x'", "DELETE FROM {}", "TRUNCATE {}"])
@pytest.mark.parametrize("table", ["entries", "postings"])
async def test_what_is_booked_stays(store: PostgresStore, postgres_url: str, table: str, statement: str) -> None:
    """Nobody corrects the books by hand: the database itself refuses."""
    await store.book(opening_grant("ann", "192.0.2.1", 0, Terms()))
    with pytest.raises(asyncpg.RaiseError, match=f"{table} stay"):
        await ask(postgres_url, statement.format(table))

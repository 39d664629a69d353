"""What is particular to the SQLite file: durability, groups, bad jobs, foreign files."""
from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from kozyr.app.events import Player
from kozyr.app.played import Finished, Kind, Part
from kozyr.app.ports import Appended, Conflict, Doubled, Row, Spoilt
from kozyr.ledger import Terms, opening_grant, stakes
from kozyr.store import journal, schema
from kozyr.store.copying import CopyError, copy_file
from kozyr.store.sqlite import SqliteStore

CHILD = """
import asyncio, sys
from pathlib import Path
from kozyr.app.events import Player
from kozyr.app.played import Finished, Kind, Part
from kozyr.app.ports import Appended, Conflict, Doubled, Row
from kozyr.store.sqlite import SqliteStore

async def main():
    store = SqliteStore(Path(sys.argv[1]))
    for seq in range(1, 10_000):
        await store.append("t", seq - 1, [Row(seq, 0, b"x" * 100, f"c{seq}")], None)
        print(seq, flush=True)

asyncio.run(main())
"""


def test_an_acknowledged_append_survives_sigkill(tmp_path: Path) -> None:
    """What was acknowledged is in the log after the process was killed (I2)."""
    database = tmp_path / "kozyr.db"
    with subprocess.Popen([sys.executable, "-c", CHILD, str(database)], stdout=subprocess.PIPE, text=True, env=child_env()) as child:
        assert child.stdout is not None
        seen = 0
        for line in child.stdout:
            seen = int(line)
            if seen == 40:
                os.kill(child.pid, signal.SIGKILL)
        child.wait()

    async def look() -> tuple[int, list[int]]:
        async with SqliteStore(database) as store:
            tail = await store.load("t")
            assert tail is not None
            return tail.seq, [row.seq for row in tail.rows]

    head, found = asyncio.run(look())
    assert list(range(1, head + 1)) == found
    assert seen <= head


def child_env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}


def test_commits_are_synchronous(tmp_path: Path) -> None:
    """A commit waits for the disk: a machine that loses its power keeps what was acknowledged."""
    schema.prepare(tmp_path / "kozyr.db")
    db = schema.connect(tmp_path / "kozyr.db")
    assert ("wal", 2) == (db.execute("PRAGMA journal_mode").fetchone()[0], db.execute("PRAGMA synchronous").fetchone()[0])
    db.close()


async def test_waiting_appends_share_a_commit(tmp_path: Path) -> None:
    """Tables that move in one turn of the event loop share one commit."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        commits = 0

        def count(statement: str) -> None:
            nonlocal commits
            commits += statement == "COMMIT"

        store._writer._db.set_trace_callback(count)
        await asyncio.gather(*(store.append(f"t{i}", 0, [Row(1, 0, b"a")], None) for i in range(500)))
        assert 1 == commits


async def test_a_failing_job_takes_no_other_with_it(tmp_path: Path) -> None:
    """One bad row in a group fails alone."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:

        def bad(db: sqlite3.Connection) -> None:
            db.execute("INSERT INTO tables (table_id, seq, due, created) VALUES ('half', 1, NULL, 0)")
            db.execute("INSERT INTO events (table_id) VALUES ('half')")

        answers = await asyncio.gather(
            *(store.append(f"t{i}", 0, [Row(1, 0, b"a")], None) for i in range(10)),
            store._writer.run(bad),
            *(store.append(f"u{i}", 0, [Row(1, 0, b"a")], None) for i in range(10)),
            return_exceptions=True,
        )
        assert [Appended()] * 20 == [answer for answer in answers if not isinstance(answer, Exception)]
        assert isinstance(answers[10], sqlite3.IntegrityError)
        assert await store.load("half") is None


async def test_a_group_answers_each_move_by_itself(tmp_path: Path) -> None:
    """Where one table of a group has moved on, or has a command already, the others' moves are written as if it were not there."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        for name in "abcde":
            await store.append(name, 0, [Row(1, 0, b"1", "0.first")], 5)
        for _ in range(2):
            moves = [
                store.append("a", 1, [Row(2, 0, b"2", "0.next"), Row(3, 0, b"3")], 7),
                store.append("b", 1, [Row(2, 0, b"2", "0.first")], 7),
                store.append("c", 4, [Row(5, 0, b"5")], 7),
                store.append("d", 1, [Row(2, 0, b"2")], 7),
                store.append("nowhere", 1, [Row(2, 0, b"2")], 7),
            ]
            answers = await asyncio.gather(*moves)
            again = [Doubled(2), Doubled(1), Conflict(), Conflict(), Conflict()]
            assert answers in ([Appended(), Doubled(1), Conflict(), Appended(), Conflict()], again)
        assert again == answers
        assert [("a", 3), ("b", 1), ("c", 1), ("d", 2), ("e", 1)] == [(name, await last(store, name)) for name in "abcde"]
    with closing(sqlite3.connect(tmp_path / "kozyr.db")) as db:
        assert [3, 1, 1, 2, 1] == [row[0] for row in db.execute("SELECT count(*) FROM events GROUP BY table_id ORDER BY table_id")]
        assert [3, 1, 1, 2, 1] == [row[0] for row in db.execute("SELECT seq FROM tables ORDER BY table_id")]


async def last(store: SqliteStore, table_id: str) -> int:
    tail = await store.load(table_id)
    assert tail is not None
    assert list(range(1, tail.seq + 1)) == [row.seq for row in tail.rows]
    return tail.seq


async def test_a_closed_store_refuses(tmp_path: Path) -> None:
    """Nothing is taken that would not be written."""
    store = SqliteStore(tmp_path / "kozyr.db")
    await store.close()
    await store.close()
    with pytest.raises(RuntimeError, match="closed"):
        await store.append("t", 0, [Row(1, 0, b"a")], None)


async def test_what_waits_at_closing_is_written(tmp_path: Path) -> None:
    """A stop in good order finishes what was begun."""
    store = SqliteStore(tmp_path / "kozyr.db")
    waiting = [asyncio.ensure_future(store.append(f"t{i}", 0, [Row(1, 0, b"a")], None)) for i in range(50)]
    await asyncio.sleep(0)
    await store.close()
    assert [Appended()] * 50 == await asyncio.gather(*waiting)


async def test_the_log_is_emptied_into_the_file(tmp_path: Path) -> None:
    """After a stop in good order one file holds everything."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        await store.append("t", 0, [Row(1, 0, b"a")], None)
    assert [tmp_path / "kozyr.db"] == [path for path in tmp_path.iterdir() if path.stat().st_size]


@pytest.mark.parametrize("content", ["another", "newer", "garbage"])
def test_a_foreign_file_is_refused(tmp_path: Path, content: str) -> None:
    """A file that is not this version's database is left as it is, with a clear error."""
    path = tmp_path / "kozyr.db"
    if content == "garbage":
        path.write_bytes(b"no database at all, but long enough to be looked at" * 10)
    else:
        db = sqlite3.connect(path)
        db.execute("CREATE TABLE other (x)" if content == "another" else f"PRAGMA user_version = {schema.VERSION + 1}")
        db.commit()
        db.close()
    with pytest.raises(schema.SchemaError, match=re.escape(str(path))):
        SqliteStore(path)


def test_statements_of_a_move_touch_one_table() -> None:
    """Every statement on a move's path names one table_id, so that the log can be spread over machines."""
    source = Path(journal.__file__).read_text(encoding="utf-8")
    statements = re.findall(r'"((?:SELECT|INSERT|UPDATE|DELETE)[^"]*\b(?:tables|events)\b[^"]*)"', source)
    assert len(statements) >= 6
    swept = [statement for statement in statements if "table_id = ?" not in statement and "(table_id," not in statement]
    assert ["SELECT table_id FROM tables WHERE due <= ? ORDER BY due LIMIT ?"] == swept


async def test_a_move_reads_no_books_and_a_games_entries_name_its_table(tmp_path: Path) -> None:
    """A move costs what it cost without coins; what is booked with an event is kept where the event is."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        for guest in ("ann", "bob"):
            await store.book(opening_grant(guest, "192.0.2.1", 0, Terms()))
        statements: list[str] = []
        store._writer._db.set_trace_callback(statements.append)
        await store.append("t7", 0, [Row(1, 0, b"a")], None)
        others = [each for each in statements if not re.search(r"\b(tables|events|fresh)\b", each)]
        assert ["BEGIN IMMEDIATE", "PRAGMA data_version", "COMMIT"] == others
        statements.clear()
        await store.append("t7", 1, [Row(2, 0, b"b")], None, [stakes("t7/1", ["ann", "bob"], 100, 0, Terms())])
        of_entries = [each for each in statements if re.search(r"\b(entries|tables|events|fresh)\b", each)]
        assert len(of_entries) >= 3
        assert [] == [each for each in of_entries if "'t7'" not in each]


async def test_addresses_are_forgotten_and_companies_are_kept(tmp_path: Path) -> None:
    """Where guests came from is in the file for two days; who played together stays for the operator."""
    day = 86_400_000
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        for number, guest in enumerate(("ann", "bob", "cem", "dan")):
            await store.book(opening_grant(guest, f"192.0.2.{number}", number // 2 * day, Terms()))
        await store.append("t", 0, [Row(1, 0, b"a")], None, [stakes("t/1", ["ann", "bob"], 100, 0, Terms())])
        await store.book(opening_grant("eva", "192.0.2.8", 2 * day, Terms()))
        counts = store._reading.execute("SELECT kind, day, name FROM counts ORDER BY kind, day, name").fetchall()
    assert [("address", 1, "192.0.2.2"), ("address", 1, "192.0.2.3"), ("address", 2, "192.0.2.8"), ("company", 0, "ann,bob")] == counts


async def test_a_game_that_is_spoilt_hides_no_other_in_a_record(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Whoever looks at their games sees all that can be read, as many a page as always; the operator is told of the others."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        for number in range(1, 7):
            await store.append("t", number - 1, [Row(number, number, b"x")], None, (), [game(number)])
        with closing(sqlite3.connect(tmp_path / "kozyr.db")) as db:
            db.execute("UPDATE games SET players = 'Ann' WHERE game = 6")
            db.execute("UPDATE games SET options = '[' WHERE game = 4")
            db.commit()
        assert [5, 3, 2] == [each.game for each in await store.games("ann", None, 3)]
        assert [1] == [each.game for each in await store.games("ann", 2, 3)]
    assert 2 == len([each for each in caplog.records if "a record of table t cannot be read" in each.getMessage()])


def game(number: int) -> Finished:
    """A game that Ann has won."""
    players = (Player("Ann", "person", guest="ann"), Player("Bot 1", "bot", level="easy"))
    part = Part("ann", 0, 1, False, False, None)
    return Finished("t", number, number, Kind(36, 2, False, False, False), {}, players, (part,))


async def test_a_page_that_is_spoilt_is_one_tables(tmp_path: Path) -> None:
    """Where a place of the disk has gone bad, the table whose events lay there is refused by name, and all others are read."""
    database = tmp_path / "kozyr.db"
    async with SqliteStore(database) as store:
        for name in "abc":
            for seq in range(1, 41):
                await store.append(name, seq - 1, [Row(seq, 0, f"event {seq} of {name}".encode().ljust(900, b"."))], None)
    content = bytearray(database.read_bytes())
    events = [re.findall(rb"event (\d+) of ([abc])", content[start : start + PAGE]) for start in range(0, len(content), PAGE)]
    # In the middle of a table: whoever reads the one before looks where the next one begins.
    place = next(number for number, found in enumerate(events) if found and all(name == b"b" and 9 < int(seq) < 32 for seq, name in found))
    content[place * PAGE : (place + 1) * PAGE] = bytes(range(256)) * 16
    database.write_bytes(content)
    async with SqliteStore(database) as store:
        with pytest.raises(Spoilt, match="table b cannot be read: database disk image is malformed"):
            await store.load("b")
        for name in "ac":
            tail = await store.load(name)
            assert tail is not None and 40 == tail.seq == len(tail.rows)
            assert Appended() == await store.append(name, 40, [Row(41, 0, b"more")], None)


PAGE = 4096


def test_a_file_that_is_spoilt_is_told_whatever_it_says(tmp_path: Path) -> None:
    """What SQLite says of such a file may repeat letters of it that are none."""
    database = tmp_path / "kozyr.db"
    schema.prepare(database)
    content = database.read_bytes()
    for old, new in ((b"tabletablestables", b"tabletab\xcbestables"), (b"CREATE TABLE events (", b"CREATE \xcbABLE events (")):
        database.write_bytes(content.replace(old, new))
        with pytest.raises(schema.SchemaError, match="cannot be used: malformed database schema"):
            schema.prepare(database)
        with pytest.raises(CopyError):
            copy_file(database, tmp_path / "copy.db")

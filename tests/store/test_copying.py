"""Copies of a file that a server uses."""
from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from kozyr.store import schema
from kozyr.store.copying import copy_file


def test_a_copy_is_done_while_moves_come_all_the_time(tmp_path: Path) -> None:
    """However large a file is and however much is written to it meanwhile, it is copied once, as it is at one moment."""
    database, is_done = tmp_path / "kozyr.db", threading.Event()
    schema.prepare(database)

    def write() -> None:
        with closing(schema.connect(database)) as db:
            db.execute("PRAGMA synchronous = OFF")
            count = 0
            while not is_done.is_set():
                count += 1
                db.execute("INSERT INTO secrets (name, value) VALUES (?, 'x')", (f"{count:09}",))

    with closing(schema.connect(database)) as db:
        db.execute("INSERT INTO secrets (name, value) VALUES ('large', zeroblob(20000000))")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    writing = threading.Thread(target=write)
    writing.start()
    copying = threading.Thread(target=copy_file, args=(database, tmp_path / "copy.db"), daemon=True)
    copying.start()
    copying.join(30)
    is_done.set()
    writing.join()
    assert not copying.is_alive()
    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        count, last = copy.execute("SELECT count(*), max(name) FROM secrets WHERE name <> 'large'").fetchone()
    assert count == int(last or 0)

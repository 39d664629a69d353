"""Copies of a database file, taken while a server uses it, and put back when none does."""
from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from kozyr.store import fresh, schema, settling

QUIET_MS = 5000
"""A beat that is more recent than this means that a server is there."""
ASIDE_S = 1.0
"""For so long a command that only looks at the file may have it open."""


class CopyError(Exception):
    """A copy that cannot be made or trusted."""


def copy_file(source: Path, target: Path) -> int:
    """
    Copy a database file as it is at one moment, also while a server uses it; returns the bytes of the copy.

    The copy is complete, on the disk and checked, and every event is at its place; or it is not there.

    Raises: CopyError where there is no such file, *target* is there already, or either cannot be used.
    """
    if not source.is_file():
        raise CopyError(f"there is no file {source}")
    if os.path.lexists(target):
        raise CopyError(f"{target} is there already")
    growing = target.with_name(f"{target.name}.part")
    try:
        growing.unlink(missing_ok=True)
        with closing(_to_read(source)) as db, closing(sqlite3.connect(growing)) as copy:
            # In one go, beside which a server writes: a copy in parts begins anew with whatever is written between two of them.
            db.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            settling.settle_file(copy)
            copy.commit()
        version_of(growing, source)
        with growing.open("rb+") as written:
            os.fsync(written.fileno())
        growing.rename(target)
        _sync_folder(target.parent)
    except (*schema.UNUSABLE, OSError) as error:
        raise CopyError(f"{source} cannot be copied to {target}: {schema.told(error)}") from error
    finally:
        with suppress(OSError):
            growing.unlink()
    return target.stat().st_size


def version_of(file: Path, name: Path | None = None) -> int:
    """
    Check that a file is a whole database of ours; return the version of its tables.

    Raises: CopyError for any other file; it tells of what the file is a copy of, where *name* is that.
    """
    name = name or file
    try:
        with closing(_to_read(file)) as db:
            wrong = [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
            version = int(db.execute("PRAGMA user_version").fetchone()[0])
            is_ours = db.execute("SELECT count(*) FROM sqlite_schema WHERE name IN ('tables', 'events')").fetchone()[0] == 2
    except schema.UNUSABLE as error:
        raise CopyError(f"{name} cannot be read: {'it is a folder' if file.is_dir() else schema.told(error)}") from error
    if wrong:
        raise CopyError(f"{name} is damaged: {wrong[0]}")
    if not is_ours or not 1 <= version <= schema.VERSION:
        raise CopyError(f"{name} is no database of this version of Kozyr or an older one")
    return version


def restore_file(source: Path, target: Path) -> Path | None:
    """
    Put a copy in the place of a database file, which is kept beside it; returns where.

    Raises: CopyError for a copy that cannot be used, and while a server is there.
    """
    version_of(source)
    # What a link names is replaced, not the link; that is where SQLite keeps its companions, too.
    try:
        target = target.resolve()
    except (OSError, RuntimeError) as error:
        raise CopyError(f"{target} cannot be used: {error}") from error
    kept = None
    if target.exists():
        if is_served(target):
            raise CopyError(f"a server is using {target}: stop it first")
        try:
            version_of(target)
        except CopyError as error:
            raise CopyError(f"{error}; put it elsewhere first") from error
        kept = target.with_name(f"{target.name}.before-{time.strftime('%Y%m%d-%H%M%S')}")
        # What its companions hold belongs into it before it goes aside.
        copy_file(target, kept)
    restored = target.with_name(f"{target.name}.restored")
    try:
        restored.unlink(missing_ok=True)
        copy_file(source, restored)
        for end in ("-wal", "-shm"):
            target.with_name(target.name + end).unlink(missing_ok=True)
        restored.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise CopyError(f"{source} cannot be copied to {target}: {error}") from error
    return kept


def is_served(database: Path) -> bool:
    """
    Whether a server is using a file: somebody has it open, or has said within the last seconds that a server is there.

    Raises: CopyError for a file that is no database.
    """
    try:
        return _is_open(database) or _has_beat(database)
    except schema.UNUSABLE as error:
        raise CopyError(f"{database} cannot be read: {'it is a folder' if database.is_dir() else schema.told(error)}") from error


def _is_open(database: Path) -> bool:
    with closing(sqlite3.connect(database, timeout=ASIDE_S)) as db:
        try:
            # As long as nobody comes to a server it does not say that it is there. But it has the file open, and then SQLite
            # does not give the file to anybody alone.
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as error:
            return fresh.is_busy(error)
    return False


def _has_beat(database: Path) -> bool:
    with closing(_to_read(database)) as db:
        if not db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'beats'").fetchone()[0]:
            return False
        found = db.execute("SELECT at FROM beats WHERE name = 'server'").fetchone()
    return found is not None and time.time_ns() // 1_000_000 - int(found[0]) < QUIET_MS


def _to_read(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)

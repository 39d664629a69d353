"""`kozyr migrate`, `backup`, `restore`, `move`: what an operator does with a database."""
from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from kozyr.cli.serve import Flag, place_of, shown
from kozyr.cli.trouble import Trouble


def migrate(*, database: str | None = None, sql: Flag = False) -> int:
    """
    Make a database's tables, or bring those of an older version up to this one.

    A server does this by itself when it starts.

    Parameters
    ----------
    database
        The file, or postgresql://USER@HOST/NAME. Without it the file in your data folder.
    sql
        Only print the statements that make the tables in PostgreSQL.
    """
    from kozyr.store import schema

    if sql:
        place_of("postgresql://")
        from kozyr.store.migrations import written

        print(written(), end="")
        return 0
    place = place_of(database)
    try:
        if isinstance(place, Path):
            schema.prepare(place)
        else:
            from kozyr.store.postgres import ready

            asyncio.run(ready(place))
    except schema.SchemaError as error:
        raise Trouble(str(error)) from None
    print(f"{shown(place)} is ready")
    return 0


def backup(file: Path, /, *, database: Path | None = None) -> int:
    """
    Copy the database file as it is now, also while a server uses it.

    Parameters
    ----------
    file
        Where the copy goes; it must not be there yet.
    database
        The database file. Without it the file in your data folder.
    """
    from kozyr.store.copying import CopyError, copy_file

    try:
        size = copy_file(_file_of(database), file)
    except CopyError as error:
        raise Trouble(str(error)) from None
    print(f"{file}: {size} bytes, checked")
    return 0


def restore(file: Path, /, *, database: Path | None = None) -> int:
    """
    Put a backup in the place of the database file, which is kept beside it. No server may be using it.

    Parameters
    ----------
    file
        The backup.
    database
        The database file. Without it the file in your data folder.
    """
    from kozyr.store.copying import CopyError, restore_file

    target = _file_of(database)
    try:
        kept = restore_file(file, target)
    except CopyError as error:
        raise Trouble(str(error)) from None
    print(f"{target} is {file} now" + ("" if kept is None else f"; what was there is {kept}"))
    return 0


def move(*, source: Annotated[Path | None, Parameter(name="--from")] = None, target: Annotated[str, Parameter(name="--to")]) -> int:
    """
    Copy everything from a database file into an empty PostgreSQL, and check it. The file stays as it is; no server may be using it.

    Parameters
    ----------
    source
        The database file. Without it the file in your data folder.
    target
        postgresql://USER@HOST/NAME
    """
    from kozyr.store.copying import CopyError, is_served
    from kozyr.store.schema import SchemaError

    file, url = _file_of(source), place_of(target)
    if isinstance(url, Path):
        raise Trouble(f"{target} is no postgresql://…")
    from kozyr.store.moving import move as move_file

    try:
        if file.is_file() and is_served(file):
            raise Trouble(f"a server is using {file}: stop it first")
        asyncio.run(move_file(file, url, print))
    except (CopyError, SchemaError, OSError) as error:
        raise Trouble(str(error)) from None
    print(f"{file} is in {shown(url)} now; every count and sum is the same")
    return 0


def _file_of(database: Path | None) -> Path:
    """
    Name a database file.

    Raises: Trouble for a PostgreSQL, which brings programs of its own for copies; its URL may have a password and is not repeated.
    """
    if database is not None and str(database).startswith(("postgres:/", "postgresql:/")):
        raise Trouble("this is for a database file; PostgreSQL has pg_dump and pg_restore")
    return Path(place_of(None)) if database is None else database

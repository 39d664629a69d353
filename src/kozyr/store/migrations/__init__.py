"""The versions of the tables in PostgreSQL, and how a database is brought up to the newest."""
from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from kozyr.store import connecting

LOCK = 0x6B6F7A7972
"""Processes that start at the same moment bring the tables up one after the other."""


async def migrate(url: str, version: str = "head") -> None:
    """
    Make the tables of a database, or bring those of an older version up to *version*; all of it or nothing.

    Raises: SchemaError for a database that cannot be used.
    """
    engine = create_async_engine("postgresql+asyncpg://", async_creator=lambda: connecting.connect(url), poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
            await connection.run_sync(_upgrade, version)
    finally:
        await engine.dispose()


def written(version: str = "head") -> str:
    """Write the statements that make the tables, or bring them up from another version: `OLD:NEW`."""
    output = io.StringIO()
    config = _config(output_buffer=output)
    command.upgrade(config, version, sql=True)
    return output.getvalue()


def _upgrade(connection: Connection, version: str) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, version)


def _config(**options: Any) -> Config:
    config = Config(**options)
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config

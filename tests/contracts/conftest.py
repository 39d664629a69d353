"""Every contract is kept by each of the stores."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kozyr.store.postgres import PostgresStore
from kozyr.store.sqlite import SqliteStore
from tests.contracts.keeping import Store
from tests.sim.world import MemoryStore


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "memory":
        yield MemoryStore()
        return
    if request.param == "postgres":
        async with await PostgresStore.open(request.getfixturevalue("postgres_url")) as opened:
            yield opened
        return
    async with SqliteStore(tmp_path / "kozyr.db") as opened:
        yield opened

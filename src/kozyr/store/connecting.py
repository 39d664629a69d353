"""Connections to PostgreSQL: how they are opened, and what it looks like when one is lost."""
from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import asyncpg

T = TypeVar("T")

PATIENCE_S = 10.0
"""So long a database may be away before whoever asks something of it is told that it failed."""
ANSWER_S = 15.0
"""A statement that has not been answered by then is taken for lost."""
CLOSE_S = 3.0
"""So long whoever closes a store waits for what is being written, and for connections to end."""
SETTINGS = {
    "application_name": "kozyr",
    # Neither a process that stands still in the middle of a transaction nor a machine that has gone keeps others from what it had locked.
    "idle_in_transaction_session_timeout": "5s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}
FIRST_S, LONGEST_S = 0.02, 1.0

LOST = (
    OSError,
    asyncio.TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
)
"""What a statement raises when its connection has ended, or could not be made; whether it was done is not known then."""


async def connect(url: str) -> asyncpg.Connection:
    """Open a connection. What the URL does not say comes from the usual variables, such as PGPASSWORD."""
    return await asyncpg.connect(url, command_timeout=ANSWER_S, timeout=ANSWER_S, server_settings=SETTINGS)


class Backoff:
    """Waits between attempts, longer each time, never exactly as long as others do; gives up after a while."""

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._end = time.monotonic() + patience_s
        self._next = FIRST_S

    async def wait(self, why: BaseException) -> None:
        """
        Wait before the next attempt.

        Raises: *why*, when it has taken too long.
        """
        if time.monotonic() >= self._end:
            raise why
        await asyncio.sleep(self._next * random.uniform(0.5, 1.0))
        self._next = min(LONGEST_S, 2 * self._next)


async def again_and_again(work: Callable[[], Awaitable[T]], patience_s: float = PATIENCE_S) -> T:
    """Do what may be done twice, until it has been done or takes too long."""
    backoff = Backoff(patience_s)
    while True:
        try:
            return await work()
        except LOST as why:
            await backoff.wait(why)

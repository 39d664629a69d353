"""The connection that hears announcements, opened again whenever it is lost."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kozyr.bus.link import Link, end


class Breaking:
    """A connection that is lost with its first statement, or lives."""

    def __init__(self, *, breaks: bool) -> None:
        self._breaks = breaks

    async def fetch(self, statement: str, *values: Any) -> list[Any]:
        if self._breaks:
            raise ConnectionResetError
        return []

    def is_closed(self) -> bool:
        return False

    def terminate(self) -> None:
        self._breaks = True

    async def close(self, timeout: float) -> None:
        self.terminate()


class BreakingLink(Link):
    """A link whose first connection is lost at once."""

    async def _connect(self) -> None:
        self._drop()
        self.connections += 1
        self._connection = Breaking(breaks=self.connections == 1)


async def test_a_process_starts_although_its_connection_is_cut_meanwhile() -> None:
    """The first round is done again on the next connection."""
    link, rounds = BreakingLink("", 0.05), 0

    async def work() -> None:
        nonlocal rounds
        await link.ask("SELECT 1")
        rounds += 1

    link.do_each_round(work)
    await link.start()
    async with asyncio.timeout(10):
        while rounds < 2:
            await asyncio.sleep(0.01)
    assert 2 == link.connections
    await link.close()


async def test_work_that_fails_keeps_no_other_from_being_done(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever a newer process says, this one starts, goes on hearing and saying, and tells its operator; the error is one's own."""
    link, rounds = BreakingLink("", 0.02), 0

    async def bad() -> None:
        raise ValueError("what a newer version has written")

    async def work() -> None:
        nonlocal rounds
        rounds += 1

    link.do_each_round(bad)
    link.do_each_round(work)
    await link.start()
    async with asyncio.timeout(10):
        while rounds < 3:
            await asyncio.sleep(0.01)
    assert 1 == link.connections
    assert "the link's work failed" in caplog.text
    await link.close()


@pytest.mark.parametrize("steps", range(8))
async def test_a_link_that_is_woken_just_before_it_is_closed_closes(steps: int) -> None:
    """However far its task has come since it was woken, closing ends it: no server waits for ever when it stops."""
    link = BreakingLink("", 60)
    await link.start()
    await asyncio.sleep(0.05)
    link.wake()
    for _ in range(steps):
        await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await link.close()


async def test_a_task_that_swallows_a_cancellation_is_cancelled_again() -> None:
    """A library that lets one cancellation vanish delays the end, and does not prevent it (trap 9)."""
    swallowed = 0

    async def stubborn() -> None:
        nonlocal swallowed
        while swallowed < 2:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                swallowed += 1
        await asyncio.sleep(60)

    task = asyncio.ensure_future(stubborn())
    await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await end(task)
    assert task.cancelled() and 2 == swallowed

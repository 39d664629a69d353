"""Processes in which bots think: one that dies or stands still, a queue that is full, and a bot that moves whatever happens."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable

import pytest

from kozyr.app import thinking
from kozyr.app.counts import COUNTS
from kozyr.app.thinking import Workers
from kozyr.bots import LEVELS
from kozyr.core.moves import Move
from kozyr.core.notation import parse_position
from kozyr.core.views import view

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="stops processes by signals")

SEEN = view(parse_position("36/s/0/0:7h,As;1:8h,6c/0>1/-/seats=2"), 0)
PATIENCE_S = 60
THINK_S, STILL_S = 1.0, 6.0
"""The second is so much later that a machine with much to do tells them apart."""
LONG_S = 2 * PATIENCE_S
"""Whatever waits for this one fails the test."""


@pytest.fixture
async def workers(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Workers]:
    """One process that has started, and room for two thoughts to wait for it."""
    monkeypatch.setattr(thinking, "FIRST_WAIT_S_MAX", PATIENCE_S)
    found = Workers(1, 2)
    assert LEVELS["hard"](SEEN) == await found.choose("hard", SEEN, None)
    for name in ("THINK_S_MAX", "WAIT_S_MAX", "STILL_S_MAX"):
        monkeypatch.setattr(thinking, name, LONG_S)
    yield found
    await found.close()
    await found.close()


def process_of(workers: Workers) -> int:
    [pid] = workers.pids
    return pid


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not is_so():
            await asyncio.sleep(0.01)


async def handed_over(workers: Workers) -> None:
    """Wait until the process has got a thought, and nobody waits for it."""
    await until(lambda: COUNTS.thinking > 0 and not workers._waiting)


async def timed(workers: Workers) -> tuple[Move | None, float]:
    """Ask for a move; how long it took."""
    loop = asyncio.get_running_loop()
    asked = loop.time()
    return await workers.choose("hard", SEEN, None), loop.time() - asked


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_process_that_is_killed_between_thoughts_is_replaced_before_the_next(workers: Workers) -> None:
    """Nobody notices a process that dies while no bot thinks."""
    killed, late = process_of(workers), COUNTS.unthought
    os.kill(killed, signal.SIGKILL)
    await until(lambda: bool(workers.pids - {killed}))
    assert LEVELS["hard"](SEEN) == (await timed(workers))[0]
    assert late == COUNTS.unthought and not is_there(killed)


async def test_a_process_that_is_killed_in_mid_thought_costs_no_move(workers: Workers) -> None:
    """The bot whose process has died moves at once, by a quick level; the next one thinks in another process."""
    killed, late, replaced = process_of(workers), COUNTS.unthought, COUNTS.replaced
    os.kill(killed, signal.SIGSTOP)
    asked = asyncio.ensure_future(timed(workers))
    await handed_over(workers)
    os.kill(killed, signal.SIGKILL)
    move, took = await asked
    assert move in SEEN.legal and took < PATIENCE_S
    await until(lambda: bool(workers.pids - {killed}))
    assert (await timed(workers))[0] in SEEN.legal
    assert (late + 1, replaced + 1) == (COUNTS.unthought, COUNTS.replaced)


async def test_a_process_that_stands_still_is_replaced(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for it waits no longer than a thought may take; it is killed, though it hears no other signal."""
    monkeypatch.setattr(thinking, "THINK_S_MAX", THINK_S)
    monkeypatch.setattr(thinking, "STILL_S_MAX", STILL_S)
    stopped, late = process_of(workers), COUNTS.unthought
    os.kill(stopped, signal.SIGSTOP)
    move, took = await timed(workers)
    assert move in SEEN.legal and 0.9 * THINK_S < took < STILL_S and is_there(stopped)
    monkeypatch.setattr(thinking, "THINK_S_MAX", LONG_S)
    await until(lambda: bool(workers.pids - {stopped}))
    assert not is_there(stopped)
    assert LEVELS["hard"](SEEN) == (await timed(workers))[0]
    assert late + 1 == COUNTS.unthought


async def test_a_process_that_is_late_goes_on(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits has a quick level choose; the process, which has only much to do, is kept, and its answer is nobody's."""
    monkeypatch.setattr(thinking, "THINK_S_MAX", THINK_S)
    slow, replaced = process_of(workers), COUNTS.replaced
    os.kill(slow, signal.SIGSTOP)
    assert (await timed(workers))[0] in SEEN.legal
    monkeypatch.setattr(thinking, "THINK_S_MAX", LONG_S)
    os.kill(slow, signal.SIGCONT)
    assert LEVELS["hard"](SEEN) == (await timed(workers))[0]
    assert (slow, replaced) == (process_of(workers), COUNTS.replaced)


async def test_a_stop_of_the_service_is_for_the_server(workers: Workers) -> None:
    """Bots think on while their server drains: what is sent to all of a service's processes ends none of theirs."""
    pid = process_of(workers)
    for number in (signal.SIGTERM, signal.SIGINT):
        os.kill(pid, number)
    assert LEVELS["hard"](SEEN) == (await timed(workers))[0]
    assert pid == process_of(workers)


async def test_a_full_queue_keeps_nobody_waiting(workers: Workers) -> None:
    """Where as many wait as may, the next bot has a quick level choose at once, and the event loop goes on (never a bot delays a table)."""
    stopped, crowded = process_of(workers), COUNTS.crowded
    os.kill(stopped, signal.SIGSTOP)
    asked = [asyncio.ensure_future(timed(workers))]
    await handed_over(workers)
    asked += [asyncio.ensure_future(timed(workers)) for _ in range(12)]
    await until(lambda: sum(each.done() for each in asked) >= 10)
    # Three still wait for a process that stands still, and the event loop has gone on meanwhile.
    assert 10 == sum(each.done() for each in asked) == COUNTS.crowded - crowded
    os.kill(stopped, signal.SIGCONT)
    answers = await asyncio.gather(*asked)
    assert all(move in SEEN.legal for move, _ in answers)
    assert 0 == COUNTS.thinking


async def test_who_has_waited_for_long_enough_is_chosen_for(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thought does not wait for ever for a process that is busy with another's."""
    monkeypatch.setattr(thinking, "WAIT_S_MAX", 0.3)
    stopped = process_of(workers)
    os.kill(stopped, signal.SIGSTOP)
    first = asyncio.ensure_future(timed(workers))
    await handed_over(workers)
    move, took = await timed(workers)
    assert move in SEEN.legal and took < PATIENCE_S and not first.done()
    os.kill(stopped, signal.SIGCONT)
    assert LEVELS["hard"](SEEN) == (await first)[0]


async def test_a_level_that_fails_has_a_quick_one_move(workers: Workers, caplog: pytest.LogCaptureFixture) -> None:
    """A fault in a bot is logged with its trace, stops no table and costs no process."""
    before = process_of(workers)
    assert await workers.choose("nobody", SEEN, None) in SEEN.legal
    assert "KeyError: 'nobody'" in caplog.text and before == process_of(workers)


async def test_who_is_let_go_waits_no_more_and_a_stop_leaves_nothing(workers: Workers) -> None:
    """A table that closes takes its bot's thought back; a server that stops answers who still waits, and ends its processes."""
    pid = process_of(workers)
    os.kill(pid, signal.SIGSTOP)
    asked = [asyncio.ensure_future(timed(workers))]
    await handed_over(workers)
    asked += [asyncio.ensure_future(timed(workers)) for _ in range(2)]
    await until(lambda: 2 == len(workers._waiting))
    asked.pop().cancel()
    await until(lambda: 1 == len(workers._waiting))
    await workers.close()
    assert all(move in SEEN.legal for move, _ in await asyncio.gather(*asked))
    assert not is_there(pid) and set() == workers.pids

"""One after another, whoever waits and however."""
from __future__ import annotations

import asyncio

import pytest

from kozyr.app.turn import Turn


async def test_turns_come_in_the_order_in_which_they_were_asked_for() -> None:
    """Coroutines and callbacks wait in one line, and nobody who comes later goes first."""
    turn, had = Turn(), list[str]()

    async def wait(name: str) -> None:
        async with turn:
            had.append(name)
            await asyncio.sleep(0)

    def called() -> None:
        had.append("b")
        asyncio.get_running_loop().call_soon(turn.release)

    assert turn.take()
    waiting = [asyncio.ensure_future(wait("a"))]
    await asyncio.sleep(0)
    turn.call(called)
    waiting.append(asyncio.ensure_future(wait("c")))
    await asyncio.sleep(0)
    turn.release()
    assert not turn.take()
    await asyncio.gather(*waiting)
    assert ["a", "b", "c"] == had
    assert turn.take()


@pytest.mark.parametrize("has_turn", [False, True])
async def test_who_gives_up_holds_nobody_back(has_turn: bool) -> None:
    """Whoever is cancelled while waiting, or just when the turn has come, lets the next one go."""
    turn, had = Turn(), list[str]()

    async def wait(name: str) -> None:
        async with turn:
            had.append(name)

    assert turn.take()
    first, second = asyncio.ensure_future(wait("first")), asyncio.ensure_future(wait("second"))
    await asyncio.sleep(0)
    if has_turn:
        turn.release()
    first.cancel()
    if not has_turn:
        turn.release()
    await second
    assert ["second"] == had
    assert first.cancelled()
    assert not turn.is_taken

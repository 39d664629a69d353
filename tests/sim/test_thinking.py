"""Bots that take their time think elsewhere, know what all have seen, and do not tell by their pace what they hold."""
from __future__ import annotations

import asyncio
import os
from typing import get_args

import pytest

from kozyr.app import thinking
from kozyr.app.alone import Alone
from kozyr.app.bot_seats import THINK_MS
from kozyr.app.commands import Done, Play
from kozyr.app.events import BOT, Player
from kozyr.app.tables import IDLE_SWEEPS, SWEEP_MS, Tables
from kozyr.app.thinking import HereAndNow, Workers
from kozyr.bots import LEVELS, Memory
from kozyr.bus.memory import MemoryBus
from kozyr.core.events import Event
from kozyr.core.moves import Move
from kozyr.core.options import Rules
from kozyr.core.views import View, view
from tests.sim.test_tables import PAUSE, World, bots, play_out, seated
from tests.sim.world import FakeClock, MemoryStore, SeededEntropy


class Slow:
    """A port `Thinking` that takes as long as it is told, by the world's clock, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[View, Memory | None]] = []

    async def choose(self, level: str, view: View, memory: Memory | None) -> Move | None:
        self.asked.append((view, memory))
        return LEVELS["normal"](view, memory)


class Thoughtful(World):
    """A server whose bots think elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.thinking = Slow()

    async def process(self) -> Tables:
        tables = Tables(self.store, self.bus.join(), self.clock, self.entropy, self.pause, thinking=self.thinking)
        await tables.start()
        return tables


def of_level(level: str, count: int) -> list[Player]:
    return [Player(f"B{seat}", BOT, level=level) for seat in range(count)]


async def test_a_bots_memory_is_that_of_the_whole_game() -> None:
    """Also after a restart in mid-game a bot is given what has been seen since the deal, and nothing of any hand (R13.1)."""
    world = Thoughtful()
    tables = await world.process()
    live = await tables.open(Rules(seats=3), of_level("normal", 3))
    table_id, dealt = live.table.id, live.table.position
    assert dealt is not None
    await world.clock.advance(20_000)
    await tables.close()
    tables = await world.process()
    again = await tables.get(table_id)
    assert again is not None and again.memory is not None
    _, told = await again.since(0)
    expected = Memory.of(view(dealt, None), [event for event in told if isinstance(event, get_args(Event))])
    assert remembered(expected) == remembered(again.memory)
    await play_out(world, again)
    assert all(memory is again.memory for _, memory in world.thinking.asked[-3:])
    await tables.close()


def remembered(memory: Memory) -> tuple[object, ...]:
    return memory.known, memory.discarded, memory.bout, memory.unlawful


class Elsewhere(Alone):
    """Another process looks after every table that nobody is at."""

    def is_home(self, table_id: str) -> bool:
        return False


class Stuck(HereAndNow):
    """Thinks until it is let go on."""

    def __init__(self) -> None:
        self.goes_on = asyncio.Event()

    async def choose(self, level: str, view: View, memory: Memory | None) -> Move | None:
        await self.goes_on.wait()
        return await super().choose(level, view, memory)


async def test_a_bot_that_thinks_while_its_table_is_let_go_plays_no_more() -> None:
    """Another process moves it: one that nobody holds any more would play its whole game beside that one, as fast as it can think."""
    store, clock, thinking = MemoryStore(), FakeClock(), Stuck()
    tables = Tables(store, MemoryBus().join(), clock, SeededEntropy(), PAUSE, thinking=thinking, peers=Elsewhere())
    await tables.start()
    live = await tables.open(Rules(seats=3, turn_s=0), bots(3))
    seq = live.table.seq
    await clock.advance((IDLE_SWEEPS + 2) * SWEEP_MS)
    assert 0 == len(tables)
    thinking.goes_on.set()
    await clock.advance(60_000)
    assert (0, seq) == (len(tables), len(store.rows[live.table.id]))
    await tables.close()


async def test_easy_bots_need_no_memory() -> None:
    """Nothing is kept where nobody makes use of it."""
    world = World()
    tables = await world.process()
    live = await tables.open(Rules(seats=3), bots(3))
    assert live.memory is None
    await tables.close()


async def test_easy_bots_of_cheating_tables_have_a_memory_and_stand_ins_have_none() -> None:
    """Easy slips and notices a card now and then (R14.1); who plays on for a person that left does neither (R16.3)."""
    world = Thoughtful()
    tables = await world.process()
    live = await seated(tables, 1, 2, cheat=True)
    assert live.memory is not None
    assert isinstance(await live.handle(Play(0, "resign", 1)), Done)
    await play_out(world, live)
    assert {0: {True}, 1: {False}, 2: {False}} == {
        seat: {memory is None for asked, memory in world.thinking.asked if asked.seat == seat} for seat in range(3)
    }
    await tables.close()


async def test_the_pace_does_not_tell_how_hard_a_choice_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """A level that takes its time moves after the same pause as any other, whether it had to think or not (V5)."""
    monkeypatch.setattr(thinking, "QUICK", frozenset({"easy"}))
    monkeypatch.setattr("kozyr.app.bot_seats.QUICK", frozenset({"easy"}))
    world = Thoughtful()
    tables = await world.process()
    live = await tables.open(Rules(seats=2), of_level("normal", 2))
    start, seq, position = world.clock.now(), live.table.seq, live.table.position
    assert position is not None
    pause = PAUSE.before_move(live.table.id, seq, position.attacker)
    await world.clock.advance(pause - THINK_MS)
    assert 1 == len(world.thinking.asked)
    await world.clock.advance(THINK_MS - 1)
    assert [] == world.moves(live.table.id)
    await world.clock.advance(1)
    assert start + pause == world.moves(live.table.id)[0][0]
    await tables.close()


async def test_a_server_that_stops_does_not_wait_for_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot in mid-thought is let go."""
    monkeypatch.setattr("kozyr.app.bot_seats.QUICK", frozenset({"easy"}))
    world = Thoughtful()
    tables = await world.process()
    live = await tables.open(Rules(seats=2), of_level("normal", 2))
    await world.clock.advance(1000 - THINK_MS)
    await tables.close()
    assert [] == world.moves(live.table.id)


async def test_workers_choose_like_the_level_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """In another process the same view and memory give the same move; one that dies is replaced, and its bot still moves."""
    monkeypatch.setattr(thinking, "QUICK", frozenset({"easy"}))
    world = World()
    tables = await world.process()
    live = await tables.open(Rules(seats=2), of_level("normal", 2))
    position = live.table.position
    assert position is not None
    seen = view(position, position.attacker)
    workers = Workers(1)
    try:
        assert LEVELS["normal"](seen, live.memory) == await workers.choose("normal", seen, live.memory)
        [worker] = workers.pids
        os.kill(worker, 9)
        assert await workers.choose("normal", seen, live.memory) in seen.legal
        assert await workers.choose("normal", seen, live.memory) in seen.legal
    finally:
        await workers.close()
    await tables.close()

"""A table's home: the one process that looks after it while nobody is connected, and moves its bots."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kozyr.app.bot_seats import Pause
from kozyr.app.events import Player
from kozyr.core.options import Rules
from tests.chaos.processes import Process, at, process, until
from tests.web.player import seated


@pytest.fixture
async def two(postgres_url: str, tmp_path: Path) -> AsyncIterator[tuple[Process, Process]]:
    async with process(postgres_url, "1", tmp_path) as one, process(postgres_url, "2", tmp_path) as other:
        await until(lambda: not one.peers.is_alone and not other.peers.is_alone)
        yield one, other


async def test_each_table_has_one_home_which_moves_with_a_death(two: tuple[Process, Process]) -> None:
    """One process looks after a table that nobody is at; when it has gone another does, and the others keep theirs."""
    names = [f"t{number}" for number in range(200)]
    homes = {name: [each.peers.is_home(name) for each in two] for name in names}
    assert all(sum(each) == 1 for each in homes.values())
    assert 60 <= sum(each[0] for each in homes.values()) <= 140
    assert {f"/p/{1 + each.index(True)}" for each in homes.values()} == {two[0].peers.address_of(name) for name in names}
    await two[0].vanish()
    await until(lambda: two[1].peers.is_alone)
    assert all(two[1].peers.is_home(name) for name in names)


async def test_bots_move_by_one_process_and_by_the_other_when_it_is_gone(postgres_url: str, tmp_path: Path) -> None:
    """A table of bots that two processes have in memory goes on at its pace, without both moving, and survives either of them (I10)."""
    pause = Pause(60, 0)
    async with process(postgres_url, "1", tmp_path, pause=pause) as one, process(postgres_url, "2", tmp_path, pause=pause) as other:
        await until(lambda: not one.peers.is_alone and not other.peers.is_alone)
        bots = [Player(f"B{seat}", "bot", level="easy") for seat in range(4)]
        live = await one.site.tables.open(Rules(seats=4, deck=52), bots)
        there = await at(other, live)
        drivers = [each.peers.is_driver(live.table.id) for each in (one, other)]
        assert 1 == sum(drivers)
        driver, second = (one, there) if drivers[0] else (other, live)
        await until(lambda: there.table.seq > 8 and live.table.seq > 8)
        driver.site.tables._closing = True
        await driver.vanish()
        before = second.table.seq
        await until(lambda: second.table.seq > before + 4 or second.table.stage == "over")


async def test_a_table_that_nobody_is_at_goes_on_at_its_home(postgres_url: str, tmp_path: Path) -> None:
    """Bots play on wherever the table was opened, at their pace: its home takes it up, and the other process lets it go."""
    async with process(postgres_url, "1", tmp_path) as one, process(postgres_url, "2", tmp_path) as other:
        await until(lambda: not one.peers.is_alone and not other.peers.is_alone)
        bots = [Player(f"B{seat}", "bot", level="easy") for seat in range(2)]
        slow = Pause(3_600_000, 0)
        one.site.tables._pause = other.site.tables._pause = slow
        opened_here = [await one.site.tables.open(Rules(seats=2), bots) for _ in range(6)]
        away = [live.table.id for live in opened_here if other.peers.is_home(live.table.id)]
        await until(lambda: all(other.site.tables.in_memory(table_id) for table_id in away))
        assert not any(other.site.tables.in_memory(live.table.id) for live in opened_here if live.table.id not in away)
        for _ in range(12):
            one.site.tables.let_go()
        assert not any(one.site.tables.in_memory(table_id) for table_id in away)


async def test_a_home_does_not_keep_a_table_whose_people_are_elsewhere(postgres_url: str, tmp_path: Path) -> None:
    """Only who has somebody at a table takes its moves in; the home takes it up again when that process has gone (I10)."""
    async with process(postgres_url, "1", tmp_path) as one, process(postgres_url, "2", tmp_path) as other:
        await until(lambda: not one.peers.is_alone and not other.peers.is_alone)
        async with one.browser() as session:
            while True:
                player = await seated(session, options={"seats": 2}, private=False, bots=["easy"])
                if other.peers.is_home(player.table_id):
                    break
            async with player:
                await player.hello()
                assert await other.site.tables.get(player.table_id) is not None
                await until(lambda: bool(other.peers.known_elsewhere(player.table_id)))
                for _ in range(12):
                    other.site.tables.let_go()
                assert other.site.tables.in_memory(player.table_id) is None
                assert one.site.tables.in_memory(player.table_id) is not None
                one.site.tables._closing = True
                await one.vanish()
                await until(lambda: other.site.tables.in_memory(player.table_id) is not None)

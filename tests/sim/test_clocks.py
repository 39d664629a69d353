"""Clocks of whole tables: never early, once, punctual; absent players, lost connections, and a server that was away."""
from __future__ import annotations

import asyncio
import time
from itertools import pairwise

import pytest

from kozyr.app.alone import Alone
from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock
from kozyr.app.commands import Done, Outage, Play, Ready
from kozyr.app.events import AutopilotSet, GameEnded, Moved, TimeGiven, decode
from kozyr.app.evolve import steps
from kozyr.app.live import LiveTable
from kozyr.app.table import STILL_MS
from kozyr.app.tables import STALL_MS, SWEEP_MS, Tables
from kozyr.app.turn_clock import GRACE_MS
from kozyr.bus.memory import MemoryBus
from kozyr.core.codes import CHALLENGE
from kozyr.core.options import Rules
from tests.app.play import commit, person, reveal, some_move
from tests.sim.test_tables import World, bots, play_out, seated
from tests.sim.world import MemoryStore, SeededEntropy, settle


def lateness(world: World, table_id: str) -> list[int]:
    """How late each act of the clock was, in milliseconds."""
    late = []
    walked = list(steps(table_id, world.store.rows[table_id]))
    for before, after in pairwise(walked):
        is_act = isinstance(after.event, AutopilotSet) or (isinstance(after.event, Moved) and after.event.by == "clock")
        # Several default moves of one act have one time; the first of them tells.
        if is_act and before.table.at != after.table.at:
            assert before.table.due is not None
            late.append(after.table.at - before.table.due)
    return late


@pytest.mark.parametrize(("people", "options"), [(2, {}), (2, {"cheat": True}), (4, {"forfeit": "end_game", "transfer": True})])
async def test_a_game_that_everybody_has_left_ends_by_the_clock(people: int, options: dict[str, object]) -> None:
    """Nobody plays: the clock does, punctually, until somebody has lapsed three times (R16.2)."""
    world = World()
    tables = await world.process()
    live = await seated(tables, people, 0, **options)
    await play_out(world, live)
    assert {0} == set(lateness(world, live.table.id))
    ended = decode(world.store.rows[live.table.id][-1].body)
    assert isinstance(ended, GameEnded) and "forfeit" == ended.reason
    await tables.close()


async def test_an_absent_player_is_played_on_for_and_the_game_ends() -> None:
    """At a free table of three the bot takes over after three lapses, and the others play to the end (R16.3)."""
    world = World()
    tables = await world.process()
    live = await seated(tables, 1, 2)
    await play_out(world, live)
    assert 1 == sum(isinstance(decode(row.body), AutopilotSet) for row in world.store.rows[live.table.id])
    assert set(lateness(world, live.table.id)) <= {0}
    await tables.close()


async def test_a_clock_acts_once_with_several_processes() -> None:
    """Three processes have the table in memory, and each has its timer: every act is in the log once (I6)."""
    world = World()
    processes = [await world.process() for _ in range(3)]
    live = await seated(processes[0], 2, 0)
    for tables in processes[1:]:
        assert await tables.get(live.table.id) is not None
    await play_out(world, live)
    await settle()
    assert {0} == set(lateness(world, live.table.id))
    folded = list(steps(live.table.id, world.store.rows[live.table.id]))
    assert folded[-1].table.seq == live.table.seq == len(folded)
    for tables in processes:
        await tables.close()


async def test_a_clock_goes_on_when_its_process_dies() -> None:
    """Another process finds the overdue table, at most one sweep late, although nobody asks for it (I6, I10)."""
    world = World()
    one, two = await world.process(), await world.process()
    live = await seated(one, 2, 0)
    due = live.table.due
    assert due is not None
    one._seated[live.table.id].stop()
    one._closing = True
    await world.clock.advance(due - world.clock.now() + 2 * SWEEP_MS + GRACE_MS + 1)
    acted = world.moves(live.table.id)[0][0]
    assert due <= acted <= due + 2 * SWEEP_MS + GRACE_MS
    await two.close()


async def test_a_servers_absence_costs_nobody_anything() -> None:
    """The server is away for minutes; the seat to move has what it had left when it comes back (R16.1)."""
    world = World()
    tables = await world.process()
    live = await seated(tables, 2, 0)
    await world.clock.advance(10_000)
    await tables.close()
    await world.clock.advance(300_000)
    tables = await world.process()
    await settle()
    back = await tables.get(live.table.id)
    assert back is not None and back.table.due is not None
    assert 20_000 <= back.table.due - world.clock.now() <= 20_000 + SWEEP_MS
    await world.clock.advance(19_999)
    assert [] == world.moves(live.table.id)
    # Nobody has come back since; that is a lost connection.
    await world.clock.advance(SWEEP_MS + GRACE_MS + 1)
    assert 1 == len(world.moves(live.table.id))
    await tables.close()


async def test_a_server_that_dies_before_its_first_beat_costs_nobody_anything() -> None:
    """The very first server is gone within a second, and nothing says that it was ever there: whose clock ran has all of it (R16.1)."""
    world = World()
    tables = await world.process()
    live = await seated(tables, 2, 0)
    tables.let_go()
    tables._closing = True
    assert await world.store.last_beat() is None
    await world.clock.advance(300_000)
    for _ in range(2):
        tables = await world.process()
        await settle()
        again = tables.in_memory(live.table.id)
        assert again is not None and again.table.due is not None
        assert 30_000 == again.table.due - world.clock.now()
        assert [] == world.moves(live.table.id)
        # This one dies just as soon.
        tables._closing = True
        tables._seated[live.table.id].stop()
        world.store.beats = None
        await world.clock.advance(300_000)


async def test_two_absences_are_given_back_both() -> None:
    """Killed, started, killed again: each time is given back once."""
    world = World()
    tables = await world.process()
    live = await seated(tables, 2, 0)
    started = live.table.at
    for _ in range(2):
        await world.clock.advance(5000)
        await tables.close()
        await world.clock.advance(100_000)
        tables = await world.process()
    await settle()
    given = [event.ms for row in world.store.rows[live.table.id] if isinstance(event := decode(row.body), TimeGiven)]
    assert 2 == len(given)
    back = await tables.get(live.table.id)
    assert back is not None and back.table.due is not None
    assert started + 30_000 + 200_000 <= back.table.due <= started + 30_000 + 200_000 + 2 * SWEEP_MS
    await tables.close()


async def test_a_machine_that_slept_costs_nobody_anything() -> None:
    """The process stood still, as on a laptop that was closed: all clocks get that time back (R16.1)."""
    world = World()
    tables = await world.process()
    live = await seated(tables, 2, 0)
    await world.clock.advance(10_000)
    world.clock._now += 10 * STALL_MS
    await world.clock.advance(1)
    assert [] == world.moves(live.table.id)
    assert live.table.due is not None
    assert 20_000 - SWEEP_MS <= live.table.due - world.clock.now() <= 20_000 + SWEEP_MS
    await tables.close()


async def test_a_lost_connection_gives_two_seconds() -> None:
    """The clock of a seat whose connection was lost acts two seconds later; who comes back meanwhile plays (R16.1)."""
    world = World()
    tables = await world.process()
    live = await seated(tables, 2, 0)
    due, position = live.table.due, live.table.position
    assert due is not None and position is not None
    await world.clock.advance(5000)
    live.lost[position.attacker] = world.clock.now()
    await world.clock.advance(due - world.clock.now() + 1999)
    assert [] == world.moves(live.table.id)
    live.lost.clear()
    assert isinstance(await live.handle(some_move(live.table)), Done)
    await tables.close()


async def test_bots_go_on_after_a_restart_although_nobody_looks() -> None:
    """A table of bots in mid-game is found by the next process itself (I10)."""
    world = World()
    tables = await world.process()
    live = await tables.open(Rules(seats=3), bots(3))
    await world.clock.advance(3000)
    await tables.close()
    tables = await world.process()
    await settle()
    again = await tables.get(live.table.id)
    assert again is not None
    await play_out(world, again)
    await tables.close()


async def test_bots_without_a_clock_go_on_after_a_restart_although_nobody_looks() -> None:
    """Where no clock runs the next process finds those tables all the same at which bots alone play on, and no others (I10, R16.1)."""
    world = World()
    tables = await world.process()
    live = await tables.open(Rules(seats=3, turn_s=0), bots(3))
    with_person = await seated(tables, 1, 2, turn_s=0)
    left = await seated(tables, 1, 2, turn_s=0)
    assert isinstance(await left.handle(Play(0, "resign", 1)), Done)
    await world.clock.advance(3000)
    await tables.close()
    await world.clock.advance(10_000_000)
    tables = await world.process()
    await settle()
    assert {live.table.id, left.table.id} == set(tables.ids())
    for each in (live, left):
        again = tables.in_memory(each.table.id)
        assert again is not None
        await play_out(world, again)
        assert world.store.dues[each.table.id] is None
    assert world.store.dues[with_person.table.id] is None
    await tables.close()


async def test_bots_without_a_clock_are_found_by_a_process_that_is_there() -> None:
    """Nobody says that their process has died: another one comes to them once they must have moved long ago, and not before (I10)."""
    world = World()
    one, two = await world.process(), await world.process()
    live = await one.open(Rules(seats=2, turn_s=0), bots(2))
    await world.clock.advance(3000)
    one._seated[live.table.id].stop()
    one._closing = True
    seq = live.table.seq
    await world.clock.advance(STILL_MS - 3000)
    assert [] == two.ids()
    await world.clock.advance(5000)
    assert [live.table.id] == two.ids()
    assert len(world.store.rows[live.table.id]) > seq
    await two.close()


async def test_a_stopped_table_keeps_no_timer_busy() -> None:
    """A table whose rules failed does nothing any more, by the clock neither."""
    world = World()
    tables = await world.process()
    live = await seated(tables, 2, 0)
    live.is_stopped = True
    await world.clock.advance(60_000)
    assert [] == world.moves(live.table.id)
    await tables.close()


async def test_a_clock_that_is_about_to_act_as_its_table_is_let_go_is_not_started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has the table then looks after it: a table that nobody holds has no timer that would keep it for ever."""
    world, goes_on = World(), asyncio.Event()
    tables = await world.process()
    live = await seated(tables, 2, 0)
    seat = tables._seated[live.table.id]

    async def outage() -> None:
        await goes_on.wait()

    monkeypatch.setattr(tables, "outage", outage)
    acting = asyncio.ensure_future(seat.let_clock_act())
    await asyncio.sleep(0)
    tables._seated.pop(live.table.id).stop()
    before = world.clock.waiting
    goes_on.set()
    await acting
    assert before == world.clock.waiting
    await tables.close()


async def test_clocks_are_punctual_in_the_real_world() -> None:
    """On the system's clock: never early; 99 of 100 windows close at most 50 ms late, a bare timer's lateness aside (T8)."""
    store, clock = MemoryStore(), SystemClock()
    tables = Tables(store, MemoryBus().join(), clock, SeededEntropy(), Pause(3_600_000, 0))
    await tables.start()
    rules = Rules(seats=2, cheat=True, challenge_ms=500)
    lives: list[LiveTable] = []
    dues: dict[str, tuple[int, int | None]] = {}
    for _ in range(100):
        live = await tables.open(rules, [person(0), person(1)])
        for seat in (0, 1):
            await live.handle(Ready(seat, True, tables.draw_seeds(2)))
        for make in (commit, reveal):
            for seat in (0, 1):
                await live.handle(make(live.table, seat))
        while live.table.position is None or live.table.position.phase != CHALLENGE:
            await live.handle(some_move(live.table))
        lives.append(live)
        dues[live.table.id] = (live.table.seq, live.table.due)
    bare = 0.0
    while any(live.table.seq == dues[live.table.id][0] for live in lives):
        asked = time.perf_counter()
        await asyncio.sleep(0.01)
        bare = max(bare, 1000 * (time.perf_counter() - asked) - 10)
    late = []
    for table_id, (seq, due) in dues.items():
        assert due is not None
        late.append(store.rows[table_id][seq].at - due)
        assert 2 == sum(row.at == store.rows[table_id][seq].at and row.seq > seq for row in store.rows[table_id])
    assert min(late) >= 0
    assert sorted(late)[98] <= 50 + bare
    await tables.close()


class Others(Alone):
    """There are other processes."""

    @property
    def is_alone(self) -> bool:
        return False


async def test_an_absence_of_all_processes_is_known_to_each() -> None:
    """The first process to be back may be another than the one that takes up the table: the time is given back all the same (R16.1)."""
    world = World()
    first = await world.process()
    live = await seated(first, 2, 0)
    await world.clock.advance(10_000)
    gone = world.clock.now()
    await first.close()
    await world.clock.advance(300_000)
    back = world.clock.now()
    await world.store.beat(back)
    await world.clock.advance(1500)
    late = Tables(world.store, world.bus.join(), world.clock, world.entropy, world.pause, peers=Others())
    await late.start()
    await settle()
    assert Outage(gone, back) == await late.outage()
    there = await late.get(live.table.id)
    assert there is not None and there.table.due is not None
    assert 18_000 <= there.table.due - world.clock.now() <= 20_000
    await late.close()


async def test_a_process_that_stood_still_alone_gives_nothing_back() -> None:
    """While one process stood still the others were there, and everybody could play: nobody's clock gets longer (R16.1)."""
    world = World()
    tables = Tables(world.store, world.bus.join(), world.clock, world.entropy, world.pause, peers=Others())
    await tables.start()
    at_start = await tables.outage()
    await seated(tables, 2, 0)
    await world.clock.advance(3000)
    for _ in range(10):
        world.clock._now += 1000
        await world.store.beat(world.clock.now())
    assert at_start == await tables.outage()
    await tables.close()

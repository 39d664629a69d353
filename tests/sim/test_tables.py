"""Whole tables with their clocks and bots, on a clock that is moved by hand."""
from __future__ import annotations

import asyncio
import itertools

import pytest

from kozyr.app.bot_seats import Pause
from kozyr.app.commands import AskAgain, Done, Play, Ready
from kozyr.app.events import BOT, PERSON, Moved, Player, TimeGiven, decode
from kozyr.app.evolve import fold
from kozyr.app.live import LiveTable
from kozyr.app.ports import Tail
from kozyr.app.reading import LOADS_MOST
from kozyr.app.table import SEED_MS, Stage
from kozyr.app.tables import IDLE_SWEEPS, SWEEP_MS, Tables
from kozyr.bots import cheating
from kozyr.bots.cheating import Rates
from kozyr.bus.memory import MemoryBus
from kozyr.core.codes import CHALLENGE
from kozyr.core.options import Rules
from tests.app.play import commit, person, reveal, some_move
from tests.sim.world import FakeClock, MemoryStore, SeededEntropy, settle

PAUSE = Pause(700, 300)
AT_ONCE = Pause(0, 0)


class World:
    """One server process, or several, on one store."""

    def __init__(self, pause: Pause = PAUSE, seed: int = 1) -> None:
        self.store = MemoryStore()
        self.clock = FakeClock()
        self.bus = MemoryBus()
        self.pause = pause
        self.entropy = SeededEntropy(seed)

    async def process(self) -> Tables:
        tables = Tables(self.store, self.bus.join(), self.clock, self.entropy, self.pause)
        await tables.start()
        return tables

    def moves(self, table_id: str) -> list[tuple[int, Moved]]:
        """The moves in a table's log, each with its time."""
        found = [(row.at, decode(row.body)) for row in self.store.rows[table_id]]
        return [(at, event) for at, event in found if isinstance(event, Moved)]


def bots(count: int) -> list[Player]:
    return [Player(f"B{seat}", BOT, level="easy") for seat in range(count)]


def is_over(live: LiveTable) -> bool:
    return live.table.game is not None and live.table.game.stage is Stage.OVER


async def play_out(world: World, live: LiveTable, step_ms: int = 5000) -> None:
    for _ in range(2000):
        if is_over(live):
            return
        await world.clock.advance(step_ms)
    raise AssertionError("the game does not end")


OPTIONS: list[dict[str, object]] = [
    {"seats": 2},
    {"seats": 6},
    {"seats": 4, "transfer": True, "multi_transfer": True, "show_transfer": True},
    {"seats": 3, "cheat": True},
    {"seats": 4, "cheat": True, "penalty": "rollback"},
    {"seats": 5, "throw_priority": "attacker_first", "deck": 52},
    {"seats": 3, "pace": "turns"},
    {"seats": 3, "draws": False, "throw_scope": "neighbours"},
    {"seats": 4, "deck": 24, "throw_on_take": False},
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(f"{name}={value}" for name, value in options.items()))
async def test_bots_play_a_game_to_its_end(options: dict[str, object]) -> None:
    """At every kind of table a game of bots ends, and its log folds to the same table (I4)."""
    world = World()
    tables = await world.process()
    rules = Rules.of(options)
    live = await tables.open(rules, bots(rules.seats))
    await play_out(world, live)
    again = fold(live.table.id, world.store.rows[live.table.id])
    assert again.game is not None and live.table.game is not None
    assert (again.seq, again.game.ended) == (live.table.seq, live.table.game.ended)
    await tables.close()


async def test_bots_pause_before_they_move() -> None:
    """A bot moves 400 to 1000 ms after the game began to wait for it."""
    world = World()
    tables = await world.process()
    live = await tables.open(Rules(seats=2), bots(2))
    start = world.clock.now()
    await world.clock.advance(399)
    assert [] == world.moves(live.table.id)
    await play_out(world, live, 50)
    times = [start, *(at for at, _ in world.moves(live.table.id))]
    gaps = {later - earlier for earlier, later in itertools.pairwise(times)}
    assert min(gaps) >= 0 and max(gaps) <= 1000
    assert len(gaps) > 10
    await tables.close()


async def test_a_bots_pause_does_not_depend_on_its_cards() -> None:
    """Whatever the deck, a bot's first move comes after the pause that table, number and seat give (V5)."""
    for seed in range(5):
        world = World(seed=seed)
        tables = await world.process()
        live = await tables.open(Rules(seats=3), bots(3))
        start, seq = world.clock.now(), live.table.seq
        position = live.table.position
        assert position is not None
        expected = PAUSE.before_move(live.table.id, seq, position.attacker)
        await world.clock.advance(1000)
        assert start + expected == world.moves(live.table.id)[0][0]
        await tables.close()


def test_pauses_differ_from_move_to_move_within_their_bounds() -> None:
    """A pause looks human: never the same twice in a row, never out of its bounds."""
    pauses = [PAUSE.before_move("t", seq, 1) for seq in range(200)]
    assert all(400 <= pause <= 1000 for pause in pauses)
    assert len(set(pauses)) > 100
    assert 0 == AT_ONCE.before_move("t", 1, 1)


async def seated(tables: Tables, people: int, bots_at: int, **options: object) -> LiveTable:
    live = await tables.open(Rules.of({"seats": people + bots_at, **options}), [*(person(seat) for seat in range(people)), *bots(bots_at)])
    if live.table.game is None:
        for seat in range(people):
            live.lost.pop(seat, None)
            assert isinstance(await live.handle(Ready(seat, True, tables.draw_seeds(live.table.rules.seats))), Done)
    for seat in range(people):
        assert isinstance(await live.handle(commit(live.table, seat)), Done)
    for seat in range(people):
        assert isinstance(await live.handle(reveal(live.table, seat)), Done)
    return live


async def test_a_game_with_a_silent_person_is_dealt_by_the_clock() -> None:
    """Whoever never commits delays the deal by three seconds, and nothing more."""
    world = World(AT_ONCE)
    tables = await world.process()
    live = await tables.open(Rules(seats=2), [person(0), *bots(1)])
    await world.clock.advance(SEED_MS - 1)
    assert live.table.position is None
    await world.clock.advance(1)
    assert live.table.position is not None
    await tables.close()


async def test_bots_accept_together_after_a_fixed_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a cheating table all bots accept after the same pause; the window stays open for the person until the clock closes it (R14.5)."""
    monkeypatch.setattr(cheating, "rates_of", lambda _level: Rates(0, 0))
    world = World()
    tables = await world.process()
    live = await seated(tables, 1, 4, cheat=True)
    while live.table.position is None or live.table.position.phase != CHALLENGE:
        position = live.table.position
        assert position is not None
        try:
            move = some_move(live.table)
        except AssertionError:
            move = None
        if move is not None and move.seat == 0:
            await live.handle(move)
        else:
            await world.clock.advance(10)
    opened = world.store.rows[live.table.id][-1].at
    seq = live.table.seq
    bout = live.table.position.bout_no
    await world.clock.advance(opened + 699 - world.clock.now())
    assert seq == live.table.seq
    await world.clock.advance(1)
    assert seq + 4 == live.table.seq
    await world.clock.advance(2299)
    assert live.table.position is not None and bout == live.table.position.bout_no
    await world.clock.advance(1)
    assert live.table.position is not None and bout + 1 == live.table.position.bout_no
    assert {opened + 700, opened + 3000} == {at for at, event in world.moves(live.table.id) if event.move == "accept"}
    assert "clock" == [event for _, event in world.moves(live.table.id) if event.move == "accept"][-1].by
    await tables.close()


async def test_a_seat_on_autopilot_is_played_by_the_easy_bot() -> None:
    """Who leaves a free table of three is played on for, and the game ends without them (R16.3)."""
    world = World()
    tables = await world.process()
    live = await seated(tables, 1, 2)
    assert isinstance(await live.handle(Play(0, "resign", 1)), Done)
    await play_out(world, live)
    assert {"bot"} == {event.by for _, event in world.moves(live.table.id)}
    await tables.close()


async def test_another_game_follows_at_the_same_table() -> None:
    """Play again deals anew to the same seats."""
    world = World()
    tables = await world.process()
    live = await seated(tables, 1, 2)
    live.listen(lambda: None)
    await live.handle(Play(0, "resign", 1))
    await play_out(world, live)
    assert isinstance(await live.handle(AskAgain(0, 1, tables.draw_seeds(3))), Done)
    await world.clock.advance(SEED_MS)
    assert live.table.game is not None
    assert (2, Stage.PLAYING) == (live.table.game.number, live.table.game.stage)
    await tables.close()


async def test_a_restart_goes_on_at_the_same_card() -> None:
    """A new process finds the table as it was, and its bots play on."""
    world = World()
    tables = await world.process()
    live = await tables.open(Rules(seats=3), bots(3))
    await world.clock.advance(20_000)
    table_id, seq = live.table.id, live.table.seq
    await tables.close()
    await world.clock.advance(60_000)
    assert seq == len(world.store.rows[table_id])
    revived = await (await world.process()).get(table_id)
    assert revived is not None
    assert [TimeGiven] == [type(decode(row.body)) for row in world.store.rows[table_id][seq:]]
    await play_out(world, revived)


async def test_an_overdue_clock_is_found_after_a_restart() -> None:
    """A deadline that ran out while no process was there is kept, less that time, although nobody asks for the table (I6)."""
    world = World()
    tables = await world.process()
    live = await tables.open(Rules(seats=2), [person(0), *bots(1)])
    table_id = live.table.id
    await world.clock.advance(1000)
    await tables.close()
    await world.clock.advance(SEED_MS + 5 * SWEEP_MS)
    await world.process()
    await world.clock.advance(SEED_MS - 1001)
    assert fold(table_id, world.store.rows[table_id]).position is None
    await world.clock.advance(1)
    assert fold(table_id, world.store.rows[table_id]).position is not None


async def test_two_processes_serve_one_table() -> None:
    """Both processes drive the bots of a table; every move is still made once, and both see the same game (I1, I5)."""
    world = World()
    one, two = await world.process(), await world.process()
    live = await one.open(Rules(seats=4), bots(4))
    other = await two.get(live.table.id)
    assert other is not None
    await play_out(world, live)
    await settle()
    assert live.table.seq == other.table.seq == len(world.store.rows[live.table.id])
    assert other.table.game is not None and live.table.game is not None
    assert live.table.game.ended == other.table.game.ended


async def test_a_hint_during_loading_is_not_lost() -> None:
    """A move announced while a table is being loaded is in what is loaded, or read after it."""
    world = World(AT_ONCE)
    one, two = await world.process(), await world.process()
    live = await seated(one, 2, 0)
    loading = two.get(live.table.id)
    task = asyncio.ensure_future(loading)
    await live.handle(some_move(live.table))
    await settle()
    other = await task
    assert other is not None
    assert live.table.seq == other.table.seq


async def test_a_table_that_nobody_is_at_is_let_go_and_found_again() -> None:
    """Memory is for tables where something happens; the log has all of them."""
    world = World()
    tables = await world.process()
    live = await seated(tables, 2, 0, turn_s=0)
    unlisten = live.listen(lambda: None)
    await world.clock.advance(3 * IDLE_SWEEPS * SWEEP_MS)
    assert 1 == len(tables)
    unlisten()
    await world.clock.advance(IDLE_SWEEPS * SWEEP_MS)
    assert live is await tables.get(live.table.id)
    await world.clock.advance(IDLE_SWEEPS * SWEEP_MS)
    assert 1 == len(tables)
    await world.clock.advance(2 * SWEEP_MS)
    assert 0 == len(tables)
    found = await tables.get(live.table.id)
    assert found is not None and found is not live
    assert found.table.seq == live.table.seq
    await tables.close()


async def test_a_stop_waits_for_a_table_that_is_being_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asked for it may have gone; afterwards nobody could take back that this process has the table."""
    world = World()
    tables = await world.process()
    live = await seated(tables, 2, 0)
    again, goes_on, load = await world.process(), asyncio.Event(), world.store.load

    async def slow(table_id: str, after: int = 0) -> Tail | None:
        await goes_on.wait()
        return await load(table_id, after)

    monkeypatch.setattr(world.store, "load", slow)
    asking = asyncio.ensure_future(again.get(live.table.id))
    await asyncio.sleep(0)
    asking.cancel()
    closing = asyncio.ensure_future(again.close())
    await settle()
    assert not closing.done()
    goes_on.set()
    await closing
    assert {} == again._loading
    await tables.close()


async def test_there_is_no_table_that_was_not_opened() -> None:
    """A made-up address leads nowhere."""
    assert await (await World().process()).get("nothere") is None


async def test_many_at_once_load_a_table_once() -> None:
    """All who come at the same moment get the same table."""
    world = World()
    live = await seated(await world.process(), 2, 0)
    tables = await world.process()
    found = await asyncio.gather(*(tables.get(live.table.id) for _ in range(10)))
    assert 1 == len({id(each) for each in found})


def test_persons_and_bots_are_told_apart() -> None:
    """A person has a guest, a bot has a level."""
    assert (PERSON, None) == (person(0).kind, person(0).level)


async def test_tables_are_loaded_a_few_in_a_turn() -> None:
    """
    When everybody comes back at once, no turn of the loop takes in more than a few tables: whoever moves elsewhere does not wait for all.
    """
    world = World()
    first = await world.process()
    ids = [(await first.open(Rules(seats=2), [person(0), person(1)])).table.id for _ in range(50)]
    await first.close()
    second = await world.process()
    loads = asyncio.gather(*(second.get(table_id) for table_id in ids))
    counts = [len(second)]
    while len(second) < len(ids):
        await asyncio.sleep(0)
        counts.append(len(second))
    assert all(isinstance(live, LiveTable) for live in await loads)
    assert LOADS_MOST >= max(after - before for before, after in itertools.pairwise(counts))
    await second.close()

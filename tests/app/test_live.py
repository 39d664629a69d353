"""A table in memory: durable before it is shown, one append at a time, and no command twice."""
from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from kozyr.app.commands import Command, Done, Lapse, Leave, Play, Ready, Refusal, Sit
from kozyr.app.decide import open_table
from kozyr.app.events import PERSON, Player, encode
from kozyr.app.evolve import Happening
from kozyr.app.live import READS, Astray, LiveTable
from kozyr.app.ports import Appended, Conflict, Doubled, Limited, Row, Tail, Unpaid
from kozyr.app.shown import RECENT
from kozyr.app.table import Stage
from kozyr.bus.memory import MemoryBus
from kozyr.core import events as play
from kozyr.core.codes import CHALLENGE
from kozyr.core.options import Rules
from tests.app.play import NOW, bot, commit, person, reveal, seeds, some_move
from tests.sim.world import FakeClock, MemoryStore


class SlowStore(MemoryStore):
    """A store whose appends wait for a gate, and that counts how many are in flight."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.gate.set()
        self.in_flight = 0
        self.most_in_flight = 0

    async def append(
        self, table_id: str, expected: int, rows: Sequence[Row], due: int | None, *more: Any
    ) -> Appended | Conflict | Doubled | Unpaid | Limited:
        self.in_flight += 1
        self.most_in_flight = max(self.in_flight, self.most_in_flight)
        await self.gate.wait()
        outcome = await super().append(table_id, expected, rows, due, *more)
        self.in_flight -= 1
        return outcome


async def opened(store: MemoryStore, people: int = 2, bots: int = 0, **options: object) -> LiveTable:
    players = [person(seat) for seat in range(people)] + [bot(people + seat) for seat in range(bots)]
    draft = open_table("t1", Rules.of({"seats": len(players), **options}), players, seeds(len(players)), NOW)
    rows = [Row(step.table.seq, NOW, encode(step.event)) for step in draft.steps]
    await store.append("t1", 0, rows, draft.table.due)
    live = LiveTable("t1", rows, store, MemoryBus().join(), FakeClock(NOW))
    if live.table.game is None:
        for seat in range(people):
            await must(live, Ready(seat, True, seeds(len(players))))
    for seat in range(people):
        await must(live, commit(live.table, seat, f"c{seat}"))
    for seat in range(people):
        await must(live, reveal(live.table, seat, f"r{seat}"))
    return live


async def gathering(store: MemoryStore) -> LiveTable:
    """A table of two who are not ready yet."""
    draft = open_table("t1", Rules(seats=2), [person(0), person(1)], seeds(2), NOW)
    rows = [Row(step.table.seq, NOW, encode(step.event)) for step in draft.steps]
    await store.append("t1", 0, rows, draft.table.due)
    return LiveTable("t1", rows, store, MemoryBus().join(), FakeClock(NOW))


async def must(live: LiveTable, command: Command) -> int:
    answer = await live.handle(command)
    assert isinstance(answer, Done), answer
    return answer.seq


async def second(store: MemoryStore) -> LiveTable:
    """The same table in another process."""
    tail = await store.load("t1")
    assert tail is not None
    return LiveTable("t1", tail.rows, store, MemoryBus().join(), FakeClock(NOW))


def named(command: Play, name: str) -> Play:
    return Play(command.seat, command.text, command.bout, name)


async def test_a_retry_gets_the_first_answer() -> None:
    """A move that is sent again is acknowledged where it first came to stand, and not played again (I2)."""
    live = await opened(MemoryStore())
    move = named(some_move(live.table), "k1")
    seq = await must(live, move)
    await must(live, named(some_move(live.table), "k2"))
    before = live.table.seq
    assert seq == await must(live, move)
    assert before == live.table.seq


async def test_a_retry_after_a_restart_gets_the_first_answer() -> None:
    """The log remembers commands, not the process (I2)."""
    store = MemoryStore()
    live = await opened(store)
    move = named(some_move(live.table), "k1")
    seq = await must(live, move)
    assert seq == await must(await second(store), move)


async def test_a_refused_command_may_be_tried_again() -> None:
    """A refusal changes nothing: the same id may come again when it is its turn."""
    live = await opened(MemoryStore())
    move = some_move(live.table)
    assert Refusal("stale", "1") == await live.handle(Play(move.seat, move.text, 7, "k1"))
    await must(live, named(move, "k1"))


async def test_an_id_names_one_command_of_its_seat() -> None:
    """Another move under a seat's used id is not played; another seat may use the same id."""
    live = await opened(MemoryStore())
    first = some_move(live.table)
    seq = await must(live, named(first, "k1"))
    second_seat = some_move(live.table)
    assert first.seat != second_seat.seat
    await must(live, named(second_seat, "k1"))
    while some_move(live.table).seat != first.seat:
        await must(live, some_move(live.table))
    before = live.table.seq
    assert seq == await must(live, named(some_move(live.table), "k1"))
    assert before == live.table.seq


async def test_who_has_no_seat_learns_nothing_of_ids() -> None:
    """A spectator is refused, whatever id the command has."""
    live = await opened(MemoryStore())
    move = some_move(live.table)
    await must(live, named(move, "k1"))
    assert Refusal("not_seated") == await live.handle(Play(None, move.text, move.bout, "k1"))


async def test_nothing_is_shown_before_it_is_in_the_log() -> None:
    """Neither the table nor its listeners know of a move while it is being written (I3)."""
    store = SlowStore()
    live = await opened(store)
    seen: list[int] = []
    live.listen(lambda: seen.append(len(store.rows["t1"])))
    before = live.table.seq
    store.gate.clear()
    moving = asyncio.ensure_future(live.handle(some_move(live.table)))
    await asyncio.sleep(0.01)
    assert (before, [], False) == (live.table.seq, seen, moving.done())
    store.gate.set()
    await moving
    assert [before + 1] == seen == [live.table.seq]


async def test_one_append_is_in_flight() -> None:
    """Commands to one table wait for each other."""
    store = SlowStore()
    live = await opened(store, 4)
    store.gate.clear()
    moving = [asyncio.ensure_future(live.handle(Play(seat, "take", 1, f"x{seat}"))) for seat in range(4)]
    moving += [asyncio.ensure_future(live.handle(named(some_move(live.table), "y")))]
    await asyncio.sleep(0.01)
    store.gate.set()
    await asyncio.gather(*moving)
    assert 1 == store.most_in_flight


async def test_a_move_that_lost_the_race_is_judged_again() -> None:
    """Another process was faster, and the move still stands: it is played after it (I5)."""
    store = MemoryStore()
    one = await opened(store, 3)
    two = await second(store)
    await must(one, named(some_move(one.table), "a"))
    # The second process does not know of that card; the defender's answer is judged on what the first one wrote.
    defence = named(some_move(one.table), "b")
    seq = await must(two, defence)
    assert one.table.seq + 1 == seq
    await one.catch_up()
    assert one.table.seq == two.table.seq


async def test_a_move_that_lost_its_right_in_the_race_is_refused() -> None:
    """Another process was faster, and the move is no longer legal: it is refused by the rules, not by the race (I5)."""
    store = MemoryStore()
    one = await opened(store)
    two = await second(store)
    move = some_move(one.table)
    await must(one, named(move, "a"))
    answer = await two.handle(named(move, "b"))
    assert isinstance(answer, Refusal)
    assert answer.code in ("defender_cannot_attack", "not_in_hand")


async def test_nobody_acts_for_who_sits_there_now() -> None:
    """
    Somebody leaves and another sits down there, at another process or while a command waits for its turn: it is not taken for the other's.
    """
    store = MemoryStore()
    one = await gathering(store)
    two = await second(store)
    assert isinstance(await one.handle(Leave(1, "l"), "guest1"), Done)
    await must(one, Sit(Player("P9", PERSON, guest="guest9"), 1))
    # The second process does not know of it before it writes.
    assert Refusal("not_seated") == await two.handle(Ready(1, True, seeds(2), {}, "r"), "guest1")
    assert Refusal("not_seated") == await one.handle(Leave(1, "m"), "guest1")
    assert 1 == one.table.seat_of("guest9")
    assert not two.table.ready
    assert isinstance(await two.handle(Ready(1, True, seeds(2), {}, "r"), "guest9"), Done)


async def test_who_has_left_gets_the_answer_again() -> None:
    """
    The acknowledgement of leaving was lost; whoever asks again, as a spectator by then, is told the same, and nobody else is (I2).
    """
    live = await gathering(MemoryStore())
    left = await live.handle(Leave(1, "l"), "guest1")
    assert isinstance(left, Done)
    assert left == await live.handle(Leave(None, "l"), "guest1") == await live.handle(Leave(1, "l"), "guest1")
    assert Refusal("not_seated") == await live.handle(Leave(None, "l"), "guest0") == await live.handle(Leave(None, "l"))


async def test_a_clock_acts_once_whoever_lets_it_act() -> None:
    """Two processes whose timers run out together make one time-out (I6)."""
    store = MemoryStore()
    one = await opened(store, 2, 1, cheat=True)
    while one.table.position is None or one.table.position.phase != CHALLENGE:
        await must(one, some_move(one.table))
    two = await second(store)
    clocks = [live._clock for live in (one, two)]
    for clock in clocks:
        assert isinstance(clock, FakeClock)
        await clock.advance(3000)
    seq = one.table.seq
    answers = await asyncio.gather(one.handle(Lapse()), two.handle(Lapse()), one.handle(Lapse()))
    await one.catch_up()
    await two.catch_up()
    assert 1 == sum(isinstance(answer, Done) for answer in answers)
    assert seq + 3 == one.table.seq == two.table.seq


async def test_a_viewer_gets_exactly_what_was_missed() -> None:
    """From any `seq` on, the events of the game that came after it, each once and in order (I10, trap 3)."""
    live = await opened(MemoryStore(), 3)
    started = 2
    told: list[tuple[int, list[Happening]]] = []

    def note() -> None:
        happened = live.told_since(live.table.seq - 1)
        assert happened is not None
        told.append((live.table.seq, happened))

    live.listen(note)
    while live.table.game is not None and live.table.game.stage is Stage.PLAYING and len(told) < 4 * RECENT:
        await must(live, some_move(live.table))
    assert len(told) > RECENT
    for since in range(started, live.table.seq + 1):
        table, missed = await live.since(since)
        assert table.seq == live.table.seq
        known = [each for seq, happened in told if seq > since for each in happened]
        assert known == missed[-len(known) :] if known else not missed
    _, whole = await live.since(0)
    _, beyond = await live.since(10_000)
    assert [] == beyond
    assert any(isinstance(each, play.Attacked) for each in whole)


async def test_a_broken_invariant_stops_the_table_alone() -> None:
    """A table whose rules fail refuses from then on, and says so; the process goes on."""
    live = await opened(MemoryStore())
    broken = Play(0, None, 1)  # type: ignore[arg-type]
    assert Refusal("table_stopped") == await live.handle(broken)
    assert live.is_stopped
    assert Refusal("table_stopped") == await live.handle(some_move(live.table))
    assert await live.handle(Lapse()) is None


class CountingStore(MemoryStore):
    """A store that counts how often it is read."""

    reads = 0

    async def load(self, table_id: str, after: int = 0) -> Tail | None:
        self.reads += 1
        return await super().load(table_id, after)

    async def find(self, table_id: str, command: str) -> int | None:
        self.reads += 1
        return await super().find(table_id, command)


async def test_refusals_cost_the_log_nothing() -> None:
    """Whoever sends nonsense again and again makes the log be read a few times, and a spectator never."""
    store = CountingStore()
    live = await opened(store)
    store.reads = 0
    for n in range(500):
        assert Refusal("not_seated") == await live.handle(Play(None, "take", 1, f"s{n}"))
    assert 0 == store.reads
    for n in range(500):
        assert isinstance(await live.handle(Play(0, "dance", 1, f"n{n}")), Refusal)
    assert store.reads <= READS


async def test_viewers_who_come_late_share_one_reading() -> None:
    """A hundred who ask for everything at the same moment make the log be read once."""
    store = CountingStore()
    live = await opened(store)
    while live.table.position is None or live.table.position.bout_no < 6:
        await must(live, some_move(live.table))
    store.reads = 0
    answers = await asyncio.gather(*(live.since(since % 5) for since in range(100)))
    assert 1 == store.reads
    assert len(answers[0][1]) > RECENT


class AstrayStore(MemoryStore):
    """A store whose heads have gone astray: it refuses every append, and has nothing new to read."""

    is_astray = False

    async def append(self, *words: Any, **named: Any) -> Appended | Conflict | Doubled | Unpaid | Limited:
        return Conflict() if self.is_astray else await super().append(*words, **named)


async def test_a_head_that_has_gone_astray_ends_a_command() -> None:
    """A table whose head is not where its log ends refuses what is asked, rather than trying for ever."""
    store = AstrayStore()
    live = await opened(store)
    store.is_astray = True
    async with asyncio.timeout(60):
        with pytest.raises(Astray, match=f"table t1 at {live.table.seq}"):
            await live.handle(some_move(live.table))
    store.is_astray = False
    await must(live, some_move(live.table))

"""Moves that are asked for by callback: the same answers as for who waits, in one order with everything else at the table."""
from __future__ import annotations

import asyncio

import pytest

from kozyr.app.commands import Done, Leave, Play, Refusal
from kozyr.app.live import LiveTable
from tests.app.play import some_move
from tests.app.test_live import SlowStore, must, named, opened, second
from tests.sim.world import MemoryStore


class Asker:
    """Whoever asks, and what they are told."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self.heard: list[object] = []
        self.settled = asyncio.Event()
        live.listen(lambda: self.heard.append(("seen", live.table.seq)))

    def answer(self, answer: Done | Refusal | None) -> None:
        self.heard.append(answer)

    def told(self) -> None:
        self.heard.append("told")
        self.settled.set()

    def fail(self, error: BaseException) -> None:
        self.heard.append(error)
        self.settled.set()


async def asked(live: LiveTable, move: Play, guest: str | None = None) -> list[object]:
    asker = Asker(live)
    live.play(move, guest or f"guest{move.seat}", asker)
    await asker.settled.wait()
    assert not live.is_appending
    return asker.heard


async def test_the_answer_comes_before_the_update() -> None:
    """Whoever moves hears that it counts before anybody sees it."""
    live = await opened(MemoryStore())
    seq = live.table.seq + 1
    assert [Done(seq), ("seen", seq), "told"] == await asked(live, named(some_move(live.table), "k1"))


async def test_nothing_is_answered_before_it_is_in_the_log() -> None:
    """Neither the answer nor the table is ahead of the disk (I2, I3)."""
    store = SlowStore()
    live = await opened(store)
    asker, before = Asker(live), live.table.seq
    store.gate.clear()
    live.play(named(some_move(live.table), "k1"), f"guest{some_move(live.table).seat}", asker)
    await asyncio.sleep(0.01)
    assert ([], before) == (asker.heard, live.table.seq)
    store.gate.set()
    await asker.settled.wait()
    assert before + 1 == live.table.seq == len(store.rows["t1"])


async def test_moves_and_commands_are_in_one_order() -> None:
    """What was asked for first comes first, however it was asked for; one append is in flight."""
    store = SlowStore()
    live = await opened(store, 4)
    store.gate.clear()
    askers = [Asker(live), Asker(live)]
    move = some_move(live.table)
    live.play(named(move, "a"), f"guest{move.seat}", askers[0])
    between = asyncio.ensure_future(live.handle(Play(move.seat, "resign", 1, "b")))
    await asyncio.sleep(0)
    live.play(named(move, "c"), f"guest{move.seat}", askers[1])
    store.gate.set()
    answer = await between
    await askers[1].settled.wait()
    assert isinstance(answer, Done)
    assert ["a", "b"] == [row.command.rpartition(".")[2] for row in store.rows["t1"] if row.command and row.seq >= answer.seq - 1]
    assert any(isinstance(each, Refusal) for each in askers[1].heard)
    assert 1 == store.most_in_flight


async def test_a_move_that_came_before_has_its_first_answer() -> None:
    """A move that is sent again is acknowledged where it first came to stand, whether it would be legal again or not (I2)."""
    store = MemoryStore()
    live = await opened(store)
    move = named(some_move(live.table), "k1")
    seq = live.table.seq + 1
    await asked(live, move)
    assert Done(seq) in await asked(live, move)
    again = some_move(live.table)
    while again.seat != move.seat:
        await must(live, again)
        again = some_move(live.table)
    before = live.table.seq
    assert Done(seq) in await asked(live, named(again, "k1"))
    assert before == live.table.seq


async def test_a_move_that_lost_the_race_is_judged_again_by_callback() -> None:
    """Another process was faster: what still stands is played after it, what does not is refused by the rules (I5)."""
    store = MemoryStore()
    one = await opened(store, 3)
    two = await second(store)
    first = named(some_move(one.table), "a")
    await must(one, first)
    assert any(isinstance(each, Refusal) for each in await asked(two, Play(first.seat, first.text, first.bout, "z")))
    await must(one, named(some_move(one.table), "b"))
    still = named(some_move(one.table), "c")
    assert Done(one.table.seq + 1) in await asked(two, still)


async def test_nobody_plays_for_who_sits_there_now() -> None:
    """A move counts for its guest alone; and a table that gathers has none."""
    live = await opened(MemoryStore())
    move = named(some_move(live.table), "k1")
    assert Refusal("not_seated") in await asked(live, move, "somebody else")
    assert Refusal("not_seated") in await asked(live, Play(None, move.text, move.bout, "k2"), "guest0")
    assert isinstance(await live.handle(Leave(move.seat, "l"), f"guest{move.seat}"), Refusal)


async def test_a_failing_log_is_told_and_holds_nobody_up() -> None:
    """What could not be written is nobody's move; the next one goes on."""
    store = SlowStore()
    live = await opened(store)
    move = named(some_move(live.table), "k1")

    async def failing(*_: object) -> None:
        raise OSError("no space left on device")

    store.append = failing  # type: ignore[method-assign, assignment]
    assert [OSError] == [type(each) for each in await asked(live, move)]
    del store.append
    assert Done(live.table.seq + 1) in await asked(live, move)


async def test_a_move_that_cannot_be_taken_in_holds_nobody_up() -> None:
    """Whoever follows a table may fail: who asked is told so, and the move is in the log, where it is found by whoever comes next."""
    live = await opened(MemoryStore())
    move = named(some_move(live.table), "k1")
    seq = live.table.seq + 1

    def failing(_: object) -> None:
        raise ValueError("this follower is broken")

    live.followers.append(failing)
    assert [ValueError] == [type(each) for each in await asked(live, move)]
    assert not live.is_appending
    live.followers.clear()
    assert Done(seq) in await asked(live, move)
    assert seq == live.table.seq


async def test_a_listener_that_fails_takes_no_answer_with_it(caplog: pytest.LogCaptureFixture) -> None:
    """All others hear of a move, and whoever asked for it has the answer, by either way."""
    live = await opened(MemoryStore())

    def failing() -> None:
        raise ValueError("this listener is broken")

    live.listen(failing)
    seq = live.table.seq + 1
    assert [Done(seq), ("seen", seq), "told"] == await asked(live, named(some_move(live.table), "k1"))
    heard: list[int] = []
    live.listen(lambda: heard.append(live.table.seq))
    assert Done(seq + 1) == await live.handle(some_move(live.table))
    assert [seq + 1] == heard
    assert "this listener is broken" in caplog.text


async def test_who_cannot_take_an_answer_is_told_that_it_is_over() -> None:
    """Nobody waits for ever for what could not be said, and everybody else sees the move."""
    live = await opened(MemoryStore())
    asker = Asker(live)

    def failing(answer: Done | Refusal | None) -> None:
        raise ValueError("cannot be encoded")

    asker.answer = failing  # type: ignore[method-assign]
    live.play(Play(0, "attack nonsense", 1, "k1"), "guest0", asker)
    await asyncio.wait_for(asker.settled.wait(), 10)
    assert ["told"] == asker.heard
    assert not live.is_appending
    asker.settled.clear()
    move, seq = named(some_move(live.table), "k2"), live.table.seq + 1
    live.play(move, f"guest{move.seat}", asker)
    await asyncio.wait_for(asker.settled.wait(), 10)
    assert ["told", ("seen", seq), "told"] == asker.heard

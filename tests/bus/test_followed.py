"""Hints that bring the event with them: taken in where it is the next one, and passed over for the log in every other case."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kozyr.app.alone import Alone
from kozyr.app.commands import Done
from kozyr.app.live import LiveTable
from kozyr.app.ports import Row
from kozyr.app.sealing import KEY_BYTES, SEALED_MAX, Seals
from kozyr.app.tables import Tables
from kozyr.bus.link import Link
from kozyr.bus.memory import MemoryBus
from kozyr.bus.postgres import PostgresBus
from kozyr.core.notation import format_position
from tests.app.play import NOW, some_move
from tests.app.test_live import SlowStore, named, opened
from tests.sim.world import FakeClock, SeededEntropy

KEY = bytes(range(KEY_BYTES))
ROW = Row(93, 1_764_547_200_000, b'{"k":"deal","pack":"7h Td Qs"}', "0123456789.k1")


class Counting(SlowStore):
    """A store that counts how often a log is read."""

    reads = 0

    async def load(self, table_id: str, after: int = 0) -> Any:
        self.reads += 1
        return await super().load(table_id, after)


class Beside:
    """A table in one process, and as another one has it; *shown* is what that one has shown, by `seq`."""

    def __init__(self, live: LiveTable, store: Counting) -> None:
        self.live = live
        self.store = store
        self.tables = Tables(store, MemoryBus().join(), FakeClock(NOW), SeededEntropy())
        self.there = live
        self.shown: list[int] = []

    async def load(self) -> None:
        there = await self.tables.get("t1")
        assert there is not None
        self.there = there
        there.listen(lambda: self.shown.append(there.table.seq))
        self.store.reads = 0

    @property
    def is_same(self) -> bool:
        """Whether both have the same table."""
        here, there = self.live.table, self.there.table
        assert here.position is not None and there.position is not None
        return (here.seq, here.at, here.due) == (there.seq, there.at, there.due) and format_position(here.position) == format_position(
            there.position
        )

    async def move(self) -> Row:
        """Have somebody move at the first process."""
        answer = await self.live.handle(named(some_move(self.live.table), f"k{self.live.table.seq}"))
        assert isinstance(answer, Done)
        return self.store.rows["t1"][answer.seq - 1]

    async def heal(self) -> None:
        """Wait until all that was begun has been read."""
        while self.tables._tasks:
            await asyncio.wait(self.tables._tasks)


@pytest.fixture
async def beside() -> Beside:
    store = Counting()
    made = Beside(await opened(store, 4), store)
    await made.load()
    return made


async def test_the_next_event_is_shown_without_reading_the_log(beside: Beside) -> None:
    """Everybody at the other process sees each move once, in order, and the table is the same as where it was made (I4)."""
    seqs = []
    for _ in range(6):
        row = await beside.move()
        beside.tables.on_hint("t1", row.seq, row)
        seqs.append(row.seq)
        assert beside.is_same
    assert (seqs, 0) == (beside.shown, beside.store.reads)


async def test_an_event_that_comes_twice_or_late_is_shown_once(beside: Beside) -> None:
    """What the table is past already changes nothing."""
    rows = [await beside.move() for _ in range(2)]
    for row in (rows[0], rows[0], rows[1], rows[0], rows[1]):
        beside.tables.on_hint("t1", row.seq, row)
    await beside.heal()
    assert ([rows[0].seq, rows[1].seq], 0) == (beside.shown, beside.store.reads)


async def test_an_event_after_a_gap_is_read_with_what_was_missed(beside: Beside) -> None:
    """A hint that was lost, or overtaken, is made up for by the next one: nobody is shown an event without those before it (I1)."""
    rows = [await beside.move() for _ in range(3)]
    beside.tables.on_hint("t1", rows[1].seq, rows[1])
    assert [] == beside.shown
    await beside.heal()
    beside.tables.on_hint("t1", rows[0].seq, rows[0])
    beside.tables.on_hint("t1", rows[2].seq, rows[2])
    await beside.heal()
    assert beside.is_same
    assert (rows[2].seq, 1) == (beside.shown[-1], beside.store.reads)


async def test_an_event_that_comes_while_a_command_is_judged_waits_for_it(beside: Beside) -> None:
    """What is on its way was judged on the older position: it loses in the log and is judged again; both are shown in order (I5)."""
    beside.store.gate.clear()
    late = asyncio.ensure_future(beside.there.handle(named(some_move(beside.there.table), "late")))
    await asyncio.sleep(0)
    beside.store.gate.set()
    row = await beside.move()
    beside.tables.on_hint("t1", row.seq, row)
    await late
    await beside.heal()
    assert sorted(set(beside.shown)) == beside.shown
    assert beside.there.table.seq == len(beside.store.rows["t1"])


async def test_a_command_that_another_process_wrote_is_known(beside: Beside) -> None:
    """A client that comes over to this process with a move it made at the other one is told where it is, and nothing happens twice (I2)."""
    move = named(some_move(beside.live.table), "k1")
    answer = await beside.live.handle(move)
    assert isinstance(answer, Done)
    row = beside.store.rows["t1"][-1]
    beside.tables.on_hint("t1", row.seq, row)
    assert answer == await beside.there.handle(move)
    assert row.seq == len(beside.store.rows["t1"])


async def test_what_cannot_be_folded_is_left_to_the_log(beside: Beside) -> None:
    """An event of a newer version, or one that cannot be: nothing is shown by half."""
    before = beside.there.table
    for body in (b'{"k":"mood"}', b"", b'{"k":"move","seat":0,"move":"beat 7h 6c"}'):
        assert not beside.there.follow(Row(before.seq + 1, NOW, body))
    assert before is beside.there.table and [] == beside.shown


def test_a_sealed_row_is_read_by_who_has_the_key() -> None:
    """What comes is what went, for the place that it belongs to."""
    word = Seals(KEY).seal("t1", ROW)
    assert word is not None and not set(" :\t") & set(word)
    assert ROW == Seals(KEY).open("t1", 93, word)
    bare = Row(1, 0, b"x")
    assert bare == Seals(KEY).open("t1", 1, Seals(KEY).seal("t1", bare) or "")


def test_a_sealed_row_tells_a_listener_nothing() -> None:
    """Who may listen to the database need not be somebody who may read the log: no two hints look alike, and no card is in one (I8)."""
    seals = Seals(KEY)
    words = {seals.seal("t1", ROW) for _ in range(100)} | {Seals(KEY).seal("t1", ROW) for _ in range(100)}
    assert 200 == len(words)
    assert 1 == len({len(word or "") for word in words})


@pytest.mark.parametrize(
    ("table_id", "seq", "change"),
    [
        ("t2", 93, lambda word: word),
        ("t1", 94, lambda word: word),
        ("t1", 93, lambda word: word[:-4]),
        ("t1", 93, lambda word: ("B" if word[40] == "A" else "A").join((word[:40], word[41:]))),
        ("t1", 93, lambda word: ""),
        ("t1", 93, lambda word: "mood=good"),
        ("t1", 93, lambda word: "ж" + word),
        ("t1", 93, lambda word: Seals(bytes(KEY_BYTES)).seal("t1", ROW)),
    ],
    ids=["another table", "another place", "half of it", "changed", "nothing", "another word", "no base64", "another key"],
)
def test_what_was_not_sealed_for_a_place_is_not_read(table_id: str, seq: int, change: Any) -> None:
    """Whoever can announce something cannot make up an event: it is looked up in the log, where there is none (I3)."""
    assert Seals(KEY).open(table_id, seq, change(Seals(KEY).seal("t1", ROW))) is None


def test_a_long_row_is_not_carried() -> None:
    """A hint has less than 8,000 bytes."""
    seals = Seals(KEY)
    assert seals.seal("t1", Row(1, 0, b"x" * SEALED_MAX)) is None
    assert len(seals.seal("t1", Row(1, 0, b"x" * (SEALED_MAX * 3 // 4 - 60))) or "") <= SEALED_MAX


async def nowhere(table_ids: Any) -> dict[str, int]:
    return {}


def test_a_hint_names_places_and_brings_what_it_can() -> None:
    """Places with and without their rows, and words of a newer version, beside each other; one's own hints are passed over."""
    seals = Seals(KEY)
    bus = PostgresBus(Link(""), "1", nowhere, seals)
    told: list[tuple[str, int, Row | None]] = []
    bus.subscribe(lambda *hint: told.append(hint))
    word = seals.seal("t1", ROW)
    bus._hear(f"2 t0:7 t1:93 {word} mood=good t2:8 {word} t3:9 mood t4:x t5:10")
    bus._hear(f"1 t1:93 {word}")
    bus._hear("")
    assert [("t0", 7, None), ("t1", 93, ROW), ("t2", 8, None), ("t3", 9, None), ("t5", 10, None)] == told


def test_a_version_before_reads_the_places_alone() -> None:
    """As it splits a hint, whatever is no table with its `seq` is passed over; so is a row."""
    words = f"2 t0:7 t1:93 {Seals(KEY).seal('t1', ROW)} t2:8".split()[1:]
    assert ["t0:7", "t1:93", "t2:8"] == [word for word in words if word.rpartition(":")[0] and word.rpartition(":")[2].isdecimal()]


class Asking(Alone):
    """Others who are asked, while a table is loaded, who is there."""

    def __init__(self) -> None:
        self.is_asked, self.goes_on = asyncio.Event(), asyncio.Event()

    async def elsewhere(self, table_id: str) -> frozenset[int]:
        self.is_asked.set()
        await self.goes_on.wait()
        return frozenset()


async def test_a_hint_at_the_end_of_loading_is_not_lost(beside: Beside) -> None:
    """Whatever is asked last of a table that is being loaded: what comes meanwhile is read before anybody is shown the table (trap 1)."""
    asking = Asking()
    late = Tables(beside.store, MemoryBus().join(), FakeClock(NOW), SeededEntropy(), peers=asking)
    loading = asyncio.ensure_future(late.get("t1"))
    await asking.is_asked.wait()
    rows = [await beside.move() for _ in range(2)]
    for row in rows:
        late.on_hint("t1", row.seq, row)
    asking.goes_on.set()
    there = await loading
    assert there is not None and rows[-1].seq == there.table.seq
    assert {} == late._announced


async def test_nothing_is_kept_of_what_could_not_be_loaded(beside: Beside) -> None:
    """Hints of a table that there is not leave nothing behind."""
    loading = asyncio.ensure_future(beside.tables.get("t0"))
    await asyncio.sleep(0)
    beside.tables.on_hint("t0", 9)
    assert await loading is None
    assert {} == beside.tables._announced

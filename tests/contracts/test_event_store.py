"""What every event log must keep, whichever database is under it (I1, I2, I5)."""
from __future__ import annotations

import asyncio

import pytest

from kozyr.app.ports import Appended, Conflict, Doubled, Row
from tests.contracts.keeping import Store


def rows(first: int, *bodies: str, command: str | None = None, at: int = 1000) -> list[Row]:
    return [Row(first + i, at, body.encode(), command if i == 0 else None) for i, body in enumerate(bodies)]


async def test_a_table_is_made_by_its_first_append(store: Store) -> None:
    """There is no table until something has happened at it."""
    assert await store.load("t1") is None
    assert Appended() == await store.append("t1", 0, rows(1, "a", "b"), None)
    tail = await store.load("t1")
    assert tail is not None
    assert (2, None, rows(1, "a", "b")) == (tail.seq, tail.due, tail.rows)


async def test_an_append_at_another_seq_is_a_conflict_and_writes_nothing(store: Store) -> None:
    """Two who append at the same place cannot both win (I5)."""
    await store.append("t1", 0, rows(1, "a"), None)
    assert Conflict() == await store.append("t1", 0, rows(1, "b"), None)
    assert Appended() == await store.append("t1", 1, rows(2, "b"), None)
    assert Conflict() == await store.append("t1", 1, rows(2, "c"), 77)
    assert Conflict() == await store.append("t1", 9, rows(10, "c"), None)
    assert Conflict() == await store.append("t2", 4, rows(5, "c"), None)
    tail = await store.load("t1")
    assert tail is not None
    assert (2, None, [b"a", b"b"]) == (tail.seq, tail.due, [row.body for row in tail.rows])
    assert await store.load("t2") is None


async def test_rows_are_numbered_without_a_gap(store: Store) -> None:
    """A table's events are 1 to n, and its `seq` is the last one (I1)."""
    seq = 0
    for size in (1, 3, 2, 5):
        await store.append("t1", seq, rows(seq + 1, *["x"] * size), None)
        seq += size
    tail = await store.load("t1")
    assert tail is not None
    assert (seq, list(range(1, seq + 1))) == (tail.seq, [row.seq for row in tail.rows])


async def test_misnumbered_rows_are_a_programming_error(store: Store) -> None:
    """A gap never reaches the database."""
    with pytest.raises(ValueError, match="numbered"):
        await store.append("t1", 0, rows(2, "a"), None)
    with pytest.raises(ValueError, match="numbered"):
        await store.append("t1", 0, [], None)


async def test_a_command_is_in_the_log_once(store: Store) -> None:
    """A command that is sent again gets its first place, also at another `seq` (I2)."""
    await store.append("t1", 0, rows(1, "a"), None)
    await store.append("t1", 1, rows(2, "b", "c", command="k1"), None)
    assert Doubled(2) == await store.append("t1", 3, rows(4, "b", command="k1"), None)
    assert Doubled(2) == await store.append("t1", 1, rows(2, "b", command="k1"), None)
    assert 2 == await store.find("t1", "k1")
    assert await store.find("t1", "k2") is None
    tail = await store.load("t1")
    assert tail is not None and tail.seq == 3


async def test_the_same_command_id_may_stand_at_two_tables(store: Store) -> None:
    """A command's id belongs to one table."""
    await store.append("t1", 0, rows(1, "a", command="k"), None)
    assert Appended() == await store.append("t2", 0, rows(1, "a", command="k"), None)
    assert (1, 1) == (await store.find("t1", "k"), await store.find("t2", "k"))


async def test_a_tail_begins_after_the_seq_that_was_seen(store: Store) -> None:
    """Who saw the log up to 2 gets 3 and later."""
    await store.append("t1", 0, rows(1, "a", "b", "c", "d"), None)
    tail = await store.load("t1", after=2)
    assert tail is not None
    assert (4, [3, 4]) == (tail.seq, [row.seq for row in tail.rows])


async def test_overdue_tables_are_found_longest_first(store: Store) -> None:
    """A clock that should have acted is found by any process (I6)."""
    for table, due in (("t1", 500), ("t2", None), ("t3", 100), ("t4", 900)):
        await store.append(table, 0, rows(1, "a"), due)
    assert ["t3", "t1"] == await store.overdue(500, 10)
    assert ["t3"] == await store.overdue(500, 1)
    await store.append("t3", 1, rows(2, "b"), None)
    assert ["t1"] == await store.overdue(500, 10)


async def test_appends_racing_for_a_table_lose_nothing(store: Store) -> None:
    """Twenty who append at once, each trying again after a conflict, are all in the log, each once."""

    async def write(name: str) -> None:
        while True:
            tail = await store.load("t1")
            seq = tail.seq if tail else 0
            if await store.append("t1", seq, rows(seq + 1, name, command=name), None) != Conflict():
                return

    await asyncio.gather(*(write(f"w{i}") for i in range(20)))
    tail = await store.load("t1")
    assert tail is not None
    assert sorted(f"w{i}" for i in range(20)) == sorted(row.body.decode() for row in tail.rows)
    assert list(range(1, 21)) == [row.seq for row in tail.rows]


async def test_appends_to_many_tables_at_once_do_not_mix(store: Store) -> None:
    """What is committed in one group still belongs to its table."""
    await asyncio.gather(*(store.append(f"t{i}", 0, rows(1, f"a{i}", f"b{i}"), None) for i in range(100)))
    for i in range(100):
        tail = await store.load(f"t{i}")
        assert tail is not None
        assert [f"a{i}".encode(), f"b{i}".encode()] == [row.body for row in tail.rows]


async def test_a_secret_is_kept_once(store: Store) -> None:
    """The first secret of a name stays, so that cookies outlive a restart."""
    assert b"one" == await store.keep("cookie", b"one")
    assert b"one" == await store.keep("cookie", b"two")
    assert b"two" == await store.keep("other", b"two")


async def test_a_guest_keeps_the_last_name(store: Store) -> None:
    """A guest who comes again is greeted by name."""
    assert await store.name_of("g1") is None
    await store.remember("g1", "Ayla", 5)
    await store.remember("g1", "Ayla K.", 6)
    assert "Ayla K." == await store.name_of("g1")


async def test_the_last_beat_is_kept(store: Store) -> None:
    """A server that starts knows when one was last there, and time does not go back."""
    assert await store.last_beat() is None
    for now, last in ((500, 500), (900, 900), (700, 900)):
        await store.beat(now)
        assert last == await store.last_beat()


async def test_a_time_without_a_server_is_kept(store: Store) -> None:
    """Whichever process was the first to be there again, all know how long none was (R16.1)."""
    for now in (1000, 2000, 4000):
        await store.beat(now)
    assert await store.last_gap() is None
    await store.beat(9000)
    await store.beat(10_000)
    assert (4000, 9000) == await store.last_gap()
    await store.beat(8500)
    assert (4000, 9000) == await store.last_gap()


async def test_clocks_that_will_act_are_found_soonest_first(store: Store) -> None:
    """A server that starts knows which tables it will be needed at, and finding them claims none."""
    for table, due in (("t1", 500), ("t2", None), ("t3", 100), ("t4", 900)):
        await store.append(table, 0, rows(1, "a"), due)
    assert ["t3", "t1"] == await store.waiting(500, 10) == await store.waiting(500, 2)

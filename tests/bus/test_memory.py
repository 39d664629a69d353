"""Hints reach the others, and only them."""
from __future__ import annotations

from kozyr.bus.memory import MemoryBus


def test_every_other_subscriber_is_told() -> None:
    """A process hears of the tables that others have moved, not of its own."""
    bus = MemoryBus()
    ends = [bus.join() for _ in range(3)]
    heard: list[tuple[int, str, int]] = []

    def listener(number: int) -> None:
        ends[number].subscribe(lambda table_id, seq, row: heard.append((number, table_id, seq)))

    for number in range(3):
        listener(number)
    ends[1].publish("t1", 93)
    assert [(0, "t1", 93), (2, "t1", 93)] == heard


def test_nobody_has_to_listen() -> None:
    """A lone server announces to nobody."""
    MemoryBus().join().publish("t1", 1)

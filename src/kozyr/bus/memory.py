"""Hints within one process, for tests of several servers in it and for a server that is alone."""
from __future__ import annotations

from collections.abc import Callable

from kozyr.app.ports import Row

Listener = Callable[[str, int, Row | None], None]


class MemoryBus:
    """Hands every hint to every other subscriber at once."""

    def __init__(self) -> None:
        self._listeners: list[tuple[Subscription, Listener]] = []

    def join(self) -> Subscription:
        """Return a subscriber's own end, which does not hear itself."""
        return Subscription(self)

    def hand_on(self, sender: Subscription, table_id: str, seq: int, row: Row | None) -> None:
        """Call all listeners but the sender's own."""
        for owner, listener in self._listeners:
            if owner is not sender:
                listener(table_id, seq, row)

    def add(self, owner: Subscription, listener: Listener) -> None:
        """Add a listener."""
        self._listeners.append((owner, listener))


class Subscription:
    """One server's end of the bus. Implements the port `Hints`."""

    def __init__(self, bus: MemoryBus) -> None:
        self._bus = bus

    def publish(self, table_id: str, seq: int, row: Row | None = None) -> None:
        """Announce that a table is at a `seq`."""
        self._bus.hand_on(self, table_id, seq, row)

    def subscribe(self, listener: Listener) -> None:
        """Listen to the others."""
        self._bus.add(self, listener)

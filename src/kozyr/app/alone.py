"""A server process that is the only one."""
from __future__ import annotations

from collections.abc import Callable, Iterable


class Alone:
    """Nobody else is there. Implements the port `Peers`."""

    @property
    def is_alone(self) -> bool:
        """Say so."""
        return True

    def is_home(self, table_id: str) -> bool:
        """Look after every table."""
        return True

    def is_driver(self, table_id: str) -> bool:
        """Move every bot."""
        return True

    def address_of(self, table_id: str) -> str:
        """Name no address of its own."""
        return ""

    async def elsewhere(self, table_id: str) -> frozenset[int]:
        """Find nobody elsewhere."""
        return frozenset()

    def known_elsewhere(self, table_id: str) -> frozenset[int]:
        """Know of nobody elsewhere."""
        return frozenset()

    def say_here(self, table_id: str, seat: int, is_here: bool) -> None:
        """Tell nobody."""

    def list_table(self, table_id: str, seq: int, body: bytes | None) -> None:
        """Tell nobody."""

    def tell(self, table_id: str, message: bytes) -> None:
        """Tell nobody."""

    def subscribe(
        self,
        local: Callable[[], Iterable[str]],
        presence: Callable[[str, int, bool], None],
        listing: Callable[[str, int, bytes | None], None],
        told: Callable[[str, bytes], None],
    ) -> None:
        """Have no news."""

    def hand_over(self, table_id: str) -> None:
        """Keep it."""

    def watch(self, changed: Callable[[], None], wanted: Callable[[str], None]) -> None:
        """See nobody come or go."""

"""Bots of a table that several processes have in memory: one of them moves, the others only if it does not."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kozyr.app.bot_seats import Pause

BEHIND_MS = 1000
"""So much later than the one whose business it is another process would move a bot: it has gone, or stands still."""


@dataclass(frozen=True, slots=True)
class SharedPause(Pause):
    """A pause that is longer while another process is to move."""

    is_driver: Callable[[], bool] = lambda: True

    def before_move(self, table_id: str, seq: int, seat: int) -> int:
        """Return the pause before a move; see `Pause`."""
        return Pause.before_move(self, table_id, seq, seat) + (0 if self.is_driver() else BEHIND_MS)

    def before_accept(self) -> int:
        """Return the pause before a bot accepts; see `Pause`."""
        return Pause.before_accept(self) + (0 if self.is_driver() else BEHIND_MS)


def shared(pause: Pause, is_driver: Callable[[], bool]) -> SharedPause:
    """Make a pause one for a table that other processes may have in memory too."""
    return SharedPause(pause.ms, pause.jitter_ms, is_driver)

"""Tables that could not be looked after: each is left alone for a while, so that none of them keeps the others waiting."""
from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from kozyr.app.counts import COUNTS
from kozyr.app.ports import Clock, Unwritable

log = logging.getLogger(__name__)

FIRST_MS, LAST_MS = 1000, 600_000
"""For so long a table is left alone after its first failure, and twice as long after each further one; at most so long."""


class Failing:
    """The tables whose looking after failed, how often in a row, and when each is tried again."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failed: dict[str, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._failed)

    async def look_at(self, table_id: str, work: Callable[[str], Awaitable[None]]) -> None:
        """Do something for one table; its failure is logged, and is no other table's."""
        failures, again = self._failed.get(table_id, (0, 0))
        if failures and self._clock.now() < again:
            return
        try:
            await work(table_id)
        except Unwritable:
            # No fault of this table's: it is as well looked after at the next occasion as all others.
            COUNTS.failures += 1
        except Exception:  # the edge of one table: such as a log that cannot be read, or a disk that is full
            ms = min(LAST_MS, FIRST_MS << failures)
            self._failed[table_id] = (min(failures + 1, 10), self._clock.now() + ms)
            COUNTS.failures += 1
            log.exception("table %s cannot be looked after; it is left alone for %s ms", table_id, ms, extra={"table": table_id})
        else:
            self._failed.pop(table_id, None)

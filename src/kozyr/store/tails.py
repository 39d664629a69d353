"""Reading what tables' logs have after a place, many at a time: what is asked while a statement runs goes into the next one."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from kozyr.app.ports import Row, Tail
from kozyr.store.connecting import LOST

TAILS_MAX = 256

# Each table's rows are looked up by themselves: a plan that was made when there were few must never read the whole log.
TAILS = """
SELECT a.place, t.seq, t.due, e.seq, e.at, e.body, e.command
FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS a (place, table_id, after)
CROSS JOIN LATERAL (SELECT h.seq, h.due FROM tables h WHERE h.table_id = a.table_id OFFSET 0) AS t
LEFT JOIN LATERAL (
    SELECT g.seq, g.at, g.body, g.command FROM events g WHERE g.table_id = a.table_id AND g.seq > a.after ORDER BY g.seq OFFSET 0
) AS e ON true
ORDER BY a.place, e.seq
"""

Asked = tuple[str, int, "asyncio.Future[Tail | None]"]
Fetch = Callable[..., Awaitable[Sequence[Any]]]


class Tails:
    """
    Reads tails; *fetch* does a statement, again if need be.

    A process that hears of a group of another reads all its tables at once, instead of each by itself.
    """

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch
        self._waiting: list[Asked] = []
        self._task: asyncio.Task[None] | None = None
        self.statements = 0

    async def read(self, table_id: str, after: int) -> Tail | None:
        """Return the head of a table and the rows after *after*, or None for a table that there is not."""
        waiting: asyncio.Future[Tail | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((table_id, after, waiting))
        if self._task is None:
            self._task = asyncio.ensure_future(self._run())
        return await waiting

    async def _run(self) -> None:
        try:
            while self._waiting:
                asked, self._waiting = self._waiting[:TAILS_MAX], self._waiting[TAILS_MAX:]
                try:
                    await self._answer(asked)
                except Exception as error:  # noqa: BLE001  # whoever waits gets the error, and the others go on
                    if len(asked) == 1 or isinstance(error, LOST):
                        fail(asked, error)
                        continue
                    # What one asks for must not take the others' answers with it.
                    for each in asked:
                        try:
                            await self._answer([each])
                        except Exception as own:  # noqa: BLE001
                            fail([each], own)
        finally:
            self._task = None

    async def _answer(self, asked: Sequence[Asked]) -> None:
        self.statements += 1
        places = list(range(len(asked)))
        found = await self._fetch(TAILS, places, [table_id for table_id, _, _ in asked], [after for _, after, _ in asked])
        tails: dict[int, Tail] = {}
        for place, head, due, seq, at, body, command in found:
            tail = tails.get(place)
            if tail is None:
                tail = tails[place] = Tail(head, due, [])
            if seq is not None:
                tail.rows.append(Row(seq, at, body, command))
        for place, (_, _, waiting) in enumerate(asked):
            if not waiting.done():
                waiting.set_result(tails.get(place))


def fail(asked: Sequence[Asked], error: Exception) -> None:
    """Tell whoever still waits that it failed."""
    for _, _, waiting in asked:
        if not waiting.done():
            waiting.set_exception(error)

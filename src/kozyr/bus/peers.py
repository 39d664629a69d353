"""The server processes on one PostgreSQL: which there are, who is connected to which, and which tables everybody may find."""
from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections import Counter, deque
from collections.abc import Callable, Iterable

import asyncpg

from kozyr.bus.link import LOST, Link

CHANNEL = "kozyr_peers"
GONE_S = 3.0
"""A process that has not been seen for so long is taken for dead."""
LEAVE_S = 2.0
TOLD_MAX = 4000
"""So long may be what is told and written nowhere."""
TELLING_MAX = 10_000
"""So much waits to be told while there is no connection; what is older is worth nothing by then."""
LISTINGS_S = 10.0
"""How often all listings are read again, in case that a hint was lost."""

SEEN = """
INSERT INTO processes (process, address, seen) VALUES ($1, $2, clock_timestamp())
ON CONFLICT (process) DO UPDATE SET seen = excluded.seen RETURNING xmax = 0
"""
LIVING = "SELECT process, address FROM processes WHERE seen > clock_timestamp() - make_interval(secs => $1)"
FORGET = """
WITH dead AS (DELETE FROM processes WHERE seen < clock_timestamp() - interval '1 minute' RETURNING process),
gone AS (DELETE FROM presences p USING dead d WHERE p.process = d.process)
DELETE FROM listings WHERE body IS NULL AND created < $1
"""
LEAVE = """
WITH gone AS (DELETE FROM presences WHERE process = $1) DELETE FROM processes WHERE process = $1
"""
CAME = """
WITH came AS (INSERT INTO presences (table_id, seat, process) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING table_id)
SELECT table_id, CASE WHEN $4::text IS NOT NULL THEN pg_notify($4, $3 || ' presence ' || table_id) END FROM came
"""
WENT = """
WITH went AS (DELETE FROM presences WHERE table_id = $1 AND seat = $2 AND process = $3 RETURNING table_id)
SELECT table_id, CASE WHEN $4::text IS NOT NULL THEN pg_notify($4, $3 || ' presence ' || table_id) END FROM went
"""
PRESENT = """
SELECT p.table_id, p.seat, p.process FROM presences p JOIN processes o ON o.process = p.process
WHERE p.table_id = ANY($1::text[]) AND p.seat >= 0 AND p.process <> $2 AND o.seen > clock_timestamp() - make_interval(secs => $3)
"""
LIST = """
WITH written AS (
    INSERT INTO listings (table_id, seq, created, body) VALUES ($1, $2, $3, $4)
    ON CONFLICT (table_id) DO UPDATE SET seq = excluded.seq, body = excluded.body,
        created = CASE WHEN excluded.body IS NULL THEN excluded.created ELSE listings.created END
    WHERE listings.seq < excluded.seq
    RETURNING table_id
)
SELECT table_id, CASE WHEN $6::text IS NOT NULL THEN pg_notify($6, $5 || ' listing ' || table_id) END FROM written
"""
LISTING = "SELECT table_id, seq, body FROM listings WHERE table_id = $1"
LISTINGS = "SELECT table_id, seq, body FROM listings ORDER BY created, table_id"

Presence = Callable[[str, int, bool], None]
Told = Callable[[str, bytes], None]
Listing = Callable[[str, int, bytes | None], None]


class PostgresPeers:
    """
    This process among the others. Implements the port `Peers`.

    What it says of itself is kept in memory and written as soon as it can be; what the others say is read when they announce it and, for
    this process's own tables, in every round. Losing an announcement delays, and loses nothing.
    """

    def __init__(self, link: Link, process: str, address: str, now: Callable[[], int]) -> None:
        self._link = link
        self._process = process
        self.address = address
        self._now = now
        self._living: dict[str, str] = {process: address}
        self._own: set[tuple[str, int]] = set()
        self._own_tables: Counter[str] = Counter()
        self._unsaid: set[tuple[str, int]] = set()
        self._unlisted: dict[str, tuple[int, bytes | None]] = {}
        self._elsewhere: dict[str, frozenset[tuple[int, str]]] = {}
        self._asked: set[str] = set()
        self._reading = asyncio.Lock()
        self._gathered: set[str] = set()
        self._gathering: asyncio.Future[dict[str, frozenset[int]]] | None = None
        self._listings_at = -LISTINGS_S
        self._new_listings: set[str] = set()
        self._local: Callable[[], Iterable[str]] = tuple
        self._presence: Presence = lambda table_id, seat, is_here: None
        self._listing: Listing = lambda table_id, seq, body: None
        self._told: Told = lambda table_id, message: None
        self._telling: deque[str] = deque(maxlen=TELLING_MAX)
        self._changed: Callable[[], None] = lambda: None
        self._wanted: Callable[[str], None] = lambda table_id: None
        link.hear(CHANNEL, self._hear)
        link.do_each_round(self._live, is_first=True)
        link.do_when_woken(self._say)
        link.do_when_woken(self._read_announced)
        link.do_each_round(self._look)

    def subscribe(self, local: Callable[[], Iterable[str]], presence: Presence, listing: Listing, told: Told) -> None:
        """See `Peers`."""
        self._local, self._presence, self._listing, self._told = local, presence, listing, told

    def watch(self, changed: Callable[[], None], wanted: Callable[[str], None]) -> None:
        """See `Peers`."""
        self._changed, self._wanted = changed, wanted

    def hand_over(self, table_id: str) -> None:
        """See `Peers`."""
        self._telling.append(f"{self._process} home {table_id}")
        self._link.wake()

    async def leave(self) -> None:
        """Say that this process goes, so that the others need not find out; a database that does not answer is not waited for."""
        with contextlib.suppress(*LOST):
            async with asyncio.timeout(LEAVE_S):
                await self._link.ask(LEAVE, self._process)

    @property
    def is_alone(self) -> bool:
        """See `Peers`."""
        return len(self._living) == 1

    def is_home(self, table_id: str) -> bool:
        """See `Peers`."""
        return self._process == self._home(table_id)

    def is_driver(self, table_id: str) -> bool:
        """See `Peers`."""
        connected = {process for _, process in self._elsewhere.get(table_id, ())} & self._living.keys()
        if self._own_tables[table_id]:
            connected.add(self._process)
        return self._process == (min(connected) if connected else self._home(table_id))

    def address_of(self, table_id: str) -> str:
        """See `Peers`."""
        return self._living[self._home(table_id)]

    def say_here(self, table_id: str, seat: int, is_here: bool) -> None:
        """See `Peers`."""
        if is_here == ((table_id, seat) in self._own):
            return
        (self._own.add if is_here else self._own.discard)((table_id, seat))
        self._own_tables[table_id] += 1 if is_here else -1
        if not self._own_tables[table_id]:
            del self._own_tables[table_id]
        self._unsaid.add((table_id, seat))
        self._link.wake()

    async def elsewhere(self, table_id: str) -> frozenset[int]:
        """See `Peers`; of tables that are loaded at once all is read at once."""
        if self._gathering is None:
            self._gathering = asyncio.ensure_future(self._read_gathered())
        self._gathered.add(table_id)
        try:
            found = await asyncio.shield(self._gathering)
        except LOST:
            # The next round asks again.
            return frozenset()
        return found[table_id]

    def known_elsewhere(self, table_id: str) -> frozenset[int]:
        """See `Peers`."""
        return seats_of(self._elsewhere.get(table_id, frozenset()))

    def list_table(self, table_id: str, seq: int, body: bytes | None) -> None:
        """See `Peers`."""
        self._unlisted[table_id] = (seq, body)
        self._link.wake()

    def tell(self, table_id: str, message: bytes) -> None:
        """See `Peers`."""
        if len(message) <= TOLD_MAX and not self.is_alone:
            self._telling.append(f"{self._process} told {table_id} {message.decode()}")
            self._link.wake()

    def _home(self, table_id: str) -> str:
        """Choose a living process for a table: the same one by all, and another only where that one has gone."""
        return max(self._living, key=lambda process: hashlib.blake2b(f"{process} {table_id}".encode(), digest_size=8).digest())

    def _hear(self, payload: str) -> None:
        process, what, table_id, *_ = (*payload.split(" ", 2), "", "")
        # What it does not know a newer version has said, beside which this one goes on for a while.
        if process == self._process:
            return
        if what == "told":
            table_id, _, message = table_id.partition(" ")
            self._told(table_id, message.encode())
            return
        if what == "home":
            if self.is_home(table_id):
                self._wanted(table_id)
            return
        if what in ("presence", "listing"):
            (self._asked if what == "presence" else self._new_listings).add(table_id)
            self._link.wake()

    async def _live(self) -> None:
        """Say that this process is there."""
        is_new = (await self._link.ask(SEEN, self._process, self.address))[0][0]
        if is_new and self._own:
            # The others had taken it for dead, or the database has forgotten all: everything is said again.
            self._unsaid |= self._own
            self._link.wake()

    async def _say(self) -> None:
        """Say what has changed in this process."""
        while self._telling and not self._puts_off():
            await self._link.say(CHANNEL, self._telling.popleft())
        for key in sorted(self._unsaid):
            if self._puts_off():
                return
            changed = await self._link.ask(CAME if key in self._own else WENT, *key, self._process, self._announced_with)
            await self._announce("presence", changed)
            self._unsaid.discard(key)
        for table_id, (seq, body) in tuple(self._unlisted.items()):
            if self._puts_off():
                return
            changed = await self._link.ask(LIST, table_id, seq, self._now(), body, self._process, self._announced_with)
            await self._announce("listing", changed)
            if self._unlisted.get(table_id) == (seq, body):
                del self._unlisted[table_id]

    @property
    def _announced_with(self) -> str | None:
        """The channel on which a statement announces what it writes; None where the link does that afterwards."""
        return CHANNEL if self._link.announces else None

    async def _announce(self, what: str, changed: list[asyncpg.Record]) -> None:
        if not self._link.announces:
            for row in changed:
                await self._link.say(CHANNEL, f"{self._process} {what} {row[0]}")

    async def _look(self) -> None:
        """Look who is there, and what has changed elsewhere."""
        living = {row[0]: row[1] for row in await self._link.ask(LIVING, GONE_S)} | {self._process: self.address}
        if living != self._living:
            self._living = living
            self._changed()
        local = set(self._local())
        for table_id in self._elsewhere.keys() - local:
            del self._elsewhere[table_id]
        await self._read_presences(sorted(local), tell=True)
        now = asyncio.get_running_loop().time()
        if now - self._listings_at >= LISTINGS_S:
            self._listings_at = now
            await self._link.ask(FORGET, self._now() - 3_600_000)
            for table_id, seq, body in await self._link.ask(LISTINGS):
                self._listing(table_id, seq, body)

    async def _read_announced(self) -> None:
        """Read what the others have announced."""
        asked, self._asked = self._asked, set()
        await self._read_presences(sorted(asked.intersection(self._local())), tell=True)
        while self._new_listings and not self._puts_off():
            announced = min(self._new_listings)
            self._new_listings.remove(announced)
            for table_id, seq, body in await self._link.ask(LISTING, announced):
                self._listing(table_id, seq, body)

    def _puts_off(self) -> bool:
        """Whether what is left is done after the next round: there may be thousands, and without rounds this process is taken for dead."""
        if not self._link.round_is_due:
            return False
        self._link.wake()
        return True

    async def _read_gathered(self) -> dict[str, frozenset[int]]:
        async with self._reading:
            gathered, self._gathered, self._gathering = self._gathered, set(), None
            await self._read_presences(sorted(gathered), tell=False)
            # Before a round forgets what is not in memory yet.
            return {table_id: self.known_elsewhere(table_id) for table_id in gathered}

    async def _read_presences(self, table_ids: list[str], *, tell: bool) -> None:
        if not table_ids:
            return
        found: dict[str, set[tuple[int, str]]] = {}
        for table_id, seat, process in await self._link.ask(PRESENT, table_ids, self._process, GONE_S):
            found.setdefault(table_id, set()).add((seat, process))
        for table_id in table_ids:
            before, after = self._elsewhere.get(table_id, frozenset()), frozenset(found.get(table_id, ()))
            self._elsewhere[table_id] = after
            if tell:
                for seat in seats_of(before) ^ seats_of(after):
                    self._presence(table_id, seat, seat in seats_of(after))


def seats_of(present: frozenset[tuple[int, str]]) -> frozenset[int]:
    """List the seats that somebody is connected for."""
    return frozenset(seat for seat, _ in present)

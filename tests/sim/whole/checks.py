"""What must always be true (I1-I11), checked at every append and at every message that a server writes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from kozyr.app.events import Moved, SeedAbsent, TableEvent, TimeGiven
from kozyr.app.evolve import Happening, Step, steps
from kozyr.app.gamefile import check
from kozyr.app.ports import Row
from kozyr.app.records import finished_game
from kozyr.app.table import Stage, Table
from kozyr.core.cards import popcount
from kozyr.core.position import Position
from kozyr.core.record import format_game, parse_game
from kozyr.ledger import AccountKind
from kozyr.web import translate
from kozyr.wire import messages as wire
from tests.sim.whole.shared import Database
from tests.sim.whole.wires import Wire

NOTHING = msgspec.Raw(b"[]")


class Told(msgspec.Struct):
    """A message of the server, as far as it is looked into."""

    t: str
    seq: int = 0
    id: str = ""
    code: str = ""
    seat: int | None = None
    view: msgspec.Raw = msgspec.Raw(b"")
    events: msgspec.Raw = NOTHING
    missed: msgspec.Raw = NOTHING
    table: dict[str, Any] | None = None


read = msgspec.json.Decoder(Told).decode


class Log:
    """The fold of a table's log by the pure engine: the state after each event, and what viewers are told of it."""

    def __init__(self) -> None:
        self.tables: list[Table] = []
        self.told: list[list[Happening]] = []
        self.starts: list[int] = []
        self.rows: list[Row] = []
        self.commands: dict[str, int] = {}
        self._views: dict[tuple[int, int | None], bytes] = {}

    @property
    def seq(self) -> int:
        return len(self.tables)

    def at(self, seq: int) -> Table:
        return self.tables[seq - 1]

    def view(self, seq: int, seat: int | None) -> bytes:
        """Write what a viewer may know at *seq*; nothing before the deal."""
        key = (seq, seat)
        if key not in self._views:
            view = translate.view_of(self.at(seq), seat)
            self._views[key] = b"" if view is None else wire.encode(view)
        return self._views[key]

    def events(self, since: int, seq: int, seat: int | None, *, is_welcome: bool) -> bytes:
        """Write what has happened in the present game after *since*; one step is told whatever game it is of."""
        start = since if not is_welcome and since + 1 == seq else max(since, self.starts[seq - 1])
        happened = [each for told in self.told[start:seq] for each in told]
        return wire.encode(translate.told(self.at(seq), happened, seat))


class Checks:
    """Collects what is wrong; `digest` is of everything that was written and told, with its times."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self.logs: dict[str, Log] = {}
        self.faults: list[str] = []
        self.latest_ms = 0
        self.messages = 0
        self._database = database
        self._now = now
        self._digest = 0
        self._entries = 0
        database.committed = self.committed

    @property
    def digest(self) -> str:
        return f"{self._digest:032x}"

    def _note(self, what: bytes) -> None:
        # A sum: in which order viewers are told of the same thing is nobody's business.
        found = hashlib.blake2b(b"%d " % self._now() + what, digest_size=16).digest()
        self._digest = (self._digest + int.from_bytes(found, "big")) % (1 << 128)

    def claim(self, is_so: bool, what: str) -> None:
        """Note what is wrong unless it is so."""
        if not is_so:
            self.faults.append(f"{what} (at {self._now()})")

    # the log

    def committed(self, table_id: str, rows: Sequence[Row]) -> None:
        """Look at rows that have just been appended."""
        log = self.logs.setdefault(table_id, Log())
        before = log.tables[-1] if log.tables else None
        try:
            taken = list(steps(table_id, rows, before))
        except Exception as error:  # noqa: BLE001  # whatever it is, it is the finding
            self.claim(False, f"I1, I4: {table_id} does not fold at {rows[0].seq}: {error!r}")
            return
        for row, step in zip(rows, taken, strict=True):
            self._take(table_id, log, row, step)
        self.claim(rows[-1].at <= self._now(), f"I6: {rows[-1].seq} of {table_id} is written before its time, {rows[-1].at}")
        due = taken[-1].table.wake
        self.claim(self._database.store.dues[table_id] == due, f"I6: {table_id} is kept as due at another time than its log says")
        self._check_coins()

    def take_in(self, table_id: str, rows: Sequence[Row]) -> None:
        """Take in rows as they are in the log."""
        log = self.logs.setdefault(table_id, Log())
        for row, step in zip(rows, steps(table_id, rows, log.tables[-1] if log.tables else None), strict=True):
            self._take(table_id, log, row, step)

    def _take(self, table_id: str, log: Log, row: Row, step: Step) -> None:
        event, table = step.event, step.table
        self._note(table_id.encode() + row.body)
        # What follows in the same append has the same time.
        if log.tables and log.tables[-1].at != row.at and is_by_clock(event):
            due = log.tables[-1].due
            self.claim(due is not None and due <= row.at, f"I6: the clock of {table_id} acts at {row.at}, and is due at {due}: {row.seq}")
        self.claim(not log.rows or row.at >= log.rows[-1].at, f"{table_id}: {row.seq} happened before the event before it")
        if row.command is not None:
            self.claim(row.command not in log.commands, f"I2: {row.command} is twice in {table_id}")
            log.commands[row.command] = row.seq
        log.starts.append(row.seq - 1 if type(event).__name__ == "GameOpened" else log.starts[-1] if log.starts else 0)
        log.rows.append(row)
        log.tables.append(table)
        log.told.append(step.told)
        if isinstance(event, Moved) and table.position is not None:
            self.claim(is_whole(table.position, table.rules.deck), f"cards are lost or doubled at {table_id}, {row.seq}")

    def _check_coins(self) -> None:
        store = self._database.store
        if len(store.entries) == self._entries:
            return
        self._entries = len(store.entries)
        balances = store.balances()
        self.claim(sum(balances.values()) == 0, "I7: postings do not add up to nothing")
        poor = [account for account, coins in balances.items() if coins < 0 and account.kind in (AccountKind.PLAYER, AccountKind.POT)]
        self.claim(not poor, f"I7: {poor} are below 0")

    # what is told

    def written(self, connection: Wire, message: bytes, table_id: str, guest: str | None) -> Told:
        """Look at a message at the moment when a server hands it to the network; return what it says."""
        self.messages += 1
        self._note(connection.name.encode() + message)
        log, told = self.logs[table_id], read(message)
        where = f"{table_id} {told.t} {told.seq} to {guest} at seat {connection.seat}"
        if told.t == "ack":
            name = f"{str(guest)[:10]}.{told.id}"
            self.claim(log.commands.get(name) == told.seq, f"I2: {name} is acknowledged at {told.seq}, and is at {log.commands.get(name)}")
        elif told.t == "refused":
            self.claim(told.code != "table_stopped", f"a broken invariant has stopped {table_id} at {log.seq}")
            is_done = f"{str(guest)[:10]}.{told.id}" in log.commands
            self.claim(not is_done, f"I2: {told.id} of {guest} is in the log, and refused: {told.code}")
        elif told.t in ("welcome", "update"):
            if told.seq > log.seq:
                self.claim(False, f"I3: {where} is not committed")
                return told
            self._check_shown(connection, log, told, guest, where)
            game = log.at(told.seq).game
            if game is not None and game.stage is not Stage.OVER:
                self.claim(game.server_seed.encode() not in message, f"I8: {where} has the secret of the shuffle")
        return told

    def _check_shown(self, connection: Wire, log: Log, told: Told, guest: str | None, where: str) -> None:
        is_welcome = told.t == "welcome"
        since = connection.told
        if is_welcome:
            since, connection.seat = (told.seq if connection.since is None else connection.since), told.seat
            self.claim(told.seq >= since, f"I10: {where} goes back from {since}")
        elif connection.seat is not None and log.at(told.seq).seat_of(guest) != connection.seat:
            connection.seat = None
        if since is None:
            self.claim(False, f"{where} comes before the welcome")
            return
        connection.told = told.seq
        events = told.missed if is_welcome else told.events
        expected = log.events(since, told.seq, connection.seat, is_welcome=is_welcome)
        self.claim(bytes(events) == expected, f"I10: {where} after {since} tells {bytes(events)!r} instead of {expected!r}")
        view = log.view(told.seq, connection.seat)
        self.claim(bytes(told.view) == view, f"I4, I8: {where} shows {bytes(told.view)!r} instead of {view!r}")

    # the end

    def check_end(self) -> int:
        """Look at everything once more; return how many games were finished."""
        store, games = self._database.store, 0
        for table_id, log in self.logs.items():
            self.claim([row.seq for row in store.rows[table_id]] == list(range(1, log.seq + 1)), f"I1: {table_id} has a gap")
            self.claim(store.rows[table_id] == log.rows, f"I2: the log of {table_id} has changed")
            last = log.tables[-1].game
            for number in range(1, 1 + (0 if last is None else last.number - (last.stage is not Stage.OVER))):
                games += 1
                self.check_game(table_id, log, number)
        self.claim(not self.faults and sum(store.balances().values()) == 0, "I7: postings do not add up to nothing")
        return games

    def check_game(self, table_id: str, log: Log, number: int) -> None:
        text = format_game(finished_game(table_id, log.rows, number))
        wrong = [each.text for each in check(parse_game(text)) if not each.is_right]
        self.claim(not wrong, f"I11: game {number} of {table_id}: {wrong}")


def is_by_clock(event: TableEvent) -> bool:
    """Whether only the clock makes such an event."""
    if isinstance(event, Moved):
        return event.by == "clock"
    return isinstance(event, SeedAbsent) or (isinstance(event, TimeGiven) and event.why != "server")


def is_whole(position: Position, deck: int) -> bool:
    """Whether every card of the pack is in one place."""
    places = [*position.hands, position.discard, position.laid]
    stock = position.deal.size - position.top
    everything = 0
    for place in places:
        if everything & place:
            return False
        everything |= place
    return int(popcount(everything)) + stock == deck

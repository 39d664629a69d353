"""Whatever players, retries and crashes do to the books in whatever order, no coin is lost, made or paid twice (I7)."""

from __future__ import annotations

import asyncio
import itertools
import shutil
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kozyr.app.ports import Appended, Booked, Conflict, Doubled, Limited, Row, Unpaid
from kozyr.ledger import Entry, LedgerError, Split, Terms, format_account, opening_grant, refund_of, refunds, settle, stakes
from kozyr.store.sqlite import SqliteStore
from tests.store.auditing import balances, faults, keys, told

DAY = 86_400_000
GUESTS = ["ann", "bob", "cem", "dan", "eva"]
TERMS = Terms(opening=500, floor=100, address_grants=2, company_games=3)

COMPANIES = st.lists(st.sampled_from(GUESTS), min_size=2, max_size=4, unique=True)
STARTS = st.lists(st.tuples(COMPANIES, st.sampled_from([10, 33, 100, 250, 501])), min_size=1, max_size=4)


@dataclass(frozen=True)
class Command:
    """An append that can be sent again: the same rows with the same id, and the same entry."""

    table: str
    expected: int
    id: str
    entry: Entry

    def send(self, store: SqliteStore) -> Any:
        row = Row(self.expected + 1, self.entry.at, self.entry.key.encode(), self.id)
        return store.append(self.table, self.expected, [row], None, [self.entry])


class BooksMachine(RuleBasedStateMachine):
    """The store, beside a list of the entries that it has acknowledged."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.runner = asyncio.Runner()
        self.lives = itertools.count()
        self.ids = itertools.count()
        self.now = 20_000 * DAY
        self.acknowledged: dict[str, Entry] = {}
        self.sent: list[Command] = []
        self.running: dict[str, Command] = {}

    @initialize()
    def first(self) -> None:
        """All but one have their opening grants, and two games run."""
        self.revive(None)
        for guest in GUESTS[:4]:
            self.arrive(guest, f"192.0.2.{1 + GUESTS.index(guest) // 2}", 1)
        self.begin_at_once([(["ann", "bob"], 10), (["cem", "ann", "dan"], 250)])

    def revive(self, image: Path | None) -> None:
        """Open the store on a copy of what a crash left, or on nothing."""
        self.database = self.folder / f"{next(self.lives)}.db"
        if image is not None:
            for end in ("", "-wal"):
                if Path(f"{image}{end}").exists():
                    shutil.move(f"{image}{end}", f"{self.database}{end}")
        self.open()

    def open(self) -> None:
        self.store = SqliteStore(self.database)
        # A killed process loses nothing that it wrote to the system; only the machine's end needs the disk to be waited for.
        self.store._writer._db.execute("PRAGMA synchronous = OFF")

    def all(self, *calls: Any) -> list[Any]:
        async def together() -> list[Any]:
            return await asyncio.gather(*calls, return_exceptions=True)

        return self.runner.run(together())

    def took(self, command: Command, outcome: Any) -> None:
        """Note what was answered to a command."""
        if outcome == Appended() or isinstance(outcome, Doubled):
            entry = command.entry
            if isinstance(outcome, Doubled):
                assert Doubled(command.expected + 1) == outcome
            assert self.acknowledged.setdefault(entry.key, entry) == entry
            if entry.kind == "stake":
                if f"settle:{entry.game}" not in self.acknowledged:
                    self.running[str(entry.game)] = command
            else:
                self.running.pop(str(entry.game), None)
        else:
            assert isinstance(outcome, Conflict | Unpaid | Limited), outcome

    def starts(self, drawn: list[tuple[list[str], int]]) -> list[Command]:
        commands = []
        for players, coins in drawn:
            number = next(self.ids)
            commands.append(Command(f"t{number}", 0, f"c{number}", stakes(f"t{number}/1", players, coins, self.now, TERMS)))
        self.sent += commands
        return commands

    def ends(self, game: str, data: st.DataObject) -> list[Command]:
        """Two ends that exclude each other: a place order, a forfeit, a draw."""
        start = self.running[game]
        players, coins = list(start.entry.players), -start.entry.postings[0].coins
        order = data.draw(st.permutations(range(len(players))))
        split = data.draw(st.sampled_from(Split))
        out = data.draw(st.integers(0, len(players) - 1))
        ways = [
            settle(game, players, coins, split, order[:-1], order[-1], self.now),
            settle(game, players, coins, split, order[:out], order[-1], self.now, forfeit=True),
            refunds(game, players, coins, self.now),
        ]
        chosen = data.draw(st.permutations(ways))[:2]
        commands = [Command(start.table, 1, f"c{next(self.ids)}", entry) for entry in chosen]
        self.sent += commands
        return commands

    @rule(guest=st.sampled_from(GUESTS), address=st.sampled_from(["192.0.2.1", "192.0.2.2"]), times=st.integers(1, 2))
    def arrive(self, guest: str, address: str, times: int) -> None:
        grant = opening_grant(guest, address, self.now, TERMS)
        for outcome in self.all(*(self.store.book(grant) for _ in range(times))):
            assert isinstance(outcome, Booked | Limited), outcome
            if isinstance(outcome, Booked):
                assert outcome.is_new is (grant.key not in self.acknowledged)
                assert self.acknowledged.setdefault(grant.key, grant) == outcome.entry

    @rule(guest=st.sampled_from(GUESTS), times=st.integers(1, 2))
    def ask_for_a_refill(self, guest: str, times: int) -> None:
        for outcome in self.all(*(self.store.refill(guest, TERMS.floor, self.now) for _ in range(times))):
            assert outcome is None or isinstance(outcome, Booked), outcome
            if outcome is not None:
                assert outcome.is_new is (outcome.entry.key not in self.acknowledged)
                assert self.acknowledged.setdefault(outcome.entry.key, outcome.entry) == outcome.entry

    @rule()
    def sleep(self) -> None:
        self.now += DAY

    @rule(drawn=STARTS)
    def begin_at_once(self, drawn: list[tuple[list[str], int]]) -> None:
        commands = self.starts(drawn)
        for command, outcome in zip(commands, self.all(*(each.send(self.store) for each in commands)), strict=True):
            self.took(command, outcome)

    @precondition(lambda self: self.running)
    @rule(data=st.data())
    def end(self, data: st.DataObject) -> None:
        game = data.draw(st.sampled_from(sorted(self.running)))
        one, two = self.ends(game, data)
        outcomes = self.all(one.send(self.store), two.send(self.store), one.send(self.store))
        assert [Appended(), Conflict(), Doubled(2)] == outcomes
        self.took(one, outcomes[0])

    @precondition(lambda self: self.running)
    @rule(data=st.data(), abort_first=st.booleans())
    def end_and_abort(self, data: st.DataObject, abort_first: bool) -> None:
        game = data.draw(st.sampled_from(sorted(self.running)))
        command, refund = self.ends(game, data)[0], refund_of(self.running[game].entry, self.now)
        calls = [command.send(self.store), self.store.book(refund)]
        outcomes = self.all(*(reversed(calls) if abort_first else calls))
        if abort_first:
            assert outcomes[0] == Booked(refund, True) and isinstance(outcomes[1], LedgerError)
            self.acknowledged[refund.key] = refund
            self.running.pop(game)
        else:
            assert [Appended(), Booked(command.entry, False)] == outcomes
            self.took(command, outcomes[0])

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def send_again(self, data: st.DataObject) -> None:
        command = data.draw(st.sampled_from(self.sent))
        (outcome,) = self.all(command.send(self.store))
        if isinstance(outcome, LedgerError):
            # The end of a game that was aborted meanwhile by its refund.
            assert command.entry.kind != "stake" and command.entry.key in self.acknowledged
            return
        assert outcome != Appended() or command.entry.key not in self.acknowledged
        self.took(command, outcome)

    @rule(drawn=STARTS, data=st.data(), answered=st.integers(0, 4))
    def be_killed(self, drawn: list[tuple[list[str], int]], data: st.DataObject, answered: int) -> None:
        """The process ends while commands are on their way; clients send them again to the next one."""
        commands = self.starts(drawn)
        for game in sorted(self.running)[:2]:
            commands.append(self.ends(game, data)[0])
        image = self.folder / "image.db"

        async def crash() -> list[Any]:
            tasks = [asyncio.ensure_future(each.send(self.store)) for each in commands]
            await asyncio.sleep(0)
            while sum(task.done() for task in tasks) < min(answered, len(tasks)):
                await asyncio.sleep(0)
            known = [task.result() if task.done() else None for task in tasks]
            for end in ("", "-wal"):
                shutil.copyfile(f"{self.database}{end}", f"{image}{end}")
            await asyncio.gather(*tasks)
            await self.store.close()
            return known

        known = self.runner.run(crash())
        self.revive(image)
        outcomes = self.all(*(each.send(self.store) for each in commands))
        for command, before, after in zip(commands, known, outcomes, strict=True):
            if before == Appended():
                assert Doubled(command.expected + 1) == after, "an acknowledged command is lost"
            self.took(command, after)

    @rule()
    def stop_and_start(self) -> None:
        self.runner.run(self.store.close())
        self.open()

    @invariant()
    def the_books_are_right(self) -> None:
        if not hasattr(self, "store"):
            return
        assert [] == faults(self.database)
        assert set(self.acknowledged) == keys(self.database)
        booked: Counter[str] = Counter()
        for entry in self.acknowledged.values():
            for posting in entry.postings:
                booked[format_account(posting.account)] += posting.coins
        assert booked == balances(self.database)
        # An event and its entry are both there, or neither; only a refund may stand alone.
        events = told(self.database)
        alone = {key for key, entry in self.acknowledged.items() if entry.kind in ("grant", "refill", "refund")}
        assert events <= set(self.acknowledged) <= events | alone
        begun = Counter((tuple(sorted(e.players)), e.at // DAY) for e in self.acknowledged.values() if e.kind == "stake")
        assert all(count <= TERMS.company_games for count in begun.values())

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.runner.run(self.store.close())
        self.runner.close()
        shutil.rmtree(self.folder)


TestBooks = BooksMachine.TestCase
TestBooks.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)


def test_the_audit_sees_a_lost_coin(tmp_path: Path) -> None:
    """The rules by which these tests judge the books find what they look for."""

    async def fill() -> None:
        async with SqliteStore(tmp_path / "kozyr.db") as store:
            await store.book(opening_grant("ann", "192.0.2.1", 0, TERMS))

    asyncio.run(fill())
    assert [] == faults(tmp_path / "kozyr.db")
    with closing(sqlite3.connect(tmp_path / "kozyr.db")) as db:
        db.execute("UPDATE accounts SET balance = balance - 1 WHERE account = 'player:ann'")
        db.commit()
    assert ["an account is its postings: [('player:ann',)]"] == faults(tmp_path / "kozyr.db")

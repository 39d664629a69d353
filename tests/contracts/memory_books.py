"""The books of coins in memory: the port `Ledger` as plainly as it can be said."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

from kozyr.app.ports import Booked, Company, Limited, Line, Pot, Totals, Unpaid
from kozyr.ledger import (
    ADDRESS,
    COMPANY,
    MINT,
    Account,
    AccountKind,
    Entry,
    Kind,
    LedgerError,
    balances_after,
    company_of,
    daily_refill,
    day_of,
    player,
    pot_of,
    refill_key,
    seats_short,
    stake_key,
)


class MemoryBooks:
    """A list of entries; everything else is added up from it."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.counts: Counter[tuple[str, int, str]] = Counter()

    def add(self, entries: Sequence[Entry]) -> Unpaid | Limited | None:
        """Book all entries, or none and say why."""
        before, counts = dict(self.entries), Counter(self.counts)
        refusal = None
        try:
            for entry in entries:
                refusal = refusal or self._add(entry)
        except LedgerError:
            self.entries, self.counts = before, counts
            raise
        if refusal is not None:
            self.entries, self.counts = before, counts
        return refusal

    def balances(self) -> dict[Account, int]:
        """Add up every account."""
        found: Counter[Account] = Counter()
        for entry in self.entries.values():
            for posting in entry.postings:
                found[posting.account] += posting.coins
        return dict(found)

    async def book(self, entry: Entry) -> Booked | Limited:
        await asyncio.sleep(0)
        if entry.kind not in (Kind.GRANT, Kind.REFUND):
            raise ValueError(f"{entry.key}: a {entry.kind} is not booked by itself")
        if entry.key in self.entries:
            return Booked(self.entries[entry.key], False)
        refusal = self.add([entry])
        assert not isinstance(refusal, Unpaid)
        return refusal or Booked(entry, True)

    async def refill(self, guest: str, floor: int, now: int) -> Booked | None:
        await asyncio.sleep(0)
        balances = self.balances()
        if player(guest) not in balances:
            return None
        if (first := self.entries.get(refill_key(guest, now))) is not None:
            return Booked(first, False)
        staked = [
            -posting.coins
            for entry in self.entries.values()
            for posting in entry.postings
            if entry.kind is Kind.STAKE and posting.account == player(guest) and balances[pot_of(entry.game or "")]
        ]
        entry = daily_refill(guest, balances[player(guest)] + sum(staked), floor, now)
        if entry is None:
            return None
        self.add([entry])
        return Booked(entry, True)

    async def balance(self, guest: str) -> int | None:
        return self.balances().get(player(guest))

    async def history(self, guest: str, before: int | None = None, most: int = 50) -> list[Line]:
        lines: list[Line] = []
        for entry in self.entries.values():
            for posting in entry.postings:
                if posting.account == player(guest):
                    balance = posting.coins + (lines[-1].balance if lines else 0)
                    lines.append(Line(len(lines) + 1, entry.at, entry.kind, entry.key, entry.game, posting.coins, balance))
        return [line for line in reversed(lines) if before is None or line.number < before][:most]

    async def company_games(self, players: Sequence[str], now: int) -> int:
        return self.counts[COMPANY, day_of(now), company_of(players)]

    async def companies(self, day: int, most: int) -> list[Company]:
        found = [(-count, name) for (kind, on, name), count in self.counts.items() if (kind, on) == (COMPANY, day) and count]
        return [Company(tuple(name.split(",")), -count) for count, name in sorted(found)][:most]

    async def stake_of(self, game: str) -> Entry | None:
        return self.entries.get(stake_key(game))

    async def open_pots(self, most: int) -> list[Pot]:
        pots = [(account.name, coins) for account, coins in self.balances().items() if account.kind is AccountKind.POT and coins]
        found = [Pot(game, coins, self.entries[stake_key(game)].at) for game, coins in pots]
        return sorted(found, key=lambda pot: (pot.at, pot.game))[:most]

    async def totals(self) -> Totals:
        balances = self.balances()
        given = {kind: -self._sum(MINT, kind) for kind in (Kind.GRANT, Kind.REFILL)}
        players = [coins for account, coins in balances.items() if account.kind is AccountKind.PLAYER]
        pots = [coins for account, coins in balances.items() if account.kind is AccountKind.POT]
        everything = sum(balances.values())
        return Totals(len(players), len(self.entries), given[Kind.GRANT], given[Kind.REFILL], sum(players), sum(pots), everything)

    def _add(self, entry: Entry) -> Unpaid | Limited | None:
        if entry.key in self.entries:
            raise LedgerError(f"{entry.key} is booked already")
        for count in entry.counts:
            if self.counts[count.kind, count.day, count.name] >= count.most:
                return Limited(count.kind, count.name)
        balances = self.balances()
        if entry.kind is Kind.STAKE and (short := seats_short(entry, balances)):
            return Unpaid(short)
        balances_after(entry, balances)
        self.entries[entry.key] = entry
        for count in entry.counts:
            self.counts[count.kind, count.day, count.name] += 1
            if count.kind == ADDRESS:
                for old in [each for each in self.counts if each[0] == ADDRESS and each[1] < count.day - 1]:
                    del self.counts[old]
        return None

    def _sum(self, account: Account, kind: Kind) -> int:
        return sum(
            posting.coins
            for entry in self.entries.values()
            for posting in entry.postings
            if entry.kind is kind and posting.account == account
        )

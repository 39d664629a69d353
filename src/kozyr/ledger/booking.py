"""What an entry makes of balances, before it is written."""

from __future__ import annotations

from collections.abc import Mapping

from kozyr.ledger.entries import SETTLING, Account, AccountKind, Entry, LedgerError
from kozyr.ledger.payouts import Coins


def seats_short(entry: Entry, balances: Mapping[Account, Coins]) -> tuple[int, ...]:
    """
    Name the seats whose players cannot pay what an entry takes of them; an account that is not in *balances* has nothing.

    Source: R15.2.
    """
    taken = [posting for posting in entry.postings if posting.account.kind is AccountKind.PLAYER]
    return tuple(seat for seat, each in enumerate(taken) if balances.get(each.account, 0) + each.coins < 0)


def balances_after(entry: Entry, balances: Mapping[Account, Coins]) -> dict[Account, Coins]:
    """
    Return the balances of the accounts that an entry touches as they are after it.

    Raises: LedgerError for a player or a pot that would be overdrawn, and for a game that is settled and leaves coins in its pot.
    """
    after = {posting.account: balances.get(posting.account, 0) + posting.coins for posting in entry.postings}
    for account, coins in after.items():
        if coins < 0 and account.kind is not AccountKind.MINT:
            raise LedgerError(f"{entry.key} overdraws {account.kind} {account.name} by {-coins}")
        if coins and account.kind is AccountKind.POT and entry.kind in SETTLING:
            raise LedgerError(f"{entry.key} leaves {coins} coins in the pot")
    return after

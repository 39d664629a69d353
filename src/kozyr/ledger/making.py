"""Makes the entries that there are: grants and refills from the mint, stakes into a pot, payouts and refunds out of it."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass

from kozyr.ledger.entries import (
    MINT,
    Count,
    Entry,
    Kind,
    LedgerError,
    Posting,
    check_coins,
    day_of,
    format_account,
    home_of,
    player,
    pot_of,
)
from kozyr.ledger.payouts import Coins, payouts

ADDRESS = "address"
COMPANY = "company"


@dataclass(frozen=True, slots=True)
class Terms:
    """
    What a server gives and allows, in coins and times a UTC day.

    A guest gets `opening` once, an address `address_grants` of them; `floor` is what a refill fills up to; the same company plays
    `company_games` for a stake.

    Raises: ValueError for a number below 0, or an opening of no coins.
    """

    opening: Coins = 1000
    floor: Coins = 200
    address_grants: int = 5
    company_games: int = 10

    def __post_init__(self) -> None:
        check_coins(self.opening)
        if min(self.floor, self.address_grants, self.company_games) < 0:
            raise ValueError(f"{self} has a number below 0")


def opening_grant(guest: str, address: str, at: int, terms: Terms) -> Entry:
    """Give a guest the coins to begin with, once; `address` is where the guest came from."""
    count = Count(ADDRESS, address_block(address), day_of(at), terms.address_grants)
    return _from_mint(f"grant:{guest}", Kind.GRANT, guest, terms.opening, at, (count,))


def daily_refill(guest: str, owned: Coins, floor: Coins, at: int) -> Entry | None:
    """Fill up what a guest owns, coins in running games too, to the floor, once a UTC day; None for who has enough."""
    return None if owned >= floor else _from_mint(refill_key(guest, at), Kind.REFILL, guest, floor - owned, at)


def refill_key(guest: str, at: int) -> str:
    """Name a guest's refill of the day."""
    return f"refill:{guest}:{day_of(at)}"


def stakes(game: str, players: Sequence[str], coins: Coins, at: int, terms: Terms) -> Entry:
    """
    Take *coins* of every player into the pot of a game; *players* by seat.

    Raises: ValueError for fewer than two players, one at two seats, no coins, no game.

    Source: R15.1, R15.2.
    """
    count = Count(COMPANY, company_of(players), day_of(at), terms.company_games)
    return _of_game(stake_key(game), Kind.STAKE, game, players, [-coins] * len(players), at, (count,))


def settlement(game: str, players: Sequence[str], paid: Sequence[Coins], at: int) -> Entry:
    """
    Pay out the pot of a game; *players* and *paid* by seat, 0 for who gets nothing.

    Raises: ValueError for coins below 0, a payout of nothing, another number of seats, one player at two seats.

    Source: R15.3.
    """
    return _of_game(settle_key(game), Kind.PAYOUT, game, players, paid, at)


def refunds(game: str, players: Sequence[str], coins: Coins, at: int) -> Entry:
    """
    Give every player the stake back; *players* by seat.

    Raises: ValueError as `stakes` does.

    Source: R15.5.
    """
    return _of_game(settle_key(game), Kind.REFUND, game, players, [coins] * len(players), at)


def refund_of(stake: Entry, at: int) -> Entry:
    """
    Give back all that an entry of stakes took.

    Raises: LedgerError for another kind of entry.

    Source: R15.5.
    """
    if stake.kind is not Kind.STAKE or stake.game is None:
        raise LedgerError(f"{stake.key} took no stakes")
    return Entry(settle_key(stake.game), Kind.REFUND, stake.home, at, tuple(Posting(each.account, -each.coins) for each in stake.postings))


def settle(
    game: str, players: Sequence[str], coins: Coins, split: str, places: Sequence[int], durak: int | None, at: int, *, forfeit: bool = False
) -> Entry:
    """
    Settle a finished game for which every player put in *coins*: pay out by places, or refund where there is no durak.

    Raises: ValueError as `payouts` and `settlement` do.

    Source: R15.3-R15.5, R16.3.
    """
    paid = payouts(coins, len(players), split, places, durak, forfeit=forfeit)
    return refunds(game, players, coins, at) if durak is None else settlement(game, players, paid, at)


def stake_key(game: str) -> str:
    """Name the entry of a game's stakes."""
    return f"stake:{game}"


def settle_key(game: str) -> str:
    """Name the entry that settles a game, be it payout or refund: there is one of both."""
    return f"settle:{game}"


def company_of(players: Sequence[str]) -> str:
    """Name the players of a game whatever their seats."""
    return ",".join(sorted(players))


def address_block(address: str) -> str:
    """
    Name what one household has of addresses: the address, or the first 64 bits of one of version 6.

    What is no address stays as it is.
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.IPv6Network((int(found), 64), strict=False))
    return str(found)


def _from_mint(key: str, kind: Kind, guest: str, coins: Coins, at: int, counts: tuple[Count, ...] = ()) -> Entry:
    account = player(guest)
    return Entry(key, kind, format_account(account), at, (Posting(account, coins), Posting(MINT, -coins)), counts)


def _of_game(
    key: str, kind: Kind, game: str, players: Sequence[str], coins: Sequence[Coins], at: int, counts: tuple[Count, ...] = ()
) -> Entry:
    moved = [Posting(player(each), part) for each, part in zip(players, coins, strict=True) if part]
    if kind is not Kind.PAYOUT and len(moved) < 2:
        raise ValueError(f"{key}: there is nothing to move between at least two seats")
    if len(set(players)) != len(players):
        raise ValueError(f"{key}: a player has two seats")
    return Entry(key, kind, home_of(game), at, (*moved, Posting(pot_of(game), -sum(each.coins for each in moved))), counts)

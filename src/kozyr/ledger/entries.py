"""The words of the books: accounts, and entries of postings that add up to nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

from kozyr.ledger.payouts import Coins

COINS_MAX = 2**53 - 1
"""More coins than the numbers of a browser can tell apart are in no posting."""
DAY_MS = 86_400_000
NAME = re.compile(r"[^\s,:/]+")


class LedgerError(Exception):
    """The books would be broken: a game settled twice, a pot overdrawn or not emptied."""


class AccountKind(StrEnum):
    """Whose coins an account holds: a player's, a game's until it is settled, or those not given out yet."""

    PLAYER = "player"
    POT = "pot"
    MINT = "mint"


@dataclass(frozen=True, slots=True)
class Account:
    """
    An account. `name` is a player's id, a game as `TABLE/NUMBER`, or empty for the mint.

    Only the mint goes below 0: what it owes is what all others have.

    Raises: ValueError for a name that is none.
    """

    kind: AccountKind
    name: str = ""

    def __post_init__(self) -> None:
        if self.kind is AccountKind.PLAYER and not NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} names no player")
        if self.kind is AccountKind.POT and not is_game(self.name):
            raise ValueError(f"{self.name!r} names no game")
        if self.kind is AccountKind.MINT and self.name:
            raise ValueError(f"there is one mint, not {self.name!r}")


MINT = Account(AccountKind.MINT)


def player(name: str) -> Account:
    """Return a player's account."""
    return Account(AccountKind.PLAYER, name)


def pot_of(game: str) -> Account:
    """Return the account of a game's pot."""
    return Account(AccountKind.POT, game)


def format_account(account: Account) -> str:
    """Write an account as `player:NAME`, `pot:TABLE/NUMBER` or `mint`."""
    return f"{account.kind}:{account.name}" if account.name else str(account.kind)


def parse_account(text: str) -> Account:
    """
    Read an account.

    Raises: ValueError with the text, if it is none.
    """
    kind, colon, name = text.partition(":")
    if kind not in list(AccountKind) or bool(colon) != bool(name):
        raise ValueError(f"{text!r} is no account")
    return Account(AccountKind(kind), name)


def is_game(text: str) -> bool:
    """Tell whether a text names a game: `TABLE/NUMBER`."""
    table, _, number = text.rpartition("/")
    return bool(NAME.fullmatch(table)) and number.isascii() and number.isdigit()


def day_of(at: int) -> int:
    """Number the UTC day of a moment in milliseconds since 1970."""
    return at // DAY_MS


class Kind(StrEnum):
    """What an entry is for."""

    GRANT = "grant"
    REFILL = "refill"
    STAKE = "stake"
    PAYOUT = "payout"
    REFUND = "refund"


FROM_MINT = (Kind.GRANT, Kind.REFILL)
SETTLING = (Kind.PAYOUT, Kind.REFUND)
KEYS = {Kind.GRANT: "grant", Kind.REFILL: "refill", Kind.STAKE: "stake", Kind.PAYOUT: "settle", Kind.REFUND: "settle"}
"""How the key of an entry of each kind begins; a player or a game follows. Payout and refund share it: a game has one of both."""


@dataclass(frozen=True, slots=True)
class Posting:
    """Coins that come to an account, or leave it where they are below 0."""

    account: Account
    coins: Coins


@dataclass(frozen=True, slots=True)
class Count:
    """Something that happens at most `most` times a UTC day, such as grants to one address."""

    kind: str
    name: str
    day: int
    most: int


@dataclass(frozen=True, slots=True)
class Entry:
    """
    A balanced set of postings that is booked once for ever, by its `key`, at a moment in milliseconds.

    `home` is where the entry is kept: the table whose game it is of, or the player's account. Players' postings stand in order of seats.
    `counts` go up by one when it is booked, and are no part of what is kept.

    Raises: ValueError for postings that do not add up to nothing, have no coins, or are not what `kind` is for: nothing else moves coins.
    """

    key: str
    kind: Kind
    home: str
    at: int
    postings: tuple[Posting, ...]
    counts: tuple[Count, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        for posting in self.postings:
            check_coins(abs(posting.coins) if _is_whole(posting.coins) else posting.coins)
        named = [posting.account for posting in self.postings]
        if len(set(named)) != len(named):
            raise ValueError(f"{self.key}: an account is named twice")
        if sum(posting.coins for posting in self.postings):
            raise ValueError(f"{self.key}: the postings do not add up to nothing")
        if not self._is_what_it_is_for():
            raise ValueError(f"{self.key}: these are not the postings of a {self.kind}")

    @property
    def game(self) -> str | None:
        """The game that the entry is of."""
        return None if self.kind in FROM_MINT else self.key.partition(":")[2]

    @property
    def players(self) -> tuple[str, ...]:
        """The players with a posting, in order of seats."""
        return tuple(posting.account.name for posting in self.postings if posting.account.kind is AccountKind.PLAYER)

    def _is_what_it_is_for(self) -> bool:
        prefix, _, name = self.key.partition(":")
        if prefix != KEYS[self.kind]:
            return False
        others = [posting for posting in self.postings if posting.account.kind is not AccountKind.PLAYER]
        coins = [posting.coins for posting in self.postings if posting.account.kind is AccountKind.PLAYER]
        if len(others) != 1 or not coins:
            return False
        source = others[0]
        if self.kind in FROM_MINT:
            owner = name.partition(":")[0]
            return source.account == MINT and source.coins < 0 and self.players == (owner,) and self.home == f"player:{owner}"
        if source.account.kind is not AccountKind.POT or source.account.name != name or self.home != home_of(name):
            return False
        if self.kind is Kind.STAKE:
            return source.coins > 0 and len(coins) > 1 and len(set(coins)) == 1
        return all(each > 0 for each in coins)


def home_of(game: str) -> str:
    """Name the table of a game: all entries of its games are kept with its log."""
    return game.rpartition("/")[0]


def check_coins(coins: Coins) -> None:
    """
    Check that coins are a whole number above 0.

    Raises: ValueError if they are not.
    """
    if not _is_whole(coins) or not 0 < coins <= COINS_MAX:
        raise ValueError(f"{coins!r} is no number of coins")


def _is_whole(coins: object) -> bool:
    return isinstance(coins, int) and not isinstance(coins, bool)

"""The pot of one game and its payouts, in whole coins."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeAlias

Coins: TypeAlias = int


class Split(StrEnum):
    """How the pot is split among all but the durak (R15.3)."""

    LINEAR = "linear"
    WINNER = "winner"
    EQUAL = "equal"


def pot(entry: Coins, seats: int) -> Coins:
    """
    Add up the entries of all *seats*.

    Raises: ValueError for an entry below 0 or fewer than two seats.

    Source: R15.2.
    """
    if entry < 0:
        raise ValueError(f"an entry of {entry} coins is below 0")
    _check_seats(seats)
    return entry * seats


def weights(seats: int, split: str) -> tuple[int, ...]:
    """
    Weigh the places from the first to the durak's, which weighs nothing.

    Raises: ValueError for an unknown split or fewer than two seats.

    Source: R15.3.
    """
    _check_seats(seats)
    match _split(split):
        case Split.LINEAR:
            return tuple(range(seats - 1, -1, -1))
        case Split.WINNER:
            return (1,) + (0,) * (seats - 1)
        case Split.EQUAL:
            return (1,) * (seats - 1) + (0,)


def shares(coins: Coins, split: str, seats: int) -> tuple[Coins, ...]:
    """
    Split a pot of *coins* by place, from the first place to the durak's.

    The shares add up to the pot exactly: odd coins go one each to the largest fractions, ties to the better place.

    Raises: ValueError for a pot below 0, an unknown split or fewer than two seats.

    Source: R15.3, R15.4.
    """
    if coins < 0:
        raise ValueError(f"a pot of {coins} coins is below 0")
    parts = weights(seats, split)
    whole = sum(parts)
    paid = [coins * part // whole for part in parts]
    by_fraction = sorted(range(seats), key=lambda place: (-(coins * parts[place] % whole), place))
    for place in by_fraction[: coins - sum(paid)]:
        paid[place] += 1
    return tuple(paid)


def payouts(entry: Coins, seats: int, split: str, places: Sequence[int], durak: int | None, *, forfeit: bool = False) -> tuple[Coins, ...]:
    """
    Pay out a finished game, by seat.

    *places* names the seats that went out, first place first, without the durak. With *durak* None the game is a draw for whatever
    reason, also a server abort, and every entry is refunded. With *forfeit* the durak is the seat that left: the seats in *places*
    keep their shares, the others share the rest equally, odd coins one each in seat order from the leaver's left.

    Raises: ValueError for seats that do not exist or are named twice, places that do not fill up without a forfeit, a forfeit without a
    durak, an unknown split, an entry below 0, fewer than two seats.

    Source: R15.3-R15.5, R16.3.
    """
    coins = pot(entry, seats)
    by_place = shares(coins, split, seats)
    _check_finish(seats, places, durak, forfeit)
    if durak is None:
        return (entry,) * seats
    paid = dict(zip(places, by_place, strict=False))
    others = [seat for seat in ((durak + step) % seats for step in range(1, seats)) if seat not in paid]
    if others:
        each, odd = divmod(coins - sum(paid.values()), len(others))
        paid |= {seat: each + (turn < odd) for turn, seat in enumerate(others)}
    return tuple(paid.get(seat, 0) for seat in range(seats))


def _check_finish(seats: int, places: Sequence[int], durak: int | None, forfeit: bool) -> None:
    named = [*places] if durak is None else [*places, durak]
    for seat in named:
        if not 0 <= seat < seats:
            raise ValueError(f"there is no seat {seat} among {seats}")
    if len(set(named)) != len(named):
        raise ValueError(f"a seat is named twice: places {list(places)}, durak {durak}")
    if forfeit and durak is None:
        raise ValueError("a forfeit names the seat that left as the durak")
    if durak is not None and not forfeit and len(named) != seats:
        raise ValueError(f"{len(named)} of {seats} seats have a place: only a forfeit leaves seats without one")


def _check_seats(seats: int) -> None:
    if seats < 2:
        raise ValueError(f"a game has at least two seats, not {seats}")


def _split(split: str) -> Split:
    try:
        return Split(split)
    except ValueError:
        raise ValueError(f"the split {split!r} is none of {', '.join(Split)}") from None

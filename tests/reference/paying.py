"""
What each seat is paid.

Source: R15.3-R15.5, R16.3.
"""

from __future__ import annotations

from fractions import Fraction


def shares_by_place(seats: int, entry: int, split: str) -> list[int]:
    """
    Split the pot by place, first place first, the durak last with nothing.

    Source: R15.3, R15.4.
    """
    pot = seats * entry
    weights = {
        "linear": [seats - 1 - place for place in range(seats)],
        "winner": [1] + [0] * (seats - 1),
        "equal": [1] * (seats - 1) + [0],
    }[split]
    exact = [Fraction(pot * weight, sum(weights)) for weight in weights]
    coins = [int(share) for share in exact]
    left_over = pot - sum(coins)
    by_fraction = sorted(range(seats), key=lambda place: (coins[place] - exact[place], place))
    for place in by_fraction[:left_over]:
        coins[place] += 1
    return coins


def shares_after_forfeit(seats: int, entry: int, split: str, placed: int) -> list[int]:
    """
    Split the pot when a seat forfeits while *placed* seats are out.

    First those places, then the other seats from the leaver's left, the leaver last.
    Source: R16.3.
    """
    shares = shares_by_place(seats, entry, split)
    remaining = sum(shares[placed:])
    others = seats - placed - 1
    each, left_over = divmod(remaining, others)
    return shares[:placed] + [each + (1 if k < left_over else 0) for k in range(others)] + [0]

"""Coins: the pot of a game and how it is paid out."""

from __future__ import annotations

from kozyr.ledger.payouts import Coins, Split, payouts, pot, shares, weights

__all__ = ["Coins", "Split", "payouts", "pot", "shares", "weights"]

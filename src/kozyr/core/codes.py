"""
The engine's small integers: actions, phases, how bouts and games end, rights.

An action is a card to attack, throw in or beat (the oldest unbeaten card) with; PASS, which accepts in CHALLENGE; TAKE;
TRANSFER + card; SHOW + card; ATTACK_SET or TRANSFER_SET + 16 * rank + the mask of suits, for several cards in one move.
"""
from __future__ import annotations

from typing import Final

from kozyr.core._native import i64
from kozyr.core.cards import ONE, lowest

PASS: Final = 61
TAKE: Final = 47
TRANSFER: Final = 64
SHOW: Final = 128
ATTACK_SET: Final = 192
TRANSFER_SET: Final = 448
PASS_BIT: Final[i64] = int("0x2000000000000000", 16)
TAKE_BIT: Final[i64] = int("0x800000000000", 16)

# phases
OPENING: Final = 0
DEFENCE: Final = 1
THROW_IN: Final = 2
TAKING: Final = 3
CHALLENGE: Final = 4
OVER: Final = 5
PHASES: Final = ("OPENING", "DEFENCE", "THROW_IN", "TAKING", "CHALLENGE", "OVER")

# how a bout ended
BEATEN: Final = 1
TAKEN: Final = 2
FAULT: Final = 3
OUTCOMES: Final = ("", "beaten", "taken", "fault")

# why a game ended
CARDS: Final = 1
LAST_EMPTIED: Final = 2
EMPTY: Final = 3
REPETITION: Final = 4
NO_PROGRESS: Final = 5
FORFEIT: Final = 6
REASONS: Final = ("", "cards", "last_emptied", "empty", "repetition", "no_progress", "forfeit")

# rights of the present bout, above the six bits of `shown`
FLOOR_OPEN: Final = 64
TRANSFER_LOST: Final = 128

BOUTS_WITHOUT_PROGRESS: Final = 20  # for each seat (R11.10)


def set_of(code: i64) -> i64:
    """Return the cards of one rank that `16 * rank + mask of suits` names."""
    cards: i64 = 0
    suit: i64 = 0
    while suit < 4:
        if code >> suit & 1:
            cards |= ONE << (suit << 4 | code >> 4)
        suit += 1
    return cards


def code_of(cards: i64) -> i64:
    """Return `16 * rank + mask of suits` of cards of one rank."""
    code: i64 = (lowest(cards) & 15) << 4
    while cards:
        code |= ONE << (lowest(cards) >> 4)
        cards &= cards - 1
    return code

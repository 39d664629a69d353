"""
The provable shuffle: seeds and commitments in, lots and decks out.

Bytes are defined in docs/fair.md. Nothing here draws randomness: every seed is an argument.
"""

from __future__ import annotations

from kozyr.fair.commit import PROTOCOL, SEED_BYTES, Absence, Origin, commit_seat, commit_server
from kozyr.fair.record import Commitments, SeatSeed, Shuffle
from kozyr.fair.stream import DECK_SIZES, Stream, canonical_deck
from kozyr.fair.verify import Finding, FindingCode, Verification, verify

__all__ = [
    "DECK_SIZES",
    "PROTOCOL",
    "SEED_BYTES",
    "Absence",
    "Commitments",
    "Finding",
    "FindingCode",
    "Origin",
    "SeatSeed",
    "Shuffle",
    "Stream",
    "Verification",
    "canonical_deck",
    "commit_seat",
    "commit_server",
    "verify",
]

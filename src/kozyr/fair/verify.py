"""Checking a finished game's shuffle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from kozyr.fair.commit import Absence, Origin, commit_seat, commit_server
from kozyr.fair.record import Commitments, SeatSeed, Shuffle
from kozyr.fair.stream import Stream


class FindingCode(StrEnum):
    """What can be wrong with a shuffle; the words are stable, for translations."""

    SERVER_SEED = "server_seed"
    SEAT_SEED = "seat_seed"
    FALSE_MISMATCH = "false_mismatch"
    SEEN_GAME = "seen_game"
    SEEN_SERVER = "seen_server"
    SEEN_SEATS = "seen_seats"
    SEEN_SEAT = "seen_seat"


_SENTENCES: Final = {
    FindingCode.SERVER_SEED: "the server's seed does not fit the server's commitment",
    FindingCode.SEAT_SEED: "the seed of seat {seat} does not fit its commitment",
    FindingCode.FALSE_MISMATCH: "seat {seat} is recorded as absent although its seed fits its commitment",
    FindingCode.SEEN_GAME: "the commitments seen before the game belong to another game",
    FindingCode.SEEN_SERVER: "the server's commitment is not the one seen before the game",
    FindingCode.SEEN_SEATS: "the number of seats is not the one seen before the game",
    FindingCode.SEEN_SEAT: "the commitment of seat {seat} is not the one seen before the game",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong; *seat* is None where it concerns no seat."""

    code: FindingCode
    seat: int | None = None

    def __str__(self) -> str:
        return _SENTENCES[self.code].format(seat=self.seat)


@dataclass(frozen=True, slots=True)
class Verification:
    """
    What `verify` found, and the re-derived stream at its beginning.

    Whoever knows the game's rules draws dealer, deck, redeals and lot from *stream* once more and compares them with the game played.
    """

    findings: tuple[Finding, ...]
    stream: Stream


def verify(shuffle: Shuffle, seen: Commitments | None = None) -> Verification:
    """
    Check every commitment of *shuffle* and derive its stream anew.

    *seen* holds the commitments that a device kept from before the game. Without it nothing tells whether the server exchanged
    its own commitment and all others afterwards, and the commitment of an absent seat can't be checked at all.
    """
    findings = [*_server_findings(shuffle), *_seat_findings(shuffle)]
    if seen is not None:
        findings += _seen_findings(shuffle.commitments, seen)
    return Verification(tuple(findings), shuffle.stream())


def _server_findings(shuffle: Shuffle) -> Iterator[Finding]:
    if commit_server(shuffle.game, shuffle.server_seed) != shuffle.server_commitment:
        yield Finding(FindingCode.SERVER_SEED)


def _seat_findings(shuffle: Shuffle) -> Iterator[Finding]:
    for seat, entry in enumerate(shuffle.seats):
        if entry.absence is Absence.MISMATCH:
            if _fits(shuffle.server_commitment, seat, entry, Origin.SEAT):
                yield Finding(FindingCode.FALSE_MISMATCH, seat)
        elif entry.origin is not Origin.ABSENT and not _fits(shuffle.server_commitment, seat, entry, entry.origin):
            yield Finding(FindingCode.SEAT_SEED, seat)


def _fits(server_commitment: bytes, seat: int, entry: SeatSeed, origin: Origin) -> bool:
    return entry.seed is not None and commit_seat(server_commitment, seat, entry.seed, origin) == entry.commitment


def _seen_findings(recorded: Commitments, seen: Commitments) -> Iterator[Finding]:
    if recorded.game != seen.game:
        yield Finding(FindingCode.SEEN_GAME)
    if recorded.server != seen.server:
        yield Finding(FindingCode.SEEN_SERVER)
    if len(recorded.seats) != len(seen.seats):
        yield Finding(FindingCode.SEEN_SEATS)
    for seat, (now, before) in enumerate(zip(recorded.seats, seen.seats, strict=False)):
        if now != before:
            yield Finding(FindingCode.SEEN_SEAT, seat)

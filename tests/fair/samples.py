"""Shuffles for the tests, made of seeds that only count up."""

from __future__ import annotations

from kozyr.fair import SeatSeed, Shuffle, commit_seat, commit_server

GAME = "sample"


def seed(first: int) -> bytes:
    """Make a seed of the bytes *first*, *first* + 1, …"""
    return bytes((first + step) % 256 for step in range(32))


SERVER_SEED = seed(0)
SERVER_COMMITMENT = commit_server(GAME, SERVER_SEED)


def player(seat: int, first: int) -> SeatSeed:
    """Let a player at *seat* commit and reveal honestly."""
    return SeatSeed.of_player(SERVER_COMMITMENT, seat, commit_seat(SERVER_COMMITMENT, seat, seed(first)), seed(first))


def bot(seat: int, first: int) -> SeatSeed:
    """Let the server put in a seed for the bot at *seat*."""
    return SeatSeed.of_bot(SERVER_COMMITMENT, seat, seed(first))


def no_commitment(seat: int) -> SeatSeed:
    """Leave *seat* without a commitment."""
    return SeatSeed.of_player(SERVER_COMMITMENT, seat, None, None)


def not_revealed(seat: int, first: int) -> SeatSeed:
    """Let *seat* commit and then keep its seed."""
    return SeatSeed.of_player(SERVER_COMMITMENT, seat, commit_seat(SERVER_COMMITMENT, seat, seed(first)), None)


def mismatch(seat: int, first: int) -> SeatSeed:
    """Let *seat* reveal another seed than it committed."""
    return SeatSeed.of_player(SERVER_COMMITMENT, seat, commit_seat(SERVER_COMMITMENT, seat, seed(first)), seed(first + 1))


def shuffle(*seats: SeatSeed) -> Shuffle:
    """Make the record of the sample game."""
    return Shuffle.of_server(GAME, SERVER_SEED, seats)


EVERY_KIND = shuffle(player(0, 32), bot(1, 64), no_commitment(2), not_revealed(3, 96), mismatch(4, 128), player(5, 160))

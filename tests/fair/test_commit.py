"""Commitments and the key: what they bind, and what they refuse."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from kozyr.fair import Absence, Origin, SeatSeed, commit_seat, commit_server
from tests.fair.samples import EVERY_KIND, GAME, SERVER_COMMITMENT, bot, mismatch, no_commitment, not_revealed, player, seed, shuffle


def test_a_commitment_binds_game_seat_origin_and_seed() -> None:
    """Nobody can reuse a commitment for another game, seat or seed, or pass a bot off as a player. (R2.6)"""
    other = commit_server("other", seed(0))
    made = [
        commit_server(GAME, seed(0)),
        commit_server(GAME, seed(1)),
        other,
        commit_seat(SERVER_COMMITMENT, 0, seed(0)),
        commit_seat(SERVER_COMMITMENT, 0, seed(1)),
        commit_seat(SERVER_COMMITMENT, 1, seed(0)),
        commit_seat(SERVER_COMMITMENT, 0, seed(0), Origin.SERVER),
        commit_seat(other, 0, seed(0)),
    ]
    assert len(made) == len(set(made))


def test_the_key_depends_on_who_put_in_what() -> None:
    """The order of the seats, their seeds and where they come from all change the cards. (R2.6)"""
    one, two = player(0, 32), player(1, 64)
    records = [
        shuffle(one, two),
        shuffle(two, one),
        shuffle(one, bot(1, 64)),
        shuffle(one, no_commitment(1)),
        shuffle(no_commitment(0), two),
        shuffle(one, two, no_commitment(2)),
        dataclasses.replace(shuffle(one, two), game="other"),
        dataclasses.replace(shuffle(one, two), server_seed=seed(1)),
    ]
    assert len(records) == len({record.key for record in records})


def test_every_byte_of_every_seed_changes_the_key() -> None:
    """One device's seed is enough to change the cards. (R2.6)"""
    for seat, byte in itertools.product((0, 1, 5), range(32)):
        entry = EVERY_KIND.seats[seat]
        assert entry.seed is not None
        changed = dataclasses.replace(entry, seed=flipped(entry.seed, byte))
        seats = (*EVERY_KIND.seats[:seat], changed, *EVERY_KIND.seats[seat + 1 :])
        assert EVERY_KIND.key != dataclasses.replace(EVERY_KIND, seats=seats).key


def test_why_a_seat_is_absent_does_not_change_the_key() -> None:
    """Whoever keeps the record gets no choice of decks by choosing a reason for an absence. (R2.6)"""
    absent = [no_commitment(1), not_revealed(1, 64), mismatch(1, 64)]
    assert [None, *Absence] == [None, *(entry.absence for entry in absent)]
    assert 1 == len({shuffle(player(0, 32), entry).key for entry in absent})


def test_a_player_is_judged_by_what_came() -> None:
    """A seat that never committed, never revealed, or revealed something else is absent, and the record says which. (R2.6)"""
    commitment = commit_seat(SERVER_COMMITMENT, 3, seed(9))
    judged = [
        SeatSeed.of_player(SERVER_COMMITMENT, 3, commitment, seed(9)),
        SeatSeed.of_player(SERVER_COMMITMENT, 3, None, None),
        SeatSeed.of_player(SERVER_COMMITMENT, 3, commitment, None),
        SeatSeed.of_player(SERVER_COMMITMENT, 3, commitment, seed(8)),
    ]
    expected = [
        SeatSeed(Origin.SEAT, commitment, seed(9)),
        SeatSeed(Origin.ABSENT, absence=Absence.NO_COMMITMENT),
        SeatSeed(Origin.ABSENT, commitment, absence=Absence.NOT_REVEALED),
        SeatSeed(Origin.ABSENT, commitment, seed(8), Absence.MISMATCH),
    ]
    assert expected == judged
    assert [seed(9), b"", b"", b""] == [entry.mixed for entry in judged]


def test_a_seat_cannot_open_its_neighbours_commitment() -> None:
    """Copying another seat's commitment and seed only makes a seat absent. (R2.6)"""
    honest = player(0, 32)
    copied = SeatSeed.of_player(SERVER_COMMITMENT, 1, honest.commitment, honest.seed)
    assert Absence.MISMATCH is copied.absence


def test_the_shuffle_keeps_the_servers_seed_out_of_logs() -> None:
    """The shuffle's secret is nowhere to be seen before the game is over. (V5)"""
    assert repr(EVERY_KIND.server_seed) not in repr(EVERY_KIND)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_seeds_of_another_length_are_refused(length: int) -> None:
    """A seed has 32 bytes. (R2.6)"""
    with pytest.raises(ValueError, match=f"the server's seed has {length} bytes, not 32"):
        commit_server(GAME, bytes(length))
    with pytest.raises(ValueError, match=f"the seed of seat 1 has {length} bytes, not 32"):
        commit_seat(SERVER_COMMITMENT, 1, bytes(length))
    with pytest.raises(ValueError, match=f"the server's commitment has {length} bytes, not 32"):
        commit_seat(bytes(length), 1, seed(0))


@pytest.mark.parametrize(
    ("game", "message"),
    [("", "1 to 65535 bytes, not 0"), ("é" * 32768, "1 to 65535 bytes, not 65536"), ("\ud800", "is not Unicode text")],
)
def test_game_ids_that_cannot_be_written_are_refused(game: str, message: str) -> None:
    """A game has a name that can be written down. (R2.6)"""
    with pytest.raises(ValueError, match=message):
        commit_server(game, seed(0))


@pytest.mark.parametrize("seat", [-1, 255, 1000])
def test_seats_that_cannot_be_are_refused(seat: int) -> None:
    """Only a seat can commit. (R2.6)"""
    with pytest.raises(ValueError, match=f"seat {seat} is not between 0 and 254"):
        commit_seat(SERVER_COMMITMENT, seat, seed(0))


def test_a_seed_that_is_no_bytes_is_refused() -> None:
    """A seed is a string of bytes. (R2.6)"""
    with pytest.raises(ValueError, match="must be bytes, not str"):
        commit_server(GAME, "0" * 32)  # type: ignore[arg-type]


def test_an_absent_seat_cannot_commit() -> None:
    """Who is absent has nothing to commit. (R2.6)"""
    with pytest.raises(ValueError, match="no seed to commit"):
        commit_seat(SERVER_COMMITMENT, 0, seed(0), Origin.ABSENT)


def test_a_seed_without_a_commitment_is_refused() -> None:
    """Who has not committed can't reveal. (R2.6)"""
    with pytest.raises(ValueError, match="seat 2 revealed a seed without a commitment"):
        SeatSeed.of_player(SERVER_COMMITMENT, 2, None, seed(0))


def flipped(value: bytes, byte: int) -> bytes:
    return value[:byte] + bytes([value[byte] ^ 1]) + value[byte + 1 :]

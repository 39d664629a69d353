"""Verification: an honest record passes, and no byte can be exchanged."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozyr.fair import Absence, Commitments, Finding, FindingCode, Origin, SeatSeed, Shuffle, commit_seat, verify
from tests.fair.samples import EVERY_KIND, GAME, SERVER_COMMITMENT, SERVER_SEED, bot, mismatch, no_commitment, player, seed, shuffle

SEEN = EVERY_KIND.commitments


def with_seat(seat: int, entry: SeatSeed) -> Shuffle:
    return dataclasses.replace(EVERY_KIND, seats=(*EVERY_KIND.seats[:seat], entry, *EVERY_KIND.seats[seat + 1 :]))


def test_an_honest_shuffle_has_no_findings() -> None:
    """A game whose seats did all sorts of things passes the check; the record says who was absent. (R2.6)"""
    assert () == verify(EVERY_KIND).findings
    assert () == verify(EVERY_KIND, SEEN).findings


def test_verification_draws_the_game_anew() -> None:
    """The check ends with the stream from which dealer, deck and lots are drawn again. (R2.6)"""
    stream, again = EVERY_KIND.stream(), verify(EVERY_KIND).stream
    played = [stream.below(6), stream.shuffle(36), stream.below(6)]
    assert played == [again.below(6), again.shuffle(36), again.below(6)]


@given(st.data())
def test_any_exchanged_byte_is_found(data: st.DataObject) -> None:
    """Nobody can change a byte of a seed or a commitment after the game. (R2.6)"""
    record: Any = EVERY_KIND.to_dict()
    # What an absent seat committed or sent instead fits nothing, so nothing inside the record can vouch for it.
    entry = data.draw(st.sampled_from([record["server"], record["seats"][0], record["seats"][1], record["seats"][5]]))
    key = data.draw(st.sampled_from(["commitment", "seed"]))
    entry[key] = exchanged(data, bytes.fromhex(entry[key])).hex()
    assert verify(Shuffle.from_dict(record)).findings


@given(st.data())
def test_any_exchanged_commitment_is_found_by_who_saw_it(data: st.DataObject) -> None:
    """Who kept the commitments from before the game finds every one that was exchanged, also an absent seat's. (R2.6)"""
    record: Any = EVERY_KIND.to_dict()
    seat = data.draw(st.sampled_from([seat for seat, entry in enumerate(record["seats"]) if "commitment" in entry]))
    entry = record["seats"][seat]
    entry["commitment"] = exchanged(data, bytes.fromhex(entry["commitment"])).hex()
    assert Finding(FindingCode.SEEN_SEAT, seat) in verify(Shuffle.from_dict(record), SEEN).findings


def test_a_server_that_exchanges_its_seed_is_found() -> None:
    """The server can't reveal another seed than it committed. (R2.6)"""
    assert (Finding(FindingCode.SERVER_SEED),) == verify(dataclasses.replace(EVERY_KIND, server_seed=seed(1))).findings


def test_a_server_that_renames_the_game_is_found() -> None:
    """The server can't look for a game id that suits the seeds. (R2.6)"""
    findings = verify(dataclasses.replace(EVERY_KIND, game="other"), SEEN).findings
    assert (Finding(FindingCode.SERVER_SEED), Finding(FindingCode.SEEN_GAME)) == findings


def test_a_server_that_makes_up_everything_anew_is_found_by_who_saw_it() -> None:
    """A record made up afterwards is in itself in order, but not what the devices saw. (R2.6)"""
    server_seed = seed(7)
    made_up = Shuffle.of_server(GAME, server_seed, (no_commitment(0), no_commitment(1)))
    seen = shuffle(player(0, 32), no_commitment(1)).commitments
    assert () == verify(made_up).findings
    assert (Finding(FindingCode.SEEN_SERVER), Finding(FindingCode.SEEN_SEAT, 0)) == verify(made_up, seen).findings


def test_a_servers_new_commitment_fits_no_seat() -> None:
    """A player's own commitment vouches for the server's that came before it. (R2.6)"""
    made_up = Shuffle.of_server(GAME, seed(7), (player(0, 32), bot(1, 64)))
    assert (Finding(FindingCode.SEAT_SEED, 0), Finding(FindingCode.SEAT_SEED, 1)) == verify(made_up).findings


def test_a_bot_cannot_be_made_a_player_afterwards() -> None:
    """Where a seed comes from was committed with it. (R2.6)"""
    as_player = dataclasses.replace(bot(1, 64), origin=Origin.SEAT)
    as_bot = dataclasses.replace(player(0, 32), origin=Origin.SERVER)
    assert (Finding(FindingCode.SEAT_SEED, 1),) == verify(with_seat(1, as_player)).findings
    assert (Finding(FindingCode.SEAT_SEED, 0),) == verify(with_seat(0, as_bot)).findings


def test_seats_cannot_be_exchanged() -> None:
    """Each seed belongs to its seat. (R2.6)"""
    findings = verify(shuffle(player(1, 64), player(0, 32))).findings
    assert (Finding(FindingCode.SEAT_SEED, 0), Finding(FindingCode.SEAT_SEED, 1)) == findings


def test_an_honest_seat_cannot_be_recorded_as_a_mismatch() -> None:
    """The record must show a seed that really does not fit. (R2.6)"""
    commitment = commit_seat(SERVER_COMMITMENT, 0, seed(32))
    slandered = SeatSeed(Origin.ABSENT, commitment, seed(32), Absence.MISMATCH)
    assert (Finding(FindingCode.FALSE_MISMATCH, 0),) == verify(with_seat(0, slandered)).findings
    assert () == verify(with_seat(4, mismatch(4, 128))).findings


def test_a_commitment_cannot_be_denied_to_who_saw_it() -> None:
    """A seat that committed can't be recorded as one that never did. (R2.6)"""
    assert (Finding(FindingCode.SEEN_SEAT, 0),) == verify(with_seat(0, no_commitment(0)), SEEN).findings


def test_a_seat_more_or_less_is_found_by_who_saw_the_seats() -> None:
    """Nobody joins a game after its commitments were published. (R2.6)"""
    seen = Commitments(GAME, SERVER_COMMITMENT, SEEN.seats[:5])
    assert (Finding(FindingCode.SEEN_SEATS),) == verify(EVERY_KIND, seen).findings


@pytest.mark.parametrize("code", FindingCode)
def test_every_finding_is_a_sentence_that_names_its_seat(code: FindingCode) -> None:
    """Who reads a finding understands it. (R2.6)"""
    sentence = str(Finding(code, 3))
    assert ("seat 3" in sentence) == (code in {FindingCode.SEAT_SEED, FindingCode.FALSE_MISMATCH, FindingCode.SEEN_SEAT})
    assert "{" not in sentence


def test_the_sample_is_committed_as_the_tests_assume() -> None:
    """The samples are an honest game. (R2.6)"""
    assert shuffle(*EVERY_KIND.seats) == EVERY_KIND
    assert EVERY_KIND.server_seed == SERVER_SEED


def exchanged(data: st.DataObject, value: bytes) -> bytes:
    byte, mask = data.draw(st.integers(0, len(value) - 1)), data.draw(st.integers(1, 255))
    return value[:byte] + bytes([value[byte] ^ mask]) + value[byte + 1 :]

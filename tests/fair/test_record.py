"""The record as JSON: round trips, and clear refusals of everything else."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozyr.fair import Absence, Commitments, Origin, SeatSeed, Shuffle
from tests.fair.samples import EVERY_KIND, GAME, SERVER_COMMITMENT, SERVER_SEED, player, seed

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
THIRTY_TWO = st.binary(min_size=32, max_size=32)
SEATS = st.one_of(
    st.builds(SeatSeed, st.sampled_from([Origin.SEAT, Origin.SERVER]), THIRTY_TWO, THIRTY_TWO),
    st.just(SeatSeed(Origin.ABSENT, absence=Absence.NO_COMMITMENT)),
    st.builds(lambda commitment: SeatSeed(Origin.ABSENT, commitment, absence=Absence.NOT_REVEALED), THIRTY_TWO),
    st.builds(lambda commitment, sent: SeatSeed(Origin.ABSENT, commitment, sent, Absence.MISMATCH), THIRTY_TWO, THIRTY_TWO),
)
GAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
SHUFFLES = st.builds(Shuffle, GAMES, THIRTY_TWO, THIRTY_TWO, st.lists(SEATS, min_size=2, max_size=6).map(tuple))


@given(SHUFFLES)
def test_a_record_reads_as_it_was_written(shuffle: Shuffle) -> None:
    """A game's shuffle can be kept in a file and checked years later. (R2.6)"""
    written = json.loads(json.dumps(shuffle.to_dict()))
    assert shuffle == Shuffle.from_dict(written)
    assert written == Shuffle.from_dict(written).to_dict()


@given(SHUFFLES)
def test_commitments_read_as_they_were_written(shuffle: Shuffle) -> None:
    """A device can keep what it saw before the game. (R2.6)"""
    assert shuffle.commitments == Commitments.from_dict(json.loads(json.dumps(shuffle.commitments.to_dict())))


@given(JSON)
def test_garbage_is_refused(garbage: object) -> None:
    """What is no record is refused with a reason. (R2.6)"""
    for read in (Shuffle.from_dict, Commitments.from_dict, SeatSeed.from_dict):
        with pytest.raises(ValueError, match=r"expected|missing"):
            read(garbage)


@given(st.data())
def test_a_record_with_one_part_replaced_by_garbage_is_refused(data: st.DataObject) -> None:
    """No part of a record is taken on trust. (R2.6)"""
    record = EVERY_KIND.to_dict()
    place = data.draw(st.sampled_from(sorted(leaves(record), key=str)))
    garbage = data.draw(JSON.filter(lambda value: not isinstance(value, str) or place != ("game",)))
    with pytest.raises(ValueError, match=r".+"):
        Shuffle.from_dict(replaced(record, place, garbage))


def test_a_missing_part_is_named() -> None:
    """Each part of a record is needed. (R2.6)"""
    for key in ("protocol", "game", "server", "seats"):
        record = EVERY_KIND.to_dict()
        del record[key]
        with pytest.raises(ValueError, match=f"^shuffle: {key} is missing$"):
            Shuffle.from_dict(record)


Change = Callable[[Any], None]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda record: record.update(protocol="kozyr/2"), "protocol: kozyr/1 expected, not 'kozyr/2'"),
        (lambda record: record.update(more=1), "shuffle: 'more' is unknown"),
        (lambda record: record.update(game=""), "a game id has 1 to 65535 bytes, not 0"),
        (lambda record: record["server"].pop("seed"), "server: seed is missing"),
        (lambda record: record["server"].update(seed="ab"), r"server.seed: 64 hexadecimal digits \(0-9, a-f\) expected, not 'ab'"),
        (lambda record: record["server"].update(seed="0 " * 32), "server.seed: 64 hexadecimal digits"),
        (lambda record: record["seats"][0].update(seed=record["seats"][0]["seed"].upper()), r"seats\[0\].seed: 64 hexadecimal digits"),
        (lambda record: record["seats"][1].update(origin="dealer"), r"seats\[1\].origin: one of seat, server, absent expected"),
        (lambda record: record["seats"][2].update(absence="asleep"), r"seats\[2\].absence: one of no_commitment, not_revealed, mismatch"),
        (lambda record: record["seats"][1].update(absence="mismatch"), r"seats\[1\]: a seat has a reason for its absence exactly when"),
        (lambda record: record["seats"][4].pop("absence"), r"seats\[4\]: a seat has a reason for its absence exactly when"),
        (lambda record: record["seats"][0].pop("seed"), r"seats\[0\]: a seat recorded as seat has a seed"),
        (lambda record: record["seats"][4].pop("seed"), r"seats\[4\]: a seat recorded as mismatch has a seed"),
        (lambda record: record["seats"][3].update(seed="00" * 32), r"seats\[3\]: a seat recorded as not_revealed has no seed"),
        (lambda record: record["seats"][2].update(commitment="00" * 32), r"seats\[2\]: a seat recorded as no_commitment has no commitment"),
        (lambda record: record["seats"].__delitem__(slice(1, None)), "a shuffle has 2 to 255 seats, not 1"),
        (lambda record: record.update(seats=record["seats"] * 50), "a shuffle has 2 to 255 seats, not 300"),
    ],
)
def test_a_bad_part_is_named(change: Change, message: str) -> None:
    """Who reads a record that is wrong learns where. (R2.6)"""
    record: Any = copy.deepcopy(EVERY_KIND.to_dict())
    change(record)
    with pytest.raises(ValueError, match=f"^{message}"):
        Shuffle.from_dict(record)


def test_long_garbage_is_cut_short() -> None:
    """An error stays readable, whatever was sent. (R2.6)"""
    with pytest.raises(ValueError, match=r"\.\.\.$") as caught:
        Shuffle.from_dict("x" * 100_000)
    assert len(str(caught.value)) < 150


def test_records_are_checked_when_they_are_made() -> None:
    """A record with a part of the wrong size can't exist. (R2.6)"""
    seats = (player(0, 32), player(1, 64))
    with pytest.raises(ValueError, match="the server's commitment has 31 bytes"):
        Shuffle(GAME, SERVER_COMMITMENT[1:], SERVER_SEED, seats)
    with pytest.raises(ValueError, match="the server's seed has 33 bytes"):
        Shuffle(GAME, SERVER_COMMITMENT, SERVER_SEED + b"\0", seats)
    with pytest.raises(ValueError, match="the seed of a seat has 0 bytes"):
        SeatSeed(Origin.SEAT, seed(0), b"")
    with pytest.raises(ValueError, match="the commitment of seat 1 has 2 bytes"):
        Commitments(GAME, SERVER_COMMITMENT, (None, b"ab"))
    with pytest.raises(ValueError, match="2 to 255 seats, not 0"):
        Commitments(GAME, SERVER_COMMITMENT, ())


Place = tuple[str | int, ...]


def leaves(value: Any, place: Place = ()) -> list[Place]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, part in inner for found in leaves(part, (*place, key))] or [place]


def replaced(value: Any, place: Place, garbage: object) -> Any:
    if not place:
        return garbage
    changed = copy.copy(value)
    changed[place[0]] = replaced(value[place[0]], place[1:], garbage)
    return changed

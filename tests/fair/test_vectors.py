"""The test vectors of docs/fair.md, recomputed from the page itself."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from pathlib import Path
from typing import Any

import pytest

from kozyr.fair import Commitments, Shuffle, Stream, canonical_deck, commit_seat, commit_server, verify

PAGE = (Path(__file__).parents[2] / "docs" / "fair.md").read_text(encoding="utf-8")
VECTORS: dict[str, Any] = {name: json.loads(body) for name, body in re.findall(r"<!-- vector: (\S+) -->\n```json\n(.*?)```", PAGE, re.S)}
EXAMPLES = [("record", "bytes"), ("record-2", "bytes-2")]


def cards(deck: bytes) -> str:
    return " ".join("23456789TJQKA"[card % 16] + "cdhs"[card // 16] for card in deck)


def test_the_page_holds_every_vector() -> None:
    """The page shows a whole shuffle from the seeds to the cards. (R2.6)"""
    expected = {"record", "commitments", "bytes", "draws-24", "draws-36", "draws-52", "rejection", "record-2", "bytes-2"}
    assert expected == set(VECTORS)


@pytest.mark.parametrize("record", ["record", "record-2"])
def test_records_of_the_page_verify(record: str) -> None:
    """The page's own games pass the check and read as they are written. (R2.6)"""
    shuffle = Shuffle.from_dict(VECTORS[record])
    assert () == verify(shuffle).findings
    assert VECTORS[record] == shuffle.to_dict()


def test_commitments_of_the_page() -> None:
    """What was published before the game is what the record says, and follows from the seeds. (R2.6)"""
    seen = Commitments.from_dict(VECTORS["commitments"])
    assert seen == Shuffle.from_dict(VECTORS["record"]).commitments
    assert VECTORS["commitments"] == seen.to_dict()
    server = commit_server("example-1", bytes(range(32)))
    assert seen.server == server
    assert seen.seats[0] == commit_seat(server, 0, bytes(range(0x20, 0x40)))
    assert seen.seats[2] == commit_seat(server, 2, bytes(range(0x60, 0x80)))


@pytest.mark.parametrize(("record", "derived"), EXAMPLES)
def test_key_and_blocks_of_the_page(record: str, derived: str) -> None:
    """The key and the blocks follow from the bytes that the page says are hashed. (R2.6)"""
    shuffle, parts = Shuffle.from_dict(VECTORS[record]), VECTORS[derived]
    assert parts["key"] == shuffle.key.hex()
    assert parts["key"] == hmac.new(shuffle.server_seed, bytes.fromhex(parts["stream"]), hashlib.sha256).hexdigest()
    blocks = [hmac.new(shuffle.key, i.to_bytes(8, "big"), hashlib.sha256).hexdigest() for i in range(2)]
    assert parts["blocks"] == blocks


def test_hashed_bytes_of_the_page() -> None:
    """Each commitment is the SHA-256 of the bytes printed beside it. (R2.6)"""
    record, parts = VECTORS["record"], VECTORS["bytes"]
    assert record["server"]["commitment"] == hashlib.sha256(bytes.fromhex(parts["server"])).hexdigest()
    for seat, message in zip(record["seats"], parts["seats"], strict=True):
        assert message is None or seat["commitment"] == hashlib.sha256(bytes.fromhex(message)).hexdigest()


def test_words_of_the_page() -> None:
    """The stream is cut into the numbers that the page lists. (R2.6)"""
    stream = Shuffle.from_dict(VECTORS["record"]).stream()
    assert VECTORS["bytes"]["words"] == [stream.word() for _ in range(10)]


@pytest.mark.parametrize("size", [24, 36, 52])
def test_draws_of_the_page(size: int) -> None:
    """The dealer's lot, the deck, a redealt deck and the lot for the first attack come in this order. (R2.6, R3.2)"""
    expected, stream = VECTORS[f"draws-{size}"], Shuffle.from_dict(VECTORS["record"]).stream()
    drawn = {
        "canonical": cards(canonical_deck(size)),
        "dealer": stream.below(3),
        "deck": cards(stream.shuffle(size)),
        "redealt": cards(stream.shuffle(size)),
        "first_attack": stream.below(3),
        "words": expected["words"],
    }
    assert expected == drawn
    assert_words_taken(expected["words"], stream)


def test_rejection_of_the_page() -> None:
    """A number that would make one result likelier than another is drawn again. (R2.6)"""
    expected, stream = VECTORS["rejection"], Shuffle.from_dict(VECTORS["record"]).stream()
    assert expected["drawn"] == [stream.below(expected["n"]) for _ in expected["drawn"]]
    assert_words_taken(expected["words"], stream)


def test_deck_of_the_second_example() -> None:
    """A deck follows from the server's seed alone when nobody else's went in. (R2.6)"""
    assert VECTORS["bytes-2"]["deck"] == cards(Shuffle.from_dict(VECTORS["record-2"]).stream().shuffle(36))


def assert_words_taken(words: int, stream: Stream) -> None:
    fresh = Shuffle.from_dict(VECTORS["record"]).stream()
    for _ in range(words):
        fresh.word()
    assert [fresh.word() for _ in range(8)] == [stream.word() for _ in range(8)]

"""Draws: in range, unbiased, and the same for the same key."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozyr.fair import DECK_SIZES, Stream, canonical_deck

KEYS = st.binary(min_size=32, max_size=32)


class Crafted(Stream):
    """A stream of chosen words."""

    def __init__(self, *words: int) -> None:
        super().__init__(bytes(32))
        self.words = iter(words)

    def word(self) -> int:
        return next(self.words)


def deviation(counts: Iterable[int], expected: float, freedom: int) -> float:
    """Tell by how many standard deviations chi-square differs from its mean; *freedom* is large enough for a normal law."""
    chi_square: float = sum((count - expected) * (count - expected) / expected for count in counts)
    return (chi_square - freedom) / math.sqrt(2 * freedom)


@pytest.mark.parametrize("size", DECK_SIZES)
def test_a_deck_holds_each_of_its_cards_once(size: int) -> None:
    """The deck of 24 begins at the nine, that of 36 at the six, that of 52 at the deuce; the ace is highest. (R1.1)"""
    ranks = range(13 - size // 4, 13)
    assert [suit * 16 + rank for suit in range(4) for rank in ranks] == list(canonical_deck(size))


@given(KEYS, st.sampled_from(DECK_SIZES))
def test_a_shuffle_loses_no_card(key: bytes, size: int) -> None:
    """A shuffled deck has the same cards. (R2.6)"""
    assert sorted(canonical_deck(size)) == sorted(Stream(key).shuffle(size))


@given(KEYS)
def test_the_same_key_gives_the_same_draws(key: bytes) -> None:
    """A replay needs no other source of chance. (R2.6)"""
    one, two = Stream(key), Stream(key)
    assert [one.below(6), one.shuffle(36), one.shuffle(36), one.below(6)] == [
        two.below(6),
        two.shuffle(36),
        two.shuffle(36),
        two.below(6),
    ]


def test_a_redealt_deck_is_a_new_one() -> None:
    """A deck dealt anew is drawn from where the stream stands, not dealt again. (R2.6)"""
    stream = Stream(bytes(32))
    assert stream.shuffle(36) != stream.shuffle(36)


@given(KEYS, st.integers(1, 2**32))
def test_draws_stay_below_n(key: bytes, n: int) -> None:
    """A lot falls on one of those who take part. (R2.6)"""
    assert 0 <= Stream(key).below(n) < n


def test_words_past_the_last_whole_multiple_are_drawn_again() -> None:
    """No seat is likelier than another to be drawn, not even by one in four thousand million. (R2.6)"""
    stream = Crafted(2**32 - 1, 2**32 - 4, 2**32 - 5, 7)
    assert [5, 1] == [stream.below(6), stream.below(6)]


def test_a_power_of_two_rejects_nothing() -> None:
    """Where all words divide evenly the first one counts. (R2.6)"""
    stream = Crafted(2**32 - 1, 2**32 - 1, 2**32 - 1)
    assert [3, 0, 2**32 - 1] == [stream.below(4), stream.below(1), stream.below(2**32)]


def test_the_largest_rejected_part() -> None:
    """A draw just above half of all words takes every second word. (R2.6)"""
    n = 2**31 + 1
    assert 2**31 == Crafted(n, 2**32 - 1, 2**31).below(n)


def test_the_shuffle_exchanges_from_the_top() -> None:
    """With all words 0 each card from the last down changes places with the first. (R2.6)"""
    deck = canonical_deck(24)
    assert deck[1:] + deck[:1] == Crafted(*[0] * 23).shuffle(24)


def test_the_shuffle_that_leaves_the_deck_alone() -> None:
    """A card may stay where it is; a shuffle that never leaves one in place is no fair one. (R2.6)"""
    assert canonical_deck(36) == Crafted(*range(35, 0, -1)).shuffle(36)


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 10, 36, 52])
def test_small_numbers_are_equally_likely(n: int) -> None:
    """In the long run the lot falls on every seat equally often. (R2.6)"""
    draws = 2000 * n
    stream = Stream(bytes([n] * 32))
    counts = Counter(stream.below(n) for _ in range(draws))
    assert set(range(n)) == set(counts)
    assert abs(deviation(counts.values(), 2000, n - 1)) < 4


@pytest.mark.parametrize("size", DECK_SIZES)
def test_every_card_is_equally_likely_in_every_place(size: int) -> None:
    """In the long run each card comes first, last and anywhere equally often. (R2.6)"""
    decks = 100 * size
    counts = Counter(
        (place, card) for number in range(decks) for place, card in enumerate(Stream(number.to_bytes(32, "big")).shuffle(size))
    )
    assert size * size == len(counts)
    assert abs(deviation(counts.values(), decks / size, (size - 1) ** 2)) < 4


def test_neighbouring_cards_are_equally_likely_to_be_any_two() -> None:
    """Cards do not stick together. (R2.6)"""
    decks = 4000
    pairs: Counter[tuple[int, int]] = Counter()
    for number in range(decks):
        deck = Stream(number.to_bytes(32, "little")).shuffle(24)
        pairs.update(zip(deck[::2], deck[1::2], strict=True))
    assert 24 * 23 == len(pairs)
    assert abs(deviation(pairs.values(), decks * 12 / (24 * 23), 24 * 23 - 1)) < 4


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_impossible_numbers_are_refused(n: int) -> None:
    """A lot needs somebody to fall on. (R2.6)"""
    with pytest.raises(ValueError, match=f"no number can be drawn below {n}$"):
        Stream(bytes(32)).below(n)


@pytest.mark.parametrize("size", [0, 32, 54, -36])
def test_other_decks_are_refused(size: int) -> None:
    """There are decks of 24, 36 and 52 cards. (R1.1)"""
    with pytest.raises(ValueError, match=f"there is no deck of {size} cards"):
        Stream(bytes(32)).shuffle(size)


def test_a_key_of_another_length_is_refused() -> None:
    """A stream begins with a key of 32 bytes. (R2.6)"""
    with pytest.raises(ValueError, match="the key of a stream has 3 bytes, not 32"):
        Stream(b"key")

"""The stream that everything random in a game is drawn from, and the decks made of it."""

from __future__ import annotations

import hmac
from typing import Final

from kozyr.fair.commit import exact

KEY_BYTES: Final = 32
WORD_BYTES: Final = 4
WORDS: Final = 2 ** (8 * WORD_BYTES)

# Lowest rank of each deck, counted from the deuce; the ace, 12, tops every deck (R1.1).
_LOWEST_RANK: Final = {24: 7, 36: 4, 52: 0}
DECK_SIZES: Final = tuple(_LOWEST_RANK)


def canonical_deck(size: int) -> bytes:
    """
    List the deck of *size* cards in the order it has before the shuffle: suits c d h s, ranks ascending.

    A card is suit × 16 + rank, suits from clubs 0 to spades 3, ranks from the deuce 0 to the ace 12.

    Raises: ValueError for a size other than 24, 36 and 52.
    """
    if size not in _LOWEST_RANK:
        raise ValueError(f"there is no deck of {size} cards, only of 24, 36 and 52")
    return bytes(suit * 16 + rank for suit in range(4) for rank in range(_LOWEST_RANK[size], 13))


class Stream:
    """
    Draw lots and decks from HMAC-SHA256 blocks of a counter.

    Draws are made in the order of R2.6: the dealer's lot where one is drawn, the deck, each redealt deck, the lot for the first attack.
    """

    def __init__(self, key: bytes) -> None:
        self._key = exact(key, KEY_BYTES, "the key of a stream")
        self._counter = 0
        self._rest = b""

    def word(self) -> int:
        """Take the next four bytes as a big-endian number below 2^32."""
        if not self._rest:
            self._rest = hmac.digest(self._key, self._counter.to_bytes(8, "big"), "sha256")
            self._counter += 1
        word, self._rest = self._rest[:WORD_BYTES], self._rest[WORD_BYTES:]
        return int.from_bytes(word, "big")

    def below(self, n: int) -> int:
        """
        Draw a whole number from 0 to n − 1, each equally likely; at least one word is taken, also for n = 1.

        Raises: ValueError unless 1 ≤ n ≤ 2^32.
        """
        if not 1 <= n <= WORDS:
            raise ValueError(f"no number can be drawn below {n}")
        # Words past the last whole multiple of n would favour small numbers.
        end = WORDS // n * n
        word = self.word()
        while word >= end:
            word = self.word()
        return word % n

    def shuffle(self, size: int) -> bytes:
        """
        Shuffle a fresh deck of *size* cards by Fisher-Yates from the top; the first byte is the first card dealt.

        Raises: ValueError for a size other than 24, 36 and 52.

        Source: R2.3, R2.6.
        """
        deck = bytearray(canonical_deck(size))
        for i in range(size - 1, 0, -1):
            j = self.below(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return bytes(deck)

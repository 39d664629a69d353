"""How often something may be done: buckets of tokens that fill up again. Pure; the time is an argument."""
from __future__ import annotations


class Bucket:
    """
    Lets *most* happen at once, and one more after each *refill_ms* milliseconds.

    A clock that goes backwards neither gives nor takes anything.
    """

    __slots__ = ("_at", "_left", "_most", "_refill_ms")

    def __init__(self, most: int, refill_ms: float) -> None:
        self._most = most
        self._refill_ms = refill_ms
        self._left = float(most)
        self._at = 0

    def take(self, now: int) -> bool:
        """Say whether it may happen once more at the millisecond *now*, and count it if so."""
        if now > self._at:
            # As `_fill`, without a call: each message comes by here.
            left = self._left + (now - self._at) / self._refill_ms
            self._left = left if left < self._most else self._most
            self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def give(self) -> None:
        """Take back that it has happened once."""
        self._left = min(self._most, self._left + 1)

    def is_full(self, now: int) -> bool:
        """Say whether nothing is remembered any more by *now*."""
        self._fill(now)
        return self._left >= self._most

    def _fill(self, now: int) -> None:
        if now > self._at:
            self._left = min(self._most, self._left + (now - self._at) / self._refill_ms)
            self._at = now


class Limits:
    """A bucket for each name, such as an address or a guest; full ones are forgotten."""

    def __init__(self, most: int, refill_ms: float, names_max: int = 50_000) -> None:
        self._most = most
        self._refill_ms = refill_ms
        self._names_max = names_max
        self._buckets: dict[str, Bucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, name: str, now: int) -> bool:
        """Say whether it may happen once more for *name*, and count it if so."""
        bucket = self._buckets.get(name)
        if bucket is None:
            if len(self._buckets) >= self._names_max:
                self.forget(now)
            bucket = self._buckets[name] = Bucket(self._most, self._refill_ms)
        return bucket.take(now)

    def give(self, name: str) -> None:
        """Take back that it has happened once for *name*."""
        bucket = self._buckets.get(name)
        if bucket is not None:
            bucket.give()

    def forget(self, now: int) -> None:
        """Forget the names whose buckets are full again, or the oldest half if there are too many still."""
        self._buckets = {name: bucket for name, bucket in self._buckets.items() if not bucket.is_full(now)}
        if len(self._buckets) >= self._names_max:
            self._buckets = dict(list(self._buckets.items())[self._names_max // 2 :])

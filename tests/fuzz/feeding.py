"""Feeding a parser: every input is read or refused with its error, within its time, and what was read is written and read again."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.fuzz.inputs import Inputs, bombs

MOST_MS = 100.0
AGAIN = 3


@dataclass(frozen=True)
class Target:
    """
    Something that reads what others have written.

    `read` raises one of `refuses`, and nothing else. `write` gives what `read` reads as the same again, where there is such a thing.
    """

    name: str
    samples: Callable[[], list[bytes]]
    read: Callable[[bytes], Any]
    refuses: tuple[type[Exception], ...] = (ValueError,)
    write: Callable[[Any], bytes] | None = None
    size_max: int = 16 * 1024


@dataclass
class Fed:
    """What came of it."""

    inputs: int = 0
    accepted: int = 0
    slowest_ms: float = 0.0
    spent_s: float = 0.0
    faults: list[str] = field(default_factory=list)


class Feeder:
    """Feeds a target, on and on; the same seed gives the same inputs."""

    def __init__(self, target: Target, seed: int) -> None:
        self.fed = Fed()
        self._target = target
        self._name = f"{target.name} with seed {seed}"
        samples = target.samples()
        for sample in samples:
            assert self._is_read(sample), f"{target.name} does not read its own sample {sample[:300]!r}: {self.fed.faults}"
        # The first time much is loaded.
        self.fed.slowest_ms = 0.0
        self._inputs = Inputs(samples, target.size_max, Random(f"{target.name} {seed}"))
        self._bombs = bombs(samples, target.size_max)

    def feed(self, count: int) -> None:
        """Feed so many inputs."""
        for _ in range(count):
            data = self._inputs.draw()
            if self._is_read(data):
                self._inputs.keep(data)

    def blow(self, most: int) -> None:
        """Feed what is made to take long or much."""
        for bomb in self._bombs[:: max(1, len(self._bombs) // most)]:
            self._is_read(bomb)

    def _is_read(self, data: bytes) -> bool:
        self.fed.inputs += 1
        is_read, took_ms = self._once(data)
        if took_ms > MOST_MS:
            # Whatever has to be loaded once, or to be tidied up just now, is not the input's fault.
            took_ms = min(took_ms, *(self._once(data)[1] for _ in range(AGAIN)))
            if took_ms > MOST_MS:
                self._fault(f"takes {took_ms:.0f} ms", data)
        self.fed.slowest_ms = max(self.fed.slowest_ms, took_ms)
        self.fed.spent_s += took_ms / 1000
        self.fed.accepted += is_read
        return is_read

    def _once(self, data: bytes) -> tuple[bool, float]:
        """Read an input once; says whether it was read, and how many milliseconds of a processor it took."""
        target, began = self._target, time.thread_time()
        try:
            value = target.read(data)
        except target.refuses as refusal:
            took_ms = 1000 * (time.thread_time() - began)
            if not str(refusal):
                self._fault("is refused without a word", data)
            return False, took_ms
        except Exception as error:  # noqa: BLE001  # whatever it is, it is the finding
            self._fault(f"raises {error!r}", data)
            return False, 0.0
        took_ms = 1000 * (time.thread_time() - began)
        if target.write is not None:
            self._write_and_read(value, data, target.write)
        return True, took_ms

    def _write_and_read(self, value: Any, data: bytes, write: Callable[[Any], bytes]) -> None:
        try:
            written = write(value)
            again = write(self._target.read(written))
        except Exception as error:  # noqa: BLE001  # whatever it is, it is the finding
            self._fault(f"is read, and not written and read again: {error!r}", data)
            return
        if again != written:
            self._fault(f"is read, and is another thing when it is written and read again: {written[:300]!r}, {again[:300]!r}", data)

    def _fault(self, what: str, data: bytes) -> None:
        if len(self.fed.faults) < 20:
            self.fed.faults.append(f"{self._name}, input {self.fed.inputs} {what}: {data[:500]!r}{'…' if len(data) > 500 else ''}")

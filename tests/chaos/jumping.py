"""
`kozyr serve` by a clock that a test moves: only the system's clocks are pretended, what the server makes of them is its own.

    python -m tests.chaos.jumping FILE serve …

FILE has two numbers of 8 bytes: by how many nanoseconds the wall clock is wrong, and for how long the machine has slept.
"""

from __future__ import annotations

import mmap
import struct
import sys
import time
from pathlib import Path

FORMAT = struct.Struct("<qq")
SECOND = 1_000_000_000


class Moved:
    """The clocks of a system, moved by what a file says."""

    CLOCK_BOOTTIME = time.CLOCK_BOOTTIME

    def __init__(self, file: Path) -> None:
        with file.open("r+b") as opened:
            self._seen = mmap.mmap(opened.fileno(), FORMAT.size)

    def time_ns(self) -> int:
        wrong, slept = FORMAT.unpack(self._seen[:])
        return time.time_ns() + wrong + slept

    def clock_gettime_ns(self, which: int) -> int:
        return time.clock_gettime_ns(which) + FORMAT.unpack(self._seen[:])[1]

    def monotonic_ns(self) -> int:
        return time.monotonic_ns() + FORMAT.unpack(self._seen[:])[1]


class Mover:
    """The test's hand at the clock of some processes."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.wrong_s = self.slept_s = 0
        self.write()

    def set_wall(self, seconds: int) -> None:
        """Set the wall clock to a time that is wrong by so much, as whoever sets a clock does."""
        self.wrong_s = seconds
        self.write()

    def sleep(self, seconds: int) -> None:
        """Let the machine have slept."""
        self.slept_s += seconds
        self.write()

    def write(self) -> None:
        """Write it where the processes read it, in one piece."""
        moved = FORMAT.pack(self.wrong_s * SECOND, self.slept_s * SECOND)
        with self.file.open("r+b" if self.file.exists() else "w+b") as opened:
            opened.write(moved)


def main() -> int:
    """Run the command by the moved clock."""
    from kozyr.app import clock
    from kozyr.cli import main as run

    clock.time = Moved(Path(sys.argv[1]))  # type: ignore[attr-defined]
    return run(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())

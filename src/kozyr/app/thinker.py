"""A process in which bots think: reads what a seat knows on standard input, and writes a move; ends with its parent."""
from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
import traceback

from kozyr.bots import LEVELS, Memory
from kozyr.core.moves import Move
from kozyr.core.views import View

LENGTH = struct.Struct("!I")
READY = b"ready"

Asked = tuple[str, View, Memory | None]
Answer = tuple[Move | None, str]
"""A move, and nothing; or no move, and why the level failed."""


def framed(message: bytes) -> bytes:
    """Put a message's length before it."""
    return LENGTH.pack(len(message)) + message


def answer(asked: bytes) -> bytes:
    """Let a level choose, and write what came of it."""
    level, view, memory = pickle.loads(asked)
    try:
        given: Answer = LEVELS[level](view, memory), ""
    except Exception:  # noqa: BLE001  # whatever it is, it is for the log of the server, where a stand-in moves
        given = None, traceback.format_exc()
    return pickle.dumps(given)


def main() -> None:
    """Think until nobody asks any more."""
    be_modest()
    # What a level prints must not come between the answers.
    with os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)
        output.write(framed(READY))
        output.flush()
        while len(head := sys.stdin.buffer.read(LENGTH.size)) == LENGTH.size:
            output.write(framed(answer(sys.stdin.buffer.read(*LENGTH.unpack(head)))))
            output.flush()


def be_modest() -> None:
    """Leave the processor to whoever answers people; end when the parent does, also while standing still."""
    if hasattr(os, "nice"):
        os.nice(5)
    # An interrupt from the keyboard, or a stop of the whole service, is for the server: it goes on for a while, and its bots with it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


if __name__ == "__main__":
    main()

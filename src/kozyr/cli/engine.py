"""`kozyr engine`: a level behind the engine protocol, on standard input and output."""
from __future__ import annotations

import sys
from typing import BinaryIO

import kozyr
from kozyr.arena.engine import Engine
from kozyr.arena.messages import LINE_MAX
from kozyr.bots import LEVELS
from kozyr.cli.trouble import Trouble


def engine(*, level: str = "hard") -> int:
    """
    Play by the engine protocol on standard input and output, one JSON object a line.

    Parameters
    ----------
    level
        Which of the bots plays.
    """
    if level not in LEVELS:
        raise Trouble(f"there is no level {level!r}; there are {', '.join(LEVELS)}")
    speak(Engine(f"Kozyr {kozyr.__version__} {level}", LEVELS[level]), sys.stdin.buffer, sys.stdout.buffer)
    return 0


def speak(player: Engine, told: BinaryIO, said: BinaryIO) -> None:
    """Answer line by line until goodbye or the end of the input."""
    while not player.is_over and (line := told.readline(LINE_MAX + 1)):
        answer = player.answer(line) if len(line) <= LINE_MAX else _too_long(player, told, line)
        if answer is not None:
            said.write(answer)
            said.flush()


def _too_long(player: Engine, told: BinaryIO, line: bytes) -> bytes:
    """Read a line that is too long to its end, without keeping it."""
    while line and not line.endswith(b"\n"):
        line = told.readline(LINE_MAX)
    return player.refuse_length()

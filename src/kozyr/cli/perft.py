"""`kozyr perft`: counting lines of play."""
from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from cyclopts import Parameter

from kozyr.cli.reading import Line, argument, read_position
from kozyr.cli.trouble import Trouble
from kozyr.core.codes import OVER
from kozyr.core.moves import Move
from kozyr.core.play import move_of
from kozyr.core.playout import choices
from kozyr.core.playout import perft as count
from kozyr.core.position import Position

DEPTH_MAX = 200

Depth = Annotated[int, Parameter(allow_leading_hyphen=True)]


def perft(position: Line, depth: Depth, /) -> int:
    """
    Count the lines of play from a position to a depth, by first move and in total.

    Turn by turn: the defender beats the oldest card, then seats in turn throw in or pass; at a cheating table everybody plays honestly.

    Parameters
    ----------
    position
        A position line, or a deal such as start:deck=36,seats=2,seed=1. '-' reads it from standard input.
    depth
        How many moves deep.
    """
    if not 0 <= depth <= DEPTH_MAX:
        raise Trouble(f"the depth is a number from 0 to {DEPTH_MAX}")
    root = read_position(argument(position))
    total = 0
    with interruptible():
        for move, n in divide(root, depth):
            print(f"{move} {n}", flush=True)
            total += n
    print(f"total {total or 1}")  # at depth 0, and after the end of a game, there is one line: the empty one
    return 0


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end the process at once: compiled code does not look for it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def divide(root: Position, depth: int) -> Iterator[tuple[Move, int]]:
    """Count the lines of *depth* moves by first move; nothing at depth 0, nor after the end of a game."""
    if depth < 1 or root.phase == OVER:
        return
    for action in choices(root):
        child = root.copy()
        child.act(action)
        yield move_of(root, action), count(child, depth - 1)

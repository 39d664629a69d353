"""`--ray`: a Ray cluster in the place of processes here."""
from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager

from kozyr.cli.trouble import Trouble

ANSWER_S = 5.0
"""So long an address is tried before Ray is, which itself goes on for many minutes where nobody answers."""


@contextmanager
def on_ray(address: str) -> Iterator[Executor]:
    """
    Run units of work on a Ray cluster.

    Raises: Trouble where Ray is not installed or no cluster answers.
    """
    try:
        from kozyr.arena.learning_ray import RayExecutor
    except ModuleNotFoundError as error:
        raise Trouble(f"--ray needs {error.name}: install kozyr[ray]") from None
    with ExitStack() as stack:
        try:
            reach(address)
            pool = stack.enter_context(RayExecutor(address))
        except (OSError, ValueError, RuntimeError) as error:
            # Not the fault of a file, or of a player.
            raise Trouble(f"cannot use the cluster at {address}: {' '.join(str(error).split())}") from None
        yield pool


def reach(address: str) -> None:
    """Try whether anybody is at HOST:PORT; other forms of address are Ray's own affair. Raises: OSError, ValueError."""
    named = re.fullmatch(r"\[?([^\[\]/]+?)\]?:(\d{1,5})", address)
    if named:
        socket.create_connection((named[1], int(named[2])), ANSWER_S).close()

"""`kozyr show`: a position or a view in words."""
from __future__ import annotations

import re

from kozyr.cli.reading import START, Line, Switch, argument, read, read_position
from kozyr.cli.words import Words
from kozyr.core.notation import parse_view
from kozyr.core.options import format_options
from kozyr.core.views import View, view


def show(line: Line, /, *, spoken: Switch = False) -> int:
    """
    Explain a position or a view: what lies, who may do what.

    Parameters
    ----------
    line
        A position or a view in one line, or a deal such as start:deck=36,seats=2,seed=1. '-' reads it from standard input.
    spoken
        Write cards out: seven of hearts.
    """
    text = argument(line)
    is_view = not text.startswith(START) and re.search(r"[,/]view=", text) is not None
    if is_view:
        seen = read("view", parse_view, text)
        views = [] if seen.seat is None else [seen]
    else:
        position = read_position(text)
        seen = view(position, None)
        views = [view(position, seat) for seat in range(position.rules.seats)]
    words = Words(tuple(f"seat {seat}" for seat in range(seen.rules.seats)), None, spoken)
    print(f"Options: {format_options(seen.rules.differences())}.")
    for sentence in words.situation(seen):
        print(sentence)
    for each in views:
        _explain(each, words)
    return 0


def _explain(seen: View, words: Words) -> None:
    """Say what a seat holds and may do, and whether the game waits for it."""
    seat = seen.seat
    if seat is None or not seen.seats[seat].is_in:
        return
    print(f"Seat {seat} holds {words.hand(seen)}.")
    if seen.legal:
        moves = "; ".join(words.move(move) for move in seen.legal)
        print(f"Seat {seat} {'must choose' if seat in seen.waiting else 'may play or wait'}: {moves}.")
    elif seat in seen.waiting:
        print(f"Seat {seat} is waited for, but others go first.")

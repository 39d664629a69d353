"""`kozyr train`: making the weights of a level anew."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter, validators

from kozyr.arena.training import CHUNK, Course, rules_of_thumb, tables
from kozyr.arena.training import train as practise
from kozyr.bots.linear import format_weights
from kozyr.cli.arena import Count, Seed, processes
from kozyr.cli.trouble import Trouble

EVERY = 10
"""Batches from one writing of the file to the next."""

train = App(name="train", help="Make a level's weights anew by self-play.", version_flags=(), result_action="return_value")
train.command("kozyr.cli.train_belief:belief", name="belief", help="Train what the expert believes of hidden cards; needs numpy.")
train.command("kozyr.cli.train_expert:expert", name="expert", help="Train the networks of the expert bot, for hours; needs numpy.")


@train.command
def normal(
    *,
    out: Path,
    seats: Annotated[int, Parameter(validator=validators.Number(gte=2, lte=6))] = 2,
    batches: Count = 300,
    games: Annotated[int, Parameter(validator=validators.Number(gte=CHUNK, lte=1_000_000))] = 200,
    step: Annotated[float, Parameter(validator=validators.Number(gt=0, lte=10))] = 0.08,
    seed: Seed = 1,
    workers: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=1024))] = 1,
) -> int:
    """
    Make the weights of the normal bot; the same seed makes the same weights.

    Parameters
    ----------
    out
        The file to write.
    seats
        Seats of the tables that are played.
    batches
        How many steps there are.
    games
        The games of each, a multiple of 50.
    step
        How far a step goes.
    seed
        Where chance begins.
    workers
        Processes to play in.
    """
    course = Course(tables(seats), batches, games, step=step, seed=seed)
    made = f"kozyr train normal --seats {seats} --batches {batches} --games {games} --step {step:g} --seed {seed}"
    with processes(workers) as pool:
        for number, weights in practise(course, rules_of_thumb(), pool):
            if number % EVERY == 0 or number == batches:
                write(out, format_weights(weights, {"command": made, "batches": number}).encode())
            show_progress(f"batch {number} of {batches}")
    print(f"{made}\nThe weights are in {out}.")
    return 0


def write(out: Path, data: bytes) -> None:
    """
    Write a file.

    Raises: Trouble where that cannot be.
    """
    try:
        out.write_bytes(data)
    except OSError as error:
        raise Trouble(f"cannot write {out}: {error.strerror or error}") from None


def show_progress(text: str) -> None:
    """Show on a terminal how far it is, in one line that is written over."""
    if sys.stderr.isatty():
        print(f"\r{text}   ", end="", file=sys.stderr, flush=True)

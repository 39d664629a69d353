"""`kozyr train`: making the weights of a level anew."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter, validators

from kozyr.arena.training import CHUNK, Course, State, parse_state, rules_of_thumb, tables
from kozyr.arena.training import train as practise
from kozyr.bots.linear import format_weights
from kozyr.cli.arena import Count, Seed, processes
from kozyr.cli.cluster import on_ray
from kozyr.cli.reading import Switch
from kozyr.cli.trouble import Trouble

EVERY = 10
"""Batches from one writing of the files to the next."""
BAR = 30
"""How wide a bar of progress is, in letters."""

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
    checkpoint: Path | None = None,
    resume: Switch = False,
    ray: str | None = None,
) -> int:
    """
    Make the weights of the normal bot; the same seed makes the same weights, also where it was resumed.

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
    checkpoint
        A file for what is needed to go on.
    resume
        Go on from the checkpoint.
    ray
        The address of a Ray cluster to play on instead; needs kozyr[ray].
    """
    course = Course(tables(seats), batches, games, step=step, seed=seed)
    made = f"kozyr train normal --seats {seats} --batches {batches} --games {games} --step {step:g} --seed {seed}"
    found = found_at(checkpoint, resume)
    try:
        state = State.at(rules_of_thumb()) if found is None else parse_state(found.decode(), made)
    except ValueError as error:
        raise Trouble(f"cannot go on from {checkpoint}: {error}") from None
    with on_ray(ray) if ray else processes(workers) as pool:
        for each in practise(course, state, pool):
            if each.done % EVERY == 0 or each.done == batches:
                write(out, format_weights(each.weights(course), {"command": made, "batches": each.done}).encode())
                if checkpoint:
                    replace(checkpoint, each.written(made).encode())
            show_progress(f"{bar(each.done, batches)} batch {each.done} of {batches}")
    print(f"{made}\nThe weights are in {out}.")
    return 0


def found_at(checkpoint: Path | None, resume: bool) -> bytes | None:
    """
    Read the file of a checkpoint, if a training shall go on from one.

    Raises: Trouble where there is none, or there is one already that would be written over.
    """
    if checkpoint is None:
        if resume:
            raise Trouble("--resume goes on from a --checkpoint, and none is named")
        return None
    if not resume:
        if checkpoint.exists():
            raise Trouble(f"{checkpoint} is there already: go on with --resume, or name another file")
        return None
    try:
        return checkpoint.read_bytes()
    except OSError as error:
        raise Trouble(f"cannot read {checkpoint}: {error.strerror or error}") from None


def replace(path: Path, data: bytes) -> None:
    """
    Write a file in the place of the one before, of which an interruption leaves one or the other.

    Raises: Trouble.
    """
    part = path.with_name(path.name + ".part")
    write(part, data)
    try:
        part.replace(path)
    except OSError as error:
        raise Trouble(f"cannot write {path}: {error.strerror or error}") from None


def bar(done: int, of: int) -> str:
    """Draw how far it is."""
    full = done * BAR // of
    return f"[{'#' * full}{'.' * (BAR - full)}]"


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

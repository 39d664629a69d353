"""`kozyr train belief`: training what the expert believes of the cards that another holds."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter, validators

from kozyr.cli.arena import Count, Seed, processes
from kozyr.cli.cluster import on_ray
from kozyr.cli.reading import Switch
from kozyr.cli.train import EVERY, bar, found_at, replace, show_progress, write
from kozyr.cli.train_expert import commit
from kozyr.cli.trouble import Trouble
from kozyr.core import FORM

if TYPE_CHECKING:
    from kozyr.arena.adam import Adam
    from kozyr.bots.network import Belief, Network


def belief(
    *,
    network: Path,
    out: Path,
    rounds: Count = 150,
    units: Annotated[int, Parameter(validator=validators.Number(gte=8, lte=4096))] = 64,
    seed: Seed = 1,
    sampler: Path | None = None,
    workers: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=1024))] = 1,
    checkpoint: Path | None = None,
    resume: Switch = False,
    ray: str | None = None,
) -> int:
    """
    Train the expert's belief from games of its network.

    The same command on the same machine makes the same weights, also where it was resumed.

    Parameters
    ----------
    network
        The weights of the network for tables of two.
    out
        The file to write; its command and figures go beside it, as JSON.
    rounds
        How many rounds there are, each of 1,024 games.
    units
        Units of the layer.
    seed
        Where chance begins.
    sampler
        Weights that judge as flat sampling does, for a quarter of the games.
    workers
        Processes to play in; one more learns.
    checkpoint
        A file for what is needed to go on.
    resume
        Go on from the checkpoint.
    ray
        The address of a Ray cluster to play on instead; needs kozyr[ray].
    """
    # One thread: the products are small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        import numpy as np

        from kozyr.arena.adam import Adam
        from kozyr.arena.belief_files import format_checkpoint
        from kozyr.arena.beliefs import learn_belief
        from kozyr.bots.network import new_belief, write_network
    except ModuleNotFoundError as error:
        raise Trouble(f"training the expert needs {error.name}: install kozyr with its dependencies") from None
    players = [read_player(path) for path in (network, *([sampler] if sampler else []))]
    command = f"kozyr train belief --network {network.name} --rounds {rounds} --units {units} --seed {seed}"
    if sampler:
        command += f" --sampler {sampler.name}"
    adam = Adam(new_belief(units, np.random.default_rng(seed)))
    done, missed = begin(adam, checkpoint, resume, command)
    with on_ray(ray) if ray else processes(workers) as pool:
        for number, missed in learn_belief(adam, players, rounds, seed, done, pool):
            show_progress(f"{bar(number, rounds)} round {number} of {rounds}, error {missed:.4f}")
            if checkpoint and (number % EVERY == 0 or number == rounds):
                replace(checkpoint, format_checkpoint(adam, command, number, missed))
    made: dict[str, Any] = {"commands": [command], "games": 1024 * rounds, "commit": commit(), "engine": FORM, "error": round(missed, 4)}
    write(out, write_network(adam.averaged(), made))
    write(out.with_suffix(".json"), (json.dumps(made, indent=2) + "\n").encode())
    print(f"{command}\nThe weights are in {out}.")
    return 0


def begin(adam: Adam[Belief], checkpoint: Path | None, resume: bool, command: str) -> tuple[int, float]:
    """
    Go on from a checkpoint, if that is asked for; return how many rounds are done and the last error.

    Raises: Trouble.
    """
    from kozyr.arena.belief_files import take_up
    from kozyr.arena.learning_files import CheckpointError

    found = found_at(checkpoint, resume)
    try:
        return take_up(adam, found, command) if found is not None else (0, 0.0)
    except CheckpointError as error:
        raise Trouble(f"cannot go on from {checkpoint}: {error}") from None


def read_player(path: Path) -> Network:
    """
    Read the weights of a player at tables of two.

    Raises: Trouble.
    """
    from kozyr.bots.network import NetworkError, read_network

    try:
        return read_network(path.read_bytes(), str(path), 1)
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror or error}") from None
    except NetworkError as error:
        raise Trouble(str(error)) from None

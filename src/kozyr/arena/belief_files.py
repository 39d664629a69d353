"""Checkpoints of a belief in training, so that it goes on to the last bit as if it had never stopped. Needs numpy."""
from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import numpy as np

from kozyr.arena.adam import Adam
from kozyr.arena.learning_files import CheckpointError, group_of
from kozyr.bots.network import UNREADABLE, Belief

FORMAT = 1


def format_checkpoint(adam: Adam[Belief], command: str, done: int, error: float) -> bytes:
    """Write where a training is after so many rounds, the last with that error, and the command that it belongs to."""
    told = {"format": FORMAT, "command": command, "done": done, "steps": adam.steps, "error": error}
    arrays: dict[str, Any] = {"told": np.frombuffer(json.dumps(told).encode(), dtype=np.uint8)}
    groups = {"weights": adam.network.arrays(), "moments": adam.moments, "powers": adam.powers, "mean": adam.mean}
    for name, group in groups.items():
        arrays |= {f"{name}_{i}": array for i, array in enumerate(group)}
    out = BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def take_up(adam: Adam[Belief], data: bytes, command: str) -> tuple[int, float]:
    """
    Bring a training to where a checkpoint has it, and return how many rounds are done and the last error.

    Raises: CheckpointError that says what is wrong; the training is as it was then.
    """
    try:
        with np.load(BytesIO(data), allow_pickle=False) as found:
            told = json.loads(found["told"].tobytes())
            if told["format"] != FORMAT or told["command"] != command:
                raise CheckpointError(f"it is of another training: {told['command']}")
            network = Belief(*group_of(found, "weights", adam.mean))
            moments, powers, mean = (group_of(found, name, adam.mean) for name in ("moments", "powers", "mean"))
            steps, done, error = int(told["steps"]), int(told["done"]), float(told["error"])
    except CheckpointError:
        raise
    except UNREADABLE as trouble:
        raise CheckpointError(f"it is no checkpoint: {trouble!r}") from None
    adam.network, adam.moments, adam.powers, adam.mean, adam.steps = network, moments, powers, mean, steps
    return done, error

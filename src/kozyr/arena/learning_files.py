"""Checkpoints of a network in training, so that it goes on to the last bit as if it had never stopped. Needs numpy."""
from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from kozyr.arena.learning import Learner, Study
from kozyr.bots.network import Floats, Network
from kozyr.core.options import Rules

FORMAT = 2
NAME = "checkpoint.npz"
FREE = ("rate", "tries", "trust", "greedy", "rules", "given", "givens", "past", "cap", "toll")
"""What a resumed training may change."""


class CheckpointError(ValueError):
    """A checkpoint that cannot be used, and why."""


@dataclass(slots=True)
class History:
    """
    The commands that have trained a network, each with the round from which it did.

    `scores` are those against a rival that does not change: after so many games so many per cent, with the error.
    """

    commands: list[tuple[int, str]] = field(default_factory=list)
    scores: list[tuple[int, float, float]] = field(default_factory=list)


def save(folder: Path, learner: Learner, history: History) -> None:
    """
    Write a checkpoint; an interruption leaves the one before.

    Raises: OSError.
    """
    adam = learner.adam
    told = {
        "format": FORMAT, "study": fixed(learner.study), "rounds": learner.rounds, "games": learner.games, "steps": adam.steps,
        "past": len(learner.past), "commands": history.commands, "cpu_s": learner.cpu_s,
        "scores": history.scores,
    }  # fmt: skip
    arrays: dict[str, Any] = {"told": np.frombuffer(json.dumps(told).encode(), dtype=np.uint8)}
    groups = {"weights": adam.network.arrays(), "moments": adam.moments, "powers": adam.powers, "mean": adam.mean}
    groups["acting"] = learner.acting.arrays()
    groups |= {f"past{i}": network.arrays() for i, network in enumerate(learner.past)}
    for name, group in groups.items():
        arrays |= {f"{name}_{i}": array for i, array in enumerate(group)}
    out = BytesIO()
    np.savez(out, **arrays)
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / (NAME + ".part")
    part.write_bytes(out.getvalue())
    part.replace(folder / NAME)


def fixed(study: Study) -> dict[str, Any]:
    """Describe what a resumed training may not change."""
    words = asdict(replace(study, tables=()))
    tables = [rules.differences() for rules in study.tables]
    left_out = {"tables", *FREE} | {name for name in ("against", "playouts") if not words[name]}
    return {"tables": tables, **{name: value for name, value in words.items() if name not in left_out}}


def load(folder: Path, study: Study, rival: Network | None = None, given: Sequence[Network] = ()) -> tuple[Learner, History]:
    """
    Read a checkpoint, to go on with a study, with the rival that it names and those that it counts.

    Raises: CheckpointError that names the file, OSError.
    """
    path = folder / NAME
    data = path.read_bytes()
    try:
        with np.load(BytesIO(data), allow_pickle=False) as found:
            told = json.loads(found["told"].tobytes())
            if told["format"] != FORMAT or told["study"] != json.loads(json.dumps(fixed(study))):
                raise CheckpointError(f"{path} is of another training: {json.dumps(told['study'])[:200]}")
            learner = Learner(study, None, rival, given)
            adam = learner.adam
            adam.network = Network(*group_of(found, "weights", adam.mean))
            adam.moments, adam.powers = group_of(found, "moments", adam.mean), group_of(found, "powers", adam.mean)
            learner.acting = Network(*group_of(found, "acting", adam.mean))
            learner.past = [Network(*group_of(found, f"past{i}", adam.mean)) for i in range(told["past"])]
            adam.mean = group_of(found, "mean", adam.mean)
            adam.steps, learner.rounds, learner.games = int(told["steps"]), int(told["rounds"]), int(told["games"])
            scores = [(int(games), float(score), float(error)) for games, score, error in told.get("scores", ())]
            history = History([(int(at), str(command)) for at, command in told["commands"]], scores)
            learner.cpu_s = float(told["cpu_s"])
    except (KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{path} is no checkpoint: {error!r}") from None
    except ValueError as error:
        if isinstance(error, CheckpointError):
            raise
        raise CheckpointError(f"{path} is no checkpoint: {error}") from None
    return learner, history


def group_of(found: Any, name: str, like: list[Floats]) -> list[Floats]:
    """
    Take arrays of one name out of an archive, shaped as some others are.

    Raises: KeyError where one is missing, ValueError where one has another shape.
    """
    group = [found[f"{name}_{i}"] for i in range(len(like))]
    if any(array.shape != same.shape or array.dtype != same.dtype for array, same in zip(group, like, strict=True)):
        raise ValueError(f"{name} has other shapes than the network")
    return group


def study_tables(seats: int) -> tuple[Rules, ...]:
    """
    List the tables of a study by turns, for two seats, or for three to six mixed where *seats* is more.

    Above all 36 cards, now and then transfers, other decks and options.
    """
    tables = []
    for n in (2,) if seats == 2 else (3, 4, 6, 3, 4, 5):
        plain = Rules(seats=n)
        tables.append([
            plain, plain, Rules(seats=n, transfer=True), plain, Rules(seats=n, deck=52), plain, plain,
            Rules(seats=n, transfer=True, show_transfer=True), plain, Rules(seats=n, deck=24 if n <= 4 else 36), plain,
            Rules(seats=n, draws=False, throw_scope="neighbours"), plain, Rules(seats=n, deck=52, transfer=True, first_limit=6), plain,
            Rules(seats=n, throw_on_take=False, draws=False, no_draw_durak="last_thrower"),
        ])  # fmt: skip
    return tuple(rules for turn in zip(*tables, strict=True) for rules in turn)

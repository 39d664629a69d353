"""`kozyr train expert`: training the expert's networks, with checkpoints."""
from __future__ import annotations

import hashlib
import json
import os
import subprocess
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter, validators

from kozyr.cli.arena import Count, Seed, processes
from kozyr.cli.cluster import on_ray
from kozyr.cli.reading import Switch
from kozyr.cli.train import bar, show_progress, write
from kozyr.cli.trouble import Trouble
from kozyr.core import FORM

if TYPE_CHECKING:
    from kozyr.arena.learning import Learner, Study
    from kozyr.arena.learning_files import History
    from kozyr.bots.network import Network

Fraction = Annotated[float, Parameter(validator=validators.Number(gte=0, lte=1))]
DEALS = 2000
"""Deals that tell how a network scores against a rival that does not change, and the seed that deals them."""
DEALT_BY = 7


@Parameter(name="*")
@dataclass(frozen=True)
class Course:
    """
    What a training may change on the way.

    Parameters
    ----------
    rate
        How far a step of learning goes.
    tries
        How often a move is tried that does not look best.
    trust
        How much what came of a move counts, against what the network thought of it later.
    greedy
        The share of games against the greedy rules.
    rules
        The share of games against the rules of hard.
    given
        The share of games against given weights, which do not change.
    past
        The share of games against earlier versions.
    nodes
        Nodes of the exact solver for the end of a game.
    toll
        What every seat pays, of the 2 between a win and a loss, for an endgame that so many nodes do not tell; not against rivals given.
    """

    rate: Annotated[float, Parameter(validator=validators.Number(gt=0, lte=1))] = 1e-3
    tries: Fraction = 0.06
    trust: Fraction = 0.9
    greedy: Fraction = 0.1
    rules: Fraction = 0.0
    given: Fraction = 0.0
    past: Fraction = 0.2
    nodes: Count = 1500
    toll: Fraction = 0.0

    def __str__(self) -> str:
        return (
            f"--rate {self.rate:g} --tries {self.tries:g} --trust {self.trust:g} --greedy {self.greedy:g} --rules {self.rules:g} "
            f"--given {self.given:g} --past {self.past:g} --nodes {self.nodes}{f' --toll {self.toll:g}' if self.toll else ''}"
        )


PLAIN = Course()


@Parameter(name="*")
@dataclass(frozen=True)
class Weights:
    """
    Weights that a training begins with or plays against.

    Parameters
    ----------
    start
        A file of weights to begin with.
    against
        A file of weights that are the only rival and do not change, at tables of 36 cards: how a best response does against them.
    rival
        A file of given weights; may be given again.
    """

    start: Path | None = None
    against: Path | None = None
    rival: tuple[Path, ...] = ()

    def __str__(self) -> str:
        each = (("start", self.start), ("against", self.against), *(("rival", path) for path in self.rival))
        return "".join(f" --{name} {path.name}" for name, path in each if path)


NO_WEIGHTS = Weights()


def expert(
    *,
    out: Path,
    checkpoint: Path,
    seats: Annotated[int, Parameter(validator=validators.Number(gte=2, lte=6))] = 2,
    rounds: Count = 2000,
    hours: Annotated[float, Parameter(validator=validators.Number(gt=0, lte=10_000))] = 10_000,
    seed: Seed = 1,
    resume: Switch = False,
    playouts: Fraction = 0.0,
    course: Course = PLAIN,
    weights: Weights = NO_WEIGHTS,
    units: Annotated[int, Parameter(validator=validators.Number(gte=8, lte=4096))] = 128,
    every: Count = 20,
    workers: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=1024))] = 1,
    ray: str | None = None,
) -> int:
    """
    Train a network of the expert bot by self-play; the same commands on the same machine make the same weights.

    Parameters
    ----------
    out
        The file to write; its commands and figures go beside it, as JSON.
    checkpoint
        A folder for what is needed to go on.
    seats
        2 for tables of two, more for those of three to six, mixed.
    rounds
        How many rounds there are in all, each of 2,048 games.
    hours
        Stop after so many hours.
    seed
        Where chance begins.
    resume
        Go on from the checkpoint.
    playouts
        Learn to judge as flat sampling does, and nothing else: from greedy playouts of this share of all choices.
    units
        Units of the first layer.
    every
        Rounds from one checkpoint to the next.
    workers
        Processes to play in.
    ray
        The address of a Ray cluster to play on instead; needs kozyr[ray].
    """
    learner, history = begin(replace(make_study(seats, seed, units, course), playouts=playouts), checkpoint, resume, weights)
    asked = f"{course} --units {units}{f' --playouts {playouts:g}' if playouts else ''}{weights}{' --resume' if resume else ''}"
    command = f"kozyr train expert --seats {seats} --seed {seed} {asked}"
    history.commands.append((learner.rounds, command))
    ends = time.monotonic() + 3600 * hours
    with on_ray(ray) if ray else processes(workers) as pool:
        while learner.rounds < rounds and time.monotonic() < ends:
            missed = learner.practise(pool)
            show_progress(f"{bar(learner.rounds, rounds)} round {learner.rounds} of {rounds}, error {missed:.4f}")
            if learner.rounds % every == 0:
                score(learner, history)
                keep(learner, history, checkpoint, out, missed)
    keep(learner, history, checkpoint, out, None)
    print(f"{command} --rounds {learner.rounds}\n{learner.games} games; the weights are in {out}.")
    return 0


def make_study(seats: int, seed: int, units: int, course: Course) -> Study:
    """
    Lay out what is to be learnt.

    Raises: Trouble where numpy is missing.
    """
    # One thread a process: the products are small, and other processes play as well.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from kozyr.arena.learning import Study
        from kozyr.arena.learning_files import study_tables
    except ModuleNotFoundError as error:
        raise Trouble(f"training the expert needs {error.name}: install kozyr with its dependencies") from None
    return Study(
        study_tables(seats), seed, rate=course.rate, tries=course.tries, trust=course.trust, greedy=course.greedy, rules=course.rules,
        given=course.given, past=course.past, cap=course.nodes, toll=course.toll, first=units,
    )  # fmt: skip


def begin(study: Study, folder: Path, resume: bool, weights: Weights) -> tuple[Learner, History]:
    """
    Begin a training, or go on with one.

    Raises: Trouble.
    """
    from kozyr.arena.learning import Learner
    from kozyr.arena.learning_files import NAME, CheckpointError, History, load

    rival = None
    if bool(weights.rival) != bool(study.given):
        raise Trouble("--given and --rival go together: a share of games, and the weights that they are against")
    given = [read_weights(path, study)[0] for path in weights.rival]
    study = replace(study, givens=len(given))
    if weights.against and given:
        raise Trouble("--against names the only rival: --rival does not go with it")
    if weights.against:
        rival, digest = read_weights(weights.against, study)
        # One rival at one kind of table: the rest of the population is left out.
        study = replace(study, tables=study.tables[:1], greedy=0.0, rules=0.0, given=0.0, past=1.0, against=digest)
    if not resume:
        if (folder / NAME).exists():
            raise Trouble(f"{folder} holds a checkpoint already: go on with --resume, or name another folder")
        return Learner(study, read_weights(weights.start, study)[0] if weights.start else None, rival, given), History()
    try:
        return load(folder, study, rival, given)
    except CheckpointError as error:
        raise Trouble(str(error)) from None
    except OSError as error:
        raise Trouble(f"cannot read {folder / NAME}: {error.strerror or error}") from None


def read_weights(path: Path, study: Study) -> tuple[Network, str]:
    """
    Read weights that fit a study, and make a name of their bytes.

    Raises: Trouble.
    """
    from kozyr.bots.network import NetworkError, read_network

    try:
        data = path.read_bytes()
        network = read_network(data, str(path), study.others)
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror or error}") from None
    except NetworkError as error:
        raise Trouble(str(error)) from None
    if (network.bias1.size, network.bias2.size) != (study.first, study.second):
        raise Trouble(f"{path} has {network.bias1.size} and {network.bias2.size} units instead of {study.first} and {study.second}")
    return network, hashlib.sha256(data).hexdigest()[:16]


def score(learner: Learner, history: History) -> None:
    """Note how the running mean of the weights does against a rival that does not change, and say so."""
    if learner.rival is None:
        return
    from kozyr.arena.duels import duel

    found, error = duel(learner.adam.averaged(), learner.rival, learner.study.tables[0], DEALS, DEALT_BY, learner.study.cap)
    history.scores.append((learner.games, round(found, 2), round(error, 2)))
    print(f"{learner.games} games: {found:.1f} ± {error:.1f} % against the rival", flush=True)


def keep(learner: Learner, history: History, folder: Path, out: Path, missed: float | None) -> None:
    """
    Write the checkpoint, the weights (the running mean) and what made them.

    Raises: Trouble.
    """
    from kozyr.arena.learning_files import save
    from kozyr.bots.network import write_network

    ends = [at for at, _ in history.commands[1:]] + [learner.rounds]
    made: dict[str, Any] = {
        "commands": [f"{command} --rounds {end}" for (_, command), end in zip(history.commands, ends, strict=True)],
        "rounds": learner.rounds, "games": learner.games, "steps": learner.adam.steps, "cpu_hours": round(learner.cpu_s / 3600, 3),
        "commit": commit(), "engine": FORM,
    }  # fmt: skip
    if history.scores:
        made["scores"] = history.scores
    try:
        save(folder, learner, history)
    except OSError as trouble:
        raise Trouble(f"cannot write the checkpoint in {folder}: {trouble.strerror or trouble}") from None
    write(out, write_network(learner.adam.averaged(), made))
    if missed is not None:
        made["error"] = round(missed, 4)
    write(out.with_suffix(".json"), (json.dumps(made, indent=2) + "\n").encode())


def commit() -> str | None:
    """Name the commit of the sources, where they are of a clone."""
    try:
        told = subprocess.run(["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return told.stdout.strip()

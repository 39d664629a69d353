"""`kozyr arena`: bots against each other over many deals."""
from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from json import dumps
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from typing import Annotated

from cyclopts import Parameter, validators

from kozyr.arena.blocks import Block
from kozyr.arena.external import MOVE_MS, PREFIX, Fault, Spec, close_all, external_player, label_of
from kozyr.arena.figures import Sprt, mean_of
from kozyr.arena.players import make_player
from kozyr.arena.plot import svg
from kozyr.arena.programs import end_for_good
from kozyr.arena.report import as_data, lines
from kozyr.arena.runs import Contest, Results, run
from kozyr.cli.cluster import on_ray
from kozyr.cli.reading import Switch, read_rules
from kozyr.cli.trouble import Trouble
from kozyr.core import FORM
from kozyr.core.options import Value

CHUNK_MAX = 25
SEED_MAX = 1_000_000

Count = Annotated[int, Parameter(validator=validators.Number(gte=1, lte=10_000_000))]
Seed = Annotated[int, Parameter(validator=validators.Number(gte=0, lte=SEED_MAX))]
Share = Annotated[float, Parameter(validator=validators.Number(gt=50, lt=100))]


@Parameter(name="*")
@dataclass(frozen=True)
class Files:
    """
    What a contest writes.

    Parameters
    ----------
    json
        A file for the results, a deal a line; where it is there already, its deals are not played again.
    figures
        A file for the figures as JSON: scores, shares of duraks, places, each with its error.
    svg
        A file for a picture of the matrix.
    """

    json: Path | None = None
    figures: Path | None = None
    svg: Path | None = None

    def look(self) -> None:
        """Look whether they can be written, before anything is played. Raises: Trouble."""
        for path in (self.figures, self.svg):
            if path is not None:
                try:
                    is_new = not path.exists()
                    path.open("a", encoding="utf-8").close()
                    if is_new:
                        path.unlink()
                except OSError as error:
                    raise Trouble(f"cannot write {path}: {error.strerror or error}") from None

    def draw(self, contest: Contest, results: Results) -> None:
        """Write the figures and the picture that were asked for. Raises: Trouble."""
        for path, write in ((self.figures, figures_text), (self.svg, svg)):
            if path is not None:
                try:
                    path.write_text(write(contest, results), encoding="utf-8")
                except OSError as error:
                    raise Trouble(f"cannot write {path}: {error.strerror or error}") from None


NONE = Files()


def figures_text(contest: Contest, results: Results) -> str:
    """Write the figures of a contest as JSON."""
    return dumps(as_data(contest, results), indent=1) + "\n"


def arena(
    *player: str,
    seats: int | None = None,
    deck: int | None = None,
    deals: Count = 500,
    preset: str | None = None,
    option: Annotated[list[str] | None, Parameter(negative="")] = None,
    external: Annotated[list[str] | None, Parameter(negative="", allow_leading_hyphen=True)] = None,
    move_ms: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=3_600_000))] = MOVE_MS,
    seed: Seed = 1,
    workers: Annotated[int, Parameter(validator=validators.Number(gte=0, lte=1024))] = 0,
    sprt: Share | None = None,
    files: Files = NONE,
    ray: str | None = None,
    quiet: Switch = False,
) -> int:
    """
    Let bots play each other: every pair over the same deals, each deal with all seats rotated.

    Parameters
    ----------
    player
        Levels (easy, normal, …) and yardsticks (random, greedy, …), two or more with the programs: all pairs are played.
    seats
        How many sit at the table: 2 to 6. With three and more it is one of a pair among others of its rival.
    deck
        How many cards are played with: 24, 36 or 52.
    deals
        How many deals each pair plays at most.
    preset
        Rules by name, as in kozyr play.
    option
        Any other option of a table, as name=value; may be given again and again.
    external
        A program that speaks the engine protocol, as its command or as NAME=COMMAND; may be given again and again.
    move_ms
        How long such a program may take for a move.
    seed
        The same seed plays the same games, whatever the number of workers.
    workers
        Processes to play in; without it one a core.
    sprt
        Stop a pair once it is decided whether its first scores this per cent rather than 50.
    ray
        The address of a Ray cluster to play on instead; needs kozyr[ray].
    quiet
        Show no progress.
    """
    named: dict[str, Value | None] = {"seats": seats, "deck": deck}
    rules = read_rules(preset, {name: value for name, value in named.items() if value is not None}, option or [])
    programs = [str(spec_of(words, number, move_ms)) for number, words in enumerate(external or [], 1)]
    contest = Contest((*player, *programs), rules, deals, seed, Sprt(0.5, sprt / 100) if sprt else None)
    check(contest)
    files.look()
    results = play(contest, workers or os.cpu_count() or 1, ray, files.json, quiet)
    for line in lines(contest, results):
        print(line)
    files.draw(contest, results)
    return 0


def check(contest: Contest) -> None:
    """Make sure that the players are there and differ. Raises: Trouble."""
    if len(contest.players) < 2:
        raise Trouble("a contest needs two players")
    if len(set(map(label_of, contest.players))) < len(contest.players):
        raise Trouble("a player comes twice")
    for name in contest.players:
        try:
            make_player(name, 1)
            if name.startswith(PREFIX):
                external_player(name, 0).start()
        except Fault as fault:
            raise Trouble(f"{label_of(name)}: {fault}") from None
        except ValueError as error:
            raise Trouble(str(error)) from None
        finally:
            close_all()


def play(contest: Contest, cores: int, ray: str | None, path: Path | None, quiet: bool) -> Results:
    """Play a contest on so many processes, or on a cluster, with progress unless it shall be quiet. Raises: Trouble."""
    rules, deals = contest.rules, contest.deals
    names = " ".join(map(label_of, contest.players))
    print(f"{names}: {rules.seats} seats, {rules.deck} cards, {deals} deals, seed {contest.seed}, engine {FORM}", flush=True)
    chunk = max(1, min(CHUNK_MAX, deals // (4 * cores)))
    try:
        with on_ray(ray) if ray else processes(cores) as pool:
            return run(contest, pool, path, chunk, None if quiet else show)
    except ValueError as error:
        raise Trouble(str(error)) from None
    except OSError as error:
        raise Trouble(f"cannot use {path}: {error.strerror or error}") from None
    finally:
        close_all()


def spec_of(words: str, number: int, move_ms: int) -> Spec:
    """Read what was said of a program: a command, or a name for it and the command. Raises: Trouble."""
    named = re.fullmatch(r"([A-Za-z0-9_.-]{1,40})=(.*)", words, re.DOTALL)
    label, command = (named[1], named[2]) if named else ("external" if number == 1 else f"external-{number}", words)
    if not command.strip():
        raise Trouble("an external program is a command, or NAME=COMMAND")
    return Spec(label, move_ms, command)


@contextmanager
def processes(workers: int) -> Iterator[Executor | None]:
    """Open a pool of processes; one worker is this process itself."""
    if workers == 1:
        yield None
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=watch_parent) as pool:
        try:
            yield pool
        except BaseException:
            # What has not begun is not waited for.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def watch_parent() -> None:
    """Let a process of the pool end when the one that has started it is gone, in whatever way, and its programs with it."""
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    end_for_good()
    os._exit(1)


def show(pair: tuple[str, str], blocks: list[Block]) -> None:
    """Show how far a pair is, on a terminal in one line that is written over."""
    if not sys.stderr.isatty():
        return
    mean = mean_of([block.score for block in blocks])
    print(f"\r{label_of(pair[0])} v {label_of(pair[1])}: {len(blocks)} deals, {mean.percent()} %   ", end="", file=sys.stderr, flush=True)

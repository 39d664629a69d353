"""Running a contest: all pairs of players over many deals, on all cores, kept in a file and resumed from it."""
from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any

import kozyr
from kozyr.arena.blocks import Block, Lone, Spent, play_block
from kozyr.arena.figures import Sprt
from kozyr.core import FORM
from kozyr.core.options import Rules

FORMAT = 1
PARTS = (".py", ".json", ".npz")
"""What bots are made of: the ends of the names of their files."""


class FileError(ValueError):
    """A file of results that cannot be used, and why."""


@cache
def fingerprint() -> str:
    """Tell the bots of this build from those of another: their code and their weights, in a few letters."""
    digest = blake2b(digest_size=6)
    for file in sorted(files("kozyr.bots").iterdir(), key=lambda each: each.name):
        if file.name.endswith(PARTS):
            data = file.read_bytes()
            digest.update(f"{file.name} {len(data)} ".encode() + data)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Contest:
    """Who plays whom, at which table, how many deals, from which seed; with a sequential test a pair stops once it has decided."""

    players: tuple[str, ...]
    rules: Rules
    deals: int
    seed: int
    sprt: Sprt | None = None

    def pairs(self) -> list[tuple[str, str]]:
        """List all pairs of players."""
        return list(combinations(self.players, 2))

    def header(self) -> dict[str, Any]:
        """Describe what the results of a file depend on besides the number of deals."""
        played = {"options": self.rules.differences(), "seed": self.seed}
        return {"arena": FORMAT, "kozyr": kozyr.__version__, **played, "engine": FORM, "bots": fingerprint()}


@dataclass(slots=True)
class Results:
    """The blocks of every pair, in the order of deals, and what the players have spent in this run."""

    blocks: dict[tuple[str, str], list[Block]] = field(default_factory=dict)
    spent: dict[str, Spent] = field(default_factory=dict)

    def scores(self) -> dict[tuple[str, str], list[float]]:
        """Give the scores of the first of every pair, one a deal."""
        return {pair: [block.score for block in blocks] for pair, blocks in self.blocks.items()}

    def of(self, player: str, other: str) -> list[float]:
        """Give the scores of a player against another."""
        if (player, other) in self.blocks:
            return [block.score for block in self.blocks[player, other]]
        return [1 - block.score for block in self.blocks.get((other, player), [])]

    def lone(self, player: str, others: str) -> list[Lone]:
        """Give what a player did alone among others of one kind, one a deal."""
        if (player, others) in self.blocks:
            return [block.lone_a for block in self.blocks[player, others]]
        return [block.lone_b for block in self.blocks.get((others, player), [])]


Progress = Callable[[tuple[str, str], list[Block]], None]
Job = tuple[Rules, str, str, int, tuple[int, ...]]


def run(
    contest: Contest, pool: Executor | None = None, path: Path | None = None, chunk: int = 10, progress: Progress | None = None
) -> Results:
    """
    Play a contest; what *path* already holds is not played again, and what is new is added to it line by line.

    The results are the same whatever the pool and the chunk.

    Raises: FileError, ValueError for names of no players, OSError.
    """
    results = Results()
    kept = read(path, contest) if path and path.exists() else {}
    if path and not path.exists():
        path.write_text(json.dumps(contest.header()) + "\n", encoding="utf-8")
    for pair in contest.pairs():
        blocks = results.blocks.setdefault(pair, [])
        ready = kept.get(pair, {})
        for block in _ordered(contest, pair, ready, pool, chunk, results.spent):
            blocks.append(block)
            if path and block.deal not in ready:
                with path.open("a", encoding="utf-8") as file:
                    file.write(format_block(block) + "\n")
            if progress:
                progress(pair, blocks)
            if contest.sprt and contest.sprt.decision([each.score for each in blocks]):
                break
    return results


def _ordered(
    contest: Contest, pair: tuple[str, str], ready: dict[int, Block], pool: Executor | None, chunk: int, spent: dict[str, Spent]
) -> Iterator[Block]:
    """Give the blocks of a pair in the order of deals, those of a file and new ones."""
    wanted = [deal for deal in range(contest.deals) if deal not in ready]
    chunks = [tuple(wanted[i : i + chunk]) for i in range(0, len(wanted), chunk)]
    jobs: list[Job] = [(contest.rules, *pair, contest.seed, deals) for deals in chunks]
    ahead = 4 * chunk if contest.sprt else len(jobs)
    made = _played(jobs, pool, max(8, ahead))
    new: list[Block] = []
    for deal in range(contest.deals):
        if deal in ready:
            yield ready[deal]
            continue
        if not new:
            new, times = next(made)
            for name, each in times.items():
                spent.setdefault(name, Spent()).add(each)
        yield new.pop(0)


def _played(jobs: Sequence[Job], pool: Executor | None, ahead: int) -> Iterator[tuple[list[Block], dict[str, Spent]]]:
    """Play jobs in order, in a pool no more than so many at a time: a test that has decided needs no more."""
    for i in range(0, len(jobs), ahead):
        part = jobs[i : i + ahead]
        yield from pool.map(play_job, part) if pool else map(play_job, part)


def play_job(job: Job) -> tuple[list[Block], dict[str, Spent]]:
    """Play some deals between two players."""
    rules, a, b, seed, deals = job
    spent: dict[str, Spent] = {}
    return [play_block(rules, a, b, seed, deal, spent) for deal in deals], spent


# files: a header, then a block a line


def format_block(block: Block) -> str:
    """Write a block as one line of JSON."""
    return json.dumps(asdict(block))


def parse_block(line: str) -> Block:
    """
    Read a block.

    Raises: FileError with the line.
    """
    try:
        words = json.loads(line)
        block = Block(
            str(words["a"]), str(words["b"]), int(words["deal"]), int(words["games"]), Lone(**words["lone_a"]), Lone(**words["lone_b"])
        )
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise FileError(f"{line[:80]!r} is no result: {error!r}") from None
    return block


def read(path: Path, contest: Contest) -> dict[tuple[str, str], dict[int, Block]]:
    """
    Read the blocks of a file by pair and deal; a last line that was cut short is dropped from the file.

    Raises: FileError where the file is of another contest, or none.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FileError(f"{path} is no text") from None
    first = text.partition("\n")[0]
    try:
        header = json.loads(first)
    except (ValueError, RecursionError):
        header = None
    wanted = contest.header()
    # Files from before the build was told are taken as they are.
    told = {name: wanted[name] for name in ("engine", "bots")} | header if isinstance(header, dict) else {}
    if told | {"engine": FORM, "bots": fingerprint()} == wanted != told:
        raise FileError(
            f"{path} has results of other bots than those of this build: engine {told['engine']}, bots {told['bots']}, "
            f"not {FORM}, {fingerprint()}; play on with that build, or into another file"
        )
    if told != wanted:
        raise FileError(f"{path} has results of something else: it begins with {first[:120]!r}, not with {json.dumps(wanted)!r}")
    if not text.endswith("\n"):
        # Only now: a file of something else stays as it is.
        text = text[: text.rfind("\n") + 1] or f"{first}\n"
        path.write_text(text, encoding="utf-8")
    kept: dict[tuple[str, str], dict[int, Block]] = {}
    for line in text.splitlines()[1:]:
        block = parse_block(line)
        kept.setdefault((block.a, block.b), {})[block.deal] = block
    return kept

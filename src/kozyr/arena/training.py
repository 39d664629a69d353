"""
Training of linear rules by self-play: what was played in games that were won is made likelier.

Each batch is dealt and played from its own seed, so that the same command gives the same weights whatever the number of processes.
"""
from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from random import Random

from kozyr.arena.games import Outcome, deal_of, play_game
from kozyr.bots import easy
from kozyr.bots.chances import Chances
from kozyr.bots.features import COUNT, NAMES, Weighed, weigh
from kozyr.bots.linear import ROWS, Weights
from kozyr.bots.memory import Memory
from kozyr.core.moves import Move
from kozyr.core.options import Rules
from kozyr.core.views import View

SIZE = COUNT * len(ROWS)
WORTH = {"open": 0.0, "beat": 24.0, "transfer": 30.0}
CHUNK = 50
"""Games of one unit of work, of which a batch has several."""


@dataclass(frozen=True, slots=True)
class Course:
    """A training course: the tables in turn, games against the easy bot among those of self-play, how far a step goes."""

    tables: tuple[Rules, ...]
    batches: int = 300
    games: int = 200
    easy_share: float = 0.3
    step: float = 0.08
    seed: int = 1


def rules_of_thumb() -> Weights:
    """Give the weights that training starts from: low cards before high ones, trumps dear while there is a stock."""
    values: list[float] = []
    for row in ROWS:
        situation, phase = row.split(" ")
        thumb = dict.fromkeys(NAMES, 0.0)
        thumb |= {"one": WORTH.get(situation, 12.0), "rank": -6.0, "trump": -7.2, "trump_rank": -6.0}
        if situation in ("throw_in", "add") and phase != "empty":
            thumb["trump"] = -24.0
        values += thumb.values()
    return Weights(values)


def tables(seats: int) -> tuple[Rules, ...]:
    """List the tables of a course by turns: above all 36 cards, now and then transfers, the other decks, no draws."""
    plain = Rules(seats=seats)
    passing = Rules(seats=seats, transfer=True)
    more = Rules(seats=seats, deck=52, transfer=seats % 2 == 0)
    less = Rules(seats=seats, deck=24) if seats <= 4 else Rules(seats=seats, throw_scope="neighbours")
    return (plain, plain, passing, plain, more, plain, passing, plain, less, plain)


class Learner:
    """A player that draws its moves by how well they are liked, and remembers how a change of weights would change that."""

    __slots__ = ("_rng", "_weights", "slopes")

    def __init__(self, weights: Sequence[float], rng: Random) -> None:
        self._weights = weights
        self._rng = rng
        self.slopes: dict[int, list[float]] = {}

    def __call__(self, view: View, memory: Memory | None = None, /) -> Move | None:
        """Choose a move, or None where there is nothing to do."""
        if view.seat not in view.waiting or not view.legal:
            return None
        if view.phase == "CHALLENGE":
            return next(move for move in view.legal if move.kind == "accept")
        moves = weigh(view, Chances(view, memory or Memory.at(view), counts=False))
        if len(moves) < 2:
            return moves[0].move if moves else None
        chances = softmax([self._score(each) for each in moves])
        chosen = self._rng.choices(range(len(moves)), chances)[0]
        for i, (each, chance) in enumerate(zip(moves, chances, strict=True)):
            self._note(each, float(i == chosen) - chance)
        return moves[chosen].move

    def _score(self, weighed: Weighed) -> float:
        start = weighed.at * COUNT
        return sum(self._weights[start + i] * x for i, x in enumerate(weighed.row))

    def _note(self, weighed: Weighed, share: float) -> None:
        slope = self.slopes.setdefault(weighed.at, [0.0] * COUNT)
        for i, x in enumerate(weighed.row):
            slope[i] += share * x


def softmax(scores: Sequence[float]) -> list[float]:
    """Turn scores into chances."""
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def play_chunk(rules: Rules, weights: Sequence[float], seed: int, games: int, easy_share: float) -> list[float]:
    """Play some games, each deal with the seats rotated; return the direction in which the weights win more."""
    rng = Random(seed)
    total = [0.0] * SIZE
    for game in range(games):
        deal = deal_of(rules, seed * 1000 + game)
        against_easy = rng.random() < easy_share
        learners = [Learner(weights, rng) for _ in range(rules.seats)]
        mine = {game % rules.seats} if against_easy else set(range(rules.seats))
        outcome = play_game(rules, deal, [learners[seat] if seat in mine else easy_player for seat in range(rules.seats)])
        for seat in mine:
            _add(total, learners[seat], _gain(outcome, seat, rules.seats))
    return total


def easy_player(view: View, memory: Memory | None = None) -> Move | None:
    """Choose as the easy bot."""
    return easy.choose(view)


def _gain(outcome: Outcome, seat: int, seats: int) -> float:
    """Return what a seat has won over its fair share."""
    return outcome.points[seat] - (seats - 1) / seats


def _add(total: list[float], learner: Learner, gain: float) -> None:
    for at, slope in learner.slopes.items():
        for i, x in enumerate(slope):
            total[at * COUNT + i] += gain * x


@dataclass(slots=True)
class State:
    """Where a training is after so many batches: the weights, what its steps go by, and their mean over the last quarter so far."""

    values: list[float]
    moment: list[float]
    power: list[float]
    mean: list[float]
    done: int = 0

    @classmethod
    def at(cls, start: Weights) -> State:
        """Begin with some weights."""
        return cls(list(start.values), [0.0] * SIZE, [0.0] * SIZE, [0.0] * SIZE)

    def weights(self, course: Course) -> Weights:
        """Return the weights so far, at the end the mean of the last quarter."""
        return Weights(self.values if self.done < course.batches else self.mean)

    def written(self, command: str) -> str:
        """Write it as JSON, with the command that it belongs to."""
        return json.dumps({"format": 1, "command": command, **asdict(self)})


def parse_state(text: str, command: str) -> State:
    """
    Read a state of the training that a command asks for.

    Raises: ValueError that says what is wrong.
    """
    try:
        told = json.loads(text)
        was, form = told["command"], told["format"]
        values, moment, power, mean = ([float(each) for each in told[name]] for name in ("values", "moment", "power", "mean"))
        state = State(values, moment, power, mean, int(told["done"]))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"it is no checkpoint: {error!r}") from None
    if form != 1 or state.done < 0 or any(len(each) != SIZE or not all(map(math.isfinite, each)) for each in (values, moment, power, mean)):
        raise ValueError("it is no checkpoint of such weights")
    if was != command:
        raise ValueError(f"it is of another training: {was}")
    return state


def train(course: Course, state: State, pool: Executor | None = None) -> Iterator[State]:
    """Train on from a state, which is changed in place and given after each batch."""
    values, moment, power, mean = state.values, state.moment, state.power, state.mean
    quarter = max(1, course.batches // 4)
    for number in range(state.done, course.batches):
        rules = course.tables[number % len(course.tables)]
        seeds = [course.seed * 1_000_003 + number * 1009 + i for i in range(max(1, course.games // CHUNK))]
        jobs = [(rules, tuple(values), seed, CHUNK, course.easy_share) for seed in seeds]
        slopes = list(pool.map(_play_job, jobs)) if pool else [_play_job(job) for job in jobs]
        step = course.step * (1.0 if number < course.batches // 2 else 0.4 if number < course.batches - quarter else 0.15)
        for i in range(SIZE):
            slope = sum(each[i] for each in slopes) / (len(jobs) * CHUNK)
            moment[i] = 0.9 * moment[i] + 0.1 * slope
            power[i] = 0.99 * power[i] + 0.01 * slope * slope
            rise = moment[i] / (1 - 0.9 ** (number + 1))
            values[i] += step * rise / (math.sqrt(power[i] / (1 - 0.99 ** (number + 1))) + 1e-4)
            if number >= course.batches - quarter:
                mean[i] += values[i] / quarter
        state.done = number + 1
        yield state


Job = tuple[Rules, tuple[float, ...], int, int, float]


def _play_job(job: Job) -> list[float]:
    return play_chunk(*job)



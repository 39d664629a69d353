"""
The training of the expert's network: rounds of self-play in lockstep against a population, then steps on what was played.

Every round is dealt and played from its own seed, so that a course gives the same weights however often it is stopped and resumed, and
with any number of processes. Needs numpy.
"""
from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass

import numpy as np

from kozyr.arena.adam import Adam, slopes
from kozyr.arena.rivals import rule_weights
from kozyr.arena.selfplay import GREEDY, RULES, Lockstep, dealt
from kozyr.bots.network import Floats, Network, Words, new_network
from kozyr.core.options import Rules
from kozyr.core.terms import Terms
from kozyr.search.prover import Prover
from kozyr.search.sight import words_of

MEMO_BITS = 16
SHARD = 1024
"""Games of one unit of work, all at one kind of table each."""

PAST_EVERY = 40
PAST_MAX = 5
"""Rounds from one version that is kept to play against to the next, and how many are kept."""


@dataclass(frozen=True, slots=True)
class Study:
    """
    How a network is trained: the tables by turns, games a round, how far steps go, how much is tried out, who plays against it.

    `trust` is how much of a choice's goal is what came of it, the rest what the network thought of the later choices. `against` names the
    weights of a rival that does not change, where it is the only one; `givens` are how many do not change and stand last among the
    networks, for the share `given` of all games. With `playouts` the goals are others: for this share of choices any move is tried by a
    greedy playout in any world, so that the network comes to judge as flat sampling does. `toll` is what every seat pays for an endgame
    that the solver does not tell within `cap` nodes, but against given weights: those may be bad at such endgames, which then are worth it.
    """

    tables: tuple[Rules, ...]
    seed: int = 1
    games: int = 2048
    batch: int = 512
    rate: float = 1e-3
    tries: float = 0.06
    trust: float = 0.9
    greedy: float = 0.1
    rules: float = 0.0
    given: float = 0.0
    past: float = 0.2
    cap: int = 1500
    first: int = 256
    second: int = 64
    against: str = ""
    playouts: float = 0.0
    givens: int = 0
    toll: float = 0.0

    @property
    def others(self) -> int:
        """How many others the network can look at."""
        return max(rules.seats for rules in self.tables) - 1


@dataclass(slots=True)
class Played:
    """What was played: of each choice the game's words, the move's code and bits, and the goal, what came of it; and what it took."""

    words: Words
    moves: Words
    goals: Floats
    cpu_s: float = 0.0


def choose(worths: Floats, counts: np.ndarray, tries: float, rng: np.random.Generator) -> tuple[np.ndarray, Floats]:
    """Choose a move of each game, mostly the best, now and then any; also return what the best is worth."""
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    best = np.maximum.reduceat(worths, starts)
    is_best = worths == np.repeat(best, counts)
    places = np.arange(len(worths)) - np.repeat(starts, counts)
    chosen = np.minimum.reduceat(np.where(is_best, places, 1000), starts)
    anything = rng.random(len(counts)) < tries
    chosen = np.where(anything, (rng.random(len(counts)) * counts).astype(np.int64), chosen)
    return chosen, best


def play_shard(study: Study, rules: Rules, networks: Sequence[Network], seed: int) -> Played:
    """Play a shard of games; the first network is the learner, the others its rivals."""
    began = time.process_time()
    rng = np.random.default_rng(seed)
    seats = rules.seats
    terms = Terms(rules)
    games = [dealt(terms, rules.deck, int(each)) for each in rng.integers(1, 2_000_000_000, SHARD)]
    drivers = draw_drivers(study, len(networks), seats, rng)
    rivals = rule_weights()
    tolls = np.where(drivers.max(axis=1) < len(networks) - study.givens, study.toll, 0.0).tolist()
    lockstep = Lockstep(games, drivers.ravel().tolist(), study.others, Prover(MEMO_BITS), study.cap, rivals, not study.against, tolls)
    width = words_of(study.others)
    seen: list[tuple[Words, Words, np.ndarray, Floats]] = []
    tried: list[Played] = []
    while True:
        words_raw, heads_raw, moves_raw = lockstep.advance()
        if not heads_raw:
            break
        words = np.frombuffer(words_raw, dtype="<i8").reshape(-1, width)
        heads = np.frombuffer(heads_raw, dtype="<i8").reshape(-1, 5)
        moves = np.frombuffer(moves_raw, dtype="<i8").reshape(-1, 2)
        counts = heads[:, 3]
        worths = judge_all(networks, words, heads, moves)
        learns = heads[:, 2] == 0
        chosen, best = choose(worths, counts, study.tries, rng)
        if study.playouts:
            tried.append(try_some(lockstep, words, moves, counts, learns, study.playouts, rng))
        lockstep.choose(chosen.tolist())
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        taken = moves[starts + chosen]
        seen.append((words[learns], taken[learns], heads[learns, 0] * seats + heads[learns, 1], best[learns]))
    played = joined(tried) if tried else with_goals(seen, np.array(lockstep.worths, dtype=np.float32), np.float32(study.trust))
    played.cpu_s = time.process_time() - began
    return played


def try_some(
    lockstep: Lockstep, words: Words, moves: Words, counts: np.ndarray, learns: np.ndarray, share: float, rng: np.random.Generator
) -> Played:
    """Try any move in a share of the games that wait for the learner, each by a greedy playout in one world."""
    chosen = np.where(learns & (rng.random(len(counts)) < share), (rng.random(len(counts)) * counts).astype(np.int64), -1)
    goals = np.array(lockstep.tried(chosen.tolist()), dtype=np.float32)
    is_tried = chosen >= 0
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    return Played(words[is_tried], moves[(starts + chosen)[is_tried]], goals[is_tried])


def joined(parts: Sequence[Played]) -> Played:
    """Put what was played together."""
    return Played(
        np.concatenate([each.words for each in parts]),
        np.concatenate([each.moves for each in parts]),
        np.concatenate([each.goals for each in parts]),
    )


def draw_drivers(study: Study, networks: int, seats: int, rng: np.random.Generator) -> np.ndarray:
    """Draw who drives each seat: everywhere the learner, or one seat of it among others of the population."""
    drivers = np.zeros((SHARD, seats), dtype=np.int64)
    lot = rng.random(SHARD)
    mine = rng.integers(0, seats, SHARD)
    ruled = study.greedy + study.rules
    fixed = ruled + (study.given if study.givens else 0.0)
    past = networks - study.givens
    rival = np.where(lot < study.greedy, GREEDY, np.where(lot < ruled, RULES, rng.integers(1, max(2, past), SHARD)))
    is_given = (lot >= ruled) & (lot < fixed)
    rival[is_given] = past + rng.integers(0, max(1, study.givens), SHARD)[is_given]
    mixed = lot < fixed + (study.past if past > 1 else 0.0)
    drivers[mixed] = rival[mixed, None]
    drivers[np.arange(SHARD), mine] = 0
    return drivers


def judge_all(networks: Sequence[Network], words: Words, heads: Words, moves: Words) -> Floats:
    """Ask of every game the network that drives the seat."""
    who = heads[:, 2]
    if len(networks) == 1 or not who.any():
        return networks[0].judge(words, heads[:, 3], moves)
    found = np.empty(len(moves), dtype=np.float32)
    of_move = np.repeat(who, heads[:, 3])
    for number, network in enumerate(networks):
        is_its = who == number
        if is_its.any():
            theirs = of_move == number
            found[theirs] = network.judge(words[is_its], heads[is_its, 3], moves[theirs])
    return found


def with_goals(seen: Sequence[tuple[Words, Words, np.ndarray, Floats]], worths: Floats, trust: np.float32) -> Played:
    """Give every choice its goal, backwards from the ends of games."""
    goal = worths.copy()
    goals: list[Floats] = []
    for _, _, at, best in reversed(seen):
        goals.append(goal[at])
        goal[at] = trust * goal[at] + (1 - trust) * best
    goals.reverse()
    return Played(np.concatenate([each[0] for each in seen]), np.concatenate([each[1] for each in seen]), np.concatenate(goals))


class Learner:
    """
    A network in training: its weights and steps, its rivals, how many rounds it has played, and the seconds of CPU spent.

    A round is played by the weights of the round before the last, `acting`, so that it can be played while the last is still being learnt.
    """

    __slots__ = ("acting", "adam", "ahead", "cpu_s", "games", "given", "past", "rival", "rounds", "study")

    def __init__(
        self, study: Study, start: Network | None = None, rival: Network | None = None, given: Sequence[Network] = ()
    ) -> None:
        """Begin with the weights of *start*, else by chance; *rival* is the one that the study names, *given* are those that it counts."""
        self.study = study
        self.adam = Adam(start or new_network(study.others, study.first, study.second, np.random.default_rng(study.seed)))
        self.acting = copied(self.adam.network)
        self.ahead: list[Future[Played]] = []  # the shards of the next round, where a pool already plays them
        self.past: list[Network] = []
        self.rival = rival
        self.given = given
        self.rounds = 0
        self.games = 0
        self.cpu_s = 0.0

    def jobs(self, number: int) -> list[tuple[Study, Rules, list[Network], int]]:
        """List the shards of a round."""
        shards = max(1, self.study.games // SHARD)
        networks = [self.acting, *([self.rival] if self.rival else self.past), *self.given]
        made = []
        for at in range(number * shards, (number + 1) * shards):
            made.append((self.study, self.study.tables[at % len(self.study.tables)], networks, self.study.seed * 1_000_003 + at))
        return made

    def practise(self, pool: Executor | None = None) -> float:
        """Play a round and learn from it, while the pool plays the next; return the mean square error."""
        began = time.process_time()
        if pool:
            shards = self.ahead or [pool.submit(play_shard, *job) for job in self.jobs(self.rounds)]
            played = [shard.result() for shard in shards]
        else:
            played = [play_shard(*job) for job in self.jobs(self.rounds)]
        self.acting = copied(self.adam.network)
        if self.rounds and self.rounds % PAST_EVERY == 0:
            self.past = [*self.past, self.adam.averaged()][-PAST_MAX:]
        self.ahead = [pool.submit(play_shard, *job) for job in self.jobs(self.rounds + 1)] if pool else []
        error = self.learn(played)
        self.rounds += 1
        self.games += len(played) * SHARD
        self.cpu_s += time.process_time() - began + (sum(each.cpu_s for each in played) if pool else 0.0)
        return error

    def learn(self, played: Sequence[Played]) -> float:
        """Take the steps of a round; return the mean square error before each."""
        all_played = joined(played)
        words, moves, goals = all_played.words, all_played.moves, all_played.goals
        order = np.random.default_rng([self.study.seed, self.rounds]).permutation(len(goals))
        batch = self.study.batch
        total = 0.0
        steps = max(1, len(goals) // batch)
        for i in range(steps):
            part = order[i * batch : (i + 1) * batch]
            found, error = slopes(self.adam.network, words[part], moves[part], goals[part])
            self.adam.step(found, self.study.rate)
            total += error
        return total / steps


def copied(network: Network) -> Network:
    """Copy a network, for steps of learning change it in place."""
    return Network(*[array.copy() for array in network.arrays()])

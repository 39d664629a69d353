"""Training of the expert's networks: it goes on as if never stopped, whatever plays its games, and what is learnt is right."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from kozyr.arena import learning
from kozyr.arena.adam import Adam, slopes
from kozyr.arena.learning import Learner, Study, choose, draw_drivers, play_shard, with_goals
from kozyr.arena.learning_files import NAME, CheckpointError, History, load, save, study_tables
from kozyr.arena.rivals import preferred, rule_weights
from kozyr.arena.selfplay import GREEDY, RULES, Lockstep, dealt
from kozyr.bots import hard
from kozyr.bots.memory import Memory
from kozyr.bots.network import new_network
from kozyr.bots.seeing import moves_of, see
from kozyr.core.cards import ONE
from kozyr.core.codes import OVER
from kozyr.core.events import seen_by
from kozyr.core.options import Rules
from kozyr.core.play import play
from kozyr.core.terms import Terms
from kozyr.core.views import view
from kozyr.search.prover import Prover

SMALL = Study((Rules(), Rules(seats=2, transfer=True)), seed=5, games=16, batch=64, first=16, second=8)


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Play few games a round, and keep versions often.
    """
    monkeypatch.setattr(learning, "SHARD", 8)
    monkeypatch.setattr(learning, "PAST_EVERY", 2)


def weights(learner: Learner) -> bytes:
    """
    Give all weights and means of a learner as bytes.
    """
    return b"".join(array.tobytes() for array in [*learner.adam.network.arrays(), *learner.adam.mean])


def test_a_resumed_training_goes_on_to_the_last_bit(tmp_path: Path) -> None:
    """
    Four rounds at once, or three, a checkpoint, and the fourth: the same weights, with earlier versions among the rivals.
    """
    whole, parts = Learner(SMALL), Learner(SMALL)
    for _ in range(4):
        whole.practise()
    for _ in range(3):
        parts.practise()
    save(tmp_path, parts, History([(0, "first")]))
    resumed, history = load(tmp_path, SMALL)
    resumed.practise()
    assert ([(0, "first")], 4, whole.games) == (history.commands, resumed.rounds, resumed.games)
    assert resumed.cpu_s > 0
    assert weights(whole) == weights(resumed)


def test_training_does_not_depend_on_who_plays_the_games() -> None:
    """
    One after the other or side by side: the same weights.
    """
    alone, together = Learner(SMALL), Learner(SMALL)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(2):
            alone.practise()
            together.practise(pool)
    assert weights(alone) == weights(together)


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    """
    What a training may change on the way are its rates, not its seed or its tables.
    """
    save(tmp_path, Learner(SMALL), History())
    load(tmp_path, replace(SMALL, rate=0.5, cap=7))
    with pytest.raises(CheckpointError, match=NAME):
        load(tmp_path, replace(SMALL, seed=6))


@pytest.mark.parametrize("harm", [lambda data: data[:1000], lambda data: b"nonsense", lambda data: b""])
def test_a_broken_checkpoint_is_named(tmp_path: Path, harm: Callable[[bytes], bytes]) -> None:
    """
    A file that was cut short, or is something else, is told by its name.
    """
    save(tmp_path, Learner(SMALL), History())
    path = tmp_path / NAME
    path.write_bytes(harm(path.read_bytes()))
    with pytest.raises(CheckpointError, match=NAME):
        load(tmp_path, SMALL)


def test_slopes_are_those_of_the_error() -> None:
    """
    A small change of a weight changes the error as the slope says.
    """
    rng = np.random.default_rng(2)
    network = new_network(1, 6, 5, rng)
    words = rng.integers(0, 2**60, (9, 12), dtype=np.int64)
    moves = np.stack([rng.integers(0, 388, 9), rng.integers(0, 2**60, 9)], axis=1)
    goals = rng.random(9).astype(np.float32)
    network.third *= np.float32(0.1)
    found, _ = slopes(network, words, moves, goals)
    for at, array in enumerate(network.arrays()):
        place = int(np.abs(found[at]).argmax())
        flat = array.reshape(-1)
        errors = []
        for change in (0.002, -0.002):
            flat[place] += np.float32(change)
            errors.append(slopes(network, words, moves, goals)[1])
            flat[place] -= np.float32(change)
        # The small straight share is not part of the error's own slope.
        assert (errors[0] - errors[1]) / 0.004 == pytest.approx(float(found[at].reshape(-1)[place]), rel=0.06, abs=2e-3)


def test_steps_bring_the_network_nearer_to_its_goals() -> None:
    """
    After some steps the error is a small part of what it was.
    """
    rng = np.random.default_rng(3)
    adam = Adam(new_network(1, 16, 8, rng))
    words = rng.integers(0, 2**60, (64, 12), dtype=np.int64)
    moves = np.stack([rng.integers(0, 388, 64), rng.integers(0, 2**60, 64)], axis=1)
    goals = (rng.random(64) * 1.6 - 0.8).astype(np.float32)
    errors = []
    for _ in range(150):
        found, error = slopes(adam.network, words, moves, goals)
        adam.step(found, 3e-3)
        errors.append(error)
    assert errors[-1] < 0.1 * errors[0]


def test_the_best_move_is_chosen_but_where_any_is_tried() -> None:
    """
    Of two games the best moves are the second and the first; where everything is tried, any.
    """
    worths = np.array([0.1, 0.5, 0.2, 0.9, -0.9], dtype=np.float32)
    counts = np.array([3, 2])
    chosen, best = choose(worths, counts, 0.0, np.random.default_rng(1))
    assert ([1, 0], [0.5, 0.9]) == (chosen.tolist(), [round(float(each), 3) for each in best])
    tried = {tuple(choose(worths, counts, 1.0, np.random.default_rng(i))[0].tolist()) for i in range(200)}
    assert {(i, j) for i in range(3) for j in range(2)} == tried


def test_a_goal_is_what_came_of_it_mixed_with_later_thoughts() -> None:
    """
    The last choice has the outcome as its goal, the one before a part of what the last was thought to be worth.
    """
    one = np.zeros((1, 1), dtype=np.int64)
    at = np.array([0])
    seen = [(one, one, at, np.array([0.2], dtype=np.float32)), (one, one, at, np.array([0.4], dtype=np.float32))]
    played = with_goals(seen, np.array([1.0, -1.0], dtype=np.float32), np.float32(0.9))
    assert [0.94, 1.0] == [round(float(goal), 3) for goal in played.goals]


def test_a_learner_sits_in_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Rivals are greedy or earlier versions; one seat at least is the learner's.
    """
    monkeypatch.setattr(learning, "SHARD", 200)
    drivers = draw_drivers(replace(SMALL, rules=0.2), 3, 4, np.random.default_rng(1))
    assert {GREEDY, RULES, 0, 1, 2} == set(drivers.ravel().tolist())
    assert (drivers == 0).any(axis=1).all()


@pytest.mark.parametrize("seats", [2, 3])
def test_the_rival_with_rules_plays_nearly_as_hard_does(seats: int) -> None:
    """
    But for how old a doubt is, it likes the same moves best as hard's rules do.
    """
    weights = rule_weights()
    same = many = 0
    for seed in range(1, 5):
        position = dealt(Terms(Rules(seats=seats, transfer=seed % 2 == 0)), 36, seed).position
        memory = Memory.at(view(position, None))
        while position.phase != OVER:
            seat = int(position.turn)
            seen = view(position, seat)
            likings = hard.rate(seen, memory)
            sight = see(seen, memory, seat, seats - 1)
            move = moves_of(sight, seen, seat)[int(preferred(sight, weights))]
            if len(likings) > 1:
                many += 1
                same += likings[move] > max(likings.values()) - 0.05
            for event in play(position, move):
                memory.see(seen_by(event, None))
    assert same > 0.9 * many > 50


@pytest.mark.parametrize("seats", [2, 6])
def test_greedy_games_end_with_one_durak_or_a_draw(seats: int) -> None:
    """
    Games without a network are played to the end at once, and every one is scored for all its seats.
    """
    terms = Terms(Rules(seats=seats))
    games = [dealt(terms, 36, seed) for seed in range(1, 8)]
    lockstep = Lockstep(games, [GREEDY] * len(games) * seats, 5, Prover(12), 500, rule_weights())
    assert (b"", b"", b"") == lockstep.advance()
    for number in range(len(games)):
        worths = lockstep.worths[number * seats : (number + 1) * seats]
        assert sorted(worths) == [-1.0, *[1.0] * (seats - 1)] or set(worths) == {(seats - 2) / seats}


def greedy_worths(nodes: int, toll: float) -> list[tuple[float, float]]:
    """
    Say what greedy games of two come to for both seats, endgames solved within so many nodes.
    """
    terms = Terms(Rules(seats=2))
    games = [dealt(terms, 36, seed) for seed in range(1, 30)]
    lockstep = Lockstep(games, [GREEDY] * (2 * len(games)), 1, Prover(12), nodes, rule_weights(), tolls=[toll] * len(games))
    lockstep.advance()
    return list(zip(lockstep.worths[::2], lockstep.worths[1::2], strict=True))


def test_endgames_that_the_solver_does_not_tell_cost_both_seats_a_toll() -> None:
    """
    Who wins one has a quarter less, a draw is worth as much less, and nobody has less than a loss. With more nodes fewer cost it.
    """
    costly = []
    for nodes in (2, 100_000):
        free, tolled = greedy_worths(nodes, 0.0), greedy_worths(nodes, 0.25)
        paid = [(before, after) for before, after in zip(free, tolled, strict=True) if before != after]
        assert all(after == tuple(max(-1.0, worth - 0.25) for worth in before) for before, after in paid)
        costly.append(len(paid))
    assert costly[0] > 2 * costly[1] > 0


def test_the_tables_of_a_course_can_be_dealt() -> None:
    """
    Tables of two are for the one network, of three to six for the other.
    """
    assert {2} == {rules.seats for rules in study_tables(2)}
    assert {3, 4, 5, 6} == {rules.seats for rules in study_tables(6)}


def test_ray_plays_what_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The adapter hands calls to Ray as tasks and their results back in order; a stand-in takes the place of a cluster.
    """
    done: list[str] = []

    class Task:
        def __init__(self, fn: Callable[..., Any]) -> None:
            self.fn = fn

        def remote(self, *args: Any) -> Task:
            self.args = args
            return self

        def future(self) -> Future[Any]:
            found: Future[Any] = Future()
            found.set_result(self.fn(*self.args))
            return found

    stand_in = ModuleType("ray")
    stand_in.init = lambda **words: done.append(f"init {words['address']}")  # type: ignore[attr-defined]
    stand_in.remote = Task  # type: ignore[attr-defined]
    stand_in.shutdown = lambda: done.append("shutdown")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ray", stand_in)
    monkeypatch.delitem(sys.modules, "kozyr.arena.learning_ray", raising=False)
    from kozyr.arena.learning_ray import RayExecutor

    with RayExecutor("there:6379") as pool:
        assert [1, 4, 9] == list(pool.map(lambda x: x * x, [1, 2, 3]))
    assert ["init there:6379", "shutdown"] == done


def waiting_game(seed: int, changes: int) -> Lockstep:
    """
    A game in which the first attacker is to choose, with so many cards of the other and of the stock exchanged.
    """
    told = dealt(Terms(Rules(seats=2)), 36, seed)
    position = told.position
    other = int(position.defender)
    for k in range(changes):
        held = next(card for card in range(64) if position.hands[other] >> card & 1)
        drawn = position.deal.cards[13 + k]
        position.hands[other] = position.hands[other] & ~(ONE << held) | ONE << drawn
        position.deal.cards[13 + k] = held
    rules = rule_weights()
    lockstep = Lockstep([dealt(position.terms, 36, 77), told], [0] * 4, 1, Prover(12), 200, rules)
    lockstep.advance()
    return lockstep


@pytest.mark.parametrize("seed", range(1, 11))
def test_a_move_is_tried_in_worlds_that_its_seat_holds_possible(seed: int) -> None:
    """
    What a tried move comes to does not depend on which cards the other holds, nor on the order of the stock; it is a win, a draw or a loss.
    """
    tries = [waiting_game(seed, changes).tried([-1, 0]) for changes in (0, 4, 8)]
    assert 0.0 == tries[0][0] and tries[0][1] in (-1.0, 0.0, 1.0)
    assert tries[0] == tries[1] == tries[2]


def test_learning_from_playouts_goes_on_to_the_last_bit_too(tmp_path: Path) -> None:
    """
    Two rounds at once, or one, a checkpoint and another: the same weights, learnt from wins, draws and losses of playouts alone.
    """
    study = replace(SMALL, playouts=0.5)
    whole, parts = Learner(study), Learner(study)
    played = play_shard(*whole.jobs(0)[0])
    assert {-1.0, 1.0} <= set(played.goals.tolist()) <= {-1.0, 0.0, 1.0}
    whole.practise()
    whole.practise()
    parts.practise()
    save(tmp_path, parts, History())
    resumed, _ = load(tmp_path, study)
    resumed.practise()
    assert weights(whole) == weights(resumed)
    with pytest.raises(CheckpointError, match="another training"):
        load(tmp_path, SMALL)


def test_a_population_has_each_rival_in_its_share() -> None:
    """
    Of many games a tenth has the greedy rules on a seat, a fifth the linear ones, and so on; each has the learner on one.
    """
    study = replace(SMALL, greedy=0.1, rules=0.2, given=0.05, givens=1, past=0.15)
    drivers = np.concatenate([draw_drivers(study, 4, 2, np.random.default_rng(each)) for each in range(1000)])
    assert (drivers == 0).any(axis=1).all()
    rivals = drivers.sum(axis=1)  # the other seat is the learner's, 0
    found = [(rivals == who).mean() for who in (GREEDY, RULES, 3, 1, 2)]
    assert [0.1, 0.2, 0.05, 0.075, 0.075] == pytest.approx(found, abs=0.02)


def test_given_rivals_play_beside_earlier_versions() -> None:
    """
    Weights that do not change are rivals from the first round on, the last of the networks.
    """
    given = [new_network(1, 16, 8, np.random.default_rng(each)) for each in (3, 4)]
    learner = Learner(replace(SMALL, given=0.5, givens=2), None, None, given)
    assert {0, 1, 2} == {int(each) for each in draw_drivers(learner.study, 3, 2, np.random.default_rng(1)).ravel()}
    for _ in range(3):
        learner.practise()
    assert [learner.acting, *learner.past, *given] == learner.jobs(3)[0][2]
    assert 1 == len(learner.past)


@pytest.mark.parametrize(("is_shared", "drivers"), [(False, {0}), (True, {0, 1})])
def test_endgames_are_played_by_the_learner_for_its_rivals(is_shared: bool, drivers: set[int]) -> None:
    """
    With the greedy rules on one seat only the other chooses; where endgames are shared, both seats do once the stock is empty.
    """
    games = [dealt(Terms(Rules(seats=2)), 36, each) for each in range(1, 9)]
    rules = rule_weights()
    lockstep = Lockstep(games, [0, GREEDY] * len(games), 1, Prover(12), 1, rules, is_shared)
    seats: dict[bool, set[int]] = {False: set(), True: set()}
    while (told := lockstep.advance())[1]:
        heads = np.frombuffer(told[1], dtype="<i8").reshape(-1, 5)
        assert 0 == heads[:, 2].max()
        for number, seat in heads[:, :2].tolist():
            position = games[number].position
            seats[position.top == position.deal.size].add(seat)
        lockstep.choose([0] * len(heads))
    assert {False: {0}, True: drivers} == seats

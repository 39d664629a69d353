"""Training: the same seed gives the same weights, and they get better."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from kozyr.arena.games import deal_of, play_game
from kozyr.arena.players import RandomPlayer
from kozyr.arena.training import Course, Learner, State, parse_state, rules_of_thumb, softmax, tables, train
from kozyr.bots.features import COUNT, SITUATIONS
from kozyr.core.notation import parse_view
from kozyr.core.options import Rules

COURSE = Course(tables(2)[:1], batches=2, games=100, seed=4)


def test_training_does_not_depend_on_workers() -> None:
    """
    One process or three: the same weights to the last bit.
    """
    alone = [state.weights(COURSE).values for state in train(COURSE, State.at(rules_of_thumb()))]
    with ThreadPoolExecutor(3) as pool:
        assert alone == [state.weights(COURSE).values for state in train(COURSE, State.at(rules_of_thumb()), pool)]
    assert rules_of_thumb().values != alone[-1]


def test_training_goes_on_from_a_state_as_if_it_had_never_stopped() -> None:
    """
    Written and read after the first of two batches: the same weights to the last bit.
    """
    whole = [state.weights(COURSE).values for state in train(COURSE, State.at(rules_of_thumb()))]
    first = next(iter(train(COURSE, State.at(rules_of_thumb()))))
    again = parse_state(first.written("kozyr train"), "kozyr train")
    assert whole[1:] == [state.weights(COURSE).values for state in train(COURSE, again)]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text[:400], "is no checkpoint"),
        (lambda text: "[]", "is no checkpoint"),
        (lambda text: "\x00", "is no checkpoint"),
        (lambda text: text.replace('"format": 1', '"format": 2'), "of such weights"),
        (lambda text: text.replace('"done": 0', '"done": -1'), "of such weights"),
        (lambda text: text.replace('"values": [', '"values": [NaN, '), "of such weights"),
        (lambda text: text.replace("kozyr train", "kozyr play"), "of another training: kozyr play"),
    ],
)
def test_a_state_that_cannot_be_is_told(change: Callable[[str], str], told: str) -> None:
    """
    Cut short, garbage, of another version or another command: the error says so.
    """
    with pytest.raises(ValueError, match=told):
        parse_state(change(State.at(rules_of_thumb()).written("kozyr train")), "kozyr train")


def test_chances_add_up() -> None:
    """
    Softmax gives chances, also for scores that would overflow.
    """
    assert pytest.approx([0.5, 0.5]) == softmax([1000.0, 1000.0])
    assert pytest.approx(1.0) == math.fsum(softmax([3.0, -2.0, 800.0]))


def test_what_was_chosen_is_made_likelier_and_the_rest_less() -> None:
    """
    The slope of a choice sums to the chosen card's features less those that were expected; here two cards, alike in liking.
    """
    learner = Learner((0.0,) * (COUNT * 15), Random(1))
    move = learner(parse_view("36/s/20/0:7h,Ac;1:6/0>1/-/seats=2,limit=6,bout_no=5,view=0"))
    slope = learner.slopes[3 * SITUATIONS.index("open")]
    assert move is not None
    assert pytest.approx((-0.5 if move.text == "attack 7h" else 0.5) * (1 - 1 / 8)) == slope[1]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_learners_play_every_table_of_their_course(seats: int) -> None:
    """
    A course has tables that can be dealt, and learners play them to the end.
    """
    for rules in dict.fromkeys(tables(seats)):
        learners = [Learner(rules_of_thumb().values, Random(seat)) for seat in range(seats)]
        assert play_game(rules, deal_of(rules, 1), learners).moves > 10


def test_rules_of_thumb_save_trumps() -> None:
    """
    Training starts from a player that beats random play: it wins most of ten mirrored deals.
    """
    thumb = rules_of_thumb().values
    points = 0.0
    for seed in range(10):
        deal = deal_of(Rules(), seed)
        points += play_game(Rules(), deal, [Learner(thumb, Random(seed)), RandomPlayer(seed)]).points[0]
        points += play_game(Rules(), deal, [RandomPlayer(seed), Learner(thumb, Random(seed))]).points[1]
    assert points >= 15

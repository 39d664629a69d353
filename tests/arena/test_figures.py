"""The statistics hold for scores whose truth is known."""

from __future__ import annotations

from random import Random

import pytest

from kozyr.arena.figures import Sprt, bradley_terry, mean_of, ratings


def scores(rng: Random, share: float, n: int) -> list[float]:
    """
    Draw the scores of mirrored deals: two games each.
    """
    return [((rng.random() < share) + (rng.random() < share)) / 2 for _ in range(n)]


def test_the_interval_of_a_mean() -> None:
    """
    Four values: mean 0.5, standard deviation 0.408, error 1.96 times that over two.
    """
    mean = mean_of([0.0, 0.5, 0.5, 1.0])
    assert (0.5, 4) == (mean.value, mean.n)
    assert pytest.approx(1.959964 * (1 / 6) ** 0.5 / 2) == mean.error


def test_intervals_hold_the_truth_95_times_in_100() -> None:
    """
    Of 400 samples about 380 have the true score in their interval.
    """
    rng = Random(1)
    held = sum(abs(mean.value - 0.6) <= mean.error for mean in (mean_of(scores(rng, 0.6, 200)) for _ in range(400)))
    assert 365 <= held <= 394


def test_one_value_has_no_error_that_is_known() -> None:
    """
    One deal tells nothing about luck.
    """
    assert float("inf") == mean_of([1.0]).error


@pytest.mark.parametrize(("share", "decision"), [(0.5, -1), (0.56, 1)])
def test_the_sequential_test_decides_rightly(share: float, decision: int) -> None:
    """
    Of 60 tests with a true score at either hypothesis nearly all decide for it.
    """
    rng = Random(2)
    right = 0
    for _ in range(60):
        test = Sprt(0.5, 0.56)
        seen: list[float] = []
        while not test.decision(seen):
            seen += scores(rng, share, 25)
        right += test.decision(seen) == decision
    assert right >= 54


def test_the_sequential_test_waits_for_more_than_a_run_of_luck() -> None:
    """
    A handful of equal scores does not decide, though their variance is none.
    """
    assert 0 == Sprt(0.5, 0.52).decision([1.0, 1.0, 1.0])


def test_ratings_give_the_scores_back() -> None:
    """
    A player that scores 10 of 11 against another is about 400 points stronger on the scale of Elo.
    """
    rated = bradley_terry(["a", "b"], {("a", "b"): [1.0] * 1000 + [0.0] * 100})
    assert pytest.approx(400, abs=2) == rated["a"] - rated["b"]
    assert pytest.approx(0, abs=1e-6) == rated["a"] + rated["b"]


def test_a_player_without_a_loss_has_a_finite_rating() -> None:
    """
    Random never beats normal; the rating does not run away.
    """
    rated = bradley_terry(["a", "b"], {("a", "b"): [1.0] * 50})
    assert 400 < rated["a"] - rated["b"] < 1200


def test_bootstrap_intervals_hold_the_rating() -> None:
    """
    Each rating lies in its interval, and more deals make it narrower.
    """
    rng = Random(3)
    few, many = (ratings(["a", "b"], {("a", "b"): scores(rng, 0.6, n)}, 60) for n in (50, 2000))
    assert few["a"][1] <= few["a"][0] <= few["a"][2]
    assert many["a"][2] - many["a"][1] < few["a"][2] - few["a"][1]

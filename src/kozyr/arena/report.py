"""What a contest has shown, as lines of text and as data."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from kozyr.arena.external import PREFIX, label_of
from kozyr.arena.figures import Mean, mean_of, ratings
from kozyr.arena.runs import Contest, Results


def lines(contest: Contest, results: Results) -> list[str]:
    """Write the matrix, for three and more seats duraks and places, for three and more players ratings, and time spent."""
    found = ["", *matrix(contest.players, results)]
    if contest.rules.seats > 2:
        found += ["", *shares(contest, results)]
    if contest.sprt:
        found += ["", *tests(contest, results)]
    if len(contest.players) > 2:
        found += ["", "ratings (Bradley–Terry, Elo scale, 95 % by bootstrap)"]
        rated = ratings(contest.players, results.scores())
        for player, (rating, low, high) in sorted(rated.items(), key=lambda item: -item[1][0]):
            found.append(f"  {label_of(player):<16}{rating:+7.0f}   {low:+.0f} to {high:+.0f}")
    found += ["", *times(contest.players, results)]
    found += faults(contest.players, results)
    return found


def matrix(players: Sequence[str], results: Results) -> list[str]:
    """Write the score of each player against each other, in per cent with the 95 % error."""
    wide = max(14, max(len(label_of(player)) for player in players) + 2)
    found = ["score of the row against the column, %, ± 95 %", " " * wide + "".join(f"{label_of(player):>{wide}}" for player in players)]
    for player in players:
        cells = ["–" if player == other else mean_of(results.of(player, other)).percent() for other in players]
        found.append(f"{label_of(player):<{wide}}" + "".join(f"{cell:>{wide}}" for cell in cells))
    return found


def shares(contest: Contest, results: Results) -> list[str]:
    """Write how often one player among others is the durak, and its mean place."""
    seats = contest.rules.seats
    found = [f"one among {seats - 1} others: durak %, place (equal players: {100 / seats:.1f} % less draws)"]
    for a, b in contest.pairs():
        for player, others in ((a, b), (b, a)):
            alone = results.lone(player, others)
            durak, place = mean_of([each.durak for each in alone]), mean_of([each.place for each in alone])
            who = f"one {label_of(player)} among {label_of(others)}"
            found.append(f"  {who}: {durak.percent()} %, place {place.value:.2f} ± {place.error:.2f}")
    return found


def tests(contest: Contest, results: Results) -> list[str]:
    """Write what the sequential test has decided for each pair."""
    sprt = contest.sprt
    if sprt is None:
        return []
    found = []
    for (a, b), scores in results.scores().items():
        word = {1: f"at least {100 * sprt.s1:g} %", -1: f"no more than {100 * sprt.s0:g} %", 0: "open"}[sprt.decision(scores)]
        found.append(f"{label_of(a)} v {label_of(b)} after {len(scores)} deals: {word} (log likelihood ratio {sprt.ratio(scores):+.2f})")
    return found


def times(players: Sequence[str], results: Results) -> list[str]:
    """Write what the players have spent on a choice, where there was one to make."""
    found = []
    for player in players:
        spent = results.spent.get(player)
        if spent and spent.choices:
            unit = "ms by the clock" if player.startswith(PREFIX) else "ms of CPU"
            found.append(f"{label_of(player)}: {1000 * spent.cpu_s / spent.choices:.3f} {unit} a choice, {spent.choices} choices")
    return found


def faults(players: Sequence[str], results: Results) -> list[str]:
    """Write how many moves external programs have lost in this run, and why, with the first reports."""
    found = []
    for player in players:
        spent = results.spent.get(player)
        if spent and spent.lost:
            kinds = ", ".join(f"{kind} {count}" for kind, count in spent.lost.most_common())
            found.append(f"{label_of(player)} has lost {spent.lost.total()} moves, for which the default move was played: {kinds}")
            found += [f"  {report}" for report in spent.reports]
    return found


def as_data(contest: Contest, results: Results) -> dict[str, Any]:
    """Give the figures of a contest as data."""

    def told(mean: Mean) -> dict[str, float | None]:
        # JSON knows no infinity: one deal alone tells nothing about the error.
        return {"value": round(mean.value, 5), "error": round(mean.error, 5) if mean.n > 1 else None, "deals": mean.n}

    pairs = []
    for a, b in contest.pairs():
        entry: dict[str, Any] = {"a": a, "b": b, "score": told(mean_of(results.of(a, b)))}
        for name, player, others in (("lone_a", a, b), ("lone_b", b, a)):
            alone = results.lone(player, others)
            entry[name] = {"durak": told(mean_of([each.durak for each in alone])), "place": told(mean_of([each.place for each in alone]))}
        if contest.sprt:
            scores = results.of(a, b)
            decided = {"decision": contest.sprt.decision(scores), "ratio": round(contest.sprt.ratio(scores), 5)}
            entry["sprt"] = asdict(contest.sprt) | decided
        pairs.append(entry)
    found = {**contest.header(), "deals": contest.deals, "players": list(contest.players), "pairs": pairs}
    if len(contest.players) > 2:
        names = ("value", "low", "high")
        rated = ratings(contest.players, results.scores())
        found["ratings"] = {player: dict(zip(names, (round(each, 2) for each in rated[player]), strict=True)) for player in rated}
    return found

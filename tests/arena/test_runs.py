"""Contests: the same on any number of processes, resumed from a file, reported in words."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kozyr.arena import runs
from kozyr.arena.figures import Sprt
from kozyr.arena.report import as_data, lines
from kozyr.arena.runs import Contest, FileError, format_block, parse_block, run
from kozyr.core.options import Rules

CONTEST = Contest(("easy", "random", "normal"), Rules(), 6, 3)


def test_the_results_do_not_depend_on_workers(tmp_path: Path) -> None:
    """
    One worker or three, chunks of one or four: the same deals with the same scores, the same file byte by byte.
    """
    alone = run(CONTEST, path=tmp_path / "a", chunk=4)
    with ThreadPoolExecutor(3) as pool:
        together = run(CONTEST, pool, tmp_path / "b", 1)
    assert alone.blocks == together.blocks
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_contest_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    """
    Lines that are there are not played again, and a line that was cut short is.
    """
    path = tmp_path / "results"
    whole = run(CONTEST, path=path)
    kept = path.read_bytes()
    path.write_bytes(kept[: len(kept) // 2])
    assert whole.blocks == run(CONTEST, path=path).blocks
    assert sorted(kept.splitlines()) == sorted(path.read_bytes().splitlines())


def test_more_deals_are_added_to_a_file(tmp_path: Path) -> None:
    """
    Asking for more deals plays only those that are missing.
    """
    path = tmp_path / "results"
    run(Contest(("easy", "random"), Rules(), 2, 3), path=path)
    more = run(Contest(("easy", "random"), Rules(), 4, 3), path=path)
    assert [0, 1, 2, 3] == [block.deal for block in more.blocks["easy", "random"]]
    assert 5 == len(path.read_text(encoding="utf-8").splitlines())


def test_a_contest_goes_on_from_its_first_line(tmp_path: Path) -> None:
    """
    Whoever was stopped before anything was played begins with what is there.
    """
    path = tmp_path / "results"
    whole = run(CONTEST, path=path)
    kept = path.read_bytes()
    path.write_bytes(kept.splitlines()[0])
    assert whole.blocks == run(CONTEST, path=path).blocks
    assert kept == path.read_bytes()


@pytest.mark.parametrize("text", ["", "nonsense\n", '{"arena": 1}\n', "a letter", "a letter\nto somebody"])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, text: str) -> None:
    """
    Results of another table or seed are not mixed with these, and no file is overwritten.
    """
    path = tmp_path / "results"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match="something else"):
        run(CONTEST, path=path)
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "value"), [("bots", "0123456789ab"), ("engine", "another")])
def test_results_of_other_bots_are_not_mixed_with_these(tmp_path: Path, name: str, value: str) -> None:
    """
    Whoever has trained or changed a bot since, or runs another form of the engine, is told; nothing is played and the file stays.
    """
    path = tmp_path / "results"
    run(CONTEST, path=path)
    first, _, rest = path.read_text(encoding="utf-8").partition("\n")
    text = json.dumps(json.loads(first) | {name: value}) + "\n" + rest
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=f"other bots than those of this build: .*{value}"):
        run(CONTEST, path=path)
    assert text == path.read_text(encoding="utf-8")


def test_a_file_from_before_the_build_was_told_is_gone_on_with(tmp_path: Path) -> None:
    """
    Its header names neither the form of the engine nor the bots.
    """
    path = tmp_path / "results"
    whole = run(CONTEST, path=path)
    first, _, rest = path.read_text(encoding="utf-8").partition("\n")
    old = {each: value for each, value in json.loads(first).items() if each not in ("engine", "bots")}
    path.write_text(json.dumps(old) + "\n" + rest, encoding="utf-8")
    assert whole.blocks == run(CONTEST, path=path).blocks


def test_other_weights_are_other_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    The fingerprint depends on every byte of the bots' code and data, and on no byte of what Python has made of them.
    """
    for name, data in (("a.py", b"x = 1"), ("w.npz", b"12"), ("r.json", b"{}")):
        (tmp_path / name).write_bytes(data)
    monkeypatch.setattr(runs, "files", lambda package: tmp_path)
    found = [runs.fingerprint.__wrapped__()]
    (tmp_path / "a.cpython-311.so").write_bytes(b"made of a.py")
    assert found == [runs.fingerprint.__wrapped__()]
    for name, data in (("a.py", b"x = 2"), ("w.npz", b"13"), ("r.json", b"{ }"), ("more.json", b"")):
        (tmp_path / name).write_bytes(data)
        found.append(runs.fingerprint.__wrapped__())
    assert 5 == len(set(found))


def test_a_damaged_line_is_told() -> None:
    """
    Garbage among the results is named.
    """
    with pytest.raises(FileError, match="is no result"):
        parse_block('{"a": "easy"}')


def test_blocks_are_read_as_they_were_written() -> None:
    """
    parse_block(format_block(x)) is x.
    """
    for block in run(Contest(("easy", "random"), Rules(seats=3), 2, 3)).blocks["easy", "random"]:
        assert block == parse_block(format_block(block))


def test_a_pair_stops_once_the_test_has_decided() -> None:
    """
    Easy against random needs few deals.
    """
    blocks = run(Contest(("easy", "random"), Rules(), 400, 1, Sprt(0.5, 0.6))).blocks["easy", "random"]
    assert 2 <= len(blocks) < 60


def test_the_matrix_mirrors_itself() -> None:
    """
    What one scores against another, the other lacks.
    """
    results = run(CONTEST)
    for a, b in CONTEST.pairs():
        assert pytest.approx([1 - score for score in results.of(a, b)]) == results.of(b, a)


def test_reports_of_bigger_tables_have_shares_and_places() -> None:
    """
    With three and more seats it is one among others: how often the durak, which place.
    """
    contest = Contest(("easy", "random"), Rules(seats=3), 3, 1)
    results = run(contest)
    text = "\n".join(lines(contest, results))
    assert re.search(r"one easy among random: \d+\.\d ± \d+\.\d %, place \d\.\d\d", text)
    assert ["easy", "random"] == as_data(contest, results)["players"]


def test_the_figures_hold_all_that_the_report_says() -> None:
    """
    Ratings with their intervals, and what the sequential test has decided of each pair, are data too.
    """
    contest = Contest(("easy", "random", "normal"), Rules(), 60, 1, Sprt(0.5, 0.6))
    results = run(contest)
    data, text = as_data(contest, results), "\n".join(lines(contest, results))
    for pair in data["pairs"]:
        told = pair["sprt"]
        word = {1: "at least 60 %", -1: "no more than 50 %", 0: "open"}[told["decision"]]
        assert (0.5, 0.6) == (told["s0"], told["s1"])
        assert f"{pair['a']} v {pair['b']} after {pair['score']['deals']} deals: {word} (log likelihood ratio {told['ratio']:+.2f})" in text
    assert 1 == data["pairs"][0]["sprt"]["decision"]
    for player, told in data["ratings"].items():
        assert told["low"] <= told["value"] <= told["high"]
        rated = f"{told['value']:+7.0f}   {told['low']:+.0f} to {told['high']:+.0f}"
        assert f"  {player:<16}{rated}" in text.splitlines()
    assert set(contest.players) == set(data["ratings"])


def test_two_players_alone_have_no_ratings() -> None:
    """
    A pair's score says it all; without a test there is none to tell of.
    """
    contest = Contest(("easy", "random"), Rules(), 2, 1)
    data = as_data(contest, run(contest))
    assert (False, False) == ("ratings" in data, "sprt" in data["pairs"][0])

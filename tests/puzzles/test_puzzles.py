"""Durak problems: each has one move alone that keeps what the position is worth."""
from __future__ import annotations

import doctest
import json
from collections import Counter
from importlib.resources import files

import pytest

from kozyr.bots import LEVELS
from kozyr.core.options import Rules, format_options, parse_options
from kozyr.core.views import view
from kozyr.puzzles import GRADES, grade_of, parse_puzzles, puzzles
from kozyr.search import Solver
from tests.search.plain import TooBig, plain_moves
from tests.tidy.files import ROOT

NODES = 2_000_000
SOAK_PARTS = 35
WORTH = {"win": 1, "draw": 0}
TEXT = files("kozyr.puzzles").joinpath("endgames.json").read_text(encoding="utf-8")


def test_there_are_hundreds_of_every_kind() -> None:
    """All decks, with and without transfers and draws, some with a stock, five grades, wins and draws; no position comes twice."""
    every = puzzles()
    assert len(every) >= 500
    assert len(every) == len({puzzle.text for puzzle in every})
    rules = [puzzle.position.rules for puzzle in every]
    assert {24, 36, 52} == {each.deck for each in rules}
    assert 100 < sum(each.transfer for each in rules) < len(every) - 100
    assert sum(not each.draws for each in rules) >= 80
    assert sum(puzzle.position.top < puzzle.position.deal.size for puzzle in every) >= 60
    grades = Counter(puzzle.grade for puzzle in every)
    assert set(range(1, GRADES + 1)) == set(grades)
    assert min(grades.values()) >= 15
    assert Counter(puzzle.keeps for puzzle in every)["draw"] >= 40


def test_each_says_where_it_comes_from() -> None:
    """The file names the command and the commit, each problem its table, its players and its deal."""
    for made in json.loads(TEXT)["made"]:
        assert made["command"].startswith("python tools/mine_puzzles.py --seed ")
        assert made["commit"] and "dirty" not in made["commit"]
    for puzzle in puzzles():
        options = Rules.of(parse_options(puzzle.origin["table"]))
        assert format_options(options.differences()) == format_options(puzzle.position.rules.differences())
        assert set(puzzle.origin["play"].split()) <= set(LEVELS)


@pytest.mark.parametrize("grade", range(1, GRADES + 1))
def test_one_move_alone_keeps_the_value(grade: int) -> None:
    """The solver gives the move of each problem what it keeps, and every other move less."""
    solver = Solver(14)
    for puzzle in puzzles():
        if puzzle.grade == grade:
            values = solver.moves(puzzle.position, NODES)
            keeps = WORTH[puzzle.keeps]
            assert {puzzle.move} == {move for move, value in values.items() if value == keeps}, puzzle.text
            assert all(value is not None and value <= keeps for value in values.values()), puzzle.text


@pytest.mark.parametrize("part", range(4))
def test_a_sample_is_proven_by_a_search_that_knows_only_the_rules(part: int) -> None:
    """The plain search plays out or solves backwards everything that can come; it agrees on every move."""
    proven = 0
    for puzzle in puzzles()[part::40]:
        try:
            plain = plain_moves(puzzle.position, 3_000)
        except TooBig:
            continue
        assert {puzzle.move} == {move for move, value in plain.items() if value == WORTH[puzzle.keeps]}, puzzle.text
        assert max(plain.values()) == WORTH[puzzle.keeps]
        proven += 1
    assert proven >= 3


@pytest.mark.soak
@pytest.mark.parametrize("part", range(SOAK_PARTS))
def test_all_are_proven_by_a_search_that_knows_only_the_rules(part: int) -> None:
    """As they were mined: two solvers that share nothing but the rules agree on every move of every problem."""
    for puzzle in puzzles()[part::SOAK_PARTS]:
        assert plain_moves(puzzle.position, 200_000) == Solver(14).moves(puzzle.position, NODES), puzzle.text


def test_easy_finds_what_is_said_that_it_finds() -> None:
    """Easy needs no memory, so that its word can be checked from the position alone."""
    for puzzle in puzzles():
        position = puzzle.position
        move = LEVELS["easy"](view(position, int(position.turn)))
        assert ("easy" in puzzle.found_by) == (move == puzzle.move), puzzle.text


def test_grades_count_what_makes_a_problem_hard() -> None:
    """Nobody finds it, there is much to choose, and the end is far: grade 5."""
    assert [1, 2, 2, 3, 5] == [
        grade_of(3, 4, ("easy", "normal")),
        grade_of(3, 4, ("normal",)),
        grade_of(6, 4, ("easy", "normal")),
        grade_of(3, 4, ()),
        grade_of(6, 20, ()),
    ]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"position": "nonsense"}, "problem 1: 'nonsense' is no position"),
        ({"move": "attack 2c"}, "problem 1: the number, the move"),
        ({"move": "dance"}, "problem 1: 'dance' is no move"),
        ({"n": 7}, "problem 1: the number"),
        ({"keeps": "face"}, "problem 1: the number"),
        ({"choices": 50}, "problem 1: the number"),
        ({"grade": 4}, "problem 1: its grade is not 4"),
        ({"line": None}, "problem 1: "),
    ],
)
def test_a_damaged_file_is_told(change: dict[str, object], told: str) -> None:
    """Which problem it is, and what is wrong with it."""
    words = json.loads(TEXT)
    words["puzzles"] = [words["puzzles"][0] | change]
    with pytest.raises(ValueError, match=told):
        parse_puzzles(json.dumps(words))


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"puzzles": 5}', '{"puzzles": [5]}'])
def test_what_is_no_file_of_problems_is_told(text: str) -> None:
    """Garbage is a ValueError."""
    with pytest.raises(ValueError, match=r"Expecting|no file of problems|problem 1"):
        parse_puzzles(text)


def test_the_page_on_problems_is_right() -> None:
    """Its example runs, and every field of the file is described there."""
    page = ROOT / "docs/puzzles.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (0, True) == (failed, tried > 0)
    fields = json.loads(TEXT)["puzzles"][0]
    assert [] == [field for field in fields if f"`{field}`" not in page.read_text(encoding="utf-8")]

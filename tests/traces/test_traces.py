"""
Whole games played by another engine, replayed by every engine here.

`pytest tests/traces --traces FILE` replays another file of the same form; `-k core` leaves the reference out, `-n auto` shares the work.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.examples.engines import ENGINES, engine
from tests.traces.replaying import Difference, open_traces, read_games, replay

OWN = Path(__file__).parent / "traces.jsonl.gz"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """
    Make one test of each engine and file or, where several processes run the tests, of each engine and each process's part of the file.
    """
    if "chunk" not in metafunc.fixturenames:
        return
    path = Path(metafunc.config.getoption("--traces") or OWN)
    if not path.is_file():
        raise pytest.UsageError(f"no file of traces at {path}")
    of = getattr(metafunc.config, "workerinput", {}).get("workercount", 1)
    cases = [pytest.param(path, name, chunk, of, id=f"{name}-{chunk + 1}-of-{of}") for name in ENGINES for chunk in range(of)]
    metafunc.parametrize(("path", "name", "chunk", "of"), cases)


def test_engine_replays_the_games(path: Path, name: str, chunk: int, of: int, record_property: Callable[[str, object], None]) -> None:
    """
    After every move of every game the position and every seat's legal moves are as the other engine had them.
    """
    games, states = replay(engine(name), path, chunk, of)
    assert games > 0 or chunk > 0, f"no game in {path}"
    record_property("replayed_by", name)
    record_property("games", games)
    record_property("states", states)


def test_forty_games_are_here() -> None:
    """
    None of the traced games is lost, and the parts of a file hold each game once.
    """
    parts: list[int] = []
    for chunk in range(3):
        with open_traces(OWN) as file:
            parts += [json.loads(game[0])["game"] for game in read_games(file, chunk, 3)]
    assert list(range(40)) == sorted(parts)


def change_state(line: dict[str, Any]) -> None:
    """
    Tell of one card more in the stock than there is.
    """
    line["state"]["stock"] += 1


def change_legal(line: dict[str, Any]) -> None:
    """
    Leave out a legal move.
    """
    next(moves for moves in line["legal"] if moves).pop()


def change_move(line: dict[str, Any]) -> None:
    """
    Tell of a move that nobody may make.
    """
    line["move"] = "show 2c"


def change_number(line: dict[str, Any]) -> None:
    """
    Leave out a move.
    """
    line["n"] += 1


@pytest.mark.parametrize("change", [change_state, change_legal, change_move, change_number])
@pytest.mark.parametrize("zipped", [False, True])
def test_a_wrong_trace_fails(change: Callable[[dict[str, Any]], None], zipped: bool, tmp_path: Path) -> None:
    """
    A difference in one move of one game is found and told with the game and the move, in a plain file and in a gzipped one.
    """
    with open_traces(OWN) as file:
        lines = [next(file) for _ in range(20)]
    line = json.loads(lines[11])
    change(line)
    lines[11] = json.dumps(line).encode() + b"\n"
    path = tmp_path / "traces"
    path.write_bytes(gzip.compress(b"".join(lines)) if zipped else b"".join(lines))
    with pytest.raises(Difference, match="game 0, move 11"):
        replay(engine("reference"), path, 0, 1)

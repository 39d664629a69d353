"""The expert bot weighs moves by a network that comes as a file, and plays known endgames exactly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from kozyr.bots import expert
from kozyr.bots.expert import NumpyMissing, choose, network
from kozyr.bots.network import NetworkError, new_network, read_network, write_network
from kozyr.core.notation import parse_position, parse_view
from kozyr.core.views import view
from kozyr.damage import Damaged
from tests.bots.endgames import loses_no_value


def test_no_choice_in_a_known_endgame_loses_value() -> None:
    """
    Whatever expert plays with two small hands is worth as much as the best move, as the solver tells.
    """
    loses_no_value(choose, 6)


def test_suits_make_no_difference() -> None:
    """
    Hands that differ by the names of plain suits alone are played alike: here clubs have changed with hearts.
    """
    cards = []
    for hand in ("7c,9h,Tc,Jh,Qd,6s", "7h,9c,Th,Jc,Qd,6s"):
        move = choose(parse_view(f"36/s/12/0:{hand};1:6/0>1/-/seats=2,limit=6,bout_no=5,view=0"))
        assert move is not None and 1 == len(move.cards)
        cards.append(move.cards[0])
    swapped = {0: 2, 2: 0}
    suit, rank = divmod(cards[1], 16)
    assert cards[0] == 16 * swapped.get(suit, suit) + rank


def test_it_still_plays_without_a_memory() -> None:
    """
    Who has not seen the game knows what lies open, and weighs that.
    """
    assert choose(view(parse_position("36/s/0/0:7h,As;1:8h,6c/0>1/-/seats=2"), 0)) is not None


def small(others: int = 1) -> bytes:
    """
    Write a small network that knows nothing.
    """
    return write_network(new_network(others, 8, 8, np.random.default_rng(1)), {"command": "none"})


def test_a_network_is_read_as_it_was_written() -> None:
    """
    In half precision, which is enough to choose by.
    """
    made = new_network(1, 8, 8, np.random.default_rng(1))
    read = read_network(small(), "some.npz", 1)
    for one, other in zip(made.arrays(), read.arrays(), strict=True):
        assert np.allclose(one, other, atol=2e-3)


def harmed(data: bytes, name: str, change: Callable[[np.ndarray], np.ndarray]) -> bytes:
    """
    Change one array of a file.
    """
    with np.load(BytesIO(data)) as found:
        arrays = {each: change(found[each]) if each == name else found[each] for each in found.files}
    out = BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "some.npz is no file of weights"),
        (b"nonsense", "some.npz is no file of weights"),
        (small()[:-300], "some.npz is no file of weights"),
        (small()[:2000] + bytes(400) + small()[2400:], "some.npz is no file of weights"),
        (small(2), "some.npz: game has the shape"),
        (harmed(small(), "third", lambda array: array[:-1]), "some.npz: third has the shape"),
        (harmed(small(), "bias1", lambda array: array * np.nan), "some.npz: bias1 has weights that are no numbers"),
        (harmed(small(), "made", lambda array: np.frombuffer(b'{"format": 9}', np.uint8)), "some.npz has weights of another"),
    ],
)
def test_a_broken_file_of_weights_is_named(data: bytes, told: str) -> None:
    """
    Cut short, harmed, of another network or no such file at all: the error says which file and why.
    """
    with pytest.raises(NetworkError, match=told):
        read_network(data, "some.npz", 1)


def test_missing_weights_are_named() -> None:
    """
    The error names the file that is not there.
    """
    with pytest.raises(Damaged, match=r"nothing\.npz cannot be read"):
        network("nothing.npz")


def test_without_numpy_the_error_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Numpy comes with the package; who has taken it away is told what is missing.
    """
    monkeypatch.setitem(sys.modules, "kozyr.bots.network", None)
    network.cache_clear()
    with pytest.raises(NumpyMissing, match="install kozyr with its dependencies"):
        network(expert.TWO)


def test_numpy_is_imported_when_the_first_expert_thinks() -> None:
    """
    Whatever only names the levels starts as quickly as without the expert.
    """
    code = "import sys, kozyr.bots; print('numpy' in sys.modules)"
    assert "False" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted through Linux's /proc")
def test_it_thinks_in_one_thread() -> None:
    """
    Several threads for such small products wait for each other more than they work, above all where other processes think too.
    """
    code = (
        "from kozyr.bots import expert; from kozyr.core.views import view; from kozyr.core.notation import parse_position; "
        "expert.choose(view(parse_position('36/s/0/0:7h,As;1:8h,6c/0>1/-/seats=2'), 0)); "
        "import os; print(len(os.listdir('/proc/self/task')), 'thread')"
    )
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout
    assert "1 thread\n" == told


@pytest.mark.parametrize("name", [expert.TWO, expert.MORE, expert.BELIEF])
def test_the_weights_come_with_what_made_them(name: str) -> None:
    """
    Beside each file of weights stand its commands and figures; all files together have less than one megabyte and a quarter.
    """
    folder = Path(expert.__file__).parent
    made = json.loads((folder / name).with_suffix(".json").read_text(encoding="utf-8"))
    assert made["commands"] and made["games"] and made["commit"]
    assert sum((folder / each).stat().st_size for each in (expert.TWO, expert.MORE, expert.BELIEF)) < 1_250_000

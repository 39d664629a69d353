"""`--ray`: what becomes of an address at which there is no cluster."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from .conftest import Kozyr

StandIn = Callable[[Exception], list[str]]


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """
    Put a Ray in the place of the real one that finds no cluster, and keeps the addresses at which it has looked.
    """

    def put(error: Exception) -> list[str]:
        asked: list[str] = []

        def init(address: str, **more: object) -> None:
            asked.append(address)
            raise error

        module = ModuleType("ray")
        vars(module).update(init=init)
        monkeypatch.setitem(sys.modules, "ray", module)
        monkeypatch.delitem(sys.modules, "kozyr.arena.learning_ray", raising=False)
        return asked

    yield put
    # It has the stand-in's name for ray.
    sys.modules.pop("kozyr.arena.learning_ray", None)


@pytest.fixture
def closed() -> Iterator[int]:
    """
    A port at which nobody listens.
    """
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def contest(folder: Path) -> tuple[str | Path, ...]:
    """
    A short contest with a file of results.
    """
    return ("arena", "easy", "random", "--deals", "1", "--json", folder / "results")


def training(folder: Path) -> tuple[str | Path, ...]:
    """
    A short training.
    """
    return ("train", "expert", "--rounds", "1", "--units", "8", "--out", folder / "x.npz", "--checkpoint", folder / "kept")


@pytest.mark.parametrize("command", [contest, training])
@pytest.mark.parametrize("error", [ConnectionError("nobody\nanswers"), ValueError("no such form"), RuntimeError("another version")])
def test_a_cluster_that_is_not_found_is_told(
    kozyr: Kozyr, ray: StandIn, tmp_path: Path, error: Exception, command: Callable[[Path], tuple[str | Path, ...]]
) -> None:
    """
    It is the address that is of no use: no file is blamed, and one line says so.
    """
    asked = ray(error)
    ran = kozyr(*command(tmp_path), "--ray", "auto")
    assert (2, f"kozyr: cannot use the cluster at auto: {' '.join(str(error).split())}\n") == (ran.code, ran.err)
    assert ["auto"] == asked


@pytest.mark.parametrize("command", [contest, training])
def test_an_address_where_nobody_is_is_not_left_to_ray(
    kozyr: Kozyr, ray: StandIn, closed: int, tmp_path: Path, command: Callable[[Path], tuple[str | Path, ...]]
) -> None:
    """
    Ray goes on asking for many minutes; whoever has mistyped a port is told at once.
    """
    asked = ray(RuntimeError("it was asked"))
    ran = kozyr(*command(tmp_path), "--ray", f"127.0.0.1:{closed}")
    assert 2 == ran.code
    assert ran.err.startswith(f"kozyr: cannot use the cluster at 127.0.0.1:{closed}: "), ran.err
    assert [] == asked


@pytest.mark.parametrize("form", ["127.0.0.1:{}", "localhost:{}"])
def test_an_address_where_somebody_is_is_rays_to_judge(kozyr: Kozyr, ray: StandIn, tmp_path: Path, form: str) -> None:
    """
    That somebody listens is all that is looked at.
    """
    asked = ray(RuntimeError("no cluster"))
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = form.format(server.getsockname()[1])
        ran = kozyr(*contest(tmp_path), "--ray", address)
    assert (2, [address]) == (ran.code, asked)
    assert ran.err == f"kozyr: cannot use the cluster at {address}: no cluster\n"

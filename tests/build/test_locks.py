"""The lock files pin everything that pyproject.toml asks for, with hashes, and name no host."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.tidy.files import ROOT

LOCKS = ("run", "postgres", "brokers", "build", "node", "test")
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def lines(lock: str) -> list[str]:
    """
    Read a lock file, one requirement with its hashes a line.
    """
    text = (ROOT / f"requirements/{lock}.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def pins(lock: str) -> dict[str, Version]:
    """
    Read the versions that a lock file pins.
    """
    found = (re.match(r"([\w.-]+)==(\S+)", line) for line in lines(lock))
    return {match[1]: Version(match[2]) for match in found if match}


def asked(lock: str) -> list[Requirement]:
    """
    List what pyproject.toml asks for in a lock file.
    """
    groups = PROJECT["dependency-groups"]
    extras = {"postgres": ("postgres",), "brokers": ("postgres", "nats", "redis"), "test": ("postgres", "nats", "redis")}.get(lock, ())
    chosen = [*groups["test"], *groups["build"]] if lock == "test" else groups.get(lock, [])
    project = PROJECT["project"]["dependencies"] if lock == "run" or extras else []
    for extra in extras:
        project = [*project, *PROJECT["project"]["optional-dependencies"][extra]]
    return [Requirement(each) for each in [*chosen, *project] if isinstance(each, str)]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_is_a_pin_with_hashes(lock: str) -> None:
    """
    Nothing is installed that was not looked at when the lock was written.
    """
    pattern = re.compile(r"[\w.-]+==[\w.]+( ; [^#]+?)?(\s+--hash=sha256:[0-9a-f]{64})+\s*")
    assert [] == [line[:60] for line in lines(lock) if not pattern.fullmatch(line)]


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_host(lock: str) -> None:
    """
    Packages come from whatever index a machine is set up for.
    """
    text = (ROOT / f"requirements/{lock}.txt").read_text(encoding="utf-8")
    assert [] == re.findall(r"\S*://\S*|--[\w-]*(?:index|links)\S*", text)


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_answers_pyproject(lock: str) -> None:
    """
    What pyproject.toml asks for is pinned, at a version that it allows.
    """
    pinned = pins(lock)
    assert [] == [str(each) for each in asked(lock) if each.name not in pinned or pinned[each.name] not in each.specifier]


@pytest.mark.parametrize("lock", ["run", "postgres", "brokers", "build"])
def test_the_test_lock_holds_the_smaller_ones(lock: str) -> None:
    """
    run.py installs test.txt alone, on top of the others or in their place.
    """
    everything = pins("test")
    assert {} == {name: version for name, version in pins(lock).items() if everything.get(name) != version}


def test_the_clients_lock_names_no_host() -> None:
    """
    The npm packages come from whatever registry a machine is set up for, by hash.
    """
    packages = json.loads((ROOT / "client/package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert [] == [name for name, package in packages.items() if "resolved" in package]
    assert [] == [name for name, package in packages.items() if name and "integrity" not in package and not package.get("inBundle")]


def test_build_requirements_are_those_of_the_lock() -> None:
    """
    A wheel is built with what the build lock pins.
    """
    pinned = pins("build")
    required = [Requirement(each) for each in PROJECT["build-system"]["requires"]]
    assert [] == [str(each) for each in required if pinned[each.name] not in each.specifier]

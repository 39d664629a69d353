"""What all tests share: the state of the compiled engine, hypothesis's profile, the browser, the options of single suites."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

import engine

if TYPE_CHECKING:
    from tests.postgres import Postgres

CHROMIUM = os.environ.get("KOZYR_CHROMIUM", "")
CHROMIUM_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# Two shared cores make any deadline a coin toss; CI repeats the same examples, so that a red run is the change's own doing.
hypothesis.settings.register_profile("desk", deadline=None, print_blob=True)
hypothesis.settings.register_profile("ci", deadline=None, print_blob=True, derandomize=True, database=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "desk")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--examples", metavar="DIR", help="a folder of worked positions to run instead of tests/examples' own")
    parser.addoption("--traces", metavar="FILE", help="a file of game traces to replay instead of tests/traces' own")
    parser.addoption("--sim-seed", metavar="N", help="the one world that the simulation of the whole server shall run")


def pytest_configure(config: pytest.Config) -> None:
    if engine.is_stale() and not os.environ.get("KOZYR_PURE"):
        raise pytest.UsageError(
            "the compiled engine is older than its sources and would hide them: "
            "`.venv/bin/python tools/engine.py build` renews it, KOZYR_PURE=1 runs the sources"
        )


def pytest_report_header() -> str:
    form = "interpreted" if os.environ.get("KOZYR_PURE") or not engine.built() else "compiled"
    return f"engine: {form}; browser: {CHROMIUM or 'Playwright’s own'}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Run the browser's tests last: Playwright keeps an event loop in the process, after which no asyncio test can start its own.
    """
    # A test may ask for its page by name while it runs: the folder counts too.
    items.sort(key=lambda item: "playwright" in getattr(item, "fixturenames", ()) or "e2e" in item.path.parts)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    if CHROMIUM == "none":
        pytest.skip("no Chromium on this machine")
    own = {} if CHROMIUM in ("", "playwright") else {"executable_path": CHROMIUM}
    as_root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return {**browser_type_launch_args, **own, "args": [*CHROMIUM_FLAGS, *as_root]}


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """Start PostgreSQL once a session; without it, tests that need it fail in CI and are skipped elsewhere."""
    from tests import postgres

    try:
        server = postgres.Postgres()
    except postgres.Missing as why:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(why))
    yield server
    server.close()


@pytest.fixture
def postgres_url(postgres_server: Postgres) -> str:
    """A database with Kozyr's tables and nothing in them."""
    return postgres_server.url(postgres_server.emptied())

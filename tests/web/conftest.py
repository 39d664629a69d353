"""A server on a free port, and clients of it."""
from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.limits import Limits
from kozyr.bus.memory import MemoryBus
from kozyr.store.sqlite import SqliteStore
from kozyr.web import lobby, socket
from kozyr.web.allowances import Allowances
from kozyr.web.server import make_site, serving
from kozyr.web.site import Site


@dataclass
class Server:
    """A running server: its parts, its address."""

    site: Site
    base: str
    database: Path


@pytest.fixture
def pause() -> Pause:
    """Bots move at once unless a test wants otherwise."""
    return Pause(0, 0)


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """A small client."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Kozyr</title>" + "<p>felt</p>" * 50)
    (folder / "assets" / "main-abc123.js").write_text("export const felt = 1;\n" * 100)
    (folder / "assets" / "main-abc123.js.br").write_bytes(b"brotli bytes")
    (folder / "icon.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    return folder


@pytest.fixture
async def server(tmp_path: Path, static: Path, pause: Pause) -> AsyncIterator[Server]:
    database = tmp_path / "kozyr.db"
    async with SqliteStore(database) as store:
        site = await make_site(store, store, MemoryBus().join(), SystemClock(), SystemEntropy(), pause, static, store)
        # A test asks for more than a person can; tests of the limits set their own.
        site.allowances = Allowances(Limits(10**6, 1), Limits(10**6, 1), Limits(5, 10_000), Limits(10**6, 1), Limits(10**6, 1))
        async with serving(site, "127.0.0.1", 0) as port:
            yield Server(site, f"http://127.0.0.1:{port}", database)


@pytest.fixture
async def http(server: Server) -> AsyncIterator[aiohttp.ClientSession]:
    """A browser: it keeps its cookies."""
    async with browser(server) as session:
        yield session


def browser(server: Server) -> aiohttp.ClientSession:
    """Another browser."""
    return aiohttp.ClientSession(server.base, cookie_jar=aiohttp.CookieJar(unsafe=True))


@pytest.fixture(autouse=True)
def patience(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that hears as many messages as a test can send; tests of the limits themselves leave them."""
    if "limited" not in request.fixturenames:
        monkeypatch.setattr(socket, "MESSAGES", (1_000_000, 1))
        monkeypatch.setattr(socket, "HELLOS", (1_000_000, 1))
        monkeypatch.setattr(lobby, "MESSAGES", (1_000_000, 1))
        monkeypatch.setattr(lobby, "HELLOS", (1_000_000, 1))


@pytest.fixture
def limited() -> None:
    """Leave the limits of messages as they are."""

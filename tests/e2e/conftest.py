"""A running server, and browsers of two sizes at it."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

import webclient
from tests.e2e.server import ServerProcess

PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
DESK = {"viewport": {"width": 1440, "height": 900}}

MEANT = ("WebSocket", "ERR_CONNECTION", "Failed to load resource")
"""What the console tells of connections and answers that a test itself has broken; the page tells its reader."""


@pytest.fixture(scope="session")
def client() -> None:
    """The client as its sources are now."""
    webclient.build()


@pytest.fixture(scope="session")
def server(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    process = ServerProcess(tmp_path_factory.mktemp("server"))
    process.start()
    yield process
    process.kill()


@pytest.fixture
def own_server(client: None, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server for one test alone, which may kill it; its bots leave time to look."""
    process = ServerProcess(tmp_path, pause=200)
    process.start()
    yield process
    process.kill()


def context(browser: Browser, server: ServerProcess, **options: Any) -> BrowserContext:
    """
    Open a browser of its own: own cookies, own memory, English, cards that land at once.
    """
    return browser.new_context(**{"base_url": server.url, "locale": "en-GB", "reduced_motion": "reduce", **options})


@pytest.fixture
def phone(browser: Browser, server: ServerProcess) -> Iterator[Page]:
    with watched(context(browser, server, **PHONE)) as page:
        yield page


@pytest.fixture
def desk(browser: Browser, server: ServerProcess) -> Iterator[Page]:
    with watched(context(browser, server, **DESK)) as page:
        yield page


class watched:
    """A page of a context; it must end without an error in its console."""

    def __init__(self, context: BrowserContext) -> None:
        self._context = context
        self._errors: list[str] = []

    def __enter__(self) -> Page:
        page = self._context.new_page()
        page.on("pageerror", lambda error: self._errors.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self._errors.append(message.text))
        return page

    def __exit__(self, *_: object) -> None:
        self._context.close()
        assert [] == [error for error in self._errors if not any(word in error for word in MEANT)]

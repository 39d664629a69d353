"""What the first load costs."""
from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from playwright.sync_api import Page

import kozyr
from tests.e2e.scripted import ScriptedTable, view

STATIC = Path(kozyr.__file__).with_name("static")
KIB = 1024
JAVASCRIPT_MAX = 60_000
FIRST_LOAD_MAX = 150 * KIB


@pytest.mark.parametrize("address", ["/", "/t/felt"])
def test_javascript_is_at_most_60_kb(desk: Page, address: str) -> None:
    """All JavaScript that home or a table loads, as gzip makes it; languages and what is opened there come when asked for."""
    loaded: list[str] = []
    desk.on("request", lambda request: loaded.append(request.url) if request.url.endswith(".js") else None)
    if address == "/":
        desk.goto(address)
        desk.locator(".presets").wait_for()
    else:
        ScriptedTable(desk, view())
    desk.wait_for_load_state("networkidle")
    sizes = {url: len(gzip.compress((STATIC / "assets" / url.rsplit("/", 1)[1]).read_bytes(), 9)) for url in loaded}
    assert len(sizes) > 1
    assert sum(sizes.values()) <= JAVASCRIPT_MAX, sizes


def bytes_over_the_wire(page: Page, language: str) -> int:
    """
    Load the home page with an empty cache and add up what came over the wire.
    """
    total = 0
    page.add_init_script(f"localStorage.setItem('kozyr', {json.dumps(json.dumps({'language': language}))})")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def add(event: dict[str, float]) -> None:
        nonlocal total
        total += int(event["encodedDataLength"])

    session.on("Network.loadingFinished", add)
    page.goto("/")
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready")
    return total


@pytest.mark.parametrize("language", ["az", "en", "it", "lt", "ru", "tr"])
def test_the_first_load_is_at_most_150_kib(desk: Page, language: str) -> None:
    """Page, script, styles, the language's sentences and the letters of its alphabet."""
    total = bytes_over_the_wire(desk, language)
    assert 60 * KIB < total <= FIRST_LOAD_MAX, f"{total / KIB:.1f} KiB"

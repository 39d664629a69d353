"""What the first load costs."""
from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

import kozyr

STATIC = Path(kozyr.__file__).with_name("static")
KIB = 1024
JAVASCRIPT_MAX = 60_000
FIRST_LOAD_MAX = 150 * KIB


def test_javascript_is_at_most_60_kb(client: None) -> None:
    """All JavaScript that home and the table load, as gzip makes it; languages and further pages come when asked for."""
    loaded = re.findall(r'(?:src|href)="/(assets/[^"]+\.js)"', (STATIC / "index.html").read_text(encoding="utf-8"))
    assert loaded
    assert sum(len(gzip.compress((STATIC / path).read_bytes(), 9)) for path in loaded) <= JAVASCRIPT_MAX


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

"""Pictures of the screens, for eyes: written to test-results/pictures, compared with nothing but common sense."""
from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import context, watched
from tests.e2e.scripted import ScriptedTable, view
from tests.e2e.server import ROOT, ServerProcess
from tests.e2e.test_access import SIX, prefer

PICTURES = ROOT / "test-results/pictures"
SCREENS = {"phone": (390, 844), "small": (320, 568), "side": (844, 390), "tablet": (820, 1180), "desk": (1440, 900)}
BOUT = [
    {"attack": "7h", "by": 1, "beat": "Jh"},
    {"attack": "7c", "by": 1, "beat": "Tc"},
    {"attack": "Td", "by": 2, "beat": "Qd"},
    {"attack": "Qc", "by": 2},
]
SCENE = {
    **SIX,
    "bout": BOUT,
    "discard": 8,
    "capacity": 1,
    "hand": ["8h", "9h", "6d", "Kc", "Ac", "9s", "Ks"],
    "legal": ["beat Qc Kc", "beat Qc Ac", "beat Qc 9s", "beat Qc Ks", "take"],
}


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("screen", SCREENS)
def test_pictures_of_the_table_and_the_home_page(browser: Browser, server: ServerProcess, screen: str, theme: str) -> None:
    """A scene of six seats and the home page on every screen in both themes; what must be seen is on the screen."""
    width, height = SCREENS[screen]
    with watched(context(browser, server, viewport={"width": width, "height": height})) as page:
        prefer(page, theme=theme)
        ScriptedTable(page, view(**SCENE), seats=6)
        page.wait_for_timeout(200)
        save(page.screenshot(animations="disabled", scale="css"), f"table-{screen}-{theme}")
        for selector in (".stock", ".discard", ".counter", "button.main", ".hand", ".seats .at:nth-child(5)"):
            box = page.locator(selector).bounding_box()
            assert box is not None and box["x"] > -30 and box["x"] + box["width"] < width + 30, selector
        page.goto("/")
        page.locator(".presets").wait_for()
        save(page.screenshot(animations="disabled", scale="css"), f"home-{screen}-{theme}")


def save(picture: bytes, name: str) -> Path:
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = PICTURES / f"{name}.png"
    path.write_bytes(picture)
    return path

"""
Draw the icons of the installed page from client/public/kozyr.svg: `python tools/icons.py`, with a browser for Playwright.

The drawings are committed; this is run again only when the picture changes.
"""
from __future__ import annotations

import os
import re
from pathlib import Path

from playwright.sync_api import sync_playwright

PUBLIC = Path(__file__).resolve().parent.parent / "client" / "public"
SIZES = {"icon-192.png": 192, "icon-512.png": 512, "maskable-512.png": 512, "apple-touch-icon.png": 180}
SAFE = 0.8
"""What no mask cuts off: the inner part of an icon that fills its square."""


def drawing(name: str, size: int) -> str:
    """Write the page to be photographed: the picture as it is, or in the safe part of a full square."""
    svg = (PUBLIC / "kozyr.svg").read_text(encoding="utf-8")
    if not name.startswith("icon"):
        colour = re.search(r'<rect[^>]*fill="(#\w+)"', svg)
        assert colour
        edge = 50 * (1 / SAFE - 1)
        svg = svg.replace('viewBox="0 0 100 100"', f'viewBox="{-edge} {-edge} {100 / SAFE} {100 / SAFE}" style="background:{colour[1]}"')
    return f"<style>body {{ margin: 0 }} svg {{ display: block; width: {size}px }}</style>{svg}"


def main() -> None:
    """Write every icon."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("KOZYR_CHROMIUM"))
        for name, size in SIZES.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(drawing(name, size))
            page.screenshot(path=str(PUBLIC / name), omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()

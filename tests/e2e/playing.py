"""Plays whole games by clicks, at one page or at several."""
from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from playwright.sync_api import Page

CLICK = """() => {
    const click = (selector) => { const found = document.querySelector(selector); found?.click(); return !!found }
    return click('.pair .hit') || click('.slot button') || click('.hand .live:not(.sent) button') || click('.bar button.main')
}"""
"""The first card that may be played, its first place, else the big button; in one evaluation, for the page goes on while a test looks."""


def step(page: Page) -> bool:
    """Make one click, if there is anything to do."""
    return bool(page.evaluate(CLICK))


def is_over(page: Page) -> bool:
    """Whether the page shows how the game ended."""
    return page.locator(".ending").count() > 0


def play_on(pages: Page | Sequence[Page], until_s: float, between: Callable[[int], None] | None = None) -> None:
    """
    Play by clicks until the game is over at all pages; *between* is called after each round with its number.

    Raises: AssertionError when it takes longer than *until_s* seconds.
    """
    all_pages = [pages] if isinstance(pages, Page) else list(pages)
    end, number = time.monotonic() + until_s, 0
    while not all(map(is_over, all_pages)):
        assert time.monotonic() < end, "the game did not end in time"
        for page in all_pages:
            step(page)
        all_pages[0].wait_for_timeout(30)
        number += 1
        if between is not None:
            between(number)


def sit_down(page: Page, link: str, name: str) -> None:
    """Follow an invitation and take a seat."""
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join", exact=True).click()

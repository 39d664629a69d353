"""The finder of words that cannot be read finds them, and nothing else."""
from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.e2e.overflow import overflowing

LONG = "nebeprisikiškiakopūsteliaujantiesiems"


@pytest.mark.parametrize(
    ("html", "words"),
    [
        (f'<div style="width: 80px; overflow: hidden; white-space: nowrap">{LONG}</div>', "is cut off by div"),
        (f'<div style="width: 80px; overflow: hidden; text-overflow: ellipsis"><b>{LONG}</b></div>', "is cut off by div"),
        (f'<button style="width: 80px">{LONG}</button>', "runs out of button"),
        (f'<p style="width: 80px">{LONG}</p>', "needs"),
        (f'<div style="height: 20px; overflow: hidden">{"word " * 200}</div>', "is cut off below or above by div"),
        ('<p style="position: absolute; left: -40px">off</p>', "leaves the screen in p"),
        (f'<p style="position: absolute; left: 300px; white-space: nowrap">{LONG} {LONG}</p>', "the page is"),
    ],
)
def test_what_cannot_be_read_is_found(page: Page, html: str, words: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    page.set_content(html)
    assert any(words in each for each in overflowing(page)), overflowing(page)


@pytest.mark.parametrize(
    "html",
    [
        f"<button>{LONG}</button>",
        '<p style="width: 80px">Words of the usual length wrap.</p>',
        f'<p style="width: 80px; overflow-wrap: anywhere">{LONG}</p>',
        f'<div style="width: 80px; overflow-x: auto"><pre>{LONG}</pre></div>',
        f'<span style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)">{LONG}</span>',
        f'<p style="display: none; width: 10px">{LONG}</p>',
        f'<select style="width: 80px"><option>{LONG}</option></select>',
        '<p>A line, and <a href="#">a link that goes on over the end of its line because it has so many words</a>.</p>',
    ],
)
def test_what_can_be_read_is_left_alone(page: Page, html: str) -> None:
    page.set_viewport_size({"width": 320, "height": 568})
    page.set_content(html)
    assert [] == overflowing(page)


def test_names_may_end_in_dots(page: Page) -> None:
    page.set_content(f'<div class="name" style="width: 80px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">{LONG}</div>')
    assert [] == overflowing(page, but=".name")

"""Two people and two bots at a free cheating table: a wrong challenge, a right one, and a game to its end (R14)."""
from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress

from playwright.sync_api import Browser, Page, TimeoutError, expect

from tests.e2e.conftest import DESK, PHONE, context, watched
from tests.e2e.playing import is_over, play_on, sit_down, step
from tests.e2e.server import ServerProcess

GAME_S = 150
GAMES = 5

THROW_IN = """async (lawful) => {
    const ranks = new Set([...document.querySelectorAll('.pair .card')].map((card) => card.dataset.card[0]))
    const card = [...document.querySelectorAll('.hand li.live:not(.sent)')].find((each) => ranks.has(each.dataset.card[0]) === lawful)
    if (!ranks.size || !card || document.querySelector('.bar button.take')) return null
    card.querySelector('button').click()
    await new Promise((done) => setTimeout(done, 30))
    document.querySelector('.felt-hit')?.click()
    return card.dataset.card
}"""
"""Throws in a card whose rank is in the bout, or is not, where the hand's owner does not defend; gives the card."""

FLAG = """async (card) => {
    const flag = document.querySelector(`.pair .card[data-card="${card}"]`)?.closest('.pair').querySelector('.flag.attack')
    if (!flag) return false
    flag.click()
    await new Promise((done) => setTimeout(done, 30))
    flag.click()
    return true
}"""
"""Raises the flag of an attack card and means it; says whether there was one."""


def challenge_until(challenger: Page, words: str, pages: list[Page], find: Callable[[], str | None]) -> bool:
    """
    Play on, and challenge what *find* gives, until the challenger is told so in *words*; says whether that was before the game was over.

    A bot may see a slip before the challenger does.
    """
    end = time.monotonic() + GAME_S
    told = challenger.locator(".verdict").filter(has_text=re.compile(words))
    while not told.count():
        assert time.monotonic() < end, f"no verdict said {words}"
        if any(map(is_over, pages)):
            return False
        card = find()
        if card is not None and challenger.evaluate(FLAG, card):
            challenger.wait_for_timeout(150)
        else:
            for page in pages:
                step(page)
            challenger.wait_for_timeout(30)
    return True


def test_a_right_and_a_wrong_challenge_at_a_free_cheating_table(browser: Browser, own_server: ServerProcess) -> None:
    """Two browsers, two bots: whoever slips a card and is challenged is caught, and whoever challenges a lawful card pays (R14.6-R14.8)."""
    with ExitStack() as stack:
        ada, ben = (stack.enter_context(watched(context(browser, own_server, **size))) for size in (DESK, PHONE))

        def thrown(lawful: bool) -> str | None:
            card: str | None = ada.evaluate(THROW_IN, lawful)
            if card is not None:
                with suppress(TimeoutError):
                    ben.locator(f'.pair .card[data-card="{card}"]').wait_for(timeout=1000)
            return card

        def both() -> bool:
            gather(ada, ben)
            for page in (ada, ben):
                expect(page.locator(".hand li")).to_have_count(6)
            if not challenge_until(ben, "You challenge the .*, played by Ada: rightly!", [ada, ben], lambda: thrown(False)):
                return False
            expect(ada.locator(".verdict")).to_contain_text("rightly!")
            return challenge_until(ben, "You challenge the .*, played by Ada: wrongly.", [ada, ben], lambda: thrown(True))

        assert any(both() for _ in range(GAMES)), f"not both verdicts in any of {GAMES} games"
        play_on([ada, ben], GAME_S)
        for page in (ada, ben):
            expect(page.locator(".ending h2")).to_be_visible()


def gather(ada: Page, ben: Page) -> None:
    """Ada opens a cheating table of four, seats two bots, and invites Ben."""
    opened = ada.request.post("/api/tables", data={"preset": "cheating", "bots": [None, None, None], "name": "Ada"})
    assert 201 == opened.status
    link = f"/t/{opened.json()['id']}"
    ada.goto(link)
    for seat in (3, 4):
        ada.get_by_label(f"Seat a bot at seat {seat}").select_option("easy")
    sit_down(ben, link, "Ben")
    ada.get_by_role("button", name="I am ready").click()

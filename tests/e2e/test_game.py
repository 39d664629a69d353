"""From the home page through a whole game, at the real server."""
from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import DESK, context, watched
from tests.e2e.playing import play_on
from tests.e2e.server import ServerProcess

GAME_S = 150


def choose(page: Page, group: str, value: str) -> None:
    page.get_by_role("group", name=group).get_by_role("radio", name=value, exact=True).check(force=True)


def test_play_now_deals_cards_at_once(phone: Page) -> None:
    """One button, no account: thirty-six cards against bots."""
    phone.goto("/")
    phone.get_by_role("button", name="Play now").tap()
    expect(phone.locator(".hand li")).to_have_count(6)
    expect(phone).to_have_url(re.compile("/t/"))


def test_a_whole_six_seat_transfer_game(desk: Page) -> None:
    """Six seats, transfer: played to its durak by clicks, then once more with the same seats."""
    desk.goto("/")
    choose(desk, "Players", "6")
    expect(desk.get_by_role("switch", name="Transfer", exact=True)).to_be_checked()
    desk.get_by_role("button", name="Play now").click()
    expect(desk.locator(".seats .seat")).to_have_count(5)
    play_on(desk, GAME_S)
    result = desk.locator(".ending h2")
    expect(result).to_be_focused()
    text = result.inner_text()
    assert text.endswith("durak") or text.startswith("A draw")
    assert 6 == desk.locator(".ending li").count()
    desk.get_by_text("The shuffle, laid open").click()
    expect(desk.locator(".ending")).to_contain_text("Checked on this device")
    desk.get_by_role("button", name="Play again").click()
    expect(desk.locator(".ending")).to_have_count(0)
    expect(desk.locator(".hand li")).not_to_have_count(0)


def test_a_duel_on_a_cheating_table(phone: Page) -> None:
    """Two seats, twenty-four cards, cheating allowed: the game ends there as well (R14)."""
    phone.goto("/")
    choose(phone, "Players", "2")
    choose(phone, "Cards in the deck", "24")
    phone.get_by_role("switch", name="Cheating table").check(force=True)
    phone.get_by_role("button", name="Play now").tap()
    expect(phone.locator(".hand li")).to_have_count(6)
    play_on(phone, GAME_S)


def test_resigning_asks_first_and_ends_a_duel(desk: Page) -> None:
    """Who resigns with two seats is the durak at once (R16.3)."""
    desk.goto("/")
    choose(desk, "Players", "2")
    desk.get_by_role("button", name="Play now").click()
    desk.locator(".hand li").first.wait_for()
    desk.get_by_role("button", name="Menu").click()
    desk.get_by_role("button", name="Resign").click()
    expect(desk.get_by_text("Give up?")).to_be_visible()
    desk.get_by_role("button", name="Resign").click()
    expect(desk.locator(".ending h2")).to_have_text("You are the durak")


def test_after_resigning_at_a_big_table_the_seat_can_be_taken_back(browser: Browser, own_server: ServerProcess) -> None:
    """The easy bot plays a seat on until its player takes it back (R16.3)."""
    with watched(context(browser, own_server, **DESK)) as desk:
        desk.goto("/")
        choose(desk, "Players", "3")
        desk.get_by_role("button", name="Play now").click()
        desk.locator(".hand li").first.wait_for()
        desk.get_by_role("button", name="Menu").click()
        desk.get_by_role("button", name="Resign").click()
        desk.get_by_role("button", name="Resign").click()
        back = desk.get_by_role("button", name="Play myself")
        back.click()
        expect(back).to_have_count(0)
        expect(desk.get_by_role("log")).to_contain_text("You: back in the game.")

"""Coming back: the same seat, the same cards, nothing lost, nothing doubled."""
from __future__ import annotations

import json
from contextlib import suppress

from playwright.sync_api import Browser, Page, TimeoutError, WebSocketRoute, expect

from tests.e2e.conftest import DESK, context, watched
from tests.e2e.server import ServerProcess


def cards(page: Page) -> list[str]:
    return page.locator(".hand li").evaluate_all("cards => cards.map((card) => card.dataset.card)")


def my_turn(page: Page) -> None:
    """
    Wait until a card can be played; where the button is all that there is, such as for a defender who can only take, press it.
    """
    for _ in range(40):
        page.locator(".hand .live, button.main").first.wait_for(timeout=20_000)
        if page.locator(".hand .live").count():
            return
        with suppress(TimeoutError):  # the table has moved on, and the button with it
            page.locator("button.main").first.click(timeout=1000)
    raise AssertionError("no card could be played for forty turns")


def play_a_card(page: Page) -> str | None:
    """
    Play the first card that can be played, to its first place; one that could be played together with others is sent by the button.
    """
    card = page.locator(".hand .live").first
    name = card.get_attribute("data-card")
    card.locator("button").click(force=True)
    # Places show up a moment after the card was chosen; one that has but one use is played at once.
    for _ in range(100):
        for place in (".hit, .slot button", "button.main.play"):
            if page.locator(place).count():
                page.locator(place).first.click(force=True)
                return name
        if name not in cards(page):
            return name
        page.wait_for_timeout(50)
    return name


def is_played(page: Page, name: str | None) -> bool:
    """Wait until a card has left the hand: how many there are says nothing once cards were drawn."""
    for _ in range(400):
        if name not in cards(page):
            return True
        page.wait_for_timeout(50)
    return False


def plays_on(page: Page) -> bool:
    """Whether a card can be played to the table; another player may have been faster with the last that was allowed."""
    for _ in range(3):
        my_turn(page)
        if is_played(page, play_a_card(page)):
            return True
    return False


def sit(page: Page) -> list[str]:
    """
    Sit down at a table of four and wait until it is one's turn; the cards in hand then.
    """
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    my_turn(page)
    return cards(page)


def test_a_page_loaded_anew_has_the_same_seat_and_cards(desk: Page) -> None:
    hand = sit(desk)
    desk.reload()
    desk.locator(".hand .live").first.wait_for()
    assert hand == cards(desk)


def test_the_home_page_offers_the_running_game(desk: Page) -> None:
    hand = sit(desk)
    desk.get_by_role("link", name="Home").click()
    desk.get_by_role("link", name="Go on with your game").click()
    desk.locator(".hand .live").first.wait_for()
    assert hand == cards(desk)


class Line:
    """The page's socket to the real server, with scissors."""

    def __init__(self, page: Page) -> None:
        self.swallow = False
        self.plays: list[str] = []
        self._page: WebSocketRoute | None = None
        page.route_web_socket("**/ws/**", self._connect)

    def _connect(self, page: WebSocketRoute) -> None:
        self._page = page
        server = page.connect_to_server()

        def up(text: str | bytes) -> None:
            message = json.loads(text)
            if message["t"] == "play":
                self.plays.append(message["id"])
                if self.swallow:
                    return
            server.send(text)

        page.on_message(up)
        server.on_message(page.send)

    def cut(self) -> None:
        assert self._page is not None
        self._page.close(code=4000)


def test_a_cut_socket_comes_back_with_nothing_lost(desk: Page) -> None:
    line = Line(desk)
    hand = sit(desk)
    line.cut()
    expect(desk.get_by_text("Connection lost.")).to_be_visible()
    expect(desk.get_by_text("Connection lost.")).to_have_count(0)
    assert hand == cards(desk)


def test_a_move_lost_on_the_way_is_sent_again_and_counts_once(desk: Page) -> None:
    line = Line(desk)
    sit(desk)
    line.plays.clear()
    line.swallow = True
    card = play_a_card(desk)
    desk.wait_for_timeout(100)
    line.swallow = False
    line.cut()
    assert is_played(desk, card)
    assert 1 == len(set(line.plays))
    assert 2 == len(line.plays)


def test_a_second_window_takes_the_seat_over(browser: Browser, server: ServerProcess) -> None:
    both = context(browser, server, **DESK)
    with watched(both) as first:
        hand = sit(first)
        second = both.new_page()
        second.goto(first.url)
        second.locator(".hand li").first.wait_for()
        expect(first.get_by_text("You are playing this seat in another window now.")).to_be_visible()
        assert hand == cards(second)


def test_a_killed_server_goes_on_at_the_same_card(browser: Browser, own_server: ServerProcess) -> None:
    with watched(context(browser, own_server, **DESK)) as page:
        hand = sit(page)
        own_server.kill()
        expect(page.get_by_text("Connection lost.")).to_be_visible()
        own_server.start()
        expect(page.get_by_text("Connection lost.")).to_have_count(0, timeout=20_000)
        assert hand == cards(page)
        assert plays_on(page)

"""Two browsers at one table, and a third that watches: who is here, what is said, what comes after a game."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import DESK, PHONE, context, watched
from tests.e2e.playing import sit_down
from tests.e2e.server import ServerProcess

DUEL = {"preset": "custom", "options": {"deck": 24, "seats": 2, "turn_s": 60}, "bots": [None], "name": "Ada"}


class People(NamedTuple):
    """Ada, who has opened the table, and Emin, who has followed her invitation; their game has begun."""

    ada: Page
    emin: Page
    watcher: Page


@pytest.fixture
def people(browser: Browser, server: ServerProcess) -> Iterator[People]:
    with ExitStack() as stack:
        ada = stack.enter_context(watched(context(browser, server, **DESK)))
        emin = stack.enter_context(watched(context(browser, server, **PHONE)))
        watcher = stack.enter_context(watched(context(browser, server, **DESK)))
        opened = ada.context.request.post("/api/tables", data=DUEL).json()
        ada.goto(f"/t/{opened['id']}")
        ada.get_by_role("button", name="I am ready").click()
        sit_down(emin, f"/t/{opened['id']}", "Emin")
        for page in (ada, emin):
            expect(page.locator(".hand li")).to_have_count(6)
        yield People(ada, emin, watcher)


def resign(page: Page) -> None:
    """
    Give up, which ends a game of two at once.
    """
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign").click()


def say(page: Page, phrase: str) -> None:
    page.get_by_role("button", name="Say something").click()
    page.get_by_role("button", name=phrase).click()


def test_who_has_gone_is_away_until_they_are_back(people: People) -> None:
    """A seat tells since when nobody is there, and nothing more happens to it (R16.2)."""
    seat = people.ada.locator(".seats .seat")
    address = people.emin.url
    people.emin.goto("about:blank")
    expect(seat).to_contain_text("away 0:01")
    expect(seat).to_contain_text("away 0:02")
    people.emin.goto(address)
    expect(people.emin.locator(".hand li")).to_have_count(6)
    expect(seat).not_to_contain_text("away")


def test_a_seat_is_taken_over_and_taken_back(people: People) -> None:
    """The first window says where the seat is played now, and one tap brings it back."""
    second = people.ada.context.new_page()
    second.goto(people.ada.url)
    expect(second.locator(".hand li")).to_have_count(6)
    expect(people.ada.get_by_role("heading", name="You are playing this seat in another window now.")).to_be_visible()
    expect(people.ada.locator(".hand")).to_have_count(0)
    people.ada.get_by_role("button", name="Play here").click()
    expect(people.ada.locator(".hand li")).to_have_count(6)
    expect(second.get_by_role("button", name="Play here")).to_be_visible()
    assert "away" not in people.emin.locator(".seats .seat").inner_text()


def test_another_picture_is_seen_at_once(people: People) -> None:
    """Whoever sits at the table or watches it sees the new one; the game goes on."""
    people.watcher.goto(people.ada.url)
    expect(people.watcher.locator(".watching")).to_be_visible()
    seat = "[...document.querySelectorAll('.table .seat')].find((seat) => seat.innerText.includes('Ada'))"
    shown = f"() => {seat}.querySelector('svg').innerHTML"
    before = [page.evaluate(shown) for page in (people.emin, people.watcher)]
    assert people.ada.context.request.patch("/api/me", data={"avatar": 7}).ok
    for page, picture in zip((people.emin, people.watcher), before, strict=True):
        page.wait_for_function(f"(before) => ({shown})() !== before", arg=picture)
    expect(people.ada.locator(".hand li")).to_have_count(6)


def test_a_spectator_sees_no_hands_and_stays_through_a_rematch(people: People) -> None:
    """Who watches sees what is public, and the next game of the same seats as well (R13.2)."""
    people.watcher.goto(people.ada.url)
    watching = people.watcher.locator(".watching")
    expect(watching).to_contain_text("You are watching")
    expect(people.watcher.locator(".hand")).to_have_count(0)
    expect(people.watcher.get_by_role("button", name="Say something")).to_have_count(0)
    resign(people.ada)
    expect(people.watcher.locator(".ending h2")).to_have_text("Ada is the durak")
    expect(people.watcher.get_by_role("button", name="Play again")).to_have_count(0)
    people.ada.get_by_role("button", name="Play again").click()
    expect(people.ada.locator(".ending")).to_contain_text("Waiting for Emin")
    expect(people.emin.locator(".ending .asked")).to_have_count(1)
    people.emin.get_by_role("button", name="Play again").click()
    for page in people:
        expect(page.locator(".ending")).to_have_count(0)
    expect(people.ada.locator(".hand li")).to_have_count(6)
    expect(watching).to_be_visible()


def test_a_freed_seat_leads_to_another_player(people: People) -> None:
    """Who stays after a game is told that a seat is free, and finds the invitation; the game's end still names who played it."""
    resign(people.emin)
    expect(people.ada.locator(".ending h2")).to_have_text("Emin is the durak")
    people.emin.get_by_role("button", name="Leave the table").click()
    expect(people.emin).not_to_have_url(people.ada.url)
    expect(people.ada.locator(".ending h2")).to_have_text("Emin is the durak")
    people.ada.get_by_role("button", name="Find a player").click()
    expect(people.ada.get_by_role("heading", name="Waiting for 1 more player")).to_be_visible()
    sit_down(people.watcher, people.ada.url, "Rokas")
    expect(people.ada.locator(".ending .asked")).to_have_count(1)
    people.ada.get_by_role("button", name="Play again").click()
    expect(people.watcher.locator(".hand li")).to_have_count(6)


def test_phrases_are_heard_in_each_reader_s_language_and_can_be_muted(people: People) -> None:
    """What one says in English another reads in Lithuanian; whom one has muted says nothing."""
    people.emin.get_by_label("Language").select_option("lt")
    say(people.ada, "Well played!")
    heard = people.emin.locator(".seats .bubble")
    expect(heard).to_have_text("Puikiai sužaista!")
    expect(people.emin.get_by_role("log")).to_contain_text("Ada: Puikiai sužaista!")
    expect(people.ada.locator(".me .bubble")).to_have_text("Well played!")
    people.emin.get_by_label("Kalba").select_option("en")
    people.emin.get_by_role("button", name="About Ada").click()
    people.emin.get_by_label("Mute").check()
    people.emin.keyboard.press("Escape")
    expect(heard).to_have_count(0)
    say(people.ada, "laughs")
    expect(people.ada.locator(".me .bubble.drawn")).to_be_visible()
    expect(heard).to_have_count(0)
    assert "laughs" not in people.emin.get_by_role("log").inner_text()


def test_who_is_blocked_is_heard_no_more(people: People) -> None:
    """A block is kept by the server: what the blocked player says does not come."""
    people.ada.get_by_role("button", name="About Emin").click()
    sheet = people.ada.get_by_role("dialog", name="Emin")
    sheet.get_by_role("button", name="Block", exact=True).click()
    expect(sheet.get_by_role("button", name="Unblock")).to_be_visible()
    people.ada.keyboard.press("Escape")
    say(people.emin, "Hurry up!")
    expect(people.emin.locator(".me .bubble")).to_have_text("Hurry up!")
    people.ada.wait_for_timeout(200)
    assert "Hurry up!" not in people.ada.get_by_role("log").inner_text()


def test_a_series_counts_losses_apart(desk: Page) -> None:
    """Two games given up are two losses and no win; the chip counts the games (R12.1)."""
    options = {"deck": 24, "seats": 2, "series": True, "series_games": 2, "turn_s": 0}
    opened = desk.context.request.post("/api/tables", data={"preset": "custom", "options": options, "name": "Ada"}).json()
    desk.goto(f"/t/{opened['id']}")
    for number in (1, 2):
        expect(desk.get_by_role("button", name=f"Game {number} of 2")).to_be_visible()
        resign(desk)
        rows = desk.locator(".ending .series tbody tr")
        expect(rows.nth(1)).to_have_text(f"You 0 {number}", use_inner_text=True)
        if number == 1:
            desk.get_by_role("button", name="Play again").click()
            expect(desk.locator(".ending")).to_have_count(0)
    expect(desk.locator(".ending .series")).to_contain_text("The series is over.")

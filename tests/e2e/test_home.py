"""The home page: what can be chosen, what cannot, and what is remembered."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect


def test_what_cannot_be_dealt_is_greyed_with_its_reason(desk: Page) -> None:
    """Twenty-four cards are enough for four (R1.2)."""
    desk.goto("/")
    desk.get_by_role("group", name="Cards in the deck").get_by_role("radio", name="24").check(force=True)
    seats = desk.get_by_role("group", name="Players")
    expect(seats.get_by_role("radio", name="5")).to_be_disabled()
    expect(seats.get_by_role("radio", name="4")).to_be_enabled()
    expect(desk.get_by_text("24 cards are enough for at most 4 players.")).to_be_visible()


def test_six_players_grey_the_small_deck(desk: Page) -> None:
    """Six hands need thirty-six cards (R1.2)."""
    desk.goto("/")
    desk.get_by_role("group", name="Players").get_by_role("radio", name="6").check(force=True)
    expect(desk.get_by_role("group", name="Cards in the deck").get_by_role("radio", name="24")).to_be_disabled()


def test_choices_name_and_language_are_remembered(desk: Page) -> None:
    """A guest keeps everything in this browser."""
    desk.goto("/")
    desk.get_by_role("group", name="Cards in the deck").get_by_role("radio", name="52").check(force=True)
    desk.get_by_role("switch", name="Draws").uncheck(force=True)
    desk.get_by_label("Your name").fill("Ada")
    desk.get_by_label("Language").select_option("az")
    expect(desk.get_by_role("button", name="İndi oyna")).to_be_visible()
    desk.reload()
    expect(desk.locator("html")).to_have_attribute("lang", "az")
    expect(desk.get_by_role("radio", name="52")).to_be_checked()
    expect(desk.get_by_role("switch", name="Heç-heçə")).not_to_be_checked()
    expect(desk.get_by_label("Adınız")).to_have_value("Ada")


def test_a_rule_set_fills_in_its_values(desk: Page) -> None:
    """The duel has twenty-four cards and two seats."""
    desk.goto("/")
    desk.get_by_role("button", name="Duel").click()
    expect(desk.get_by_role("radio", name="24")).to_be_checked()
    expect(desk.get_by_role("group", name="Players").get_by_role("radio", name="2")).to_be_checked()
    expect(desk.get_by_role("button", name="Play now")).to_contain_text("24 cards")


def test_the_bots_play_as_well_as_chosen(desk: Page) -> None:
    """Whoever plays at once chooses how well the bots play; it is said on the button, and remembered."""
    desk.goto("/")
    desk.get_by_role("group", name="Level of the bots").get_by_role("radio", name="hard").check(force=True)
    desk.reload()
    play = desk.get_by_role("button", name="Play now")
    expect(play).to_contain_text("hard")
    play.click()
    desk.locator(".hand li").first.wait_for()
    players = desk.request.get(f"/api/tables/{desk.url.rsplit('/', 1)[1]}").json()["players"]
    assert ["hard"] * 3 == [player["level"] for player in players[1:]]


def test_options_that_need_another_appear_with_it(desk: Page) -> None:
    """The penalty is asked for at cheating tables only (R14.7)."""
    desk.goto("/")
    expect(desk.get_by_role("group", name="Caught cheating")).to_have_count(0)
    desk.get_by_role("switch", name="Cheating table").check(force=True)
    expect(desk.get_by_role("group", name="Caught cheating")).to_be_visible()


def test_a_name_that_the_server_does_not_like_is_explained(desk: Page) -> None:
    """A refusal is told in words, and nothing is lost."""
    desk.route("**/api/tables", lambda route: route.fulfill(status=400, json={"code": "bad_name", "about": "name"}))
    desk.goto("/")
    desk.get_by_role("button", name="Play now").click()
    expect(desk.get_by_role("alert")).to_have_text("Please choose another name: 1 to 24 letters or digits, one alphabet in a word.")


@pytest.mark.parametrize("table", ["nosuchtable", "mistyped-1"])
def test_a_table_that_does_not_exist_says_so(desk: Page, table: str) -> None:
    """An old link, or one that is written wrongly, leads to a sentence and a way home."""
    desk.goto(f"/t/{table}")
    expect(desk.get_by_role("heading")).to_have_text("There is no such table. It may have been closed.")
    desk.get_by_role("link", name="Home").last.click()
    expect(desk.get_by_role("button", name="Play now")).to_be_visible()


@pytest.mark.parametrize("address", ["/nonsense", "/p/nobody", "/rules/nosuchtable"])
def test_from_an_address_with_nothing_there_is_a_way_home(desk: Page, address: str) -> None:
    """Nobody is left with an error alone, nor shown another page as if it were the one asked for."""
    desk.goto(address)
    expect(desk.get_by_role("button", name="Play now")).to_have_count(0)
    expect(desk.get_by_text(re.compile("There is no"))).to_be_visible()
    desk.get_by_role("main").get_by_role("link", name="Home").click()
    expect(desk.get_by_role("button", name="Play now")).to_be_visible()


def test_where_there_is_no_such_game_nothing_is_offered_to_check(desk: Page) -> None:
    """A file that is not there is not to be downloaded."""
    desk.goto("/verify/nosuchtable/1")
    expect(desk.get_by_role("alert")).to_have_text("There is no such table. It may have been closed.")
    expect(desk.get_by_role("link", name="Download the game’s file")).to_have_count(0)

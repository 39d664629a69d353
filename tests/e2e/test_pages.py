"""The pages to read: rules, the shuffle verified, coins, profile and account; the installed page."""
from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import DESK, context, watched
from tests.e2e.overflow import unreadable
from tests.e2e.playing import play_on, sit_down
from tests.e2e.server import ServerProcess
from tests.e2e.test_access import check, prefer
from tests.e2e.test_people import resign

GAME_S = 120
CLOSED = "details:not([open]) > :not(summary)"
PASSWORD = "kelias per mišką"


def opened(page: Page, **table: Any) -> str:
    """Open a table; its id."""
    answer = page.request.post("/api/tables", data=table)
    assert answer.ok, answer.text()
    return str(answer.json()["id"])


def wait_for_words(page: Page, heading: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)


# the rulebook

TABLES: list[tuple[dict[str, Any], list[str], list[str], list[str], list[str]]] = [
    (
        {"preset": "throw_in", "options": {"seats": 4}, "bots": ["easy"] * 3},
        ["Everybody but the defender", "At most six attack cards", "no coins are played for"],
        ["transfer", "challenge", "series", "two players", "At most five"],
        ["Müdafiə olunandan başqa hamı", "əvvəldən ən çoxu altı", "pulsuz masadır"],
        ["ötürülür", "etiraz", "seriya"],
    ),
    (
        {"preset": "custom", "options": {"seats": 3, "transfer": True, "cheat": True, "penalty": "rollback", "stake": 100,
                                         "throw_scope": "neighbours", "show_transfer": True, "draw_order": "joined"}},
        ["passes to the next player", "may be shown instead", "two neighbours", "go back to the hands", "100 coins", "joined the attack"],
        ["Everybody but the defender", "must take;", "no coins are played for", "clockwise"],
        ["soldakı növbəti oyunçuya ötürülür", "iki qonşusu", "əllərə qayıdır", "100 coin"],
        ["pulsuz masadır"],
    ),
    (
        {"preset": "custom", "options": {"deck": 24, "seats": 4, "draws": False, "throw_on_take": False, "throw_priority": "attacker_first",
                                         "turn_s": 15}},
        ["The whole deck is dealt", "There are no draws", "ends the bout at once", "The attacker goes first", "15 seconds"],
        ["half under the stock", "Drawing cards", "there is no order", "is a draw, without"],
        ["Bütün dəst paylanır", "Heç-heçə yoxdur", "15 saniyə"],
        ["Kart çəkmək", "Növbə yoxdur"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("table", "there", "absent", "there_az", "absent_az"), TABLES, ids=["throw-in", "cheating", "no stock"])
def test_the_rulebook_says_what_applies_at_the_table_and_nothing_else(
    desk: Page, table: dict[str, Any], there: list[str], absent: list[str], there_az: list[str], absent_az: list[str]
) -> None:
    """The rules of a table are those of its options, in the reader's language (R1.3)."""
    desk.goto(f"/rules/{opened(desk, **table)}")
    wait_for_words(desk, "The rules of this table")
    book = desk.locator(".book")
    for words in there:
        expect(book).to_contain_text(words)
    for words in absent:
        expect(book).not_to_contain_text(words)
    desk.get_by_label("Language").select_option("az")
    wait_for_words(desk, "Bu masanın qaydaları")
    for words in there_az:
        expect(book).to_contain_text(words)
    for words in absent_az:
        expect(book).not_to_contain_text(words)


def test_rule_sets_change_the_page_and_what_is_unusual_is_marked(phone: Page) -> None:
    """One tap, and the rules are those of the other set; what differs from the usual ones is marked."""
    phone.goto("/rules?seats=4&draws=false")
    expect(phone.locator("li.unusual")).to_have_count(1)
    expect(phone.locator("li.unusual")).to_contain_text("There are no draws")
    phone.get_by_role("button", name="Duel").tap()
    expect(phone.locator(".book")).to_contain_text("The deck has 24 cards")
    expect(phone.get_by_role("button", name="Duel")).to_have_attribute("aria-pressed", "true")
    expect(phone).to_have_url(re.compile(r"/rules\?deck=24"))
    phone.get_by_role("navigation").get_by_role("link", name="Transferring").tap()
    expect(phone.get_by_role("heading", name="Transferring")).to_be_in_viewport()
    assert phone.get_by_role("img", name="ten of hearts, not beaten yet").count()
    phone.get_by_role("link", name="Play by these rules").tap()
    expect(phone.get_by_role("radio", name="24", exact=True)).to_be_checked()


def test_pages_have_titles_and_going_back_finds_the_place(desk: Page) -> None:
    """A screen reader lands on the heading of the page; back leads to where one was."""
    desk.goto("/rules?seats=4&transfer=true")
    wait_for_words(desk, "The rules")
    expect(desk).to_have_title("The rules · Kozyr")
    link = desk.get_by_role("link", name="Play by these rules")
    link.scroll_into_view_if_needed()
    desk.wait_for_timeout(300)
    at = desk.evaluate("scrollY")
    assert at > 500
    link.click()
    expect(desk.locator("h1")).to_be_focused()
    desk.go_back()
    wait_for_words(desk, "The rules")
    desk.wait_for_function("at => Math.abs(scrollY - at) < 3", arg=at)


# the shuffle


def test_a_real_game_is_verified_and_a_tampered_file_is_found(desk: Page, tmp_path: Path) -> None:
    """The browser works the deck out again; a file with two cards exchanged fails there and nowhere else (R2.6)."""
    table = opened(desk, preset="heads_up_24", options={"turn_s": 0}, bots=["easy"], name="Ada")
    desk.goto(f"/t/{table}")
    play_on(desk, GAME_S)
    desk.goto(f"/verify/{table}/1")
    expect(desk.get_by_role("status")).to_contain_text("Everything fits")
    expect(desk.locator("[data-check='own']")).to_contain_text("is in the shuffle unchanged")
    expect(desk.locator("[data-check='seen']")).to_contain_text("that this browser saw before the deal")
    expect(desk.locator("li .sr").filter(has_text="wrong")).to_have_count(0)
    expect(desk.get_by_role("heading", name="Ada", exact=True)).to_be_visible()
    check(desk)
    text = desk.request.get(f"/api/tables/{table}/games/1").text()
    file = tmp_path / "tampered.txt"
    file.write_text(re.sub(r'(\[Pack ")(\S\S) (\S\S)', r"\1\3 \2", text), encoding="utf-8")
    desk.get_by_label("Game file").set_input_files(file)
    expect(desk.get_by_role("status")).to_contain_text("Something does not fit")
    expect(desk.locator("li.bad")).to_have_count(1)
    expect(desk.locator("li.bad")).to_contain_text("it is another deck")
    file.write_text("a letter", encoding="utf-8")
    desk.get_by_label("Game file").set_input_files(file)
    expect(desk.get_by_role("alert")).to_have_text("This is not the file of a finished game.")


def test_a_game_that_is_not_there_is_told_in_words(phone: Page) -> None:
    phone.goto("/verify/nosuchtable/1")
    expect(phone.get_by_role("alert")).to_contain_text("no such table")


# coins, profile, account


def staked_game(browser: Browser, server: ServerProcess, stack: ExitStack) -> tuple[Page, Page, str]:
    """
    Let two people play a game for 50 coins that the second one gives up; their pages, and the table.
    """
    winner, loser = (stack.enter_context(watched(context(browser, server, **DESK))) for _ in range(2))
    table = opened(winner, preset="custom", options={"seats": 2, "stake": 50}, name="Winner")
    winner.goto(f"/t/{table}")
    sit_down(loser, f"/t/{table}", "Loser")
    for page in (winner, loser):
        page.get_by_role("button", name="I am ready").click()
    expect(loser.locator(".hand li")).to_have_count(6)
    resign(loser)
    for page in (winner, loser):
        expect(page.locator(".ending")).to_be_visible()
    return winner, loser, table


def test_every_coin_is_shown_with_its_reason_and_game(browser: Browser, own_server: ServerProcess, phone: Page) -> None:
    """The last balance is what one has; each line names its game (R15)."""
    phone.goto("/coins")
    expect(phone.get_by_text("You have no coins yet.")).to_be_visible()
    expect(phone.get_by_text("Nothing has been booked yet.")).to_be_visible()
    with ExitStack() as stack:
        winner, loser, table = staked_game(browser, own_server, stack)
        winner.goto("/coins")
        expect(winner.get_by_text("You have 1050 coins")).to_be_visible()
        rows = winner.locator("tbody tr")
        expect(rows).to_have_count(3)
        for row, words in enumerate(("Share of the pot", "Stake", "Your first coins")):
            expect(rows.nth(row)).to_contain_text(words)
        assert ["+100", "1050"] == rows.nth(0).locator(".number").all_inner_texts()
        expect(rows.nth(0).get_by_role("link", name="Game 1")).to_have_attribute("href", f"/verify/{table}/1")
        check(winner)
        loser.goto("/coins")
        expect(loser.get_by_text("You have 950 coins")).to_be_visible()


def test_a_guest_becomes_an_account_and_finds_everything_in_another_browser(browser: Browser, own_server: ServerProcess) -> None:
    """Name, figure, coins and seat come along; a wrong password is told in words."""
    with ExitStack() as stack:
        page, _, table = staked_game(browser, own_server, stack)
        page.goto("/me")
        page.get_by_role("textbox", name="Name", exact=True).first.fill("Rūta")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Saved")).to_be_visible()
        page.get_by_role("radio", name="Picture 15").check(force=True)
        page.get_by_label("Password", exact=True).first.fill("12345678")
        page.get_by_role("button", name="Add a password").click()
        expect(page.get_by_role("alert")).to_have_text("Everybody guesses that password at once. Please choose another one.")
        page.get_by_label("Password", exact=True).first.fill(PASSWORD)
        page.get_by_role("button", name="Add a password").click()
        expect(page.get_by_text("You log in with the name Rūta.")).to_be_visible()
        expect(page.get_by_text("place 1")).to_be_visible()
        other = stack.enter_context(watched(context(browser, own_server, **DESK)))
        other.goto("/me")
        other.get_by_role("textbox", name="Name", exact=True).last.fill("Rūta")
        other.get_by_label("Password", exact=True).last.fill("wrong password")
        other.get_by_role("button", name="Log in", exact=True).click()
        expect(other.get_by_role("alert")).to_contain_text("Check the name and the password")
        other.get_by_label("Password", exact=True).last.fill(PASSWORD)
        other.get_by_role("button", name="Log in", exact=True).click()
        expect(other.get_by_text("You are logged in.")).to_be_visible()
        expect(other.get_by_role("radio", name="Picture 15")).to_be_checked()
        expect(other.get_by_role("link", name="You have 1050 coins")).to_be_visible()
        assert 0 == other.request.get(f"/api/tables/{table}").json()["seat"]
        check(other)
        other.get_by_role("button", name="Log out everywhere").click()
        expect(other.get_by_text("Choose a name first.")).to_be_visible()
        page.reload()
        expect(page.get_by_text("Choose a name first.")).to_be_visible()


def test_names_that_are_not_taken_are_explained(phone: Page) -> None:
    """A name is refused for a reason, and the reason is told."""
    phone.goto("/me")
    name = phone.get_by_role("textbox", name="Name", exact=True).first
    for text, words in (("Адmin", "mixes two alphabets"), ("<b>", "characters that a name cannot have")):
        name.fill(text)
        phone.get_by_role("button", name="Save").tap()
        expect(phone.get_by_role("alert")).to_contain_text(words)


def test_a_passkey_lets_in_without_a_password(browser: Browser, server: ServerProcess) -> None:
    """Made with the device's own key, used from a browser that has forgotten its guest."""
    with watched(context(browser, server, **{**DESK, "base_url": server.url.replace("127.0.0.1", "localhost")})) as page:
        devices = page.context.new_cdp_session(page)
        devices.send("WebAuthn.enable")
        key = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
        devices.send("WebAuthn.addVirtualAuthenticator", {"options": {**key, "automaticPresenceSimulation": True}})
        page.goto("/me")
        page.get_by_role("textbox", name="Name", exact=True).first.fill("Zeynəb")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("button", name="Add a passkey").click()
        expect(page.get_by_text("You log in with the name Zeynəb.")).to_be_visible()
        expect(page.get_by_text("added ")).to_be_visible()
        page.get_by_role("button", name="Remove").click()
        expect(page.get_by_role("alert")).to_contain_text("only way into your account")
        page.context.clear_cookies()
        page.reload()
        page.get_by_role("button", name="With a passkey").click()
        expect(page.get_by_text("You log in with the name Zeynəb.")).to_be_visible()


def test_where_passkeys_cannot_work_the_page_says_why(phone: Page) -> None:
    """A bare address has no passkeys; a password works everywhere."""
    phone.goto("/me")
    phone.get_by_role("textbox", name="Name", exact=True).first.fill("Ugnė")
    phone.get_by_role("button", name="Save").tap()
    phone.get_by_role("button", name="Add a passkey").tap()
    expect(phone.get_by_role("alert")).to_contain_text("A password does")


def test_another_player_is_shown_and_can_be_blocked(browser: Browser, own_server: ServerProcess) -> None:
    """What everybody may know: name, figure, games by kind of table; blocking is undone on one's own page."""
    with ExitStack() as stack:
        winner, _, table = staked_game(browser, own_server, stack)
        players = winner.request.get(f"/api/tables/{table}").json()["players"]
        winner.goto(f"/p/{players[1]['id']}")
        wait_for_words(winner, "Loser")
        expect(winner.locator("tbody", has_text="for coins").locator("td").first).to_have_text("1")
        winner.get_by_role("button", name="Block").click()
        expect(winner.get_by_role("button", name="Unblock")).to_be_visible()
        check(winner)
        winner.goto("/me")
        winner.get_by_role("button", name="Unblock").click()
        expect(winner.get_by_text("You have blocked nobody.")).to_be_visible()


# for every reader


@pytest.fixture(params=["dark", "light"])
def themed(request: pytest.FixtureRequest, phone: Page) -> Iterator[Page]:
    prefer(phone, theme=request.param)
    yield phone


def test_axe_finds_nothing_on_the_pages(themed: Page) -> None:
    for address, heading in (
        ("/rules?seats=3&transfer=true&cheat=true&stake=100&draws=false", "The rules"),
        ("/verify", "Verify the shuffle"),
        ("/coins", "Coins"),
        ("/me", "Profile"),
    ):
        themed.goto(address)
        wait_for_words(themed, heading)
        check(themed)


def test_the_pages_can_be_read_in_every_language(phone: Page) -> None:
    """320 and 390 pixels, six languages: nothing leaves the screen and no word is cut off."""
    phone.goto("/me")
    phone.get_by_role("textbox", name="Name", exact=True).first.fill("Aušra")
    phone.get_by_role("button", name="Save").tap()
    expect(phone.get_by_text("Saved")).to_be_visible()
    table = opened(phone, preset="heads_up_24", options={"turn_s": 0}, bots=["easy"])
    phone.goto(f"/t/{table}")
    play_on(phone, GAME_S)
    rules = "/rules?seats=6&transfer=true&cheat=true&stake=100&series=true&show_transfer=true"
    for address in (rules, f"/verify/{table}/1", "/coins", "/me"):
        phone.goto(address)
        phone.wait_for_load_state("networkidle")
        assert {} == unreadable(phone, CLOSED), address


# the installed page


def test_the_page_can_be_installed(phone: Page) -> None:
    """The manifest is one, and each icon is as large as it says."""
    phone.goto("/")
    devices = phone.context.new_cdp_session(phone)
    found = devices.send("Page.getAppManifest")
    assert [] == found["errors"]
    manifest = json.loads(found["data"])
    for icon in [*manifest["icons"], *(icon for each in manifest["shortcuts"] for icon in each["icons"])]:
        size = phone.evaluate(
            "src => new Promise((done) => { const image = new Image(); image.onload = () => done(image.naturalWidth); image.src = src })",
            icon["src"],
        )
        assert icon["sizes"] in ("any", f"{size}x{size}")
    answer = phone.request.get("/manifest.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    for each in manifest["shortcuts"]:
        phone.goto(each["url"])
        expect(phone.get_by_role("heading", level=1)).to_be_visible()

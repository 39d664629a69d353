"""The way to a table with other people: creating one, finding one, the invitation, and who is ready."""
from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

from kozyr.core.presets import PRESETS
from tests.e2e.conftest import DESK, PHONE, context, watched
from tests.e2e.overflow import unreadable
from tests.e2e.server import ServerProcess
from tests.e2e.test_access import check, prefer

TITLES = {
    "throw_in": "Throw-in",
    "transfer": "Transfer",
    "classic": "Classic",
    "peak": "Online rules",
    "cheating": "Cheating",
    "heads_up_24": "Duel",
    "custom": "Your own rules",
}


def new_table(page: Page) -> Page:
    """Go to the page for a new table."""
    page.goto("/new")
    page.get_by_role("radio", name="Online rules").wait_for()
    return page


def choose(page: Page, group: str, value: str) -> None:
    page.get_by_role("group", name=group, exact=True).get_by_role("radio", name=value, exact=True).check()


def option(page: Page, name: str) -> Locator:
    """Return the part of the page that an option has."""
    return page.locator(f"[data-option={name}]")


def opened(page: Page, **table: Any) -> str:
    """
    Open a table without its page, with the page's own cookie; the path of its link.
    """
    answer = page.request.post("/api/tables", data={"name": "Ada", **table})
    assert 201 == answer.status, answer.text()
    return str(answer.json()["link"])


def seat(page: Page, number: int) -> Locator:
    """Return a seat of the gathering, numbered from 1."""
    return page.locator(f".places [data-seat='{number - 1}']")


@pytest.fixture
def people(browser: Browser, own_server: ServerProcess) -> Iterator[list[Page]]:
    """Three people with browsers of their own: a desk, a phone, a desk."""
    with ExitStack() as stack:
        yield [stack.enter_context(watched(context(browser, own_server, **size))) for size in (DESK, PHONE, DESK)]


# --- a new table ---------------------------------------------------------------------------------------------------------------


def test_every_rule_set_makes_the_table_that_it_says(desk: Page) -> None:
    """The table has the preset's values (R1.3), and waits for as many players as it has seats."""
    for preset, title in TITLES.items():
        new_table(desk).get_by_role("radio", name=re.compile(f"^{title}")).check()
        desk.get_by_role("button", name="Create the table").click()
        desk.wait_for_url("**/t/*")
        options = desk.request.get(f"/api/tables/{desk.url.rsplit('/', 1)[-1]}").json()["options"]
        assert PRESETS[preset].values.items() <= options.items(), preset
        missing = options["seats"] - 1
        expect(desk.get_by_role("heading", level=1)).to_have_text(f"Waiting for {missing} more player{'s' if missing > 1 else ''}")


def test_what_does_not_go_together_is_greyed_with_its_reason(desk: Page) -> None:
    """Deck and seats (R1.2), a series and coins (R12.1), no timer (R16.1), what a rule set fixes, what another option brings."""
    new_table(desk)
    expect(option(desk, "series").get_by_role("switch")).to_be_disabled()
    expect(option(desk, "series")).to_contain_text("This rule set fixes it.")
    desk.get_by_role("button", name="Change more").click()
    expect(desk.get_by_role("radio", name=re.compile("^Your own rules"))).to_be_checked()
    choose(desk, "Cards in the deck", "24")
    expect(option(desk, "seats").get_by_role("radio", name="5")).to_be_disabled()
    expect(option(desk, "seats")).to_contain_text("24 cards are enough for at most 4 players.")
    choose(desk, "Players", "2")
    expect(option(desk, "throw_scope")).to_contain_text("With two players only the attacker adds cards.")
    expect(option(desk, "throw_scope").get_by_role("radio", name="Neighbours")).to_be_disabled()
    option(desk, "series").get_by_role("switch").check()
    expect(option(desk, "series_games")).to_be_visible()
    expect(desk.get_by_role("radio", name="For coins", exact=True)).to_be_disabled()
    expect(option(desk, "stake")).to_contain_text("A series is played without coins.")
    choose(desk, "Who may come", "Open")
    expect(option(desk, "turn_s").get_by_role("radio", name="Off")).to_be_disabled()
    expect(option(desk, "turn_s")).to_contain_text("Without a timer only private tables without a stake are played.")
    desk.get_by_text("More rules").click()
    expect(option(desk, "penalty")).to_contain_text("Only at cheating tables.")
    option(desk, "transfer").get_by_role("switch").uncheck()
    expect(option(desk, "multi_transfer").get_by_role("switch")).to_be_disabled()
    expect(option(desk, "multi_transfer")).to_contain_text("Only where attacks may be transferred.")


def test_bots_give_up_their_seats_where_coins_are_played_for(desk: Page) -> None:
    """No bots sit at staked tables (R15); what a stake is, and what one has, is said beside it."""
    new_table(desk)
    desk.get_by_label("Seat 2").select_option("easy")
    choose(desk, "Stake", "For coins")
    expect(desk.get_by_label("Seat 2")).to_be_disabled()
    expect(desk.get_by_label("Seat 2")).to_have_value("")
    expect(desk.get_by_text("No bots sit at staked tables.")).to_be_visible()
    expect(option(desk, "stake")).to_contain_text("You get coins to begin with")
    desk.get_by_role("button", name="500", exact=True).click()
    expect(desk.get_by_label("Coins from each player")).to_have_value("500")
    desk.get_by_role("button", name="Create the table").click()
    expect(desk.get_by_text("Every game costs 500 coins.")).to_be_visible()
    expect(desk.locator(".gathering")).to_contain_text("You have 1000 coins.")
    expect(desk.get_by_label("Seat a bot at seat 2")).to_have_count(0)


def test_a_table_of_oneself_and_bots_begins_at_once(phone: Page) -> None:
    """Nobody is waited for: the cards are dealt."""
    new_table(phone)
    choose(phone, "Players", "3")
    for number, level in ((2, "easy"), (3, "hard")):
        phone.get_by_label(f"Seat {number}").select_option(level)
    phone.get_by_role("button", name="Start the game").tap()
    expect(phone.locator(".hand li")).to_have_count(6)


def test_what_the_server_refuses_is_told_where_it_was_chosen(desk: Page) -> None:
    """A refusal is told in words, beside the option that it is about."""
    said = {"code": "not_together", "about": "turn_s"}
    desk.route("**/api/tables", lambda route: route.fulfill(status=422, json=said))
    new_table(desk).get_by_role("button", name="Create the table").click()
    expect(option(desk, "turn_s").get_by_role("alert")).to_have_text("These rules do not go together: Time for a move")
    said.update(code="not_so_fast", about="")
    desk.get_by_role("button", name="Create the table").click()
    expect(desk.locator(".go").get_by_role("alert")).to_have_text("Too much at once. Try again in a moment.")


def test_the_last_choice_is_remembered_but_for_the_password(desk: Page) -> None:
    new_table(desk)
    choose(desk, "Cards in the deck", "52")
    choose(desk, "Who may come", "Open")
    desk.get_by_label("Seat 3").select_option("normal")
    desk.get_by_label("Password, if you want one").fill("lala")
    desk.reload()
    expect(option(desk, "deck").get_by_role("radio", name="52")).to_be_checked()
    expect(desk.get_by_role("radio", name="Open", exact=True)).to_be_checked()
    expect(desk.get_by_label("Seat 3")).to_have_value("normal")
    expect(desk.get_by_label("Password, if you want one")).to_have_value("")


def test_a_table_is_created_with_the_keyboard_alone(desk: Page) -> None:
    """Tab, arrows, space and Enter reach and change everything."""
    new_table(desk)

    def tab_to(words: str) -> None:
        for _ in range(60):
            desk.keyboard.press("Tab")
            at = "document.activeElement.closest('label, fieldset, button')?.textContent.trim() + document.activeElement.ariaLabel"
            if words in str(desk.evaluate(at)):
                return
        raise AssertionError(f"Tab does not reach {words}")

    tab_to("Online rules")
    desk.keyboard.press("ArrowDown")
    expect(desk.get_by_role("radio", name=re.compile("^Cheating"))).to_be_checked()
    tab_to("36")
    desk.keyboard.press("ArrowRight")
    expect(option(desk, "deck").get_by_role("radio", name="52")).to_be_checked()
    tab_to("Draws")
    desk.keyboard.press("Space")
    tab_to("Seat 2")
    desk.keyboard.press("ArrowDown")
    expect(desk.get_by_label("Seat 2")).to_have_value("easy")
    tab_to("Create the table")
    desk.keyboard.press("Enter")
    desk.wait_for_url("**/t/*")
    options = desk.request.get(f"/api/tables/{desk.url.rsplit('/', 1)[-1]}").json()["options"]
    assert (52, True, False) == (options["deck"], options["cheat"], options["draws"])


# --- the invitation ------------------------------------------------------------------------------------------------------------


def test_friends_come_by_the_link_with_the_password_and_play(people: list[Page]) -> None:
    """Three browsers: a wrong password is told in words, the right one seats; when the last one is ready the cards are dealt."""
    ada, ben, eve = people
    new_table(ada).get_by_label("Your name").fill("Ada")
    choose(ada, "Players", "3")
    ada.get_by_label("Password, if you want one").fill("lala")
    ada.get_by_role("button", name="Create the table").click()
    link = ada.get_by_label("Link to this table", exact=True).input_value()
    expect(ada.get_by_role("img", name="QR code")).to_be_visible()
    assert link == ada.url

    for page, name, number in ((ben, "Ben", 2), (eve, "Eve", 3)):
        page.goto(link)
        page.get_by_label("Your name").fill(name)
        page.get_by_label("Password of the table").fill("lulu")
        page.get_by_role("button", name="Join", exact=True).click()
        expect(page.get_by_role("alert")).to_have_text("That is not the table’s password.")
        page.get_by_label("Password of the table").fill("lala")
        page.get_by_label("Password of the table").press("Enter")
        expect(seat(page, number)).to_contain_text("You")
        expect(seat(ada, number)).to_contain_text(name)
        expect(seat(ada, number)).to_contain_text("ready")
    expect(ada.get_by_role("heading", level=1)).to_have_text("Everybody is here")
    expect(ben.get_by_text("Waiting for Ada")).to_be_visible()
    ada.get_by_role("button", name="I am ready").click()
    for page in people:
        expect(page.locator(".hand li")).to_have_count(6)


def test_the_host_seats_bots_of_a_level_and_sends_them_away(desk: Page) -> None:
    """Bots say that they are bots, and of which level; with nobody else to wait for the game begins when the host is ready."""
    desk.goto(opened(desk, bots=[None, None], options={"seats": 3}))
    desk.get_by_label("Seat a bot at seat 2").select_option(label="hard")
    expect(seat(desk, 2)).to_contain_text("Bot hard")
    desk.get_by_role("button", name="Send away: Bot 1").click()
    expect(seat(desk, 2)).to_contain_text("Free seat")
    for number in (2, 3):
        desk.get_by_label(f"Seat a bot at seat {number}").select_option("easy")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Everybody is here")
    desk.get_by_role("button", name="I am ready").click()
    expect(desk.locator(".hand li")).to_have_count(6)


def test_a_guest_with_a_name_joins_with_one_tap_at_the_seat_of_choice(people: list[Page]) -> None:
    """The fewest taps: the link, and *join*. Whoever wants another seat chooses it first; a full table can be watched."""
    ada, ben, eve = people
    link = opened(ada, bots=[None, None], options={"seats": 3})
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.goto(link)
    ada.get_by_role("button", name="Copy the link").click()
    expect(ada.get_by_role("button", name="Copied")).to_be_visible()
    assert ada.url == ada.evaluate("navigator.clipboard.readText()")
    prefer(ben, name="Ben")
    ben.goto(link)
    ben.get_by_role("button", name="Join", exact=True).tap()
    expect(seat(ben, 2)).to_contain_text("Ben")
    expect(seat(ben, 2)).to_contain_text("ready")
    eve.goto(link)
    eve.get_by_role("button", name="Sit here: seat 3").click()
    eve.get_by_role("button", name="Join at seat 3").click()
    expect(seat(eve, 3)).to_contain_text("You")
    ben.get_by_role("button", name="Wait, not yet").tap()
    expect(seat(ada, 2)).to_contain_text("not ready yet")
    ada.get_by_role("button", name="I am ready").click()
    expect(ada.get_by_text("Waiting for Ben")).to_be_visible()


def test_a_seat_that_somebody_else_took_is_told_in_words(people: list[Page]) -> None:
    ada, ben, eve = people
    link = opened(ada, bots=[None], options={"seats": 2})
    for page in (ben, eve):
        page.goto(link)
    answer = {"status": 409, "json": {"code": "table_full"}}
    eve.route("**/seats", lambda route: route.fulfill(**answer))
    eve.get_by_role("button", name="Join", exact=True).click()
    expect(eve.get_by_role("alert")).to_have_text("Every seat of the table is taken.")
    ben.get_by_role("button", name="Join", exact=True).tap()
    expect(eve.get_by_role("heading", level=1)).to_have_text("Everybody is here")
    expect(eve.get_by_text("You are watching.")).to_be_visible()
    expect(eve.get_by_role("button", name="Join", exact=True)).to_have_count(0)


def test_who_leaves_frees_the_seat_and_the_last_one_closes_the_table(people: list[Page]) -> None:
    ada, ben, eve = people
    link = opened(ada, bots=[None], options={"seats": 2})
    for page in people[:2]:
        page.goto(link)
    ben.get_by_role("button", name="Join", exact=True).tap()
    expect(seat(ada, 2)).to_contain_text("Guest")
    ada.get_by_role("link", name="Home").click()
    ada.get_by_role("link", name="Go on with your game").click()
    ada.get_by_role("button", name="Leave the table").click()
    expect(ada.get_by_role("button", name="Play now")).to_be_visible()
    expect(ada.get_by_role("link", name="Go on with your game")).to_have_count(0)
    expect(seat(ben, 2)).to_contain_text("host")
    eve.goto(link)
    ben.get_by_role("button", name="Leave the table").tap()
    expect(eve.get_by_role("heading", level=1)).to_have_text("This table is closed")
    expect(eve.get_by_role("link", name="Create a table")).to_be_visible()


def test_between_two_games_a_free_seat_is_taken_by_somebody_else(people: list[Page]) -> None:
    """Who leaves after a game goes home; the others close the result, invite somebody new, and play on."""
    ada, ben, eve = people
    link = opened(ada, bots=[None], options={"seats": 2})
    ada.goto(link)
    ada.get_by_role("button", name="I am ready").click()
    ben.goto(link)
    ben.get_by_role("button", name="Join", exact=True).tap()
    for page in (ada, ben):
        expect(page.locator(".hand li")).to_have_count(6)
    ben.get_by_role("button", name="Menu").tap()
    for _ in range(2):
        ben.get_by_role("button", name="Resign").tap()
    ben.locator(".ending").get_by_role("button", name="Leave the table").tap()
    expect(ben.get_by_role("button", name="Play now")).to_be_visible()
    ada.locator(".ending").get_by_role("button", name="Close").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Waiting for 1 more player")
    ada.get_by_role("button", name="I am ready").click()
    eve.goto(link)
    eve.get_by_role("button", name="Join", exact=True).click()
    for page in (ada, eve):
        expect(page.locator(".hand li")).to_have_count(6)


def test_who_cannot_pay_is_named(desk: Page) -> None:
    """A staked game opens only when all can pay (R15.2); otherwise nobody has paid, and it is said whose coins are short."""
    players = [{"name": name, "kind": "person"} for name in ("Ada", "Ben")]
    table = {"id": "felt", "options": {"deck": 36, "seats": 2, "stake": 500, "transfer": True}, "players": players, "game": 0}
    table |= {"stage": "gathering", "host": 1, "ready": [1]}
    card = {**table, "games": 0, "seq": 1, "seat": 0, "socket": "/ws/tables/felt"}
    desk.route("**/api/tables/felt", lambda route: route.fulfill(json=card))
    refused = [{"code": "unpaid", "about": "0 1"}, {"code": "company_limit"}]

    def meet(socket: WebSocketRoute) -> None:
        def hear(text: str | bytes) -> None:
            message = json.loads(text)
            if message["t"] == "hello":
                socket.send(json.dumps({"t": "welcome", "v": 1, "seq": 1, "table": table, "seat": 0}))
            elif message["t"] == "ready":
                socket.send(json.dumps({"t": "refused", "id": message["id"], **refused.pop(0)}))

        socket.on_message(hear)

    desk.route_web_socket("**/ws/tables/felt", meet)
    desk.goto("/t/felt")
    ready = desk.get_by_role("button", name="I am ready")
    ready.click()
    expect(desk.get_by_role("alert")).to_have_text(
        "The game could not begin, and nobody has paid anything. Not enough coins for the stake: You and Ben."
    )
    ready.click()
    expect(desk.get_by_role("alert")).to_contain_text("free tables are open to you")


# --- the open tables -----------------------------------------------------------------------------------------------------------


def test_open_tables_fill_as_one_looks(people: list[Page]) -> None:
    """Two browsers: a table appears, its seats fill, one joins it from the list, and its game can be watched."""
    ada, ben, eve = people
    ben.goto("/tables")
    expect(ben.get_by_text("No table like that has a free seat right now.")).to_be_visible()
    new_table(ada).get_by_label("Your name").fill("Ada")
    choose(ada, "Players", "3")
    choose(ada, "Who may come", "Open")
    ada.get_by_role("button", name="Create the table").click()
    row = ben.locator(".tables li")
    expect(row).to_contain_text("2 free seats")
    ada.get_by_label("Seat a bot at seat 2").select_option("normal")
    expect(row).to_contain_text("1 free seat")
    expect(row).to_contain_text("Ada and Bot (normal)")
    eve.goto("/")
    eve.get_by_role("link", name="Watch", exact=True).click()
    expect(eve.get_by_text("No game like that is being played right now.")).to_be_visible()
    row.get_by_role("button", name="Join: Ada and Bot (normal)").tap()
    ben.get_by_role("button", name="I am ready").tap()
    ada.get_by_role("button", name="I am ready").click()
    expect(ben.locator(".hand li")).to_have_count(6)
    eve.get_by_role("link", name=re.compile("^Watch: Ada")).click()
    expect(eve.locator(".seats .seat")).to_have_count(2)
    expect(eve.locator(".hand")).to_have_count(0)


def test_rows_stand_still_under_the_hand(people: list[Page]) -> None:
    """While somebody points at the list new tables wait for a press, and a table that is gone keeps its place."""
    ada, ben, eve = people
    opened(ada, bots=[None], options={"seats": 2}, private=False)
    eve.goto("/tables")
    first = eve.locator(".tables li").first
    first.hover()
    opened(ben, bots=[None, None], options={"seats": 3}, private=False, name="Ben")
    show = eve.get_by_role("button", name="Show 1 new table")
    expect(show).to_be_visible()
    expect(eve.locator(".tables li")).to_have_count(1)
    show.click()
    expect(eve.locator(".tables li")).to_have_count(2)
    expect(first).to_contain_text("Ben")
    first.hover()
    ben.goto("/")
    gone = ben.request.get("/api/tables?free=true").json()["tables"][-1]["id"]
    ada.goto(f"/t/{gone}")
    ada.get_by_role("button", name="Leave the table").click()
    expect(eve.locator(".tables li").nth(1)).to_contain_text("Full, over or closed by now")
    eve.mouse.move(2, 2)
    expect(eve.locator(".tables li")).to_have_count(1)


def test_filters_ask_for_what_is_wanted_and_are_remembered(people: list[Page]) -> None:
    """By deck, seats, transfer, scope, cheating and stake."""
    ada, ben, eve = people
    opened(ada, preset="cheating", bots=[None, None, None], private=False)
    opened(ben, preset="heads_up_24", bots=[None], private=False, name="Ben")
    eve.goto("/tables")
    rows = eve.locator(".tables li")
    expect(rows).to_have_count(2)
    eve.get_by_label("Cards in the deck").select_option("24")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Ben")
    eve.get_by_label("Cheating table").select_option(label="Cheating")
    expect(eve.get_by_text("No table like that has a free seat right now.")).to_be_visible()
    eve.reload()
    expect(eve.get_by_label("Cards in the deck")).to_have_value("24")
    eve.get_by_role("button", name="Clear the filters").click()
    expect(rows).to_have_count(2)


def test_the_list_comes_back_after_a_lost_connection(browser: Browser, own_server: ServerProcess) -> None:
    """A killed server is told, and the list goes on when it is there again."""
    with watched(context(browser, own_server, **DESK)) as page:
        opened(page, bots=[None], options={"seats": 2}, private=False)
        page.goto("/tables")
        expect(page.get_by_text("1 table")).to_be_visible()
        own_server.kill()
        expect(page.get_by_text("Connection lost; trying again…")).to_be_visible()
        own_server.start()
        expect(page.get_by_text("Connection lost; trying again…")).to_have_count(0, timeout=20_000)


# --- for every reader ----------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["dark", "light"])
def themed(request: pytest.FixtureRequest, phone: Page) -> Page:
    prefer(phone, theme=request.param)
    return phone


def test_axe_finds_nothing_on_the_way_to_a_table(themed: Page, browser: Browser, server: ServerProcess) -> None:
    """A new table with everything unfolded, the gathering of a host and of somebody invited, the open tables."""
    new_table(themed).get_by_text("More rules").click()
    choose(themed, "Stake", "For coins")
    check(themed)
    link = opened(themed, bots=["hard", None, None], private=False, password="lala")
    themed.goto(link)
    themed.get_by_role("img", name="QR code").wait_for()
    check(themed)
    themed.goto("/tables")
    themed.get_by_text("Filters").click()
    themed.locator(".tables li").first.wait_for()
    check(themed)
    themed.context.clear_cookies()
    themed.goto(link)
    themed.get_by_role("button", name="Join", exact=True).wait_for()
    check(themed)


def test_the_way_to_a_table_can_be_read_in_every_language(phone: Page) -> None:
    """Nothing is cut off or leaves the screen at 390 and 320 pixels: home, a new table, the gathering, the open tables."""
    phone.goto("/")
    phone.locator(".setup summary").click()
    assert {} == unreadable(phone)
    phone.goto("/new")
    phone.locator("details summary").click()
    phone.locator("input[name=stake]").last.check()
    assert {} == unreadable(phone)
    link = opened(phone, bots=["hard", None, None], private=False, password="lala")
    phone.goto(link)
    phone.locator(".places").wait_for()
    assert {} == unreadable(phone)
    phone.goto("/tables")
    phone.locator("details summary").click()
    phone.locator(".tables li").first.wait_for()
    assert {} == unreadable(phone)
    phone.context.clear_cookies()
    phone.goto(link)
    phone.locator(".join").wait_for()
    assert {} == unreadable(phone)

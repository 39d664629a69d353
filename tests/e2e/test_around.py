"""Around the game: clocks, verdicts, notices, sheets, the end, big cards; the server's part is played by the test."""
from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.conftest import context, watched
from tests.e2e.scripted import Message, ScriptedTable, view
from tests.e2e.server import ServerProcess
from tests.e2e.test_access import OVER, REVEAL, check, inside, page_in_theme, prefer, theme

__all__ = ["page_in_theme", "theme"]

PEOPLE = [
    {"name": "Ada", "kind": "person", "id": "a"},
    {"name": "Emin", "kind": "person", "id": "e", "avatar": 3},
    {"name": "Bot 2", "kind": "bot", "level": "hard"},
]
SERIES = {"wins": [2, 1, 0], "losses": [0, 1, 2], "standing": [0, 1, 2], "games": 3, "of": 5}
COINS = {
    "coins": 1250,
    "lines": [
        {"number": 9, "at": 1, "kind": "payout", "coins": 100, "balance": 1250, "game": "felt/1"},
        {"number": 8, "at": 1, "kind": "stake", "coins": -50, "balance": 1150, "game": "felt/1"},
        {"number": 7, "at": 1, "kind": "grant", "coins": 1200, "balance": 1200},
    ],
}


def table(page: Page, first: Message | None = None, options: Message | None = None, **more: Any) -> ScriptedTable:
    """
    Open a table of Ada, who looks at it, Emin and a bot.
    """
    page.route("**/api/coins*", lambda route: route.fulfill(json=COINS))
    page.route("**/api/blocks", lambda route: route.fulfill(json={}))
    return ScriptedTable(page, first or view(), options, **{"players": PEOPLE, **more})


def finish(felt: ScriptedTable, payout: list[int] | None = None, **change: Any) -> None:
    """
    End the game: Emin is out first, then Ada; the bot is the durak.
    """
    result = {"kind": "durak", "reason": "cards", "durak": 2, "places": [1, 0], **({"payout": payout} if payout else {})}
    over = {"view": view(**{**OVER, "result": result}), "reveal": REVEAL}
    felt.change({"e": "over", "result": result}, update=over, stage="over", **change)
    felt.page.locator(".ending h2").wait_for()


def test_the_last_seconds_stand_at_every_seat_that_is_waited_for(desk: Page) -> None:
    """A clock of all throwers together runs at each of them; a screen reader is told once, when its own time is short (R16.1)."""
    table(desk, view(waiting=[0], phase="OPENING"), left_ms=12_500, of_ms=30_000)
    expect(desk.locator(".left")).to_have_count(0)
    expect(desk.locator(".me .left")).to_have_text("9", timeout=10_000)
    expect(desk.get_by_text("Your time is running out: 10 seconds")).to_have_count(1)
    expect(desk.locator(".me > .sr")).to_contain_text("seconds left")


def test_the_seconds_of_throwers_are_shown_at_each(desk: Page) -> None:
    bout = [{"attack": "7h", "by": 1, "beat": "8c"}]
    table(desk, view(phase="THROW_IN", defender=1, bout=bout, waiting=[0, 2], legal=["attack 7d", "pass"]), left_ms=6000, of_ms=6000)
    expect(desk.locator(".seat.active .left")).to_have_count(2)


def test_a_lengthened_clock_is_told(phone: Page) -> None:
    """What the clock was given, and why, stands in a notice and in the log (R16.1)."""
    felt = table(phone)
    felt.update({"e": "time", "ms": 2000, "why": "network"})
    told = "A connection was lost: 2 seconds more on the clock."
    expect(phone.locator(".notice")).to_have_text(told)
    expect(phone.get_by_role("log")).to_contain_text(told)


def test_what_happened_meanwhile_can_be_put_away(phone: Page) -> None:
    """It lies over the seats, which whoever has come back may want to see before it goes by itself."""
    felt = table(phone)
    felt.send({"t": "welcome", "v": 1, "seq": 2, "seat": 0, "table": felt.table, "view": view(), "missed": [{"e": "take", "seat": 1}]})
    notice = phone.locator(".notice")
    expect(notice).to_have_text("Meanwhile: Emin takes.")
    notice.get_by_role("button", name="Close").click()
    expect(notice).to_have_count(0)


def test_a_move_by_the_clock_is_told_to_its_player(phone: Page) -> None:
    """Whoever has not moved in time learns that the server did, and what comes of it (R16.2)."""
    felt = table(phone, options={"turn_s": 30, "forfeit": "end_game"})
    felt.update({"e": "take", "seat": 0, "late": True}, phase="TAKING", legal=[])
    expect(phone.locator(".notice")).to_contain_text("Your time ran out, and the server moved for you.")
    expect(phone.get_by_role("log")).to_contain_text("Out of time: You take.")


@pytest.mark.parametrize(
    ("options", "event", "cost"),
    [
        ({"penalty": "take_bout"}, {"seat": 1, "author": 0, "right": True}, "You must take. You can’t cheat any more in this game."),
        ({"penalty": "take_bout"}, {"seat": 2, "author": 1, "right": True}, "Emin takes every card of the bout."),
        ({"penalty": "take_bout"}, {"seat": 0, "author": 1, "right": False}, "You must take. You can’t challenge any more in this game."),
        ({"penalty": "take_bout"}, {"seat": 1, "author": 2, "right": False}, "Emin takes every card of the bout."),
        ({"penalty": "rollback"}, {"seat": 1, "author": 0, "right": True}, "The card and all that came after it go back."),
        ({"penalty": "rollback"}, {"seat": 1, "author": 0, "right": False}, "Emin can neither challenge nor cheat any more in this game."),
    ],
)
def test_a_verdict_says_what_it_costs(desk: Page, options: Message, event: Message, cost: str) -> None:
    """The defender, who is Ada, takes; anybody else takes the whole bout; or the cards go back (R14.7, R14.8, R14.9)."""
    felt = table(desk, options={"cheat": True, **options})
    felt.update({"e": "challenge", "card": "7h", "code": "does_not_beat" if event["right"] else None, **event}, phase="TAKING", legal=[])
    expect(desk.locator(".verdict")).to_contain_text(cost)
    expect(desk.get_by_role("log")).to_contain_text(cost)


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)])
def test_a_verdict_covers_no_card_that_may_be_challenged(phone: Page, size: tuple[int, int]) -> None:
    """The window for challenges is short: what it is about stays in sight, and the verdict lies over the seats (R14.6)."""
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    bout = [{"attack": card, "by": 1} for card in ("7h", "7c", "8d", "9d", "9h", "9c")]
    felt = table(phone, view(bout=bout), options={"cheat": True, "penalty": "take_bout"})
    judged = {"e": "challenge", "card": "7h", "code": "rank_not_in_bout", "seat": 1, "author": 2, "right": True}
    felt.update(judged, phase="CHALLENGE", bout=bout, legal=["accept", "challenge 9c"])
    verdict = phone.locator(".verdict")
    verdict.wait_for()
    low = verdict.evaluate("(notice) => notice.getBoundingClientRect().bottom")
    tops = phone.locator(".pair, .flag").evaluate_all("(all) => all.map((each) => each.getBoundingClientRect().top)")
    assert len(bout) < len(tops) and low <= min(tops)


@pytest.mark.parametrize(
    ("places", "durak", "heading", "beside"),
    [
        ([0], 1, "You win!", "Emin is the durak"),
        ([0, 1], 2, "Bot 2 is the durak", "You were the first one out. Well played!"),
        ([1, 0], 2, "Bot 2 is the durak", "Not you this time. Another one?"),
        ([1, 2], 0, "You are the durak", "Somebody had to be. The deal is yours, and so is the revenge."),
    ],
)
def test_the_end_speaks_to_whom_it_is_shown(phone: Page, places: list[int], durak: int, heading: str, beside: str) -> None:
    """The winner of two is told so, the first one out is praised, the durak is winked at (R11)."""
    seats = len(places) + 1
    felt = table(phone, view(seats=[{"cards": 6}] * seats), players=PEOPLE[:seats])
    result = {"kind": "durak", "reason": "cards", "durak": durak, "places": places}
    over = {"view": view(**{**OVER, "seats": [{"cards": 0}] * seats, "result": result}), "reveal": REVEAL}
    felt.change({"e": "over", "result": result}, update=over, stage="over")
    expect(phone.locator(".ending h2")).to_have_text(heading)
    expect(phone.locator(".ending .wink")).to_have_text(beside)


def test_a_move_that_came_after_the_end_is_not_explained(phone: Page) -> None:
    """What the rules say of a card is of no use once the game is over."""
    felt = table(phone)
    finish(felt)
    felt.send({"t": "refused", "id": "late", "code": "rank_not_in_bout"})
    felt.send({"t": "refused", "id": "again", "code": "unpaid", "about": "0"})
    expect(phone.locator(".notice")).to_have_count(1)
    expect(phone.locator(".notice")).not_to_contain_text("rank")


def test_the_pot_is_in_sight_while_coins_are_played_for(phone: Page) -> None:
    """Everybody sees what all have put in (R15.2)."""
    table(phone, options={"stake": 50}, players=[*PEOPLE[:2], {"name": "Rokas", "kind": "person"}])
    expect(phone.locator(".series-chip")).to_have_text("Pot: 150")


def test_coins_of_a_game_are_shown_with_their_postings(phone: Page) -> None:
    """Each seat's gain and loss, one's own postings of this game, and what one has now (R15.3)."""
    felt = table(phone, options={"stake": 50}, players=[*PEOPLE[:2], {"name": "Rokas", "kind": "person"}])
    finish(felt, payout=[50, 100, 0])
    assert ["+50", "0", "−50"] == phone.locator(".ending .coins").all_inner_texts()
    purse = phone.locator(".purse")
    assert ["−50", "+100", "1250"] == purse.locator("dd").all_inner_texts()
    expect(phone.get_by_role("link", name="Verify the shuffle")).to_have_attribute("href", "/verify/felt/1")
    expect(phone.get_by_role("link", name="Save the game as a file")).to_have_attribute("href", "/api/tables/felt/games/1")


def test_a_seat_that_is_freed_leaves_the_result_as_it_was(phone: Page) -> None:
    """Who has left is still named in the result, and the next step is to find somebody."""
    felt = table(phone)
    finish(felt)
    felt.change({"e": "rise", "seat": 1}, players=[PEOPLE[0], {"name": "", "kind": "empty", "here": False}, PEOPLE[2]])
    expect(phone.locator(".ending li").first).to_contain_text("Emin")
    expect(phone.get_by_role("button", name="Find a player")).to_be_visible()
    expect(phone.get_by_role("button", name="Play again")).to_have_count(0)


def test_my_turn_calls_where_nobody_looks(desk: Page) -> None:
    """A hidden page notifies if it may, marks its tab, and puts the notification away when one comes back."""
    prefer(desk, notify=True)
    desk.add_init_script(
        """window.told = []
        window.hides = false
        window.Notification = class {
            static permission = 'granted'
            constructor(title) { told.push(title) }
            close() { told.push('closed') }
        }
        Object.defineProperty(document, 'hidden', { get: () => window.hides })"""
    )
    felt = table(desk, view(phase="OPENING", attacker=1, defender=2, waiting=[1], bout=[], legal=[]))
    icon = desk.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", "/kozyr.svg")
    desk.evaluate("window.hides = true")
    felt.update({"e": "attack", "seat": 1, "cards": ["7h"]})
    expect(icon).to_have_attribute("href", "/kozyr-turn.svg")
    assert ["● Your turn · Kozyr"] == desk.evaluate("told")
    desk.evaluate("window.hides = false; document.dispatchEvent(new Event('visibilitychange'))")
    assert ["● Your turn · Kozyr", "closed"] == desk.evaluate("told")


def test_a_phone_notifies_through_a_worker_that_leads_back_to_the_table(own_server: ServerProcess, browser: Browser) -> None:
    """Phones let no page notify by itself: a worker that does nothing else is registered when the player asks to be called."""
    with watched(context(browser, own_server, permissions=["notifications"])) as page:
        table(page)
        assert not page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)")
        page.get_by_role("button", name="Menu").click()
        page.get_by_label("Notify me of my turn").check()
        assert page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.active.scriptURL)").endswith("/sw.js")


def test_a_player_is_muted_blocked_and_reported_from_the_seat(desk: Page) -> None:
    """A tap on a face tells who sits there and what may be done about it."""
    sent: list[Any] = []

    def take(route: Route) -> None:
        sent.append(route.request.post_data_json or route.request.method)
        route.fulfill(json={})

    desk.route("**/api/blocks/e", take)
    desk.route("**/api/reports", take)
    table(desk)
    desk.get_by_role("button", name="About Emin").click()
    sheet = desk.get_by_role("dialog", name="Emin")
    expect(sheet).to_contain_text("Person")
    expect(sheet.get_by_role("link", name="Profile")).to_have_attribute("href", "/p/e")
    sheet.get_by_role("button", name="Block", exact=True).click()
    expect(sheet.get_by_role("button", name="Unblock")).to_be_visible()
    sheet.get_by_role("button", name="Report a player").click()
    sheet.get_by_label("Stalling").check()
    sheet.get_by_role("textbox").fill("asleep")
    sheet.get_by_role("button", name="Send the report").click()
    expect(sheet).to_contain_text("The operator will read it.")
    assert ["PUT", {"table": "felt", "seat": 1, "reason": "stalling", "words": "asleep"}] == sent
    desk.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    desk.get_by_role("button", name="About Bot 2").click()
    expect(desk.get_by_role("dialog", name="Bot 2")).to_contain_text("Bot · hard")
    expect(desk.get_by_role("button", name="Block")).to_have_count(0)


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (844, 390), (1440, 900)])
def test_big_cards_fit_every_screen(desk: Page, size: tuple[int, int]) -> None:
    """A hand of many big cards stays on the screen, and one can still press everything."""
    prefer(desk, big=True)
    desk.set_viewport_size({"width": size[0], "height": size[1]})
    hand = ["8h", "Jh", "7d", "Kc", "Ad", "9s", "Ts", "Qs", "6c", "6d", "Tc", "Qh"]
    table(desk, view(hand=hand))
    assert inside(desk)
    cards = desk.locator(".hand li").evaluate_all("all => all.map((each) => each.getBoundingClientRect().toJSON())")
    assert all(card["left"] > -12 and card["right"] < size[0] + 12 for card in cards)
    assert all(card["top"] + 40 < size[1] for card in cards)
    desk.get_by_role("button", name="Menu").click()
    desk.get_by_label("Big cards").uncheck()
    expect(desk.locator(".hand li").first).not_to_have_css("--cw", f"{cards[0]['width']}px")


def test_the_link_of_the_table_is_copied(desk: Page) -> None:
    desk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table(desk)
    desk.get_by_role("button", name="Menu").click()
    desk.get_by_role("button", name="Copy the link").click()
    expect(desk.get_by_text("Link copied")).to_be_visible()
    assert desk.evaluate("navigator.clipboard.readText()").endswith("/t/felt")


def test_axe_finds_nothing_on_the_sheets(page_in_theme: Page) -> None:
    felt = table(page_in_theme, options={"stake": 50}, series=SERIES)
    for opener in ("Say something", "About Emin", "Menu"):
        page_in_theme.get_by_role("button", name=opener).click()
        page_in_theme.locator("dialog, .menu").first.wait_for()
        check(page_in_theme)
        page_in_theme.keyboard.press("Escape")
        expect(page_in_theme.locator("dialog, .menu")).to_have_count(0)
    finish(felt, payout=[50, 100, 0], again=[1])
    page_in_theme.locator(".purse dd").first.wait_for()
    check(page_in_theme)
    felt.send({"t": "fault", "code": "taken_over"})
    page_in_theme.get_by_role("button", name="Play here").wait_for()
    check(page_in_theme)


def test_too_many_windows_are_told_and_one_tries_again(desk: Page) -> None:
    """The page says what to do, and a tap opens the table once there is room."""
    felt = table(desk)
    felt.send({"t": "fault", "code": "crowded"})
    expect(desk.get_by_role("heading")).to_contain_text("Too many windows")
    desk.get_by_role("button", name="Try again").click()
    expect(desk.locator(".hand li").first).to_be_visible()


def test_axe_finds_nothing_where_one_watches(page_in_theme: Page) -> None:
    table(page_in_theme, view(hand=[], legal=[]), options={"stake": 50}, seat=None, delay_ms=60_000)
    expect(page_in_theme.locator(".watching")).to_contain_text("1 minute later")
    check(page_in_theme)


@pytest.mark.parametrize("language", ["az", "en", "it", "lt", "ru", "tr"])
def test_sheets_and_the_end_fit_the_smallest_phone(phone: Page, language: str) -> None:
    """No word of the sheets leaves a screen of 320 pixels in any language."""
    prefer(phone, language=language)
    phone.set_viewport_size({"width": 320, "height": 568})
    felt = table(phone, options={"stake": 50}, series=SERIES)
    wide = "all => all.every((each) => each.scrollWidth <= each.clientWidth + 1)"
    for opener in (".talk", ".seats .about", "header [aria-expanded]"):
        phone.locator(opener).first.click()
        phone.locator("dialog, .menu").first.wait_for()
        assert phone.locator("dialog, .menu, dialog button, .menu .line").evaluate_all(wide), (language, opener)
        phone.keyboard.press("Escape")
        expect(phone.locator("dialog, .menu")).to_have_count(0)
    finish(felt, payout=[50, 100, 0], again=[1])
    assert phone.locator(".ending, .ending .quiet, .ending .main").evaluate_all(wide), language

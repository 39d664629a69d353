"""Nothing hides what a player has to see."""
from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import PHONE, context, watched
from tests.e2e.scripted import ScriptedTable, view
from tests.e2e.server import ServerProcess
from tests.e2e.test_access import SIX, prefer

SIZES = [(390, 844), (320, 568), (844, 390), (820, 1180), (1440, 900)]
LANGUAGES = ["az", "en", "it", "lt", "ru", "tr"]


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    """
    Return the boxes of what *selector* finds.
    """
    found: list[dict[str, float]] = page.locator(selector).evaluate_all("all => all.map((each) => each.getBoundingClientRect().toJSON())")
    return found


def overlap(one: dict[str, float], other: dict[str, float]) -> float:
    """
    Return how much of *other* lies under *one*, from 0 to 1.
    """
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return max(0.0, across) * max(0.0, down) / (other["width"] * other["height"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_seat_says_covers_no_face_and_stays_on_the_screen(desk: Page, language: str) -> None:
    """Four opponents speak at once; every face is still there to be seen, on every screen."""
    prefer(desk, language=language)
    table = ScriptedTable(desk, view(**SIX), seats=6)
    spoken = desk.locator(".seats .bubble")
    for width, height in SIZES:
        desk.set_viewport_size({"width": width, "height": height})
        expect(spoken).to_have_count(0)
        desk.wait_for_function("width => innerWidth === width", arg=width)
        table.update(*({"e": "transfer", "seat": seat, "cards": [], "to": 0} for seat in (1, 2, 3, 5)), **SIX)
        expect(spoken).to_have_count(4)
        # Laid out for this screen, and grown to their size.
        desk.wait_for_function("() => [...document.querySelectorAll('.seats .bubble')].every((each) => !each.getAnimations().length)")
        desk.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        faces = boxes(desk, ".seats .ring")
        for bubble in boxes(desk, ".seats .bubble"):
            assert -1 <= bubble["left"] and bubble["right"] <= width + 1 and bubble["top"] >= -1, (width, bubble)
            assert all(overlap(bubble, face) < 0.35 for face in faces), (width, bubble)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_a_slot_are_not_broken(phone: Page, language: str) -> None:
    """*Transfer* and *show* stand whole in their slots on the smallest phone."""
    prefer(phone, language=language)
    phone.set_viewport_size({"width": 320, "height": 568})
    legal = ["beat 7h 7s", "transfer 7s", "show 7s", "take"]
    ScriptedTable(phone, view(hand=["7s", "8c"], legal=legal), {"show_transfer": True})
    phone.locator(".hand [data-card='7s'] button").press("Enter")
    slots = phone.locator(".slot button")
    expect(slots).to_have_count(2)
    assert slots.evaluate_all("all => all.every((each) => each.scrollWidth <= each.clientWidth)")


def test_a_seat_on_autopilot_is_taken_back_by_the_big_button(phone: Page) -> None:
    """The prompt says who plays; no card can be played until the seat is one's own again."""
    table = ScriptedTable(phone, view())
    players = [{**table.table["players"][0], "autopilot": True}, *table.table["players"][1:]]
    table.seq += 1
    event = {"e": "autopilot", "seat": 0, "on": True}
    table.send({"t": "update", "seq": table.seq, "events": [event], "view": view(), "table": {**table.table, "players": players}})
    expect(phone.locator(".prompt.slim")).to_have_text("The easy bot plays your seat.")
    expect(phone.locator(".hand .live")).to_have_count(0)
    phone.get_by_role("button", name="Play myself").click()
    for _ in range(40):
        if table.heard:
            break
        phone.wait_for_timeout(25)
    assert ["take_back"] == [message["t"] for message in table.heard]


def test_a_verdict_can_be_put_away(phone: Page) -> None:
    """It lies over the felt for a while; who has read it may close it."""
    table = ScriptedTable(phone, view(), {"cheat": True})
    table.update({"e": "challenge", "seat": 2, "card": "8c", "author": 1, "right": False}, legal=["take"])
    verdict = phone.locator(".verdict")
    expect(verdict).to_be_visible()
    verdict.get_by_role("button", name="Close").click()
    expect(verdict).to_have_count(0)


def test_no_counter_stands_where_only_challenges_are_left(phone: Page) -> None:
    """While a bout closes no card may come."""
    table = ScriptedTable(phone, view(), {"cheat": True})
    expect(phone.locator(".counter")).to_be_visible()
    table.update(phase="CHALLENGE", legal=["challenge 7h", "accept"], left_ms=4000)
    expect(phone.locator(".prompt.slim")).to_have_text("Challenge a card or accept")
    expect(phone.locator(".counter")).to_have_count(0)


def test_menu_and_log_take_the_keyboard_and_give_it_back(desk: Page) -> None:
    """Opened, they have the focus; Escape closes them and returns to the button."""
    ScriptedTable(desk, view())
    button = desk.get_by_role("button", name="Menu")
    button.press("Enter")
    expect(desk.locator(".menu")).to_be_focused()
    desk.keyboard.press("Escape")
    expect(desk.locator(".menu")).to_have_count(0)
    expect(button).to_be_focused()
    button.press("Enter")
    desk.get_by_role("button", name="What happened").press("Enter")
    expect(desk.locator("aside").get_by_role("button", name="Close")).to_be_focused()
    desk.keyboard.press("Escape")
    expect(button).to_be_focused()


@pytest.mark.parametrize("language, there", [("en", False), ("ru", True), ("lt", True)])
def test_letters_of_the_language_are_offered_only_where_there_are_any(desk: Page, language: str, there: bool) -> None:
    """English cards carry A K Q J already."""
    prefer(desk, language=language)
    ScriptedTable(desk, view())
    desk.locator("header [aria-expanded]").click()
    switches = desk.locator(".menu input[type=checkbox]")
    expect(switches.first).to_be_visible()
    expect(switches).to_have_count(4 + int(there))


def test_the_rule_set_of_the_first_choice_is_marked(desk: Page) -> None:
    """A newcomer sees which rules *Play now* plays; another choice unmarks them."""
    desk.goto("/")
    marked = desk.locator(".presets [aria-pressed=true]")
    expect(marked).to_have_text("Online rules")
    desk.get_by_role("switch", name="Transfer").uncheck(force=True)
    expect(marked).to_have_count(0)
    desk.get_by_role("button", name="Duel").click()
    expect(marked).to_have_text("Duel")


def test_a_table_that_waits_costs_nothing(browser: Browser, server: ServerProcess) -> None:
    """The ring around whose turn it is runs without the page's doing: a phone in the hand stays cool."""
    with watched(context(browser, server, **{**PHONE, "reduced_motion": "no-preference"})) as page:
        ScriptedTable(page, view())
        page.locator(".turn-ring").first.wait_for()
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")

        def restyled() -> int:
            metrics = session.send("Performance.getMetrics")["metrics"]
            return int(next(metric["value"] for metric in metrics if metric["name"] == "RecalcStyleCount"))

        page.wait_for_timeout(1500)
        before = restyled()
        page.wait_for_timeout(1000)
        assert restyled() - before < 10


def test_what_has_been_overtaken_is_not_on_offer(browser: Browser, server: ServerProcess) -> None:
    """While a card still flies, nothing can be played that a later move has made impossible."""
    with watched(context(browser, server, **{**PHONE, "reduced_motion": "no-preference"})) as page:
        table = ScriptedTable(page, view(phase="THROW_IN", defender=2, waiting=[0, 1], legal=["attack 7d", "pass"]))
        expect(page.locator(".hand .live")).to_have_count(1)
        two = [{"attack": "7h", "by": 1}, {"attack": "7c", "by": 1}]
        table.update({"e": "attack", "seat": 1, "cards": ["7c"]}, phase="THROW_IN", defender=2, bout=two, legal=["attack 7d", "pass"])
        table.update({"e": "attack", "seat": 1, "cards": ["7s"]}, phase="THROW_IN", defender=2, bout=two, legal=["pass"])
        page.locator(".pair [data-card='7c']").wait_for()
        expect(page.locator(".hand .live")).to_have_count(0, timeout=300)


def test_after_a_transfer_nothing_else_is_on_offer(phone: Page) -> None:
    """A second tap in the same breath is not sent: the attack is no longer one's own to beat."""
    table = ScriptedTable(phone, view())
    phone.locator(".hand [data-card='7d'] button").press("Enter")
    assert ["transfer 7d"] == table.moves()
    expect(phone.locator(".hand .live")).to_have_count(0)
    expect(phone.locator("button.main")).to_have_count(0)

"""For every reader: axe in both themes, and what a screen reader hears."""
from __future__ import annotations

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.scripted import ScriptedTable, view

SIX = {"seats": [{"cards": 6}, {"cards": 5, "passed": True}, {"cards": 6}, {"cards": 1}, {"out": True, "place": 1}, {"cards": 9}]}
OVER = {"phase": "OVER", "bout": [], "legal": [], "waiting": [], "stock": 0, "trump_card": None, "discard": 30}
RESULT = {"kind": "durak", "reason": "cards", "durak": 0, "places": [4, 2, 1, 3, 5]}
REVEAL = {
    "hands": [],
    "pack": [],
    "shuffle": {
        "game": "felt-1",
        "server": {"commitment": "ab" * 32, "seed": "cd" * 32},
        "seats": [{"origin": "seat", "commitment": "11" * 32, "seed": "22" * 32}, {"origin": "absent", "absence": "no_commitment"}],
    },
}
CHEAT = {"cheat": True}


def prefer(page: Page, **preferences: object) -> None:
    """
    Make the page start with these preferences.
    """
    page.add_init_script(f"localStorage.setItem('kozyr', {json.dumps(json.dumps(preferences))})")


def check(page: Page) -> None:
    page.wait_for_timeout(300)
    found = Axe().run(page)
    assert 0 == found.violations_count, found.generate_report()


@pytest.fixture(params=["dark", "light"])
def theme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["phone", "desk"])
def page_in_theme(request: pytest.FixtureRequest, theme: str) -> Page:
    page: Page = request.getfixturevalue(request.param)
    prefer(page, theme=theme)
    return page


def test_axe_finds_nothing_on_the_home_page(page_in_theme: Page) -> None:
    page_in_theme.goto("/")
    page_in_theme.get_by_text("More rules").click()
    check(page_in_theme)


def test_axe_finds_nothing_at_a_table_of_six(page_in_theme: Page) -> None:
    ScriptedTable(page_in_theme, view(**SIX, legal=["beat 7h 9s", "beat 7h 8h", "transfer 7d", "take"]), seats=6)
    page_in_theme.locator(".hand [data-card='9s'] button").focus()
    check(page_in_theme)


def test_axe_finds_nothing_at_a_cheating_table_with_flags_and_slots(page_in_theme: Page) -> None:
    legal = ["challenge 7h", "beat 7h 7d", "transfer 7d", "take"]
    table = ScriptedTable(page_in_theme, view(legal=legal), CHEAT)
    page_in_theme.locator(".hand [data-card='7d'] button").click()
    table.send({"t": "refused", "id": "x", "code": "no_capacity"})
    check(page_in_theme)


def test_axe_finds_nothing_in_menu_and_log(page_in_theme: Page) -> None:
    ScriptedTable(page_in_theme, view())
    page_in_theme.get_by_role("button", name="Menu").click()
    check(page_in_theme)
    page_in_theme.get_by_role("button", name="What happened").click()
    check(page_in_theme)


def test_axe_finds_nothing_at_the_end_of_a_game(page_in_theme: Page) -> None:
    table = ScriptedTable(page_in_theme, view(**SIX), seats=6)
    table.seq += 1
    over = {"t": "update", "seq": table.seq, "events": [{"e": "over", "result": RESULT}], "view": view(**{**SIX, **OVER, "result": RESULT})}
    table.send({**over, "reveal": REVEAL})
    page_in_theme.get_by_text("The shuffle, laid open").click()
    check(page_in_theme)


def test_cards_are_buttons_with_full_names(desk: Page) -> None:
    """A screen reader hears the card, that it is a trump, and whether it can be played."""
    ScriptedTable(desk, view())
    names = desk.locator(".hand button").evaluate_all("buttons => buttons.map((button) => button.getAttribute('aria-label'))")
    assert "eight of hearts, can be played" in names
    assert "king of clubs, cannot be played now" in names
    assert "nine of spades, trump, can be played" in names


def test_moves_are_told_in_words(desk: Page) -> None:
    """Every event goes to the log region, one sentence each."""
    table = ScriptedTable(desk, view())
    table.update({"e": "transfer", "seat": 0, "cards": ["7d"], "to": 1}, hand=["8h"], attacker=0, defender=1, legal=[])
    table.update({"e": "take", "seat": 1}, phase="TAKING", hand=["8h"], attacker=0, defender=1, legal=["pass"])
    log = desk.get_by_role("log")
    expect(log).to_contain_text("You transfer: seven of diamonds. Defender: Bot 1.")
    expect(log).to_contain_text("Bot 1 takes.")


def test_the_counter_is_told_in_words(desk: Page) -> None:
    """How many cards may still come, and why not more (R6.1, R6.2)."""
    ScriptedTable(desk, view(h0=3, capacity=2))
    counter = desk.locator(".counter")
    told = "2 more cards. No more than the defender holds. The sixth card opens after the first beaten bout"
    expect(counter).to_have_attribute("aria-label", told)
    pips = counter.locator("i").evaluate_all("pips => pips.map((pip) => pip.classList[0])")
    assert ["used", "free", "free", "hand", "hand", "locked"] == pips


def test_whose_turn_it_is_stands_in_the_title(desk: Page) -> None:
    """A page in the background says that it is one's turn."""
    table = ScriptedTable(desk, view())
    assert desk.title().startswith("● Your turn")
    table.update({"e": "take", "seat": 0}, phase="TAKING", waiting=[1, 2], legal=[])
    expect(desk.locator(".prompt.slim")).to_have_text("You take; the others may add cards")
    assert not desk.title().startswith("●")


def test_a_page_at_double_zoom_loses_nothing(desk: Page) -> None:
    """1440 pixels at 200 % are 720: everything is still there and inside."""
    desk.set_viewport_size({"width": 720, "height": 450})
    ScriptedTable(desk, view(**SIX), seats=6)
    assert inside(desk)


def inside(page: Page) -> bool:
    """
    Tell whether nothing scrolls sideways and every button is on the screen.
    """
    return bool(
        page.evaluate(
            """() => {
                const onScreen = (box) => !box.width || (box.left >= -2 && box.right <= innerWidth + 2)
                const pressed = [...document.querySelectorAll('button, a, select')]
                return document.documentElement.scrollWidth <= innerWidth && pressed.every((each) => onScreen(each.getBoundingClientRect()))
            }"""
        )
    )


@pytest.mark.parametrize("language", ["az", "en", "it", "lt", "ru", "tr"])
def test_every_language_fits_every_screen(phone: Page, language: str) -> None:
    """320, 360 and 390 pixels, and a phone on its side: no button leaves the screen, no word is cut off."""
    prefer(phone, language=language)
    table = ScriptedTable(phone, view(**SIX, legal=["beat 7h 9s", "beat 7h 8h", "transfer 7d", "take"]), seats=6)
    expect(phone.locator("html")).to_have_attribute("lang", language)
    for width, height in ((390, 844), (360, 640), (320, 568), (844, 390), (820, 1180)):
        phone.set_viewport_size({"width": width, "height": height})
        phone.wait_for_timeout(60)
        assert inside(phone), (language, width)
        for selector in ("button.main", ".counter", ".prompt.slim"):
            assert phone.locator(selector).evaluate("e => e.scrollWidth <= e.clientWidth + 1"), (language, width, selector)
    table.update({"e": "take", "seat": 0}, phase="TAKING", defender=2, legal=["attack 7d", "pass"], **SIX)
    expect(phone.locator("button.main.pass")).to_be_visible()


@pytest.mark.parametrize("language", ["az", "en", "it", "lt", "ru", "tr"])
def test_every_language_fits_the_home_page(phone: Page, language: str) -> None:
    prefer(phone, language=language)
    phone.goto("/")
    phone.locator("summary").click()
    for width in (390, 320, 844):
        phone.set_viewport_size({"width": width, "height": 700})
        assert inside(phone), (language, width)

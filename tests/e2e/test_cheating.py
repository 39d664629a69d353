"""A cheating table: nothing tells lawful from unlawful before a verdict (R14)."""
from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.scripted import ScriptedTable, view

CHEAT = {"cheat": True, "penalty": "take_bout"}
BEATEN = [{"attack": "7h", "by": 1, "beat": "8c"}]
CLOSING = {"phase": "CHALLENGE", "defender": 2, "bout": BEATEN, "waiting": [0, 1]}


def test_no_card_is_dimmed_and_no_name_says_what_may_be_played(phone: Page) -> None:
    """A cheating table gives no hint of legality (R14.3)."""
    ScriptedTable(phone, view(legal=["beat 7h 8h", "take"]), CHEAT)
    expect(phone.locator(".hand.dims")).to_have_count(0)
    names = phone.locator(".hand button").evaluate_all("buttons => buttons.map((button) => button.getAttribute('aria-label'))")
    assert not [name for name in names if "played" in name]


def test_a_flag_challenges_after_a_second_press(phone: Page) -> None:
    """A flag is raised by one press and meant by the next, for a wrong challenge costs (R14.8)."""
    table = ScriptedTable(phone, view(**CLOSING, legal=["challenge 8c", "accept"]), CHEAT)
    flag = phone.get_by_role("button", name="Challenge: eight of clubs")
    flag.tap()
    phone.wait_for_timeout(100)
    assert [] == table.heard
    flag.tap()
    assert ["challenge 8c"] == table.moves()


def test_holding_a_card_down_challenges_it(desk: Page) -> None:
    """A long press on the card is a challenge (R14.6)."""
    table = ScriptedTable(desk, view(**CLOSING, legal=["challenge 8c", "accept"]), CHEAT)
    box = desk.locator(".pair .beat.card").bounding_box()
    assert box is not None
    desk.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.6)
    desk.mouse.down()
    desk.wait_for_timeout(900)
    desk.mouse.up()
    assert ["challenge 8c"] == table.moves()


def test_only_cards_that_may_be_challenged_carry_a_flag(desk: Page) -> None:
    """The server names the cards (R14.6)."""
    ScriptedTable(desk, view(**CLOSING, legal=["challenge 8c", "accept"]), CHEAT)
    expect(desk.locator(".flag")).to_have_count(1)


def test_accepting_ends_the_window(phone: Page) -> None:
    """In the challenge window the big button accepts (R14.5)."""
    table = ScriptedTable(phone, view(**CLOSING, legal=["challenge 8c", "accept"]), CHEAT)
    expect(phone.locator(".prompt.slim")).to_have_text("Challenge a card or accept")
    phone.get_by_role("button", name="Accept").tap()
    assert ["accept"] == table.moves()


def test_the_verdict_is_told_with_the_card_and_its_reason(phone: Page) -> None:
    """Everybody is told who challenged which card, and what was wrong with it (R14.7)."""
    table = ScriptedTable(phone, view(**CLOSING, legal=["accept"]), CHEAT)
    table.update({"e": "challenge", "seat": 1, "card": "8c", "author": 2, "right": True, "code": "does_not_beat"}, phase="TAKING", legal=[])
    notice = phone.locator(".verdict")
    expect(notice).to_contain_text("Bot 1 challenges the eight of clubs, played by Bot 2: rightly!")
    expect(notice).to_contain_text("It does not beat the card under it.")
    expect(notice.locator(".card")).to_be_visible()
    expect(phone.get_by_role("log")).to_contain_text("rightly")

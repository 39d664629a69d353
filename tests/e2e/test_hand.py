"""One's own cards: by finger, by mouse, by keyboard, and what they may do."""
from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.scripted import ScriptedTable, view


def card(page: Page, name: str) -> Locator:
    return page.locator(f'.hand [data-card="{name}"] button')


def drag(page: Page, source: Locator, x: float, y: float) -> None:
    box = source.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 25, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] - 40, steps=4)
    page.mouse.move(x, y, steps=6)


def middle(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_tap_plays_a_card_that_has_one_place_to_go(phone: Page) -> None:
    """A card that beats the only open card beats it at a touch (R7.1)."""
    table = ScriptedTable(phone, view())
    card(phone, "8h").tap()
    assert ["beat 7h 8h"] == table.moves()
    beaten = [{"attack": "7h", "by": 1, "beat": "8h"}]
    table.update({"e": "beat", "seat": 0, "attack": "7h", "card": "8h"}, hand=["Jh"], bout=beaten, legal=[])
    expect(phone.locator(".pairs .card")).to_have_count(2)
    expect(phone.get_by_role("log")).to_contain_text("You beat seven of hearts: eight of hearts.")


def test_a_command_names_its_bout(phone: Page) -> None:
    """A move carries the bout that it was meant for and an id of its own."""
    table = ScriptedTable(phone, view(bout_no=7))
    card(phone, "8h").tap()
    table.moves()
    assert {"t": "play", "move": "beat 7h 8h", "bout": 7} == {key: table.heard[0][key] for key in ("t", "move", "bout")}
    assert len(table.heard[0]["id"]) >= 8


def test_a_card_that_cannot_be_played_stays(phone: Page) -> None:
    """A tap on a dimmed card does nothing."""
    table = ScriptedTable(phone, view())
    card(phone, "Kc").tap(force=True)
    phone.wait_for_timeout(150)
    assert [] == table.heard
    expect(card(phone, "Kc")).to_have_attribute("aria-disabled", "true")


def test_where_there_is_a_choice_the_places_are_shown(desk: Page) -> None:
    """With two open cards a card is selected first, then its target is chosen (R7.2)."""
    bout = [{"attack": "7h", "by": 1}, {"attack": "7c", "by": 2}]
    table = ScriptedTable(desk, view(bout=bout, legal=["beat 7h 9s", "beat 7c 9s", "take"]))
    card(desk, "9s").click()
    expect(desk.locator(".pair.target")).to_have_count(2)
    desk.get_by_role("button", name="seven of clubs").click()
    assert ["beat 7c 9s"] == table.moves()


def test_escape_lets_a_selected_card_go(desk: Page) -> None:
    """Escape takes the choice back."""
    table = ScriptedTable(desk, view(legal=["beat 7h 7d", "transfer 7d", "take"]))
    card(desk, "7d").click()
    expect(desk.locator(".hand .selected")).to_have_count(1)
    desk.keyboard.press("Escape")
    expect(desk.locator(".hand .selected")).to_have_count(0)
    assert [] == table.heard


def test_a_transfer_has_a_slot_of_its_own(phone: Page) -> None:
    """The seven of trumps may beat, be transferred or be shown; each is a place (R8.1, R8.8)."""
    table = ScriptedTable(phone, view(hand=["7s", "Kc"], legal=["beat 7h 7s", "transfer 7s", "show 7s", "take"]))
    card(phone, "7s").tap()
    expect(phone.locator(".slot")).to_have_count(2)
    phone.get_by_role("button", name="Show", exact=True).tap()
    assert ["show 7s"] == table.moves()


def test_dragging_onto_a_card_beats_it(desk: Page) -> None:
    """A card is dropped on the one that it shall beat, among several (R7.2)."""
    bout = [{"attack": "7h", "by": 1}, {"attack": "7c", "by": 2}]
    table = ScriptedTable(desk, view(bout=bout, legal=["beat 7h 9s", "beat 7c 9s", "take"]))
    drag(desk, card(desk, "9s"), *middle(desk.locator('.pair[data-place="7c"] .attack')))
    expect(desk.locator('.pair[data-place="7c"].hot')).to_have_count(1)
    desk.mouse.up()
    assert ["beat 7c 9s"] == table.moves()


def test_dragging_onto_the_slot_transfers(desk: Page) -> None:
    """While a card of the rank is dragged the transfer slot is there (R8.1)."""
    table = ScriptedTable(desk, view(legal=["beat 7h 7d", "transfer 7d", "take"]))
    drag(desk, card(desk, "7d"), 720, 300)
    desk.mouse.move(*middle(desk.locator(".slot")), steps=4)
    desk.mouse.up()
    assert ["transfer 7d"] == table.moves()


def test_a_card_dropped_outside_returns(desk: Page) -> None:
    """A drop beside the felt plays nothing."""
    table = ScriptedTable(desk, view())
    before = card(desk, "8h").bounding_box()
    drag(desk, card(desk, "8h"), 20, 880)
    desk.mouse.up()
    desk.mouse.move(20, 400)
    desk.wait_for_timeout(400)
    assert before == card(desk, "8h").bounding_box()
    assert [] == table.heard


def test_a_refused_card_returns_and_says_why(desk: Page) -> None:
    """A refusal is told in words, and the card is in the hand again."""
    table = ScriptedTable(desk, view())
    before = card(desk, "8h").bounding_box()
    drag(desk, card(desk, "8h"), *middle(desk.locator(".pair .attack")))
    desk.mouse.up()
    table.moves()
    table.send({"t": "refused", "id": table.heard[0]["id"], "code": "already_beaten", "about": "7h"})
    expect(desk.get_by_role("alert").filter(has_text="That card is beaten already.")).to_be_visible()
    desk.mouse.move(20, 400)
    desk.wait_for_timeout(400)
    assert before == card(desk, "8h").bounding_box()


def test_several_cards_open_a_bout_together(phone: Page) -> None:
    """Where a bout may begin with several cards they are selected and played at once (R4.2)."""
    legal = ["attack 7d", "attack 7c", "attack 7c 7d", "attack Kc"]
    opening = {"phase": "OPENING", "bout": [], "attacker": 0, "defender": 1, "h0": 0}
    table = ScriptedTable(phone, view(**opening, hand=["7c", "7d", "Kc"], legal=legal))
    card(phone, "7c").tap()
    expect(phone.get_by_role("button", name="Play 1 card", exact=True).last).to_be_visible()
    card(phone, "7d").tap()
    phone.locator("button.main").tap()
    assert ["attack 7c 7d"] == table.moves()


def test_the_keyboard_plays_alone(desk: Page) -> None:
    """Arrows walk along the hand, Enter plays."""
    table = ScriptedTable(desk, view())
    desk.locator(".hand button[tabindex='0']").focus()
    desk.keyboard.press("End")
    expect(card(desk, "9s")).to_be_focused()
    assert "nine of spades, trump, can be played" == card(desk, "9s").get_attribute("aria-label")
    desk.keyboard.press("Enter")
    assert ["beat 7h 9s"] == table.moves()


def test_the_keyboard_chooses_a_place(desk: Page) -> None:
    """After Enter on a card with several places the focus is on the first of them."""
    table = ScriptedTable(desk, view(legal=["beat 7h 7d", "transfer 7d", "take"]))
    card(desk, "7d").focus()
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("button", name="seven of hearts")).to_be_focused()
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    assert ["transfer 7d"] == table.moves()


@pytest.mark.parametrize(
    ("key", "change", "move"),
    [
        ("t", {}, "take"),
        ("d", {"phase": "THROW_IN", "defender": 2, "legal": ["attack 7d", "pass"]}, "pass"),
        ("d", {"phase": "CHALLENGE", "legal": ["challenge 7h", "accept"]}, "accept"),
    ],
)
def test_keys_press_the_big_button(desk: Page, key: str, change: dict[str, object], move: str) -> None:
    """T takes; D is done, or accepts (R9.1, R5.4, R14.5)."""
    table = ScriptedTable(desk, view(**change))
    desk.locator("button.main").wait_for()
    desk.keyboard.press(key)
    assert [move] == table.moves()


def test_a_move_is_sent_once_however_often_one_presses(desk: Page) -> None:
    """Until the server has answered, the same move is not on offer again."""
    table = ScriptedTable(desk, view())
    desk.keyboard.press("t")
    desk.keyboard.press("t")
    desk.keyboard.press("t")
    table.moves()
    desk.wait_for_timeout(150)
    assert ["take"] == table.moves()
    expect(desk.locator("button.main")).to_have_count(0)


def test_quick_updates_are_shown_in_order(desk: Page) -> None:
    """Thirty updates in one breath lose nothing and end in the last view."""
    table = ScriptedTable(desk, view())
    for count in range(30):
        table.update({"e": "draw", "seat": 1, "count": count + 1}, stock=40 - count)
    expect(desk.locator(".stock .count")).to_have_text("11")
    told = desk.get_by_role("log").locator("p").all_inner_texts()
    assert [f"Bot 1 draws {n} card{'' if n == 1 else 's'}." for n in range(1, 31)] == told

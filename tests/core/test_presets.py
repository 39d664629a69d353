"""The presets of the create screen."""

from __future__ import annotations

import re

import pytest

from kozyr.core.options import CHOICES, RANGES, OptionError, Rules, Value, may_deal
from kozyr.core.presets import ADVANCED, LIBRARY, MAIN, ON_SCREEN, PRESETS, preset_rules
from tests.tidy.files import ROOT

# The columns of the rules' table of options, and the preset that plays by that page.
PAGES = {"AZ": "peak", "TR1": "transfer", "TR2, LT": "throw_in", "IT": "classic"}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_table(name: str) -> None:
    """
    Every preset can be played as it stands, at its own number of seats and at every other that its deck allows.
    """
    preset = PRESETS[name]
    rules = preset_rules(name, {})
    assert preset.values == {option: rules.to_dict()[option] for option in preset.values}
    for seats in range(2, 7):
        if may_deal(rules.deck, seats):
            assert seats == preset_rules(name, {"seats": seats}).seats


@pytest.mark.parametrize("name", PRESETS)
def test_a_player_changes_what_the_preset_leaves_open(name: str) -> None:
    """
    What may be changed is changed, and everything else is refused with a code.
    """
    preset = PRESETS[name]
    own = preset_rules(name, {}).to_dict()
    for option, values in CHOICES.items():
        other = next(value for value in reversed(values) if value not in ("", own[option]) and (option != "seats" or value == 3))
        if option in preset.change:
            assert other == preset_rules(name, {option: other}).to_dict()[option]
        else:
            with pytest.raises(OptionError) as caught:
                preset_rules(name, {option: other})
            assert ("not_changeable", option) == (caught.value.code, caught.value.option)


def test_to_choose_what_the_preset_has_is_no_change() -> None:
    """
    The screen may send a preset's own values along.
    """
    assert preset_rules("throw_in", {}) == preset_rules("throw_in", {"transfer": False, "first_limit": 6})


def test_an_unknown_preset_is_refused() -> None:
    """
    A preset has a name of the list.
    """
    with pytest.raises(OptionError) as caught:
        preset_rules("poker", {})
    assert ("unknown_preset", "poker") == (caught.value.code, caught.value.value)


def test_every_option_has_its_place_on_the_screen_or_in_the_library() -> None:
    """
    Main, advanced and library options are all options, each once.
    """
    assert sorted([*CHOICES, *RANGES]) == sorted([*MAIN, *ADVANCED, *LIBRARY])
    assert set(ON_SCREEN) == {*MAIN, *ADVANCED}
    assert all(set(preset.change) <= set(ON_SCREEN) for preset in PRESETS.values())


def rows() -> list[dict[str, str]]:
    """
    Read what the pages say of each option from the rules.
    """
    part = (ROOT / "docs/rules.md").read_text(encoding="utf-8").split("## 2. Options and presets")[1].split("\n\n")[1]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines()]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]


def said(text: str) -> list[Value]:
    """
    Read what a page says: one value, several to choose from, or nothing that can be compared.
    """
    text = text.strip("*")
    if not re.fullmatch(r"[a-z_0-9/]+", text) or text in ("any", "choice"):
        return []
    known: dict[str, Value] = {"true": True, "false": False}
    return [known.get(word, int(word) if word.isdigit() else word) for word in text.split("/")]


@pytest.mark.parametrize(("page", "name"), PAGES.items())
def test_a_preset_plays_by_its_page(page: str, name: str) -> None:
    """
    Where the page says something, the preset does it; where the page leaves a choice, so does the preset. (R10.5)
    """
    rules = preset_rules(name, {}).to_dict()
    for row in rows():
        for option in row["option"].split(", "):
            values = said(row[page])
            assert not values or rules[option] in values, option
            if name == "peak" and (row[page] in ("any", "choice") or len(values) > 1):
                assert option in PRESETS[name].change, option


def test_without_a_preset_a_table_has_the_defaults() -> None:
    """
    A table of one's own begins with the default of every option.
    """
    assert Rules() == preset_rules("custom", {})

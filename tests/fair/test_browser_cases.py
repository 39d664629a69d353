"""What the browser checks its own shuffle against is what the engine draws."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kozyr.app.dealing import Previous, draw
from kozyr.app.gamefile import check
from kozyr.core.cards import format_cards
from kozyr.core.options import Rules
from kozyr.core.record import parse_game
from kozyr.core.setup import LastGame
from kozyr.fair import Stream

CLIENT = Path(__file__).parents[2] / "client" / "tests"
CASES: list[dict[str, Any]] = json.loads((CLIENT / "drawn.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: ",".join(f"{name}={value}" for name, value in case["options"].items()))
def test_the_engine_draws_what_the_browser_expects(case: dict[str, Any]) -> None:
    """Dealer, deck, redealt decks and the first attack, for tables of every kind (R2.5, R2.6, R3.2, R3.3)."""
    before = case["previous"]
    previous = before and Previous(before["dealer"], LastGame(before["durak"], before["winner"], before["last_defender"]))
    drawn = draw(Rules.of(case["options"]), Stream(bytes.fromhex(case["key"])), previous)
    expected = {"dealer": drawn.dealer, "pack": format_cards(drawn.pack), "redeals": drawn.redeals, "attacker": drawn.attacker}
    assert expected == case["drawn"]


def test_the_browsers_game_is_one() -> None:
    """The file that the browser's tests tamper with passes the check of `kozyr verify` as it is (R2.6)."""
    found = check(parse_game((CLIENT / "game.txt").read_text(encoding="utf-8")))
    assert [] == [each.text for each in found if not each.is_right]

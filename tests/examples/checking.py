"""
Worked examples: their format, and the comparison with what an engine says.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]  # no types without a package more

from tests.examples.engines import Engine, Playing, Refused

Example = dict[str, Any]

TESTS = ("deal", "dealt", "first", "pay", "position")
EXAMPLE_KEYS = {"id", "title", "clause", "options", "steps", *TESTS}
POSITION_KEYS = {
    *("trump", "attacker", "hands", "stock", "bout", "defender", "h0", "joined", "out", "beaten_before", "bout_no"),
    *("phase", "passed", "floor_open", "transfer_lost", "shown", "barred", "no_challenge"),
}
STEP_KEYS = {"do", "legal", "illegal", "expect"}
PART_KEYS = {
    "deal": {"deck", "seats", "ok"},
    "dealt": {"deck", "seats", "dealer", "pack", "hands", "trump_card", "stock", "attacker"},
    "first": {"trump", "hands", "seat", "up", "dealer", "no_trump"},
    "pay": {"seats", "entry", "split", "out", "placed"},
    "position": POSITION_KEYS,
}
EXPECT_KEYS = {
    *("phase", "attacker", "defender", "capacity", "limit", "h0", "hands", "cards", "bout", "stock", "discard", "waiting"),
    *("may_throw", "outcome", "draw_order", "drew", "places", "result", "durak", "reason", "payout", "default"),
}
SETS = ("waiting", "may_throw")
BY_SEAT = ("hands", "cards", "payout", "default")


class Malformed(ValueError):
    """
    Say that an example does not keep to the format.
    """


def read_examples(folder: Path) -> list[Example]:
    """
    Read every example in *folder*, file by file in the order of names.

    Raises: Malformed for a folder without examples and for a file that is no list of examples.
    """
    examples: list[Example] = []
    for path in sorted(folder.glob("*.yaml")):
        listed = yaml.safe_load(path.read_text(encoding="utf-8"))
        if not isinstance(listed, list) or not all(isinstance(example, dict) and "id" in example for example in listed):
            raise Malformed(f"{path} is not a list of examples with an id each")
        examples += listed
    if not examples:
        raise Malformed(f"no examples in {folder}")
    return examples


def check(example: Example, engine: Engine) -> None:
    """
    Run one example on *engine*.

    Raises: Malformed, or AssertionError that names the step.
    """
    only_known("the example", example, EXAMPLE_KEYS)
    parts = [part for part in TESTS if part in example]
    if len(parts) != 1 or ("steps" in example) != (parts == ["position"]):
        raise Malformed(f"an example has one of {TESTS}, and steps with a position only; this has {sorted(example)}")
    part = parts[0]
    only_known(part, example[part], PART_KEYS[part])
    {"deal": check_deal, "dealt": check_dealt, "first": check_first, "pay": check_pay, "position": check_position}[part](example, engine)


def only_known(where: str, keys: dict[str, Any], known: set[str]) -> None:
    """
    Refuse keys that the format does not have.
    """
    unknown = sorted(str(key) for key in keys if key not in known)
    if unknown:
        raise Malformed(f"unknown in {where}: {', '.join(unknown)}")


def check_deal(example: Example, engine: Engine) -> None:
    """
    Compare whether a table may be opened.
    """
    part = example["deal"]
    assert part["ok"] == engine.may_open(part["deck"], part["seats"])


def check_dealt(example: Example, engine: Engine) -> None:
    """
    Compare a deal; hands as sets, the stock in order.
    """
    part = example["dealt"]
    dealt = engine.deal(part["deck"], part["seats"], part["dealer"], part["pack"].split())
    hands = part["hands"]
    assert [set(hands[seat].split()) for seat in range(len(hands))] == [set(hand) for hand in dealt["hands"]]
    expected = (part["trump_card"], part["stock"].split(), part["attacker"])
    assert expected == (dealt["trump_card"], dealt["stock"], dealt["attacker"])


def check_first(example: Example, engine: Engine) -> None:
    """
    Compare who attacks first.
    """
    part = example["first"]
    hands = [hand.split() for hand in part["hands"]]
    assert part["seat"] == engine.first(hands, part["trump"], part.get("dealer", 0), part.get("no_trump", "lot"))


def check_pay(example: Example, engine: Engine) -> None:
    """
    Compare the payouts by place.
    """
    part = example["pay"]
    assert part["out"] == engine.pay(part["seats"], part["entry"], part["split"], part.get("placed"))


def check_position(example: Example, engine: Engine) -> None:
    """
    Play the steps of an example from its position.
    """
    options = dict(example.get("options", {}))
    for name in ("redeal", "turn_s"):
        # YAML reads an unquoted off as false.
        if options.get(name) is False:
            options[name] = "off"
    playing = engine.from_position(options, example["position"])
    for number, step in enumerate(example["steps"], 1):
        where = f"step {number} of {example['id']}"
        only_known(where, step, STEP_KEYS)
        for move in step.get("do", []):
            try:
                do(playing, move)
            except Refused:
                raise AssertionError(f"{where}: {move!r} is not accepted in {playing.state()}") from None
        for seat, moves in step.get("legal", {}).items():
            assert sorted(moves) == playing.legal(seat), f"{where}: the legal moves of seat {seat}"
        for move in step.get("illegal", []):
            assert is_refused(playing, move), f"{where}: {move!r} is accepted"
        check_facts(step.get("expect", {}), playing.facts(), where)


def do(playing: Playing, move: str) -> None:
    """
    Play a move that is written with its seat.
    """
    seat, text = move.split(" ", 1)
    playing.do(int(seat), text)


def is_refused(playing: Playing, move: str) -> bool:
    """
    Say whether a move is refused, and check that a refusal changes nothing.
    """
    before = (playing.state(), playing.facts())
    try:
        do(playing, move)
    except Refused:
        assert before == (playing.state(), playing.facts())
        return True
    return False


def check_facts(expected: dict[str, Any], actual: dict[str, Any], where: str) -> None:
    """
    Compare the facts that are given.
    """
    only_known(f"what {where} expects", expected, EXPECT_KEYS)
    for key, value in expected.items():
        if key in BY_SEAT:
            seats = dict(enumerate(value)) if isinstance(value, list) else value
            if isinstance(value, list):
                assert len(value) == len(actual[key]), f"{where}: {key}"
            for seat, one in seats.items():
                fact = actual[key][seat]
                pair = (set(one.split()), set(fact)) if key == "cards" else (one, fact)
                assert pair[0] == pair[1], f"{where}: {key} of seat {seat}"
        elif key in SETS:
            assert set(value) == set(actual[key]), f"{where}: {key}"
        elif key == "drew":
            assert {seat: cards.split() for seat, cards in value.items()} == actual[key], f"{where}: {key}"
        else:
            assert value == actual[key], f"{where}: {key}"

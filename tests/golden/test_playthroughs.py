"""Whole games go as they went before, down to what every seat sees after every move."""

from __future__ import annotations

import pytest

from kozyr.core.events import Challenged, GameOver
from kozyr.core.play import play
from kozyr.core.setup import start
from tests.golden.playthroughs import FOLDER, GAMES, SIZE_MAX, read, text_of


@pytest.mark.parametrize("name", GAMES)
def test_the_game_is_told_as_it_was(name: str) -> None:
    """
    The same moves give the same events and the same views.

    `PYTHONPATH=src python -m tests.golden.playthroughs` writes the files again; what changed is then for the reader of the change to judge.
    """
    path = FOLDER / f"{name}.txt"
    expected = path.read_text(encoding="utf-8")
    assert expected.splitlines() == text_of(read(path)).splitlines()
    assert len(expected) < SIZE_MAX


def test_the_tables_are_those_of_the_list() -> None:
    """
    Each file is a game of its table.
    """
    assert [rules for rules, _ in GAMES.values()] == [read(FOLDER / f"{name}.txt").rules for name in GAMES]


def test_what_is_special_about_a_table_happens() -> None:
    """
    The games show every kind of move but leaving, right and wrong challenges, and a game without draws decided by its last card.
    """
    kinds, verdicts, reasons = set(), set(), set()
    for name in GAMES:
        record = read(FOLDER / f"{name}.txt")
        position = start(record.rules, record.pack, record.dealer, record.attacker)
        for move in record.moves:
            kinds.add(move.kind)
            for event in play(position, move):
                if isinstance(event, Challenged):
                    verdicts.add((record.rules.penalty, event.right))
                if isinstance(event, GameOver):
                    reasons.add(event.result.reason)
    assert {"attack", "beat", "transfer", "show", "take", "pass", "challenge", "accept"} == kinds
    assert {(penalty, right) for penalty in ("take_bout", "rollback") for right in (True, False)} == verdicts
    assert {"cards", "last_emptied"} == reasons

"""The page about coins says what is so."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kozyr.app.ports import Row
from kozyr.core.options import RANGES
from kozyr.ledger import Kind, Terms, opening_grant, pot, settle, shares, stakes
from kozyr.store.sqlite import SqliteStore

PAGE = (Path(__file__).parents[2] / "docs/coins.md").read_text(encoding="utf-8")


def queries(block: int) -> list[str]:
    """List the statements of one of the page's blocks; a semicolon inside a line is part of a statement."""
    found = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)[block]
    return [each.strip() for each in found.split(";\n") if each.strip()]


def test_the_defaults_are_those_of_the_code() -> None:
    """Grants, floor and limits stand on the page as they are."""
    terms = Terms()
    assert f"grant of {terms.opening:,}," in PAGE and f"up to {terms.floor}," in PAGE and f"most {terms.company_games} staked" in PAGE
    rows = re.findall(r"^\| .*? \| (\d+) \|$", PAGE[PAGE.index("### Limits") :], re.MULTILINE)
    assert [terms.opening, terms.floor, terms.address_grants, terms.company_games] == [int(row) for row in rows]
    assert f"10 to {RANGES['stake'][1]:,} coins" in PAGE


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_shares_are_those_of_the_code(seats: int) -> None:
    """The table of shares is computed, not remembered. (R15.3, R15.4)"""
    assert f"| {seats} | {' · '.join(map(str, shares(pot(100, seats), 'linear', seats)))} |" in PAGE


def test_every_kind_of_entry_is_explained() -> None:
    """A player who sees a word in the history finds it on the page."""
    assert [str(kind) for kind in Kind] == re.findall(r"^\| `(\w+)` \| `\w+:", PAGE, re.MULTILINE)


async def test_the_checks_can_be_asked(tmp_path: Path) -> None:
    """The page's statements run on a database, and the first ones show nothing while all is well."""
    async with SqliteStore(tmp_path / "kozyr.db") as store:
        for guest in ("ann", "GUEST"):
            await store.book(opening_grant(guest, "192.0.2.1", 0, Terms()))
        players = ["ann", "GUEST"]
        await store.append("t", 0, [Row(1, 0, b"")], None, [stakes("t/1", players, 100, 0, Terms())])
        await store.append("t", 1, [Row(2, 0, b"")], None, [settle("t/1", players, 100, "linear", [0], 1, 0)])
        await store.append("u", 0, [Row(1, 0, b"")], None, [stakes("u/1", players, 50, 0, Terms())])
        with closing(sqlite3.connect(f"file:{tmp_path / 'kozyr.db'}?mode=ro", uri=True)) as db:
            assert [[]] * 5 == [db.execute(each).fetchall() for each in queries(0)]
            pots, history, companies = [db.execute(each).fetchall() for each in queries(1)]
        assert [("pot:u/1", 100)] == pots
        assert (3, "1970-01-01 00:00:00", "stake", "stake:u/1", -50, 850) == history[0]
        assert [3, 2, 1] == [line[0] for line in history]
        assert [(0, "GUEST,ann", 2)] == companies

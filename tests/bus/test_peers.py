"""What a process has to tell the others, while it cannot."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kozyr.bus import postgres
from kozyr.bus.link import Link
from kozyr.bus.peers import TELLING_MAX, PostgresPeers


class Cut(Link):
    """A link that is cut after a few announcements."""

    def __init__(self, left: int) -> None:
        super().__init__("")
        self.left = left
        self.said: list[str] = []

    async def say(self, channel: str, payload: str) -> None:
        if not self.left:
            raise ConnectionResetError
        self.left -= 1
        self.said.append(payload)

    async def ask(self, statement: str, *values: Any) -> list[Any]:
        return []


async def test_what_cannot_be_told_waits_and_only_so_much_of_it() -> None:
    """A database that is away for hours fills nobody's memory; what was told meanwhile goes on where it was cut, the newest of it."""
    link = Cut(left=2)
    peers = PostgresPeers(link, "1", "", lambda: 0)
    peers._living = {"1": "", "2": ""}
    for number in range(5):
        peers.tell("t1", b"%d" % number)
    # Whether the one that was on its way arrived nobody knows; a phrase is not said twice.
    with pytest.raises(ConnectionResetError):
        await peers._say()
    assert ["1 told t1 0", "1 told t1 1"] == link.said
    link.left = 10
    await peers._say()
    assert ["1 told t1 3", "1 told t1 4"] == link.said[2:]
    for number in range(TELLING_MAX + 5):
        peers.tell("t1", b"%d" % number)
    assert TELLING_MAX == len(peers._telling)
    assert peers._telling[0].endswith(" 5")


async def test_tables_that_are_loaded_at_once_are_asked_for_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of players who come over from a process that died do not keep this one from saying that it lives (I10)."""
    link, asked = Cut(left=0), list[list[str]]()

    async def ask(statement: str, *values: Any) -> list[Any]:
        asked.append(values[0])
        await asyncio.sleep(0)
        return [(table_id, 1, "2") for table_id in values[0]]

    monkeypatch.setattr(link, "ask", ask)
    peers = PostgresPeers(link, "1", "", lambda: 0)
    found = await asyncio.gather(*(peers.elsewhere(f"t{number}") for number in range(1000)))
    assert [frozenset({1})] * 1000 == found
    assert 1 == len(asked)
    assert frozenset({1}) == await peers.elsewhere("t1000")
    assert [["t1000"]] == asked[1:]


async def test_a_round_that_is_due_goes_before_the_rest_of_what_is_to_be_said() -> None:
    """However much there is to say, this process says in time that it lives; what is left is said afterwards."""
    link = Cut(left=100)
    peers = PostgresPeers(link, "1", "", lambda: 0)
    peers._living = {"1": "", "2": ""}
    for number in range(5):
        peers.tell("t1", b"%d" % number)
        peers.say_here("t1", number, True)
        peers.list_table("t1", number, None)
    link._next_at = 0.0
    link._woken.clear()
    await peers._say()
    assert [] == link.said and 5 == len(peers._unsaid) and link._woken.is_set()
    link._next_at = float("inf")
    await peers._say()
    assert 5 == len(link.said) and not peers._unsaid and not peers._unlisted


async def test_a_table_that_is_just_being_loaded_is_not_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its hints are for this process from the moment that its log is read; what nobody has loaded then is let go of later (trap 1)."""
    link, noted = Cut(left=0), {"loading", "left"}

    async def ask(statement: str, *values: Any) -> list[Any]:
        if statement == postgres.LET_GO:
            noted.difference_update(values[0])
        elif statement == postgres.HOLD:
            noted.update(values[0])
        return [(table_id,) for table_id in noted]

    async def heads(table_ids: Any) -> dict[str, int]:
        return {}

    monkeypatch.setattr(link, "ask", ask)
    monkeypatch.setattr(postgres, "AGAIN_S", 0.0)
    bus, local = postgres.PostgresBus(link, "1", heads), {"here": 1}
    bus.look_after(local.items)
    await bus._hold()
    assert {"loading", "left", "here"} == noted
    local["loading"] = 1
    await bus._hold()
    assert {"loading", "here"} == noted
    del local["here"]
    await bus._hold()
    assert {"loading"} == noted

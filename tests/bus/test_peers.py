"""What a process has to tell the others, while it cannot."""

from __future__ import annotations

from typing import Any

import pytest

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

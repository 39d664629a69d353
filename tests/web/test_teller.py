"""Many tables' changes are told in one go."""
from __future__ import annotations

import asyncio
from typing import Any

import pytest

from kozyr.web.teller import Sending, Teller


class Sent:
    """A connection that notes what is sent to it."""

    def __init__(self, heard: list[object]) -> None:
        self.heard = heard

    def send(self, message: bytes) -> None:
        self.heard.append(message)


class Change:
    """A change that is written, or cannot be."""

    def __init__(self, heard: list[object], message: bytes | None) -> None:
        self.heard = heard
        self.message = message

    def write(self, sending: Sending) -> None:
        if self.message is None:
            raise ValueError("this table is broken")
        self.heard.append("written")
        connection: Any = Sent(self.heard)
        sending.append((connection, self.message))


async def test_all_is_written_and_then_all_is_sent(caplog: pytest.LogCaptureFixture) -> None:
    """Whoever waits for a change to be told hears after everybody has been told, and a table that cannot be told keeps nobody else."""
    teller, heard = Teller(), list[object]()
    teller.note(Change(heard, b"one"))
    teller.then(lambda: heard.append("told"))
    teller.note(Change(heard, None))
    teller.note(Change(heard, b"two"))
    assert [] == heard
    await asyncio.sleep(0)
    assert ["written", "written", b"one", b"two", "told"] == heard
    assert "could not be told" in caplog.text
    heard.clear()
    teller.then(lambda: teller.note(Change(heard, b"three")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert ["written", b"three"] == heard


async def test_a_viewer_who_cannot_be_told_keeps_nobody_else(caplog: pytest.LogCaptureFixture) -> None:
    """It is dropped and comes back; everybody else is told, and all who wait go on."""
    teller, heard = Teller(), list[object]()

    class Broken(Change):
        def write(self, sending: Sending) -> None:
            connection: Any = self
            sending.append((connection, b""))

        def send(self, message: bytes) -> None:
            raise RuntimeError("the handle is closed")

        def drop(self) -> None:
            self.heard.append("dropped")

    teller.note(Broken(heard, None))
    teller.note(Change(heard, b"one"))
    teller.then(lambda: heard.append(1 // 0))
    teller.then(lambda: heard.append("told"))
    await asyncio.sleep(0)
    assert ["written", "dropped", b"one", "told"] == heard
    assert "the handle is closed" in caplog.text and "could not go on" in caplog.text

"""Tells of many tables' changes in one go."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from kozyr.web.connection import Connection

log = logging.getLogger(__name__)

Sending = list[tuple[Connection, bytes]]


class Telling(Protocol):
    """Something that has changed."""

    def write(self, sending: Sending) -> None:
        """Write what is to be sent of it, to whom."""


class Teller:
    """
    Tells, in the event loop's next turn, of all that has changed in this one.

    Moves come in groups, since they share commits. To write all messages and then to send them all takes a sixth less than to do both for
    one table after another: each time the same code runs, and is still in the caches.
    """

    def __init__(self) -> None:
        self._changed: list[Telling] = []
        self._then: list[Callable[[], None]] = []
        self._is_awake = False

    def note(self, changed: Telling) -> None:
        """Tell of something."""
        if not self._is_awake:
            self._wake()
        self._changed.append(changed)

    def then(self, callback: Callable[[], None]) -> None:
        """Call *callback* once all has been told that was noted."""
        if not self._is_awake:
            self._wake()
        self._then.append(callback)

    def _wake(self) -> None:
        self._is_awake = True
        asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        self._is_awake = False
        changed, self._changed = self._changed, []
        then, self._then = self._then, []
        sending: Sending = []
        for each in changed:
            try:
                each.write(sending)
            except Exception:
                # The edge of the event loop: everybody else has to be told.
                log.exception("a change could not be told")
        send(sending)
        for callback in then:
            try:
                callback()
            except Exception:
                log.exception("somebody could not go on after a change was told")


def send(sending: Sending) -> None:
    """Send what was written."""
    for connection, message in sending:
        try:
            connection.send(message)
        except Exception:
            # Comes back and is told from the log.
            log.exception("a viewer could not be told")
            connection.drop()

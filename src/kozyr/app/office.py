"""What an operator does to players and tables: each act is written down."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Act:
    """
    Something that an operator did, from an address, at a moment in milliseconds.

    `what` is one of login, refused, mute, unmute, close, refund, failed; `about` the public id of a player, or a table; `words` the
    operator's reason, or why the table was not closed.
    """

    number: int
    at: int
    address: str
    what: str
    about: str
    words: str


class Office(Protocol):
    """The operator's acts, which stay, and who may say nothing for how long."""

    async def act(self, act: Act) -> int:
        """Write an act down; returns its number, which the given one's does not matter for."""

    async def acts(self, most: int) -> Sequence[Act]:
        """List the acts, the newest first."""

    async def mute(self, guest: str, until: int, act: Act) -> None:
        """Let a guest say nothing until a moment, 0 to end that; it is written down with it."""

    async def mutes(self, now: int) -> dict[str, int]:
        """Return until when guests may say nothing, of whom that is so."""

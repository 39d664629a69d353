"""Every message of the lobby's websocket, as a type; the list over HTTP has the same parts."""
from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from kozyr.wire.commands import Count, OptionValue, Ping
from kozyr.wire.messages import Fault, Player, Pong


class OpenTable(Struct, omit_defaults=True):
    """A table that everybody may find: `options` are those that differ from their defaults, `deck` and `seats` always."""

    id: str
    options: dict[str, OptionValue]
    players: list[Player]
    stage: str
    free: int = 0
    """How many seats are empty."""
    password: bool = False


class Filter(Struct, tag_field="t", tag="filter", forbid_unknown_fields=True, omit_defaults=True):
    """
    Asks for tables, by what they have in common; what is left out does not matter.

    `stake` 0 are free tables, another number those of at most that stake; `free` those with an empty seat.
    """

    deck: int | None = None
    seats: Annotated[int, Meta(ge=2, le=6)] | None = None
    transfer: bool | None = None
    scope: str | None = None
    cheating: bool | None = None
    stake: Count | None = None
    free: bool | None = None


class Listed(Struct, tag_field="t", tag="tables"):
    """The tables that pass the filter now, the newest first."""

    tables: list[OpenTable]


class Changed(Struct, tag_field="t", tag="table"):
    """A table that passes the filter is new, or has changed."""

    table: OpenTable


class Gone(Struct, tag_field="t", tag="gone"):
    """A table that was listed is not to be shown any more."""

    id: str


class Tables(Struct):
    """The answer of `GET /api/tables`."""

    tables: list[OpenTable]


LobbyMessage = Filter | Ping
LobbyAnswer = Listed | Changed | Gone | Fault | Pong

decode_lobby = msgspec.json.Decoder(LobbyMessage).decode

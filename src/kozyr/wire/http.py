"""
Every body of the HTTP interface, as a type.

The websocket's messages stand in `kozyr.wire.messages`; what fails answers a `Problem` with a stable code of `kozyr.wire.codes`.
"""
from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from kozyr.wire.commands import OptionValue, Seat
from kozyr.wire.messages import Player

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Password = Annotated[str, Meta(min_length=1, max_length=64)]


class NewTable(Struct, forbid_unknown_fields=True):
    """
    A table to open: a preset and what differs from it.

    The asker gets seat 0. `bots` are the levels of the other seats, from seat 1 on, and nothing for a seat that waits for a person;
    without it all of them are easy bots, at a staked table persons. Without `name` a guest keeps the last one. A table that is not
    `private` is found in the lobby. Whoever wants to sit down has to know the `password`, if there is one.
    """

    preset: str = "peak"
    options: dict[str, OptionValue] = {}
    bots: list[str | None] | None = None
    name: Name | None = None
    private: bool = True
    password: Password | None = None


class TableOpened(Struct):
    """A table was opened: `socket` is the path of its websocket, `link` that of its page, to invite others with."""

    id: str
    seat: int
    socket: str
    link: str


class JoinTable(Struct, forbid_unknown_fields=True):
    """Takes a seat of a table, the first empty one if none is named."""

    seat: Seat | None = None
    name: Name | None = None
    password: Password | None = None


class Joined(Struct):
    """The asker sits at `seat`, also if it was so before."""

    id: str
    seat: int
    socket: str


class TableCard(Struct, omit_defaults=True):
    """What anybody may know of a table without watching it. `seat` is the asker's own; `games` have been opened so far."""

    id: str
    options: dict[str, OptionValue]
    players: list[Player]
    games: int
    stage: str
    seq: int
    socket: str
    seat: int | None = None
    private: bool = False
    password: bool = False
    host: int | None = None


class CoinLine(Struct, omit_defaults=True):
    """One posting of one's own, numbered from 1: `kind` is `grant`, `refill`, `stake`, `payout` or `refund`; one had `balance` then."""

    number: int
    at: int
    kind: str
    coins: int
    balance: int
    game: str | None = None
    """The game that it belongs to, as TABLE/NUMBER."""


class Coins(Struct, omit_defaults=True):
    """One's own coins, and every posting, the newest first; the next page is what comes before the last line's number."""

    coins: int | None = None
    lines: list[CoinLine] = []


class Preset(Struct):
    """A set of option values; `change` are the options that may still differ from it."""

    name: str
    values: dict[str, OptionValue]
    change: list[str]


class Option(Struct, omit_defaults=True):
    """
    An option of a table.

    `values` are all that it may have, the default first; without them it is a whole number from `least` to `most`.
    `group` is `main`, `advanced` or `library` (not on the screen).
    """

    name: str
    group: str
    default: OptionValue
    values: list[OptionValue] = []
    least: int | None = None
    most: int | None = None


class Undealable(Struct):
    """A deck that cannot give six cards to so many seats (R1.2)."""

    deck: int
    seats: int


class Choices(Struct):
    """Everything that the screen for a new table offers."""

    presets: list[Preset]
    options: list[Option]
    undealable: list[Undealable]
    levels: list[str]


class Health(Struct):
    """The server answers; `form` is the form of the rules engine: `compiled` or `interpreted`."""

    ok: bool
    version: str
    form: str
    tables: int


class Problem(Struct, omit_defaults=True):
    """Why a request changed nothing; `code` is stable and the key of its translation, `about` the word that it is about."""

    code: str
    about: str = ""


decode_new_table = msgspec.json.Decoder(NewTable).decode
decode_join_table = msgspec.json.Decoder(JoinTable).decode

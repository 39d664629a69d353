"""What happened at a table, as its log keeps it: one event a row, compact JSON whose `k` names the type."""
from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec import Struct

Value = bool | int | str

PERSON: Final = "person"
BOT: Final = "bot"
By = Literal["player", "bot", "clock"]


class Player(Struct, frozen=True, omit_defaults=True):
    """Who sits at a seat: a person by the id of their guest, or a bot by its level."""

    name: str
    kind: Literal["person", "bot"]
    guest: str | None = None
    level: str | None = None
    avatar: int = 0


class TableCreated(Struct, frozen=True, tag_field="k", tag="table", omit_defaults=True):
    """
    A table was opened, with all of its options (R1.3) and its first players by seat; None is an empty seat.

    A private table is found by its link alone. `password` is what is kept of the password that its seats ask for.
    """

    options: dict[str, Value]
    players: list[Player | None]
    is_private: bool = False
    password: str | None = None


class SeatTaken(Struct, frozen=True, tag_field="k", tag="sit"):
    """A person or a bot sat down at an empty seat."""

    seat: int
    player: Player


class SeatLeft(Struct, frozen=True, tag_field="k", tag="rise"):
    """A seat is empty again: its person went, or was away too long, or its bot was sent away."""

    seat: int


class Redressed(Struct, frozen=True, tag_field="k", tag="picture"):
    """A person who sits here has chosen another picture."""

    seat: int
    avatar: int


class ReadySet(Struct, frozen=True, tag_field="k", tag="ready", omit_defaults=True):
    """A person is ready for the first game, or takes being ready for the next one back; or cannot pay for it and is not ready: `unpaid`."""

    seat: int
    on: bool
    unpaid: bool = False


class TableClosed(Struct, frozen=True, tag_field="k", tag="close", omit_defaults=True):
    """
    Nothing will happen at this table any more: nobody sits here, or its `operator` has closed it.

    `game` is the game that this has cut short, 0 where none ran; it has no outcome, and its stakes go back.
    """

    by: Literal["", "operator"] = ""
    game: int = 0


class GameOpened(Struct, frozen=True, tag_field="k", tag="game"):
    """
    A game begins with the server's commitment to its shuffle.

    `server_seed` and `bot_seeds` are secret until the game is over: 64 hexadecimal digits, by seat, None where a person sits.
    """

    game: int
    commitment: str
    server_seed: str
    bot_seeds: list[str | None]


class SeedCommitted(Struct, frozen=True, tag_field="k", tag="commit"):
    """A person's seat committed to its seed."""

    seat: int
    commitment: str


class SeedRevealed(Struct, frozen=True, tag_field="k", tag="reveal"):
    """A person's seat revealed the seed behind its commitment."""

    seat: int
    seed: str


class SeedAbsent(Struct, frozen=True, tag_field="k", tag="absent"):
    """A seat was too late to commit or to reveal, and adds nothing to this shuffle."""

    seat: int


class Dealt(Struct, frozen=True, tag_field="k", tag="deal"):
    """What the game's stream gave (R2.6): the dealer, the pack (its cards in order), how many packs were thrown away, who attacks."""

    dealer: int
    pack: str
    redeals: int
    attacker: int


class Moved(Struct, frozen=True, tag_field="k", tag="move", omit_defaults=True, gc=False):
    """A seat's move in notation, without the seat. `by` tells whether the seat's player made it, a bot for it, or the clock."""

    seat: int
    move: str
    by: By = "player"


class GameEnded(Struct, frozen=True, tag_field="k", tag="end"):
    """The game is over: `places` are the seats that have gone out, in order."""

    durak: int | None
    places: list[int]
    reason: str


class AutopilotSet(Struct, frozen=True, tag_field="k", tag="autopilot"):
    """A person left the seat to the easy bot, or took it back (R16.3)."""

    seat: int
    on: bool


class TimeGiven(Struct, frozen=True, tag_field="k", tag="time"):
    """
    The running clock was lengthened by so many milliseconds (R16.1).

    Because of the `network`, when a seat's connection was lost while its clock ran; of the `server`, which was down; or since persons are
    `waiting` at the table for others to come.
    """

    ms: int
    why: Literal["network", "server", "waiting"]


class AskedAgain(Struct, frozen=True, tag_field="k", tag="again"):
    """A person wants another game with the same seats and options."""

    seat: int


TableEvent = (
    TableCreated | GameOpened | SeedCommitted | SeedRevealed | SeedAbsent | Dealt | Moved | GameEnded | AutopilotSet | TimeGiven
    | AskedAgain | SeatTaken | SeatLeft | Redressed | ReadySet | TableClosed
)  # fmt: skip

encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(TableEvent).decode


def decode(body: bytes) -> TableEvent:
    """
    Read an event from its row.

    Raises: ValueError for a body that is no event.
    """
    try:
        return _decode(body)
    except RecursionError:
        raise ValueError("an event is nested deeper than any") from None

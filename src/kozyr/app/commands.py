"""What may be asked of a table, and how it refuses."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from kozyr.app.events import By, Player


class Play(Struct, frozen=True, gc=False):
    """
    Play a move, given in notation without the seat, that was meant for bout `bout`.

    A bot's move names the `seq` at which it was chosen and falls away if the table has moved on; a player's need not (I5).
    """

    seat: int | None
    text: str
    bout: int
    id: str | None = None
    by: By = "player"
    at_seq: int | None = None


@dataclass(frozen=True, slots=True)
class CommitSeed:
    """Commit a seat's seed for the shuffle of game `game`."""

    seat: int | None
    game: int
    commitment: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class RevealSeed:
    """Reveal a seat's seed."""

    seat: int | None
    game: int
    seed: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class AskAgain:
    """Ask for another game after game `game`. The seed and bots' seeds are for it, if this opens it."""

    seat: int | None
    game: int
    seeds: Seeds
    lost: Mapping[int, int] = field(default_factory=dict)
    id: str | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take a seat back from the autopilot."""

    seat: int | None
    game: int
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat, or the first empty one."""

    player: Player
    wanted: int | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave one's seat; not while a game runs."""

    seat: int | None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Redress:
    """Show another picture at one's seat."""

    seat: int | None
    avatar: int
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Ready:
    """Be ready for the first game, or not. The seeds are for it, if this opens it; `lost` as a lapse has it."""

    seat: int | None
    on: bool
    seeds: Seeds
    lost: Mapping[int, int] = field(default_factory=dict)
    id: str | None = None


@dataclass(frozen=True, slots=True)
class SeatBot:
    """Seat a bot of a level at an empty seat, as the table's host."""

    seat: int | None
    at: int
    level: str
    seeds: Seeds
    lost: Mapping[int, int] = field(default_factory=dict)
    id: str | None = None


@dataclass(frozen=True, slots=True)
class UnseatBot:
    """Send a bot away, as the table's host."""

    seat: int | None
    at: int
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Close:
    """Close the table, as the server's operator; stakes of a game that runs go back (R15.5)."""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take back that seats are ready, since they cannot pay."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which no server was there: from its last sign of life until the next one began, in milliseconds."""

    since: int
    until: int


@dataclass(frozen=True, slots=True)
class Lapse:
    """
    Let the clock act, if it is due.

    `lost` are the seats without a connection, and when they lost it. The time of an outage is given back first, once a table.
    """

    lost: Mapping[int, int] = field(default_factory=dict)
    outage: Outage | None = None


@dataclass(frozen=True, slots=True)
class Seeds:
    """Entropy for a shuffle: 32 bytes of the server's own, and 32 for each seat, used where a bot sits."""

    server: bytes
    seats: tuple[bytes, ...]


Seated = Play | CommitSeed | RevealSeed | AskAgain | TakeBack | Leave | Redress | Ready | SeatBot | UnseatBot
"""What a seat asks for."""

Command = Seated | Sit | Close | Withdraw | Lapse


@dataclass(frozen=True, slots=True)
class Refusal:
    """The command changed nothing. `code` is stable; `about` is the card or word that it is about."""

    code: str
    about: str = ""


class Done(Struct, frozen=True, gc=False):
    """The command is in the log at `seq`."""

    seq: int

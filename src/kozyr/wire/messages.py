"""
Every message of the websocket protocol, as a type.

A message is one JSON object whose `t` names its type. Cards are two characters (`7h`), seats are numbers from 0 clockwise,
moves are the words of the notation without the seat (`beat 7h 8h`). `seq` numbers a table's log.
"""
from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from kozyr.wire.commands import (
    SIZE_MAX,
    Again,
    ClientMessage,
    Hello,
    Leave,
    OptionValue,
    Phrase,
    Ping,
    Play,
    Ready,
    Say,
    SeatBot,
    SeedCommit,
    SeedReveal,
    TakeBack,
    UnseatBot,
)

__all__ = [
    "SIZE_MAX", "Again", "ClientMessage", "Hello", "Leave", "OptionValue", "Phrase", "Ping", "Play", "Ready", "Say", "SeatBot",
    "SeedCommit", "SeedReveal", "TakeBack", "UnseatBot",
]  # fmt: skip
"""What a client says is part of the protocol as well."""


# --- parts of the server's messages --------------------------------------------------------------------------------------------


class Pair(Struct, omit_defaults=True):
    """An attack card, the seat that played it, and the card that beat it, if any."""

    attack: str
    by: int
    beat: str | None = None


class SeatView(Struct, omit_defaults=True):
    """What everybody may know of a seat."""

    cards: int = 0
    out: bool = False
    place: int | None = None
    passed: bool = False
    accepted: bool = False
    barred: bool = False
    no_challenge: bool = False
    shown: bool = False


class Result(Struct, omit_defaults=True):
    """How a game ended: `kind` is `durak` or `draw`; `places` the seats that have gone out, in order; `payout` coins by seat."""

    kind: str
    reason: str
    durak: int | None = None
    places: list[int] = []
    payout: list[int] = []


class Reveal(Struct, omit_defaults=True):
    """What is shown when a game is over: all hands as dealt, the pack, and the shuffle's record (see docs/fair.md)."""

    hands: list[list[str]]
    pack: list[str]
    shuffle: dict[str, Any]


class View(Struct, omit_defaults=True):
    """What one viewer may know of the game. `hand` and `legal` are the viewer's own and empty for a spectator."""

    phase: str
    bout_no: int
    trump: str
    stock: int
    seats: list[SeatView]
    bout: list[Pair] = []
    attacker: int | None = None
    defender: int | None = None
    opener: int | None = None
    joined: list[int] = []
    waiting: list[int] = []
    capacity: int = 0
    limit: int = 0
    h0: int = 0
    trump_card: str | None = None
    trump_card_at: int | None = None
    """The seat whose hand holds the shown last card of a deal without stock (R2.4); None while it lies under the stock."""
    discard: int = 0
    transfer_lost: bool = False
    floor_open: bool = False
    """Where the attacker goes first: whether the others may throw in too by now (R5.5)."""
    taking: bool = False
    """Whether the defender has said take, also while the bout waits for challenges."""
    hand: list[str] = []
    legal: list[str] = []
    result: Result | None = None


class Player(Struct, omit_defaults=True):
    """
    Who sits at a seat: `kind` is `person`, `bot` or `empty`.

    A bot has a `level`; on `autopilot` the easy bot plays a person's seat on. Who is not `here` has been away for `away_ms`.
    A person's `id` names the profile; `avatar` is the number of a picture, 0 the initials of the name.
    """

    name: str
    kind: str
    level: str | None = None
    here: bool = True
    autopilot: bool = False
    away_ms: int | None = None
    id: str | None = None
    avatar: int = 0


class SeriesView(Struct, omit_defaults=True):
    """The score of a series: by seat how often first out and how often the durak; `standing` lists the seats, the best first (R12)."""

    wins: list[int]
    losses: list[int]
    standing: list[int]
    games: int = 0
    of: int = 0
    """How many games it has; 0 is open-ended."""
    over: bool = False


class TableView(Struct, omit_defaults=True):
    """What does not change while a game runs."""

    id: str
    options: dict[str, OptionValue]
    players: list[Player]
    game: int
    dealer: int | None = None
    commitment: str | None = None
    """The server's commitment to the shuffle of the present game."""
    seeds: list[str] = []
    """By seat while the shuffle is agreed on: `waiting`, `committed`, `revealed`, `server`, `absent`."""
    commitments: list[str | None] = []
    """By seat: the commitment to its seed."""
    stage: str = "seeds"
    """`gathering` before the first game, `seeds` while the shuffle is agreed on, `playing`, `over`, `closed`."""
    again: list[int] = []
    """The seats that have asked for another game."""
    ready: list[int] = []
    """The seats that are ready for the first game."""
    host: int | None = None
    """The seat of the person who may seat bots and send them away."""
    private: bool = False
    password: bool = False
    series: SeriesView | None = None
    delay_ms: int = 0
    """How much later than the players spectators see this table while a game runs."""
    by_operator: bool = False
    """The operator has closed the table; otherwise it closed behind the last person."""
    cut_short: bool = False
    """A game ran when it was closed: it has no outcome, and its stakes have gone back."""


# --- what happened: the events of an update, in order --------------------------------------------------------------------------


class Attacked(Struct, tag_field="e", tag="attack", omit_defaults=True):
    """`late` where the clock played for a seat whose time had run out (R16.2), here and in what follows."""

    seat: int
    cards: list[str]
    late: bool = False


class Beaten(Struct, tag_field="e", tag="beat"):
    seat: int
    attack: str
    card: str


class Transferred(Struct, tag_field="e", tag="transfer"):
    seat: int
    cards: list[str]
    to: int


class Showed(Struct, tag_field="e", tag="show"):
    seat: int
    card: str
    to: int


class Took(Struct, tag_field="e", tag="take", omit_defaults=True):
    seat: int
    late: bool = False


class Passed(Struct, tag_field="e", tag="pass", omit_defaults=True):
    seat: int
    late: bool = False


class Accepted(Struct, tag_field="e", tag="accept"):
    seat: int


class Challenged(Struct, tag_field="e", tag="challenge"):
    """A challenge and its verdict: `right` if the card was unlawful; `code` names the rule that it broke."""

    seat: int
    card: str
    author: int
    right: bool
    code: str | None = None


class Returned(Struct, tag_field="e", tag="return"):
    """A rollback gave a card back to the seat that had played it."""

    seat: int
    card: str


class Resigned(Struct, tag_field="e", tag="resign"):
    seat: int


class BoutOver(Struct, tag_field="e", tag="bout_over", omit_defaults=True):
    """`outcome` is `beaten`, `taken` or `fault`; `taker` has the cards now; `order` is the order of drawing."""

    outcome: str
    cards: list[str]
    order: list[int]
    taker: int | None = None


class Drew(Struct, tag_field="e", tag="draw", omit_defaults=True):
    """A seat drew `count` cards; `cards` are those that the viewer may see: its own, and the turned card."""

    seat: int
    count: int
    cards: list[str] = []


class WentOut(Struct, tag_field="e", tag="out"):
    seat: int
    place: int


class Opened(Struct, tag_field="e", tag="open"):
    """A new game of this table: the server's commitment to its shuffle."""

    game: int
    commitment: str


class SeedCommitted(Struct, tag_field="e", tag="seed_commit"):
    seat: int
    commitment: str


class SeedRevealed(Struct, tag_field="e", tag="seed_reveal"):
    seat: int
    seed: str


class SeedAbsent(Struct, tag_field="e", tag="seed_absent"):
    seat: int


class Dealt(Struct, tag_field="e", tag="deal", omit_defaults=True):
    """The cards are dealt; `redeals` hands were thrown away before (R2.6)."""

    dealer: int
    attacker: int
    redeals: int = 0


class GameOver(Struct, tag_field="e", tag="over"):
    result: Result


class Autopilot(Struct, tag_field="e", tag="autopilot"):
    """A person has left the seat to the easy bot (`on`) or has taken it back (R16.3)."""

    seat: int
    on: bool


class TimeGiven(Struct, tag_field="e", tag="time"):
    """The running clock was lengthened: `why` is `network` after a lost connection, `server` after the server was down (R16.1)."""

    ms: int
    why: str


class SeatTaken(Struct, tag_field="e", tag="sit"):
    seat: int
    player: Player


class SeatLeft(Struct, tag_field="e", tag="rise"):
    seat: int


class Redressed(Struct, tag_field="e", tag="picture"):
    """A person has chosen another picture."""

    seat: int
    avatar: int


class ReadySet(Struct, tag_field="e", tag="ready", omit_defaults=True):
    """A person is ready, or no longer; `unpaid` where the next game could not open because this seat cannot pay."""

    seat: int
    on: bool
    unpaid: bool = False


class TableClosed(Struct, tag_field="e", tag="close"):
    """The table is closed: nobody sits there, or the operator has closed it."""


class AskedAgain(Struct, tag_field="e", tag="again"):
    seat: int


Event = (
    Attacked | Beaten | Transferred | Showed | Took | Passed | Accepted | Challenged | Returned | Resigned | BoutOver | Drew | WentOut
    | Opened | SeedCommitted | SeedRevealed | SeedAbsent | Dealt | GameOver | Autopilot | TimeGiven
    | AskedAgain | SeatTaken | SeatLeft | Redressed | ReadySet | TableClosed
)


# --- from the server -----------------------------------------------------------------------------------------------------------


class Welcome(Struct, tag_field="t", tag="welcome", omit_defaults=True):
    """
    Answers `hello`: the whole state at `seq`.

    `seat` is the viewer's, or None for a spectator. `missed` are the events of the present game after `since`. `left_ms` is the time
    until the clock acts, where one runs, and `of_ms` all that it had; it is the clock of the seats that are waited for.
    """

    v: int
    seq: int
    table: TableView
    seat: int | None = None
    view: View | None = None
    missed: list[Event] = []
    reveal: Reveal | None = None
    left_ms: int | None = None
    of_ms: int | None = None


class Update(Struct, tag_field="t", tag="update", omit_defaults=True):
    """What happened after the viewer's last `seq` up to `seq`, and the view then. `table` is there when it changed."""

    seq: int
    events: list[Event]
    view: View | None = None
    table: TableView | None = None
    reveal: Reveal | None = None
    left_ms: int | None = None
    of_ms: int | None = None


class Ack(Struct, tag_field="t", tag="ack"):
    """The command is in the log at `seq`, for ever."""

    id: str
    seq: int


class Refused(Struct, tag_field="t", tag="refused", omit_defaults=True):
    """The command changed nothing; `code` is stable and the key of its translation, `about` the card or word that it is about."""

    id: str
    code: str
    about: str = ""


class Fault(Struct, tag_field="t", tag="fault", omit_defaults=True):
    """A message that could not be read or a connection that may not go on; `code` is stable."""

    code: str
    about: str = ""


class Presence(Struct, tag_field="t", tag="presence"):
    """Whether the player of a seat is connected now; who is not has been away from this moment on."""

    seat: int
    here: bool


class Said(Struct, tag_field="t", tag="said"):
    """The player of a seat says a phrase; the client has the words, or the picture."""

    seat: int
    phrase: Phrase


class Pong(Struct, tag_field="t", tag="pong"):
    """Answers `ping`; `ms` is the server's clock."""

    n: int
    ms: int


ServerMessage = Welcome | Update | Ack | Refused | Fault | Presence | Said | Pong

decode_client = msgspec.json.Decoder(ClientMessage).decode
encode = msgspec.json.Encoder().encode

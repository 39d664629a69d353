"""What a client says over the websocket of a table."""
from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

SIZE_MAX = 16 * 1024
"""Most bytes of a message that the server reads."""

CommandId = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[0-9A-Za-z_-]+$(?!\n)")]
MoveText = Annotated[str, Meta(min_length=1, max_length=60)]
Hex32 = Annotated[str, Meta(min_length=64, max_length=64, pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
OptionValue = bool | int | str
Seat = Annotated[int, Meta(ge=0, le=5)]
Word = Annotated[str, Meta(min_length=1, max_length=20)]
Phrase = Literal[
    "hello", "good_luck", "well_played", "thanks", "oops", "your_turn", "hurry", "nice_card", "good_game", "once_more", "sorry", "bye",
    "ha", "think", "smile", "laugh", "wink", "cry", "angry", "shock", "clap", "sleep",
]  # fmt: skip
"""What can be said at a table: fourteen phrases and eight emotes, which each reader's client puts into words or a picture."""


class Hello(Struct, tag_field="t", tag="hello", forbid_unknown_fields=True):
    """The first message: the protocol's version and the last `seq` that this client has seen of the table."""

    v: int
    since: Count | None = None


class Play(Struct, tag_field="t", tag="play", forbid_unknown_fields=True):
    """A move. `id` is the client's own and unique at the table, so that a retry is never doubled; `bout` is the bout it is meant for."""

    id: CommandId
    move: MoveText
    bout: Count


class SeedCommit(Struct, tag_field="t", tag="seed_commit", forbid_unknown_fields=True):
    """The commitment to this seat's seed of the game's shuffle."""

    id: CommandId
    game: Count
    commitment: Hex32


class SeedReveal(Struct, tag_field="t", tag="seed_reveal", forbid_unknown_fields=True):
    """The seed behind an earlier commitment; accepted once every seat has committed or is absent."""

    id: CommandId
    game: Count
    seed: Hex32


class Again(Struct, tag_field="t", tag="again", forbid_unknown_fields=True):
    """Asks for another game with the same seats and options, once the game is over."""

    id: CommandId
    game: Count


class TakeBack(Struct, tag_field="t", tag="take_back", forbid_unknown_fields=True):
    """Takes one's seat back from the autopilot (R16.3)."""

    id: CommandId
    game: Count


class Leave(Struct, tag_field="t", tag="leave", forbid_unknown_fields=True):
    """Leaves one's seat, before or between games; in a game `resign` is a move."""

    id: CommandId


class Ready(Struct, tag_field="t", tag="ready", forbid_unknown_fields=True):
    """Says that one is ready for the first game, or takes being ready for the next one back."""

    id: CommandId
    on: bool = True


class SeatBot(Struct, tag_field="t", tag="seat_bot", forbid_unknown_fields=True):
    """The host seats a bot of a level at an empty seat."""

    id: CommandId
    seat: Seat
    level: Word


class UnseatBot(Struct, tag_field="t", tag="unseat_bot", forbid_unknown_fields=True):
    """The host sends a bot away."""

    id: CommandId
    seat: Seat


class Say(Struct, tag_field="t", tag="say", forbid_unknown_fields=True):
    """Says a phrase to the table. It is answered by `said`, to everybody, or refused; it is not in the log, and nothing acknowledges it."""

    id: CommandId
    phrase: Phrase


class Ping(Struct, tag_field="t", tag="ping", forbid_unknown_fields=True):
    """Asks for a `pong`."""

    n: Count = 0


ClientMessage = Hello | Play | SeedCommit | SeedReveal | Again | TakeBack | Leave | Ready | SeatBot | UnseatBot | Say | Ping

"""Every body of the HTTP interface about people: oneself, accounts, players, one's games, blocks, reports."""
from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from kozyr.wire.commands import Count, OptionValue, Seat
from kozyr.wire.messages import Player

AVATARS = 24
"""Pictures that a player may choose from are numbered from 1; 0 is the initials of the name."""

WORDS_MAX = 500

Avatar = Annotated[int, Meta(ge=0, le=AVATARS)]
Language = Literal["az", "en", "it", "lt", "ru", "tr"]
Secret = Annotated[str, Meta(max_length=256)]
Written = Annotated[str, Meta(max_length=100)]
"""A name as somebody writes it; whether it is one, the answer says."""

Reason = Literal["name", "stalling", "cheating", "phrases", "other"]


class Passkey(Struct, omit_defaults=True):
    """A passkey of an account: when it was added and last used, in milliseconds."""

    id: str
    name: str
    created: int
    used: int | None = None


class Me(Struct, omit_defaults=True):
    """
    Who asks: a stranger has no `id`, a guest has one, and an `account` can be come back to from anywhere.

    `login` is the name to log in with. `coins` are there after the first staked table.
    """

    id: str | None = None
    name: str = ""
    avatar: int = 0
    language: str | None = None
    coins: int | None = None
    account: bool = False
    login: str | None = None
    password: bool = False
    """Whether there is a password to log in with."""
    passkeys: list[Passkey] = []


class ChangeMe(Struct, forbid_unknown_fields=True):
    """Changes what is there; a stranger becomes a guest by it."""

    name: Written | None = None
    avatar: Avatar | None = None
    language: Language | None = None


class NewAccount(Struct, forbid_unknown_fields=True):
    """Makes an account of the guest, to be logged in to with the guest's name and this password."""

    password: Secret


class NewPassword(Struct, forbid_unknown_fields=True):
    """Changes the password, or gives one to an account without; every other browser is logged out."""

    new: Secret
    old: Secret | None = None


class Login(Struct, forbid_unknown_fields=True):
    """Logs in to an account."""

    name: Written
    password: Secret


class Logout(Struct, forbid_unknown_fields=True):
    """Logs this browser out, or every browser."""

    everywhere: bool = False


class PasskeyOptions(Struct):
    """What the browser is asked with: the JSON form of the options of `navigator.credentials.create` or `.get`."""

    options: dict[str, Any]


class NewPasskey(Struct, forbid_unknown_fields=True):
    """A passkey that the browser has made, in its JSON form; `name` is its owner's word for it."""

    credential: dict[str, Any]
    name: Written = ""


class PasskeyLogin(Struct, forbid_unknown_fields=True):
    """A browser's answer to the options of a login, in its JSON form."""

    credential: dict[str, Any]


class Score(Struct, omit_defaults=True):
    """How many finished games; how often first out, the durak, and neither since the game was drawn."""

    games: int
    first: int = 0
    durak: int = 0
    drawn: int = 0


class KindScore(Struct, omit_defaults=True):
    """The score at tables of one kind; `staked` ones are those for coins."""

    deck: int
    seats: int
    games: int
    transfer: bool = False
    cheat: bool = False
    staked: bool = False
    first: int = 0
    durak: int = 0
    drawn: int = 0


class Profile(Struct, omit_defaults=True):
    """What everybody may know of a player; the kinds most played come first. `blocked`: the asker has blocked the player."""

    id: str
    name: str
    since: int
    score: Score
    avatar: int = 0
    account: bool = False
    kinds: list[KindScore] = []
    blocked: bool = False


class PlayedGame(Struct, omit_defaults=True):
    """
    A finished game of one's own, numbered from 1: game `game` of `table`, which ended `at` that millisecond.

    `options` are those that differ from their defaults, `deck` and `seats` always. `place` counts from 1, the durak has none.
    `coins` is what came of the stake: below 0 where it was lost.
    """

    number: int
    table: str
    game: int
    at: int
    options: dict[str, OptionValue]
    players: list[Player]
    seat: int
    place: int | None = None
    durak: bool = False
    drawn: bool = False
    coins: int | None = None


class Games(Struct, omit_defaults=True):
    """One's own finished games, the newest first; the next page is what comes before the last one's number."""

    games: list[PlayedGame] = []


class PlayedSeries(Struct, omit_defaults=True):
    """
    A series of one's own, numbered from 1, with the score after its last game so far, which ended `at` that millisecond.

    By seat: `wins` of the first out and `losses` of the durak; `standing` lists the seats, the best first (R12). `of` 0 is open-ended.
    """

    number: int
    table: str
    first: int
    """The number of its first game at the table."""
    at: int
    options: dict[str, OptionValue]
    players: list[Player]
    seat: int
    games: int
    wins: list[int]
    losses: list[int]
    standing: list[int]
    of: int = 0
    over: bool = False


class SeriesList(Struct, omit_defaults=True):
    """One's own series, the last played first; the next page is what comes before the last one's number."""

    series: list[PlayedSeries] = []


class BlockedPlayer(Struct, omit_defaults=True):
    """Somebody whom one has blocked."""

    id: str
    name: str
    avatar: int = 0


class Blocks(Struct, omit_defaults=True):
    """Everybody whom one has blocked, the last one first."""

    players: list[BlockedPlayer] = []


class NewReport(Struct, forbid_unknown_fields=True):
    """Tells the operator about the player of a seat at a table."""

    table: Annotated[str, Meta(min_length=1, max_length=40)]
    seat: Seat
    reason: Reason
    words: Annotated[str, Meta(max_length=WORDS_MAX)] = ""


class Reported(Struct):
    """The report is kept, under this number."""

    number: Count


decode_change_me = msgspec.json.Decoder(ChangeMe).decode
decode_new_account = msgspec.json.Decoder(NewAccount).decode
decode_new_password = msgspec.json.Decoder(NewPassword).decode
decode_login = msgspec.json.Decoder(Login).decode
decode_logout = msgspec.json.Decoder(Logout).decode
decode_new_passkey = msgspec.json.Decoder(NewPasskey).decode
decode_passkey_login = msgspec.json.Decoder(PasskeyLogin).decode
decode_new_report = msgspec.json.Decoder(NewReport).decode

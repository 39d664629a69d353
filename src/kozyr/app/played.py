"""What finished games leave behind for their players: a line in each one's record, and the score of a series."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kozyr.app.events import Player


@dataclass(frozen=True, slots=True)
class Kind:
    """What tables have in common whose games are counted together."""

    deck: int
    seats: int
    transfer: bool
    cheat: bool
    staked: bool


@dataclass(frozen=True, slots=True)
class Part:
    """
    What a game was to a person at a seat.

    `place` counts from 1; who was the durak, or left the seat for good (R16.3), has none. `coins` is what came of the stake.
    """

    guest: str
    seat: int
    place: int | None
    durak: bool
    drawn: bool
    coins: int | None


@dataclass(frozen=True, slots=True)
class SeriesScore:
    """The score of a series that began with game `first` of its table (R12)."""

    first: int
    games: int
    of: int
    wins: tuple[int, ...]
    losses: tuple[int, ...]
    standing: tuple[int, ...]
    is_over: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game, as it is written with its last events; `options` are those that differ from their defaults."""

    table: str
    game: int
    at: int
    kind: Kind
    options: dict[str, Any]
    players: tuple[Player, ...]
    parts: tuple[Part, ...]
    series: SeriesScore | None = None


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game in a person's own record, numbered from 1."""

    number: int
    table: str
    game: int
    at: int
    options: dict[str, Any]
    players: tuple[Player, ...]
    part: Part


@dataclass(frozen=True, slots=True)
class PlayedSeries:
    """A series in a person's own record, numbered from 1, as it stood after the game that ended `at` that millisecond."""

    number: int
    table: str
    at: int
    options: dict[str, Any]
    players: tuple[Player, ...]
    seat: int
    score: SeriesScore


@dataclass(frozen=True, slots=True)
class Score:
    """What a person's games at tables of a kind came to: how many, how often first out, the durak, and drawn."""

    kind: Kind
    games: int
    first: int
    durak: int
    drawn: int

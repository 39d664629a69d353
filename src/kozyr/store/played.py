"""The statements of finished games, inside a transaction."""
from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

from kozyr.app.events import Player
from kozyr.app.played import Finished, Kind, Part, PlayedGame, PlayedSeries, Score, SeriesScore
from kozyr.store.sql import Sql

T = TypeVar("T")

log = logging.getLogger(__name__)

FIRST_PAGE = 2**63 - 1

_players = msgspec.json.Decoder(tuple[Player, ...]).decode
_options = msgspec.json.Decoder(dict[str, Any]).decode
_score = msgspec.json.Decoder(SeriesScore).decode


def write(db: Sql, games: Sequence[Finished]) -> None:
    """Write finished games, each once."""
    for game in games:
        options, players = text(game.options), text(game.players)
        written = db.execute(
            "INSERT INTO games (table_id, game, at, options, players) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (game.table, game.game, game.at, options, players),
        )
        if written.rowcount != 1:
            continue
        for part in game.parts:
            _write_part(db, game, part)
        if game.series is not None:
            _write_series(db, game, game.series, options, players)


def _write_part(db: Sql, game: Finished, part: Part) -> None:
    db.execute(
        "INSERT INTO parts (guest, number, table_id, game, seat, place, durak, drawn, coins) "
        "VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM parts WHERE guest = ?), ?, ?, ?, ?, ?, ?, ?)",
        (part.guest, part.guest, game.table, game.game, part.seat, part.place, int(part.durak), int(part.drawn), part.coins),
    )
    kind = game.kind
    db.execute(
        "INSERT INTO scores (guest, deck, seats, transfer, cheat, staked, games, first, durak, drawn) "
        "VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?) "
        "ON CONFLICT (guest, deck, seats, transfer, cheat, staked) DO UPDATE SET games = scores.games + 1, "
        "first = scores.first + excluded.first, durak = scores.durak + excluded.durak, drawn = scores.drawn + excluded.drawn",
        (
            part.guest, kind.deck, kind.seats, int(kind.transfer), int(kind.cheat), int(kind.staked),
            int(part.place == 1 and not part.drawn), int(part.durak), int(part.drawn),
        ),
    )  # fmt: skip


def _write_series(db: Sql, game: Finished, score: SeriesScore, options: str, players: str) -> None:
    db.execute(
        "INSERT INTO series (table_id, first, at, games, options, players, score) VALUES (?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (table_id, first) DO UPDATE SET at = excluded.at, games = excluded.games, score = excluded.score",
        (game.table, score.first, game.at, score.games, options, players, text(score)),
    )
    if score.games > 1:
        return
    for part in game.parts:
        db.execute(
            "INSERT INTO series_parts (guest, number, table_id, first, seat) "
            "VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM series_parts WHERE guest = ?), ?, ?, ?)",
            (part.guest, part.guest, game.table, score.first, part.seat),
        )


def scores(db: Sql, guest: str) -> list[Score]:
    """List a guest's scores; see `People.scores`."""
    found = db.execute(
        "SELECT deck, seats, transfer, cheat, staked, games, first, durak, drawn FROM scores WHERE guest = ? "
        "ORDER BY games DESC, deck, seats, transfer, cheat, staked",
        (guest,),
    )
    return [
        Score(Kind(deck, seats, bool(transfer), bool(cheat), bool(staked)), *counts)
        for deck, seats, transfer, cheat, staked, *counts in found
    ]


def games(db: Sql, guest: str, before: int | None, most: int) -> list[PlayedGame]:
    """List a guest's games; see `People.games`."""
    return _pages(db, GAMES, _game_of, guest, before, most)


def series(db: Sql, guest: str, before: int | None, most: int) -> list[PlayedSeries]:
    """List a guest's series; see `People.series`."""
    return _pages(db, SERIES, _series_of, guest, before, most)


GAMES = (
    "SELECT p.number, p.table_id, p.game, g.at, g.options, g.players, p.guest, p.seat, p.place, p.durak, p.drawn, p.coins FROM parts p "
    "JOIN games g ON g.table_id = p.table_id AND g.game = p.game WHERE p.guest = ? AND p.number < ? ORDER BY p.number DESC LIMIT ?"
)
SERIES = (
    "SELECT p.number, p.table_id, s.at, s.options, s.players, p.seat, s.score FROM series_parts p "
    "JOIN series s ON s.table_id = p.table_id AND s.first = p.first WHERE p.guest = ? AND p.number < ? ORDER BY p.number DESC LIMIT ?"
)


def _game_of(row: Sequence[Any]) -> PlayedGame:
    number, table, game, at, options, players, guest, seat, place, durak, drawn, coins = row
    part = Part(guest, seat, place, bool(durak), bool(drawn), coins)
    return PlayedGame(number, table, game, at, _options(options), _players(players), part)


def _series_of(row: Sequence[Any]) -> PlayedSeries:
    number, table, at, options, players, seat, score = row
    return PlayedSeries(number, table, at, _options(options), _players(players), seat, _score(score))


def _pages(db: Sql, ask: str, read: Callable[[Sequence[Any]], T], guest: str, before: int | None, most: int) -> list[T]:
    """List what can be read; a line that is spoilt is told to the operator, and hides no other."""
    listed: list[T] = []
    last = FIRST_PAGE if before is None else before
    while len(listed) < most:
        rows = list(db.execute(ask, (guest, last, most)))
        for row in rows:
            try:
                listed.append(read(row))
            except (msgspec.DecodeError, TypeError, ValueError) as error:
                log.error("a record of table %s cannot be read: %s", row[1], error, extra={"table": row[1]})
        if len(rows) < most:
            break
        last = rows[-1][0]
    return listed[:most]


def text(value: object) -> str:
    """Write a value as JSON."""
    return msgspec.json.encode(value).decode()

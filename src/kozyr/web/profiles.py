"""Profiles and records over HTTP: what somebody has played."""
from __future__ import annotations

from aiohttp import web

from kozyr.app.played import PlayedGame, PlayedSeries, Score
from kozyr.web import translate
from kozyr.web.guard import Refused, answer
from kozyr.web.people import PERSON, PLAYER, player_asked_for
from kozyr.web.site import SITE, Route, allowed
from kozyr.wire import people as wire

PAGE = 50
"""So many games, or series, are on a page."""


async def show_player(request: web.Request) -> web.Response:
    """Say what everybody may know of a player."""
    site = request.app[SITE]
    allowed(request, site.allowances.looking)
    player, asker = await player_asked_for(request), request.get(PERSON)
    scores = await site.guests.scores(player.guest)
    is_blocked = asker is not None and bool(await site.guests.blockers(player.guest, [asker.guest]))
    return answer(
        wire.Profile(
            id=player.public,
            name=player.name,
            since=player.since,
            score=sum_of(scores),
            avatar=player.avatar,
            account=player.has_account,
            kinds=[score_of(score) for score in scores],
            blocked=is_blocked,
        )
    )


def sum_of(scores: list[Score]) -> wire.Score:
    """Add up the scores of all kinds of tables."""
    return wire.Score(*(sum(getattr(score, name) for score in scores) for name in ("games", "first", "durak", "drawn")))


def score_of(score: Score) -> wire.KindScore:
    """Write the score at tables of a kind."""
    kind = score.kind
    return wire.KindScore(
        kind.deck, kind.seats, score.games, kind.transfer, kind.cheat, kind.staked, score.first, score.durak, score.drawn
    )  # fmt: skip


def page_of(request: web.Request) -> int | None:
    """Read before which number a page ends."""
    before = request.query.get("before")
    if before is None:
        return None
    if not (before.isascii() and before.isdigit() and len(before) < 16):
        raise Refused(400, "bad_body", "before")
    return int(before)


async def show_games(request: web.Request) -> web.Response:
    """Show who asks their finished games; a stranger has none."""
    site = request.app[SITE]
    allowed(request, site.allowances.looking)
    before, person = page_of(request), request.get(PERSON)
    found = [] if person is None else await site.guests.games(person.guest, before, PAGE)
    return answer(wire.Games([game_of(each) for each in found]))


def game_of(game: PlayedGame) -> wire.PlayedGame:
    """Write a game of somebody's record."""
    part = game.part
    players = [translate.seated(player) for player in game.players]
    return wire.PlayedGame(
        game.number, game.table, game.game, game.at, game.options, players, part.seat, part.place, part.durak, part.drawn, part.coins
    )  # fmt: skip


async def show_series(request: web.Request) -> web.Response:
    """Show who asks their series; a stranger has none."""
    site = request.app[SITE]
    allowed(request, site.allowances.looking)
    before, person = page_of(request), request.get(PERSON)
    found = [] if person is None else await site.guests.series(person.guest, before, PAGE)
    return answer(wire.SeriesList([series_of(each) for each in found]))


def series_of(series: PlayedSeries) -> wire.PlayedSeries:
    """Write a series of somebody's record."""
    score = series.score
    return wire.PlayedSeries(
        number=series.number,
        table=series.table,
        first=score.first,
        at=series.at,
        options=series.options,
        players=[translate.seated(player) for player in series.players],
        seat=series.seat,
        games=score.games,
        wins=list(score.wins),
        losses=list(score.losses),
        standing=list(score.standing),
        of=score.of,
        over=score.is_over,
    )


ROUTES = (
    Route(
        "GET", "/api/me/games", show_games, "One's own finished games; `?before=NUMBER` gives the next page", wire.Games,
        problems={400: "bad_body", 429: "not_so_fast"},
    ),
    Route(
        "GET", "/api/me/series", show_series, "One's own series; `?before=NUMBER` gives the next page", wire.SeriesList,
        problems={400: "bad_body", 429: "not_so_fast"},
    ),
    Route(
        "GET", f"/api/players/{PLAYER}", show_player, "What everybody may know of a player", wire.Profile,
        problems={404: "no_player", 429: "not_so_fast"},
    ),
)  # fmt: skip

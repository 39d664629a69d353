"""From the application's words to the protocol's, for one viewer. Every byte comes from `view` and `seen_by` (I8)."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from kozyr.app import events as log
from kozyr.app.evolve import Happening, Late
from kozyr.app.people import public_id
from kozyr.app.table import Series, Stage, Table, shuffle_of
from kozyr.core import events as play
from kozyr.core import views
from kozyr.core.cards import cards_in, format_card, format_suit
from kozyr.core.moves import Move
from kozyr.core.setup import dealt_hands
from kozyr.ledger.payouts import payouts
from kozyr.wire import messages as wire


class Presence(NamedTuple):
    """Which seats' players are connected, and for how long the others have been away."""

    here: set[int]
    away_ms: dict[int, int]


NOBODY = Presence(set(), {})
EVERYWHERE = Presence({0}, {})

CARDS = [format_card(card) if card & 15 < 13 else "" for card in range(64)]


def cards_of(cards: Iterable[int]) -> list[str]:
    """Write cards."""
    return [CARDS[card] for card in cards]


def moves_of(moves: Iterable[Move]) -> list[str]:
    """Write moves without their seat."""
    return [text_of(move.kind, move.cards) for move in moves]


@lru_cache(maxsize=20_000)
def text_of(kind: str, cards: tuple[int, ...]) -> str:
    """Write a move; a game has so few different ones that each is put together once."""
    return Move(0, kind, cards).text


def view_of(table: Table, viewer: int | None) -> wire.View | None:
    """Write what a viewer may know of the present game; None before the deal."""
    position = table.position
    return None if position is None else written(table, views.view(position, viewer))


def written(table: Table, seen: views.View) -> wire.View:
    """Write a view."""
    return wire.View(
        phase=seen.phase,
        bout_no=seen.bout_no,
        trump=format_suit(seen.trump),
        stock=seen.stock,
        seats=[seat_of(seat, table.rules.cheat) for seat in seen.seats],
        bout=[wire.Pair(CARDS[pair.attack], pair.by, None if pair.beat is None else CARDS[pair.beat]) for pair in seen.bout],
        attacker=seen.attacker,
        defender=seen.defender,
        opener=seen.opener,
        joined=list(seen.joined),
        waiting=list(seen.waiting),
        capacity=seen.capacity,
        limit=seen.limit,
        h0=seen.h0,
        trump_card=None if seen.trump_card is None else CARDS[seen.trump_card],
        trump_card_at=seen.trump_card_at,
        discard=seen.discard,
        transfer_lost=seen.transfer_lost,
        floor_open=seen.floor_open,
        taking=seen.is_taking,
        hand=cards_of(seen.hand),
        legal=moves_of(seen.legal),
        result=None if seen.result is None else result_of(table, seen.result),
    )


def seat_of(seat: views.SeatView, is_cheating_table: bool) -> wire.SeatView:
    """Write what everybody may know of a seat."""
    return wire.SeatView(
        cards=seat.cards,
        out=not seat.is_in,
        place=seat.place,
        passed=seat.has_passed,
        accepted=seat.has_accepted,
        barred=seat.is_barred,
        no_challenge=is_cheating_table and not seat.may_challenge,
        shown=seat.has_shown,
    )


def result_of(table: Table, result: play.Result) -> wire.Result:
    """Write how a game ended, with its payouts where there was a stake."""
    rules = table.rules
    paid: list[int] = []
    if rules.stake:
        forfeit = result.reason == "forfeit"
        paid = list(payouts(rules.stake, rules.seats, rules.split, result.places, result.durak, forfeit=forfeit))
    return wire.Result(result.kind, result.reason, result.durak, list(result.places), paid)


def table_of(table: Table, present: Presence, delay_ms: int = 0) -> wire.TableView:
    """Write what does not change while a game runs."""
    game = table.game
    stage = table.stage
    return wire.TableView(
        id=table.id,
        options=dict(table.rules.to_dict()),
        players=players_of(table, present),
        game=0 if game is None else game.number,
        dealer=None if game is None else game.dealer,
        commitment=None if game is None else game.commitment,
        seeds=[] if game is None else [str(seed.state) for seed in game.seeds],
        commitments=[] if game is None else [seed.commitment for seed in game.seeds],
        stage=str(stage),
        again=sorted(table.ready) if stage is Stage.OVER else [],
        ready=sorted(table.ready) if stage is Stage.GATHERING else [],
        host=table.host_seat,
        private=table.is_private,
        password=table.password is not None,
        series=None if table.series is None else series_of(table, table.series),
        delay_ms=delay_ms,
        by_operator=table.closing is not None and table.closing.by == "operator",
        cut_short=table.closing is not None and table.closing.game > 0,
    )


def players_of(table: Table, present: Presence) -> list[wire.Player]:
    """Write who sits at each seat, and who is here."""
    autopilot = frozenset[int]() if table.game is None else table.game.autopilot
    return [player_of(seat, player, present, seat in autopilot) for seat, player in enumerate(table.players)]


def player_of(seat: int, player: log.Player | None, present: Presence, is_on_autopilot: bool = False) -> wire.Player:
    """Write who sits at a seat."""
    if player is None:
        return wire.Player("", "empty", here=False)
    is_here = player.kind == log.BOT or seat in present.here
    away_ms = None if is_here else present.away_ms.get(seat)
    public = None if player.guest is None else called(player.guest)
    return wire.Player(player.name, player.kind, player.level, is_here, is_on_autopilot, away_ms, public, player.avatar)


@lru_cache(maxsize=20_000)
def called(guest: str) -> str:
    """Name a guest for everybody."""
    return public_id(guest)


def seated(player: log.Player) -> wire.Player:
    """Write who sat at a seat, whether they are here or not."""
    return player_of(0, player, EVERYWHERE)


def series_of(table: Table, series: Series) -> wire.SeriesView:
    """Write the score of a series."""
    rules = table.rules
    return wire.SeriesView(
        list(series.wins), list(series.losses), series.standing, series.games, rules.series_games, series.is_over(rules)
    )  # fmt: skip


def clock_of(table: Table, now: int) -> tuple[int | None, int | None]:
    """Return the milliseconds that the running clock has left, and all that it had since it was started."""
    game = table.game
    if game is None or game.due is None or not table.is_running:
        return None, None
    return max(0, game.due - now), game.due - game.clock


def reveal_of(table: Table) -> wire.Reveal | None:
    """Write what is shown when a game is over, and only then (V5)."""
    game = table.game
    if game is None or game.stage is not Stage.OVER or game.dealer is None:
        return None
    dealt = dealt_hands(table.rules, game.pack, game.dealer)
    hands = [cards_of(cards_in(dealt.hands[seat])) for seat in range(table.rules.seats)]
    return wire.Reveal(hands, cards_of(game.pack), shuffle_of(table, game).to_dict())


def told(table: Table, happenings: Iterable[Happening], viewer: int | None) -> list[wire.Event]:
    """Write what happened, as a viewer may see it."""
    written = (event_of(table, happening, viewer) for happening in happenings)
    return [event for event in written if event is not None]


def event_of(table: Table, happening: Happening, viewer: int | None) -> wire.Event | None:
    """Write one thing that happened, as a viewer may see it; None for what viewers are not told."""
    write = WRITERS.get(type(happening))
    if write is not None:
        return write(happening)
    if isinstance(happening, play.Drew):
        return drew_of(happening, viewer)
    return wire.GameOver(result_of(table, happening.result)) if isinstance(happening, play.GameOver) else None


def drew_of(event: play.Drew, viewer: int | None) -> wire.Drew:
    """Write who drew how many cards; of another seat's only the turned card."""
    seen = play.seen_by(event, viewer)
    assert isinstance(seen, play.Drew)
    return wire.Drew(seen.seat, seen.count, cards_of(seen.cards))


def is_about_table(happening: Happening) -> bool:
    """Whether what `table_of` writes may have changed by it."""
    return type(happening) in TABLE_EVENTS


TABLE_EVENTS = frozenset((
    log.GameOpened, log.SeedCommitted, log.SeedRevealed, log.SeedAbsent, log.Dealt, log.AutopilotSet, log.AskedAgain,
    log.SeatTaken, log.SeatLeft, log.Redressed, log.ReadySet, log.TableClosed, play.GameOver,
))  # fmt: skip

WRITERS: dict[type, Callable[[Any], wire.Event]] = {
    log.GameOpened: lambda event: wire.Opened(event.game, event.commitment),
    log.SeedCommitted: lambda event: wire.SeedCommitted(event.seat, event.commitment),
    log.SeedRevealed: lambda event: wire.SeedRevealed(event.seat, event.seed),
    log.SeedAbsent: lambda event: wire.SeedAbsent(event.seat),
    log.Dealt: lambda event: wire.Dealt(event.dealer, event.attacker, event.redeals),
    log.AutopilotSet: lambda event: wire.Autopilot(event.seat, event.on),
    log.TimeGiven: lambda event: wire.TimeGiven(event.ms, event.why),
    log.SeatTaken: lambda event: wire.SeatTaken(event.seat, player_of(event.seat, event.player, NOBODY)),
    log.SeatLeft: lambda event: wire.SeatLeft(event.seat),
    log.Redressed: lambda event: wire.Redressed(event.seat, event.avatar),
    log.ReadySet: lambda event: wire.ReadySet(event.seat, event.on, event.unpaid),
    log.TableClosed: lambda event: wire.TableClosed(),
    log.AskedAgain: lambda event: wire.AskedAgain(event.seat),
    play.Attacked: lambda event: wire.Attacked(event.seat, cards_of(event.cards)),
    play.Beaten: lambda event: wire.Beaten(event.seat, CARDS[event.attack], CARDS[event.card]),
    play.Transferred: lambda event: wire.Transferred(event.seat, cards_of(event.cards), event.to),
    play.Showed: lambda event: wire.Showed(event.seat, CARDS[event.card], event.to),
    play.Took: lambda event: wire.Took(event.seat),
    play.Passed: lambda event: wire.Passed(event.seat),
    play.Accepted: lambda event: wire.Accepted(event.seat),
    play.Challenged: lambda event: wire.Challenged(event.seat, CARDS[event.card], event.author, event.right, event.code),
    play.Returned: lambda event: wire.Returned(event.seat, CARDS[event.card]),
    play.Resigned: lambda event: wire.Resigned(event.seat),
    play.BoutOver: lambda event: wire.BoutOver(event.outcome, cards_of(event.cards), list(event.order), event.taker),
    play.WentOut: lambda event: wire.WentOut(event.seat, event.place),
    Late: lambda late: replace(WRITERS[type(late.event)](late.event), late=True),
}



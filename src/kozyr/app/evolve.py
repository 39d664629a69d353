"""The fold: a table and one event of its log make the next table (I4)."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from kozyr.app.dealing import Previous
from kozyr.app.events import (
    AskedAgain,
    AutopilotSet,
    Dealt,
    GameEnded,
    GameOpened,
    Moved,
    ReadySet,
    Redressed,
    SeatLeft,
    SeatTaken,
    SeedAbsent,
    SeedCommitted,
    SeedRevealed,
    TableClosed,
    TableCreated,
    TableEvent,
    TimeGiven,
    decode,
)
from kozyr.app.ports import Row
from kozyr.app.table import SEED_MS, WAIT_MS, Game, Seed, SeedState, Series, Stage, Table
from kozyr.app.turn_clock import clock_ms, lapses_after, restarts
from kozyr.core import setup
from kozyr.core.cards import format_cards, parse_cards
from kozyr.core.codes import DEFENCE, OPENING
from kozyr.core.events import Attacked, Event, Passed, Took
from kozyr.core.moves import Move, parse_move_of
from kozyr.core.options import Rules
from kozyr.core.play import play
from kozyr.core.position import Position


class Late(NamedTuple):
    """What the clock did for a seat whose time had run out (R16.2)."""

    event: Attacked | Took | Passed


Happening = TableEvent | Event | Late
"""What viewers are told: an event of the table itself, or one that the rules made of a move."""


class Step(Struct, frozen=True):
    """One event of a log, the table after it, and what viewers are told of it."""

    event: TableEvent
    table: Table
    told: list[Happening]


def create(table_id: str, at: int, event: TableCreated) -> Table:
    """Make a table of the first event of its log."""
    players = tuple(event.players)
    host = next((player.guest for player in players if player is not None and player.guest is not None), None)
    table = Table(
        table_id, 1, at, Rules.of(event.options), players, is_private=event.is_private, password=event.password, host=host
    )  # fmt: skip
    return replace(table, wait=at + WAIT_MS, series=new_series(table.rules))


def evolve(table: Table, at: int, event: TableEvent) -> tuple[Table, list[Happening]]:
    """
    Add the next event, which happened *at* that millisecond; say what viewers are told of it.

    The given table stays as it is.

    Raises: IllegalMove for a move that the rules forbid.
    """
    seq = table.seq + 1
    if isinstance(event, Moved):
        game, happened = moved(table.game, event, at, table.rules)
        told: list[Happening] = happened if event.by != "clock" else late(event, happened)  # type: ignore[assignment]
        return replace(table, seq=seq, at=at, game=game), told
    if isinstance(event, GameOpened):
        return begun(table, event, at), [event]
    if isinstance(event, GameEnded):
        return ended(table, event, at), []
    if isinstance(event, SeatTaken | SeatLeft | ReadySet | AskedAgain | TableClosed):
        return gathered(table, event, at), [event]
    if isinstance(event, Redressed):
        return redressed(table, event, at), [event]
    if isinstance(event, TimeGiven) and not table.is_running:
        return replace(table, seq=seq, at=at, wait=at + event.ms), []
    game = game_of(table)
    if isinstance(event, Dealt):
        game = dealt(table, game, event, at)
    elif isinstance(event, SeedCommitted):
        game = seeded(game, event.seat, at, Seed(SeedState.COMMITTED, event.commitment))
    elif isinstance(event, SeedRevealed):
        game = seeded(game, event.seat, at, replace(game.seeds[event.seat], state=SeedState.REVEALED, seed=event.seed))
    elif isinstance(event, SeedAbsent):
        game = seeded(game, event.seat, at, replace(game.seeds[event.seat], state=SeedState.ABSENT))
    elif isinstance(event, AutopilotSet):
        game = piloted(game, event, at, table.rules)
    elif isinstance(event, TimeGiven):
        assert game.due is not None, f"time for no clock at table {table.id}, {table.seq}"
        game = replace(game, due=max(at, game.due) + event.ms, has_grace=game.has_grace or event.why == "network")
    return replace(table, seq=seq, at=at, game=game), [event]


def steps(table_id: str, rows: Iterable[Row], table: Table | None = None) -> Iterator[Step]:
    """
    Walk through rows of a log, after *table* if it is given.

    Raises: ValueError for a log without a beginning, or with a gap.
    """
    for row in rows:
        event = decode(row.body)
        if row.seq != (1 if table is None else table.seq + 1):
            raise ValueError(f"the log of table {table_id} has a gap before {row.seq}")
        told: list[Happening] = []
        if table is not None:
            table, told = evolve(table, row.at, event)
        elif isinstance(event, TableCreated):
            table = create(table_id, row.at, event)
        else:
            raise ValueError(f"the log of table {table_id} has no beginning")
        yield Step(event, table, told)


def fold(table_id: str, rows: Iterable[Row]) -> Table:
    """
    Fold the whole log of a table.

    Raises: ValueError as `steps` says, and for an empty log.
    """
    table = None
    for step in steps(table_id, rows):
        table = step.table
    if table is None:
        raise ValueError(f"the log of table {table_id} is empty")
    return table


def game_of(table: Table) -> Game:
    """Return the present game; every event but the opening of one needs it."""
    assert table.game is not None, f"no game at table {table.id}, {table.seq}"
    return table.game


def gathered(table: Table, event: SeatTaken | SeatLeft | ReadySet | AskedAgain | TableClosed, at: int) -> Table:
    """Let people come and go between games; where seats change hands a series and what the next game asks of the last one end."""
    seq, ready = table.seq + 1, table.ready
    if isinstance(event, TableClosed):
        return replace(table, seq=seq, at=at, is_closed=True, closing=event, wait=None, game=None if table.is_running else table.game)
    if isinstance(event, ReadySet | AskedAgain):
        is_on = not isinstance(event, ReadySet) or event.on
        return replace(table, seq=seq, at=at, ready=ready | {event.seat} if is_on else ready - {event.seat}, wait=wait_of(table, at))
    player = event.player if isinstance(event, SeatTaken) else None
    gone = table.players[event.seat]
    players = (*table.players[: event.seat], player, *table.players[event.seat + 1 :])
    after = replace(
        table, seq=seq, at=at, players=players, ready=ready - {event.seat}, previous=None, series=new_series(table.rules)
    )  # fmt: skip
    if after.host_seat is None or (gone is not None and gone.guest == table.host):
        heirs = [heir.guest for heir in players if heir is not None and heir.guest is not None]
        after = replace(after, host=heirs[0] if heirs else None)
    return replace(after, wait=wait_of(after, at))


def redressed(table: Table, event: Redressed, at: int) -> Table:
    """Put another picture to a person's seat; nothing else changes."""
    player = table.players[event.seat]
    assert player is not None, f"nobody sits at seat {event.seat} of table {table.id}"
    players = (*table.players[: event.seat], replace(player, avatar=event.avatar), *table.players[event.seat + 1 :])
    return replace(table, seq=table.seq + 1, at=at, players=players)


def wait_of(table: Table, at: int) -> int | None:
    """Return until when persons who are away keep their seats: while some seat is empty, or before the first game."""
    return at + WAIT_MS if not table.is_closed and (table.game is None or None in table.players) else None


def new_series(rules: Rules) -> Series | None:
    """Begin to count, at the tables where it is counted."""
    return Series((0,) * rules.seats, (0,) * rules.seats) if rules.series else None


def counted(series: Series, event: GameEnded) -> Series:
    """
    Count a game: its first out and its durak, nothing after a draw.

    Source: R12.1.
    """
    wins, losses = list(series.wins), list(series.losses)
    if event.durak is not None:
        losses[event.durak] += 1
        for winner in event.places[:1]:
            wins[winner] += 1
    return Series(tuple(wins), tuple(losses), series.games + 1)


def begun(table: Table, event: GameOpened, at: int) -> Table:
    """Begin a game; after the last one of a series, a new series."""
    series, previous = table.series, table.previous
    if series is not None and series.is_over(table.rules):
        series, previous = new_series(table.rules), None
    game = opened(event, at)
    return replace(table, seq=table.seq + 1, at=at, game=game, ready=frozenset(), wait=None, series=series, previous=previous)


def opened(event: GameOpened, at: int) -> Game:
    """Open a game: a person's seed is awaited, a bot's was drawn by the server."""
    seeds = tuple(
        Seed() if seed is None else Seed.of_bot(event.commitment, seat, seed) for seat, seed in enumerate(event.bot_seeds)
    )
    return Game(event.game, event.commitment, event.server_seed, seeds, at, at + SEED_MS, (0,) * len(seeds))


def seeded(game: Game, seat: int, at: int, seed: Seed) -> Game:
    """Put in a seat's seed; the clock starts anew when all have committed."""
    after = replace(game, seeds=(*game.seeds[:seat], seed, *game.seeds[seat + 1 :]))
    return replace(after, clock=at, due=at + SEED_MS) if after.may_reveal and not game.may_reveal else after


def dealt(table: Table, game: Game, event: Dealt, at: int) -> Game:
    """Deal the cards."""
    pack = bytes(parse_cards(event.pack))
    position = setup.start(table.rules, pack, event.dealer, event.attacker)
    return replace(
        game,
        clock=at,
        due=due_after(at, table.rules, position),
        stage=Stage.PLAYING,
        dealer=event.dealer,
        pack=pack,
        redeals=event.redeals,
        attacker=event.attacker,
        position=position,
    )


def due_after(at: int, rules: Rules, position: Position) -> int | None:
    """Return when a clock acts that starts now."""
    ms = clock_ms(rules, position)
    return None if ms is None else at + ms


def moved(game: Game | None, event: Moved, at: int, rules: Rules) -> tuple[Game, list[Event]]:
    """Play a move on a copy of the position, and set the clock."""
    assert game is not None, f"a move before the first game: {event}"
    before = game.position
    assert before is not None, f"a move before the deal in game {game.number}"
    position = before.copy()
    move = read_move(event.seat, event.move)
    happened = play(position, move)
    lapses = game.lapses
    if lapses[event.seat] or event.by == "clock":
        lapses = lapses_after(lapses, event.seat, event.by, move.kind, before.phase in (OPENING, DEFENCE))
    if not restarts(before, position, happened):
        return replace(game, position=position, lapses=lapses), happened
    ms = clock_ms(rules, position)
    due = None if ms is None else at + ms
    return replace(game, position=position, lapses=lapses, clock=at, due=due, has_grace=False), happened


def late(event: Moved, happened: list[Event]) -> list[Happening]:
    """Tell what a move of the clock has made, and of which part it is the author."""
    return [Late(each) if isinstance(each, Attacked | Took | Passed) and each.seat == event.seat else each for each in happened]


def piloted(game: Game, event: AutopilotSet, at: int, rules: Rules) -> Game:
    """Leave a seat to the easy bot, or give it back; where its own time had run out the bot has time of its own (R16.3)."""
    assert game.position is not None
    autopilot = game.autopilot | {event.seat} if event.on else game.autopilot - {event.seat}
    lapses = (*game.lapses[: event.seat], 0, *game.lapses[event.seat + 1 :])
    if game.due is None or at < game.due:
        return replace(game, autopilot=autopilot, lapses=lapses)
    return replace(game, autopilot=autopilot, lapses=lapses, clock=at, due=due_after(at, rules, game.position), has_grace=False)


@lru_cache(maxsize=20_000)
def read_move(seat: int, text: str) -> Move:
    """
    Read a seat's move; what is played again and again is read once.

    Raises: ValueError with the text, if it is no move.
    """
    return parse_move_of(seat, text)


def ended(table: Table, event: GameEnded, at: int) -> Table:
    """End the game; what the next one needs to know of it stays."""
    game = game_of(table)
    assert game.position is not None and game.dealer is not None
    last = setup.LastGame(event.durak, event.places[0] if event.places else None, game.position.defender)
    return replace(
        table,
        seq=table.seq + 1,
        at=at,
        game=replace(game, stage=Stage.OVER, ended=event, autopilot=frozenset(), due=None),
        previous=Previous(game.dealer, last),
        series=None if table.series is None else counted(table.series, event),
    )


def pack_text(pack: bytes) -> str:
    """Write a pack as the log keeps it."""
    return format_cards(pack)

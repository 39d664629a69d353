"""The decision: a table and a command make events, or a refusal. Pure; the same judge as everywhere."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kozyr.app.commands import AskAgain, Command, CommitSeed, Lapse, Play, Refusal, RevealSeed, Seeds, TakeBack
from kozyr.app.dealing import draw
from kozyr.app.events import (
    PERSON,
    AskedAgain,
    AutopilotSet,
    By,
    Dealt,
    GameEnded,
    GameOpened,
    Moved,
    Player,
    SeedAbsent,
    SeedCommitted,
    SeedRevealed,
    TableCreated,
    TableEvent,
    TimeGiven,
)
from kozyr.app.evolve import Step, create, evolve, game_of, pack_text, read_move
from kozyr.app.table import Game, SeedState, Stage, Table, game_id, shuffle_of
from kozyr.app.turn_clock import GRACE_MS, LAPSES
from kozyr.core.codes import CHALLENGE, DEFENCE, OPENING, OVER
from kozyr.core.defaults import default_move
from kozyr.core.judge import waiting_for
from kozyr.core.moves import IllegalMove
from kozyr.core.options import Rules
from kozyr.core.play import result_of
from kozyr.fair import commit_seat, commit_server


class Draft:
    """
    Events that a command makes of a table, each already added; nothing is in the log yet.

    `steps` has for each event the table after it and what viewers are told of it.
    """

    def __init__(self, table: Table, now: int) -> None:
        self.table = table
        self.now = now
        self.steps: list[Step] = []

    def add(self, event: TableEvent) -> None:
        """Add an event."""
        self.table, told = evolve(self.table, self.now, event)
        self.steps.append(Step(event, self.table, told))


class Refused(Exception):
    """Leaves a decision early."""

    def __init__(self, code: str, about: str = "") -> None:
        super().__init__(code)
        self.refusal = Refusal(code, about)


def open_table(table_id: str, rules: Rules, players: list[Player], seeds: Seeds, now: int) -> Draft:
    """Open a table and its first game."""
    created = TableCreated(rules.to_dict(), players)
    draft = Draft(create(table_id, now, created), now)
    draft.steps.append(Step(created, draft.table, []))
    open_game(draft, seeds)
    return draft


def decide(table: Table, command: Command, now: int) -> Draft | Refusal | None:
    """
    Decide about a command at the server's time *now*; None for a lapse of a clock that is not due.

    Every refusal has a stable code; a move is refused with the code of the rule that it breaks.
    """
    draft = Draft(table, now)
    try:
        if isinstance(command, Lapse):
            lapse(draft, command)
            return draft if draft.steps else None
        if command.seat is None:
            return Refusal("not_seated")
        HANDLERS[type(command)](draft, command)
    except Refused as left:
        return left.refusal
    except IllegalMove as illegal:
        return Refusal(illegal.code, about(illegal))
    return draft


def about(illegal: IllegalMove) -> str:
    """Name what an illegal move is about: its last card, or its word."""
    return illegal.move.text.rsplit(" ", 1)[-1]


def open_game(draft: Draft, seeds: Seeds) -> None:
    """Open the table's next game; where only bots sit it is dealt at once."""
    table = draft.table
    number = 1 if table.game is None else table.game.number + 1
    commitment = commit_server(game_id(table.id, number), seeds.server).hex()
    bots = [None if player.kind == PERSON else seed.hex() for player, seed in zip(table.players, seeds.seats, strict=True)]
    draft.add(GameOpened(number, commitment, seeds.server.hex(), bots))
    deal_when_ready(draft)


def deal_when_ready(draft: Draft) -> None:
    """Deal once nothing more is awaited for the shuffle."""
    game = game_of(draft.table)
    if game.may_deal:
        drawn = draw(draft.table.rules, shuffle_of(draft.table, game).stream(), draft.table.previous)
        draft.add(Dealt(drawn.dealer, pack_text(drawn.pack), drawn.redeals, drawn.attacker))


def decide_play(draft: Draft, command: Play) -> None:
    """Play a move: judged by the rules as they stand now, however old what the player saw."""
    table, seat = draft.table, seat_of(command)
    game = present(table)
    try:
        move = read_move(seat, command.text)
    except ValueError:
        raise Refused("bad_move", command.text) from None
    if game.position is None:
        raise Refused("not_dealt")
    if game.stage is Stage.OVER:
        raise Refused("game_over")
    if command.at_seq is not None and command.at_seq != table.seq:
        raise Refused("stale")
    if command.by == "player" and seat in game.autopilot:
        raise Refused("autopilot")
    if move.kind == "resign" and table.rules.forfeit == "autopilot":
        if not game.position.seats_in >> seat & 1:
            raise Refused("seat_not_in", move.text)
        draft.add(AutopilotSet(seat, True))
        return
    # Resigning is meant for the game, not for a bout.
    if command.bout != game.position.bout_no and move.kind != "resign":
        raise Refused("stale", str(game.position.bout_no))
    make_move(draft, seat, move.text, command.by)


def make_move(draft: Draft, seat: int, text: str, by: By) -> None:
    """Add a move, and the end of the game where it ends it."""
    draft.add(Moved(seat, text, by))
    position = game_of(draft.table).position
    assert position is not None
    if position.phase == OVER:
        result = result_of(position)
        draft.add(GameEnded(result.durak, list(result.places), result.reason))


def decide_commit(draft: Draft, command: CommitSeed) -> None:
    """Take a seat's commitment, once."""
    game = shuffling(draft.table, command.game)
    seat = seat_of(command)
    if game.seeds[seat].state is not SeedState.WAITING:
        raise Refused("already" if game.seeds[seat].state is not SeedState.ABSENT else "too_late")
    draft.add(SeedCommitted(seat, command.commitment))


def decide_reveal(draft: Draft, command: RevealSeed) -> None:
    """Take a seat's seed once every seat has committed, if it fits."""
    game = shuffling(draft.table, command.game)
    seat = seat_of(command)
    seed = game.seeds[seat]
    if seed.state is not SeedState.COMMITTED:
        raise Refused({SeedState.WAITING: "not_committed", SeedState.ABSENT: "too_late"}.get(seed.state, "already"))
    if not game.may_reveal:
        raise Refused("too_early")
    if commit_seat(bytes.fromhex(game.commitment), seat, bytes.fromhex(command.seed)).hex() != seed.commitment:
        raise Refused("bad_seed")
    draft.add(SeedRevealed(seat, command.seed))
    deal_when_ready(draft)


def decide_again(draft: Draft, command: AskAgain) -> None:
    """Ask for another game; it opens when every person has asked."""
    game = numbered(draft.table, command.game)
    seat = seat_of(command)
    if game.stage is not Stage.OVER:
        raise Refused("not_over")
    if seat in game.again:
        raise Refused("already")
    draft.add(AskedAgain(seat))
    asked = game_of(draft.table).again
    if all(seat in asked for seat, player in enumerate(draft.table.players) if player.kind == PERSON):
        open_game(draft, command.seeds)


def decide_take_back(draft: Draft, command: TakeBack) -> None:
    """Give a seat back to its player."""
    game = numbered(draft.table, command.game)
    if seat_of(command) not in game.autopilot:
        raise Refused("not_on_autopilot")
    draft.add(AutopilotSet(seat_of(command), False))


def lapse(draft: Draft, command: Lapse) -> None:
    """
    Let the clock act where it is due, after the time in which no server was there has been given back.

    Seeds that never came are absent. A seat that the game waited for plays its default move, or has forfeited.

    Source: R14.5, R16.1, R16.2.
    """
    give_back(draft, command)
    if not is_due(draft):
        return
    if game_of(draft.table).stage is Stage.SEEDS:
        lapse_seeds(draft)
        return
    give_grace(draft, command)
    while is_due(draft):
        lapse_turn(draft)


def is_due(draft: Draft) -> bool:
    """Whether the clock acts now."""
    due = draft.table.due
    return due is not None and due <= draft.now


def give_back(draft: Draft, command: Lapse) -> None:
    """Give a running clock the time back in which no server was there; whatever happened since then has had its time (R16.1)."""
    table, outage = draft.table, command.outage
    if outage is None or table.due is None or table.at >= outage.until or table.due <= outage.since:
        return
    ms = table.due + outage.until - max(outage.since, table.at) - max(draft.now, table.due)
    if ms > 0:
        draft.add(TimeGiven(ms, "server"))


def give_grace(draft: Draft, command: Lapse) -> None:
    """Give a seat whose connection was lost while its clock ran a little time to come back, once a clock (R16.1)."""
    game = game_of(draft.table)
    position = game.position
    if position is None or position.phase == CHALLENGE or game.has_grace:
        return
    waiting = waiting_for(position)
    if any(waiting >> seat & 1 and since >= game.clock for seat, since in command.lost.items()):
        draft.add(TimeGiven(GRACE_MS, "network"))


def lapse_seeds(draft: Draft) -> None:
    """Let the game go on without the seeds that never came."""
    game = game_of(draft.table)
    late = SeedState.COMMITTED if game.may_reveal else SeedState.WAITING
    for seat, seed in enumerate(game.seeds):
        if seed.state is late:
            draft.add(SeedAbsent(seat))
    deal_when_ready(draft)


def lapse_turn(draft: Draft) -> None:
    """
    Make the default move of the first seat that the game waits for, or let it forfeit.

    Source: R16.2, R16.3.
    """
    rules, game = draft.table.rules, game_of(draft.table)
    position = game.position
    assert position is not None
    move = next(move for seat in range(rules.seats) if (move := default_move(position, seat)) is not None)
    seat = move.seat
    is_person = draft.table.bot_at(seat) is None
    most = 1 if rules.timeout == "forfeit" else LAPSES
    if position.phase not in (OPENING, DEFENCE) or not is_person or game.lapses[seat] + 1 < most:
        make_move(draft, seat, move.text, "clock" if is_person else "bot")
    elif rules.forfeit == "autopilot":
        draft.add(AutopilotSet(seat, True))
    else:
        make_move(draft, seat, "resign", "clock")


def seat_of(command: Play | CommitSeed | RevealSeed | AskAgain | TakeBack) -> int:
    """Return the seat of a command, which `decide` has checked."""
    assert command.seat is not None
    return command.seat


def present(table: Table) -> Game:
    """Return the present game, or refuse."""
    if table.game is None:
        raise Refused("no_game")
    return table.game


def numbered(table: Table, number: int) -> Game:
    """Return the present game if it is the one that the command was meant for, or refuse."""
    game = present(table)
    if game.number != number:
        raise Refused("stale", str(game.number))
    return game


def shuffling(table: Table, number: int) -> Game:
    """Return the present game while its shuffle is agreed on, or refuse."""
    game = numbered(table, number)
    if game.stage is not Stage.SEEDS:
        raise Refused("too_late")
    return game


HANDLERS: dict[type[Command], Callable[[Draft, Any], None]] = {
    Play: decide_play,
    CommitSeed: decide_commit,
    RevealSeed: decide_reveal,
    AskAgain: decide_again,
    TakeBack: decide_take_back,
}

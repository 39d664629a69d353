"""The decision: a table and a command make events, or a refusal. Pure; the same judge as everywhere."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kozyr.app.commands import (
    AskAgain,
    Close,
    Command,
    CommitSeed,
    Lapse,
    Leave,
    Play,
    Ready,
    Redress,
    Refusal,
    RevealSeed,
    SeatBot,
    Sit,
    TakeBack,
    UnseatBot,
    Withdraw,
)
from kozyr.app.draft import Draft, Refused, deal_when_ready, make_move, numbered, seat_of
from kozyr.app.events import AutopilotSet, SeedCommitted, SeedRevealed
from kozyr.app.evolve import read_move
from kozyr.app.gathering import (
    decide_again,
    decide_close,
    decide_leave,
    decide_ready,
    decide_redress,
    decide_seat_bot,
    decide_sit,
    decide_unseat_bot,
    decide_withdraw,
    open_table,
)
from kozyr.app.lapses import lapse
from kozyr.app.table import Game, SeedState, Stage, Table
from kozyr.core.moves import IllegalMove
from kozyr.fair import commit_seat

__all__ = ["Draft", "decide", "open_table"]


SEATLESS = (Sit, Close, Withdraw)


def decide(table: Table, command: Command, now: int) -> Draft | Refusal | None:
    """
    Decide about a command at the server's time *now*; None for a lapse of a clock that is not due.

    Every refusal has a stable code; a move is refused with the code of the rule that it breaks.
    """
    # Clocks of processes differ by a little; a log only goes forward.
    draft = Draft(table, max(now, table.at))
    try:
        if isinstance(command, Lapse):
            lapse(draft, command)
            return draft if draft.steps else None
        if not isinstance(command, SEATLESS) and command.seat is None:
            return Refusal("not_seated")
        if table.is_closed:
            return Refusal("table_closed")
        HANDLERS[type(command)](draft, command)
    except Refused as left:
        return left.refusal
    except IllegalMove as illegal:
        return Refusal(illegal.code, about(illegal))
    return draft


def about(illegal: IllegalMove) -> str:
    """Name what an illegal move is about: its last card, or its word."""
    return illegal.move.text.rsplit(" ", 1)[-1]


def decide_play(draft: Draft, command: Play) -> None:
    """Play a move: judged by the rules as they stand now, however old what the player saw."""
    table, seat = draft.table, command.seat
    game = table.game
    assert seat is not None
    if game is None:
        raise Refused("not_dealt")
    try:
        move = read_move(seat, command.text)
    except ValueError:
        raise Refused("bad_move", command.text) from None
    if command.at_seq is not None and command.at_seq != table.seq:
        # Whatever has become of the table since then: the bot looks again.
        raise Refused("stale")
    if game.position is None:
        raise Refused("not_dealt")
    if game.stage is Stage.OVER:
        raise Refused("game_over")
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
    make_move(draft, seat, command.text, command.by)


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


def decide_take_back(draft: Draft, command: TakeBack) -> None:
    """Give a seat back to its player."""
    game = numbered(draft.table, command.game)
    if seat_of(command) not in game.autopilot:
        raise Refused("not_on_autopilot")
    draft.add(AutopilotSet(seat_of(command), False))


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
    Sit: decide_sit,
    Leave: decide_leave,
    Redress: decide_redress,
    Ready: decide_ready,
    SeatBot: decide_seat_bot,
    UnseatBot: decide_unseat_bot,
    Close: decide_close,
    Withdraw: decide_withdraw,
}

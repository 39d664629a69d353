"""What the clock does when it is due."""
from __future__ import annotations

from kozyr.app.commands import Lapse
from kozyr.app.draft import Draft, deal_when_ready, make_move
from kozyr.app.events import AutopilotSet, SeatLeft, SeedAbsent, TableClosed, TimeGiven
from kozyr.app.evolve import game_of
from kozyr.app.table import WAIT_MS, SeedState, Stage
from kozyr.app.turn_clock import GRACE_MS, LAPSES
from kozyr.core.codes import CHALLENGE, DEFENCE, OPENING
from kozyr.core.defaults import default_move
from kozyr.core.judge import waiting_for


def lapse(draft: Draft, command: Lapse) -> None:
    """
    Let the clock act where it is due, after the time in which no server was there has been given back.

    Seeds that never came are absent. A seat that the game waited for plays its default move, or has forfeited.

    Source: R14.5, R16.1, R16.2.
    """
    give_back(draft, command)
    if not is_due(draft):
        return
    if not draft.table.is_running:
        free_seats(draft, command)
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
    if outage is None or not table.is_running or table.due is None or table.at >= outage.until or table.due <= outage.since:
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


def free_seats(draft: Draft, command: Lapse) -> None:
    """Free the seats of persons who have been away for long from a table that waits for people; close it where nobody is left."""
    for seat in draft.table.persons:
        if command.lost.get(seat, draft.now) <= draft.now - WAIT_MS:
            draft.add(SeatLeft(seat))
    if not draft.table.persons:
        draft.add(TableClosed())
    elif is_due(draft):
        draft.add(TimeGiven(WAIT_MS, "waiting"))

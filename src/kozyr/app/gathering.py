"""People come to a table, are ready, and go, before and between games."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from kozyr.app.commands import AskAgain, Close, Leave, Ready, Redress, SeatBot, Seeds, Sit, UnseatBot, Withdraw
from kozyr.app.draft import Draft, Refused, numbered, open_game, seat_of
from kozyr.app.events import BOT, PERSON, AskedAgain, Player, ReadySet, Redressed, SeatLeft, SeatTaken, TableClosed, TableCreated
from kozyr.app.evolve import Step, create
from kozyr.app.names import distinct
from kozyr.app.table import Stage
from kozyr.core.options import Rules

HERE_MS = 20_000
"""Whoever has been away for longer is not ready, whatever they said before."""


def open_table(
    table_id: str,
    rules: Rules,
    players: Sequence[Player | None],
    seeds: Seeds,
    now: int,
    is_private: bool = True,
    password: str | None = None,
) -> Draft:
    """Open a table; where nobody else is awaited its first game opens at once."""
    created = TableCreated(rules.to_dict(), list(players), is_private, password)
    draft = Draft(create(table_id, now, created), now)
    draft.steps.append(Step(created, draft.table, []))
    if None not in players and len(draft.table.persons) <= 1:
        open_game(draft, seeds)
    return draft


def decide_sit(draft: Draft, command: Sit) -> None:
    """
    Seat a person, once, at the seat that was asked for or at the first empty one.

    Who looks like somebody who sits here already gets a number.
    """
    table = draft.table
    if table.seat_of(command.player.guest) is not None:
        raise Refused("already")
    empty = [seat for seat, player in enumerate(table.players) if player is None]
    if not empty:
        raise Refused("table_full")
    seat = empty[0] if command.wanted is None else command.wanted
    if seat not in empty:
        raise Refused("seat_taken", str(seat))
    others = [player.name for player in table.players if player is not None]
    draft.add(SeatTaken(seat, replace(command.player, name=distinct(command.player.name, others))))


def decide_leave(draft: Draft, command: Leave) -> None:
    """Free a person's seat; the table closes behind the last one."""
    if draft.table.is_running:
        raise Refused("game_runs")
    draft.add(SeatLeft(seat_of(command)))
    if not draft.table.persons:
        draft.add(TableClosed())


def decide_redress(draft: Draft, command: Redress) -> None:
    """Show a person's other picture, whatever happens at the table."""
    seat = seat_of(command)
    player = draft.table.players[seat]
    if player is None or player.avatar == command.avatar:
        raise Refused("already")
    draft.add(Redressed(seat, command.avatar))


def decide_close(draft: Draft, command: Close) -> None:
    """Close the table once, whatever happens there."""
    table = draft.table
    draft.add(TableClosed("operator", table.game.number if table.is_running and table.game is not None else 0))


def decide_ready(draft: Draft, command: Ready) -> None:
    """Be ready for the first game, or not; after a game only the latter."""
    table, seat = draft.table, seat_of(command)
    if table.is_running or (command.on and table.stage is Stage.OVER):
        raise Refused("game_runs")
    if command.on == (seat in table.ready):
        raise Refused("already")
    draft.add(ReadySet(seat, command.on))
    start(draft, command.seeds, command.lost)


def decide_again(draft: Draft, command: AskAgain) -> None:
    """Ask for another game; it opens when every seat is taken and every person has asked."""
    numbered(draft.table, command.game)
    seat = seat_of(command)
    if draft.table.is_running:
        raise Refused("not_over")
    if seat in draft.table.ready:
        raise Refused("already")
    draft.add(AskedAgain(seat))
    start(draft, command.seeds, command.lost)


def decide_seat_bot(draft: Draft, command: SeatBot) -> None:
    """Seat a bot at an empty seat of a free table."""
    looking_after(draft, seat_of(command))
    if draft.table.rules.stake:
        raise Refused("bots_at_stake")
    if not 0 <= command.at < draft.table.rules.seats or draft.table.players[command.at] is not None:
        raise Refused("seat_taken", str(command.at))
    draft.add(SeatTaken(command.at, Player(f"Bot {command.at}", BOT, level=command.level)))
    start(draft, command.seeds, command.lost)


def decide_unseat_bot(draft: Draft, command: UnseatBot) -> None:
    """Send a bot away; nobody sends persons away."""
    looking_after(draft, seat_of(command))
    player = draft.table.players[command.at] if 0 <= command.at < draft.table.rules.seats else None
    if player is None or player.kind == PERSON:
        raise Refused("no_bot", str(command.at))
    draft.add(SeatLeft(command.at))


def decide_withdraw(draft: Draft, command: Withdraw) -> None:
    """Take back that seats are ready which cannot pay; everybody is told, also of the seat whose command it was."""
    for seat in command.seats:
        draft.add(ReadySet(seat, False, unpaid=True))


def looking_after(draft: Draft, seat: int) -> None:
    """Let only the host change the bots, and not while a game runs."""
    if draft.table.is_running:
        raise Refused("game_runs")
    if seat != draft.table.host_seat:
        raise Refused("not_host")


def start(draft: Draft, seeds: Seeds, lost: Mapping[int, int]) -> None:
    """Open the next game if everybody is ready; who has been away for a while is not, and has to say it again."""
    if not draft.table.may_start:
        return
    for seat in draft.table.persons:
        if lost.get(seat, draft.now) <= draft.now - HERE_MS:
            draft.add(ReadySet(seat, False))
    if draft.table.may_start:
        open_game(draft, seeds)

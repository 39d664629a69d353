"""Tables and players for tests."""
from __future__ import annotations

from kozyr.app.commands import Command, CommitSeed, Lapse, Play, Ready, Refusal, RevealSeed, Seeds
from kozyr.app.decide import Draft, decide, open_table
from kozyr.app.events import BOT, PERSON, Player
from kozyr.app.table import Table
from kozyr.core.options import Rules
from kozyr.core.views import view
from kozyr.fair import commit_seat

NOW = 1_000_000


def person(seat: int) -> Player:
    return Player(f"P{seat}", PERSON, guest=f"guest{seat}")


def bot(seat: int) -> Player:
    return Player(f"B{seat}", BOT, level="easy")


def seeds(seats: int, salt: int = 0) -> Seeds:
    return Seeds(bytes([salt] * 32), tuple(bytes([seat + 1] * 32) for seat in range(seats)))


def new_table(people: int, bots: int = 0, salt: int = 0, **options: object) -> Table:
    """Open a table of people, then bots."""
    players = [person(seat) for seat in range(people)] + [bot(people + seat) for seat in range(bots)]
    rules = Rules.of({"seats": len(players), **options})
    return begun(open_table("t1", rules, players, seeds(len(players), salt), NOW).table, salt)


def begun(table: Table, salt: int = 0) -> Table:
    """Let every person be ready, so that the first game opens."""
    while table.game is None:
        seat = next(seat for seat in table.persons if seat not in table.ready)
        table = done(table, Ready(seat, True, seeds(len(table.players), salt)))
    return table


def done(table: Table, command: Command, now: int = NOW) -> Table:
    """Do a command that must not be refused."""
    draft = decide(table, command, now)
    assert isinstance(draft, Draft), draft
    return draft.table


def refused(table: Table, command: Command, now: int = NOW) -> tuple[str, str]:
    """Try a command that must be refused."""
    refusal = decide(table, command, now)
    assert isinstance(refusal, Refusal), refusal
    return refusal.code, refusal.about


def seed_of(seat: int) -> bytes:
    return bytes([100 + seat] * 32)


def commit(table: Table, seat: int, command: str | None = None) -> CommitSeed:
    assert table.game is not None
    text = commit_seat(bytes.fromhex(table.game.commitment), seat, seed_of(seat)).hex()
    return CommitSeed(seat, table.game.number, text, command)


def reveal(table: Table, seat: int, command: str | None = None) -> RevealSeed:
    assert table.game is not None
    return RevealSeed(seat, table.game.number, seed_of(seat).hex(), command)


def dealt(people: int, bots: int = 0, salt: int = 0, **options: object) -> Table:
    """Open a table and agree on the shuffle."""
    table = new_table(people, bots, salt, **options)
    for seat in range(people):
        table = done(table, commit(table, seat))
    for seat in range(people):
        table = done(table, reveal(table, seat))
    return table


def some_move(table: Table) -> Play:
    """Choose a move for a seat that is waited for: beat or attack low, else take or pass."""
    position = table.position
    assert position is not None
    for seat in range(table.rules.seats):
        seen = view(position, seat)
        if seat in seen.waiting and seen.legal:
            order = ("beat", "attack", "take", "pass", "accept")
            # An open game of attacks only would never pass; throw in just where there is no pass.
            legal = [move for move in seen.legal if move.kind in order]
            quiet = [move for move in legal if move.kind in ("pass", "accept")]
            move = (quiet or sorted(legal, key=lambda move: (order.index(move.kind), [card & 15 for card in move.cards])))[0]
            return Play(seat, move.text, seen.bout_no)
    raise AssertionError("nobody has to move")


def played_out(table: Table) -> Table:
    """Play a game to its end."""
    while table.game is not None and table.game.stage == "playing":
        table = done(table, some_move(table))
    return table


def lapse(table: Table, after_ms: int) -> Table:
    """Let the clock act."""
    return done(table, Lapse(), NOW + after_ms)

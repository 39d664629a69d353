"""People who come, play, leave, lose their connections and are let down by the server, at random: what must always be true, is."""
from __future__ import annotations

import random

import pytest

from kozyr.app.commands import (
    AskAgain,
    Command,
    CommitSeed,
    Done,
    Leave,
    Play,
    Ready,
    Refusal,
    RevealSeed,
    SeatBot,
    Sit,
    TakeBack,
    UnseatBot,
)
from kozyr.app.events import AutopilotSet, GameEnded, Moved
from kozyr.app.evolve import steps
from kozyr.app.live import LiveTable
from kozyr.app.table import Stage
from kozyr.app.tables import Tables
from kozyr.core.judge import legal_moves
from kozyr.core.notation import format_position
from kozyr.core.options import Rules
from kozyr.wire.codes import CODES
from tests.app.play import commit, person, reveal
from tests.sim.test_stakes import Bank
from tests.sim.world import settle

OPTIONS: list[dict[str, object]] = [
    {"seats": 2, "stake": 10},
    {"seats": 3, "stake": 25, "transfer": True},
    {"seats": 3, "cheat": True},
    {"seats": 4, "cheat": True, "penalty": "rollback", "stake": 10},
    {"seats": 3, "series": True, "series_games": 2, "timeout": "forfeit"},
    {"seats": 4, "throw_priority": "attacker_first", "turn_s": 15},
]


def wish(live: LiveTable, tables: Tables, chance: random.Random) -> Command:
    """Something that somebody may want, lawful or not."""
    table, rules = live.table, live.table.rules
    seat = chance.randrange(rules.seats)
    seeds = tables.draw_seeds(rules.seats)
    game = table.game
    name = f"c{chance.randrange(400)}"
    if game is not None and game.stage is Stage.SEEDS and chance.random() < 0.8:
        if game.seeds[seat].state == "committed":
            made: CommitSeed | RevealSeed = reveal(table, seat, name)
            return made
        return commit(table, seat, name)
    if table.position is not None and table.stage is Stage.PLAYING and chance.random() < 0.85:
        moves = [move for each in range(rules.seats) for move in legal_moves(table.position, each)]
        if moves and chance.random() < 0.97:
            move = chance.choice(moves)
            return Play(move.seat, move.text, table.position.bout_no, name)
        return Play(seat, "resign", 0, name)
    number = 0 if game is None else game.number
    wishes: list[Command] = [
        Ready(seat, chance.random() < 0.9, seeds, dict(live.lost), name),
        Ready(seat, True, seeds, dict(live.lost), name),
        AskAgain(seat, number, seeds, dict(live.lost), name),
        Sit(person(chance.randrange(8))),
        Sit(person(chance.randrange(8)), seat),
        TakeBack(seat, number, name),
        SeatBot(0, seat, chance.choice(["easy", "normal"]), seeds, dict(live.lost), name),
        UnseatBot(0, seat, name),
    ]
    if chance.random() < 0.5:
        # What makes games begin: somebody sits down, all are ready.
        return Sit(person(chance.randrange(8))) if None in table.players else wishes[1 if game is None else 2]
    return Leave(seat, name) if chance.random() < 0.06 else chance.choice(wishes)


def check(world: Bank, live: LiveTable) -> None:
    """The log is whole, folds to the table, and no clock was early."""
    rows = world.store.rows[live.table.id]
    assert list(range(1, len(rows) + 1)) == [row.seq for row in rows]
    before = None
    for step in steps(live.table.id, rows):
        is_act = isinstance(step.event, AutopilotSet) or (isinstance(step.event, Moved) and step.event.by == "clock")
        if before is not None and isinstance(step.event, Moved) and is_act and before.at != step.table.at:
            assert before.due is not None and before.due <= step.table.at
        before = step.table
    assert before is not None
    assert (live.table.seq, live.table.due, live.table.ready, live.table.players) == (before.seq, before.due, before.ready, before.players)
    if live.table.position is not None and before.position is not None:
        assert format_position(live.table.position) == format_position(before.position)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(f"{name}={value}" for name, value in options.items()))
@pytest.mark.parametrize("seed", range(3))
async def test_whatever_people_do_the_table_stays_whole(options: dict[str, object], seed: int) -> None:
    """Through leaving, coming back, nonsense, time-outs and restarts: no table stops, and coins are right (I1-I7)."""
    chance = random.Random(f"{seed} {options}")
    world = Bank(seed=seed)
    tables = await world.process()
    await world.grant(8)
    rules = Rules.of(options)
    lives = [(await tables.open(rules, [person(0)] + [None] * (rules.seats - 1), False)).table.id]
    over = 0
    for _ in range(800):
        live = await tables.get(lives[-1])
        assert live is not None and not live.is_stopped
        action = chance.random()
        if live.table.stage is Stage.CLOSED:
            lives.append((await tables.open(rules, [person(0)] + [None] * (rules.seats - 1), False)).table.id)
        elif action < 0.9:
            answer = await live.handle(wish(live, tables, chance))
            assert isinstance(answer, Done) or (isinstance(answer, Refusal) and answer.code in CODES and answer.code != "table_stopped")
        elif action < 0.93:
            live.lost.clear()
        elif action < 0.95:
            live.lost = {seat: world.clock.now() for seat in live.table.persons if chance.random() < 0.5}
        elif action < 0.99:
            await world.clock.advance(chance.choice([10, 500, 3000, 8000, 31_000]))
        else:
            await tables.close()
            await world.clock.advance(chance.choice([100, 60_000]))
            tables = await world.process()
            await settle()
        await settle()
    await world.clock.advance(900_000)
    for table_id in lives:
        again = await tables.get(table_id)
        assert again is not None
        check(world, again)
        over += sum(isinstance(step.event, GameEnded) for step in steps(table_id, world.store.rows[table_id]))
    assert over
    totals = await world.store.totals()
    assert (0, 0) == (totals.sum, totals.in_pots)
    await tables.close()

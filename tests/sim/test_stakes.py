"""Staked tables: coins move with the game's own events, once; spectators see them later."""
from __future__ import annotations

import pytest

from kozyr.app.commands import AskAgain, CommitSeed, Done, Play, Ready, Refusal, RevealSeed, Sit
from kozyr.app.delayed import DELAY_MS, DelayedTable
from kozyr.app.events import Moved, decode
from kozyr.app.evolve import steps
from kozyr.app.live import LiveTable
from kozyr.app.ports import Tail
from kozyr.app.table import Stage
from kozyr.app.tables import Tables
from kozyr.core.options import Rules
from kozyr.ledger import Terms, opening_grant
from tests.app.play import commit, person, reveal, some_move
from tests.sim.test_tables import World
from tests.sim.world import settle


class Bank(World):
    """A server with the books of coins."""

    async def process(self) -> Tables:
        tables = Tables(self.store, self.bus.join(), self.clock, self.entropy, self.pause, self.store, Terms(company_games=3))
        await tables.start()
        return tables

    async def grant(self, seats: int) -> None:
        for seat in range(seats):
            await self.store.book(opening_grant(f"guest{seat}", f"10.0.0.{seat}", self.clock.now(), Terms()))

    async def coins(self, seats: int) -> list[int]:
        return [await self.store.balance(f"guest{seat}") or 0 for seat in range(seats)]

    async def is_right(self) -> bool:
        """Whether the books add up and no game is left unsettled."""
        totals = await self.store.totals()
        return totals.sum == 0 and totals.in_pots == 0


async def gathered(tables: Tables, seats: int, **options: object) -> LiveTable:
    live = await tables.open(Rules.of({"seats": seats, "stake": 100, **options}), [person(0)] + [None] * (seats - 1))
    for seat in range(1, seats):
        assert isinstance(await live.handle(Sit(person(seat))), Done)
    live.lost.clear()
    return live


async def begin(tables: Tables, live: LiveTable) -> Done | Refusal | None:
    """All are ready; what the last one was answered."""
    answer = None
    for seat in range(live.table.rules.seats):
        seeds = tables.draw_seeds(live.table.rules.seats)
        game = live.table.game
        answer = await live.handle(Ready(seat, True, seeds) if game is None else AskAgain(seat, game.number, seeds))
    return answer


async def deal(live: LiveTable) -> None:
    for make in (commit, reveal):
        for seat in range(live.table.rules.seats):
            command: CommitSeed | RevealSeed = make(live.table, seat)
            assert isinstance(await live.handle(command), Done)


async def play_to_the_end(live: LiveTable) -> None:
    while live.table.stage is Stage.PLAYING:
        assert isinstance(await live.handle(some_move(live.table)), Done)


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_coins_are_taken_at_the_start_and_paid_at_the_end(seats: int) -> None:
    """Every seat puts in as much when the game opens; the pot is split by places, and nothing is left in it (R15.2, R15.3)."""
    world = Bank()
    tables = await world.process()
    await world.grant(seats)
    live = await gathered(tables, seats)
    assert [1000] * seats == await world.coins(seats)
    assert isinstance(await begin(tables, live), Done)
    assert [900] * seats == await world.coins(seats)
    await deal(live)
    await play_to_the_end(live)
    game = live.table.game
    assert game is not None and game.ended is not None
    coins = await world.coins(seats)
    assert 1000 * seats == sum(coins)
    if game.ended.durak is None:
        assert [1000] * seats == coins
    else:
        assert (1100, 900) == (coins[game.ended.places[0]], coins[game.ended.durak])
    assert await world.is_right()
    await tables.close()


async def test_who_cannot_pay_is_not_dealt_in() -> None:
    """The game does not open, the poor seat is named and is not ready any more, and nobody has paid (R15.2)."""
    world = Bank()
    tables = await world.process()
    await world.grant(2)
    live = await gathered(tables, 2, stake=1001)
    assert Refusal("unpaid", "0 1") == await begin(tables, live)
    assert (Stage.GATHERING, frozenset()) == (live.table.stage, live.table.ready)
    assert [1000, 1000] == await world.coins(2)
    await tables.close()


async def test_the_same_company_plays_so_often_a_day() -> None:
    """Then only free tables are left for these players (R15)."""
    world = Bank()
    tables = await world.process()
    await world.grant(2)
    live = await gathered(tables, 2)
    for number in range(1, 5):
        answer = await begin(tables, live)
        if number == 4:
            assert Refusal("company_limit") == answer
            break
        await deal(live)
        assert live.table.position is not None
        await live.handle(Play(0, "resign", 1))
    assert [700, 1300] == await world.coins(2)
    assert await world.is_right()
    await tables.close()


async def test_a_forfeit_is_settled_by_the_clock() -> None:
    """Nobody plays any more: the clock ends the game and the coins are paid (R16.3)."""
    world = Bank()
    tables = await world.process()
    await world.grant(3)
    live = await gathered(tables, 3)
    await begin(tables, live)
    await world.clock.advance(400_000)
    assert live.table.stage is Stage.OVER
    assert 3000 == sum(await world.coins(3)) and await world.is_right()
    await tables.close()


async def test_a_restart_in_mid_game_settles_once() -> None:
    """Another process goes on with the game; the stakes are in the pot meanwhile, and paid once (I7)."""
    world = Bank()
    tables = await world.process()
    await world.grant(2)
    live = await gathered(tables, 2)
    await begin(tables, live)
    await deal(live)
    for _ in range(4):
        await live.handle(some_move(live.table))
    await tables.close()
    tables = await world.process()
    again = await tables.get(live.table.id)
    assert again is not None
    await play_to_the_end(again)
    assert 2000 == sum(await world.coins(2)) and await world.is_right()
    await tables.close()


async def test_a_table_that_stops_gives_every_stake_back() -> None:
    """By an error of the server nobody loses a coin (R15.5)."""
    world = Bank()
    tables = await world.process()
    await world.grant(2)
    live = await gathered(tables, 2)
    await begin(tables, live)
    await deal(live)
    broken = Play(0, None, 1)  # type: ignore[arg-type]
    assert Refusal("table_stopped") == await live.handle(broken)
    await settle()
    assert [1000, 1000] == await world.coins(2)
    assert await world.is_right()
    await tables.close()


async def test_nobody_watches_a_game_for_coins_as_it_is_played() -> None:
    """Spectators see each move a minute after it was made, people coming and going at once, and everything when it is over (R13.2)."""
    world = Bank()
    tables = await world.process()
    await world.grant(2)
    live = await gathered(tables, 2)
    shown = await DelayedTable.of(live, world.store, world.clock)
    assert (3 - 1, Stage.GATHERING) == (shown.table.seq, shown.table.stage)
    await begin(tables, live)
    await deal(live)
    assert Stage.GATHERING is shown.table.stage
    opened = live.table.seq
    await world.clock.advance(10_000)
    await live.handle(some_move(live.table))
    await world.clock.advance(DELAY_MS - 10_001)
    assert Stage.GATHERING is shown.table.stage
    await world.clock.advance(1)
    assert (Stage.PLAYING, opened) == (shown.table.stage, shown.table.seq)
    late = await DelayedTable.of(live, world.store, world.clock)
    assert opened == late.table.seq < live.table.seq
    while world.store.rows[live.table.id][-1].at < world.clock.now() and live.table.stage is Stage.PLAYING:
        await live.handle(some_move(live.table))
    assert shown.table.seq < live.table.seq
    await live.handle(Play(0, "resign", 1))
    assert live.table.seq == shown.table.seq == late.table.seq
    _, told = await shown.since(opened)
    assert sum(isinstance(decode(row.body), Moved) for row in world.store.rows[live.table.id]) <= len(told)
    shown.close()
    late.close()
    assert [] == live.followers
    await tables.close()


async def test_a_spectator_who_comes_late_sees_no_more_than_others() -> None:
    """At any moment what a newcomer is shown is what somebody who has looked all along is shown (R13.2)."""
    world = Bank()
    tables = await world.process()
    await world.grant(3)
    live = await gathered(tables, 3)
    shown = await DelayedTable.of(live, world.store, world.clock)
    await begin(tables, live)
    await deal(live)
    for _ in range(25):
        await world.clock.advance(3700)
        if live.table.stage is not Stage.PLAYING:
            break
        await live.handle(some_move(live.table))
        late = await DelayedTable.of(live, world.store, world.clock)
        assert shown.table.seq == late.table.seq
        assert live.table.stage is Stage.OVER or shown.table.at <= world.clock.now() - DELAY_MS or not shown.table.is_running
        late.close()
    shown.close()
    await tables.close()


async def test_spectators_are_not_taken_back_into_a_game_that_is_over() -> None:
    """Who comes while the next game runs sees the end of the last one at once, as everybody else has seen it (R13.2, I10)."""
    world = Bank()
    tables = await world.process()
    await world.grant(2)
    live = await gathered(tables, 2)
    await begin(tables, live)
    await deal(live)
    await world.clock.advance(1000)
    await live.handle(Play(0, "resign", 1))
    ended = live.table.seq
    await begin(tables, live)
    assert live.table.is_running
    shown = await DelayedTable.of(live, world.store, world.clock)
    assert (1, Stage.OVER) == (shown.table.game.number if shown.table.game else 0, shown.table.stage)
    assert shown.table.seq >= ended
    shown.close()
    await tables.close()


async def test_a_spectator_misses_nothing_that_is_shown_while_the_log_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who comes back is told of every event up to the state that they are shown, however long reading takes (I10)."""
    world = Bank()
    tables = await world.process()
    await world.grant(3)
    live = await gathered(tables, 3)
    shown = await DelayedTable.of(live, world.store, world.clock)
    await begin(tables, live)
    opened = live.table.seq
    await deal(live)
    for _ in range(16):
        await world.clock.advance(1000)
        await live.handle(some_move(live.table))
    await world.clock.advance(DELAY_MS - 500)
    load, before = world.store.load, shown.table.seq

    async def slowly(table_id: str, after: int = 0) -> Tail | None:
        tail = await load(table_id, after)
        if shown.table.seq == before:
            await live.handle(Play(0, "resign", 1))
        return tail

    monkeypatch.setattr(world.store, "load", slowly)
    table, told = await shown.since(opened)
    assert table.seq == live.table.seq > before
    expected = [each for step in steps(live.table.id, world.store.rows[live.table.id]) if step.table.seq > opened for each in step.told]
    assert expected == told
    shown.close()
    await tables.close()

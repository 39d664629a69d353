"""Hints by NATS and by Redis, with the real servers: they arrive at once, and losing them, or the broker, delays and loses nothing (I9)."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import asyncpg
import pytest

from kozyr.app.commands import Done, Leave, Ready
from kozyr.app.live import LiveTable
from kozyr.app.ports import Row
from kozyr.bus import brokered
from kozyr.bus.brokered import Broker, BrokerBus
from tests import servers
from tests.chaos.processes import Process, at, opened, process, sit, until
from tests.servers import Server
from tests.web.player import Player as Client
from tests.web.player import seated

ROUND_S = 2.0
AT_ONCE_S = 0.4


class Kind(NamedTuple):
    """A broker: its server, and how a process is connected to it."""

    server: Server
    connect: Callable[[], Broker]


def kind_of(name: str) -> Kind:
    if name == "nats":
        from kozyr.bus.nats import NatsBroker

        server = servers.nats()
        return Kind(server, lambda: NatsBroker(server.url))
    from kozyr.bus.redis import RedisBroker

    server = servers.redis()
    return Kind(server, lambda: RedisBroker(server.url))


@pytest.fixture(params=["nats", "redis"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kind]:
    monkeypatch.setattr(brokered, "BEAT_S", 0.2)
    found = kind_of(request.param)
    yield found
    found.server.close()


class Two(NamedTuple):
    """Two processes, with their brokers' ends."""

    one: Process
    other: Process
    brokers: tuple[Broker, Broker]

    @property
    def are_connected(self) -> bool:
        return all(broker.is_connected for broker in self.brokers)


@pytest.fixture
async def two(kind: Kind, postgres_url: str, tmp_path: Path) -> AsyncIterator[Two]:
    brokers = kind.connect(), kind.connect()
    async with (
        process(postgres_url, "1", tmp_path, round_s=ROUND_S, broker=brokers[0]) as one,
        process(postgres_url, "2", tmp_path, round_s=ROUND_S, broker=brokers[1]) as other,
    ):
        await until(lambda: not one.peers.is_alone and not other.peers.is_alone)
        yield Two(one, other, brokers)


async def rows_of(where: Process, live: LiveTable) -> list[Row]:
    tail = await where.store.load(live.table.id)
    assert tail is not None and tail.seq == live.table.seq
    return list(tail.rows)


async def move(at: Process, live: LiveTable, name: str) -> None:
    """Have the first player say that they are ready, or that they are not."""
    command = Ready(0, 0 not in live.table.ready, at.site.tables.draw_seeds(2), id=name)
    assert isinstance(await live.handle(command), Done)


async def shared(two: Two) -> tuple[LiveTable, LiveTable]:
    """Have a table with two persons at it in both processes."""
    live = await opened(two.one)
    away = await at(two.other, live)
    await sit(live)
    await until(lambda: away.table.seq == live.table.seq)
    return live, away


async def test_what_one_process_appends_the_others_show_at_once(two: Two, postgres_url: str) -> None:
    """Each move is seen by players of another process long before anybody would look for it, and the database announces nothing."""
    notified: list[str] = []
    listening = await asyncpg.connect(postgres_url)
    for channel in ("kozyr", "kozyr_peers"):
        await listening.add_listener(channel, lambda _, __, ___, payload: notified.append(payload))
    live, away = await shared(two)
    for number in range(6):
        await move(two.one, live, f"m{number}")
        await until(lambda: away.table.seq == live.table.seq, AT_ONCE_S)
    assert away.table.ready == live.table.ready
    assert [] == notified
    await listening.close()


async def test_hints_that_are_lost_with_the_broker_are_made_up_for(two: Two, kind: Kind) -> None:
    """Killed in the middle of a game, the broker takes hints with it: a round later all know; it comes back, and they know at once."""
    live, away = await shared(two)
    kind.server.kill()
    await until(lambda: not any(broker.is_connected for broker in two.brokers))
    for number in range(3):
        await move(two.one, live, f"away{number}")
    assert await until(lambda: away.table.seq == live.table.seq) <= ROUND_S + 0.5
    kind.server.start()
    await until(lambda: two.are_connected)
    await asyncio.sleep(0.2)
    for number in range(4):
        await move(two.one, live, f"back{number}")
        await until(lambda: away.table.seq == live.table.seq, AT_ONCE_S)
    rows = await rows_of(two.other, away)
    assert list(range(1, len(rows) + 1)) == [row.seq for row in rows]
    names = [*(f"away{number}" for number in range(3)), *(f"back{number}" for number in range(4))]
    assert names == [name for row in rows for name in names if row.command is not None and row.command.endswith(name)]
    assert away.table.ready == live.table.ready


async def test_what_comes_with_a_hint_is_shown_without_reading_the_log(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has a table in memory is told of its events themselves, once they have asked; nobody can read them on their way."""
    said: list[bytes] = []
    whole = two.brokers[1].heard

    def note(channel: str, payload: bytes) -> None:
        said.append(payload)
        whole(channel, payload)

    monkeypatch.setattr(two.brokers[1], "heard", note)
    live, away = await shared(two)
    here, there = two.one.bus, two.other.bus
    assert isinstance(here, BrokerBus) and isinstance(there, BrokerBus)
    await until(lambda: live.table.id in here._here & there._here)
    await move(two.one, live, "asks")
    await until(lambda: live.table.id in here._wanted, AT_ONCE_S)
    await until(lambda: away.table.seq == live.table.seq, AT_ONCE_S)
    before = two.other.store._tails.statements
    for number in range(6):
        await move(two.one, live, f"m{number}")
        await until(lambda: away.table.seq == live.table.seq, AT_ONCE_S)
    # A round that comes between may find out by itself where the table is.
    assert two.other.store._tails.statements - before <= 2 and away.table.ready == live.table.ready
    assert not any(b"ready" in payload for payload in said)


async def test_events_are_not_said_to_who_has_not_asked(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that plays alone at its tables says where they are, and no more."""
    said: list[str] = []

    def note(channel: str, payload: str) -> None:
        if channel == "kozyr":
            said.append(payload)

    live = await opened(two.one)
    monkeypatch.setattr(two.brokers[0], "say", note)
    for number in range(3):
        await move(two.one, live, f"m{number}")
    await until(lambda: len(said) == 3)
    assert [f"1 {live.table.id}:{live.table.seq - left}" for left in (2, 1, 0)] == said


async def test_a_broker_that_stands_still_is_found_out(two: Two, kind: Kind) -> None:
    """A broker that is there and carries nothing keeps nobody waiting, and is used again when it goes on."""
    live, away = await shared(two)
    kind.server.signal(signal.SIGSTOP)
    await move(two.one, live, "still")
    assert await until(lambda: away.table.seq == live.table.seq) <= ROUND_S + 0.5
    await until(lambda: not any(broker.is_connected for broker in two.brokers))
    kind.server.signal(signal.SIGCONT)
    await until(lambda: two.are_connected)
    assert min(broker.connections for broker in two.brokers) > 1
    await asyncio.sleep(0.2)
    await move(two.one, live, "again")
    await until(lambda: away.table.seq == live.table.seq, AT_ONCE_S)


async def test_a_process_starts_without_its_broker(kind: Kind, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a broker that is not there; it is used from when it is."""
    monkeypatch.setattr(brokered, "START_S", 0.1)
    kind.server.kill()
    broker = kind.connect()
    async with process(postgres_url, "1", tmp_path, broker=broker) as one:
        live = await opened(one)
        assert 1 <= live.table.seq and not broker.is_connected
        kind.server.start()
        await until(lambda: broker.is_connected)


async def test_who_is_there_what_is_listed_and_what_is_said_go_by_the_broker(two: Two) -> None:
    """Presence, the lobby and phrases are those of all processes, whatever carries them (trap 8)."""
    one, other = two.one, two.other
    async with one.browser() as session, other.browser() as elsewhere:
        player = await seated(session, options={"seats": 2}, private=False, bots=[None])
        await until(lambda: bool(other.site.lobby._listed), AT_ONCE_S)
        async with Client(elsewhere, player.table_id) as spectator:
            await spectator.hello()
            async with player:
                await player.hello()
                told = await asyncio.wait_for(spectator.until("presence"), AT_ONCE_S)
                assert (0, True) == (told.get("seat", 0), told.get("here", False))
                await player.send(t="say", id="s1", phrase="thanks")
                assert "thanks" == (await asyncio.wait_for(spectator.until("said"), AT_ONCE_S))["phrase"]
            told = await asyncio.wait_for(spectator.until("presence"), AT_ONCE_S)
            assert not told.get("here", False)
        live = await one.site.tables.get(player.table_id)
        assert live is not None
        await live.handle(Leave(0, "l"))
        await until(lambda: not other.site.lobby._listed, AT_ONCE_S)


async def test_what_a_newer_process_says_is_left_alone(two: Two) -> None:
    """Words that this version does not know, or another program's, are passed over, and those beside them are read."""
    live, away = await shared(two)
    for channel in ("kozyr", "kozyr_peers"):
        for payload in ("", "3", "3 rumour", f"3 rumour {live.table.id} with more", "3 t:x t17", "\ufffd"):
            two.brokers[0].say(channel, payload)
    heard = two.other.bus.heard
    two.brokers[0].say("kozyr", f"3 mood=good {live.table.id}:{live.table.seq} {live.table.id}:{live.table.seq}:x")
    await until(lambda: two.other.bus.heard > heard, AT_ONCE_S)
    await move(two.one, live, "on")
    await until(lambda: away.table.seq == live.table.seq, AT_ONCE_S)

"""Several server processes on one PostgreSQL: what one does the others show, and what is lost between them is made up for."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from aiohttp import ClientSession

from kozyr.app.commands import Done, Leave, Ready, Sit
from kozyr.app.events import PERSON, Player
from kozyr.app.live import LiveTable
from kozyr.app.ports import Row
from kozyr.app.tables import SWEEP_MS
from kozyr.app.turn_clock import GRACE_MS
from kozyr.bus import peers
from kozyr.bus import postgres as bus
from kozyr.bus.peers import GONE_S
from kozyr.bus.postgres import PostgresBus
from kozyr.store import grouping
from tests.chaos.processes import PATIENCE_S, Process, at, opened, process, sit, until
from tests.web.player import Player as Client
from tests.web.player import gone, seated


@pytest.fixture
async def two(postgres_url: str, tmp_path: Path) -> AsyncIterator[tuple[Process, Process]]:
    async with process(postgres_url, "1", tmp_path) as one, process(postgres_url, "2", tmp_path) as other:
        await until(lambda: not one.peers.is_alone and not other.peers.is_alone)
        yield one, other


async def ready(by: Process, live: LiveTable, turn: int) -> None:
    """Have the first player say that they are ready, or that they are not."""
    command = Ready(0, 0 not in live.table.ready, by.site.tables.draw_seeds(2), id=f"r{turn}")
    assert isinstance(await live.handle(command), Done)


async def test_what_one_process_appends_the_others_show_at_once(two: tuple[Process, Process]) -> None:
    """A move is seen by players whose websockets are with another process, long before anybody would look for it."""
    live = await opened(two[0])
    there = await at(two[1], live)
    await sit(live)
    await until(lambda: there.table.seq == live.table.seq, 0.4)
    assert live.table.players == there.table.players


async def test_lost_hints_delay_and_lose_nothing(two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one hint arrives: the others find out a little later (I9, trap 2)."""
    monkeypatch.setattr(PostgresBus, "_hear", lambda self, payload: None)
    live = await opened(two[0])
    for channel in ("kozyr", "kozyr 2"):
        two[1].link._channels[channel] = lambda payload: None
    two[1].link._drop()
    there = await at(two[1], live)
    await sit(live)
    assert there.table.seq < live.table.seq
    await until(lambda: there.table.seq == live.table.seq)


async def test_a_listener_that_was_cut_off_looks_when_it_is_back(two: tuple[Process, Process], postgres_url: str) -> None:
    """Hints of the time without a connection are gone; every reconnect asks where the tables are (trap 2)."""
    live = await opened(two[0])
    there = await at(two[1], live)
    before = two[1].link.connections
    killing = await asyncpg.connect(postgres_url)
    await killing.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kozyr hints'")
    await killing.close()
    await sit(live)
    await until(lambda: there.table.seq == live.table.seq)
    assert two[1].link.connections > before


async def test_a_hint_while_a_table_is_loaded_is_not_lost(two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch) -> None:
    """The log moved on after it was read and before the table was there (trap 1)."""
    live = await opened(two[0])
    whole = two[1].store.load
    is_read, goes_on = asyncio.Event(), asyncio.Event()

    async def slow(table_id: str, after: int = 0) -> Any:
        tail = await whole(table_id, after)
        is_read.set()
        await goes_on.wait()
        return tail

    monkeypatch.setattr(two[1].store, "load", slow)
    loading = asyncio.ensure_future(two[1].site.tables.get(live.table.id))
    await is_read.wait()
    heard = two[1].bus.heard
    await sit(live)
    await until(lambda: two[1].bus.heard > heard)
    goes_on.set()
    there = await loading
    assert there is not None and there.table.seq == live.table.seq


async def test_a_hint_names_tables_and_places_in_few_bytes(two: tuple[Process, Process], postgres_url: str) -> None:
    """
    A group of many tables is announced in payloads below 8,000 bytes, each table with its seq, so that none is folded (trap 5).

    An event that is one by itself comes with it, once somebody is known to hear; whoever listens cannot read it, nor a version before.
    """
    payloads: list[str] = []
    listening = await asyncpg.connect(postgres_url)
    await listening.add_listener(f"{grouping.CHANNEL} 3", lambda _, __, ___, payload: payloads.append(payload))
    names = [f"{'x' * 36}{number:04}" for number in range(400)]
    await listening.execute(bus.HOLD, names, "3")
    store = two[0].store
    await asyncio.gather(*(store.append(name, 0, [Row(1, 0, b"a")], None) for name in names))
    await asyncio.gather(*(store.append(name, 1, [Row(2, 0, b"a"), Row(3, 0, b"b")], None) for name in names))
    bodies = {name: b"secret" * (1 + number % 300) for number, name in enumerate(names)}
    await asyncio.gather(*(store.append(name, 3, [Row(4, 5, bodies[name], f"{name}.c")], None) for name in names))
    await until(lambda: sum(word.startswith("xxx") for payload in payloads for word in payload.split()) >= 1200)
    await listening.close()
    assert max(map(len, payloads)) < 8000
    words = [word for payload in payloads for word in payload.split()[1:]]
    assert {f"{name}:{seq}" for name in names for seq in (1, 3, 4)} == {word for word in words if ":" in word}
    rows = {place: store.seals.open(place[:40], 4, word) for place, word in itertools.pairwise(words) if ":" not in word}
    short = [name for name in names if len(bodies[name]) < 1000]
    assert len(short) >= 200 and all(rows[f"{name}:4"] == Row(4, 5, bodies[name], f"{name}.c") for name in short)
    assert all(place[:40] in names and place.endswith(":4") for place in rows)
    assert not any("secret" in payload or base64.b64encode(b"secretsecret").decode() in payload for payload in payloads)


async def test_what_comes_with_a_hint_is_shown_without_reading_the_log(two: tuple[Process, Process]) -> None:
    """Once the other process is known to follow a table, it is told of each event, and asks the database nothing."""
    live = await opened(two[0])
    there = await at(two[1], live)
    await sit(live)
    await until(lambda: there.table.seq == live.table.seq)
    before = two[1].store._tails.statements
    for turn in range(6):
        await ready(two[0], live, turn)
        await until(lambda: there.table.seq == live.table.seq, 0.4)
        assert live.table.ready == there.table.ready
    # A round that comes between may find out by itself where the table is; on a busy machine there are some.
    assert two[1].store._tails.statements - before <= 3


async def test_what_a_version_before_announces_is_read(two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that names places alone is followed through the log, and follows one that brings events by the places alone."""
    monkeypatch.setattr(two[0].store._group, "_seals", None)
    live = await opened(two[0])
    there = await at(two[1], live)
    await sit(live)
    monkeypatch.setattr(two[0].bus, "_seals", None)
    for turn, (by, here, away) in enumerate([(two[0], live, there), (two[1], there, live)] * 3):
        await ready(by, here, turn)
        await until(lambda here=here, away=away: here.table.seq == away.table.seq, 0.4)  # type: ignore[misc]
    assert live.table.ready == there.table.ready


async def test_a_hint_goes_to_who_has_the_table(two: tuple[Process, Process]) -> None:
    """A process is not woken by tables that are none of its business, and is by those that it has in memory."""
    live = await opened(two[0])
    heard = two[1].bus.heard
    await sit(live)
    await at(two[1], live)
    await live.handle(Leave(1, "l"))
    await until(lambda: two[1].bus.heard > heard)
    assert two[1].bus.heard == heard + 1 and 0 == two[0].bus.heard


async def test_a_process_says_again_which_tables_it_has(two: tuple[Process, Process], postgres_url: str) -> None:
    """A crash of PostgreSQL forgets who has what in memory; hints come again when the connection does, and not for what was let go of."""
    live, other = await opened(two[0]), await opened(two[0])
    while two[1].site.tables.peers.is_home(other.table.id):
        # Its home would have it again at once.
        other = await opened(two[0])
    there = await at(two[1], live)
    await at(two[1], other)
    held = f"SELECT count(*) FROM presences WHERE process = '2' AND seat = -1 AND table_id IN ('{live.table.id}', '{other.table.id}')"
    killing = await asyncpg.connect(postgres_url)
    await until(lambda: two[1].bus._held >= {live.table.id, other.table.id})
    two[1].site.tables._seated.pop(other.table.id).stop()
    await until(lambda: other.table.id not in two[1].bus._held)
    assert 1 == await killing.fetchval(held)
    await killing.execute("TRUNCATE processes, presences, sweeps")
    await killing.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kozyr hints'")
    async with asyncio.timeout(PATIENCE_S):
        while not await killing.fetchval(held):
            await asyncio.sleep(0.02)
    await killing.close()
    heard = two[1].bus.heard
    await sit(live)
    await until(lambda: there.table.seq == live.table.seq and two[1].bus.heard > heard)


async def test_who_is_connected_to_another_process_is_here(two: tuple[Process, Process]) -> None:
    """Everybody sees who is there, whichever process they are connected to; who has gone is away (trap 8)."""
    async with two[0].browser() as session:
        player = await seated(session, options={"seats": 2}, private=False, bots=[None])
        there = await two[1].site.tables.get(player.table_id)
        assert there is not None and {0} == set(there.lost)
        async with two[1].browser() as other, Client(other, player.table_id) as spectator:
            await spectator.hello()
            async with player:
                await player.hello()
                told = await spectator.until("presence")
                assert (0, True) == (told.get("seat", 0), told.get("here", False)) and {} == there.lost
                async with two[1].browser() as third, Client(third, player.table_id) as late:
                    assert "away_ms" not in (await late.hello())["table"]["players"][0]
            told = await spectator.until("presence")
            assert not told.get("here", False) and {0} == set(there.lost)


async def test_what_is_said_is_heard_at_other_processes(two: tuple[Process, Process]) -> None:
    """A phrase is heard by everybody at the table, once, whichever process they are connected to."""
    async with two[0].browser() as session, two[1].browser() as other:
        player = await seated(session, options={"seats": 2}, private=False, bots=[None])
        async with player, Client(other, player.table_id) as spectator:
            await player.hello()
            await spectator.hello()
            await player.send(t="say", id="s1", phrase="thanks")
            told = await spectator.until("said")
            assert ("thanks", 0) == (told["phrase"], told.get("seat", 0))
            assert "thanks" == (await player.until("said"))["phrase"]


async def test_one_browser_at_two_processes_is_one_player(two: tuple[Process, Process]) -> None:
    """The seat goes over to the newer window, the player is here all the time; who logs out at one is logged out at the other."""
    async with two[0].browser() as session, ClientSession(two[1].base, cookie_jar=session.cookie_jar) as again:
        older = await seated(session, options={"seats": 2}, private=False, bots=[None])
        async with older, Client(again, older.table_id) as newer:
            await older.hello()
            await newer.hello()
            assert "taken_over" == (await older.until("fault"))["code"]
            await gone(older)
            tables = [process.site.tables.in_memory(older.table_id) for process in two]
            await until(lambda: all(live is not None and live.lost == {} for live in tables))
            async with again.patch("/api/me", json={"avatar": 7}) as response:
                assert 200 == response.status
            await until(lambda: all(live is not None and live.table.players[0].avatar == 7 for live in tables))  # type: ignore[union-attr]
            async with session.post("/api/logout", json={}) as response:
                assert 200 == response.status
            await gone(newer)


async def test_players_of_a_dead_process_are_away(two: tuple[Process, Process]) -> None:
    """A process that dies takes its connections with it, and says nothing: the others find out."""
    live = await opened(two[0])
    there = await at(two[1], live)
    two[0].site.audiences.presence(live.table.id, 0, True)
    await until(lambda: not there.lost)
    await two[0].vanish()
    took = await until(lambda: there.lost)
    assert took <= GONE_S + 2
    assert two[1].peers.is_alone


async def test_presence_is_said_again_when_the_database_has_forgotten_it(two: tuple[Process, Process], postgres_url: str) -> None:
    """A crash of PostgreSQL empties what processes tell each other; each says again what it knows."""
    live = await opened(two[0])
    there = await at(two[1], live)
    two[0].site.audiences.presence(live.table.id, 0, True)
    await until(lambda: not there.lost)
    asking = await asyncpg.connect(postgres_url)
    await asking.execute("TRUNCATE processes, presences, sweeps")
    await until(lambda: not there.lost and not two[1].peers.is_alone)
    async with asyncio.timeout(PATIENCE_S):
        while not await asking.fetchval("SELECT count(*) FROM presences"):
            await asyncio.sleep(0.02)
    await until(lambda: not there.lost)
    await asking.close()


async def test_clocks_of_a_dead_process_act_once_and_never_early(two: tuple[Process, Process]) -> None:
    """The process that had the tables in memory dies before their clocks run out: another acts, at most some sweeps late (I6)."""
    lives = []
    for _ in range(10):
        live = await opened(two[0])
        await sit(live)
        for seat in (0, 1):
            await live.handle(Ready(seat, True, two[0].site.tables.draw_seeds(2)))
        lives.append((live, live.table.seq, live.table.due))
    two[0].site.tables._closing = True
    for seated_here in two[0].site.tables._seated.values():
        seated_here.stop()
    two[0].site.tables._seated.clear()
    await two[0].vanish()
    for live, seq, due in lives:
        assert due is not None
        acted: list[Row] = []
        async with asyncio.timeout(PATIENCE_S):
            while not acted:
                tail = await two[1].store.load(live.table.id, seq)
                acted = [] if tail is None else tail.rows
                await asyncio.sleep(0.02)
        assert due <= acted[0].at
        absent = [row for row in acted if b'"absent"' in row.body]
        assert [seq + 1, seq + 2] == [row.seq for row in absent][:2]


async def test_a_seat_that_is_another_persons_now_has_nobody_from_before(two: tuple[Process, Process]) -> None:
    """Who was connected and stands up is not taken for the one who sits down next."""
    async with two[0].browser() as session:
        player = await seated(session, options={"seats": 3}, private=False, bots=[None, None])
        async with player:
            await player.hello()
            live = await two[0].site.tables.get(player.table_id)
            there = await two[1].site.tables.get(player.table_id)
            assert live is not None and there is not None
            await until(lambda: not there.lost)
            await sit(there, 1)
            await sit(there, 2)
            await live.handle(Leave(0, "l"))
            await until(lambda: there.table.players[0] is None)
            await there.handle(Sit(Player("P9", PERSON, guest="g9"), 0))
            await asyncio.sleep(0.3)
            assert {0, 1, 2} == set(there.lost)


async def test_who_is_here_before_it_is_heard_that_they_sat_down_is_not_away(
    two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hint that somebody sits down is late; word that they are connected is not: they are here as soon as both are known (I9)."""
    live = await opened(two[0])
    there = await at(two[1], live)
    with monkeypatch.context() as deaf:
        catch_up = there.catch_up
        deaf.setattr(there, "catch_up", nothing)
        deaf.setattr(there, "follow", lambda row: False)
        await sit(live)
        two[0].site.audiences.presence(live.table.id, 1, True)
        await until(lambda: {1} == two[1].peers.known_elsewhere(live.table.id))
        await asyncio.sleep(0.1)
        assert there.table.seq < live.table.seq
    await catch_up()
    assert there.table.seq == live.table.seq and {0} == there.lost.keys()


async def nothing(seq: int | None = None) -> None:
    """Hear nothing."""


async def test_the_lobby_lists_the_tables_of_all_processes(two: tuple[Process, Process]) -> None:
    """A table is found by everybody while it is open, and by nobody when it has gone."""
    async with two[0].browser() as session, two[1].browser() as other:
        await seated(session, options={"seats": 2}, private=False, bots=[None], password="otter")
        private = await seated(session, options={"seats": 2}, private=True, bots=[None])
        lobby = two[1].site.lobby
        await until(lambda: lobby._listed)
        async with other.get("/api/tables") as response:
            tables = (await response.json())["tables"]
        assert [(1, True)] == [(table["free"], table["password"]) for table in tables]
        assert private.table_id != tables[0]["id"]
        live = await two[0].site.tables.get(tables[0]["id"])
        assert live is not None
        await live.handle(Leave(0, "l"))
        await until(lambda: not lobby._listed)


async def test_a_table_that_was_open_for_long_is_listed_nowhere_when_it_has_gone(two: tuple[Process, Process], postgres_url: str) -> None:
    """Also where the announcement was lost: everybody reads some seconds later that it has gone, however long ago it was opened (I9)."""
    live = await opened(two[0])
    lobby = two[1].site.lobby
    await until(lambda: live.table.id in lobby._listed)
    asking = await asyncpg.connect(postgres_url)
    await asking.execute("UPDATE listings SET created = created - 7200000")
    two[1].peers._hear = lambda payload: None  # type: ignore[method-assign]
    two[1].link._channels["kozyr_peers"] = two[1].peers._hear
    two[1].link._drop()
    await live.handle(Leave(0, "l"))
    async with asyncio.timeout(PATIENCE_S):
        while await asking.fetchval("SELECT count(body) FROM listings"):
            await asyncio.sleep(0.02)
    # Whoever tidies up comes by before the other reads.
    await asking.execute(peers.FORGET, two[0].site.clock.now() - 3_600_000)
    await asking.close()
    two[1].peers._listings_at = -peers.LISTINGS_S
    await until(lambda: not lobby._listed)


async def test_a_table_of_a_newer_version_is_not_listed_and_disturbs_nothing(
    two: tuple[Process, Process], postgres_url: str, tmp_path: Path
) -> None:
    """While an update goes from process to process, an older one beside tables with options it does not know starts, hears and is heard."""
    live, other = await opened(two[0]), await opened(two[0])
    lobby = two[1].site.lobby
    await until(lambda: {live.table.id, other.table.id} <= lobby._listed.keys())
    newer = await asyncpg.connect(postgres_url)
    written = await newer.fetchval("SELECT body FROM listings WHERE table_id = $1", live.table.id)
    listing = json.loads(written)
    listing["options"]["jokers"] = 2
    await newer.execute("UPDATE listings SET body = $1, seq = seq + 1 WHERE table_id = $2", json.dumps(listing).encode(), live.table.id)
    await newer.execute("SELECT pg_notify('kozyr_peers', '9 listing ' || $1)", live.table.id)
    await newer.close()
    await until(lambda: live.table.id not in lobby._listed)
    async with process(postgres_url, "3", tmp_path) as third:
        await until(lambda: {other.table.id} == third.site.lobby._listed.keys())
        there = await at(third, other)
        await sit(other)
        await until(lambda: there.table.seq == other.table.seq and other.table.id in lobby._listed)


async def test_a_process_that_starts_while_another_runs_gives_no_time_back(postgres_url: str, tmp_path: Path) -> None:
    """Time is given back only where no server was there; a worker's restart is none (R16.1)."""
    async with process(postgres_url, "1", tmp_path) as one:
        live = await opened(one)
        await one.store.beat(one.site.clock.now())
        async with process(postgres_url, "2", tmp_path) as other:
            assert await other.site.tables.outage() is None
            there = await at(other, live)
            assert there.table.seq == live.table.seq
            await one.vanish()


async def test_a_clock_acts_for_who_is_connected_elsewhere_without_grace(two: tuple[Process, Process]) -> None:
    """A player who is connected to another process is not lost: their clock runs out when it is due, once, and never early (I6, R16.1)."""
    live = await opened(two[0], turn_s=15)
    there = await at(two[1], live)
    await sit(live)
    for seat in (0, 1):
        two[0].site.audiences.presence(live.table.id, seat, True)
    await until(lambda: not there.lost)
    for seat in (0, 1):
        await live.handle(Ready(seat, True, two[0].site.tables.draw_seeds(2)))
    due = live.table.due
    assert due is not None
    await until(lambda: there.table.due == due)
    seq = live.table.seq
    # The seeds never come: the window closes by the clocks of both processes.
    await until(lambda: live.table.seq > seq and there.table.seq == live.table.seq)
    rows = [row for row in (await two[0].store.load(live.table.id, seq)).rows if row.at >= due]  # type: ignore[union-attr]
    assert due <= rows[0].at <= due + SWEEP_MS + GRACE_MS
    assert [seq + 1 + each for each in range(len(rows))] == [row.seq for row in rows]

"""
Measure the server: a view's cost, durable moves a second, acknowledgements, and the whole of it against an echo of the same shape.

    python bench/server.py [--seconds S] [--tables N …] [--only views,moves,whole]

The echo is a server of the same libraries: for each small message of a player four texts of a view's size go out to the table's four
connections. Costs are the server process's own processor time, so that the clients and a busy machine do not count; what waits for the
disk is given as a ratio to fdatasync in the same run. Each part is run several times, in turns, and the median is shown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import WSMsgType, web

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.commands import Done, Lapse, Play, Ready
from kozyr.app.events import BOT, PERSON, Player
from kozyr.app.limits import Limits
from kozyr.app.live import LiveTable
from kozyr.app.table import Stage
from kozyr.app.tables import Tables
from kozyr.bus.memory import MemoryBus
from kozyr.core import FORM
from kozyr.core.judge import legal_moves, waiting_for
from kozyr.core.options import Rules
from kozyr.store.sqlite import SqliteStore
from kozyr.web import socket as talk
from kozyr.web.allowances import Allowances
from kozyr.web.server import make_site, serving
from kozyr.web.telling import Telling, Views
from kozyr.web.translate import NOBODY
from kozyr.wire import messages as wire

SEATS = 4
VIEW = b'{"t":"update","seq":12,' + b'"view":"' + b"x" * 540 + b'"}'
NEVER = Pause(3_600_000, 0)
RUNS = 3


def fdatasyncs_a_second(folder: Path, seconds: float = 0.7) -> float:
    """Append 4 KiB and sync it, again and again."""
    block = os.urandom(4096)
    done = 0
    with (folder / "sync").open("wb") as file:
        started = time.perf_counter()
        while time.perf_counter() - started < seconds:
            file.write(block)
            file.flush()
            os.fdatasync(file.fileno())
            done += 1
        return done / (time.perf_counter() - started)


def some_move(live: LiveTable, chance: random.Random) -> Play | None:
    """Choose any legal move of a seat that is waited for; None once the game is over."""
    position = live.table.position
    if position is None or live.table.game is None or live.table.game.stage is Stage.OVER:
        return None
    waiting = waiting_for(position)
    seat = next(seat for seat in range(SEATS) if waiting >> seat & 1)
    return Play(seat, chance.choice(legal_moves(position, seat)).text, position.bout_no)


async def durable_moves(folder: Path, tables: int, seconds: float) -> dict[str, float]:
    """Play at many tables at once, each waiting for its move to be durable before the next; no network."""
    syncs = fdatasyncs_a_second(folder)
    players = [Player(f"B{seat}", BOT, level="easy") for seat in range(SEATS)]
    moves = 0

    async def play(served: Tables, seed: int, end: float) -> None:
        nonlocal moves
        chance = random.Random(seed)
        live = await served.open(Rules(seats=SEATS, transfer=True), players)
        while time.perf_counter() < end:
            command = some_move(live, chance)
            if command is None:
                live = await served.open(Rules(seats=SEATS, transfer=True), players)
                continue
            assert isinstance(await live.handle(command), Done)
            moves += 1

    with tempfile.TemporaryDirectory(dir=folder) as inside:
        async with SqliteStore(Path(inside) / "bench.db") as store:
            served = Tables(store, MemoryBus().join(), SystemClock(), SystemEntropy(), NEVER)
            started, used = time.perf_counter(), time.process_time()
            await asyncio.gather(*(play(served, seed, started + seconds) for seed in range(tables)))
            took, cpu = time.perf_counter() - started, time.process_time() - used
            await served.close()
    return {"moves_a_second": moves / took, "per_fdatasync": moves / took / syncs, "cpu_us_a_move": cpu / moves * 1e6}


async def view_cost(seconds: float) -> dict[str, float]:
    """Write updates of the middle of a game for four seats, again and again."""
    with tempfile.TemporaryDirectory() as inside:
        async with SqliteStore(Path(inside) / "bench.db") as store:
            served = Tables(store, MemoryBus().join(), SystemClock(), SystemEntropy(), NEVER)
            live = await served.open(Rules(seats=SEATS, transfer=True), [Player(f"B{seat}", BOT, level="easy") for seat in range(SEATS)])
            chance = random.Random(1)
            table = live.table
            for _ in range(20):
                command = some_move(live, chance)
                if command is not None:
                    await live.handle(command)
                    table = live.table
            await served.close()
    told = live.told_since(table.seq - 1) or []
    count = size = 0
    used = time.process_time()
    while time.process_time() - used < seconds:
        telling = Telling(table, told, Views(table), NOBODY, table.at)
        for seat in range(SEATS):
            size += len(telling.update(seat))
            count += 1
    return {"us_a_view": (time.process_time() - used) / count * 1e6, "bytes": size / count}


# the whole server and the echo, each in a process of its own


async def serve_real(folder: Path, tables: int) -> None:
    """Serve tables of four persons each; say where, and their cookies."""
    async with SqliteStore(folder / "whole.db") as store:
        site = await make_site(store, store, MemoryBus().join(), SystemClock(), SystemEntropy(), NEVER, folder / "none")
        guests = [site.sessions.new_guest() for _ in range(SEATS)]
        cookies = []
        for guest in guests:
            response = web.Response()
            site.sessions.keep(response, guest, False)
            cookies.append(response.cookies["kozyr_guest"].value)
        players = [Player(f"P{seat}", PERSON, guest=guest) for seat, guest in enumerate(guests)]
        unlimited = Limits(10**9, 1)
        site.allowances = Allowances(unlimited, unlimited, unlimited, unlimited, unlimited)
        talk.MESSAGES = (10**9, 1)
        async with serving(site, "127.0.0.1", 0) as port:
            ids = []
            for _ in range(tables):
                live = await site.tables.open(Rules(seats=SEATS, transfer=True, turn_s=120), players)
                ids.append(live.table.id)
                live.lost.clear()
                for seat in range(SEATS):
                    assert isinstance(await live.handle(Ready(seat, True, site.tables.draw_seeds(SEATS))), Done)
            # Nobody commits: the seats are absent, and the clock deals.
            await asyncio.sleep(3.3)
            for table_id in ids:
                found = await site.tables.get(table_id)
                assert found is not None
                await found.handle(Lapse())
            print(json.dumps({"port": port, "paths": [f"/ws/tables/{each}" for each in ids], "cookies": cookies}), flush=True)
            await asyncio.to_thread(sys.stdin.readline)


async def serve_echo(tables: int) -> None:
    """Serve the echo."""
    tables_of: dict[str, list[web.WebSocketResponse]] = {}

    async def talk(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        here = tables_of.setdefault(request.path, [])
        here.append(socket)
        async for message in socket:
            asked = wire.decode_client(message.data)
            if isinstance(asked, wire.Play):
                for other in here:
                    await other.send_frame(VIEW, WSMsgType.TEXT)
        here.remove(socket)
        return socket

    app = web.Application()
    app.router.add_get("/{path:.*}", talk)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(json.dumps({"port": runner.addresses[0][1], "paths": [f"/{i}" for i in range(tables)], "cookies": ["x"] * SEATS}), flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await runner.cleanup()


def cpu_s(pid: int) -> float:
    """The processor's seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Counts:
    """What the clients saw."""

    def __init__(self, tables: int) -> None:
        self.views = 0
        self.acks: list[float] = []
        self.together = asyncio.Barrier(tables + 1)


async def real_table(base: str, path: str, cookies: list[str], seconds: float, counts: Counts, pause: float) -> None:
    """Play one table with four connections: whoever is waited for first makes a legal move."""
    sessions = [aiohttp.ClientSession(base, cookies={"kozyr_guest": cookie}) for cookie in cookies]
    sockets = [await session.ws_connect(path, compress=0) for session in sessions]
    views: list[dict[str, Any]] = [{} for _ in sockets]
    numbers = [0] * SEATS
    over = False
    chance = random.Random(path)

    async def take_in(seat: int, message: dict[str, Any]) -> None:
        nonlocal over
        if message["t"] in ("welcome", "update"):
            counts.views += 1
            views[seat] = message.get("view", {})
            numbers[seat] = message["seq"]
            over = views[seat].get("phase") == "OVER"

    for seat, socket in enumerate(sockets):
        await socket.send_str('{"t":"hello","v":1}')
        while not views[seat]:
            await take_in(seat, json.loads((await socket.receive()).data))
    sent = 0
    await counts.together.wait()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end and not over:
        seat = views[0]["waiting"][0]
        sent += 1
        asked = time.perf_counter()
        move = chance.choice(views[seat]["legal"])
        await sockets[seat].send_str(json.dumps({"t": "play", "id": f"m{sent}", "move": move, "bout": views[seat]["bout_no"]}))
        seq = 0
        while not seq:
            message = json.loads((await sockets[seat].receive()).data)
            if message["t"] == "ack":
                counts.acks.append(time.perf_counter() - asked)
                seq = message["seq"]
            assert message["t"] != "refused", message
            await take_in(seat, message)
        for other, socket in enumerate(sockets):
            while numbers[other] < seq:
                await take_in(other, json.loads((await socket.receive()).data))
        if pause:
            await asyncio.sleep(pause)
    for session in sessions:
        await session.close()


async def echo_table(base: str, path: str, cookies: list[str], seconds: float, counts: Counts, pause: float) -> None:
    """The same conversation with the echo."""
    async with aiohttp.ClientSession(base) as session:
        sockets = [await session.ws_connect(path, compress=0) for _ in cookies]
        sent = 0
        await counts.together.wait()
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            seat = sent % SEATS
            sent += 1
            asked = time.perf_counter()
            await sockets[seat].send_str(json.dumps({"t": "play", "id": f"m{sent}", "move": "attack 7h", "bout": 1}))
            await sockets[seat].receive()
            counts.acks.append(time.perf_counter() - asked)
            for other, socket in enumerate(sockets):
                if other != seat:
                    json.loads((await socket.receive()).data)
            counts.views += SEATS
            if pause:
                await asyncio.sleep(pause)


async def conversation(kind: str, tables: int, seconds: float, pause: float = 0.0) -> dict[str, float]:
    """Run clients against a server process, and give its cost of a view and the time to the first answer."""
    with tempfile.TemporaryDirectory() as inside:
        command = [sys.executable, __file__, "--child", kind, "--tables", str(tables), "--folder", inside]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None and child.stdin is not None
        told = json.loads(await asyncio.to_thread(child.stdout.readline))
        base = f"http://127.0.0.1:{told['port']}"
        table = real_table if kind == "real" else echo_table
        counts = Counts(tables)
        playing = asyncio.gather(*(table(base, path, told["cookies"], seconds, counts, pause) for path in told["paths"]))
        await counts.together.wait()
        used, counts.views = cpu_s(child.pid), 0
        await playing
        cpu = cpu_s(child.pid) - used
        child.stdin.write("\n")
        child.stdin.close()
        child.wait()
        child.stdout.close()
    return {"us_a_view": cpu / counts.views * 1e6, "ack_ms_p50": statistics.median(counts.acks) * 1e3, "views": counts.views}


async def whole(folder: Path, tables: int, seconds: float) -> dict[str, float]:
    """The whole server against the echo, in turns: cost under load (T3), and the acknowledgement of a lone table (T4)."""
    loaded: dict[str, list[float]] = {"real": [], "echo": []}
    alone: dict[str, list[float]] = {"real": [], "echo": []}
    syncs = []
    for _ in range(RUNS):
        for kind in ("echo", "real"):
            loaded[kind].append((await conversation(kind, tables, seconds))["us_a_view"])
            alone[kind].append((await conversation(kind, 1, seconds / 2, pause=0.02))["ack_ms_p50"])
        syncs.append(1000 / fdatasyncs_a_second(folder))
    real, echo = statistics.median(loaded["real"]), statistics.median(loaded["echo"])
    return {
        "server_us_a_view": real,
        "echo_us_a_view": echo,
        "T3_ratio": echo / real,
        "T4_ack_ms_p50": statistics.median(alone["real"]),
        "echo_ms_p50": statistics.median(alone["echo"]),
        "fdatasync_ms": statistics.median(syncs),
        "T4_limit_ms": statistics.median(alone["echo"]) + 1.5 * statistics.median(syncs),
    }


def median_of(run: Callable[[], dict[str, float]]) -> dict[str, float]:
    """Run something several times and give the medians."""
    results = [run() for _ in range(RUNS)]
    return {name: statistics.median(result[name] for result in results) for name in results[0]}


def show(title: str, figures: dict[str, float]) -> None:
    """Print one line of figures."""
    print(f"{title:24}" + "  ".join(f"{name} {value:,.2f}" for name, value in figures.items()), flush=True)


def run_with_uvloop(work: Any) -> Any:
    """Run a coroutine as the server does."""
    import uvloop

    return uvloop.run(work)


def main() -> None:
    """Measure what was asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--tables", type=int, nargs="+", default=[64, 256])
    parser.add_argument("--only", default="views,moves,whole")
    parser.add_argument("--child", choices=("real", "echo"))
    parser.add_argument("--folder", type=Path, default=Path.cwd())
    asked = parser.parse_args()
    if asked.child:
        run_with_uvloop(serve_real(asked.folder, asked.tables[0]) if asked.child == "real" else serve_echo(asked.tables[0]))
        return
    parts = asked.only.split(",")
    print(f"engine {FORM}, Python {sys.version.split()[0]}, {os.cpu_count()} cores, median of {RUNS}")
    if "views" in parts:
        show("a view", median_of(lambda: run_with_uvloop(view_cost(asked.seconds / 2))))
    if "moves" in parts:
        for tables in asked.tables:
            show(f"durable, {tables} tables", median_of(lambda n=tables: run_with_uvloop(durable_moves(asked.folder, n, asked.seconds))))
    if "whole" in parts:
        show(f"whole, {asked.tables[0]} tables", run_with_uvloop(whole(asked.folder, asked.tables[0], asked.seconds)))


if __name__ == "__main__":
    main()

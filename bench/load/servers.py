"""
The servers that `bench/server.py` compares, each in a process of its own.

    python bench/load/servers.py whole|echo|raw --tables N --folder DIR [--ready] [--durable]

`whole` is the server itself, with rules, views and a log on the disk; its bots never move and its seeds are never waited for. `echo` has
the same transport and no more: each message is read, and four texts of a view's shape and size are written anew and sent, one to each
seat; with `--ready` they are written beforehand, and with `--durable` nothing is sent before the move is in a log on the disk as the server
keeps one: what is left of the server without its rules. `raw` does that with picows, the fastest that Python has: `pip install picows`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from functools import partial
from pathlib import Path

from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from msgspec import Struct

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))

from kozyr.app import evolve
from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.commands import Done, Ready
from kozyr.app.events import PERSON, Moved, Player, encode
from kozyr.app.limits import Limits
from kozyr.app.ports import Appended, Row
from kozyr.app.tables import Tables
from kozyr.bus.memory import MemoryBus
from kozyr.core.options import Rules
from kozyr.store.sqlite import SqliteStore
from kozyr.web import socket as talk
from kozyr.web.allowances import Allowances
from kozyr.web.connection import Connection
from kozyr.web.server import collect_seldom, make_site, serving
from kozyr.wire import messages as wire

SEATS = 4
NEVER = Pause(3_600_000, 0)
RULES = Rules(seats=SEATS, transfer=True, turn_s=120)


class Echoed(Struct, tag_field="t", tag="update"):
    """An update whose view is the middle of a game."""

    seq: int
    events: list[wire.Event]
    view: wire.View
    left_ms: int = 117_251
    of_ms: int = 120_000


VIEW = wire.View(
    phase="DEFENCE",
    bout_no=7,
    trump="s",
    stock=9,
    seats=[wire.SeatView(cards=count) for count in (6, 5, 6, 4)],
    bout=[wire.Pair("7h", 0, "Jh"), wire.Pair("Jd", 2, "Qd"), wire.Pair("Qh", 0)],
    attacker=0,
    defender=1,
    opener=0,
    waiting=[1],
    capacity=3,
    limit=6,
    h0=6,
    trump_card="9s",
    discard=12,
    hand=["6c", "Tc", "8d", "Kh", "Ah"],
    legal=["beat Qh Kh", "beat Qh Ah", "take", "attack 8d", "attack 6c", "pass", "beat Qh 6s", "beat Qh 7s", "beat Qh Ts"],
)
EVENTS: list[wire.Event] = [wire.Attacked(0, ["Qh"])]
MOVED = encode(Moved(0, "attack Qh"))


def say_where(port: int, paths: list[str], cookies: list[str]) -> None:
    """Tell who started this process where to connect, and how much memory it had before it had any table."""
    print(json.dumps({"port": port, "paths": paths, "cookies": cookies, "kb": KB_EMPTY}), flush=True)


def kb() -> int:
    """The memory of this process; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0)


KB_EMPTY = kb()


async def until_told() -> None:
    """Serve until a line comes, or the end of input."""
    await asyncio.to_thread(sys.stdin.readline)


async def serve_whole(folder: Path, tables: int) -> None:
    """Serve tables of four persons each, dealt."""
    evolve.SEED_MS = 0  # type: ignore[attr-defined]
    async with SqliteStore(folder / "whole.db") as store:
        site = await make_site(store, store, MemoryBus().join(), SystemClock(), SystemEntropy(), NEVER, folder / "none")
        guests = [site.sessions.new_guest() for _ in range(SEATS)]
        cookies = []
        for guest in guests:
            response = web.Response()
            site.sessions.keep(response, make_mocked_request("GET", "/"), guest)
            cookies.append(response.cookies["kozyr_guest"].value)
        unlimited = Limits(10**9, 1)
        site.allowances = Allowances(unlimited, unlimited, unlimited, unlimited, unlimited)
        talk.MESSAGES = talk.HELLOS = (10**9, 1)
        async with serving(site, "127.0.0.1", 0) as port:
            players = [Player(f"Player {seat}", PERSON, guest=guest) for seat, guest in enumerate(guests)]
            ids = await asyncio.gather(*(dealt(site.tables, players) for _ in range(tables)))
            say_where(port, [f"/ws/tables/{each}" for each in ids], cookies)
            await until_told()


async def dealt(tables: Tables, players: list[Player]) -> str:
    """Open a table and wait until its cards are dealt."""
    live = await tables.open(RULES, players)
    live.lost.clear()
    for seat in range(SEATS):
        assert isinstance(await live.handle(Ready(seat, True, tables.draw_seeds(SEATS))), Done)
    while live.table.position is None:
        await asyncio.sleep(0.01)
    return live.table.id


def echoed(seq: int, is_ready: bool, ready: bytes = wire.encode(Echoed(1, EVENTS, VIEW))) -> list[bytes]:
    """Write an update for each seat."""
    if is_ready:
        return [b'{"t":"update","seq":%d' % seq + ready[ready.index(b",", 20) :]] * SEATS
    return [wire.encode(Echoed(seq, EVENTS, VIEW)) for _ in range(SEATS)]


async def serve_echo(tables: int, is_ready: bool, log: Path | None) -> None:
    """Serve the echo with what the server itself uses; with a *log* every move is written there first."""
    store = None if log is None else await SqliteStore(log).__aenter__()
    seated: dict[str, list[Connection]] = {}
    seqs: dict[str, int] = {}

    def tell(here: list[Connection], seq: int) -> None:
        for other, update in zip(here, echoed(seq, is_ready), strict=True):
            other.send(update)

    def written(here: list[Connection], seq: int, outcome: object) -> None:
        assert outcome == Appended()
        # Else the load has gone meanwhile.
        if len(here) == SEATS:
            tell(here, seq)

    async def talk(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False, max_msg_size=wire.SIZE_MAX)
        await socket.prepare(request)
        assert request.transport is not None
        connection = Connection(socket, request.transport, None, 0)
        here = seated.setdefault(request.path, [])
        here.append(connection)
        seqs.setdefault(request.path, 1)
        async for message in socket:
            asked = wire.decode_client(message.data)
            if isinstance(asked, wire.Play):
                seqs[request.path] += 1
                seq = seqs[request.path]
                if store is None:
                    tell(here, seq)
                else:
                    # As the server does: nothing waits for the answer here.
                    row = Row(seq, 0, MOVED, f"guest.{asked.id}")
                    store.append_soon(request.path, seq - 1, (row,), 120_000, partial(written, here, seq))
            else:
                connection.send(b'{"t":"welcome","seq":1}')
        here.remove(connection)
        return socket

    app = web.Application()
    app.router.add_get("/{path:.*}", talk)
    if store is not None:
        await asyncio.gather(*(store.append(f"/{i}", 0, [Row(1, 0, MOVED)], None) for i in range(tables)))
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    say_where(runner.addresses[0][1], [f"/{i}" for i in range(tables)], ["x"] * SEATS)
    await until_told()
    await runner.cleanup()
    if store is not None:
        await store.close()


async def serve_raw(tables: int) -> None:
    """Serve the echo with picows, without reading what is said."""
    import picows

    seated: dict[bytes, list[picows.WSTransport]] = {}
    seqs: dict[bytes, int] = {}
    text = picows.WSMsgType.TEXT

    class Listener(picows.WSListener):
        def __init__(self, path: bytes) -> None:
            super().__init__()
            self.path = path

        def on_ws_connected(self, transport: picows.WSTransport) -> None:
            seated.setdefault(self.path, []).append(transport)
            seqs.setdefault(self.path, 1)

        def on_ws_frame(self, transport: picows.WSTransport, frame: picows.WSFrame) -> None:
            if frame.msg_type != text:
                transport.disconnect()
            elif b'"play"' in frame.get_payload_as_bytes():
                seqs[self.path] += 1
                for other, update in zip(seated[self.path], echoed(seqs[self.path], True), strict=True):
                    other.send(text, update)
            else:
                transport.send(text, b'{"t":"welcome","seq":1}')

    server = await picows.ws_create_server(lambda request: Listener(request.path), "127.0.0.1", 0, backlog=1024)
    say_where(server.sockets[0].getsockname()[1], [f"/{i}" for i in range(tables)], ["x"] * SEATS)
    await until_told()


def main() -> None:
    """Serve as asked."""
    import uvloop

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("kind", choices=("whole", "echo", "raw"))
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path.cwd())
    parser.add_argument("--ready", action="store_true")
    parser.add_argument("--durable", action="store_true")
    asked = parser.parse_args()
    collect_seldom()
    if asked.kind == "whole":
        uvloop.run(serve_whole(asked.folder, asked.tables))
    elif asked.kind == "echo":
        uvloop.run(serve_echo(asked.tables, asked.ready, asked.folder / "echo.db" if asked.durable else None))
    else:
        uvloop.run(serve_raw(asked.tables))


if __name__ == "__main__":
    main()

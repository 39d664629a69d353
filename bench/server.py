"""
Measure the server: the whole of it against an echo of the same transport, acknowledgements, durable moves, memory and start.

    python bench/server.py [--rounds N] [--seconds S] [--tables N …] [--only views,moves,whole,alone,memory,start] [--sockets N]

`bench/load/servers.py` says what is compared, and `bench/load/load.c`, which is compiled here, plays at all of them in the same way: every
server is loaded by turns in each round, and the median of the rounds is shown. Costs are the server process's own processor time, its
threads and the kernel's part of it included, over the views that its moves made: four a move, whatever else was sent. What waits for the
disk is told in fdatasyncs of the same round. Without picows (`pip install picows`) there is no figure for the raw transport.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent / "load"))

import servers

from engine import commit, machine
from kozyr.app import evolve
from kozyr.app.bot_seats import Pause
from kozyr.app.clock import SystemClock, SystemEntropy
from kozyr.app.commands import Done, Play, Refusal
from kozyr.app.events import BOT, PERSON, Player
from kozyr.app.live import LiveTable
from kozyr.app.table import Stage
from kozyr.app.tables import Tables
from kozyr.bus.memory import MemoryBus
from kozyr.core import FORM
from kozyr.core.judge import legal_moves, waiting_for
from kozyr.core.options import Rules
from kozyr.store.sqlite import SqliteStore
from kozyr.web.telling import Telling, Views
from kozyr.web.translate import NOBODY

SEATS = 4
NEVER = Pause(3_600_000, 0)
PEOPLE = [Player(f"P{seat}", PERSON, guest=f"guest{seat}") for seat in range(SEATS)]
PARTS = "views,moves,whole,alone,memory,start"
ROOT = Path(__file__).resolve().parents[1]
LOAD = ROOT / "bench" / "load"

Figures = dict[str, float]


class Disk(NamedTuple):
    """How long an fdatasync takes: the median in milliseconds, and how many there are in a second."""

    ms: float
    a_second: float


def disk_of(folder: Path, seconds: float = 1.0) -> Disk:
    """Append 4 KiB and sync it, again and again."""
    block = os.urandom(4096)
    took = []
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        started = time.perf_counter()
        while time.perf_counter() - started < seconds:
            file.write(block)
            file.flush()
            before = time.perf_counter()
            os.fdatasync(file.fileno())
            took.append(time.perf_counter() - before)
        return Disk(statistics.median(took) * 1000, len(took) / (time.perf_counter() - started))


def some_move(live: LiveTable, chance: random.Random) -> Play | None:
    """Choose any legal move of a seat that is waited for; None once the game is over."""
    position = live.table.position
    if position is None or live.table.game is None or live.table.game.stage is Stage.OVER:
        return None
    waiting = waiting_for(position)
    seat = next(seat for seat in range(SEATS) if waiting >> seat & 1)
    return Play(seat, chance.choice(legal_moves(position, seat)).text, position.bout_no, f"m{live.table.seq}")


class Mover:
    """Moves at one table after another when the move before is durable, asking as a conversation does. Implements `Asking`."""

    def __init__(self, served: Tables, live: LiveTable, seed: int, end: float) -> None:
        self._served = served
        self._live = live
        self._chance = random.Random(seed)
        self._end = end
        self._loop = asyncio.get_running_loop()
        self._opening: asyncio.Task[None] | None = None
        self.ended: asyncio.Future[None] = self._loop.create_future()
        self.moves = 0

    def go_on(self) -> None:
        """Make the next move."""
        if time.perf_counter() >= self._end:
            self.ended.set_result(None)
        elif (move := some_move(self._live, self._chance)) is None:
            self._opening = asyncio.ensure_future(self._open())
        else:
            self._live.play(move, PEOPLE[move.seat or 0].guest or "", self)

    async def _open(self) -> None:
        self._live = await dealt(self._served)
        self.go_on()

    def answer(self, answer: Done | Refusal | None) -> None:
        """See `Asking`."""
        assert isinstance(answer, Done), answer
        self.moves += 1

    def told(self) -> None:
        """See `Asking`."""
        self._loop.call_soon(self.go_on)

    def fail(self, error: BaseException) -> None:
        """See `Asking`."""
        self.ended.set_exception(error)


async def dealt(served: Tables) -> LiveTable:
    """Open a table of people whose cards are dealt."""
    live = served.in_memory(await servers.dealt(served, PEOPLE))
    assert live is not None
    return live


async def durable_moves(folder: Path, tables: int, seconds: float) -> Figures:
    """
    Play at many tables at once, each waiting for its move to be durable before the next; no network.

    The tables are open beforehand. What is used for choosing moves, and for opening a table where a game has ended, is counted.
    """
    disk = disk_of(folder)
    evolve.SEED_MS = 0  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory(dir=folder) as inside:
        async with SqliteStore(Path(inside) / "bench.db") as store:
            served = Tables(store, MemoryBus().join(), SystemClock(), SystemEntropy(), NEVER)
            lives = await asyncio.gather(*(dealt(served) for _ in range(tables)))
            started, used = time.perf_counter(), time.process_time()
            movers = [Mover(served, live, seed, started + seconds) for seed, live in enumerate(lives)]
            for mover in movers:
                mover.go_on()
            await asyncio.gather(*(mover.ended for mover in movers))
            took, cpu = time.perf_counter() - started, time.process_time() - used
            await served.close()
    moves = sum(mover.moves for mover in movers)
    return {"moves_a_second": moves / took, "per_fdatasync": moves / took / disk.a_second, "cpu_us_a_move": cpu / moves * 1e6}


def durable(folder: Path, tables: int, seconds: float) -> Figures:
    """Do that in the server's event loop."""
    figures: Figures = run_with_uvloop(durable_moves(folder, tables, seconds))
    return figures


async def view_cost(seconds: float) -> Figures:
    """Write updates of the middle of a game for four seats, again and again."""
    with tempfile.TemporaryDirectory() as inside:
        async with SqliteStore(Path(inside) / "bench.db") as store:
            served = Tables(store, MemoryBus().join(), SystemClock(), SystemEntropy(), NEVER)
            live = await served.open(Rules(seats=SEATS, transfer=True), [Player(f"B{seat}", BOT, level="easy") for seat in range(SEATS)])
            chance = random.Random(1)
            for _ in range(20):
                command = some_move(live, chance)
                if command is not None:
                    await live.handle(command)
            await served.close()
    table = live.table
    told = live.told_since(table.seq - 1) or []
    count = size = 0
    used = time.process_time()
    while time.process_time() - used < seconds:
        telling = Telling(table, told, Views(table), lambda: NOBODY, table.at)
        updates = telling.updates(list(range(SEATS)))
        size += sum(map(len, updates))
        count += len(updates)
    return {"us_a_view": (time.process_time() - used) / count * 1e6, "bytes": size / count}


# servers in processes of their own, and the load


class Server(NamedTuple):
    """A server that runs, and where each connection of each table goes."""

    pid: int
    port: int
    places: list[str]
    kb_empty: int


@contextmanager
def running(kind: str, tables: int, folder: Path) -> Iterator[Server]:
    """Run a server of `bench/load/servers.py` until the block ends."""
    name, *flags = kind.split()
    with tempfile.TemporaryDirectory(dir=folder) as inside:
        command = [sys.executable, str(LOAD / "servers.py"), name, *flags, "--tables", str(tables), "--folder", inside]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None and child.stdin is not None
        told = json.loads(child.stdout.readline())
        places = [f"{path} {cookie}" for path in told["paths"] for cookie in told["cookies"]]
        try:
            yield Server(child.pid, told["port"], places, told["kb"])
        finally:
            child.stdin.close()
            child.wait()
            child.stdout.close()


def build_load(folder: Path) -> Path:
    """Compile the load generator."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise SystemExit("the load generator needs a C compiler")
    made = folder / "load"
    subprocess.run([compiler, "-O2", "-o", str(made), str(LOAD / "load.c")], check=True)
    return made


def play_at(load: Path, server: Server, how: str, seconds: float = 0, pause_ms: float = 0, tables: int | None = None) -> Figures:
    """Load a server; see `load.c`."""
    places = server.places if tables is None else server.places[: tables * SEATS]
    command = [str(load), str(server.port), str(server.pid), str(seconds), str(pause_ms), how]
    done = subprocess.run(command, input="\n".join(places), text=True, stdout=subprocess.PIPE, check=True)
    figures: Figures = json.loads(done.stdout)
    if figures["moves"]:
        figures["us_a_view"] = figures["cpu_s"] / figures["moves"] / SEATS * 1e6
        figures["moves_a_second"] = figures["moves"] / figures["seconds"]
    return figures


def kinds() -> dict[str, str]:
    """Name the servers, and how each is played at."""
    raw = {"raw": "echo"} if importlib.util.find_spec("picows") else {}
    return {**raw, "echo --ready": "echo", "echo": "echo", "whole": "whole"}


Measure = Callable[[Path, Server, str], Figures]


def by_rounds(folder: Path, load: Path, tables: int, rounds: int, measure: Measure) -> dict[str, list[Figures]]:
    """Measure all servers by turns, and the disk with them."""
    found: dict[str, list[Figures]] = {"disk": []}
    for _ in range(rounds):
        for kind, how in kinds().items():
            with running(kind, tables, folder) as server:
                found.setdefault(kind, []).append(measure(load, server, how))
        found["disk"].append(disk_of(folder)._asdict())
    return found


def ratio_of(found: dict[str, list[Figures]], one: str, other: str, name: str) -> float:
    """Return the median of the rounds' own ratios."""
    return statistics.median(first[name] / second[name] for first, second in zip(found[one], found[other], strict=True))


def whole(folder: Path, load: Path, tables: int, rounds: int, seconds: float) -> Figures:
    """All servers under load: T1, T3, and T5 with the network."""
    found = by_rounds(folder, load, tables, rounds, lambda load, server, how: play_at(load, server, how, seconds))
    figures = {f"{kind} us_a_view": middle(found[kind], "us_a_view") for kind in kinds()}
    if "raw" in found:
        figures["T1"] = ratio_of(found, "raw", "echo --ready", "us_a_view")
        figures["T1 with writing"] = ratio_of(found, "raw", "echo", "us_a_view")
    figures["T3"] = ratio_of(found, "echo", "whole", "us_a_view")
    figures["T3 without writing"] = ratio_of(found, "echo --ready", "whole", "us_a_view")
    figures["T3 by wall"] = ratio_of(found, "whole", "echo", "moves_a_second")
    pairs = zip(found["whole"], found["disk"], strict=True)
    figures["moves_a_second"] = middle(found["whole"], "moves_a_second")
    figures["moves per_fdatasync"] = statistics.median(one["moves_a_second"] / disk["a_second"] for one, disk in pairs)
    return figures


def alone(folder: Path, load: Path, rounds: int, seconds: float) -> Figures:
    """One table with a pause between its moves: T4."""
    found = by_rounds(folder, load, 1, rounds, lambda load, server, how: play_at(load, server, how, seconds, 20))
    echo, disk_ms = middle(found["echo"], "ack_ms"), middle(found["disk"], "ms")
    return {
        "echo ack_ms": echo,
        "whole ack_ms": middle(found["whole"], "ack_ms"),
        "T4 limit_ms": echo + 1.5 * disk_ms,
        "fdatasync_ms": disk_ms,
        "last_after_ack_ms": middle(found["whole"], "last_after_ack_ms"),
        "last_after_ack_ms_p99": middle(found["whole"], "last_after_ack_ms_p99"),
    }


def memory(folder: Path, load: Path, sockets: int) -> Figures:
    """Everybody at their tables at once: T9."""
    with running("whole", sockets // SEATS, folder) as server:
        figures = play_at(load, server, "connect")
    grown = figures["kb_connected"] - server.kb_empty
    megabytes = {"mb_empty": server.kb_empty / 1024, "mb": figures["kb_connected"] / 1024}
    return {"sockets": sockets, "kb_a_connection": grown / sockets, **megabytes}


def start(folder: Path) -> Figures:
    """The server as it is started by hand, until its first answer."""
    with tempfile.TemporaryDirectory(dir=folder) as inside:
        env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "kozyr", "serve", "--port", "0", "--database", f"{inside}/kozyr.db"]
        started = time.perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
        assert child.stdout is not None
        line = ""
        while "http://" not in line:
            line = child.stdout.readline()
        with urllib.request.urlopen("http://" + line.partition("http://")[2].split()[0].rstrip("/") + "/api/health") as answer:
            assert answer.status == 200
        took = time.perf_counter() - started
        fields = Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()
        cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        kb = next(int(row.split()[1]) for row in Path(f"/proc/{child.pid}/status").read_text().splitlines() if row.startswith("VmRSS"))
        child.terminate()
        child.communicate()
    return {"first_answer_s": took, "cpu_s": cpu, "mb": kb / 1024}


def middle(found: list[Figures], name: str) -> float:
    """Return the median of a figure."""
    return statistics.median(each[name] for each in found)


def median_of(rounds: int, run: Callable[..., Figures], *given: Any) -> Figures:
    """Run something several times and give the medians."""
    results = [run(*given) for _ in range(rounds)]
    return {name: middle(results, name) for name in results[0]}


def show(title: str, figures: Figures) -> None:
    """Print one line of figures."""
    print(f"{title:22}" + "  ".join(f"{name} {value:,.2f}" for name, value in figures.items()), flush=True)


def run_with_uvloop(work: Any) -> Any:
    """Run a coroutine as the server does."""
    import uvloop

    return uvloop.run(work)


def main() -> None:
    """Measure what was asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--tables", type=int, nargs="+", default=[64, 256])
    parser.add_argument("--only", default=PARTS)
    parser.add_argument("--sockets", type=int, default=4000)
    parser.add_argument("--folder", type=Path, default=Path.cwd())
    asked = parser.parse_args()
    parts, rounds, seconds, folder = asked.only.split(","), asked.rounds, asked.seconds, asked.folder
    print(f"{machine()}\ncommit {commit()}, engine {FORM}; median of {rounds} rounds", flush=True)
    with tempfile.TemporaryDirectory() as inside:
        load = build_load(Path(inside))
        if "views" in parts:
            show("a view", median_of(rounds, lambda: run_with_uvloop(view_cost(seconds / 4))))
        if "start" in parts:
            show("start", median_of(rounds, lambda: start(folder)))
        if "memory" in parts:
            show("memory", memory(folder, load, asked.sockets))
        if "alone" in parts:
            show("alone", alone(folder, load, rounds, seconds))
        for tables in asked.tables:
            if "moves" in parts:
                show(f"durable, {tables} tables", median_of(rounds, durable, folder, tables, seconds))
            if "whole" in parts:
                show(f"whole, {tables} tables", whole(folder, load, tables, rounds, seconds))


if __name__ == "__main__":
    main()

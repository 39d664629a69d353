"""One of the server processes that `kozyr serve --workers` starts; what it is to do comes on standard input, which ends with its parent."""
from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from kozyr.app.bot_seats import Pause
from kozyr.cli import wiring

READY = "ready "


@dataclass(frozen=True, slots=True)
class Orders:
    """What a worker serves."""

    host: str
    port: int
    database: str
    pause_ms: int
    jitter_ms: int
    static: str
    proxies: tuple[str, ...] = ()

    def written(self) -> bytes:
        """Write them as one line."""
        return json.dumps(asdict(self)).encode() + b"\n"


def main() -> None:
    """Serve until told to stop, or until the parent has gone."""
    orders = Orders(**json.loads(sys.stdin.readline()))
    wiring.serve(
        orders.host,
        orders.port,
        orders.database,
        pause=Pause(orders.pause_ms, orders.jitter_ms),
        static=Path(orders.static),
        ready=lambda address: print(f"{READY}{address}", flush=True),
        proxies=orders.proxies,
        is_shared=True,
        stopped=end_with_parent,
    )


def end_with_parent(stopped: asyncio.Event) -> None:
    """Stop when standard input ends: nobody would look after this process any more."""
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), stopped.set)


if __name__ == "__main__":
    main()

"""One of the server processes that `kozyr serve --workers` starts; what it is to do comes on standard input, which ends with its parent."""
from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict, dataclass

from kozyr.app.bot_seats import Pause
from kozyr.cli import wiring
from kozyr.cli.settings import Settings

READY = "ready "


@dataclass(frozen=True, slots=True)
class Orders:
    """What a worker serves: its number, from 1, the port, and the settings as `Settings.written` writes them."""

    number: int
    port: int
    settings: str

    def written(self) -> bytes:
        """Write them as one line."""
        return json.dumps(asdict(self)).encode() + b"\n"


def main() -> None:
    """Serve until told to stop, or until the parent has gone."""
    orders = Orders(**json.loads(sys.stdin.readline()))
    settings = Settings()
    for name, value in json.loads(orders.settings).items():
        settings.put(name, value, "the supervisor")
    wiring.serve(
        settings["host"],
        orders.port,
        settings["database"],
        pause=Pause(settings["pause"], min(300, settings["pause"] // 2)),
        ready=lambda address: print(f"{READY}{address}", flush=True),
        is_shared=True,
        stopped=end_with_parent,
        settings=settings,
        worker=orders.number,
    )


def end_with_parent(stopped: asyncio.Event) -> None:
    """Stop when standard input ends: nobody would look after this process any more."""
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), stopped.set)


if __name__ == "__main__":
    main()

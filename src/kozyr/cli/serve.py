"""`kozyr serve`: tables for browsers."""
from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter, validators

from kozyr.cli.trouble import Trouble

if TYPE_CHECKING:
    from kozyr.app.bot_seats import Pause

Port = Annotated[int, Parameter(validator=validators.Number(gte=0, lte=65535))]
Flag = Annotated[bool, Parameter(negative="")]
Address = Annotated[str, Parameter(validator=lambda kind, value: check_address(value))]
Milliseconds = Annotated[int, Parameter(validator=validators.Number(gte=0, lte=60_000))]


def serve(
    *,
    host: str = "127.0.0.1",
    port: Port = 8000,
    database: str | None = None,
    pause: Milliseconds = 700,
    workers: Annotated[int, Parameter(validator=validators.Number(gte=1, lte=64))] = 1,
    address: Address = "",
    proxy: tuple[str, ...] = (),
) -> int:
    """
    Serve tables to browsers, until Ctrl-C.

    Parameters
    ----------
    host
        The address to listen at; 0.0.0.0 lets other machines in.
    port
        The port to listen at; 0 lets the system choose one.
    database
        The file that keeps every table, or postgresql://USER@HOST/NAME. Without it a file in your data folder.
    pause
        How long bots seem to think, in milliseconds; the real pause varies around it.
    workers
        How many server processes; more than one need PostgreSQL. One that ends is started again.
    address
        The path at which a proxy finds this very process, /p/NUMBER; the interface hands it out for the tables that are at home here.
    proxy
        The address of a machine whose proxy says for whom it asks, besides this one; may be given several times.
    """
    from kozyr.app.bot_seats import Pause
    from kozyr.cli import wiring
    from kozyr.store.schema import SchemaError

    place: Path | str = place_of(database)
    if workers > 1 and address:
        raise Trouble("several workers share a port, and a path of a process is for one that has its own")
    if workers > 1 and isinstance(place, Path):
        raise Trouble("several workers need a database postgresql://…; a file is served by one")
    try:
        if database is None and isinstance(place, Path):
            place.parent.mkdir(parents=True, exist_ok=True)
        seeming = Pause(pause, min(300, pause // 2))
        more: dict[str, Any] = {**({"address": address} if address else {}), **({"proxies": proxy} if proxy else {})}
        if workers > 1:
            _supervise(host, port, str(place), workers, seeming, proxy)
        else:
            wiring.serve(host, port, place, pause=seeming, **more)
    except (OSError, UnicodeError, SchemaError) as error:  # UnicodeError: a name like a..b is no host
        raise Trouble(f"cannot serve at {host}:{port} from {shown(place)}: {error}") from None
    return 0


def _supervise(host: str, port: int, url: str, workers: int, pause: Pause, proxies: tuple[str, ...]) -> None:
    """Start the workers, once the database is known to be one that they can use."""
    import asyncio

    from kozyr.cli import supervisor, wiring
    from kozyr.store.postgres import PostgresStore
    from kozyr.web.server import STATIC

    if sys.platform == "win32":
        raise Trouble("several workers share a port, which this system does not let them")

    async def look() -> None:
        await (await PostgresStore.open(url)).close()

    asyncio.run(look())
    supervisor.serve(host, port, url, workers, pause=pause, static=STATIC, ready=wiring.say_address, proxies=proxies)


def place_of(database: str | None) -> Path | str:
    """
    Name a database as it is opened: a file, or a URL.

    Raises: Trouble where PostgreSQL is asked for and its packages are not there.
    """
    from kozyr.cli.wiring import is_url

    if database is None:
        return data_folder() / "kozyr.db"
    if not is_url(database):
        return Path(database)
    missing = [name for name in ("asyncpg", "alembic", "sqlalchemy", "greenlet") if importlib.util.find_spec(name) is None]
    if missing:
        raise Trouble(f"PostgreSQL needs {', '.join(missing)}: pip install 'kozyr[postgres]'")
    return database


def shown(place: Path | str) -> str:
    """Write a database as it may be shown: without its password."""
    if isinstance(place, Path):
        return str(place)
    from kozyr.store.connecting import without_password

    return without_password(place)


def check_address(value: str) -> None:
    """
    Check the path of a process.

    Raises: ValueError for one that no process answers at.
    """
    if value and not re.fullmatch(r"/p/[0-9]{1,4}", value):
        raise ValueError(f"{value} is not /p/NUMBER")


def data_folder() -> Path:
    """Name the folder in which programs of this system keep a user's data; nothing is made."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local") / "Kozyr"
    if sys.platform == "darwin":
        return home / "Library/Application Support/Kozyr"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share") / "kozyr"

"""`kozyr serve`: tables for browsers."""
from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter, validators

from kozyr.cli.trouble import Trouble

if TYPE_CHECKING:
    from kozyr.cli.settings import Settings

Port = Annotated[int | None, Parameter(validator=validators.Number(gte=0, lte=65535))]
Flag = Annotated[bool, Parameter(negative="")]
Address = Annotated[str | None, Parameter(validator=lambda kind, value: check_address(value))]
Milliseconds = Annotated[int | None, Parameter(validator=validators.Number(gte=0, lte=60_000))]
Pair = Annotated[tuple[str, ...], Parameter(name="--set", negative="")]


def serve(
    *,
    settings: Path | None = None,
    host: str | None = None,
    port: Port = None,
    database: str | None = None,
    pause: Milliseconds = None,
    workers: Annotated[int | None, Parameter(validator=validators.Number(gte=1, lte=64))] = None,
    hints: str | None = None,
    address: Address = None,
    proxy: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    metrics_port: Port = None,
    log: Literal["text", "json", "logfmt"] | None = None,
    log_level: Literal["debug", "info", "warning", "error"] | None = None,
    more: Pair = (),
    print_settings: Flag = False,
) -> int:
    """
    Serve tables to browsers, until Ctrl-C.

    Parameters
    ----------
    settings
        A TOML file of settings. The environment, KOZYR_ and a setting's name, weighs more; these options weigh most.
    host
        The address to listen at, 127.0.0.1 by default; 0.0.0.0 lets other machines in.
    port
        The port to listen at, 8000 by default; 0 lets the system choose one.
    database
        The file that keeps every table, or postgresql://USER@HOST/NAME. Without it a file in your data folder.
    pause
        How long bots seem to think, in milliseconds, 700 by default; the real pause varies around it.
    workers
        How many server processes; more than one need PostgreSQL. One that ends is started again.
    hints
        How several processes tell each other that a table has moved on: notify, by PostgreSQL, or a broker, nats://HOST or redis://HOST.
    address
        The path at which a proxy finds this very process, /p/NUMBER; the interface hands it out for the tables that are at home here.
    proxy
        The address of a machine whose proxy says for whom it asks, besides this one; may be given several times.
    metrics_port
        The port at which this machine finds health and figures for Prometheus; none by default.
    log
        The form of lines on standard error.
    log_level
        What is logged; info has tables and requests.
    more
        Any setting, as NAME=VALUE; may be given several times.
    print_settings
        Print every setting, with where it comes from, and serve nothing.
    """
    from kozyr.cli.settings import read_settings

    flags = {
        "host": host, "port": port, "database": database, "pause": pause, "workers": workers, "hints": hints, "address": address,
        "proxy": proxy or None, "metrics_port": metrics_port, "log": log, "log_level": log_level,
    }  # fmt: skip
    chosen = read_settings(settings, os.environ, flags, more)
    if print_settings:
        print("\n".join(chosen.shown()))
        return 0
    _serve(chosen)
    return 0


def _serve(settings: Settings) -> None:
    from kozyr.app.bot_seats import Pause
    from kozyr.bots import check_data
    from kozyr.cli import wiring
    from kozyr.store.schema import SchemaError

    check_data()
    place = place_of(settings["database"] or None)
    check_broker(settings["hints"])
    try:
        check_address(settings["address"])
        if not settings["database"] and isinstance(place, Path):
            place.parent.mkdir(parents=True, exist_ok=True)
        if settings["workers"] > 1:
            _supervise(settings, str(place))
        else:
            pause = Pause(settings["pause"], min(300, settings["pause"] // 2))
            wiring.serve(settings["host"], settings["port"], place, pause=pause, settings=settings)
    except (OSError, ValueError, SchemaError) as error:  # ValueError: a name like a..b is no host
        raise Trouble(f"cannot serve at {settings['host']}:{settings['port']} from {shown(place)}: {error}") from None


def _supervise(settings: Settings, url: str) -> None:
    """Start the workers, once the database is known to be one that they can use."""
    import asyncio

    from kozyr.cli import logs, supervisor, wiring
    from kozyr.store.postgres import PostgresStore

    if sys.platform == "win32":
        raise Trouble("several workers share a port, which this system does not let them")

    async def look() -> None:
        await (await PostgresStore.open(url)).close()

    asyncio.run(look())
    logs.start(settings["log"], settings["log_level"], "supervisor")
    supervisor.serve(settings, ready=wiring.say_address)


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


def check_broker(hints: str) -> None:
    """
    Look whether what hints go by can be used.

    Raises: Trouble where a broker is asked for and its package is not there.
    """
    from kozyr.cli.settings import HINTS

    package = HINTS.get(hints.partition("://")[0])
    if package is not None and importlib.util.find_spec(package) is None:
        raise Trouble(f"hints by {hints.partition(':')[0]}:// need a package: pip install 'kozyr[{package}]'")


def shown(place: Path | str) -> str:
    """Write a database as it may be shown: without its password."""
    if isinstance(place, Path):
        return str(place)
    from kozyr.store.urls import without_password

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

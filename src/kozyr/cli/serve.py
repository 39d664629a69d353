"""`kozyr serve`: tables for browsers."""
from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter, validators

from kozyr.cli.trouble import Trouble

Port = Annotated[int, Parameter(validator=validators.Number(gte=0, lte=65535))]
Milliseconds = Annotated[int, Parameter(validator=validators.Number(gte=0, lte=60_000))]


def serve(*, host: str = "127.0.0.1", port: Port = 8000, database: Path | None = None, pause: Milliseconds = 700) -> int:
    """
    Serve tables to browsers, until Ctrl-C.

    Parameters
    ----------
    host
        The address to listen at; 0.0.0.0 lets other machines in.
    port
        The port to listen at; 0 lets the system choose one.
    database
        The file that keeps every table. Without it a file in your data folder.
    pause
        How long bots seem to think, in milliseconds; the real pause varies around it.
    """
    from kozyr.app.bot_seats import Pause
    from kozyr.cli import wiring
    from kozyr.store.schema import SchemaError

    file = data_folder() / "kozyr.db" if database is None else database
    try:
        if database is None:
            file.parent.mkdir(parents=True, exist_ok=True)
        wiring.serve(host, port, file, pause=Pause(pause, min(300, pause // 2)))
    except (OSError, UnicodeError, SchemaError) as error:  # UnicodeError: a name like a..b is no host
        raise Trouble(f"cannot serve at {host}:{port} from {file}: {error}") from None
    return 0


def data_folder() -> Path:
    """Name the folder in which programs of this system keep a user's data; nothing is made."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local") / "Kozyr"
    if sys.platform == "darwin":
        return home / "Library/Application Support/Kozyr"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local/share") / "kozyr"

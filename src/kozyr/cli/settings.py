"""A server's settings: from a TOML file, from the environment, from the command line; the later ones weigh more."""
from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kozyr.cli.trouble import Trouble

PREFIX = "KOZYR_"
OTHERS = ("KOZYR_SETTINGS", "KOZYR_PURE", "KOZYR_CHROMIUM", "KOZYR_POSTGRES", "KOZYR_SOAK_")
"""How names of the environment begin that are no settings of a server."""

SIZE_MAX = 1_000_000
"""No file of settings is longer."""

Value = str | int | float | tuple[str, ...] | tuple[int, int]


class Setting(NamedTuple):
    """One setting: its default, whose type is its type, what it is, and what it may be. A pair of numbers is a rate."""

    default: Value
    about: str
    least: float = 0
    most: float = 2**31
    choices: tuple[str, ...] = ()
    is_secret: bool = False
    shortest: int = 0


def rate(most: int, refill_ms: int, about: str) -> Setting:
    """Describe how often something may be done: so often at once, and once more after so many milliseconds."""
    return Setting((most, refill_ms), about, 1, 86_400_000)


SETTINGS: dict[str, Setting] = {
    "host": Setting("127.0.0.1", "the address to listen at; 0.0.0.0 lets other machines in"),
    "port": Setting(8000, "the port to listen at; 0 lets the system choose one", 0, 65535),
    "database": Setting("", "the file that keeps every table, or postgresql://USER@HOST/NAME; empty: a file in your data folder"),
    "pause": Setting(700, "how long bots seem to think, in milliseconds", 0, 60_000),
    "workers": Setting(1, "server processes; more than one need PostgreSQL", 1, 64),
    "hints": Setting("notify", "how processes tell each other that a table has moved on: notify, nats://HOST:4222 or redis://HOST:6379"),
    "address": Setting("", "the path at which a proxy finds this very process, /p/NUMBER"),
    "proxy": Setting((), "addresses of machines whose proxies say for whom they ask, besides this one"),
    "drain_s": Setting(0.0, "seconds for which a stopping server says that it is not ready and still serves", 0, 600),
    "sockets": Setting(200, "websockets that one address may have open; 0: any number", 0, 1_000_000),
    "log": Setting("text", "the form of lines on standard error", choices=("text", "json", "logfmt")),
    "log_level": Setting("warning", "what is logged; info has tables and requests", choices=("debug", "info", "warning", "error")),
    "metrics_host": Setting("127.0.0.1", "the address at which figures are served"),
    "metrics_port": Setting(0, "the port of the figures, each further worker has the next; 0: none", 0, 65535),
    "metrics_token": Setting("", "who has it sees the figures at the public port; empty: nobody", is_secret=True, shortest=16),
    "operator_password": Setting("", "who has it sees /operator; empty: there is no such page", is_secret=True, shortest=12),
    "bots.processes": Setting(0, "processes in which bots think, of each server process; 0: one for each core but one, shared out", 0, 256),
    "bots.queue": Setting(8, "thoughts that wait for each of them; where as many wait a quick level chooses at once", 1, 10_000),
    "limits.creating": rate(30, 3000, "tables opened by one address"),
    "limits.listing": rate(20, 30_000, "tables opened for everybody by one address"),
    "limits.joining": rate(30, 1000, "seats taken by one address"),
    "limits.guessing": rate(5, 10_000, "passwords tried by one address at one table, or at the operator's page"),
    "limits.connecting": rate(120, 250, "websockets opened by one address"),
    "limits.looking": rate(120, 100, "lists, records and coins asked for by one address"),
    "limits.changing": rate(30, 2000, "names, pictures, blocks and removed passkeys of one address"),
    "limits.accounts": rate(10, 60_000, "new accounts and passkeys of one address"),
    "limits.logging_in": rate(20, 5000, "logins and new passwords of one address"),
    "limits.names": rate(10, 20_000, "wrong passwords for one name from one address, or from one browser that was in the account"),
    "limits.reporting": rate(5, 60_000, "reports of one address"),
    "limits.messages": rate(60, 33, "messages of one websocket"),
    "limits.hellos": rate(8, 1000, "hellos of one websocket"),
    "limits.phrases": rate(3, 3000, "phrases of one player at one table"),
    "coins.opening": Setting(1000, "coins of a new guest", 1),
    "coins.floor": Setting(200, "coins that a guest with fewer is given again, once a day"),
    "coins.address_grants": Setting(5, "guests of one address that get their opening coins, a day"),
    "coins.company_games": Setting(10, "games for coins of the same players, a day"),
}
HINTS = {"nats": "nats", "tls": "nats", "redis": "redis", "rediss": "redis", "valkey": "redis", "valkeys": "redis"}
"""Which package a broker of hints needs, by the beginning of its URL."""
ALLOWANCES = tuple(name.removeprefix("limits.") for name in SETTINGS if name.startswith("limits."))


class Settings:
    """Every setting's value, and where each comes from."""

    def __init__(self) -> None:
        self._values: dict[str, Value] = {name: setting.default for name, setting in SETTINGS.items()}
        self.sources: dict[str, str] = {}

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def put(self, name: str, value: object, source: str) -> None:
        """
        Set one.

        Raises: Trouble for a name that there is not, or a value that it cannot have.
        """
        setting = SETTINGS.get(name)
        if setting is None:
            near = difflib.get_close_matches(name, SETTINGS, 1)
            raise Trouble(f"{source}: there is no setting {name}" + (f"; do you mean {near[0]}?" if near else ""))
        try:
            self._values[name] = fit(setting, value)
        except ValueError as error:
            raise Trouble(f"{source}: {name} {error}") from None
        self.sources[name] = source

    def part(self, group: str) -> dict[str, Any]:
        """Return the settings of a group, without its name."""
        return {name.removeprefix(f"{group}."): value for name, value in self._values.items() if name.startswith(f"{group}.")}

    def written(self) -> bytes:
        """Write what is not the default, for a process that is started with the same."""
        return json.dumps({name: value for name, value in self._values.items() if value != SETTINGS[name].default}).encode()

    def shown(self) -> list[str]:
        """List all, as a TOML file would have them, with where each comes from; no secret is shown, nor a password in a URL."""
        from kozyr.store.urls import without_password

        lines, group = [], ""
        for name, setting in SETTINGS.items():
            head, _, short = name.rpartition(".")
            if head != group:
                lines += ["", f"[{head}]"]
                group = head
            value = self._values[name]
            if setting.is_secret and value:
                text = '"***"'
            elif name in ("database", "hints") and "://" in str(value):
                text = json.dumps(without_password(str(value)))
            else:
                text = json.dumps(value, ensure_ascii=False)
            lines.append(f"{short} = {text}  # {self.sources.get(name, 'default')}")
        return lines


def read_settings(file: Path | None, environment: Mapping[str, str], flags: Mapping[str, object], more: Iterable[str] = ()) -> Settings:
    """
    Read the settings: a file, then the environment, then the command line's *flags*, then *more* of it, each NAME=VALUE.

    Raises: Trouble for a file that cannot be read, for a name that there is not, a value that does not fit, or settings that contradict.
    """
    settings = Settings()
    named = environment.get("KOZYR_SETTINGS")
    if file is None and named:
        file = Path(named)
    if file is not None:
        for name, value in flat(file):
            settings.put(name, value, str(file))
    names = {PREFIX + name.upper().replace(".", "_"): name for name in SETTINGS}
    for key, text in sorted(environment.items()):
        if key.startswith(PREFIX) and not key.startswith(OTHERS):
            settings.put(names.get(key, key.removeprefix(PREFIX).lower()), text, key)
    for name, given in flags.items():
        if given is not None:
            settings.put(name, given, f"--{name.replace('_', '-')}")
    for each in more:
        name, equals, text = each.partition("=")
        if not equals:
            raise Trouble(f"--set: {each} is not NAME=VALUE")
        settings.put(name, text, "--set")
    agree(settings)
    return settings


def flat(file: Path) -> list[tuple[str, object]]:
    """Read a file of settings; those of a group by its name and theirs."""
    try:
        with file.open("rb") as opened:
            text = opened.read(SIZE_MAX + 1)
        if len(text) > SIZE_MAX:
            raise ValueError(f"it is too big: {SIZE_MAX} bytes at most")
        read = tomllib.loads(text.decode())
    except (OSError, ValueError, RecursionError) as error:
        raise Trouble(f"settings cannot be read: {file}: {error}") from None
    found: list[tuple[str, object]] = []
    for name, value in read.items():
        found += [(f"{name}.{key}", inner) for key, inner in value.items()] if isinstance(value, dict) else [(name, value)]
    return found


def fit(setting: Setting, value: object) -> Value:
    """
    Make a setting's value of what was given, be it text.

    Raises: ValueError, saying what it must be.
    """
    default = setting.default
    if isinstance(default, tuple):
        return pair(setting, value) if default else listed(value)
    if isinstance(default, str):
        return text_of(setting, value)
    if isinstance(value, str):
        try:
            value = float(value) if isinstance(default, float) else int(value)
        except ValueError:
            raise ValueError(f"must be a number, not {value!r}") from None
    if isinstance(value, bool) or not isinstance(value, int | float) or (isinstance(default, int) and not isinstance(value, int)):
        raise ValueError(f"must be a {'whole ' if isinstance(default, int) else ''}number, not {value!r}")
    if not setting.least <= value <= setting.most:
        raise ValueError(f"must be {setting.least:g} to {setting.most:g}, not {value}")
    return type(default)(value)


def text_of(setting: Setting, value: object) -> str:
    """Check a text; no secret is said again."""
    if not isinstance(value, str):
        raise ValueError(f"must be a text, not {'a ' + type(value).__name__ if setting.is_secret else repr(value)}")
    if setting.choices and value not in setting.choices:
        raise ValueError(f"must be {', '.join(setting.choices[:-1])} or {setting.choices[-1]}, not {value!r}")
    if value and len(value) < setting.shortest:
        raise ValueError(f"must have at least {setting.shortest} characters")
    return value


def listed(value: object) -> tuple[str, ...]:
    """Read a list of texts, divided by commas where it is one text."""
    if isinstance(value, str):
        value = [each.strip() for each in value.split(",") if each.strip()]
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise ValueError(f"must be a list of texts, not {value!r}")
    return tuple(value)


def pair(setting: Setting, value: object) -> tuple[int, int]:
    """Read a rate: how often at once, and after how many milliseconds once more."""
    asked = value.split(",") if isinstance(value, str) else value
    try:
        assert isinstance(asked, list | tuple)
        most, refill_ms = (int(each) if isinstance(each, str) else each for each in asked)
        assert type(most) is type(refill_ms) is int
    except (AssertionError, ValueError, TypeError):
        raise ValueError(f"must be two whole numbers, how often at once and after how many milliseconds once more, not {value!r}") from None
    if not (setting.least <= most <= 1_000_000 and setting.least <= refill_ms <= setting.most):
        raise ValueError(f"must be 1 to 1000000 at once and 1 to {setting.most:g} milliseconds, not {value!r}")
    return most, refill_ms


def agree(settings: Settings) -> None:
    """
    Look whether the settings fit together.

    Raises: Trouble.
    """
    workers, port, metrics_port = settings["workers"], settings["port"], settings["metrics_port"]
    if workers > 1 and settings["address"]:
        raise Trouble("several workers share a port, and a path of a process (address) is for one that has its own")
    if workers > 1 and "://" not in settings["database"]:
        raise Trouble("several workers need a database postgresql://…; a file is served by one")
    agree_on_hints(settings["hints"], settings["database"])
    if metrics_port and port and metrics_port <= port < metrics_port + workers:
        raise Trouble(f"metrics_port: {port} is the port of the server itself")
    if metrics_port and metrics_port + workers - 1 > 65535:
        raise Trouble(f"metrics_port: {workers} workers have no ports of their own from {metrics_port} on")
    if settings["coins.floor"] > settings["coins.opening"]:
        raise Trouble("coins.floor is more than coins.opening: nobody would have less than is given again")


def agree_on_hints(hints: str, database: str) -> None:
    """
    Look whether hints can go as they are to; what is said names no password.

    Raises: Trouble.
    """
    if hints == "notify":
        return
    scheme, _, place = hints.partition("://")
    if scheme not in HINTS or not re.fullmatch(r"([^@/]*@)?(\[[0-9a-fA-F:.]+\]|[^@/:\s]+)(:[0-9]{1,5})?(/.*)?", place):
        known = ", ".join(f"{name}://HOST:PORT" for name in HINTS)
        raise Trouble(f"hints must be notify, or where a broker is: {known}; not what begins with {scheme[:12]!r}")
    if "://" not in database:
        raise Trouble("hints go by a broker between processes on a database postgresql://…; a file is served by one")

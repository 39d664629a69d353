"""What of the server reads: messages, bodies of requests, queries, cookies, the log, names, accounts, settings, other processes' words."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import msgspec
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from yarl import URL

from kozyr.app import names
from kozyr.app.commands import AskAgain, Command, CommitSeed, Play, Ready, RevealSeed, TakeBack
from kozyr.app.decide import Draft, decide
from kozyr.app.events import decode, encode
from kozyr.app.ports import Row
from kozyr.app.sealing import KEY_BYTES, Seals
from kozyr.app.table import Table
from kozyr.bus.postgres import PostgresBus
from kozyr.cli.settings import read_settings
from kozyr.cli.trouble import Trouble
from kozyr.ledger.entries import format_account, parse_account
from kozyr.web.guard import Refused
from kozyr.web.passkeys import decoded, read_field
from kozyr.web.profiles import page_of
from kozyr.web.sessions import COOKIE, Sessions
from kozyr.wire import http, lobby, messages, people
from tests.app.play import NOW, commit, done, new_table, reveal, seeds
from tests.fuzz.feeding import Target
from tests.fuzz.targets_engine import raw, text
from tests.sim.world import FakeClock, SeededEntropy

WIRE_REFUSES = (msgspec.DecodeError, UnicodeError, RecursionError)
"""What the server answers with `bad_message` or `bad_body`."""

HEX = "0" * 64
CLIENT: list[dict[str, Any]] = [
    {"t": "hello", "v": 1, "since": 7}, {"t": "play", "id": "c1", "move": "beat 7h 8h", "bout": 3},
    {"t": "play", "id": "c2", "move": "take", "bout": 1}, {"t": "seed_commit", "id": "c3", "game": 1, "commitment": HEX},
    {"t": "seed_reveal", "id": "c4", "game": 1, "seed": HEX}, {"t": "again", "id": "c5", "game": 1}, {"t": "ready", "id": "c6", "on": True},
    {"t": "ping", "n": 5}, {"t": "say", "id": "c7", "phrase": "hello"}, {"t": "take_back", "id": "c8", "game": 1},
]  # fmt: skip
BODIES: list[tuple[str, Callable[[bytes], Any], list[dict[str, Any]]]] = [
    ("a new table", http.decode_new_table, [
        {}, {"preset": "custom", "options": {"seats": 3, "transfer": True}, "bots": ["easy", None], "private": False, "name": "Ann"},
        {"preset": "peak", "password": "x" * 20},
    ]),
    ("a seat that is taken", http.decode_join_table, [{}, {"seat": 1, "name": "Bo", "password": "y"}]),
    ("what changes of a person", people.decode_change_me, [{"name": "Ann", "avatar": 3, "language": "ru"}]),
    ("a new account", people.decode_new_account, [{"password": "correct horse"}]),
    ("a new password", people.decode_new_password, [{"new": "correct horse", "old": "wrong horse"}]),
    ("a login", people.decode_login, [{"name": "Ann", "password": "correct horse"}]),
    ("a logout", people.decode_logout, [{}, {"everywhere": True}]),
    ("a new passkey", people.decode_new_passkey, [{"name": "key", "credential": {"id": "QQ", "response": {"clientDataJSON": "e30"}}}]),
    ("a passkey's login", people.decode_passkey_login, [{"credential": {"id": "QQ", "response": {"clientDataJSON": "e30"}}}]),
    ("a report", people.decode_new_report, [{"table": "abcdefghijklmnop", "seat": 1, "reason": "name", "words": "so"}]),
    ("a filter of the lobby", lobby.decode_lobby, [{"t": "filter", "deck": 36, "stake": 0, "free": True}, {"t": "ping", "n": 1}]),
]  # fmt: skip


def written(*values: Any) -> list[bytes]:
    return [json.dumps(value).encode() for value in values]


def playing() -> Table:
    """A table in the middle of the first bout."""
    table = new_table(2, cheat=True)
    for seat in (0, 1):
        table = done(table, commit(table, seat))
    for seat in (0, 1):
        table = done(table, reveal(table, seat))
    return table


TABLE = playing()
GATHERING = new_table(2)


def command_of(message: Any, seat: int) -> Command | None:
    """Make a command of a message, as the websocket does."""
    match message:
        case messages.Play():
            return Play(seat, message.move, message.bout, message.id)
        case messages.SeedCommit():
            return CommitSeed(seat, message.game, message.commitment, message.id)
        case messages.SeedReveal():
            return RevealSeed(seat, message.game, message.seed, message.id)
        case messages.Again():
            return AskAgain(seat, message.game, seeds(2), {}, message.id)
        case messages.Ready():
            return Ready(seat, message.on, seeds(2), {}, message.id)
        case messages.TakeBack():
            return TakeBack(seat, message.game, message.id)
    return None


def hear(data: bytes) -> Any:
    """Read a client's message and decide about it at two tables: it is done or refused."""
    message = messages.decode_client(text(data))
    for table in (TABLE, GATHERING):
        for seat in (0, 1):
            command = command_of(message, seat)
            answer = None if command is None else decide(table, command, NOW)
            assert not isinstance(answer, Draft) or answer.steps or command is not None
    return message


def log_rows() -> list[bytes]:
    """Every kind of event that games make."""
    found: dict[str, bytes] = {}
    table = new_table(1, 1)
    for command in (commit(table, 0),):
        draft = decide(table, command, NOW)
        assert isinstance(draft, Draft)
        found |= {type(step.event).__name__: encode(step.event) for step in draft.steps}
    extra = [
        {"k": "move", "seat": 0, "move": "attack 7h", "by": "player"}, {"k": "time", "ms": 2000, "why": "network"},
        {"k": "again", "seat": 1},
    ]  # fmt: skip
    return [*found.values(), *written(*extra)]


def ask_page(data: bytes) -> int | None:
    """Ask for a page as a browser does: the query is any text."""
    asked: Any = SimpleNamespace(query=URL(f"/api/me/games?before={quote(data, safe='')}", encoded=True).query)
    return page_of(asked)


SESSIONS = Sessions(b"secret of a database", SeededEntropy(), FakeClock())


def cookies() -> list[bytes]:
    """A cookie that we have signed, and what it is made of."""
    response = web.Response()
    SESSIONS.keep(response, make_mocked_request("GET", "/"), "guest1", 1)
    signed = next(iter(response.cookies.values())).value.encode()
    assert read_cookie(signed) is not None
    return [signed]


def read_cookie(data: bytes) -> Any:
    """Read the cookie of a request: nobody becomes a guest by one that we have not signed."""
    asked: Any = SimpleNamespace(cookies={COOKIE: text(data)})
    found = SESSIONS.read(asked)
    assert found is None or found.guest == "guest1"
    return found


def read_passkey(data: bytes) -> bytes | None:
    """Take apart what a browser says that its key has signed, as far as it is looked at before the library does."""
    credential = msgspec.json.decode(data)
    said = decoded(read_field(credential, "response", "clientDataJSON"))
    try:
        client = msgspec.json.decode(said or b"")
    except WIRE_REFUSES:
        return None
    return decoded(read_field(client, "challenge"))


def read_name(data: bytes) -> str:
    return names.parse_name(text(data))


SETTINGS = b"""
port = 8000
log = "json"
drain_s = 2.5
proxy = ["10.0.0.1"]
[limits]
creating = [30, 3000]
[coins]
opening = 500
"""
FOLDER = TemporaryDirectory()
FILE = Path(FOLDER.name, "kozyr.toml")


def read_file_of_settings(data: bytes) -> Any:
    """Read a file of settings."""
    FILE.write_bytes(data)
    return read_settings(FILE, {}, {})


def settings_samples() -> list[bytes]:
    assert tomllib.loads(SETTINGS.decode())
    return [SETTINGS, b"port = 1\n", b'database = "postgresql://u:p@h/n"\nworkers = 2\n']


def read_environment(data: bytes) -> Any:
    """Read settings of the environment and of `--set`, a line each."""
    lines = text(data).split("\n")[:20]
    return read_settings(None, {f"KOZYR_{name}": value for name, _, value in (line.partition("=") for line in lines)}, {}, lines[1:2])


class Deaf:
    """A link that says nothing; the bus of a process takes announcements apart."""

    announces = False

    def listen(self, *channel: Any) -> None: ...


SEALS = Seals(b"k" * KEY_BYTES)


def announcements() -> list[bytes]:
    """Announce tables, and one of them with the row that has brought it there."""
    sealed = SEALS.seal("abcdefgh", Row(7, 1_700_000_000_000, b'{"t":"left","seat":1}', "c1"))
    return [b"p1 abcdefgh:7", b"p2 a:1 b:2", f"p1 a:1 abcdefgh:7 {sealed} b:2".encode()]


def heard(data: bytes) -> list[tuple[str, int]]:
    """Take apart what another process, or whoever is at the broker, announces."""
    found: list[tuple[str, int]] = []
    bus = PostgresBus.__new__(PostgresBus)
    bus._process, bus.heard, bus._seals = "me", 0, SEALS
    bus._hand_on = lambda table_id, seq, row=None: found.append((table_id, seq))  # type: ignore[method-assign]
    bus._hear(text(data))
    return found


SERVER = (
    Target("a client's message", lambda: written(*CLIENT), hear, WIRE_REFUSES, messages.encode),
    *(Target(name, lambda samples=samples: written(*samples), read, WIRE_REFUSES, messages.encode) for name, read, samples in BODIES),
    Target("a passkey", lambda: written({"response": {"clientDataJSON": "eyJjaGFsbGVuZ2UiOiJRUSJ9"}}), read_passkey, WIRE_REFUSES),
    Target("a row of the log", log_rows, decode, (ValueError,), encode),
    Target("a session's cookie", cookies, read_cookie, ()),
    Target("a page of a list", lambda: [b"1", b"900", b"123456789012345"], ask_page, (Refused,)),
    Target("a name", lambda: [b"Ann", "Аня".encode(), "Ayşə".encode(), b"Li 3"], read_name, (names.BadName,), raw),
    Target("an account of coins", lambda: [b"player:g1", b"pot:abc/3", b"mint"], lambda data: parse_account(text(data)),
           write=lambda account: raw(format_account(account))),
    Target("a file of settings", settings_samples, read_file_of_settings, (Trouble,), size_max=4096),
    Target("settings of the environment", lambda: [b"PORT=1\nlog=json", b"LIMITS_CREATING=3,4"], read_environment, (Trouble,)),
    Target("an announcement", announcements, heard, ()),
)  # fmt: skip

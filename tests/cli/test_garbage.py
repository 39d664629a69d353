"""Whatever is typed, and whatever a file turns out to be: one line that says what is wrong, never a traceback, and nothing is harmed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from kozyr.cli.trouble import LINE_MAX
from kozyr.store import schema
from tests.anybody import as_anybody, may_be_obeyed

from .conftest import Done, Kozyr

pytestmark = pytest.mark.skipif(not may_be_obeyed(), reason="permissions do not hold for who runs these tests")

QUICK = ("arena", "random", "greedy", "--deals", "1", "--workers", "1", "--quiet")
NOWHERE = "postgresql://127.0.0.1:1/x"
FOLDERS = ("folder", "closed", "")
STRANGE = ("empty", "junk", "nul", "text", "cut.db", "other.db", "newer.db", "unreadable", "endless")
NOT_THERE = ("missing", "nothing/x", "text/x", "closed/new", "loop", "x" * 300)

READS: dict[str, tuple[str, ...]] = {
    "restore a backup": ("restore", "FILE", "--database", "new.db"),
    "look at a database": ("operator", "totals", "--database", "FILE"),
    "move a database": ("move", "--from", "FILE", "--to", NOWHERE),
    "copy a database": ("backup", "copy.db", "--database", "FILE"),
    "verify a game": ("verify", "FILE"),
    "verify by commitments": ("verify", "GAME", "--seen", "FILE"),
    "solve positions": ("solve", "FILE"),
    "read settings": ("serve", "--settings", "FILE", "--print-settings"),
}
WRITES: dict[str, tuple[str, ...]] = {
    "write a backup": ("backup", "FILE", "--database", "good.db"),
    "replace a database": ("restore", "good.db", "--database", "FILE"),
    "bring up a database": ("migrate", "--database", "FILE"),
    "serve a database": ("serve", "--host", "256.0.0.1", "--database", "FILE"),
    "record a game": ("play", "--seed", "1", "--record", "FILE"),
    "write results": (*QUICK, "--json", "FILE"),
    "write figures": (*QUICK, "--figures", "FILE"),
    "draw a picture": (*QUICK, "--svg", "FILE"),
}

@pytest.fixture
def things(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game_file: Path) -> Iterator[Path]:
    """A folder with files of every kind; permissions hold there."""
    monkeypatch.chdir(tmp_path)
    schema.prepare(tmp_path / "good.db")
    whole = (tmp_path / "good.db").read_bytes()
    shutil.copy(game_file, tmp_path / "GAME")
    contents = {"empty": b"", "junk": bytes(range(256)) * 9, "nul": bytes(4096), "text": b"hello\nworld", "cut.db": whole[:5000]}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    with closing(sqlite3.connect(tmp_path / "other.db")) as db:
        db.execute("CREATE TABLE x (y)")
    shutil.copy(tmp_path / "good.db", tmp_path / "newer.db")
    with closing(sqlite3.connect(tmp_path / "newer.db")) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    (tmp_path / "endless").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    (tmp_path / "closed").mkdir()
    (tmp_path / "unreadable").write_bytes(whole)
    (tmp_path / "unreadable").chmod(0)
    (tmp_path / "closed").chmod(0o500)
    with as_anybody():
        yield tmp_path
    (tmp_path / "closed").chmod(0o700)


def is_told(done: Done) -> bool:
    """Whether what is wrong was said as it should be."""
    line = done.err.removesuffix("\n")
    return 2 == done.code and line.startswith("kozyr: ") and line.isprintable() and len(line) < LINE_MAX + 20


def put(words: tuple[str, ...], name: str) -> list[str]:
    return [name if word == "FILE" else word for word in words]


def is_fine(words: tuple[str, ...], name: str) -> bool:
    """Whether a command may do what it is for with such a file: begin one, or write figures over one."""
    if name == "missing":
        return words[0] in ("backup", "restore", "migrate", "play", "arena") and "copy.db" not in words and "new.db" not in words
    if name == "empty":
        return words[0] in ("migrate", "operator") or "--settings" in words or "--figures" in words or "--svg" in words
    return ("--figures" in words or "--svg" in words) and name in STRANGE and name not in ("unreadable", "endless")


def everything(folder: Path) -> dict[Path, bytes]:
    """What is in a folder's files; SQLite leaves companions of those that it reads."""
    others = ("unreadable", "-wal", "-shm")
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file() and not file.name.endswith(others)}


@pytest.mark.parametrize("words", [*READS.values(), *WRITES.values()], ids=[*READS, *WRITES])
def test_what_is_not_what_it_should_be_is_told(kozyr: Kozyr, things: Path, words: tuple[str, ...]) -> None:
    """A file that is missing, of another kind, cut short, a folder or not to be read ends a command in a line, and stays as it was."""
    before = everything(things)
    for name in (*STRANGE, *NOT_THERE, *FOLDERS):
        if name == "endless" and words in WRITES.values():
            continue
        done = kozyr(*put(words, name))
        if is_fine(words, name):
            assert (0, "") == (done.code, done.err), name
        else:
            assert is_told(done), (name, done)
        after = everything(things)
        if is_fine(words, name) or (words[0] == "serve" and name in ("empty", "missing")):
            for file in after.keys() - before.keys():
                file.unlink()
            if name in STRANGE:
                (things / name).write_bytes(before[things / name])
        else:
            assert set(before) == set(after) and [] == [file.name for file in before if before[file] != after[file]], name


@pytest.mark.parametrize("folder", ["100% #1?", "a b;c&d", "русский"])
def test_a_folder_may_have_any_name(kozyr: Kozyr, tmp_path: Path, folder: str) -> None:
    """Databases are found, copied and put back wherever they lie."""
    place = tmp_path / folder
    place.mkdir()
    database, copy = place / "a?b#c%41.db", place / "copy?mode=x.db"
    assert 0 == kozyr("migrate", "--database", database).code
    assert 0 == kozyr("backup", copy, "--database", database).code
    assert 0 == kozyr("restore", copy, "--database", database).code
    assert {place} == {file.parent for file in tmp_path.rglob("*.db*")}


def test_a_link_to_a_database_stays_one(kozyr: Kozyr, tmp_path: Path) -> None:
    """Who keeps the file on another disk, behind a link, finds what was put back there."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "kozyr.db").symlink_to("disk/real.db")
    for words in (("migrate",), ("backup", tmp_path / "copy.db"), ("restore", tmp_path / "copy.db")):
        assert 0 == kozyr(*words, "--database", tmp_path / "kozyr.db").code
    assert (tmp_path / "kozyr.db").is_symlink()
    assert 1 == len(list((tmp_path / "disk").glob("real.db.before-*")))


VALUES = ("x", "-1", "1e9", "nan", "99999999999999999999", "\x1b[31m", "x" * 5000, "two\nlines", "\udcff", "=", "seats=99", "no=1")
OPTIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    "play": (("--seats",), ("--deck",), ("--throw-scope",), ("--preset",), ("--option",), ("--level",), ("--nonsense",)),
    "show": ((), ("--nonsense",)),
    "solve": ((), ("start:seed=1", "--nodes")),
    "puzzle": ((), ("--grade",)),
    "perft": (("start:seed=1",), ()),
    "arena": (("random", "greedy", "--seats"), ("random", "greedy", "--preset"), ("random", "greedy", "--option"), ("random",)),
    "engine": (("--level",), ("--nonsense",)),
    "bench": (("--seats",), ("--seats", "2", "--games"), ("--repeat",)),
    "operator": ((), ("totals", "--most")),
    "move": (("--to",),),
    "train": ((), ("normal", "--nonsense")),
    "serve": tuple((f"--{name}",) for name in ("port", "pause", "workers", "hints", "address", "metrics-port", "log", "log-level", "set")),
}


@pytest.mark.parametrize(("command", "option"), [(command, option) for command, options in OPTIONS.items() for option in options])
def test_a_value_that_makes_no_sense_is_told(
    kozyr: Kozyr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, option: tuple[str, ...]
) -> None:
    """Numbers that are none or beyond measure, words that are none, letters that would write on a screen: each is one line."""
    monkeypatch.chdir(tmp_path)
    for value in VALUES:
        done = kozyr(command, *option, value, *(("--print-settings",) if command == "serve" else ()))
        assert is_told(done), (value, done)
    assert [] == list(tmp_path.iterdir())


COMMANDS = ("--version", "--help", "show start:seed=1", "show -", "play --seed 1", "serve --print-settings", "engine")


@pytest.mark.skipif(sys.platform != "linux", reason="a device that is always full is Linux's")
@pytest.mark.parametrize("command", COMMANDS)
def test_input_and_output_may_be_closed_or_full(command: str) -> None:
    """A terminal that has gone, or a disk that is full, is no traceback."""
    for redirected in ("<&- >/dev/null", "</dev/null >&-", "<&- >&- 2>&-", "</dev/null >/dev/full"):
        line = f"{sys.executable} -m kozyr {command} {redirected}"
        # Whoever runs the tests may have made output unbuffered; what is buffered fails at another place.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False, timeout=60, env=environment)
        assert "Traceback" not in done.stderr and "Exception" not in done.stderr and done.stderr.count("\n") <= 1, (redirected, done.stderr)
        # The engine has nothing to say where nobody asks.
        assert done.returncode in ((2,) if "full" in redirected and command != "engine" else (0, 1, 2))

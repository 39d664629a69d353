"""What the command line is made of: commands, their errors, and starting quickly."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kozyr as package
from kozyr.app.bot_seats import Pause
from kozyr.cli import COMMANDS, main, wiring
from kozyr.cli.serve import data_folder
from kozyr.core import FORM
from kozyr.store.schema import SchemaError

from .conftest import Kozyr


def process(*words: str, typed: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """
    Run `python -m kozyr` as a process of its own.
    """
    source = str(Path(package.__file__).parents[1])
    surroundings = {**os.environ, "PYTHONPATH": source, **env}
    command = [sys.executable, "-m", "kozyr", *words]
    return subprocess.run(command, input=typed, env=surroundings, capture_output=True, text=True, check=False, timeout=60)


# as a process


def test_the_version_tells_which_form_of_the_engine_runs() -> None:
    """
    `kozyr --version` names the version, the engine's form and the Python.
    """
    done = process("--version", KOZYR_PURE="1")
    assert f"kozyr {package.__version__}, engine interpreted, CPython {platform.python_version()}\n" == done.stdout
    assert (0, "") == (done.returncode, done.stderr)


def test_a_game_is_played_and_left_through_a_pipe() -> None:
    """
    The process reads moves from standard input; where that ends, the player has left.
    """
    done = process("play", "--seed", "1", typed="help\n1\n")
    assert (0, "") == (done.returncode, done.stderr)
    assert "You have left the game." in done.stdout.splitlines()


def test_bad_input_of_a_process_is_one_line_on_standard_error() -> None:
    """
    No traceback, exit code 2.
    """
    done = process("perft", "36/s/nonsense", "2")
    assert (2, "") == (done.returncode, done.stdout)
    assert ["kozyr: position:"] == [line[:16] for line in done.stderr.splitlines()]


def test_a_reader_that_closes_the_pipe_gets_no_traceback() -> None:
    """
    `kozyr perft … | head -1` ends quietly.
    """
    source = str(Path(package.__file__).parents[1])
    command = [sys.executable, "-u", "-m", "kozyr", "perft", "start:seed=3", "1"]
    running = subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": source}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stdout is not None and running.stderr is not None
    running.stdout.close()
    assert "" == running.stderr.read()
    running.stderr.close()
    assert 1 == running.wait(60)


def test_starting_loads_nothing_that_is_not_needed() -> None:
    """
    `--version` is quick because it leaves the server, and the reader of options, where they are.
    """
    code = "import sys, kozyr.cli; kozyr.cli.main(['--version']); print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ}, capture_output=True, text=True, check=True, timeout=60)
    assert set() == {"aiohttp", "cyclopts", "uvloop", "sqlite3", "msgspec", "asyncio"} & set(done.stdout.split())


# in this process


def test_help_names_every_command(kozyr: Kozyr) -> None:
    """
    `kozyr --help` lists the commands, each with a line of its own.
    """
    done = kozyr("--help")
    assert (0, "") == (done.code, done.err)
    for name, (_, text) in COMMANDS.items():
        assert f"  {name}: {text}" in done.lines


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(kozyr: Kozyr, name: str) -> None:
    """
    `kozyr COMMAND --help` says how the command is called.
    """
    done = kozyr(name, "--help")
    assert (0, f"Usage: kozyr {name}") == (done.code, " ".join(done.lines[0].split()[:3]))


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (
            ("nonsense",),
            'kozyr: Unknown command "nonsense". Available commands: ' + ", ".join([*COMMANDS][:8]) + ", ...",
        ),
        (("play", "--nonsense"), 'kozyr: Unknown option: --nonsense. Did you mean --seed?'),
        (("perft", "start:"), 'kozyr: Command "perft" parameter DEPTH requires an argument.'),
        (("perft", "start:", "x"), 'kozyr: Invalid value for DEPTH: unable to convert "x" into int.'),
        (("play", "--throw-scope", "x"), 'kozyr: Invalid value "x" for --throw-scope. Choose from: "all", "neighbours", "attacker".'),
        (("serve", "--port", "70000"), 'kozyr: Invalid value "70000" for --port. Must be <= 65535.'),
        (("bench", "--seats", "7"), "kozyr: no table has 7 seats"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_one_line(kozyr: Kozyr, words: tuple[str, ...], text: str) -> None:
    """
    What is wrong is said in one line on standard error, with exit code 2.
    """
    done = kozyr(*words)
    assert (2, "", f"{text}\n") == (done.code, done.out, done.err)


def test_ctrl_c_ends_quietly(kozyr: Kozyr, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    An interrupted command leaves no traceback, and the exit code that shells expect.
    """

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(wiring, "serve", interrupted)
    done = kozyr("serve")
    assert (130, "", "") == (done.code, done.out, done.err)


# serve


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """
    Note what would be served, instead of serving.
    """
    calls: list[tuple[Any, ...]] = []
    monkeypatch.setattr(wiring, "serve", lambda host, port, database, *, pause, settings: calls.append((host, port, database, pause)))
    return calls


def test_without_a_command_tables_are_served(served: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """
    `kozyr` alone serves this machine from a file in the user's data folder.
    """
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert 0 == main([])
    assert [("127.0.0.1", 8000, tmp_path / "data/kozyr/kozyr.db", Pause(700, 300))] == served
    assert (tmp_path / "data/kozyr").is_dir()


def test_serve_takes_address_file_and_pause(served: list[tuple[Any, ...]], tmp_path: Path) -> None:
    """
    Everything about a server can be said on the command line, with or without the word `serve`.
    """
    words = ["--host", "0.0.0.0", "--port", "0", "--database", str(tmp_path / "t.db"), "--pause", "100"]
    assert 0 == main(words)
    assert 0 == main(["serve", *words])
    assert 2 * [("0.0.0.0", 0, tmp_path / "t.db", Pause(100, 50))] == served


@pytest.mark.parametrize(
    "error",
    [OSError(98, "Address already in use"), UnicodeError("label empty or too long"), SchemaError("this file is no database of Kozyr's")],
)
def test_a_server_that_cannot_start_says_why(kozyr: Kozyr, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """
    A port in use or a foreign file is one line on standard error.
    """

    def failing(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(wiring, "serve", failing)
    done = kozyr("serve", "--database", "t.db")
    assert (2, "") == (done.code, done.out)
    assert f"kozyr: cannot serve at 127.0.0.1:8000 from t.db: {error}\n" == done.err


@pytest.mark.parametrize(
    ("system", "variable", "folder"),
    [
        ("win32", "LOCALAPPDATA", "AppData/Local/Kozyr"),
        ("darwin", "", "Library/Application Support/Kozyr"),
        ("linux", "XDG_DATA_HOME", ".local/share/kozyr"),
    ],
)
def test_data_lies_where_the_system_keeps_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, variable: str, folder: str
) -> None:
    """
    Windows, macOS and Linux each have a place for a user's data.
    """
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    if variable:
        monkeypatch.delenv(variable, raising=False)
    assert tmp_path / folder == data_folder()


def test_the_form_is_that_of_the_engine_in_use(kozyr: Kozyr) -> None:
    """
    The version line tells what this process runs.
    """
    assert f"engine {FORM}," in kozyr("--version").out

"""
The command line: serving, playing in the terminal, and asking the engine.

Commands are imported only when they run, so that `kozyr --version` and `kozyr --help` are quick. Every command returns its exit code: 0,
1 where what it looked at is wrong, 2 for bad input or a damaged installation, which is told in one line on stderr.
"""
from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence

import kozyr
from kozyr.cli.trouble import Trouble, line_of
from kozyr.damage import Damaged

COMMANDS = {
    "serve": ("kozyr.cli.serve:serve", "Serve tables to browsers; also without a command."),
    "operator": ("kozyr.cli.operator:operator", "Show reports, companies, pots and totals of a server."),
    "play": ("kozyr.cli.play:play", "Play a game against bots in this terminal."),
    "show": ("kozyr.cli.show:show", "Explain a position or a view in words."),
    "solve": ("kozyr.cli.solve:solve", "Explain an endgame: who wins, by which moves."),
    "puzzle": ("kozyr.cli.puzzle:puzzle", "Solve a Durak problem: one move alone keeps the win."),
    "perft": ("kozyr.cli.perft:perft", "Count the lines of play from a position."),
    "verify": ("kozyr.cli.verify:verify", "Check a game's file: shuffle, moves, result."),
    "arena": ("kozyr.cli.arena:arena", "Let bots play each other and say who is stronger."),
    "engine": ("kozyr.cli.engine:engine", "Play by the engine protocol on standard input and output."),
    "train": ("kozyr.cli.train:train", "Make a level's weights anew by self-play."),
    "migrate": ("kozyr.cli.database:migrate", "Bring a database's tables up to this version."),
    "backup": ("kozyr.cli.database:backup", "Copy the database file, also while a server uses it."),
    "restore": ("kozyr.cli.database:restore", "Put a backup in the place of the database file."),
    "move": ("kozyr.cli.database:move", "Copy a database file into PostgreSQL."),
    "bench": ("kozyr.cli.bench:bench", "Measure the engine on this machine."),
}
"""By name: where the command is, and what it does."""


def main(words: Sequence[str] | None = None) -> int:
    """Run a command line, by default this process's own; return the exit code."""
    asked = list(sys.argv[1:] if words is None else words)
    give_what_is_closed()
    if not asked or (asked[0].startswith("-") and asked[0] not in ("--help", "-h", "--version")):
        asked.insert(0, "serve")
    try:
        code = print_version() if asked == ["--version"] else _run(asked)
        # What is still buffered would fail at exit, where nobody can say so in a line.
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        say_no_more()
        return 1
    except (Trouble, Damaged, OSError) as error:
        print(f"kozyr: {line_of(error)}", file=sys.stderr)
        try:
            sys.stdout.flush()
        except OSError:
            say_no_more()
        return 2


def say_no_more() -> None:
    """Let go of an output that takes nothing more, and of what is still buffered for it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_version() -> int:
    """Print which version this is."""
    print(version())
    return 0


def give_what_is_closed() -> None:
    """Let a command that was started without standard input or output read nothing and write nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def version() -> str:
    """Say which version this is, and which form of the engine runs."""
    from kozyr.core import FORM

    return f"kozyr {kozyr.__version__}, engine {FORM}, {platform.python_implementation()} {platform.python_version()}"


def _run(words: list[str]) -> int:
    from cyclopts import App, CycloptsError

    app = App(
        name="kozyr",
        help="Durak, the trump card game: tables in the browser, bots, and the engine.",
        version_flags=(),
        help_formatter="plain",
        result_action="return_value",
        suppress_keyboard_interrupt=False,
    )
    for name, (place, text) in COMMANDS.items():
        app.command(place, name=name, help=text)
    try:
        code = app(words, exit_on_error=False, print_error=False)
    except CycloptsError as error:
        raise Trouble(" ".join(str(error).split())) from None
    return code if isinstance(code, int) else 0

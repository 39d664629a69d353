"""
A program of somebody else as a player: what it answers by the engine protocol, and what happens when it misbehaves.

Garbage, silence, an illegal move, a crash, a flood, a line that never ends: each loses that move, the default move is played
(R16.2), and what was wrong is noted. A program that has ended is started again and told the game so far, three times a game at most.
"""
from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import util
from typing import NamedTuple

import kozyr
from kozyr.arena.messages import (
    PROTOCOL,
    Choose,
    Chosen,
    Game,
    Happened,
    Hello,
    Lost,
    Over,
    Told,
    Wrong,
    decode_answer,
    encode,
    event_words,
    result_words,
    shortened,
    view_words,
)
from kozyr.arena.messages import Bye as Goodbye
from kozyr.arena.programs import Ended, NotReading, Program, TooLong
from kozyr.bots.easy import lowest_of
from kozyr.bots.memory import Memory
from kozyr.core.events import Event, GameOver
from kozyr.core.moves import Move
from kozyr.core.views import View

MOVE_MS = 1000
START_S = 10.0
GOODBYE_S = 0.5
STARTS_MAX = 4
"""How often a program is started in one game at most."""

SILENCES_MAX = 3
"""A program that says nothing so many times in a row is ended."""

STALE_MAX = 100
"""Lines that answer nothing, before one that does."""

PREFIX = "external:"


class Fault(Exception):
    """What a program did wrong: a word for its kind, and the rest of the report."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.kind = kind


class Spec(NamedTuple):
    """Which program plays, under which name, with how many milliseconds for a move."""

    label: str
    move_ms: int
    command: str

    def __str__(self) -> str:
        return f"{PREFIX}{self.label}:{self.move_ms}:{self.command}"


def parse_spec(text: str) -> Spec:
    """
    Read the name of an external player, as `str(Spec(…))` writes it.

    Raises: ValueError.
    """
    label, _, rest = text.removeprefix(PREFIX).partition(":")
    ms, _, command = rest.partition(":")
    if not text.startswith(PREFIX) or not label or not ms.isdecimal() or not 0 < int(ms) <= 3_600_000 or not command.strip():
        raise ValueError(f"{text!r} is no external player: external:NAME:MILLISECONDS:COMMAND")
    return Spec(label, int(ms), command)


def label_of(player: str) -> str:
    """Return what a player is called in a report."""
    return parse_spec(player).label if player.startswith(PREFIX) else player


class External:
    """The player of one seat, for as many games as there are; its faults are noted until somebody takes them."""

    def __init__(self, spec: Spec) -> None:
        self.faults: list[Fault] = []
        self.name = ""
        self._spec = spec
        self._program: Program | None = None
        self._said = 0
        self._heard = 0
        self._starts = 0
        self._silences = 0
        self._game: list[Callable[[int], Told]] = []

    # what the arena tells

    def begin(self, view: View) -> None:
        """Begin a game, with the view of the seat before the first move."""
        words = view_words(view)
        self._game = []
        self._starts = 0 if self._program is None else 1
        self._tell(lambda n: Game(n, words))

    def see(self, event: Event) -> None:
        """Tell what has happened, as the seat may see it."""
        if isinstance(event, GameOver):
            result = result_words(event.result)
            self._tell(lambda n: Over(n, result))
            return
        words = event_words(event)
        self._tell(lambda n: Happened(n, words))

    def __call__(self, view: View, memory: Memory | None = None, /) -> Move | None:
        """Ask the program where the game waits for the seat; None where there is nothing to do but to challenge, which can wait."""
        if view.seat not in view.waiting or all(move.kind == "challenge" for move in view.legal):
            return None
        asked = self._said + 1
        try:
            program = self._running()
            asked = self._said + 1
            self._send(program, Choose(self._next(), self._spec.move_ms, view_words(view)))
            return self._answered(program, asked, view)
        except Fault as fault:
            move = default_of(view)
            self.faults.append(fault)
            if self._program is not None:
                with suppress(Fault):
                    self._send(self._program, Lost(self._next(), asked, str(fault), move.text))
            return move

    def start(self) -> None:
        """Start the program and greet it. Raises: Fault."""
        self._running()

    def close(self) -> None:
        """Say goodbye and end the program, with all that it has started."""
        if self._program is None:
            return
        with suppress(Fault, Ended):
            self._send(self._program, Goodbye(self._next()))
            until = time.monotonic() + GOODBYE_S
            while time.monotonic() < until:
                with suppress(TooLong):
                    self._program.receive(until)
        self._kill()

    # lines

    def _tell(self, message: Callable[[int], Told]) -> None:
        self._game.append(message)
        if self._program is not None:
            # Where it does not read it has been ended, and is started again when it is to move.
            with suppress(Fault):
                self._send(self._program, message(self._next()))

    def _next(self) -> int:
        self._said += 1
        return self._said

    def _send(self, program: Program, message: Told) -> None:
        try:
            program.send(encode(message))
        except NotReading:
            self._kill()
            raise Fault("silence", "it does not read what it is told, and was ended") from None

    def _running(self) -> Program:
        """Return the program, started and greeted; the game so far is told to one that is new."""
        if self._program is not None:
            return self._program
        if self._starts >= STARTS_MAX:
            raise Fault("crash", f"it has ended {STARTS_MAX} times in this game, and is not started any more")
        self._starts += 1
        self._said = self._heard = self._silences = 0
        try:
            self._program = program = Program(self._spec.command)
        except (OSError, ValueError) as error:
            raise Fault("crash", f"it cannot be started: {error}") from None
        self._send(program, Hello(self._next(), PROTOCOL, f"Kozyr {kozyr.__version__}"))
        try:
            answer = self._receive(program, 1, START_S)
            if not isinstance(answer, Hello) or answer.protocol != PROTOCOL:
                raise Fault("garbage", f"it does not answer the greeting by one of version {PROTOCOL}")
        except Fault:
            self._kill()
            raise
        self.name = answer.name[:80]
        for message in self._game:
            self._send(program, message(self._next()))
        return program

    def _answered(self, program: Program, asked: int, view: View) -> Move:
        answer = self._receive(program, asked, self._spec.move_ms / 1000)
        if isinstance(answer, Wrong):
            raise Fault("garbage", f"it answers that it does not understand: {answer.why[:200]!r}")
        if not isinstance(answer, Chosen):
            raise Fault("garbage", "it greets where it should move")
        for move in view.legal:
            if move.text == answer.move:
                return move
        raise Fault("illegal", f"{answer.move[:80]!r} is none of {', '.join(move.text for move in view.legal)[:300]}")

    def _receive(self, program: Program, asked: int, seconds: float) -> Hello | Chosen | Wrong:
        """Wait so long for the answer to a line; answers to earlier ones come too late and are passed over."""
        until = time.monotonic() + seconds
        for _ in range(STALE_MAX):
            try:
                line = program.receive(until)
            except Ended:
                words = program.last_words()
                self._kill()
                raise Fault("crash", f"it has ended{f': {words!r}' if words else ''}") from None
            except TooLong:
                self._heard += 1
                raise Fault("garbage", "it writes a line that is longer than any may be") from None
            if line is None:
                raise self._silent(seconds)
            self._silences = 0
            answer = self._parse(line)
            if answer.to == asked or (answer.to is None and isinstance(answer, Wrong)):
                return answer
        raise Fault("flood", f"it has written {STALE_MAX} lines that answer nothing")

    def _parse(self, line: bytes) -> Hello | Chosen | Wrong:
        try:
            answer = decode_answer(line)
        except ValueError as error:
            self._heard += 1
            raise Fault("garbage", str(error)[:300]) from None
        expected, self._heard = self._heard + 1, answer.n
        if answer.n != expected:
            raise Fault("garbage", f"{shortened(line)} has number {answer.n} where {expected} should stand")
        return answer

    def _silent(self, seconds: float) -> Fault:
        self._silences += 1
        if self._silences >= SILENCES_MAX:
            self._kill()
            return Fault("silence", f"it has said nothing {SILENCES_MAX} times in a row, and was ended")
        return Fault("silence", f"it has said nothing in {1000 * seconds:.0f} ms")

    def _kill(self) -> None:
        if self._program is not None:
            self._program.kill()
            self._program = None


def default_of(view: View) -> Move:
    """
    Return the move that the clock would play.

    Source: R16.2.
    """
    if view.phase == "OPENING":
        move = lowest_of(view, [move for move in view.legal if move.kind == "attack" and len(move.cards) == 1])
        assert move is not None
        return move
    return next(move for move in view.legal if move.kind in ("take", "accept", "pass"))


PLAYERS: dict[tuple[str, int], External] = {}
"""The external players of this process, by name and seat: a program plays game after game."""


def external_player(name: str, seat: int) -> External:
    """
    Return the player of a seat, the same one for every game of this process.

    Raises: ValueError for a name of none.
    """
    if not PLAYERS:
        # Processes of a pool do not run what the standard library's atexit would; this runs in them too.
        util.Finalize(None, close_all, exitpriority=10)
    if (name, seat) not in PLAYERS:
        PLAYERS[name, seat] = External(parse_spec(name))
    return PLAYERS[name, seat]


def close_all() -> None:
    """End all programs of this process."""
    while PLAYERS:
        PLAYERS.popitem()[1].close()

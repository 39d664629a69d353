"""A level of ours behind the engine protocol: lines in, lines out, no input or output of its own."""
from __future__ import annotations

from kozyr.arena.messages import (
    LINE_MAX,
    PROTOCOL,
    Answer,
    Bye,
    Choose,
    Chosen,
    Game,
    Happened,
    Hello,
    Wrong,
    decode_told,
    encode,
    event_of,
    view_of,
)
from kozyr.bots import Choose as Level
from kozyr.bots import Memory
from kozyr.core.views import View


class Engine:
    """
    Answers the lines of one conversation as a level chooses; `is_over` once it has been said goodbye to.

    Nothing that a line may hold ends the conversation: what is not understood is answered by an error, with the line's number.
    """

    def __init__(self, name: str, level: Level) -> None:
        self.is_over = False
        self._name = name
        self._level = level
        self._n = 0
        self._memory: Memory | None = None

    def answer(self, line: bytes) -> bytes | None:
        """Answer a line, if there is something to answer."""
        if not line.strip():
            return None
        try:
            told = decode_told(line)
        except ValueError as error:
            return self._wrong(None, error)
        try:
            reply = self._reply(told)
        except ValueError as error:
            return self._wrong(told.n, error)
        return None if reply is None else encode(reply)

    def refuse_length(self) -> bytes:
        """Answer a line that is too long."""
        return self._wrong(None, ValueError(f"a line has {LINE_MAX} bytes at most"))

    def _reply(self, told: object) -> Answer | None:
        match told:
            case Hello(protocol=protocol):
                if protocol != PROTOCOL:
                    raise ValueError(f"this program speaks version {PROTOCOL} of the protocol, not {protocol}")
                return Hello(self._next(), PROTOCOL, self._name, told.n)
            case Game(view=view):
                self._memory = Memory.at(view_of(view))
            case Happened(event=event):
                if self._memory is None:
                    raise ValueError("an event before any game")
                self._memory.see(event_of(event, self._memory.rules.seats))
            case Choose(view=view):
                return self._choose(told.n, view_of(view))
            case Bye():
                self.is_over = True
        return None

    def _choose(self, to: int, view: View) -> Chosen:
        if not view.legal:
            raise ValueError("nothing can be chosen: the view has no legal moves")
        memory = self._memory
        if memory is not None and memory.rules != view.rules:
            raise ValueError("the view is of another table than the game")
        move = self._level(view, memory)
        return Chosen(self._next(), to, (move or view.legal[0]).text)

    def _wrong(self, to: int | None, error: ValueError) -> bytes:
        return encode(Wrong(self._next(), to, str(error)[:500]))

    def _next(self) -> int:
        self._n += 1
        return self._n

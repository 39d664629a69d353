"""A program of somebody else as a process: lines to it and from it, with limits, and an end for it and for all that it has started."""
from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import IO

from kozyr.arena.messages import LINE_MAX

LINES_WAITING_MAX = 256
"""Lines of a program that are kept until somebody asks for them; a program that writes more waits."""

LINES_TO_SEND_MAX = 5_000
"""Lines that a program has not read yet; who leaves more unread does not read at all."""

SLICE_S = 0.05
"""How often a process is looked at while a line is waited for."""

TAIL = 400
"""How much of what it wrote to standard error is shown when it ends."""


_starting = threading.Lock()
_running: set[Program] = set()
_ends: list[bool] = []


def end_for_good() -> None:
    """End all programs of this process, from whatever thread, and let none be started any more."""
    with _starting:
        _ends.append(True)
        programs = list(_running)
    for program in programs:
        program.kill()


class Ended(Exception):
    """The program has ended, or has closed its output."""


class TooLong(Exception):
    """A line that is longer than any may be."""


class NotReading(Exception):
    """The program does not read what it is told."""


class Program:
    """
    A running program. Nothing here waits longer than it is told to: reading and writing happen in threads of their own.

    Raises: OSError where it cannot be started.
    """

    def __init__(self, command: str) -> None:
        words: str | list[str] = command if sys.platform == "win32" else shlex.split(command)
        if not words:
            raise OSError("the command is empty")
        with _starting:
            if _ends:
                raise OSError("no programs are started any more")
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, bufsize=0
            )
            _running.add(self)
        self._said: queue.Queue[bytes | None] = queue.Queue(LINES_WAITING_MAX)
        self._to_send: queue.Queue[bytes | None] = queue.Queue(LINES_TO_SEND_MAX)
        self._tail = b""
        self._is_killed = False
        for work in (self._read, self._write, self._read_errors):
            threading.Thread(target=work, daemon=True).start()

    def send(self, line: bytes) -> None:
        """Send a line without waiting. Raises: NotReading."""
        try:
            self._to_send.put_nowait(line)
        except queue.Full:
            raise NotReading from None

    def receive(self, until: float) -> bytes | None:
        """
        Return the next line, or None where there is none by a time of `time.monotonic`.

        Raises: Ended, TooLong.
        """
        line = self._next(until)
        if line == b"":
            return None
        if line is None:
            raise Ended
        if len(line) > LINE_MAX:
            raise TooLong
        return line

    def _next(self, until: float) -> bytes | None:
        """Return the next line, the empty one where there is none in time, None at the end; a child may keep the output open after it."""
        while True:
            has_ended = self._has_ended()
            try:
                return self._said.get(timeout=max(0.0, min(SLICE_S, until - time.monotonic())))
            except queue.Empty:
                if has_ended:
                    return None
            if time.monotonic() >= until:
                return b""

    def _has_ended(self) -> bool:
        """Whether the process has ended; nobody waits for it yet where that can be told without, so that its number stays its own."""
        if hasattr(os, "waitid"):
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        return self._process.poll() is not None

    def last_words(self) -> str:
        """Return the end of what a program that has ended wrote to standard error, in one line."""
        until = time.monotonic() + 4 * SLICE_S
        while not self._tail and time.monotonic() < until:
            time.sleep(SLICE_S / 10)
        return " ".join(self._tail.decode("utf-8", "replace").split())[-TAIL:]

    def kill(self) -> None:
        """End the program and all that it has started in its session."""
        if self._is_killed:
            return
        self._is_killed = True
        _running.discard(self)
        # Nobody has waited for the process before, so that its number still belongs to it.
        _kill_all(self._process)
        self._process.wait()
        with suppress(queue.Full):  # then the writer is at work, and finds the pipe broken
            self._to_send.put_nowait(None)

    # threads

    def _read(self) -> None:
        """Split what comes into lines; what is too long is cut, and read on to its end."""
        stream = _open(self._process.stdout)
        line = b""
        is_cut = False
        while not self._is_killed:
            part = _read_some(stream)
            if not part:
                break
            *whole, rest = (line + part).split(b"\n")
            for each in whole:
                if not is_cut and each.strip():
                    self._keep(each[: LINE_MAX + 1])
                is_cut = False
            line = rest
            if len(line) > LINE_MAX:
                if not is_cut:
                    self._keep(line[: LINE_MAX + 1])
                is_cut, line = True, b""
        self._keep(None)
        stream.close()

    def _keep(self, line: bytes | None) -> None:
        """Keep a line; where too many are kept already, wait until some have been asked for."""
        while not self._is_killed:
            try:
                return self._said.put(line, timeout=0.2)
            except queue.Full:
                continue

    def _write(self) -> None:
        stream = _open(self._process.stdin)
        while (line := self._to_send.get()) is not None:
            try:
                stream.write(line)
            except OSError:
                break
        with suppress(OSError):  # it has gone, and what was not written is of no use any more
            stream.close()

    def _read_errors(self) -> None:
        stream = _open(self._process.stderr)
        while part := _read_some(stream):
            self._tail = (self._tail + part)[-4 * TAIL :]
        stream.close()


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def _read_some(stream: IO[bytes]) -> bytes:
    """Read what there is; nothing at the end."""
    try:
        return os.read(stream.fileno(), 65_536)
    except OSError:
        return b""


def _kill_all(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
        process.kill()
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        process.kill()

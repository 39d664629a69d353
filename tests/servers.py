"""Servers that tests start beside PostgreSQL: the machine's own programs, a free port, an end with the tests."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from tests.postgres import die_with_parent, free_port

PATIENCE_S = 20.0
# Debian keeps servers where an ordinary user's path does not lead.
PLACES = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))


def program(*names: str) -> str:
    """Find the first of some programs; without any the test fails in CI and is skipped elsewhere."""
    found = next(filter(None, (shutil.which(name, path=PLACES) for name in names)), None)
    if found is None and os.environ.get("CI"):
        raise FileNotFoundError(f"none of {', '.join(names)} on this machine, and CI must have one")
    if found is None:
        pytest.skip(f"none of {', '.join(names)} on this machine")
    return found


class Server:
    """A server at a port of its own, which it keeps when it is started again; `{port}` stands for it in *command*."""

    def __init__(self, scheme: str, *command: str) -> None:
        self.scheme = scheme
        self._command = command
        self._folder = Path(tempfile.mkdtemp(prefix="kozyr-server-"))
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        words = [word.format(port=self.port) for word in self._command]
        with (self._folder / "log").open("ab") as output:
            self.process = subprocess.Popen(words, stdout=output, stderr=output, cwd=self._folder, preexec_fn=die_with_parent)
        end = time.monotonic() + PATIENCE_S
        while not takes_connections(self.port):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{words[0]} did not start: {(self._folder / 'log').read_text(errors='replace')[-2000:]}")
            time.sleep(0.02)

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        """Kill it as the system kills: nothing is said to anybody."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(PATIENCE_S)
            self.process = None

    def close(self) -> None:
        """Kill it and remove its folder."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


def nats() -> Server:
    """Start a NATS server."""
    return Server("nats", program("nats-server"), "-a", "127.0.0.1", "-p", "{port}")


def redis() -> Server:
    """Start a Redis or Valkey server."""
    command = (program("valkey-server", "redis-server"), "--bind", "127.0.0.1", "--port", "{port}", "--save", "", "--appendonly", "no")
    return Server("redis", *command)


def takes_connections(port: int) -> bool:
    """Tell whether somebody listens at a port of this machine."""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True

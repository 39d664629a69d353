"""A server of one's own: a process that can be killed and started again at the same address with the same tables."""
from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
START_S = 20


class ServerProcess:
    """`kozyr serve` on a free port, with bots that move after *pause* milliseconds."""

    def __init__(self, folder: Path, pause: int = 0) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = folder / "server.log"
        self._command = [sys.executable, "-m", "kozyr", "serve", "--port", str(self.port)]
        self._command += ["--database", str(folder / "kozyr.db"), "--pause", str(pause)]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, cwd=ROOT / "src", stdout=log, stderr=subprocess.STDOUT)
        until = time.monotonic() + START_S
        while True:
            try:
                with urllib.request.urlopen(f"{self.url}/api/options", timeout=2):
                    return
            except OSError:
                if self._process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"the server did not start:\n{self._log.read_text()}") from None
                time.sleep(0.05)

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None

"""Server processes that are killed, stopped and started again, each at a port that stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.chaos.jumping import Mover

ROOT = Path(__file__).parents[3]
PATIENCE_S = 60
BROKEN = (" stopped at ", "AssertionError")


class Server:
    """`kozyr serve` in a process of its own, by a clock that somebody moves where one is given."""

    def __init__(self, database: str, errors: Path, mover: Mover | None = None) -> None:
        self.port = 0
        self.killed_at = 0.0
        self.starts_s: list[float] = []
        self._database = database
        self._errors = errors
        self.mover = mover
        self._module = ["kozyr"] if mover is None else ["tests.chaos.jumping", str(mover.file)]
        self.start()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it says where it is; one that does not come up is started again."""
        environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
        command = [sys.executable, "-m", *self._module, "serve", "--port", str(self.port), "--database", self._database, "--pause", "30"]
        end = time.monotonic() + PATIENCE_S
        while True:
            began = time.monotonic()
            with self._errors.open("ab") as errors:
                self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
            assert self.process.stdout is not None
            line = self.process.stdout.readline()
            if line.startswith("Kozyr is at "):
                break
            self.end(signal.SIGKILL)
            assert time.monotonic() < end, "the server does not start"
            time.sleep(0.2)
        self.port = int(line.rstrip().rstrip("/").rpartition(":")[2])
        self.starts_s.append(time.monotonic() - began)

    def end(self, how: int) -> int:
        """End it."""
        self.killed_at = time.monotonic()
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE_S)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def hold(self, *, is_held: bool) -> None:
        """Let it stand still, or go on."""
        self.process.send_signal(signal.SIGSTOP if is_held else signal.SIGCONT)

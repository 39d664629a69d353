"""A PostgreSQL for the tests: the machine's own binaries, a temporary folder, a free port, an ordinary user."""

from __future__ import annotations

import asyncio
import ctypes
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import asyncpg

from kozyr.store.postgres import prepare

DEBIAN = Path("/usr/lib/postgresql")
USER = "kozyr"
PASSWORD = "of-tests-only"
PATIENCE_S = 30.0
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "on",
    "shared_buffers": "32MB",
    "max_connections": "120",
    "log_min_messages": "fatal",
}

# What is booked stays, but for the tests.
EMPTY = """
DO $$ DECLARE each name; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version' LOOP
        EXECUTE format('DELETE FROM %I', each);
    END LOOP;
END $$
"""


class Missing(Exception):
    """There is no PostgreSQL here that could be started; the text says why."""


def binaries() -> Path:
    """Find the folder of PostgreSQL's programs."""
    named = os.environ.get("KOZYR_POSTGRES")
    found = [Path(named)] if named else []
    if on_path := shutil.which("initdb"):
        found.append(Path(on_path).resolve().parent)
    found += sorted(DEBIAN.glob("*/bin"), key=lambda path: -float(path.parent.name))
    for folder in found:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise Missing("no PostgreSQL on this machine: neither on PATH nor in Debian's folder, and KOZYR_POSTGRES names none")


class Postgres:
    """A server with a cluster of its own. It ends with the process that made it."""

    def __init__(self) -> None:
        self._programs = binaries()
        self._folder = Path(tempfile.mkdtemp(prefix="kozyr-postgres-"))
        self._made = 0
        self._shared: str | None = None
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._as = ordinary_user(self._folder)
            self._make()
            self.port = free_port()
            self.start()
        except BaseException:
            self.close()
            raise

    def url(self, database: str = "postgres") -> str:
        """Name a database of the server."""
        return f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{self.port}/{database}"

    def make_database(self) -> str:
        """Make an empty database."""
        self._made += 1
        self.execute(f"CREATE DATABASE test{self._made}")
        return f"test{self._made}"

    def emptied(self) -> str:
        """Return a database with Kozyr's tables, and nothing in them: always the same one, since making one takes long."""
        if self._shared is None:
            self._shared = self.make_database()
            in_loop(lambda: prepare(self.url(self._shared or "")))
        else:
            self.execute(EMPTY, database=self._shared)
        return self._shared

    def drop_database(self, name: str) -> None:
        """Remove a database, whoever is still connected to it."""
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def execute(self, *statements: str, database: str = "postgres") -> None:
        """Do statements, each in a transaction of its own."""

        async def execute() -> None:
            connection = await asyncpg.connect(self.url(database))
            for statement in statements:
                await connection.execute(statement)
            await connection.close()

        in_loop(execute)

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        settings = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        command = [str(self._programs / "postgres"), "-D", str(self._cluster), "-p", str(self.port), *settings]
        with (self._folder / "log").open("ab") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=output, preexec_fn=die_with_parent, cwd="/", **self._as)
        end = time.monotonic() + PATIENCE_S
        while not answers(self._programs, self.port):
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PostgreSQL did not start: {(self._folder / 'log').read_text(errors='replace')[-2000:]}")
            time.sleep(0.02)

    def stop(self, *, at_once: bool = False) -> None:
        """Stop the server; *at_once* as if it had crashed, so that it recovers from its log when it starts."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT if at_once else signal.SIGINT)
            self._process.wait(PATIENCE_S)
            self._process = None

    def close(self) -> None:
        """Stop the server and remove its folder."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _cluster(self) -> Path:
        return self._folder / "cluster"

    def _make(self) -> None:
        password = self._folder / "password"
        password.write_text(PASSWORD, encoding="utf-8")
        if self._as:
            os.chown(password, self._as["user"], -1)
        command = [str(self._programs / "initdb"), "-D", str(self._cluster), "-U", USER, "-E", "UTF8", "--no-sync"]
        command += ["--auth=scram-sha-256", f"--pwfile={password}", *locale_of(self._programs)]
        made = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/", **self._as)
        if made.returncode:
            raise RuntimeError(f"initdb failed: {made.stderr[-2000:]}")


def ordinary_user(folder: Path) -> dict[str, Any]:
    """Name whom the server runs as: PostgreSQL refuses to run as root. The folder is given to them."""
    if os.geteuid() != 0:
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(folder, found.pw_uid, found.pw_gid)
        return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}
    raise Missing("PostgreSQL does not run as root, and there is no user called postgres or nobody")


def locale_of(programs: Path) -> list[str]:
    """Sort as people do where the server can: what counts on the order of bytes must say so itself."""
    version = subprocess.run([str(programs / "postgres"), "--version"], capture_output=True, text=True, check=True).stdout
    major = int(re.findall(r"\d+", version)[0])
    return ["--locale=C", "--locale-provider=icu", "--icu-locale=en"] if major >= 15 else ["--locale=C"]


def answers(programs: Path, port: int) -> bool:
    """Tell whether the server takes connections."""
    asked: list[str | Path] = [programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port), "-U", USER]
    return subprocess.run(asked, check=False).returncode == 0


def free_port() -> int:
    """Find a port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def die_with_parent() -> None:
    """Stop the server when the tests are killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)


def in_loop(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run something in an event loop of its own, in a thread of its own: the test's loop is none of its business."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(work())).result()

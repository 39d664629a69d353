"""The one thread that writes: what is waiting while a commit runs goes into the next one."""
from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

from kozyr.app.counts import COUNTS
from kozyr.app.ports import Appended
from kozyr.store import schema
from kozyr.store.together import Plain, append_together

T = TypeVar("T")

BATCH_MAX = 4096
APPENDED = Appended()
CHECKPOINT_ROWS = 4000
"""A checkpoint follows about so many writes."""


class Job(NamedTuple):
    """Something to do in a transaction, and who waits for it; what is `plain` may be done together with others of its kind."""

    work: Callable[[sqlite3.Connection], Any]
    waiting: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop
    plain: Plain | None


class Writer:
    """
    Runs jobs in a thread of its own, as many as are waiting in one transaction, and answers when that is durable.

    There is no timer: an idle writer commits at once, a busy one finds a larger batch after each commit.
    """

    def __init__(self, database: Path) -> None:
        self._db = schema.connect(database)
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._written = 0
        self._checkpoint = threading.Event()
        self._closing = False
        self._ended = False
        self._threads = (
            threading.Thread(target=self._write, name="kozyr-write", daemon=True),
            threading.Thread(target=self._tidy, args=(schema.connect(database),), name="kozyr-checkpoint", daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def run(self, work: Callable[[sqlite3.Connection], T], plain: Plain | None = None) -> asyncio.Future[T]:
        """
        Do *work* in a transaction and return what it returned, once it is durable.

        What is *plain* has the answer `Appended` where it can be done together with others.
        """
        if self._closing:
            raise RuntimeError("the store is closed")
        loop = asyncio.get_running_loop()
        waiting: asyncio.Future[T] = loop.create_future()
        self._queue.put(Job(work, waiting, loop, plain))
        return waiting

    async def close(self) -> None:
        """Finish what is waiting, empty the write-ahead log into the file, and end the threads."""
        if self._closing:
            return
        self._closing = True
        self._queue.put(None)
        for thread in self._threads:
            await asyncio.to_thread(thread.join)
        self._db.close()

    def _write(self) -> None:
        jobs: list[Job | None] = []
        while None not in jobs:
            jobs = [self._queue.get()]
            while len(jobs) < BATCH_MAX and not self._queue.empty():
                jobs.append(self._queue.get())
            self._commit([job for job in jobs if job is not None])
        self._ended = True
        self._checkpoint.set()

    def _commit(self, jobs: list[Job]) -> None:
        if not jobs:
            return
        try:
            answers = self._transact(jobs)
        except Exception as error:  # noqa: BLE001  # the edge of the thread: whoever waits gets the error
            if len(jobs) > 1:
                # One bad job must not take the others with it: each gets a transaction of its own.
                for job in jobs:
                    self._commit([job])
                return
            _tell(jobs[0].loop, [(jobs[0].waiting, None, error)])
            return
        self._written += len(jobs)
        COUNTS.batches.add(len(jobs))
        if self._written >= CHECKPOINT_ROWS:
            self._written = 0
            self._checkpoint.set()
        by_loop: dict[asyncio.AbstractEventLoop, list[Outcome]] = {}
        for job, answer in zip(jobs, answers, strict=True):
            by_loop.setdefault(job.loop, []).append((job.waiting, answer, None))
        for loop, outcomes in by_loop.items():
            _tell(loop, outcomes)

    def _transact(self, jobs: list[Job]) -> list[Any]:
        # IMMEDIATE: a transaction that only later turns into a write fails at once, whatever the timeout.
        self._db.execute("BEGIN IMMEDIATE")
        try:
            plain = [job.plain for job in jobs if job.plain is not None]
            together = bool(plain) and append_together(self._db, plain)
            if plain and not together:
                self._db.execute("ROLLBACK")
                self._db.execute("BEGIN IMMEDIATE")
            answers = [APPENDED if together and job.plain is not None else job.work(self._db) for job in jobs]
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        return answers

    def _tidy(self, db: sqlite3.Connection) -> None:
        while True:
            self._checkpoint.wait()
            self._checkpoint.clear()
            if self._ended:
                break
            db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        db.close()


Outcome = tuple["asyncio.Future[Any]", Any, BaseException | None]


def _tell(loop: asyncio.AbstractEventLoop, outcomes: list[Outcome]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(_settle, outcomes)


def _settle(outcomes: list[Outcome]) -> None:
    for waiting, answer, error in outcomes:
        if waiting.done():
            continue
        if error is None:
            waiting.set_result(answer)
        else:
            waiting.set_exception(error)

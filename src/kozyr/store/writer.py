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
    plain: Plain | None


Jobs = tuple[asyncio.AbstractEventLoop, list[Job]]
"""What was asked for in one turn of an event loop."""


class Writer:
    """
    Runs jobs in a thread of its own, as many as are waiting in one transaction, and answers when that is durable.

    There is no timer: an idle writer commits at once, a busy one finds a larger batch after each commit. What is asked for in one turn of
    the event loop wakes the writer once.
    """

    def __init__(self, database: Path) -> None:
        self._db = schema.connect(database)
        self._queue: SimpleQueue[Jobs | None] = SimpleQueue()
        self._gathered: dict[asyncio.AbstractEventLoop, list[Job]] = {}
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
        gathered = self._gathered.get(loop)
        if gathered is None:
            gathered = self._gathered[loop] = []
            loop.call_soon(self._hand_over, loop)
        gathered.append(Job(work, waiting, plain))
        return waiting

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        jobs = self._gathered.pop(loop, None)
        if jobs is not None:
            self._queue.put((loop, jobs))

    async def close(self) -> None:
        """Finish what is waiting, empty the write-ahead log into the file, and end the threads."""
        if self._closing:
            return
        self._closing = True
        self._hand_over(asyncio.get_running_loop())
        self._queue.put(None)
        for thread in self._threads:
            await asyncio.to_thread(thread.join)
        self._db.close()

    def _write(self) -> None:
        is_last = False
        while not is_last:
            waiting, count, is_last = [], 0, False
            found = self._queue.get()
            while True:
                if found is None:
                    is_last = True
                    break
                waiting.append(found)
                count += len(found[1])
                if count >= BATCH_MAX or self._queue.empty():
                    break
                found = self._queue.get()
            if waiting:
                self._commit(waiting)
        self._ended = True
        self._checkpoint.set()

    def _commit(self, waiting: list[Jobs]) -> None:
        jobs = waiting[0][1] if len(waiting) == 1 else [job for _, some in waiting for job in some]
        try:
            answers = self._transact(jobs)
        except Exception as error:  # noqa: BLE001  # the edge of the thread: whoever waits gets the error
            if len(jobs) > 1:
                # One bad job must not take the others with it: each gets a transaction of its own.
                for loop, some in waiting:
                    for job in some:
                        self._commit([(loop, [job])])
                return
            _tell(waiting[0][0], jobs, [error])
            return
        self._written += len(jobs)
        COUNTS.batches.add(len(jobs))
        if self._written >= CHECKPOINT_ROWS:
            self._written = 0
            self._checkpoint.set()
        start = 0
        for loop, some in waiting:
            _tell(loop, some, answers[start : start + len(some)])
            start += len(some)

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


def _tell(loop: asyncio.AbstractEventLoop, jobs: list[Job], answers: list[Any]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(_settle, jobs, answers)


def _settle(jobs: list[Job], answers: list[Any]) -> None:
    for (_, waiting, _), answer in zip(jobs, answers, strict=True):
        if waiting.done():
            continue
        if isinstance(answer, BaseException):
            waiting.set_exception(answer)
        else:
            waiting.set_result(answer)

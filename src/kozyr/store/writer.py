"""Who writes: what is asked for in one turn of the event loop shares a commit, and what is waiting while one runs goes into the next."""
from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Any, TypeVar

from msgspec import Struct

from kozyr.app.counts import COUNTS
from kozyr.app.ports import Unwritable
from kozyr.store import schema
from kozyr.store.answering import Settled, settle, tell
from kozyr.store.fresh import Append, Fresh, is_busy

T = TypeVar("T")

log = logging.getLogger(__name__)

BATCH_MAX = 4096
CHECKPOINT_ROWS = 4000
"""A checkpoint follows about so many writes."""
LOG_PAGES = 16_000
"""A write-ahead log that has become so long begins anew, even if moves have to wait for that."""

ASIDE_MS = 50
"""For so long a checkpoint waits for others."""

PATIENCE_S = 10.0
"""For so long another process may keep this one from writing."""

EARLY = 64
"""
A thread that has nothing to do begins with so many, while the event loop is asked for more: tables that all wait for the same commit would
otherwise move in step for ever, and either the disk or the processor stand still.
"""

QUICK_S, AGAIN_S, AGAIN_TIMES = 0.001, 1.0, 100
"""
A disk that takes no longer for a commit is waited for in the event loop; one that was slower is tried again after a while, and after so
many times as long as it took at the earliest: the event loop never stands still for more than a hundredth of the time.
"""

UNWRITABLE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR)
READING = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS)
"""Errors of a disk that are one place's."""

class Job(Struct, frozen=True):
    """Something to do in a transaction, or rows to append, and who is told what came of it."""

    work: Callable[[sqlite3.Connection], Any] | Append
    settled: Settled


Jobs = tuple[asyncio.AbstractEventLoop, list[Job]]
"""What was asked for in one turn of an event loop."""


class Writer:
    """
    Does jobs in transactions, as many as are waiting in one, and answers when that is durable.

    There is no timer: an idle writer commits at once, a busy one finds a larger batch after each commit. What is asked for in one turn of
    the event loop is done together: at the end of that turn, where the disk is quick, or else in a thread of its own, which the event
    loop goes on beside. To change threads twice takes longer than a quick disk, and everybody at the tables waits for it anyway. Nobody
    overtakes anybody: while the thread has something to do, all that comes is for the thread.
    """

    def __init__(self, database: Path) -> None:
        self._db = schema.connect(database)
        self._fresh = Fresh(self._db)
        self._queue: SimpleQueue[Jobs | None] = SimpleQueue()
        # How many batches the thread was given, and how many of them are done; what is between is the thread's.
        self._given = self._done = 0
        self._using = threading.Lock()
        self._commit_s = 0.0
        self._again_at = 0.0
        self._gathered: dict[asyncio.AbstractEventLoop, list[Job]] = {}
        self._written = 0
        self._checkpoint = threading.Event()
        self._is_unwritable = False
        self._closing = False
        self._ended = False
        self._threads = (
            threading.Thread(target=self._write, name="kozyr-write", daemon=True),
            threading.Thread(target=self._tidy, args=(schema.connect(database),), name="kozyr-checkpoint", daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def run(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Do *work* in a transaction and return what it returned, once it is durable."""
        waiting: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._gather(Job(work, partial(settle, waiting)))
        return waiting

    def append(self, asked: Append, settled: Settled) -> None:
        """Append, and call *settled* with the answer, or the error, once it is durable."""
        self._gather(Job(asked, settled))

    def _gather(self, job: Job) -> None:
        if self._closing:
            raise RuntimeError("the store is closed")
        loop = asyncio.get_running_loop()
        gathered = self._gathered.get(loop)
        if gathered is None:
            gathered = self._gathered[loop] = []
            loop.call_soon(self._hand_over, loop)
        gathered.append(job)
        if len(gathered) == EARLY and self._commit_s > QUICK_S and self._given == self._done:
            self._give((loop, gathered[:]))
            gathered.clear()

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        jobs = self._gathered.pop(loop, None)
        if jobs and not self._do_at_once(jobs):
            self._give((loop, jobs))

    def _give(self, jobs: Jobs) -> None:
        self._given += 1
        self._queue.put(jobs)

    def _do_at_once(self, jobs: list[Job]) -> bool:
        """Commit in the event loop, if that is to be expected to be quick; says whether that was done."""
        if self._is_unwritable or self._given != self._done or (self._commit_s > QUICK_S and monotonic() < self._again_at):
            return False
        if any(type(job.work) is not Append for job in jobs) or not self._using.acquire(blocking=False):
            return False
        try:
            answers = self._transact(jobs, 0)
        except Exception:  # noqa: BLE001  # whatever it is, the thread finds out for each by itself, and has more patience
            return False
        finally:
            self._using.release()
        took = self._fresh.commit_s
        self._commit_s = took if self._commit_s > QUICK_S else 0.8 * self._commit_s + 0.2 * took
        if self._commit_s > QUICK_S:
            self._again_at = monotonic() + max(AGAIN_S, AGAIN_TIMES * took)
        self._count(jobs)
        if self._fresh.is_full:
            self._give((asyncio.get_running_loop(), []))
        _settle(jobs, answers)
        return True

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
            waiting, count = [], 0
            found = self._queue.get()
            while found is not None:
                waiting.append(found)
                count += len(found[1])
                if count >= BATCH_MAX or self._queue.empty():
                    break
                found = self._queue.get()
            is_last = found is None
            with self._using:
                if count:
                    self._commit([jobs for jobs in waiting if jobs[1]])
                if self._fresh.is_full or is_last:
                    self._settle_fresh()
            self._done += len(waiting)
        self._ended = True
        self._checkpoint.set()

    def _commit(self, waiting: list[Jobs]) -> None:
        jobs = waiting[0][1] if len(waiting) == 1 else [job for _, some in waiting for job in some]
        try:
            answers = self._transact(jobs, PATIENCE_S)
        except Exception as error:  # noqa: BLE001  # the edge of the thread: whoever waits gets the error
            if is_unwritable(error):
                if not self._is_unwritable:
                    log.error("the database file cannot be written: %s; whoever moves is told to come again", error)
                self._is_unwritable = True
                error = Unwritable(str(error))
            for loop, some in waiting:
                if len(jobs) == 1 or is_busy(error) or isinstance(error, Unwritable):
                    # Another process, or the disk, is in everybody's way: none of them would be done sooner by itself.
                    _tell(loop, some, [error] * len(some))
                    continue
                # One bad job must not take the others with it: each gets a transaction of its own.
                for job in some:
                    self._commit([(loop, [job])])
            return
        self._count(jobs)
        start = 0
        for loop, some in waiting:
            _tell(loop, some, answers[start : start + len(some)])
            start += len(some)

    def _count(self, jobs: list[Job]) -> None:
        if self._is_unwritable:
            self._is_unwritable = False
            log.warning("the database file can be written again")
        COUNTS.batches.add(len(jobs))
        self._written += len(jobs)
        if self._written >= CHECKPOINT_ROWS:
            self._written = 0
            self._checkpoint.set()

    def _transact(self, jobs: list[Job], patience_s: float) -> list[Any]:
        fresh = self._fresh
        try:
            fresh.begin(patience_s)
            append, db = fresh.append, self._db
            answers = [append(job.work) if type(job.work) is Append else job.work(db) for job in jobs]  # type: ignore[operator]
            fresh.commit()
        except BaseException:
            fresh.roll_back()
            raise
        return answers

    def _settle_fresh(self) -> None:
        """Put what is fresh where it belongs; nobody waits for it, and what fails is done later."""
        try:
            self._fresh.begin(PATIENCE_S)
            self._fresh.settle()
            self._fresh.commit()
        except Exception:
            self._fresh.roll_back()
            log.exception("fresh rows could not be settled")

    def _tidy(self, db: sqlite3.Connection) -> None:
        # Who is in the way of a checkpoint must not be so of moves.
        db.execute(f"PRAGMA busy_timeout = {ASIDE_MS}")
        with closing(db):
            is_last = False
            while not is_last:
                self._checkpoint.wait()
                self._checkpoint.clear()
                is_last = self._ended
                try:
                    self._empty_log(db, is_last)
                except sqlite3.Error:
                    # A full disk, say: nothing is lost, and after as many writes it is tried again.
                    log.exception("the write-ahead log could not be copied into the file")

    def _empty_log(self, db: sqlite3.Connection, is_last: bool) -> None:
        if is_last:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return
        _, pages, copied = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if copied == pages >= LOG_PAGES:
            # The log begins anew once all of it is in the file, which it never is while moves come all the time. Little has come meanwhile.
            with self._using:
                db.execute("PRAGMA wal_checkpoint(FULL)").fetchall()


def is_unwritable(error: BaseException) -> bool:
    """Whether the disk takes nothing now."""
    code = getattr(error, "sqlite_errorcode", 0)
    return code & 255 in UNWRITABLE and code not in READING


def _tell(loop: asyncio.AbstractEventLoop, jobs: list[Job], answers: list[Any]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(_settle, jobs, answers)


def _settle(jobs: list[Job], answers: list[Any]) -> None:
    for job, answer in zip(jobs, answers, strict=True):
        tell(job.settled, answer)

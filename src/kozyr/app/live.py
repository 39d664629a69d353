"""A table in memory: the fold of its log so far, and the one place of this process that appends to it."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import Protocol, get_args

from kozyr.app.commands import Command, Done, Lapse, Play, Refusal, Seated, Withdraw
from kozyr.app.counts import COUNTS
from kozyr.app.decide import Draft, decide
from kozyr.app.events import PERSON, Dealt, Moved, SeatLeft, SeatTaken, decode, encode
from kozyr.app.evolve import Late, Step, evolve, steps
from kozyr.app.known import Known
from kozyr.app.limits import Bucket
from kozyr.app.ports import Appended, Clock, Conflict, Doubled, EventStore, Hints, Limited, PromptStore, Row, Unpaid
from kozyr.app.recording import finished_of
from kozyr.app.shown import Shown
from kozyr.app.stakes import entries_of
from kozyr.app.table import Table
from kozyr.bots import Memory
from kozyr.core.events import Event, seen_by
from kozyr.core.notation import format_position
from kozyr.core.views import view
from kozyr.ledger import LedgerError, Terms

log = logging.getLogger(__name__)

SEATED = get_args(Seated)
PLAY_EVENTS = get_args(Event)
GUEST_CHARS = 10
"""So much of a guest's id tells the players of a table apart."""

DEFAULT_TERMS = Terms()

READS, READS_MS = 5, 200
"""So many refusals in a row look into the log whether another process has moved on, and one more after each so many milliseconds."""


FRUITLESS = 5
"""So often an append may conflict with what then is not there."""


class Astray(Exception):
    """A table whose head is not where its log ends."""


ANSWERING: set[asyncio.Task[None]] = set()
"""Tasks that answer what was asked for by callback, of all tables."""

Outcome = Appended | Conflict | Doubled | Unpaid | Limited


class Asking(Protocol):
    """Who has asked for a move, and is called back."""

    def answer(self, answer: Done | Refusal | None) -> None:
        """Take the answer, before viewers are told what it has made."""

    def told(self) -> None:
        """All who listen to the table know of it."""

    def fail(self, error: BaseException) -> None:
        """Nobody knows what became of it."""


class LiveTable(Shown):
    """
    One table of this process.

    `table` only ever holds what is in the log (I3). Commands wait for each other, so that one append is in flight; between processes
    the log's compare-and-set decides, and the command is judged again on what the other process wrote (I5).

    `memory` is what all have seen of the present game, where a bot makes use of it.

    Raises: ValueError for rows that are no whole log.
    """

    def __init__(
        self, table_id: str, rows: Sequence[Row], store: EventStore, hints: Hints, clock: Clock, terms: Terms = DEFAULT_TERMS
    ) -> None:
        super().__init__(store)
        self.is_stopped = False
        self.stopped: Callable[[], None] | None = None
        # A store that calls back without a task.
        self._prompt = store if isinstance(store, PromptStore) else None
        self._terms = terms
        self._hints = hints
        self._clock = clock
        self.followers: list[Callable[[Sequence[Step]], None]] = []
        self.memory: Memory | None = None
        self._known = Known()
        self._reads = Bucket(READS, READS_MS)
        self._note(rows)
        for step in steps(table_id, rows):
            self._remember(step)
            self._add(step)
            self.table = step.table

    @property
    def is_appending(self) -> bool:
        """Whether a command is being handled."""
        return self._turn.is_taken

    async def handle(self, command: Command, guest: str | None = None) -> Done | Refusal | None:
        """
        Decide about a command, make what it does durable, and answer; None for a clock that was not due.

        With a *guest* it counts only for as long as that guest has the seat: by the time it is a command's turn somebody else may.
        """
        if isinstance(command, SEATED) and command.seat is None:
            # Nothing that the log could say makes a spectator a player; whoever has left may ask for the answer once more.
            return await self._first_answer(named(guest, command.id)) or Refusal("not_seated")
        began = monotonic()
        async with self._turn:
            return await self._handle(command, guest, began)

    @property
    def may_play(self) -> bool:
        """Whether `play` can be used here: the log calls back."""
        return self._prompt is not None

    def play(self, command: Play, guest: str, asking: Asking) -> None:
        """Do what `handle` does with the move of a guest, without a task of its own where nothing comes between."""
        if self._turn.take():
            self._play(command, guest, asking)
        else:
            self._turn.call(partial(self._play, command, guest, asking))

    def _play(self, command: Play, guest: str, asking: Asking) -> None:
        """Decide about a move, and append what it makes if it is one row and no more."""
        began = monotonic()
        table = self.table
        player = None if command.seat is None else table.players[command.seat]
        name = None if command.id is None else f"{guest[:GUEST_CHARS]}.{command.id}"
        # All commands up to where the table stands are known: if it still stands there, one that is not is new.
        is_new = name is None or name not in self._known
        # A command without a decision is judged again, from the beginning, the slow way.
        draft = self._decide(command) if is_new and player is not None and player.guest == guest else None
        if not isinstance(draft, Draft) or len(draft.steps) != 1 or self._prompt is None:
            self._answer_slowly(command, guest, began, asking, None)
            return
        step = draft.steps[0]
        row = Row(step.table.seq, draft.now, encode(step.event), name)
        settled = partial(self._settled, step, row, command, guest, began, asking)
        try:
            self._prompt.append_soon(table.id, table.seq, (row,), step.table.wake, settled)
        except Exception as error:  # noqa: BLE001  # such as a store that is closed: whoever asked has to know
            settled(error)

    def _settled(
        self, step: Step, row: Row, command: Play, guest: str, began: float, asking: Asking, outcome: Outcome | BaseException
    ) -> None:
        """Take in a move that is durable, answer, and let it be told."""
        if not isinstance(outcome, Appended):
            if isinstance(outcome, BaseException):
                self._turn.release()
                asking.fail(outcome)
            else:
                self._answer_slowly(command, guest, began, asking, outcome)
            return
        if row.command is not None:
            self._known.add(row.command)
        is_move = type(step.event) is Moved
        COUNTS.moves += is_move
        COUNTS.acknowledged.add(monotonic() - began)
        taken = (step,)
        try:
            if not is_move or self.memory is not None or self.followers:
                self._note_steps(taken)
            self._take_in(taken)
            self._hints.publish(step.table.id, step.table.seq, row)
        except Exception as error:  # noqa: BLE001  # it is in the log: nobody else waits for ever, and whoever asked comes back
            asking.fail(error)
            return
        finally:
            self._turn.release()
        try:
            asking.answer(Done(step.table.seq))
        finally:
            # Whatever has become of who asked, all others are told.
            self._tell_listeners()
            asking.told()

    def _answer_slowly(self, command: Play, guest: str, began: float, asking: Asking, outcome: Outcome | None) -> None:
        """Go on with a move that is not that simple; this has the turn."""
        task = asyncio.ensure_future(self._finish(command, guest, began, asking, outcome))
        ANSWERING.add(task)
        task.add_done_callback(ANSWERING.discard)

    async def _finish(self, command: Play, guest: str, began: float, asking: Asking, outcome: Outcome | None) -> None:
        try:
            answer = await self._handle(command, guest, began, outcome)
        except Exception as error:  # noqa: BLE001  # whoever asked has to know, whatever it is
            asking.fail(error)
            return
        finally:
            self._turn.release()
        try:
            asking.answer(answer)
        finally:
            asking.told()

    async def _handle(self, command: Command, guest: str | None, began: float, outcome: Outcome | None = None) -> Done | Refusal | None:
        """
        Do it, whose turn it is; *outcome* is that of an append which did not succeed.

        Raises: Astray where the log refuses again and again what follows on its last event.
        """
        fruitless = 0
        while True:
            if outcome is None:
                if guest is not None and isinstance(command, SEATED) and self.table.seat_of(guest) != command.seat:
                    return await self._first_answer(named(guest, command.id)) or Refusal("not_seated")
                name = name_of(command, self.table)
                draft = self._decide(command)
                if draft is None:
                    return None
                if isinstance(draft, Refusal):
                    answer = await self._first_answer(name)
                    # Only what the newest position forbids is refused: another process may have moved on. Whoever is refused again
                    # and again cannot make the log be read each time; another process's hints still come.
                    if answer is None and self._reads.take(self._clock.now()) and await self._catch_up():
                        continue
                    if answer is None:
                        COUNTS.refusals[draft.code] += 1
                    return answer or draft
                first = self.table.seq + 1
                outcome = await self._append(draft, name)
                if isinstance(outcome, Appended):
                    COUNTS.acknowledged.add(monotonic() - began)
                    return Done(first)
            if isinstance(outcome, Limited):
                return Refusal("company_limit")
            if isinstance(outcome, Unpaid):
                return await self._withdraw(outcome)
            if self.is_stopped:
                return Refusal("table_stopped")
            fruitless = 0 if await self._catch_up() else fruitless + 1
            if isinstance(outcome, Doubled):
                COUNTS.doubled += 1
                return Done(outcome.seq)
            if fruitless > FRUITLESS:
                raise Astray(f"nothing can be appended to table {self.table.id} at {self.table.seq}")
            COUNTS.conflicts += 1
            outcome = None

    async def _withdraw(self, unpaid: Unpaid) -> Refusal:
        """Take back that those are ready who cannot pay, and say who they are."""
        draft = self._decide(Withdraw(unpaid.seats))
        if isinstance(draft, Draft) and draft.steps:
            await self._append(draft, None)
        return Refusal("unpaid", " ".join(map(str, unpaid.seats)))

    async def catch_up(self, seq: int | None = None) -> None:
        """Read what other processes have appended, unless the table has got to *seq* meanwhile."""
        async with self._turn:
            if seq is None or self.table.seq < seq:
                await self._catch_up()

    def follow(self, row: Row) -> bool:
        """Take in a row that another process has appended, if it is the next one and nothing is going on here; says whether it was."""
        before = self.table
        if row.seq != before.seq + 1 or self._turn.is_taken:
            return False
        try:
            event = decode(row.body)
            step = Step(event, *evolve(before, row.at, event))
        except Exception:  # noqa: BLE001  # reading the log fails in the same way, and that is told
            return False
        if row.command is not None:
            self._known.add(row.command)
        if type(event) is not Moved or self.memory is not None or self.followers:
            self._note_steps((step,))
        self._show((step,))
        return True

    def _decide(self, command: Command) -> Draft | Refusal | None:
        if self.is_stopped:
            return None if isinstance(command, Lapse) else Refusal("table_stopped")
        try:
            return decide(self.table, command, self._clock.now())
        except Exception:  # a broken invariant stops this table, not the server
            log.exception("table %s stopped at %s", *self._place, extra={**self._about(), "command": type(command).__name__})
            self._stop()
            return Refusal("table_stopped")

    @property
    def _place(self) -> tuple[str, int]:
        return self.table.id, self.table.seq

    def _about(self) -> dict[str, object]:
        """Say where a table was that cannot go on; its cards are no secret any more."""
        position = self.table.position
        where = None if position is None else format_position(position)
        return {"table": self.table.id, "seq": self.table.seq, "position": where}

    def _stop(self) -> None:
        self.is_stopped = True
        COUNTS.stopped += 1
        if self.stopped is not None:
            self.stopped()

    async def _append(self, draft: Draft, name: str | None) -> Outcome:
        first = self.table.seq + 1
        rows = [Row(first + i, draft.now, encode(step.event), name if i == 0 else None) for i, step in enumerate(draft.steps)]
        entries = entries_of(draft.steps, draft.now, self._terms) if self.table.rules.stake else ()
        try:
            finished = finished_of(self.table, draft.steps)
            outcome = await self._store.append(self.table.id, self.table.seq, rows, draft.table.wake, entries, finished)
        except LedgerError:
            log.exception("table %s stopped at %s by the books", *self._place, extra=self._about())
            self._stop()
            return Conflict()
        if isinstance(outcome, Appended):
            if name is not None:
                self._known.add(name)
            COUNTS.moves += isinstance(draft.steps[0].event, Moved)
            self._move_on(draft.steps)
            self._hints.publish(self.table.id, self.table.seq, rows[0] if len(rows) == 1 else None)
        return outcome

    async def _first_answer(self, name: str | None) -> Done | None:
        """
        A command that was acknowledged before is not refused when it comes again (I2).

        The log is only asked for one that may be in it.
        """
        if name is None or name not in self._known:
            return None
        seq = await self._store.find(self.table.id, name)
        return None if seq is None else Done(seq)

    def _note(self, rows: Sequence[Row]) -> None:
        """Remember which commands are in the log."""
        for row in rows:
            if row.command is not None:
                self._known.add(row.command)

    async def _catch_up(self) -> bool:
        """Take in what other processes have appended; says whether there was anything."""
        tail = await self._store.load(self.table.id, self.table.seq)
        if tail is None or not tail.rows:
            return False
        self._note(tail.rows)
        self._move_on(list(steps(self.table.id, tail.rows, self.table)))
        return True

    def _move_on(self, taken: Sequence[Step]) -> None:
        self._note_steps(taken)
        self._show(taken)

    def _note_steps(self, taken: Sequence[Step]) -> None:
        for step in taken:
            if not isinstance(step.event, Moved):
                self._seat_changes(step)
            self._remember(step)
        for follower in tuple(self.followers):
            follower(taken)

    def _remember(self, step: Step) -> None:
        """Keep what all have seen of the present game, for the bots that make use of it."""
        if self.memory is None and isinstance(step.event, Moved):
            return
        if isinstance(step.event, Dealt):
            position = step.table.position
            assert position is not None
            # Easy makes use of it at cheating tables alone.
            without = (None,) if step.table.rules.cheat else (None, "easy")
            is_of_use = any(player is not None and player.level not in without for player in step.table.players)
            self.memory = Memory.at(view(position, None)) if is_of_use else None
        elif self.memory is not None:
            for told in step.told:
                event = told.event if isinstance(told, Late) else told
                if isinstance(event, PLAY_EVENTS):
                    self.memory.see(seen_by(event, None))

    def _seat_changes(self, step: Step) -> None:
        """Whoever has just sat down has still to come; an empty seat waits for nobody in particular."""
        if isinstance(step.event, SeatTaken) and step.event.player.kind == PERSON:
            self.lost[step.event.seat] = step.table.at
        elif isinstance(step.event, SeatLeft):
            self.lost.pop(step.event.seat, None)


def name_of(command: Command, table: Table) -> str | None:
    """
    Name a command as the log does: by who sits there and the id that their client gave it, so that nobody can use up another's ids.

    Bots' moves and the clock's have none: they are only made at the `seq` that they were meant for. Nobody can sit down twice.
    """
    if not isinstance(command, SEATED) or command.id is None or command.seat is None:
        return None
    player = table.players[command.seat]
    if player is None or player.guest is None:
        return f"{command.seat}.{command.id}"
    return named(player.guest, command.id)


def named(guest: str | None, name: str | None) -> str | None:
    """Name a guest's command as the log does."""
    return None if guest is None or name is None else f"{guest[:GUEST_CHARS]}.{name}"

"""One change of a table, as bytes for each of its viewers; what all may know is written once."""
from __future__ import annotations

from collections.abc import Sequence

from msgspec import Raw, Struct

from kozyr.app.evolve import Happening
from kozyr.app.table import Table
from kozyr.core.events import Drew
from kozyr.core.judge import legal_moves
from kozyr.core.play import hand_cards
from kozyr.web import translate
from kozyr.web.translate import Presence
from kozyr.wire import messages as wire


class Written(Struct, tag_field="t", tag="update", omit_defaults=True):
    """A `wire.Update` whose parts are written already."""

    seq: int
    events: Raw
    view: Raw | None = None
    table: Raw | None = None
    reveal: Raw | None = None
    left_ms: int | None = None
    of_ms: int | None = None


class Views:
    """
    The views of a table's state: the public part, which all views share, is made and written once.

    A seat's view is that of a spectator with the seat's own hand and legal moves behind it; a test holds that to `view_of`.
    """

    def __init__(self, table: Table) -> None:
        self._position = table.position
        public = translate.view_of(table, None)
        self._public = None if public is None else wire.encode(public)

    def of(self, seat: int | None) -> Raw | None:
        """Return a seat's view, or a spectator's, written; None before the deal."""
        if self._position is None or self._public is None:
            return None
        if seat is None:
            return Raw(self._public)
        parts = [self._public[:-1]]
        hand = hand_cards(self._position, seat)
        legal = legal_moves(self._position, seat)
        if hand:
            parts += [b',"hand":', wire.encode(translate.cards_of(hand))]
        if legal:
            parts += [b',"legal":', wire.encode(translate.moves_of(legal))]
        parts.append(b"}")
        return Raw(b"".join(parts))


class Telling:
    """
    What has happened at a table since some `seq`, and its state now.

    *present* says who is here; *now* is the time of the server, *delay_ms* how much later spectators see the table.
    """

    def __init__(self, table: Table, happened: Sequence[Happening], views: Views, present: Presence, now: int, delay_ms: int = 0) -> None:
        self._table = table
        self._happened = happened
        self._views = views
        self._clock = translate.clock_of(table, now)
        self._has_draws = any(isinstance(each, Drew) for each in happened)
        self._public = Raw(wire.encode(translate.told(table, happened, None)))
        self._card: Raw | None = None
        self._reveal: Raw | None = None
        if any(translate.is_about_table(each) for each in happened):
            self._card = Raw(wire.encode(translate.table_of(table, present, delay_ms)))
            reveal = translate.reveal_of(table)
            self._reveal = None if reveal is None else Raw(wire.encode(reveal))

    def update(self, seat: int | None) -> bytes:
        """Write the update for a seat, or for spectators."""
        events = self._public
        if seat is not None and self._has_draws:
            events = Raw(wire.encode(translate.told(self._table, self._happened, seat)))
        return wire.encode(Written(self._table.seq, events, self._views.of(seat), self._card, self._reveal, *self._clock))

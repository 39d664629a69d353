"""Playing a move: asks the judge, changes the position, and says what happened."""
from __future__ import annotations

from functools import partial

from kozyr.core.cards import cards_in, mask_of
from kozyr.core.cheating import author_named, card_named, challenge, name_of
from kozyr.core.codes import (
    ATTACK_SET,
    CHALLENGE,
    DEFENCE,
    FAULT,
    OUTCOMES,
    OVER,
    PASS,
    REASONS,
    SHOW,
    TAKE,
    TAKEN,
    TRANSFER,
    TRANSFER_SET,
    set_of,
)
from kozyr.core.events import (
    Accepted,
    Attacked,
    Beaten,
    BoutOver,
    Challenged,
    Drew,
    Event,
    GameOver,
    Passed,
    Resigned,
    Result,
    Returned,
    Showed,
    Took,
    Transferred,
    WentOut,
)
from kozyr.core.judge import refusal
from kozyr.core.moves import IllegalMove, Move
from kozyr.core.position import Position


def play(position: Position, move: Move) -> list[Event]:
    """
    Play a move on a position, which changes, and return what happened, in order.

    Raises: IllegalMove, and the position is as before.
    """
    code = refusal(position, move)
    if code:
        raise IllegalMove(code, move, partial(_written, position.copy()))
    return play_legal(position, move)


def _written(position: Position) -> str:
    # Notation describes positions by way of this module.
    from kozyr.core.notation import format_position

    return format_position(position)


def play_legal(position: Position, move: Move) -> list[Event]:
    """Play a move that is known to be legal; otherwise as `play`."""
    before = _Before(position)
    position.closing = 0
    events = _do(position, move, before)
    if position.closing:
        events.extend(_bout_over(position, before))
    if position.phase == OVER:
        events.append(GameOver(result_of(position)))
    return events


class _Before:
    """What the end of a bout wipes out, and its events need."""

    __slots__ = ("cards", "defender", "n_out", "top")

    def __init__(self, position: Position) -> None:
        self.cards = bout_cards(position)
        self.defender = position.defender
        self.n_out = len(seats_of(position.places))
        self.top = position.top


def _do(position: Position, move: Move, before: _Before) -> list[Event]:
    seat, kind, cards = move.seat, move.kind, move.cards
    if kind == "attack":
        before.cards += cards
        if len(cards) > 1:
            position.attack_set(mask_of(cards))
        else:
            position.attack(seat, cards[0])
        return [Attacked(seat, cards)]
    if kind == "beat":
        place = name_of(position, cards[0]) >> 1
        at = before.cards.index(cards[0]) + 1
        before.cards = before.cards[:at] + cards[1:] + before.cards[at:]
        position.beat(place, cards[1])
        return [Beaten(seat, cards[0], cards[1])]
    if kind == "transfer":
        position.transfer(mask_of(cards))
        return [Transferred(seat, cards, position.defender)]
    if kind == "show":
        position.show(cards[0])
        return [Showed(seat, cards[0], position.defender)]
    if kind == "take":
        position.take()
        return [Took(seat)]
    if kind == "pass":
        position.pass_(seat)
        return [Passed(seat)]
    if kind == "accept":
        position.pass_(seat)
        return [Accepted(seat)]
    if kind == "resign":
        position.forfeit(seat)
        return [Resigned(seat)]
    return _challenge(position, seat, cards[0])


def _challenge(position: Position, seat: int, card: int) -> list[Event]:
    name = name_of(position, card)
    author = author_named(position, name)
    trail = position.trail
    assert trail is not None
    played = [trail.played >> 4 * i & 15 for i in range(trail.n_played)]
    owners = [(author_named(position, other), card_named(position, other)) for other in played]
    right = challenge(position, seat, name)
    code = ("does_not_beat" if name & 1 else "rank_not_in_bout") if right else None
    events: list[Event] = [Challenged(seat, card, author, right, code)]
    if right and position.terms.rollback:
        back = owners[played.index(name) :]
        events.extend(Returned(owner, given) for owner, given in reversed(back))
    return events


def _bout_over(position: Position, before: _Before) -> list[Event]:
    outcome = position.closing >> 42
    order = tuple(reversed(seats_of(position.closing & 0xFFFFFF)))  # first lowest, unlike places
    taker = None
    if outcome == TAKEN:
        taker = before.defender
    elif outcome == FAULT:
        taker = order[-1]  # who took the cards as a penalty draws last (R14.8)
    events: list[Event] = [BoutOver(OUTCOMES[outcome], before.cards, taker, order)]
    cards = position.deal.cards
    top = before.top
    for i, seat in enumerate(order):
        count = position.closing >> 24 + 3 * i & 7
        if count:
            drawn = tuple(int(cards[at]) for at in range(top, top + count))
            top += count
            turned = drawn[-1] if top == position.deal.size else None
            events.append(Drew(seat, count, drawn, turned))
    for place, seat in enumerate(seats_of(position.places), start=1):
        if place > before.n_out:
            events.append(WentOut(seat, place))
    return events


def result_of(position: Position) -> Result:
    """Say how a game that is over ended."""
    durak = position.durak if position.durak >= 0 else None
    return Result("draw" if durak is None else "durak", REASONS[position.reason], durak, tuple(seats_of(position.places)))


def seats_of(order: int) -> list[int]:
    """Read seats from 4 bits each (seat + 1), newest lowest; oldest first."""
    seats: list[int] = []
    while order:
        seats.append((order & 15) - 1)
        order >>= 4
    seats.reverse()
    return seats


def bout_pairs(position: Position) -> list[tuple[int, int, int | None]]:
    """List the attack cards in the order played, each with the seat that played it and the card that beat it."""
    pairs: list[tuple[int, int, int | None]] = []
    for place in range(position.n_attacks):
        beat = position.beats >> 6 * place & 63 if position.beaten >> place & 1 else None
        pairs.append((position.attacks >> 9 * place & 63, position.attacks >> 9 * place + 6 & 7, beat))
    return pairs


def bout_cards(position: Position) -> tuple[int, ...]:
    """List the cards of the bout, each attack card followed by the card that beat it."""
    cards: list[int] = []
    for attack, _author, beat in bout_pairs(position):
        cards.append(attack)
        if beat is not None:
            cards.append(beat)
    return tuple(cards)


def hand_cards(position: Position, seat: int) -> tuple[int, ...]:
    """List the cards in a hand, ascending."""
    return tuple(cards_in(position.hands[seat]))


def move_of(position: Position, action: int) -> Move:
    """Return an action of the seat whose turn it is as a move (see `codes`)."""
    seat = int(position.turn)
    if action == PASS:
        return Move(seat, "accept" if position.phase == CHALLENGE else "pass")
    if action == TAKE:
        return Move(seat, "take")
    if action < TRANSFER:
        if position.phase == DEFENCE:
            return Move(seat, "beat", (position.attacks >> 9 * position.oldest_unbeaten() & 63, action))
        return Move(seat, "attack", (action,))
    if action < SHOW:
        return Move(seat, "transfer", (action - TRANSFER,))
    if action < ATTACK_SET:
        return Move(seat, "show", (action - SHOW,))
    if action < TRANSFER_SET:
        return Move(seat, "attack", tuple(cards_in(set_of(action - ATTACK_SET))))
    return Move(seat, "transfer", tuple(cards_in(set_of(action - TRANSFER_SET))))

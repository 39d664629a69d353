"""
Views and what a move made, as the protocol's JSON, written straight from a position and the rules' events; and their frames.

A view is what all may know and then a seat's own hand and legal moves. The first is the same for everybody and written once for all
viewers of a position; a test holds all of it to `translate`, byte for byte (I8).
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kozyr.core._native import i64
from kozyr.core.cards import RANKS, SUITS, cards_in, lowest, popcount
from kozyr.core.cheating import card_named, challengeable
from kozyr.core.codes import CHALLENGE, DEFENCE, FLOOR_OPEN, OPENING, OVER, PHASES, TAKING, TRANSFER_LOST
from kozyr.core.events import Accepted, Attacked, Beaten, BoutOver, Drew, Passed, Took, Transferred, WentOut
from kozyr.core.judge import attackable, beatable, may_accept, may_pass, waiting_for
from kozyr.core.playout import attack_sets, transfer_sets
from kozyr.core.position import Position

CARDS: Final[list[str]] = [f'"{RANKS[card & 15]}{SUITS[card >> 4]}"' if card & 15 < 13 else "" for card in range(64)]
"""Every card in quotation marks."""

NUMBERS: Final[list[str]] = [str(number) for number in range(100)]
SPECTATOR: Final = -1
"""The seat of whoever has none."""

TEXT: Final = 0x81
"""The first byte of a websocket frame that holds a whole text."""

HEADS: Final[list[bytes]] = [
    bytes((TEXT, size)) if size < 126 else bytes((TEXT, 126, size >> 8, size & 255)) for size in range(2048)
]  # fmt: skip
"""How frames of usual sizes begin."""

PLAIN_SEATS: Final[list[str]] = ["{}", *(f'{{"cards":{count}}}' for count in range(1, 64))]
"""Seats of which there is no more to say than how many cards they hold."""


def public_view(position: Position) -> str:
    """
    Write what all may know, but for the result of a game that is over, and without the last brace.

    Source: rules, part 3, V1 and V2.
    """
    phase: i64 = position.phase
    parts: list[str] = [
        '{"phase":"', PHASES[phase], '","bout_no":', str(position.bout_no), ',"trump":"', SUITS[lowest(position.trumps) >> 4],
        '","stock":', NUMBERS[position.deal.size - position.top], ',"seats":', _seats(position)
    ]  # fmt: skip
    if position.n_attacks:
        _write_bout(position, parts)
    if phase != OVER:
        parts += [
            ',"attacker":', NUMBERS[position.attacker], ',"defender":', NUMBERS[position.defender], ',"opener":', NUMBERS[position.opener]
        ]  # fmt: skip
    if position.joined & 0xFFFFFF:
        parts += [',"joined":', _joined(position.joined & 0xFFFFFF)]
    waiting: i64 = waiting_for(position)
    if waiting:
        parts += [',"waiting":', _members(waiting)]
    _write_number(',"capacity":', position.capacity(), parts)
    _write_number(',"limit":', position.limit, parts)
    _write_number(',"h0":', position.h0, parts)
    _write_trump_card(position, parts)
    _write_number(',"discard":', popcount(position.discard), parts)
    if position.rights & TRANSFER_LOST:
        parts.append(',"transfer_lost":true')
    if position.rights & FLOOR_OPEN:
        parts.append(',"floor_open":true')
    trail = position.trail
    if phase == TAKING or (trail is not None and trail.taking):
        parts.append(',"taking":true')
    return "".join(parts)


def updates(
    position: Position, before: str, events: list[str], draws: list[tuple[int, int, str]], public: str, after: str, seats: list[int]
) -> list[bytes]:
    """
    Write the updates of viewers at these seats.

    *before* and *after* are what comes before the events and after the view. Each of *draws* names an event, the seat that drew, and how
    that event is written for it.
    """
    view = '],"view":' + public
    shared = before + ",".join(events) + view
    written: list[bytes] = []
    for_spectators = b""
    for seat in seats:
        at: i64 = seat
        if at < 0:
            if not for_spectators:
                for_spectators = (shared + after).encode()
            written.append(for_spectators)
            continue
        start = shared
        if draws:
            own = events[:]
            for place, drawer, text in draws:
                if drawer == seat:
                    own[place] = text
            start = before + ",".join(own) + view
        written.append((start + _own_view(position, at) + after).encode())
    return written


def plain_events(happened: Sequence[object], events: list[str], draws: list[tuple[int, int, str]]) -> bool:
    """
    Write what the rules made of a move as everybody may see it, and beside it what a drawer sees; False where it is not all plain.

    Then what has been written is of no use.

    Source: rules, part 3, V3.
    """
    for happening in happened:
        if isinstance(happening, Attacked):
            events.append(f'{{"e":"attack","seat":{happening.seat},"cards":{_cards(happening.cards)}}}')
        elif isinstance(happening, Beaten):
            events.append(f'{{"e":"beat","seat":{happening.seat},"attack":{CARDS[happening.attack]},"card":{CARDS[happening.card]}}}')
        elif isinstance(happening, Passed):
            events.append(f'{{"e":"pass","seat":{happening.seat}}}')
        elif isinstance(happening, Drew):
            start = f'{{"e":"draw","seat":{happening.seat},"count":{happening.count}'
            turned = "}" if happening.turned is None else f',"cards":[{CARDS[happening.turned]}]}}'
            own = f',"cards":{_cards(happening.cards)}}}' if happening.cards else "}"
            draws.append((len(events), happening.seat, start + own))
            events.append(start + turned)
        elif isinstance(happening, Took):
            events.append(f'{{"e":"take","seat":{happening.seat}}}')
        elif isinstance(happening, BoutOver):
            taker = "" if happening.taker is None else f',"taker":{happening.taker}'
            order = ",".join([NUMBERS[seat] for seat in happening.order])
            events.append(f'{{"e":"bout_over","outcome":"{happening.outcome}","cards":{_cards(happening.cards)},"order":[{order}]{taker}}}')
        elif isinstance(happening, Transferred):
            events.append(f'{{"e":"transfer","seat":{happening.seat},"cards":{_cards(happening.cards)},"to":{happening.to}}}')
        elif isinstance(happening, WentOut):
            events.append(f'{{"e":"out","seat":{happening.seat},"place":{happening.place}}}')
        elif isinstance(happening, Accepted):
            events.append(f'{{"e":"accept","seat":{happening.seat}}}')
        else:
            return False
    return True


def frame(message: bytes) -> bytes:
    """
    Frame a text message of a server: unmasked, uncompressed, in one piece.

    Source: RFC 6455, 5.2.
    """
    size = len(message)
    if size < len(HEADS):
        return HEADS[size] + message
    if size < 65536:
        return bytes((TEXT, 126)) + size.to_bytes(2, "big") + message
    return bytes((TEXT, 127)) + size.to_bytes(8, "big") + message


def _cards(cards: tuple[int, ...]) -> str:
    return "[" + ",".join([CARDS[card] for card in cards]) + "]"


def _own_view(position: Position, at: i64) -> str:
    """Write a seat's hand and legal moves, as they follow what all may know."""
    legal = _legal(position, at)
    cards: i64 = position.hands[at]
    parts: list[str] = []
    if cards:
        parts += [',"hand":[', ",".join([CARDS[card] for card in cards_in(cards)]), "]"]
    if legal:
        parts += [',"legal":[', ",".join(legal), "]"]
    return "".join(parts)


def _legal(position: Position, seat: i64) -> list[str]:
    """List the moves of `judge.legal_moves`, in its order, without making any."""
    legal: list[str] = []
    phase: i64 = position.phase
    if phase == OVER or not position.seats_in >> seat & 1:
        return legal
    legal += [ATTACKS[card] for card in cards_in(attackable(position, seat))]
    if phase == OPENING and seat == position.attacker:
        legal += [_several("attack", cards) for cards in attack_sets(position)]
    if phase == DEFENCE and seat == position.defender:
        _write_defences(position, legal)
    if may_pass(position, seat):
        legal.append('"pass"')
    if may_accept(position, seat):
        legal.append('"accept"')
    names: i64 = challengeable(position, seat)
    while names:
        legal.append(CHALLENGES[card_named(position, lowest(names))])
        names &= names - 1
    return legal


def _write_defences(position: Position, legal: list[str]) -> None:
    place: i64 = 0
    while place < position.n_attacks:
        if not position.beaten >> place & 1:
            start = BEATS[position.attacks >> 9 * place & 63]
            legal += [start + CARDS[card][1:] for card in cards_in(beatable(position, place))]
        place += 1
    legal += [TRANSFERS[card] for card in cards_in(position.transfers())]
    legal += [_several("transfer", cards) for cards in transfer_sets(position)]
    legal += [SHOWS[card] for card in cards_in(position.shows())]
    legal.append('"take"')


def _several(kind: str, cards: i64) -> str:
    return f'"{kind} {" ".join([CARDS[card][1:3] for card in cards_in(cards)])}"'


def _with_cards(kind: str) -> list[str]:
    """Write a move with each of the cards, in quotation marks."""
    return [f'"{kind} {card[1:]}' for card in CARDS]


ATTACKS: Final[list[str]] = _with_cards("attack")
TRANSFERS: Final[list[str]] = _with_cards("transfer")
SHOWS: Final[list[str]] = _with_cards("show")
CHALLENGES: Final[list[str]] = _with_cards("challenge")
BEATS: Final[list[str]] = [f'"beat {card[1:3]} ' for card in CARDS]
"""How the moves begin that beat each of the cards."""


def _write_number(name: str, number: i64, parts: list[str]) -> None:
    if number:
        parts += [name, NUMBERS[number]]


def _seats(position: Position) -> str:
    trail = position.trail
    seats: list[str] = []
    barred: i64 = 0
    no_challenge: i64 = 0
    if trail is not None:
        barred = trail.barred
        no_challenge = trail.no_challenge
    shown: i64 = position.rights
    special: i64 = ~position.seats_in | position.places | position.passed | barred | no_challenge | shown
    for seat in range(position.terms.seats):
        count: i64 = popcount(position.hands[seat])
        if not (special >> seat & 1 or position.places):
            seats.append(PLAIN_SEATS[count])
        else:
            seats.append(_seat(position, seat, count, barred, no_challenge))
    return "[" + ",".join(seats) + "]"


def _seat(position: Position, seat: i64, count: i64, barred: i64, no_challenge: i64) -> str:
    parts: list[str] = []
    if count:
        parts.append('"cards":' + NUMBERS[count])
    if not position.seats_in >> seat & 1:
        parts.append('"out":true')
    place: i64 = _place(position.places, seat)
    if place:
        parts.append('"place":' + NUMBERS[place])
    if position.passed >> seat & 1:
        parts.append('"accepted":true' if position.phase == CHALLENGE else '"passed":true')
    if barred >> seat & 1:
        parts.append('"barred":true')
    if no_challenge >> seat & 1:
        parts.append('"no_challenge":true')
    if position.rights >> seat & 1:
        parts.append('"shown":true')
    return "{" + ",".join(parts) + "}"


def _place(places: i64, seat: i64) -> i64:
    """Return in which place a seat went out, counted from 1; 0 for one that has not."""
    found: i64 = 0
    while places:
        if found:
            found += 1
        elif (places & 15) - 1 == seat:
            found = 1
        places >>= 4
    return found


def _write_bout(position: Position, parts: list[str]) -> None:
    place: i64 = 0
    parts.append(',"bout":[')
    while place < position.n_attacks:
        attack: i64 = position.attacks >> 9 * place
        parts += ['{"attack":' if place == 0 else ',{"attack":', CARDS[attack & 63], ',"by":', NUMBERS[attack >> 6 & 7]]
        if position.beaten >> place & 1:
            parts += [',"beat":', CARDS[position.beats >> 6 * place & 63]]
        parts.append("}")
        place += 1
    parts.append("]")


def _write_trump_card(position: Position, parts: list[str]) -> None:
    """Write the card that fixed trumps while everybody may know where it is (R2.4)."""
    card: i64 = position.deal.trump_card
    if card < 0:
        return
    if position.deal.size:
        if position.top < position.deal.size:
            parts += [',"trump_card":', CARDS[card]]
        return
    dealer: i64 = position.deal.dealer
    if position.bout_no == 1 and position.hands[dealer] >> card & 1:
        parts += [',"trump_card":', CARDS[card], ',"trump_card_at":', NUMBERS[dealer]]


def _joined(order: i64) -> str:
    """List seats kept in 4 bits each (seat + 1), the newest lowest; the oldest first."""
    seats = ""
    while order:
        seat = NUMBERS[(order & 15) - 1]
        seats = f"{seat},{seats}" if seats else seat
        order >>= 4
    return f"[{seats}]"


def _members(seats: i64) -> str:
    return "[" + ",".join([NUMBERS[seat] for seat in cards_in(seats)]) + "]"

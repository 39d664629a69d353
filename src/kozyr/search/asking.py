"""What a position is worth: questions to the prover, and what its answers mean under the rules."""
from __future__ import annotations

from typing import Final

from kozyr.core._native import i64, vec
from kozyr.core.cards import ONE, lowest
from kozyr.core.codes import BOUTS_WITHOUT_PROGRESS, DEFENCE, OPENING, OVER, TAKING, TRANSFER_LOST
from kozyr.core.position import Position
from kozyr.core.terms import Terms
from kozyr.search.canonical import with_trumps_last
from kozyr.search.certain import leaning, winner_if_empty
from kozyr.search.memo import GIVEN_UP, NO, UNKNOWN
from kozyr.search.modes import BARRED, FIVE, SHOWN_A, SHOWN_D, STOCK
from kozyr.search.prover import Prover

WIN: Final = 1
DRAW: Final = 0
LOSS: Final = -1
UNSOLVED: Final = 2


def value(prover: Prover, position: Position, seat: i64, cap: i64) -> i64:
    """Return what a position is worth to *seat*, one of the two that are in; UNSOLVED where *cap* nodes do not tell."""
    prover.nodes = 0
    prover.cap = cap
    if position.phase == OVER:
        if position.durak < 0:
            return DRAW
        if position.durak == seat:
            return LOSS
        return WIN
    # The likelier winner is asked for first: a yes saves the other question.
    trump: i64 = trump_of(position)
    a: i64 = with_trumps_last(position.hands[position.attacker], trump)
    d: i64 = with_trumps_last(position.hands[position.defender] | position.laid, trump)
    first: i64 = position.attacker
    second: i64 = position.defender
    if leaning(a, d) < 0:
        first = position.defender
        second = position.attacker
    worth: i64 = WIN
    if first != seat:
        worth = LOSS
    one: i64 = ask(prover, position, first)
    if one >= 0:
        return worth
    if prover.stopped:
        return UNSOLVED
    two: i64 = ask(prover, position, second)
    if two >= 0:
        return -worth
    if one == NO and two == NO:
        return DRAW
    return UNSOLVED


def probe(prover: Prover, position: Position, seat: i64, cap: i64) -> i64:
    """Ask whether *seat* wins by force: zero and more is yes, NO, or UNKNOWN where *cap* nodes do not tell."""
    prover.nodes = 0
    prover.cap = cap
    if position.phase != OVER:
        return ask(prover, position, seat)
    if position.durak >= 0 and position.durak != seat:
        return 0
    return NO


def ask(prover: Prover, position: Position, seat: i64) -> i64:
    """
    Ask whether *seat* forces a win by the rules: zero and more is yes, NO, or UNKNOWN where the prover's nodes do not tell.

    Source: R11.9, R11.10.
    """
    prover.terms = position.terms
    prover.options = options_of(position.terms)
    prover.stock_size = position.deal.size - position.top
    prover.stock = stock_of(position)
    prover.stopped = False
    prover.memo.next_question()
    path = prover.path
    takes: i64 = BOUTS_WITHOUT_PROGRESS * position.terms.seats - position.n_past
    path.takes_max = BOUTS_WITHOUT_PROGRESS * position.terms.seats - 1
    path.takes_first = takes
    if position.phase != OPENING:
        path.takes_first -= 1
    _set_dead(prover, position, seat)
    path.is_counting = False
    answer: i64 = start(prover, position, seat)
    if not prover.stopped and (answer > takes or answer == GIVEN_UP):
        # The proof, or the search for one, was too long for the rule of no progress: count the takes.
        path.is_counting = True
        answer = start(prover, position, seat)
    if prover.exact:
        prover.memo.clear()
    if prover.stopped or answer == GIVEN_UP:
        return UNKNOWN
    return answer


def options_of(terms: Terms) -> i64:
    """Return as one number the options that an answer depends on."""
    options: i64 = winner_if_empty(terms) | (terms.seats - 2) << 2
    if terms.throw_on_take:
        options |= 32
    if terms.transfer:
        options |= 64
    if terms.multi_attack:
        options |= 128
    if terms.multi_transfer:
        options |= 256
    if terms.show:
        options |= 512
    if terms.until_beaten:
        options |= 1024
    return options


def stock_of(position: Position) -> i64:
    """Return the cards of the stock, 6 bits each, the first to be drawn lowest, with trumps as suit 3."""
    trump: i64 = trump_of(position)
    stock: i64 = 0
    i: i64 = position.deal.size
    while i > position.top:
        i -= 1
        stock = stock << 6 | lowest(with_trumps_last(ONE << position.deal.cards[i], trump))
    return stock


def trump_of(position: Position) -> i64:
    """Return the trump suit."""
    return lowest(position.trumps) >> 4


def start(prover: Prover, position: Position, seat: i64) -> i64:
    """Put a position to the prover, in whatever phase of a bout."""
    attacker: i64 = position.attacker
    trump: i64 = trump_of(position)
    a: i64 = with_trumps_last(position.hands[attacker], trump)
    d: i64 = with_trumps_last(position.hands[position.defender], trump)
    laid: i64 = with_trumps_last(position.laid, trump)
    capacity: i64 = position.capacity()
    mode: i64 = prover.stock_size << STOCK
    if position.limit == 5:
        mode |= FIVE
    if position.rights & TRANSFER_LOST or (position.bout_no == 1 and not position.terms.transfer_first_bout):
        mode |= BARRED
    if position.rights >> attacker & 1:
        mode |= SHOWN_A
    if position.rights >> position.defender & 1:
        mode |= SHOWN_D
    role: i64 = 0
    if seat == attacker:
        role = 1
    prover.path.begin()
    answer: i64
    if position.phase == OPENING:
        answer = prover.open_bout(a, d, mode, role)
    elif position.phase == DEFENCE:
        answer = prover.defend(a, d, laid, with_trumps_last(unbeaten(position), trump), capacity, mode, role)
    elif position.phase == TAKING:
        answer = prover.add(a, d, laid, capacity, mode, role)
    else:
        answer = prover.throw_in(a, d, laid, capacity, mode, role)
    prover.memo.drop()
    return answer


def unbeaten(position: Position) -> i64:
    """Return the attack cards that are not beaten."""
    cards: i64 = 0
    place: i64 = 0
    while place < position.n_attacks:
        if not position.beaten >> place & 1:
            cards |= ONE << (position.attacks >> 9 * place & 63)
        place += 1
    return cards


def _set_dead(prover: Prover, position: Position, seat: i64) -> None:
    """
    Tell the prover the bout starts that have been there twice: once more, and the game is drawn.

    Source: R11.9.
    """
    path = prover.path
    path.n_dead = 0
    prover.exact = False
    if position.n_past < 2:
        return
    width: i64 = position.terms.seats - 1
    other: i64 = position.after(seat)
    told: i64 = seat  # the seat whose hand is surely in the record
    if other < seat:
        told = other
    held: i64 = position.hands[seat] | position.hands[other] | position.laid
    found: list[i64] = []
    i: i64 = 0
    while i < position.n_past:
        start: i64 = i * width
        if position.past[start] >= 0 and _comes_again(position, i, width):
            attacker: i64 = (position.past[start] >> 13 & 7) - 1
            hand: i64 = position.past[start + told]
            if told == 0:
                hand &= ~(7 << 13)
            if attacker != told:
                hand = held & ~hand
            found.append(with_trumps_last(hand, trump_of(position)))
            role: i64 = 0
            if attacker == seat:
                role = 1
            found.append(role)
        i += 1
    if found:
        path.dead = vec[i64](found)
        path.n_dead = len(found) // 2
        prover.exact = True
        prover.memo.clear()


def _comes_again(position: Position, i: i64, width: i64) -> bool:
    """Say whether a bout start of the record stands in it once more, further on."""
    j: i64 = i + 1
    while j < position.n_past:
        k: i64 = 0
        while k < width and position.past[i * width + k] == position.past[j * width + k]:
            k += 1
        if k == width:
            return True
        j += 1
    return False

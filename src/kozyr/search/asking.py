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
from kozyr.search.graph import Graph
from kozyr.search.memo import GIVEN_UP, NO, PUT_OFF, UNKNOWN
from kozyr.search.modes import BARRED, FIVE, SHOWN_A, SHOWN_D, STOCK
from kozyr.search.prover import UNBOUNDED, Prover
from kozyr.search.state import ADD, DEFEND, MOVES, OPEN_BOUT, THROW_IN, State

WIN: Final = 1
DRAW: Final = 0
LOSS: Final = -1
UNSOLVED: Final = 2

STEP: Final = 200_000  # nodes until it is asked anew which question to go on with


def value(prover: Prover, position: Position, seat: i64, cap: i64) -> i64:
    """Return what a position is worth to *seat*, one of the two that are in; UNSOLVED where *cap* nodes do not tell."""
    prover.nodes = 0
    if position.phase == OVER:
        return worth_over(position, seat)
    # The likelier winner is asked for first: a yes saves the other question.
    first: i64 = likelier(position)
    second: i64 = position.after(first)
    worth: i64 = WIN
    if first != seat:
        worth = LOSS
    one: i64 = ask(prover, position, first, cap)
    if one >= 0:
        return worth
    if one == UNKNOWN:
        return UNSOLVED
    two: i64 = ask(prover, position, second, cap)
    if two >= 0:
        return -worth
    if one == PUT_OFF or two == PUT_OFF:
        likely = graph_of(prover, position, first, one)
        other = graph_of(prover, position, second, two)
        race(likely, other, cap)
        if other.root.answer >= 0:
            two = told(prover, position, second, other, cap)
            if two >= 0:
                return -worth
        one = told(prover, position, first, likely, cap)
        if one >= 0:
            return worth
        if two == PUT_OFF:
            two = told(prover, position, second, other, cap)
            if two >= 0:
                return -worth
    if one == NO and two == NO:
        return DRAW
    return UNSOLVED


def probe(prover: Prover, position: Position, seat: i64, cap: i64) -> i64:
    """Ask whether *seat* wins by force: zero and more is yes, NO, or UNKNOWN where *cap* nodes do not tell."""
    prover.nodes = 0
    if position.phase == OVER:
        if position.durak >= 0 and position.durak != seat:
            return 0
        return NO
    answer: i64 = ask(prover, position, seat, cap)
    if answer == PUT_OFF:
        graph = graph_of(prover, position, seat, answer)
        answer = told(prover, position, seat, graph, cap)
    if answer == PUT_OFF:
        return UNKNOWN
    return answer


def values_after(
    prover: Prover, position: Position, after: list[Position], seat: i64, cap: i64, has_draw: bool
) -> tuple[list[i64], bool]:
    """
    Return what positions that *seat*, whose turn it is, may move to are worth to it, and whether none of them wins for certain.

    Values that do not matter to a choice among them, and with *has_draw* a draw besides, are UNSOLVED, as all are where *cap* nodes do
    not tell.
    """
    prover.nodes = 0
    found: list[i64] = []
    for _ in after:
        found.append(UNSOLVED)
    other: i64 = position.after(seat)
    take_up(prover, position)
    win = Graph(prover, moves_state(position, after, seat, 1))
    loss = Graph(prover, moves_state(position, after, other, 0))
    if has_draw:
        win.run(cap)
    elif likelier(position) == seat:
        race(win, loss, cap)
    else:
        race(loss, win, cap)
    i: i64 = 0
    n: i64 = len(after)
    while i < n:
        takes: i64 = takes_of(after[i])
        wins: i64 = win.root.follow[i].answer
        loses: i64 = loss.root.follow[i].answer
        if wins >= 0 and wins <= takes:
            found[i] = WIN
        elif loses >= 0 and loses <= takes:
            found[i] = LOSS
        elif wins == NO and loses == NO:
            found[i] = DRAW
        i += 1
    return found, win.root.answer == NO


def race(likely: Graph, other: Graph, cap: i64) -> None:
    """Look for a yes in either of two questions, more where it seems nearer."""
    prover = likely.prover
    while prover.nodes < cap:
        if likely.root.answer >= 0 or other.root.answer >= 0:
            return
        graph: Graph = likely
        if likely.root.answer == NO or (other.root.answer != NO and other.is_nearer(likely)):
            graph = other
        if graph.root.answer == NO:
            return
        most: i64 = prover.nodes + STEP
        if most > cap:
            most = cap
        graph.run(most)


def graph_of(prover: Prover, position: Position, seat: i64, answer: i64) -> Graph:
    """Begin the search best first of the question whether *seat* wins."""
    take_up(prover, position)
    root: State = state_of(position, seat)
    if answer != PUT_OFF:
        root.answer = answer
    return Graph(prover, root)


def moves_state(position: Position, after: list[Position], seat: i64, role: i64) -> State:
    """Return the state from which given positions follow, with the question whether *seat* wins."""
    state: State = state_of(position, seat)
    state.kind = MOVES
    state.role = role
    state.is_listed = True
    state.base = 0 - role
    for each in after:
        child: State = state_of(each, seat)
        if each.phase == OVER:
            child.answer = NO
            if worth_over(each, seat) == WIN:
                child.answer = 0
        state.follow.append(child)
    return state


def told(prover: Prover, position: Position, seat: i64, graph: Graph, cap: i64) -> i64:
    """Go on with a graph to its end, and return what it found; the takes are counted where its proof has too many of them in a row."""
    answer: i64 = graph.run(cap)
    if answer > takes_of(position):
        return counted(prover, position, seat, cap)
    return answer


def likelier(position: Position) -> i64:
    """Return the seat to which the cards lean."""
    trump: i64 = trump_of(position)
    a: i64 = with_trumps_last(position.hands[position.attacker], trump)
    d: i64 = with_trumps_last(position.hands[position.defender] | position.laid, trump)
    if leaning(a, d) < 0:
        return position.defender
    return position.attacker


def worth_over(position: Position, seat: i64) -> i64:
    """Return what a game that is over is worth to *seat*."""
    if position.durak < 0:
        return DRAW
    if position.durak == seat:
        return LOSS
    return WIN


def ask(prover: Prover, position: Position, seat: i64, cap: i64) -> i64:
    """
    Ask whether *seat* forces a win by the rules, with the nodes for a search straight on.

    Zero and more is yes; else NO, PUT_OFF where these nodes do not tell, or UNKNOWN where *cap* does not.

    Source: R11.9, R11.10.
    """
    take_up(prover, position)
    _set_dead(prover, position, seat)
    prover.cap = cap
    prover.limit = UNBOUNDED
    if not prover.exact:
        prover.limit = prover.nodes + prover.plain_nodes
    prover.path.takes_first = takes_first(position)
    prover.path.is_counting = False
    answer: i64 = start(prover, position, seat)
    prover.limit = UNBOUNDED
    if not prover.stopped and (answer > takes_of(position) or answer == GIVEN_UP):
        # The proof, or the search for one, was too long for the rule of no progress.
        return counted(prover, position, seat, cap)
    if prover.exact:
        prover.memo.clear()
    if prover.stopped:
        return UNKNOWN
    return answer


def counted(prover: Prover, position: Position, seat: i64, cap: i64) -> i64:
    """Ask the same with the takes counted, so that no position comes again."""
    prover.stopped = False
    prover.cap = cap
    prover.limit = UNBOUNDED
    prover.path.takes_first = takes_first(position)
    prover.path.is_counting = True
    answer: i64 = start(prover, position, seat)
    prover.path.is_counting = False
    if prover.exact:
        prover.memo.clear()
    if prover.stopped or answer == GIVEN_UP:
        return UNKNOWN
    return answer


def take_up(prover: Prover, position: Position) -> None:
    """Tell the prover the table, the stock, and that there is a new question."""
    prover.terms = position.terms
    prover.options = options_of(position.terms)
    prover.stock_size = position.deal.size - position.top
    prover.stock = stock_of(position)
    prover.stopped = False
    prover.memo.next_question()
    prover.path.takes_max = BOUTS_WITHOUT_PROGRESS * position.terms.seats - 1


def takes_of(position: Position) -> i64:
    """Return how many bouts in a row may still be taken, the present one among them."""
    return BOUTS_WITHOUT_PROGRESS * position.terms.seats - position.n_past


def takes_first(position: Position) -> i64:
    """Return how many more bouts may begin before there is progress."""
    if position.phase == OPENING:
        return takes_of(position)
    return takes_of(position) - 1


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
    prover.path.begin()
    answer: i64 = prover.search(state_of(position, seat))
    prover.memo.drop()
    return answer


def state_of(position: Position, seat: i64) -> State:
    """Return a position, with the question whether *seat* wins, as the prover sees it."""
    attacker: i64 = position.attacker
    trump: i64 = trump_of(position)
    mode: i64 = (position.deal.size - position.top) << STOCK
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
    kind: i64 = THROW_IN
    if position.phase == OPENING:
        kind = OPEN_BOUT
    elif position.phase == DEFENCE:
        kind = DEFEND
    elif position.phase == TAKING:
        kind = ADD
    return State(
        kind,
        with_trumps_last(position.hands[attacker], trump),
        with_trumps_last(position.hands[position.defender], trump),
        with_trumps_last(position.laid, trump),
        with_trumps_last(unbeaten(position), trump),
        position.capacity(),
        mode,
        role,
    )


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

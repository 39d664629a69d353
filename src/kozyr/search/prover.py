"""
The search of the endgame: can one seat force a win?

Two seats, all cards known, turn by turn. A bout is told from the attacker's side by the hands *a* and *d*, the cards *laid*, those of
them that are *unbeaten*, the *capacity* that is left, and *mode*; trumps are suit 3. *role* is 1 where the seat that asks is the
attacker, 0 where it is the defender. An answer is one of `memo`'s: zero and more is yes. `docs/solver.md` says why the answers are right.
"""
from __future__ import annotations

from typing import Final, final

from kozyr.core._native import i64, mypyc_attr
from kozyr.core.cards import ONE, beaters, lowest, popcount
from kozyr.core.options import Rules
from kozyr.core.terms import Terms
from kozyr.search.canonical import PLAIN, TRUMPS, in_order, packed, ranks_of, same_ranks, several, suit_order
from kozyr.search.certain import OPEN, winner_if_empty, winner_of
from kozyr.search.memo import GIVEN_UP, HANGS, NEED_MAX, NO, PUT_OFF, UNKNOWN, Memo
from kozyr.search.modes import (
    BARRED,
    FIVE,
    IN_KEY,
    OPTIONS,
    PLIES_MAX,
    PLY,
    REMAINING,
    SHOWN_A,
    SHOWN_D,
    STOCK,
    TAKES,
    capacity_of,
    less,
    passed_on,
    stock_in,
)
from kozyr.search.path import Path
from kozyr.search.state import ADD, DEFEND, OPEN_BOUT, THROW_IN, State

PLAIN_NODES: Final = 50_000  # nodes for a question that is searched straight on, in the order of trying
LEAF_NODES: Final = 1_500  # nodes for each state that is looked at where that did not do
UNBOUNDED: Final[i64] = ONE << 50


@final
@mypyc_attr(acyclic=True)
class Prover:
    """Answers questions; what it learns stays in the memo."""

    __slots__ = (
        *("cap", "exact", "leaf_nodes", "limit", "listed", "listing", "memo", "neutral", "nodes", "options", "path", "plain_nodes"),
        *("stock", "stock_size", "stopped", "terms"),
    )

    def __init__(self, bits: i64) -> None:
        self.terms: Terms = Terms(Rules())  # the table's, from the question
        self.options: i64 = 0  # the table's options that the answers depend on
        self.memo: Memo = Memo(bits)
        self.path: Path = Path()
        self.nodes: i64 = 0
        self.cap: i64 = 0  # how many nodes may be looked at
        self.stopped: bool = False  # they were not enough
        self.plain_nodes: i64 = PLAIN_NODES
        self.leaf_nodes: i64 = LEAF_NODES
        self.limit: i64 = UNBOUNDED  # the node at which the search is put off
        self.listing: i64 = 0  # what follows a state is listed, not searched: 1, and 2 for the state itself
        self.neutral: i64 = NO  # the answer that decides nothing where what follows is listed
        self.listed: list[State] = []
        self.exact: bool = False  # bout starts are told apart by their very cards
        self.stock: i64 = 0  # 6 bits a card, the first to be drawn lowest
        self.stock_size: i64 = 0

    # bouts

    def open_bout(self, a: i64, d: i64, mode: i64, role: i64) -> i64:
        """Answer for the start of a bout."""
        self.nodes += 1
        path = self.path
        if path.takes_left() < 0:
            if path.is_counting:
                return NO
            return GIVEN_UP
        if self.nodes > self.cap or mode > PLIES_MAX * PLY:
            self.stopped = self.nodes > self.cap
            return GIVEN_UP
        if self.nodes > self.limit and self.listing == 0:
            return PUT_OFF
        if stock_in(mode) == 0:
            winner: i64 = winner_of(a, d, self.terms)
            if winner != OPEN and not path.is_counting:
                if winner != role:
                    return NO
                return (popcount(a) - 1) * role
        rest: i64 = self._rest(mode)
        if stock_in(mode) == 0 and not self.exact:
            pa: i64 = packed(a, d)
            pd: i64 = packed(d, a)
            order: i64 = suit_order(pa, pd)
            a = in_order(pa, order)
            d = in_order(pd, order)
        memo = self.memo
        at: i64 = memo.place(a, d, rest)
        answer: i64 = memo.look(at, role, a, d, rest)
        if answer != UNKNOWN:
            return answer
        if self.terms.transfer and not path.is_counting:
            answer = path.find(a, d, rest << 1 | role)
            if answer != UNKNOWN:
                return answer
        if self.listing:
            answer = self._held_up(OPEN_BOUT, a, d, 0, 0, 0, mode, role)
            if answer == UNKNOWN:
                answer = self._attack(a, d, mode + PLY, role)
            return answer
        before: i64 = self.nodes
        path.push(a, d, rest << 1 | role)
        answer = self._attack(a, d, mode + PLY, role)
        answer = self._settled(answer, path.pop())
        if not self.stopped and answer != PUT_OFF:
            memo.note(at, role, a, d, rest, answer, self.nodes - before)
        return answer

    def _settled(self, answer: i64, has_hung: bool) -> i64:
        """Settle what hangs on a bout, the path's next, that has been searched."""
        depth: i64 = self.path.depth
        if self.stopped:
            return GIVEN_UP
        if answer == PUT_OFF:
            self.memo.drop()
        elif answer >= 0:
            if has_hung:
                self.memo.drop()
        elif answer - HANGS >= depth:
            answer = NO
            if self.memo.low >= depth:
                self.memo.confirm()
        return answer

    def _attack(self, a: i64, d: i64, mode: i64, role: i64) -> i64:
        """Try the attacks that open a bout: ranks held once, then the others, then trumps, low ranks first."""
        mine: bool = role == 1
        total: i64 = -role
        capacity: i64 = capacity_of(d, mode)
        twice: i64 = several(a)
        step: i64 = 0
        while step < 3:
            pool: i64 = a & PLAIN
            if step == 0:
                pool &= ~twice
            elif step == 1:
                pool &= twice
            else:
                pool = a & TRUMPS
            ranks: i64 = ranks_of(pool)
            step += 1
            while ranks:
                cards: i64 = pool & same_ranks(ranks & -ranks)
                ranks &= ranks - 1
                while cards:
                    card: i64 = cards & -cards
                    cards ^= card
                    answer: i64 = self.defend(a ^ card, d, card, card, capacity - 1, mode, role)
                    if (answer >= 0) == mine:
                        return answer
                    if (answer > total) != mine:
                        total = answer
        if self.terms.multi_attack and twice:
            return self._attack_several(a, d, mode, role, total)
        return total

    def _attack_several(self, a: i64, d: i64, mode: i64, role: i64, total: i64) -> i64:
        """Go on with the attacks of several cards of one rank."""
        mine: bool = role == 1
        capacity: i64 = capacity_of(d, mode)
        ranks: i64 = ranks_of(several(a))
        while ranks:
            group: i64 = a & same_ranks(ranks & -ranks)
            ranks &= ranks - 1
            cards: i64 = group
            while cards:
                n: i64 = popcount(cards)
                if 2 <= n and n <= capacity:
                    answer: i64 = self.defend(a ^ cards, d, cards, cards, capacity - n, mode, role)
                    if (answer >= 0) == mine:
                        return answer
                    if (answer > total) != mine:
                        total = answer
                cards = (cards - 1) & group
        return total

    # inside a bout

    def defend(self, a: i64, d: i64, laid: i64, unbeaten: i64, capacity: i64, mode: i64, role: i64) -> i64:
        """Answer for the defender to act: beating, first by cards that bring the attacker no rank; then taking; then transfers."""
        self.nodes += 1
        if self.stopped:
            return GIVEN_UP
        answer: i64
        if self.nodes > self.limit:
            answer = self._held_up(DEFEND, a, d, laid, unbeaten, capacity, mode, role)
            if answer != UNKNOWN:
                return answer
        mine: bool = role == 0
        total: i64 = role - 1
        mode += PLY
        card: i64 = unbeaten & -unbeaten
        left: i64 = unbeaten ^ card
        beating: i64 = d & beaters(lowest(card), TRUMPS)
        if a == 0 and stock_in(mode) == 0 and (beating == 0 or popcount(d) != popcount(unbeaten)):
            return role - 1  # the attacker goes out; only the defender's last cards, each beating one, make it otherwise
        pool: i64 = beating & PLAIN & ~same_ranks(a)
        beating ^= pool
        while pool or beating:
            if pool == 0:
                pool = beating
                beating = 0
            beat: i64 = pool & -pool
            pool ^= beat
            if left:
                answer = self.defend(a, d ^ beat, laid | beat, left, capacity, mode, role)
            elif capacity and a:
                answer = self.throw_in(a, d ^ beat, laid | beat, capacity, mode, role)
            else:
                answer = self._beaten(a, d ^ beat, mode, role)
            if (answer >= 0) == mine:
                return answer
            if (answer > total) != mine:
                total = answer
        answer = self._take(a, d, laid, capacity, mode, role)
        if (answer >= 0) == mine:
            return answer
        if (answer > total) != mine:
            total = answer
        if self.terms.transfer and laid == unbeaten and mode & BARRED == 0:
            answer = self._pass_on(a, d, laid, mode, role)
            if (answer >= 0) == mine:
                return answer
            if (answer > total) != mine:
                total = answer
        return total

    def _pass_on(self, a: i64, d: i64, laid: i64, mode: i64, role: i64) -> i64:
        """Try to transfer and to show; the answer is the worse for the defender where nothing can be passed on."""
        mine: bool = role == 0
        total: i64 = role - 1
        n: i64 = popcount(laid)
        held: i64 = popcount(a)
        same: i64 = d & same_ranks(laid)
        if same == 0 or held < n:
            return total
        limit: i64 = capacity_of(a, mode)
        now: i64 = passed_on(mode)
        answer: i64
        cards: i64 = -same & same
        while cards:
            k: i64 = popcount(cards)
            if k <= held - n and (k == 1 or self.terms.multi_transfer):
                laid_now: i64 = laid | cards
                answer = self.defend(d ^ cards, a, laid_now, laid_now, less(limit, n + k), now, 1 - role)
                if (answer >= 0) == mine:
                    return answer
                if (answer > total) != mine:
                    total = answer
            cards = (cards - same) & same
        if self.terms.show and same & TRUMPS and mode & SHOWN_D == 0:
            answer = self.defend(d, a, laid, laid, less(limit, n), now | SHOWN_A, 1 - role)
            if (answer >= 0) == mine or (answer > total) != mine:
                return answer
        return total

    def throw_in(self, a: i64, d: i64, laid: i64, capacity: i64, mode: i64, role: i64) -> i64:
        """Answer for the attacker to throw in, low cards first, or to pass."""
        fitting: i64 = a & same_ranks(laid)
        if fitting == 0:
            if self.listing == 2:
                self.listing = 1  # what follows is the next bout alone
            return self._beaten(a, d, mode, role)
        self.nodes += 1
        answer: i64
        if self.nodes > self.limit:
            answer = self._held_up(THROW_IN, a, d, laid, 0, capacity, mode, role)
            if answer != UNKNOWN:
                return answer
        mine: bool = role == 1
        total: i64 = -role
        pool: i64 = fitting & PLAIN
        fitting ^= pool
        while pool or fitting:
            if pool == 0:
                pool = fitting
                fitting = 0
            card: i64 = pool & -pool
            pool ^= card
            answer = self.defend(a ^ card, d, laid | card, card, capacity - 1, mode + PLY, role)
            if (answer >= 0) == mine:
                return answer
            if (answer > total) != mine:
                total = answer
        answer = self._beaten(a, d, mode, role)
        if (answer >= 0) == mine or (answer > total) != mine:
            return answer
        return total

    def _take(self, a: i64, d: i64, laid: i64, capacity: i64, mode: i64, role: i64) -> i64:
        """Let the defender take; the attacker may add cards where the table has it so."""
        if self.terms.throw_on_take and capacity and a:
            return self.add(a, d, laid, capacity, mode, role)
        return self._taken(a, d | laid, mode, role)

    def add(self, a: i64, d: i64, laid: i64, capacity: i64, mode: i64, role: i64) -> i64:
        """Answer for the attacker to add cards to a bout that is taken: any set that fits, whatever its order, large ones first."""
        answer: i64
        if self.nodes > self.limit:
            answer = self._held_up(ADD, a, d, laid, 0, capacity, mode, role)
            if answer != UNKNOWN:
                return answer
        mine: bool = role == 1
        total: i64 = -role
        fitting: i64 = a & same_ranks(laid)
        many: i64 = popcount(fitting)
        d |= laid
        if fitting == a and many <= capacity and stock_in(mode) == 0:
            return role - 1
        size: i64 = many
        if size > capacity:
            size = capacity
        while size >= 0:
            cards: i64 = 0
            while True:
                if popcount(cards) == size:
                    answer = self._taken(a ^ cards, d | cards, mode, role)
                    if (answer >= 0) == mine:
                        return answer
                    if (answer > total) != mine:
                        total = answer
                cards = (cards - fitting) & fitting
                if cards == 0:
                    break
            size -= 1
        return total

    # the end of a bout

    def _taken(self, a: i64, d: i64, mode: i64, role: i64) -> i64:
        """Go on after a bout that was taken: the attacker draws and attacks again."""
        left: i64 = stock_in(mode)
        mode &= ~(BARRED | SHOWN_A | SHOWN_D)
        if not self.terms.until_beaten:
            mode &= ~FIVE
        if left:
            return self._drawn(a, d, mode, True, role)
        if a == 0:
            return role - 1
        return self._again(a, d, mode, role)

    def _again(self, a: i64, d: i64, mode: i64, role: i64) -> i64:
        """Start the next bout after one that brought no progress."""
        if self.path.n_dead and self.path.is_dead(a, role):
            return NO
        answer: i64 = self.open_bout(a, d, mode, role)
        if answer >= 0 and answer < NEED_MAX:
            answer += 1
        return answer

    def _beaten(self, a: i64, d: i64, mode: i64, role: i64) -> i64:
        """Go on after a bout that was beaten: both draw, and the defender attacks."""
        left: i64 = stock_in(mode)
        mode &= ~(FIVE | BARRED | SHOWN_A | SHOWN_D)
        if left:
            return self._drawn(a, d, mode, False, role)
        if a == 0:
            if d == 0:
                if winner_if_empty(self.terms) == role:
                    return 0
                return NO
            return role - 1
        if d == 0:
            return -role
        return self._after_progress(d, a, mode, 1 - role)

    def _drawn(self, a: i64, d: i64, mode: i64, is_taken: bool, role: i64) -> i64:
        """
        Go on after both have drawn, the attacker first.

        Source: R10.3.
        """
        left: i64 = stock_in(mode)
        before: i64 = left
        need: i64 = 6 - popcount(a)
        while need > 0 and left:
            a |= ONE << (self._remaining(left) & 63)
            left -= 1
            need -= 1
        need = 6 - popcount(d)
        while need > 0 and left:
            d |= ONE << (self._remaining(left) & 63)
            left -= 1
            need -= 1
        mode ^= (before ^ left) << STOCK
        if not is_taken:
            if d == 0:
                return -role
            return self._after_progress(d, a, mode, 1 - role)
        if left != before:
            return self._after_progress(a, d, mode, role)
        return self._again(a, d, mode, role)

    def _after_progress(self, a: i64, d: i64, mode: i64, role: i64) -> i64:
        """Start a bout that no earlier one can be the same as."""
        path = self.path
        floor: i64 = path.floor
        in_first: bool = path.in_first
        path.floor = path.depth
        path.in_first = False
        answer: i64 = self.open_bout(a, d, mode, role)
        path.floor = floor
        path.in_first = in_first
        if answer > path.takes_max:
            return NEED_MAX
        if answer > 0:
            return 0
        return answer

    # states

    def search(self, state: State) -> i64:
        """Answer for a state, as far as the limit lets it."""
        mode: i64 = state.mode
        if state.kind == OPEN_BOUT:
            return self.open_bout(state.a, state.d, mode, state.role)
        if state.kind == DEFEND:
            return self.defend(state.a, state.d, state.laid, state.unbeaten, state.capacity, mode, state.role)
        if state.kind == ADD:
            return self.add(state.a, state.d, state.laid, state.capacity, mode, state.role)
        return self.throw_in(state.a, state.d, state.laid, state.capacity, mode, state.role)

    def look(self, state: State) -> i64:
        """Look at a state for a few nodes; UNKNOWN if they do not tell."""
        self.path.begin()
        self.limit = self.nodes + self.leaf_nodes
        answer: i64 = self.search(state)
        self.memo.drop()
        if answer >= 0 or answer == NO:
            return answer
        return UNKNOWN

    def list_from(self, state: State, mine: bool) -> i64:
        """List in a state what follows from it, and return PUT_OFF; or return its answer where that is plain."""
        self.path.begin()
        self.limit = -1
        self.listing = 2
        self.neutral = 0
        if mine:
            self.neutral = NO
        self.listed = []
        answer: i64 = self.search(state)
        is_known: bool = self.listing == 2
        self.listing = 0
        if is_known or (answer >= 0) == mine or len(self.listed) == 0:
            return answer
        state.base = answer
        state.follow = self.listed
        return PUT_OFF

    def note(self, state: State, effort: i64) -> None:
        """Keep the answer for a bout start in mind."""
        rest: i64 = self._rest(state.mode)
        at: i64 = self.memo.place(state.a, state.d, rest)
        self.memo.note(at, state.role, state.a, state.d, rest, state.answer, effort)

    def _held_up(self, kind: i64, a: i64, d: i64, laid: i64, unbeaten: i64, capacity: i64, mode: i64, role: i64) -> i64:
        """Answer for a state that is not to be searched now; UNKNOWN for the one from which what follows is listed."""
        if self.listing == 0:
            return PUT_OFF
        if self.listing == 2:
            self.listing = 1
            return UNKNOWN
        self.listed.append(State(kind, a, d, laid, unbeaten, capacity, mode & (PLY - 1), role))
        return self.neutral

    # parts

    def _rest(self, mode: i64) -> i64:
        """Return the part of a key that is neither hands nor bout."""
        rest: i64 = self.options << OPTIONS | mode & IN_KEY
        left: i64 = stock_in(mode)
        if left:
            rest |= self._remaining(left) << REMAINING
        if self.path.is_counting:
            rest |= (self.path.takes_left() + 1) << TAKES
        return rest

    def _remaining(self, left: i64) -> i64:
        """Return the last *left* cards of the stock, 6 bits each, the next one lowest."""
        return self.stock >> 6 * (self.stock_size - left)

"""
The search of large endgames: best first, with the prover for what can be told in a few nodes.

`docs/solver.md` says why the answers are right where bouts repeat.
"""
from __future__ import annotations

from typing import Final, final

from kozyr.core._native import i64, mypyc_attr
from kozyr.core.cards import ONE, popcount
from kozyr.search.memo import HANGS, NEED_MAX, NO, PUT_OFF, UNKNOWN
from kozyr.search.modes import stock_in
from kozyr.search.prover import UNBOUNDED, Prover
from kozyr.search.state import MOVES, OPEN_BOUT, State, is_mine

ENDLESS: Final[i64] = ONE << 30
EFFORT: Final = 0xFFFF


@final
@mypyc_attr(acyclic=True)
class Graph:
    """
    What follows from a question, as far as it has been listed; starts of bouts that are the same are one state.

    The state that is looked at next is the one on which a *yes* and a *no* for the question both hang most nearly: proof numbers say so.
    """

    __slots__ = ("assumed", "hanging", "owners", "prover", "root", "starts", "targets")

    def __init__(self, prover: Prover, root: State) -> None:
        self.prover: Prover = prover
        self.root: State = root
        self.starts: dict[tuple[i64, i64, i64, i64], State] = {}
        self.hanging: list[State] = []  # answered with a no that holds if all targets are no
        self.targets: list[State] = []  # met again on their own way
        self.assumed: list[State] = []  # stand in what follows for targets that are taken to be no
        self.owners: list[State] = []  # the states that they follow

    def run(self, most: i64) -> i64:
        """Go on until there is an answer or the prover has looked at *most* nodes; PUT_OFF then."""
        prover = self.prover
        prover.cap = UNBOUNDED
        prover.path.is_counting = False
        prover.path.takes_first = prover.path.takes_max
        while (self.root.answer == UNKNOWN or self.root.answer == HANGS) and prover.nodes < most:
            top: State = self.root
            if top.answer == HANGS:
                top = self._open_target()
            self._look_once(top, most)
            self._check_targets()
        prover.limit = UNBOUNDED
        if self.root.answer == UNKNOWN or self.root.answer == HANGS:
            return PUT_OFF
        return self.root.answer

    def is_nearer(self, other: Graph) -> bool:
        """Say whether a yes seems nearer here than there."""
        return self.root.proof * other.root.disproof < other.root.proof * self.root.disproof

    def _open_target(self) -> State:
        """Return what an answer still hangs on."""
        for target in self.targets:
            if target.answer == UNKNOWN:
                return target
        return self.root

    def _look_once(self, top: State, most: i64) -> None:
        """Go down to the state that matters most, list what follows from it, and tell those above."""
        way: list[State] = []
        state: State = top
        while True:
            way.append(state)
            state.is_on_way = True
            if not state.is_listed:
                self._expand(state, most)
                break
            self._update(state)
            if state.answer != UNKNOWN:
                break
            child: State = self._chosen(state)
            if child.is_on_way:
                self._assume(state, child)
                break
            state = child
        i: i64 = len(way)
        while i > 0:
            i -= 1
            way[i].is_on_way = False
            self._update(way[i])

    def _chosen(self, state: State) -> State:
        """Choose what decides a state most cheaply."""
        mine: bool = is_mine(state)
        best: State = state
        least: i64 = ENDLESS * 2
        for child in state.follow:
            if child.answer != UNKNOWN:
                continue
            number: i64 = child.disproof
            if mine:
                number = child.proof
            if number < least:
                least = number
                best = child
        return best

    def _assume(self, state: State, target: State) -> None:
        """Take a bout start that is met again on its own way to be a no, until it is answered itself."""
        assumed = State(OPEN_BOUT, target.a, target.d, 0, 0, 0, target.mode, target.role)
        assumed.answer = HANGS
        follow: list[State] = []
        for child in state.follow:
            if child is target:
                follow.append(assumed)
            else:
                follow.append(child)
        state.follow = follow
        self.assumed.append(assumed)
        self.owners.append(state)
        self.targets.append(target)

    def _check_targets(self) -> None:
        """If one of the targets is a yes, forget what hangs on them; if all are no, it hangs on nothing any more."""
        if len(self.targets) == 0:
            return
        is_open: bool = False
        for target in self.targets:
            if target.answer >= 0:
                self._forget()
                return
            if target.answer == UNKNOWN:
                is_open = True
        if is_open:
            return
        for state in self.hanging:
            state.answer = NO
        for state in self.assumed:
            state.answer = NO
        self._clear()

    def _forget(self) -> None:
        """Let what hangs on the targets be open again, as if it had not been looked at."""
        for state in self.hanging:
            state.answer = UNKNOWN
            state.close()
        for state in self.owners:
            if state.answer == UNKNOWN:
                state.close()
        self._clear()

    def _clear(self) -> None:
        self.hanging = []
        self.targets = []
        self.assumed = []
        self.owners = []

    def _expand(self, state: State, most: i64) -> None:
        """List what follows from a state, and let the prover look at each a little."""
        prover = self.prover
        mine: bool = is_mine(state)
        answer: i64 = prover.list_from(state, mine)
        if answer != PUT_OFF:
            state.answer = answer
            return
        state.is_listed = True
        i: i64 = 0
        n: i64 = len(state.follow)
        while i < n:
            child: State = state.follow[i]
            if child.kind == OPEN_BOUT:
                key = (child.a, child.d, child.mode, child.role)
                known = self.starts.get(key)
                if known is None:
                    self.starts[key] = child
                else:
                    state.follow[i] = known
                    child = known
            if not child.is_listed and child.answer == UNKNOWN and not child.is_on_way and prover.nodes < most:
                child.answer = prover.look(child)
            if child.answer != UNKNOWN and (child.answer >= 0) == mine:
                return
            i += 1

    def _update(self, state: State) -> None:
        """Work out from what follows what is known about a state."""
        if not state.is_listed or state.answer != UNKNOWN:
            return
        mine: bool = is_mine(state)
        n_open: i64 = 0
        least: i64 = ENDLESS
        total: i64 = 0
        worst: i64 = state.base
        found: i64 = UNKNOWN
        for child in state.follow:
            answer: i64 = child.answer
            if answer == UNKNOWN:
                n_open += 1
                one: i64 = child.disproof
                other: i64 = child.proof
                if mine:
                    one = child.proof
                    other = child.disproof
                if other > total:
                    total = other
                if one < least:
                    least = one
                continue
            if answer >= 0 and child.kind == OPEN_BOUT:
                answer = self._needed(state, child)
            if (answer >= 0) == mine:
                if found == UNKNOWN or (answer < found) == mine:
                    found = answer
            elif (answer > worst) != mine:
                worst = answer
        if found == UNKNOWN and n_open == 0:
            found = worst
        if found != UNKNOWN:
            self._answer(state, found)
            return
        total += n_open - 1  # a sum would count states twice that are met in several ways
        if total > ENDLESS:
            total = ENDLESS
        state.proof = total
        state.disproof = least
        if mine:
            state.proof = least
            state.disproof = total

    def _needed(self, state: State, child: State) -> i64:
        """Return the takes in a row that a yes for a bout start needs, told from the bout before."""
        if stock_in(child.mode) != stock_in(state.mode) or popcount(child.a | child.d) != popcount(state.a | state.d | state.laid):
            if child.answer > self.prover.path.takes_max:
                return NEED_MAX
            return 0
        if child.answer < NEED_MAX:
            return child.answer + 1
        return NEED_MAX

    def _answer(self, state: State, answer: i64) -> None:
        """Note the answer for a state."""
        state.answer = answer
        if state.kind != MOVES:
            state.follow = []
        if answer == HANGS:
            self.hanging.append(state)
        elif state.kind == OPEN_BOUT and state is not self.root:
            self.prover.note(state, EFFORT)

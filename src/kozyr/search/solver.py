"""The exact solver as Python sees it: what a position is worth, the moves that keep it, and a best line."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kozyr.core.codes import OVER, TRANSFER_LOST
from kozyr.core.judge import legal_moves
from kozyr.core.moves import Move
from kozyr.core.play import play_legal
from kozyr.core.position import Position
from kozyr.search.asking import UNSOLVED, WIN, probe, value
from kozyr.search.memo import NO, UNKNOWN
from kozyr.search.prover import Prover

NODE_CAP = 20_000_000
"""Nodes that are looked at where nobody says otherwise: a second or two with the compiled engine."""

STOCK_MAX = 4
BITS = 16
LINE_MAX = 500


@dataclass(frozen=True, slots=True)
class Solution:
    """
    What a search found.

    `values` says by seat, for the two that are in, 1 for a win, 0 for a draw, -1 for being the durak; it is empty where the nodes did
    not tell. `best` are the moves of the seat whose turn it is that keep its value, `line` a game to the end in which both seats keep
    theirs; it is cut short where nodes run out.
    """

    solved: bool
    values: Mapping[int, int]
    best: tuple[Move, ...]
    line: tuple[Move, ...]
    nodes: int
    moves: Mapping[Move, int | None] = field(repr=False)


class Solver:
    """
    Solves positions one after the other and remembers what it has learnt, whatever the tables' options.

    *bits* is the size of its memory: 2^bits places of 64 bytes.
    """

    def __init__(self, bits: int = BITS) -> None:
        self.prover = Prover(bits)
        self.nodes = 0

    def value(self, position: Position, seat: int, node_cap: int = NODE_CAP) -> int | None:
        """
        Return what a position is worth to a seat that is in: 1, 0 or -1; None where *node_cap* nodes do not tell.

        Raises: ValueError for a position that is not for the solver.
        """
        check(position)
        if not 0 <= seat < position.terms.seats or (position.phase != OVER and not position.seats_in >> seat & 1):
            raise ValueError(f"seat {seat} is not in")
        self.nodes = 0
        return self._value(position, seat, node_cap)

    def solve(self, position: Position, node_cap: int = NODE_CAP) -> Solution:
        """
        Solve a position whose seat to act is *turn*, play going on turn by turn.

        Raises: ValueError for a position that is not for the solver.
        """
        check(position)
        self.nodes = 0
        seat = int(position.turn)
        if position.phase == OVER:
            return Solution(True, _values_over(position), (), (), 0, {})
        other = int(position.after(seat))
        worth = self._value(position, seat, node_cap)
        if worth is None:
            return Solution(False, {}, (), (), self.nodes, {})
        moves = self._moves(position, node_cap)
        best = tuple(move for move, each in moves.items() if each == worth)
        line = self._line(position, worth, node_cap)
        return Solution(True, {seat: worth, other: -worth}, best or line[:1], line, self.nodes, moves)

    def moves(self, position: Position, node_cap: int = NODE_CAP) -> dict[Move, int | None]:
        """
        Return what every move is worth to the seat whose turn it is; None where the nodes, shared by all, do not tell.

        Raises: ValueError for a position that is not for the solver.
        """
        check(position)
        self.nodes = 0
        return self._moves(position, node_cap)

    def _value(self, position: Position, seat: int, node_cap: int) -> int | None:
        if self.nodes >= node_cap:
            return None
        worth = int(value(self.prover, position, seat, node_cap - self.nodes))
        self.nodes += int(self.prover.nodes)
        return None if worth == UNSOLVED else worth

    def _moves(self, position: Position, node_cap: int) -> dict[Move, int | None]:
        seat = int(position.turn)
        return {move: self._value(after(position, move), seat, node_cap) for move in moves_of(position)}

    def _line(self, position: Position, worth: int, node_cap: int) -> tuple[Move, ...]:
        """Play on with moves that keep the value; the game's own rules end it, since the value knows them."""
        line: list[Move] = []
        seat = int(position.turn)
        winner = None if worth == 0 else seat if worth == WIN else int(position.after(seat))
        while position.phase != OVER and len(line) < LINE_MAX:
            move = self._keeping(position, winner, node_cap)
            if move is None:
                break
            line.append(move)
            position = after(position, move)
        return tuple(line)

    def _keeping(self, position: Position, winner: int | None, node_cap: int) -> Move | None:
        """Find a move that keeps the value; where bouts can repeat, the winner takes the shortest way to progress."""
        seat = int(position.turn)
        found: list[tuple[int, Move]] = []
        for move in moves_of(position):
            if winner is not None and winner != seat:
                return move
            answer = self._probe(after(position, move), int(position.after(seat)) if winner is None else seat, node_cap)
            if answer == UNKNOWN:
                return None
            if (answer == NO) == (winner is None):
                found.append((answer, move))
                if not position.terms.transfer:
                    break
        return min(found, key=lambda each: each[0])[1] if found else None

    def _probe(self, position: Position, seat: int, node_cap: int) -> int:
        if self.nodes >= node_cap:
            return UNKNOWN
        answer = int(probe(self.prover, position, seat, node_cap - self.nodes))
        self.nodes += int(self.prover.nodes)
        return answer


def solve(position: Position, node_cap: int = NODE_CAP) -> Solution:
    """Solve a position with a fresh solver; see `Solver.solve`."""
    return Solver().solve(position, node_cap)


def best_actions(position: Position, node_cap: int = NODE_CAP) -> dict[Move, int | None]:
    """Return what every move is worth with a fresh solver; see `Solver.moves`."""
    return Solver().moves(position, node_cap)


def explain(position: Position, node_cap: int = NODE_CAP) -> list[str]:
    """
    Tell a solution in lines of text: the value, the moves that keep it, a best line in notation, the nodes.

    Raises: ValueError for a position that is not for the solver.
    """
    solution = solve(position, node_cap)
    if not solution.solved:
        return [f"not solved within {solution.nodes:,} nodes"]
    winners = [seat for seat, worth in solution.values.items() if worth == WIN]
    told = [f"seat {winners[0]} wins" if winners else "drawn"]
    if position.phase != OVER:
        told.append("best: " + ", ".join(str(move) for move in solution.best))
        told.append("line: " + ", ".join(str(move) for move in solution.line))
    told.append(f"nodes: {solution.nodes:,}")
    return told


def moves_of(position: Position) -> list[Move]:
    """List the moves of the seat whose turn it is when play goes turn by turn."""
    return legal_moves(position, int(position.turn))


def after(position: Position, move: Move) -> Position:
    """Return the position after a legal move; the one before stays as it is."""
    child = position.copy()
    play_legal(child, move)
    return child


def check(position: Position) -> None:
    """
    Refuse a position that the solver cannot take.

    Raises: ValueError that says why.
    """
    if position.terms.cheat:
        raise ValueError("the solver takes honest tables only: whether a card was lawful decides nothing there")
    if position.phase == OVER:
        return
    seats_in = [seat for seat in range(position.terms.seats) if position.seats_in >> seat & 1]
    if len(seats_in) != 2:
        raise ValueError(f"{len(seats_in)} seats are in: the solver takes two, and kozyr.search.many more")
    stock = position.deal.size - position.top
    if stock > STOCK_MAX:
        raise ValueError(f"{stock} cards are in the stock: the solver takes {STOCK_MAX} at most")
    empty = {seat for seat in seats_in if not position.hands[seat]}
    emptied = {(position.emptied >> 4 * i & 15) - 1 for i in range(6)} - {-1}
    if emptied != empty:
        raise ValueError("the seats that have run out in this bout are not those without cards")
    if bool(position.rights & TRANSFER_LOST) != bool(position.beaten):
        raise ValueError("the right to transfer is lost by beating a card, and by nothing else")


def _values_over(position: Position) -> dict[int, int]:
    """Return the values of a game that is over: 0 for all in a draw, else 1 for all but the durak."""
    seats = range(position.terms.seats)
    if position.durak < 0:
        return dict.fromkeys(seats, 0)
    return {seat: -1 if seat == position.durak else 1 for seat in seats}

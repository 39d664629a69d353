"""`kozyr solve`: an endgame explained, or a bigger table under an assumption."""
from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter, validators

from kozyr.cli.perft import interruptible
from kozyr.cli.reading import Line, Switch, read_file, read_position, read_text
from kozyr.cli.trouble import Trouble
from kozyr.cli.words import Words
from kozyr.core import FORM
from kozyr.core.codes import OVER
from kozyr.core.moves import Move
from kozyr.core.notation import LENGTH_MAX, format_position
from kozyr.core.play import play_legal, result_of
from kozyr.core.position import Position
from kozyr.core.views import view
from kozyr.search import NODE_CAP, Assumption, Solution, Solver, look_ahead
from kozyr.search.solver import check

NODES = {"compiled": NODE_CAP, "interpreted": 500_000}
"""Nodes that are looked at where nobody says otherwise: a few seconds in either form of the engine."""

POSITIONS_MAX = 1000
WORTH = {1: "wins", 0: "draws", -1: "loses", None: "not solved"}
ASSUMED = {
    Assumption.PARANOID: "If all others play against {who}",
    Assumption.MAXN: "If everybody plays for the best place",
}

Nodes = Annotated[int | None, Parameter(validator=validators.Number(gte=1, lte=1_000_000_000_000))]


def solve(position: Line, /, *, nodes: Nodes = None, spoken: Switch = False) -> int:
    """
    Explain an endgame: who wins by force, what every move is worth, how a best game goes on.

    With two seats in and at most four cards in the stock the answer is exact. With three and more it rests on an assumption, which is said.

    Parameters
    ----------
    position
        A position line, a deal such as start:deck=36,seats=2,seed=1, or a file with a position a line. '-' reads standard input.
    nodes
        How many nodes are looked at at most.
    spoken
        Write cards out: seven of hearts.
    """
    cap = nodes or NODES[FORM]
    is_solved = True
    for number, (place, text) in enumerate(given(position)):
        try:
            root = read_position(text)
            if number:
                print()
            if place:
                print(format_position(root))
            is_solved &= explain(root, cap, spoken)
        except Trouble as trouble:
            raise Trouble(f"{place}{trouble}") from None
    return 0 if is_solved else 1


def given(text: str) -> Iterator[tuple[str, str]]:
    """List the positions that are asked about, each with where it stands. Raises: Trouble."""
    path = Path(text)
    try:
        is_file = text != "-" and path.is_file()
    except (OSError, ValueError):  # too long for a name
        is_file = False
    if text != "-" and not is_file:
        yield "", text
        return
    whole = read_file(path, LENGTH_MAX * POSITIONS_MAX) if is_file else read_text(LENGTH_MAX * POSITIONS_MAX)
    lines = [(number, line.strip()) for number, line in enumerate(whole.splitlines(), 1)]
    asked = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not asked or len(asked) > POSITIONS_MAX:
        raise Trouble(f"{text if is_file else 'standard input'} has {len(asked)} positions: one a line, and {POSITIONS_MAX} at most")
    for number, line in asked:
        yield "" if len(asked) == 1 else f"line {number}: ", line


def explain(position: Position, cap: int, spoken: bool) -> bool:
    """Explain one position; say whether it was solved. Raises: Trouble."""
    seats_in = int(position.seats_in).bit_count()
    words = Words(tuple(f"seat {seat}" for seat in range(position.rules.seats)), None, spoken)
    if position.phase == OVER:
        print(words.tell_result(result_of(position)))
        return True
    if position.terms.cheat:
        raise Trouble("position: only honest tables can be solved: whether a card was lawful decides nothing there")
    if seats_in == 2:
        try:
            check(position)
        except ValueError as error:
            raise Trouble(f"position: {error}") from None
    for sentence in words.situation(view(position, None)):
        print(sentence)
    for seat in range(position.rules.seats):
        if position.seats_in >> seat & 1:
            print(f"Seat {seat} holds {words.hand(view(position, seat))}.")
    print(f"It is seat {int(position.turn)}'s turn.")
    with interruptible():
        return look_further(position, cap, words) if seats_in > 2 else solve_exactly(position, cap, words)


def solve_exactly(position: Position, cap: int, words: Words) -> bool:
    """Tell the value, every move's worth and a best line; say whether the nodes did."""
    began = time.perf_counter()
    found = Solver().solve(position, cap)
    spent = f"{found.nodes:,} nodes in {1000 * (time.perf_counter() - began):,.1f} ms."
    if not found.solved:
        print(f"Not solved: {spent} More may do, with --nodes.")
        return False
    print(verdict(found, words))
    tell_moves(position, found, words)
    tell_line(position, found.line, words)
    print(spent)
    return True


def verdict(found: Solution, words: Words) -> str:
    """Say who wins."""
    winner = next((seat for seat, worth in found.values.items() if worth == 1), None)
    if winner is None:
        return "Drawn: neither seat can force a win."
    durak = next(seat for seat in found.values if seat != winner)
    return f"{words.does(winner, 'win')} by force: {words.who(durak)} is the durak, whatever it plays."


def tell_moves(position: Position, found: Solution, words: Words) -> None:
    """Tell what each move is worth to the seat whose turn it is."""
    print(f"What each move is worth to seat {int(position.turn)}:")
    wide = max(len(words.move(move)) for move in found.moves)
    for move, worth in found.moves.items():
        print(f"  {words.move(move):<{wide}}  {WORTH[worth]}")


def tell_line(position: Position, line: tuple[Move, ...], words: Words) -> None:
    """Tell how a best game goes on, in notation and in words."""
    print("A best line:")
    wide = max((len(str(move)) for move in line), default=0)
    child = position.copy()
    for number, move in enumerate(line, 1):
        events = play_legal(child, move)
        print(f"  {number:>3}  {move!s:<{wide}}  {' '.join(words.tell(event) for event in events)}")
    if child.phase != OVER:
        print("  The nodes did not tell how it goes on.")


def look_further(position: Position, cap: int, words: Words) -> bool:
    """Tell what is best with three seats and more under each assumption; say whether a search came to the end of every line."""
    seat = int(position.turn)
    print("With three seats and more nobody wins by force. Scores are shares of a pot split by places: 2 for the first, 0 for the durak.")
    is_solved = True
    for assumption, text in ASSUMED.items():
        began = time.perf_counter()
        found = look_ahead(position, assumption, cap)
        said = text.format(who=f"seat {seat}")
        spent = f"{found.nodes:,} nodes in {1000 * (time.perf_counter() - began):,.1f} ms"
        is_solved &= found.exact
        if found.move is None:
            print(f"{said}: not solved, not even for this bout; {spent}.")
            continue
        scores = ", ".join(f"seat {each} {score:.2f}" for each, score in found.scores.items())
        print(f"{said}: {words.move(found.move)} ({scores}).")
        bouts = f"{found.bouts} bout{'' if found.bouts == 1 else 's'}"
        print(f"  {'To the end of every line' if found.exact else f'Not solved: {bouts} ahead, estimated beyond'}; {spent}.")
    return is_solved

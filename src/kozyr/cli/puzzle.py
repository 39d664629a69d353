"""`kozyr puzzle`: a Durak problem in the terminal."""
from __future__ import annotations

import secrets
from typing import Annotated

from cyclopts import Parameter, validators

from kozyr.cli.perft import interruptible
from kozyr.cli.play import ask
from kozyr.cli.reading import Switch
from kozyr.cli.solve import NODES, WORTH, tell_line
from kozyr.cli.terminal import tidy
from kozyr.cli.trouble import Trouble
from kozyr.cli.words import Words
from kozyr.core import FORM
from kozyr.core.judge import legal_moves
from kozyr.core.moves import Move, parse_move_of
from kozyr.core.options import format_options
from kozyr.core.position import Position
from kozyr.core.views import view
from kozyr.puzzles import GRADES, Puzzle, puzzles
from kozyr.search import Solution, Solver

Grade = Annotated[int | None, Parameter(validator=validators.Number(gte=1, lte=GRADES))]


def puzzle(number: int | None = None, /, *, grade: Grade = None, solution: Switch = False, spoken: Switch = False) -> int:
    """
    Solve a Durak problem: one move alone keeps the win, or the draw, against any defence.

    Parameters
    ----------
    number
        Which problem; without it any.
    grade
        Any problem of this grade, 1 (easy) to 5.
    solution
        Show the solution at once.
    spoken
        Write cards out: seven of hearts.
    """
    chosen = pick(number, grade)
    position = chosen.position
    seat = int(position.turn)
    words = Words(tuple("you" if each == seat else "the other" for each in range(position.rules.seats)), seat, spoken)
    show(chosen, position, words)
    moves = legal_moves(position, seat)
    for at, move in enumerate(moves, 1):
        print(f"{at}: {words.move(move)}")
    if not solution and not is_found(chosen, position, moves, words):
        return 0
    print(f"The solution: {words.move(chosen.move)}.")
    tell_line(position, worths(position).line, words)
    return 0


def is_found(chosen: Puzzle, position: Position, moves: list[Move], words: Words) -> bool:
    """Ask until the move is found; False where the person leaves."""
    while True:
        answer = ask("Your move: ")
        if answer is None or answer.strip().lower() in ("quit", "exit", "q"):
            return False
        move = understood(answer, moves, int(position.turn))
        if move is None:
            print("Type the number of a move, or the move itself; quit leaves.")
        elif move == chosen.move:
            print("Right!")
            return True
        else:
            print(f"No: {words.move(move)} {WORTH[worths(position).moves.get(move)]}. Try again.")


def pick(number: int | None, grade: int | None) -> Puzzle:
    """Choose the problem that was asked for, or any. Raises: Trouble."""
    try:
        every = puzzles()
    except ValueError as error:
        raise Trouble(str(error)) from None
    if number is not None:
        if not 1 <= number <= len(every):
            raise Trouble(f"there is no problem {number}: there are {len(every)}")
        return every[number - 1]
    return secrets.choice([each for each in every if grade in (None, each.grade)])


def show(chosen: Puzzle, position: Position, words: Words) -> None:
    """Tell the problem: the table, the task, what lies, and both hands."""
    task = "you win" if chosen.keeps == "win" else "you draw"
    print(f"Problem {chosen.n}, grade {chosen.grade} of {GRADES}. {format_options(position.rules.differences())}")
    print(f"One move alone: {task}, whatever the other plays. All cards are known.")
    for sentence in words.situation(view(position, None)):
        print(sentence)
    stock = [int(position.deal.cards[at]) for at in range(position.top, position.deal.size)]
    if stock:
        print(f"The stock, the next card first: {words.cards(stock)}.")
    for each in range(position.rules.seats):
        print(f"{words.does(each, 'hold')} {words.hand(view(position, each))}.")


def understood(answer: str, moves: list[Move], seat: int) -> Move | None:
    """Read an answer: the number of a move, or a move in notation; None for anything else."""
    word = " ".join(answer.split())
    if word.isdecimal() and len(word) < 4:
        return moves[int(word) - 1] if 1 <= int(word) <= len(moves) else None
    try:
        move = parse_move_of(seat, tidy(word))
    except ValueError:
        return None
    return move if move in moves else None


def worths(position: Position) -> Solution:
    """Solve the problem's position."""
    with interruptible():
        return Solver().solve(position, NODES[FORM])

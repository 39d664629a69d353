"""A game in the terminal: one person at a table of bots, in plain lines."""
from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from kozyr.bots import Choose, Memory
from kozyr.bots.easy import choose_honestly
from kozyr.cli.words import Words
from kozyr.core.cards import RANKS, SUITS, format_card
from kozyr.core.codes import OVER
from kozyr.core.events import seen_by
from kozyr.core.judge import refusal, waiting_for
from kozyr.core.moves import KINDS, Move, parse_move_of
from kozyr.core.play import play
from kozyr.core.position import Position
from kozyr.core.views import View, view
from kozyr.wire.codes import MOVES

Say = Callable[[str], None]
Ask = Callable[[str], str | None]
"""Put a question and return the answer, or None where there is nobody to answer any more."""

HELP = (
    "Type the number of a move, or the move itself: attack 7h, beat 7h 8h, transfer 7s, take, pass.",
    "A card alone is enough where only one move plays it. A card is a rank 2 to 9, T, J, Q, K or A and a suit c, d, h or s.",
    "table: what lies, and who holds how many cards. hand: your cards. moves: your moves.",
    "resign: give the game up. quit, or Ctrl-D: leave. help: this.",
)
HAND_OVER = "You leave your seat to the easy bot."


class Left(Exception):
    """The person has left in mid-game."""


class Terminal:
    """
    One game between the person in the seat *you* and the bots of the other seats.

    `moves` holds every move played so far. After `resign` at a table that plays on, a bot plays the person's seat to the end.
    """

    def __init__(self, position: Position, you: int, bots: Mapping[int, Choose], words: Words, say: Say, ask: Ask) -> None:
        self.moves: list[Move] = []
        self._position = position
        self._memory = Memory.at(view(position, None))
        self._you = you
        self._bots = dict(bots)
        self._words = words
        self._say = say
        self._ask = ask
        self._declined: tuple[int, tuple[Move, ...]] = (0, ())

    def play(self) -> None:
        """
        Play the game to its end.

        Raises: Left.
        """
        while self._position.phase != OVER:
            move = self._next()
            if move is not None:
                self.moves.append(move)
                for event in play(self._position, move):
                    self._memory.see(seen_by(event, None))
                    self._say(self._words.tell(seen_by(event, self._you)))

    def _next(self) -> Move | None:
        """Ask the person, or the bots from the attacker clockwise; None where the person waits or gives up the seat."""
        position = self._position
        waiting = waiting_for(position)
        seen = view(position, self._you)
        is_person = self._you not in self._bots
        must_move = is_person and self._you in seen.waiting and any(move.kind != "challenge" for move in seen.legal)
        if is_person and not must_move and seen.legal and (seen.bout_no, seen.legal) != self._declined:
            return self._choose(seen, may_wait=True)
        for seat in range(position.attacker, position.attacker + position.rules.seats):
            at = seat % position.rules.seats
            if at == self._you and must_move:
                return self._choose(seen, may_wait=False)
            if at in self._bots and waiting >> at & 1:
                move = self._bots[at](view(position, at), self._memory)
                if move is not None:
                    return move
        raise AssertionError("the game waits for nobody who can move")

    # the person

    def _choose(self, seen: View, may_wait: bool) -> Move | None:
        """Ask until there is a move; None to wait, or when the person gives up the seat."""
        for line in self._words.situation(seen):
            self._say(line)
        self._say(f"Your hand: {self._words.hand(seen)}.")
        self._list(seen)
        while True:
            answer = self._ask("Your move, or Enter to wait: " if may_wait else "Your move: ")
            if answer is None:
                raise Left
            word = " ".join(answer.split())
            if not word and may_wait:
                self._declined = (seen.bout_no, seen.legal)
                return None
            if word.lower() == "resign" and seen.rules.forfeit == "autopilot":
                self._say(HAND_OVER)
                self._bots[self._you] = stand_in
                return None
            move = self._answered(word, seen)
            if move is not None:
                return move

    def _answered(self, word: str, seen: View) -> Move | None:
        """Understand an answer: a move, or None where it was something else, which is done or explained."""
        match word.lower():
            case "":
                self._say("Type the number of a move; help says what else.")
            case "help" | "?":
                self._say_all(HELP)
            case "table":
                self._say_all(self._words.situation(seen))
            case "hand":
                self._say(f"Your hand: {self._words.hand(seen)}.")
            case "moves":
                self._list(seen)
            case "quit" | "exit" | "q":
                raise Left
            case _:
                return self._read(word, seen)
        return None

    def _read(self, word: str, seen: View) -> Move | None:
        if word.isdecimal() and len(word) < 4:
            if 1 <= int(word) <= len(seen.legal):
                return seen.legal[int(word) - 1]
            self._say(f"There is no move {word}: there are {len(seen.legal)}.")
            return None
        text = tidy(word)
        playing = [move for move in seen.legal if move.kind != "challenge" and move.cards and format_card(move.cards[-1]) == text]
        if len(playing) == 1:
            return playing[0]
        try:
            move = parse_move_of(self._you, text)
        except ValueError as error:
            self._say(f"{len(playing)} moves play that card; type a number." if playing else f"{_short(str(error))}. Type help for help.")
            return None
        code = refusal(self._position, move)
        if code:
            self._say(f"You cannot: {MOVES[code]}")
            return None
        return move

    def _list(self, seen: View) -> None:
        for number, move in enumerate(seen.legal, start=1):
            self._say(f"{number}: {self._words.move(move)}")

    def _say_all(self, lines: tuple[str, ...] | list[str]) -> None:
        for line in lines:
            self._say(line)


def stand_in(view: View, memory: Memory | None = None) -> Move | None:
    """Play on for a person who has left: easy's rules, and honestly at a cheating table too."""
    return choose_honestly(view)


def tidy(answer: str) -> str:
    """Write an answer as the notation has it, where only case and tens differ: `Beat 10H jh` is `beat Th Jh`."""
    words = answer.split(" ")
    return " ".join(_card(word) if _CARD.fullmatch(word) else word.lower() if word.lower() in KINDS else word for word in words)


_CARD = re.compile(rf"(?:10|[{RANKS}])[{SUITS}]", re.IGNORECASE)


def _card(word: str) -> str:
    return word[:-1].upper().replace("10", "T") + word[-1].lower()


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:200] + "…"

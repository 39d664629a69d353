"""
A game of Durak, played literally by the rules and slowly.

Written from the rules alone, as an oracle for the engine that people play with.
"""

from __future__ import annotations

from typing import Any

from .bout import CHALLENGE, DEFENCE, OPENING, OVER, TAKING, THROW_IN, Play
from .cards import beats, height
from .cheating import challenge
from .ending import begin_taking, close_bout, forfeit, settle, start_bout
from .legal import legal_moves
from .options import Options
from .table import Table


class Refused(Exception):
    """
    Say that a move is not accepted; nothing has changed.
    """


class Game(Table):
    """
    Play one game from its deal; cards are texts like "7h", moves are texts like "beat 7h 8h".
    """

    def __init__(
        self, options: Options, hands: list[list[str]], stock: list[str], trump: str, attacker: int | None = None
    ) -> None:
        super().__init__(options, hands, stock, trump)
        if attacker is not None:
            start_bout(self, attacker)

    def legal(self, seat: int) -> list[str]:
        """
        List what is accepted from *seat* now, sorted, without "resign".
        """
        return legal_moves(self, seat)

    def do(self, seat: int, text: str) -> None:
        """
        Play a move.

        Raises: Refused.
        """
        if text == "resign":
            if self.result is not None or seat not in self.seats_in():
                raise Refused(f"{seat} {text}")
            forfeit(self, seat)
            return
        if text not in self.legal(seat):
            raise Refused(f"{seat} {text}")
        verb, *cards = text.split()
        match verb:
            case "attack":
                self._attack(seat, cards)
            case "beat":
                self._beat(seat, *cards)
            case "transfer":
                self._transfer(seat, cards)
            case "show":
                self.bout.shown.add(seat)
                self._pass_on(seat)
            case "take":
                begin_taking(self)
            case "pass":
                self._pass(seat)
            case "challenge":
                challenge(self, seat, *cards)
            case "accept":
                self._accept(seat)

    def default_move(self, seat: int) -> str | None:
        """
        Name the move that the timer plays for *seat*, None if the game does not wait for it.

        Source: R16.2.
        """
        if self.result is not None or seat in self.out:
            return None
        bout = self.bout
        if bout.phase == OPENING and seat == bout.attacker:
            return "attack " + min(self.hands[seat], key=lambda card: (card[1] == self.trump, height(card), "shdc".index(card[1])))
        if bout.phase == DEFENCE and seat == bout.defender:
            return "take"
        if bout.phase in (THROW_IN, TAKING) and self.may_pass(seat):
            return "pass"
        if bout.phase == CHALLENGE and seat not in bout.accepted:
            return "accept"
        return None

    def state(self) -> dict[str, Any]:
        """
        Describe the position in the form of the traces.
        """
        bout, result = self.bout, self.result
        return {
            "hands": [sorted(hand) for hand in self.hands],
            # After a forfeit the bout lies as it was; otherwise a finished game has none.
            "bout": [] if result is not None and result.reason != "forfeit" else [list(pair) for pair in bout.pairs()],
            "phase": bout.phase,
            "attacker": None if bout.phase == OVER else bout.attacker,
            "defender": None if bout.phase == OVER else bout.defender,
            "capacity": 0 if bout.phase == OVER else bout.capacity(),
            "stock": len(self.stock),
            "discard": self.discard,
            "places": list(self.out),
            "result": None
            if result is None
            else {"kind": result.kind, "durak": result.durak, "reason": result.reason, "payout": list(result.payout)},
        }

    def _put(self, seat: int, play: Play) -> None:
        """
        Move a card from a hand into the bout.

        Source: R11.5 for the order in which hands become empty.
        """
        self.hands[seat].remove(play.card)
        self.bout.plays.append(play)
        if not self.hands[seat]:
            self.emptied.append(seat)

    def _attack(self, seat: int, cards: list[str]) -> None:
        """
        Open the bout or throw in.

        Source: R4, R5; R14.3 for what is lawful.
        """
        bout = self.bout
        opening = bout.phase == OPENING
        for card in cards:
            self._put(seat, Play(card, seat, opening=opening, lawful=opening or card[0] in bout.ranks()))
        bout.join(seat)
        if seat == bout.attacker and not self.hands[seat]:
            bout.floor_open = True
        if bout.phase in (OPENING, THROW_IN):
            bout.phase = DEFENCE
            bout.passed.clear()
        settle(self)

    def _beat(self, seat: int, attack: str, card: str) -> None:
        """
        Beat one card.

        Source: R5.4, R7, R8.3; R14.3 for what is lawful.
        """
        bout = self.bout
        self._put(seat, Play(card, seat, beaten=attack, lawful=beats(card, attack, self.trump)))
        bout.transfer_lost = True
        bout.passed.clear()
        if not bout.unbeaten():
            bout.phase = THROW_IN
            settle(self)

    def _transfer(self, seat: int, cards: list[str]) -> None:
        """
        Transfer by playing cards of the rank.

        Source: R8.1, R8.7.
        """
        for card in cards:
            self._put(seat, Play(card, seat))
        self._pass_on(seat)

    def _pass_on(self, seat: int) -> None:
        """
        Make *seat* the attacker and the next seat in the defender.

        Source: R5.4, R5.5, R8.4-R8.6, R10.3.
        """
        bout = self.bout
        bout.join(seat)
        bout.attacker = seat
        bout.defender = self.next_in(seat)
        bout.h0 = len(self.hands[bout.defender])
        bout.passed.clear()
        bout.floor_open = not self.hands[seat]

    def _pass(self, seat: int) -> None:
        """
        Give up throwing in for this phase.

        Source: R5.4, R5.5.
        """
        self.bout.passed.add(seat)
        if seat == self.bout.attacker:
            self.bout.floor_open = True
        settle(self)

    def _accept(self, seat: int) -> None:
        """
        Let the bout close; it does when every seat in has accepted.

        Source: R14.5.
        """
        self.bout.accepted.add(seat)
        if self.bout.accepted.issuperset(self.seats_in()):
            close_bout(self)

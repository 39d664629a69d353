"""
What the examples and the traces ask of an engine, and the engines that there are.

Cards, moves and options are texts and plain values in the notation of the rules, so that no engine's types show here.
"""

from __future__ import annotations

from typing import Any, Protocol

from tests.reference.dealing import deal, first_attacker
from tests.reference.game import Game, Refused
from tests.reference.options import may_be_opened
from tests.reference.paying import shares_after_forfeit, shares_by_place
from tests.reference.reading import facts, from_position

__all__ = ["ENGINES", "Engine", "Playing", "Refused", "engine"]


class Playing(Protocol):
    """
    A game in play.
    """

    def do(self, seat: int, text: str) -> None:
        """
        Play a move.

        Raises: Refused, and then nothing has changed.
        """

    def legal(self, seat: int) -> list[str]:
        """
        List what is accepted from *seat*, sorted, without "resign".
        """

    def default_move(self, seat: int) -> str | None:
        """
        Name the timer's move for *seat*, None if the game does not wait for it.
        """

    def state(self) -> dict[str, Any]:
        """
        Describe the position as a trace does.
        """

    def facts(self) -> dict[str, Any]:
        """
        Answer every key that an example's `expect` may have; cards and the bout as lists of texts.
        """


class Engine(Protocol):
    """
    An engine to be tested.
    """

    def may_open(self, deck: int, seats: int) -> bool:
        """
        Say whether a table of this deck and number of seats may be opened.
        """

    def deal(self, deck: int, seats: int, dealer: int, pack: list[str]) -> dict[str, Any]:
        """
        Deal *pack*; give `hands`, `stock`, `trump_card` and the first `attacker`.
        """

    def first(self, hands: list[list[str]], trump: str, dealer: int, no_trump: str) -> int | str:
        """
        Find who attacks first: a seat, or the word for what has to be done to find out.
        """

    def pay(self, seats: int, entry: int, split: str, placed: int | None) -> list[int]:
        """
        List the payouts by place; *placed* seats were out when one of the others left, None without a forfeit.
        """

    def from_deal(
        self, options: dict[str, Any], hands: list[list[str]], stock: list[str], trump_card: str, dealer: int, attacker: int
    ) -> Playing:
        """
        Begin a game whose cards are dealt.
        """

    def from_position(self, options: dict[str, Any], position: dict[str, Any]) -> Playing:
        """
        Set up a game in the middle, as an example describes it.
        """


class ReferenceGame(Game):
    """
    The reference's game, with its facts at hand.
    """

    def facts(self) -> dict[str, Any]:
        return facts(self)


class Reference:
    """
    The literal engine.
    """

    def may_open(self, deck: int, seats: int) -> bool:
        return may_be_opened(deck, seats)

    def deal(self, deck: int, seats: int, dealer: int, pack: list[str]) -> dict[str, Any]:
        assert deck == len(pack)
        dealt = deal(pack, seats, dealer)
        attacker = first_attacker(dealt.hands, dealt.trump_card[1], dealer, "lot")
        return {"hands": dealt.hands, "stock": dealt.stock, "trump_card": dealt.trump_card, "attacker": attacker}

    def first(self, hands: list[list[str]], trump: str, dealer: int, no_trump: str) -> int | str:
        return first_attacker(hands, trump, dealer, no_trump)

    def pay(self, seats: int, entry: int, split: str, placed: int | None) -> list[int]:
        if placed is None:
            return shares_by_place(seats, entry, split)
        return shares_after_forfeit(seats, entry, split, placed)

    def from_deal(
        self, options: dict[str, Any], hands: list[list[str]], stock: list[str], trump_card: str, dealer: int, attacker: int
    ) -> Playing:
        return ReferenceGame(options, hands, stock, trump_card[1], attacker)

    def from_position(self, options: dict[str, Any], position: dict[str, Any]) -> Playing:
        return from_position(options, position, ReferenceGame)


ENGINES = ("reference", "core")


def engine(name: str) -> Engine:
    """
    Make one of ENGINES ready.
    """
    if name == "reference":
        return Reference()
    # Only here, because that module needs this one's names.
    from tests.examples.core_engine import Core

    return Core()

"""
One bout: the cards in it and what has been said.

Source: rules, "Words"; R5-R9, R14.
"""

from __future__ import annotations

from dataclasses import dataclass, field

OPENING = "OPENING"
DEFENCE = "DEFENCE"
THROW_IN = "THROW_IN"
TAKING = "TAKING"
CHALLENGE = "CHALLENGE"
OVER = "OVER"


@dataclass
class Play:
    """
    Hold one card played in a bout, in the order of play.

    *beaten* is the attack card that a defence card lies on, None for an attack card. *opening* marks the cards of
    the bout's first move. *lawful* is judged when the card is played (R14.3), *judged* says that it was found lawful
    after a challenge (R14.6).
    """

    card: str
    seat: int
    beaten: str | None = None
    opening: bool = False
    lawful: bool = True
    judged: bool = False


@dataclass
class Bout:
    """
    Hold everything that belongs to one bout and is forgotten when the next begins.

    *taking_from* is the number of cards that had been played when the defender began to take, None before.
    """

    opener: int
    attacker: int
    defender: int
    h0: int
    limit: int
    phase: str = OPENING
    plays: list[Play] = field(default_factory=list)
    joined: list[int] = field(default_factory=list)
    passed: set[int] = field(default_factory=set)
    accepted: set[int] = field(default_factory=set)
    shown: set[int] = field(default_factory=set)
    floor_open: bool = False
    transfer_lost: bool = False
    taking_from: int | None = None

    def attacks(self) -> list[Play]:
        """
        List the attack cards in the order played.
        """
        return [play for play in self.plays if play.beaten is None]

    def defences(self) -> dict[str, str]:
        """
        Map each beaten attack card to the card that lies on it.
        """
        return {play.beaten: play.card for play in self.plays if play.beaten is not None}

    def unbeaten(self) -> list[str]:
        """
        List the attack cards with no card on them.
        """
        on = self.defences()
        return [play.card for play in self.attacks() if play.card not in on]

    def ranks(self) -> set[str]:
        """
        Name the ranks in the bout, among attack and defence cards.

        Source: R5.1.
        """
        return {play.card[0] for play in self.plays}

    def capacity(self) -> int:
        """
        Say how many attack cards may still come.

        Source: R6.4.
        """
        return max(0, min(self.limit, self.h0) - len(self.attacks()))

    def join(self, seat: int) -> None:
        """
        Remember that *seat* has joined the attack.

        Source: R10.3.
        """
        if seat not in self.joined:
            self.joined.append(seat)

    def pairs(self) -> list[tuple[str, str | None, int]]:
        """
        List attack card, defence card or None, and the seat that attacked.
        """
        on = self.defences()
        return [(play.card, on.get(play.card), play.seat) for play in self.attacks()]

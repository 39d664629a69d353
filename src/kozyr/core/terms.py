"""What a position holds besides cards and roles: its options as small integers, what the deal fixed, and a cheating table's memory."""
from __future__ import annotations

from typing import Final, final

from kozyr.core._native import i64, mypyc_attr, vec
from kozyr.core.cards import ONE
from kozyr.core.options import Rules

# who may throw in
ALL: Final = 0
NEIGHBOURS: Final = 1
ATTACKER: Final = 2


@final
@mypyc_attr(acyclic=True)
class Terms:
    """The options that the transitions ask for, as flags and small integers."""

    __slots__ = (
        "attacker_first", "caught_bar", "cheat", "draws", "first_limit", "joined", "last_thrower", "multi_attack",
        "multi_transfer", "rollback", "rules", "scope", "seats", "show", "throw_on_take", "transfer",
        "transfer_first_bout", "turns", "until_beaten"
    )

    def __init__(self, rules: Rules) -> None:
        self.rules: Rules = rules
        self.seats: i64 = rules.seats
        self.scope: i64 = ("all", "neighbours", "attacker").index(rules.throw_scope)
        self.attacker_first: bool = rules.throw_priority == "attacker_first"
        self.turns: bool = rules.pace == "turns"
        self.first_limit: i64 = rules.first_limit
        self.until_beaten: bool = rules.first_limit_scope == "until_beaten"
        self.transfer: bool = rules.transfer
        self.show: bool = rules.transfer and rules.show_transfer
        self.transfer_first_bout: bool = rules.transfer_first_bout
        self.throw_on_take: bool = rules.throw_on_take
        self.joined: bool = rules.draw_order == "joined"
        self.draws: bool = rules.draws
        self.last_thrower: bool = rules.no_draw_durak == "last_thrower"
        self.cheat: bool = rules.cheat
        self.rollback: bool = rules.penalty == "rollback"
        self.caught_bar: bool = rules.caught_bar
        self.multi_attack: bool = rules.multi_attack
        self.multi_transfer: bool = rules.transfer and rules.multi_transfer


@final
@mypyc_attr(acyclic=True)
class Deal:
    """What the deal fixed for the whole game: the cards to be drawn, first to last, the card that fixes trumps (or -1), the dealer."""

    __slots__ = ("cards", "dealer", "size", "trump_card")

    def __init__(self, cards: bytes, trump_card: i64, dealer: i64) -> None:
        self.size: i64 = len(cards)
        self.cards: vec[i64] = vec[i64]([0] * self.size)
        for i in range(self.size):
            self.cards[i] = cards[i]
        self.trump_card: i64 = trump_card
        self.dealer: i64 = dealer


@final
@mypyc_attr(acyclic=True)
class Trail:
    """
    What a cheating table remembers of the present bout, and who may still cheat and challenge.

    A card is named by `2 * its place among the attack cards`, plus 1 for the card that beat it.

    Source: R14.3, R14.6, R14.9.
    """

    __slots__ = ("barred", "judged", "n_played", "no_challenge", "opening", "played", "take_at", "taking", "unlawful")

    def __init__(self) -> None:
        self.played: i64 = 0  # the cards' names in the order played, 4 bits each
        self.n_played: i64 = 0
        self.unlawful: i64 = 0  # names of the cards that were unlawful when they were played
        self.judged: i64 = 0  # names of the cards judged lawful
        self.opening: i64 = 0  # names of the cards of the opening play
        self.taking: bool = False  # the defender has said take (also in CHALLENGE)
        self.take_at: i64 = 0  # how many cards had been played when the defender said so
        self.barred: i64 = 0  # seats that may not cheat any more
        self.no_challenge: i64 = 0  # seats that may not challenge any more

    def assign(self, other: Trail) -> None:
        """Become a copy of *other*."""
        self.played = other.played
        self.n_played = other.n_played
        self.unlawful = other.unlawful
        self.judged = other.judged
        self.opening = other.opening
        self.taking = other.taking
        self.take_at = other.take_at
        self.barred = other.barred
        self.no_challenge = other.no_challenge

    def clear(self) -> None:
        """Forget the bout."""
        self.played = 0
        self.n_played = 0
        self.unlawful = 0
        self.judged = 0
        self.opening = 0
        self.taking = False
        self.take_at = 0

    def note(self, name: i64, is_unlawful: bool) -> None:
        """Note a card that was played."""
        self.played |= name << 4 * self.n_played
        self.n_played += 1
        if is_unlawful:
            self.unlawful |= ONE << name

"""Everything random in a game, drawn from its one committed stream in the order of R2.6."""
from __future__ import annotations

from dataclasses import dataclass

from kozyr.core.options import Rules
from kozyr.core.setup import LastGame, first_attacker, needs_redeal
from kozyr.fair import Stream


@dataclass(frozen=True, slots=True)
class Previous:
    """What a later game at a table asks of the game before it."""

    dealer: int
    game: LastGame


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a stream gave: the dealer, the pack, how many packs were thrown away before, and who attacks first."""

    dealer: int
    pack: bytes
    redeals: int
    attacker: int


def draw(rules: Rules, stream: Stream, previous: Previous | None = None) -> Drawn:
    """
    Draw dealer, pack, redealt packs and the lot for the first attack, each only where the rules ask for it.

    The durak of the *previous* game at the table deals, after a draw whoever dealt before.

    Source: R2.5, R2.6, R3.2, R3.3.
    """
    dealer = stream.below(rules.seats) if previous is None else next_dealer(previous)
    pack = stream.shuffle(rules.deck)
    redeals = 0
    while needs_redeal(rules, pack, dealer, None if previous is None else previous.game):
        pack = stream.shuffle(rules.deck)
        redeals += 1
    attacker = first_attacker(rules, pack, dealer, None if previous is None else previous.game)
    if attacker is None:
        attacker = stream.below(rules.seats)
    return Drawn(dealer, pack, redeals, attacker)


def next_dealer(previous: Previous) -> int:
    """
    Name who deals after a game.

    Source: R2.5.
    """
    return previous.dealer if previous.game.durak is None else previous.game.durak

"""Beginning a game: redeals, the first attacker, and positions that do not come from a deal."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kozyr.core.cards import deck_of, popcount
from kozyr.core.dealing import begin, deal, lowest_trump_seat
from kozyr.core.options import Rules
from kozyr.core.position import Position
from kozyr.core.terms import Terms

SAME_SUIT = 5  # cards of one suit in a hand that is dealt anew (R2.6)


@dataclass(frozen=True, slots=True)
class LastGame:
    """What a later game of a series asks of the game before: its durak (None: drawn), its first place, who defended last, its seats."""

    durak: int | None
    winner: int | None
    last_defender: int


def needs_redeal(rules: Rules, pack: bytes, dealer: int, last: LastGame | None = None) -> bool:
    """
    Say whether a shuffled pack has to be thrown away and dealt anew.

    A hand with a trump is missed only where the lowest trump is asked for: not in a later game that names its first attacker.

    Source: R2.6 `auto_5`, R3.2 `redeal`, R3.3.
    """
    position = deal(Terms(rules), pack, dealer)
    if rules.redeal == "auto_5":
        for seat in range(rules.seats):
            for suit in range(4):
                if popcount(position.hands[seat] >> 16 * suit & 0x1FFF) >= SAME_SUIT:
                    return True
    if rules.no_trump != "redeal" or _later_attacker(rules, last) is not None:
        return False
    return lowest_trump_seat(position) < 0


def first_attacker(rules: Rules, pack: bytes, dealer: int, last: LastGame | None = None) -> int | None:
    """
    Return the seat that attacks first, or None where lots must be drawn among all seats.

    Source: R3.1-R3.3.
    """
    later = _later_attacker(rules, last)
    if later is not None:
        return later
    position = deal(Terms(rules), pack, dealer)
    return first_by_trump(rules, [int(hand) for hand in position.hands], position.trumps, dealer)


def first_by_trump(rules: Rules, hands: Sequence[int], trumps: int, dealer: int) -> int | None:
    """
    Return the holder of the lowest trump; where nobody holds one, what `no_trump` says (None: lots).

    Source: R3.1, R3.2.
    """
    held = {hand & trumps & -(hand & trumps): seat for seat, hand in enumerate(hands) if hand & trumps}
    if held:
        return held[min(held)]
    left = (dealer + 1) % rules.seats
    if rules.no_trump == "left_of_dealer":
        return left
    if rules.no_trump == "lowest_card":
        nearest = [(left + i) % rules.seats for i in range(rules.seats)]
        return min(nearest, key=lambda seat: min((card & 15 for card in range(64) if hands[seat] >> card & 1), default=99))
    return None


def _later_attacker(rules: Rules, last: LastGame | None) -> int | None:
    """Return the first attacker of a game after one with a durak, or None where the lowest trump decides (R3.3)."""
    if last is None or last.durak is None:
        return None
    durak = last.durak
    match rules.series_first:
        case "left_of_last_defender":
            return (last.last_defender + 1) % rules.seats
        case "attack_durak":
            return (durak - 1) % rules.seats
        case "left_of_durak":
            return (durak + 1) % rules.seats
        case "durak":
            return durak
        case "winner":
            return last.winner
        case _:
            return None


def start(rules: Rules, pack: bytes, dealer: int, attacker: int) -> Position:
    """
    Deal a shuffled pack and open the first bout.

    Raises: ValueError if *pack* is no shuffle of the deck of these rules, or a seat is none.

    Source: R2.
    """
    if sorted(pack) != sorted(deck_of(rules.deck)):
        raise ValueError(f"the pack is no shuffle of a deck of {rules.deck} cards")
    if not (0 <= dealer < rules.seats and 0 <= attacker < rules.seats):
        raise ValueError(f"dealer {dealer} and attacker {attacker} must be seats of a table for {rules.seats}")
    position = deal(Terms(rules), pack, dealer)
    begin(position, attacker)
    return position


def dealt_hands(rules: Rules, pack: bytes, dealer: int) -> Position:
    """Deal a pack without opening a bout, to look at hands, stock and trump."""
    return deal(Terms(rules), pack, dealer)



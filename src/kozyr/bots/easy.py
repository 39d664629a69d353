"""
The easy bot: simple, and without a memory for what it plays by.

It opens low, beats with the smallest card that does, throws in its lowest plain cards, transfers when it can and takes when it must.
Nothing is left to chance: equal views get equal moves.
"""
from __future__ import annotations

from collections.abc import Iterable

from kozyr.bots.cheating import at_cheating_table
from kozyr.bots.memory import Memory
from kozyr.core.cards import beaters, cards_in, mask_of, trump_mask
from kozyr.core.moves import Move
from kozyr.core.views import View

SUITS_OF_EQUALS = (3, 2, 1, 0)
"""Of plain cards equal in rank the first suit in the order s h d c is the lowest, as for the clock's own move (R16.2)."""


def choose(view: View, memory: Memory | None = None) -> Move | None:
    """
    Choose the move of the view's seat, or None where there is nothing to do.

    There is a move whenever the game waits for the seat and lets it act. While the defender is beating, the bot waits with its
    throw-ins. A memory serves cheating tables alone, where with one it slips and notices a card now and then; without it is honest.
    """
    return at_cheating_table("easy", view, memory, choose_honestly(view))


def choose_honestly(view: View) -> Move | None:
    """Choose as at an honest table."""
    seat = view.seat
    if seat is None or seat not in view.waiting or not view.legal:
        return None
    if view.phase == "OPENING":
        return lowest_of(view, [move for move in view.legal if move.kind == "attack" and len(move.cards) == 1])
    if view.phase == "DEFENCE":
        return _defend(view, seat)
    if view.phase == "CHALLENGE":
        return Move(seat, "accept")
    return _throw_in(view) or next((move for move in view.legal if move.kind == "pass"), None)


def _throw_in(view: View) -> Move | None:
    """
    Throw in the lowest plain card of a rank in the bout.

    At a cheating table the legal moves hold every card, so that what lies in the bout tells which are lawful (R5.1, R14.2).
    """
    ranks = {card & 15 for pair in view.bout for card in (pair.attack, pair.beat) if card is not None}
    throw_ins = [move for move in view.legal if move.kind == "attack" and move.cards[0] & 15 in ranks]
    return lowest_of(view, [move for move in throw_ins if not _is_trump(view, move.cards[0])])


def _defend(view: View, seat: int) -> Move:
    """Pass the attack on, else beat the oldest unbeaten card, else take."""
    return _transfer(view) or _beat(view, seat) or Move(seat, "take")


def _transfer(view: View) -> Move | None:
    """Transfer with the smallest card, a plain one; of trumps it shows one rather than playing it, where it may."""
    transfers = [move for move in view.legal if move.kind == "transfer" and len(move.cards) == 1]
    plain = [move for move in transfers if not _is_trump(view, move.cards[0])]
    shows = [move for move in view.legal if move.kind == "show"]
    return lowest_of(view, plain) or lowest_of(view, shows) or lowest_of(view, transfers)


def _beat(view: View, seat: int) -> Move | None:
    """
    Beat the oldest unbeaten card with the smallest card, unless the hand cannot beat all that lie: then beating one only helps throwers.

    In each suit the cards that beat another are all the higher ones, with the trumps above them, so that by giving the smallest each
    time no order of beating gets further than any other.
    """
    trumps = trump_mask(16 * view.trump)
    hand = mask_of(view.hand)
    first: Move | None = None
    for pair in view.bout:
        if pair.beat is not None:
            continue
        able = cards_in(hand & beaters(pair.attack, trumps))
        if not able:
            return None
        card = min(able, key=lambda each: _cost(view, each))
        hand &= ~mask_of([card])
        first = first or Move(seat, "beat", (pair.attack, card))
    return first


def lowest_of(view: View, moves: Iterable[Move]) -> Move | None:
    """Return the move whose first card is the lowest, plain cards before trumps; None of none."""
    return min(moves, key=lambda move: _cost(view, move.cards[0]), default=None)


def _cost(view: View, card: int) -> tuple[bool, int, int]:
    return _is_trump(view, card), card & 15, SUITS_OF_EQUALS.index(card >> 4)


def _is_trump(view: View, card: int) -> bool:
    return card >> 4 == view.trump

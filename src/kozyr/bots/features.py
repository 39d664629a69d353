"""What the linear rules look at: for each move worth weighing, the situation and a row of numbers."""
from __future__ import annotations

from typing import NamedTuple

from kozyr.bots.chances import Chances
from kozyr.core.cards import RANK, beaters, lowest, popcount
from kozyr.core.moves import Move
from kozyr.core.views import View

SITUATIONS = ("open", "throw_in", "add", "beat", "transfer")
PHASES = ("early", "late", "empty")
LATE = 8
"""At most so many cards in the stock are few."""

NAMES = (
    "one",  # always 1: the card against doing without (pass, take)
    "rank",  # of a plain card, 0 to 1
    "rank_squared",  # of a plain card
    "trump",  # 1 for a trump
    "trump_rank",  # of a trump, 0 to 1
    "company",  # other cards of its rank in the hand
    "in_bout",  # 1 if its rank lies in the bout
    "bout",  # cards in the bout, 1 for twelve
    "hand",  # own cards more than six, 1 for six more
    "other_hand",  # the other side's
    "plainly",  # attack: chance that the defender beats it by its suit; beat: that throwers have its rank
    "beaten",  # attack: chance that the defender beats it at all; beat: cards still to be beaten, 1 for six
    "lacks",  # attack: chance that the defender has none of its rank; beat: own trumps that are left, 1 for six
    "cost",  # what taking would bring: the average rank of the bout's cards, with two more for a trump
)
COUNT = len(NAMES)


class Weighed(NamedTuple):
    """A move, where its weights stand (situation and phase), and its features; the move without a card has none."""

    move: Move
    at: int
    row: tuple[float, ...]


NOTHING = (0.0,) * COUNT


def weigh(view: View, chances: Chances) -> list[Weighed]:
    """
    List the moves that the linear rules choose among, with their features; empty where the view's seat does not weigh anything.

    Several cards at once are played one by one; only the oldest unbeaten card is beaten, and only where the whole bout can be.
    """
    if view.phase == "OPENING":
        cards = [move for move in view.legal if move.kind == "attack" and len(move.cards) == 1]
        return _rows(view, chances, cards, "open")
    if view.phase == "DEFENCE":
        return _defences(view, chances)
    situation = "add" if view.phase == "TAKING" else "throw_in"
    ranks = {card & 15 for pair in view.bout for card in (pair.attack, pair.beat) if card is not None}
    # At a cheating table every card may be tried (R14.2): the lawful ones are of a rank in the bout.
    cards = [move for move in view.legal if move.kind == "attack" and move.cards[0] & 15 in ranks]
    without = [Weighed(move, 0, NOTHING) for move in view.legal if move.kind == "pass"]
    return without + _rows(view, chances, cards, situation)


def _defences(view: View, chances: Chances) -> list[Weighed]:
    found = [Weighed(move, 0, NOTHING) for move in view.legal if move.kind == "take"]
    unbeaten = [pair.attack for pair in view.bout if pair.beat is None]
    if can_beat_all(chances.hand, unbeaten, chances.trumps):
        able = int(beaters(unbeaten[0], chances.trumps))
        beats = [move for move in view.legal if move.kind == "beat" and move.cards[0] == unbeaten[0] and able >> move.cards[1] & 1]
        found += _rows(view, chances, beats, "beat")
    passing = [move for move in view.legal if move.kind == "show" or (move.kind == "transfer" and len(move.cards) == 1)]
    return found + _rows(view, chances, passing, "transfer")


def can_beat_all(hand: int, unbeaten: list[int], trumps: int) -> bool:
    """Say whether a hand can beat all of some cards, by giving the smallest card each time."""
    for attack in unbeaten:
        able = hand & int(beaters(attack, trumps))
        if not able:
            return False
        plain = able & ~trumps
        hand &= ~(1 << int(lowest(plain or able)))
    return True


def _rows(view: View, chances: Chances, moves: list[Move], situation: str) -> list[Weighed]:
    if not moves or view.seat is None or view.defender is None or view.attacker is None:
        return []
    phase = 2 if not view.stock else 1 if view.stock <= LATE else 0
    at = SITUATIONS.index(situation) * len(PHASES) + phase
    defends = situation in ("beat", "transfer")
    first = 13 - view.rules.deck // 4
    scale = 12 - first
    laid = [card for pair in view.bout for card in (pair.attack, pair.beat) if card is not None]
    ranks = {card & 15 for card in laid}
    cost = sum((card & 15) - first + (2 * scale if chances.trumps >> card & 1 else 0) for card in laid) / (scale * max(1, len(laid)))
    defender = view.defender
    target = _after(view, view.seat)
    other = view.attacker if situation == "beat" else target if situation == "transfer" else defender
    base = (len(laid) / 12, (len(view.hand) - 6) / 6, (view.seats[other].cards - 6) / 6)
    throwers = [seat for seat, one in enumerate(view.seats) if one.is_in and seat != view.seat] if defends else []
    unbeaten = sum(pair.beat is None for pair in view.bout) - 1
    own_trumps = int(popcount(chances.hand & chances.trumps))
    found = []
    for move in moves:
        card = move.cards[-1]
        rank = card & 15
        x = (rank - first) / scale
        is_trump = chances.trumps >> card & 1 == 1
        if situation == "beat":
            lacked = 1.0
            for seat in throwers:
                lacked *= chances.lacks_rank(seat, rank)
            told = (1.0 - lacked, unbeaten / 6, (own_trumps - is_trump) / 6, cost)
        elif situation == "transfer":
            told = (chances.beats_plainly(target, card), chances.beats(target, card), chances.lacks_rank(target, rank), cost)
        else:
            told = (chances.beats_plainly(defender, card), chances.beats(defender, card), chances.lacks_rank(defender, rank), cost)
        company = int(popcount(chances.hand & int(RANK) << rank)) - 1
        own = (0.0, 0.0, 1.0, x) if is_trump else (x, x * x, 0.0, 0.0)
        found.append(Weighed(move, at, (1.0, *own, float(company), float(rank in ranks), *base, *told)))
    return found


def _after(view: View, seat: int) -> int:
    """Return the next seat in, clockwise."""
    seats = view.rules.seats
    return next(at % seats for at in range(seat + 1, seat + 1 + seats) if view.seats[at % seats].is_in)

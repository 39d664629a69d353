"""
Challenges at a cheating table: which cards may be challenged, the verdict, and what it costs.

A card of the bout is named as in `position.Trail`: `2 * its place among the attack cards`, plus 1 for the card that beat it.

Source: R14.
"""
from __future__ import annotations

from kozyr.core._native import i64
from kozyr.core.cards import ONE, RANK
from kozyr.core.codes import DEFENCE, FAULT, OVER, TAKING, THROW_IN
from kozyr.core.position import Position
from kozyr.core.terms import Trail


def card_named(position: Position, name: i64) -> i64:
    """Return the card of the bout with this name."""
    if name & 1:
        return position.beats >> 6 * (name >> 1) & 63
    return position.attacks >> 9 * (name >> 1) & 63


def author_named(position: Position, name: i64) -> i64:
    """Return the seat that played the card with this name."""
    if name & 1:
        return position.defender
    return position.attacks >> 9 * (name >> 1) + 6 & 7


def name_of(position: Position, card: i64) -> i64:
    """Return the name of a card, or -1 if it is not in the bout."""
    place: i64 = 0
    while place < position.n_attacks:
        if position.attacks >> 9 * place & 63 == card:
            return 2 * place
        if position.beaten >> place & 1 and position.beats >> 6 * place & 63 == card:
            return 2 * place + 1
        place += 1
    return -1


def challengeable(position: Position, seat: i64) -> i64:
    """
    Return the names of the cards that a seat may challenge now, as a mask.

    Source: R14.5, R14.6, R14.8, R14.9.
    """
    trail = position.trail
    if trail is None or position.phase == OVER or position.n_attacks == 0:
        return 0
    if not position.seats_in >> seat & 1 or trail.no_challenge >> seat & 1:
        return 0
    names: i64 = 0
    place: i64 = 0
    while place < position.n_attacks:
        if position.attacks >> 9 * place + 6 & 7 != seat:
            names |= ONE << 2 * place
        if position.beaten >> place & 1 and position.defender != seat and not trail.taking:
            names |= ONE << 2 * place + 1
        place += 1
    return names & ~trail.opening & ~trail.judged


def challenge(position: Position, seat: i64, name: i64) -> bool:
    """Judge the card with this name for the challenger in *seat*, and do what the verdict costs; return whether the card was unlawful."""
    trail = position.trail
    assert trail is not None
    right: bool = (trail.unlawful >> name & 1) != 0
    if right:
        _catch(position, trail, name)
    else:
        trail.judged |= ONE << name
        _charge(position, trail, seat)
    return right


def _catch(position: Position, trail: Trail, name: i64) -> None:
    """
    Punish the seat that played an unlawful card.

    Source: R14.7, R14.9, R14.10.
    """
    cheat: i64 = author_named(position, name)
    if position.terms.rollback:
        trail.barred |= ONE << cheat
        _roll_back(position, trail, name)
        return
    if position.terms.caught_bar:
        trail.barred |= ONE << cheat
    if cheat == position.defender:
        position.take()
    else:
        position.end_bout(FAULT, cheat)


def _charge(position: Position, trail: Trail, seat: i64) -> None:
    """
    Let the challenger of a lawful card pay.

    Source: R14.8, R14.9.
    """
    if position.terms.rollback:
        trail.no_challenge |= ONE << seat
        trail.barred |= ONE << seat
    elif seat != position.defender:
        position.end_bout(FAULT, seat)
    else:
        trail.no_challenge |= ONE << seat
        if not trail.taking:
            position.take()


def _roll_back(position: Position, trail: Trail, name: i64) -> None:
    """
    Give the named card and every card played after it back, and let the bout stand as it was before.

    Source: R14.9.
    """
    first: i64 = 0
    while trail.played >> 4 * first & 15 != name:
        first += 1
    n: i64 = trail.n_played
    while n > first:
        n -= 1
        _give_back(position, trail, trail.played >> 4 * n & 15)
    trail.played &= (ONE << 4 * first) - 1
    trail.n_played = first
    if trail.taking and trail.take_at > first:
        trail.taking = False
    _recount(position)
    position.passed = 0
    if trail.taking:
        position.phase = TAKING
        position.ask()
    elif position.beaten == (ONE << position.n_attacks) - 1:
        position.phase = THROW_IN
        position.ask()
    else:
        position.phase = DEFENCE
        position.turn = position.defender


def _give_back(position: Position, trail: Trail, name: i64) -> None:
    """Take the card played last out of the bout and give it back."""
    card: i64 = card_named(position, name)
    seat: i64 = author_named(position, name)
    place: i64 = name >> 1
    position.hands[seat] |= ONE << card
    position.laid &= ~(ONE << card)
    if name & 1:
        position.beats &= (ONE << 6 * place) - 1 | -(ONE << 6 * place + 6)
        position.beaten &= ~(ONE << place)
    else:
        position.attacks &= (ONE << 9 * place) - 1
        position.n_attacks = place
    trail.unlawful &= ~(ONE << name)
    trail.judged &= ~(ONE << name)


def _recount(position: Position) -> None:
    """Find anew what follows from the cards in the bout: ranks, who has joined the attack, who has run out."""
    position.ranks = 0
    authors: i64 = position.rights & 63  # who has shown a trump has joined for good
    place: i64 = 0
    while place < position.n_attacks:
        position.ranks |= RANK << (position.attacks >> 9 * place & 15)
        authors |= ONE << (position.attacks >> 9 * place + 6 & 7)
        if position.beaten >> place & 1:
            position.ranks |= RANK << (position.beats >> 6 * place & 15)
        place += 1
    joined: i64 = 0
    emptied: i64 = 0
    shift: i64 = 20
    while shift >= 0:
        joiner: i64 = (position.joined >> shift & 15) - 1
        if joiner >= 0 and authors >> joiner & 1:
            joined = joined << 4 | joiner + 1
        seat: i64 = (position.emptied >> shift & 15) - 1
        if seat >= 0 and position.hands[seat] == 0:
            emptied = emptied << 4 | seat + 1
        shift -= 4
    position.joined = authors << 32 | joined
    position.emptied = emptied

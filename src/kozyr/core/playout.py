"""Random play and counting, compiled with the engine: where the loop lives matters more than what it calls."""
from __future__ import annotations

from kozyr.core._native import i64
from kozyr.core.cards import deck_of, lowest, popcount
from kozyr.core.codes import ATTACK_SET, DEFENCE, OPENING, OVER, SHOW, TRANSFER, TRANSFER_SET, code_of
from kozyr.core.dealing import begin, deal, lowest_trump_seat
from kozyr.core.position import Position
from kozyr.core.terms import Terms


def next_random(seed: i64) -> i64:
    """Return the next state of the minimal standard generator; states are 1 to 2^31 - 2."""
    return seed * 48271 % 2147483647


def shuffled(size: i64, seed: i64) -> bytes:
    """Shuffle a deck from *seed*: quick and repeatable, for search and measuring; games of people are shuffled by `kozyr.fair`."""
    cards: list[int] = list(deck_of(size))
    for i in range(size - 1, 0, -1):
        seed = next_random(seed)
        j: i64 = seed % (i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
    return bytes(cards)


def random_deal(terms: Terms, size: i64, seed: i64) -> Position:
    """Deal a shuffled deck and open the first bout; where nobody holds a trump, seat 0 attacks."""
    position = deal(terms, shuffled(size, seed), terms.seats - 1)
    first: i64 = lowest_trump_seat(position)
    begin(position, first if first >= 0 else i64(0))
    return position


def pick(actions: i64, transfers: i64, k: i64) -> i64:
    """Return the *k*-th of the actions, the transfers after the others."""
    while k and actions:
        actions &= actions - 1
        k -= 1
    if actions:
        return lowest(actions)
    while k:
        transfers &= transfers - 1
        k -= 1
    return TRANSFER + lowest(transfers)


def play_random(position: Position, seed: i64) -> i64:
    """Play uniformly random actions, turn by turn, to the end; return how many were played."""
    n: i64 = 0
    while position.phase != OVER:
        actions: i64 = position.actions()
        many: i64 = popcount(actions)
        transfers: i64 = 0
        if position.phase == DEFENCE:
            transfers = position.transfers()
            if transfers:
                many += popcount(transfers)
        seed = seed * 48271 % 2147483647  # next_random, without the call
        position.act(pick(actions, transfers, seed % many))
        n += 1
    return n


def play_games(terms: Terms, size: i64, games: i64, seed: i64) -> tuple[i64, i64]:
    """Play random games; return the number of actions and a check sum of the duraks."""
    actions: i64 = 0
    check: i64 = 0
    for i in range(games):
        position = random_deal(terms, size, seed + i)
        actions += play_random(position, seed + i + 1000003)
        check += (position.durak + 2) * (i % 97 + 1)
    return actions, check


def choices(position: Position) -> list[int]:
    """List every action of the seat in `turn`, moves of several cards and shows among them (R4.2, R8.7, R8.8)."""
    found: list[int] = []
    actions: i64 = position.actions()
    while actions:
        found.append(lowest(actions))
        actions &= actions - 1
    transfers: i64 = position.transfers()
    while transfers:
        found.append(TRANSFER + lowest(transfers))
        transfers &= transfers - 1
    shows: i64 = position.shows()
    while shows:
        found.append(SHOW + lowest(shows))
        shows &= shows - 1
    for cards in attack_sets(position):
        found.append(ATTACK_SET + code_of(cards))
    for cards in transfer_sets(position):
        found.append(TRANSFER_SET + code_of(cards))
    return found


def attack_sets(position: Position) -> list[i64]:
    """
    List the sets of two cards and more of one rank that may open the bout.

    Source: R4.2.
    """
    found: list[i64] = []
    if position.phase == OPENING and position.terms.multi_attack:
        rank: i64 = 0
        while rank < 13:
            found.extend(sets_of(position.hands[position.attacker], rank, position.capacity()))
            rank += 1
    return found


def transfer_sets(position: Position) -> list[i64]:
    """
    List the sets of two cards and more with which the defender may transfer.

    Source: R8.7, R8.2.
    """
    if position.phase != DEFENCE or not position.terms.multi_transfer or not position.transfers():
        return []
    most: i64 = popcount(position.hands[position.after(position.defender)]) - position.n_attacks
    return sets_of(position.hands[position.defender], position.attacks & 15, most)


def sets_of(hand: i64, rank: i64, most: i64) -> list[i64]:
    """List the sets of 2 to *most* cards of a rank in a hand."""
    found: list[i64] = []
    cards: i64 = hand >> rank & 0x0001_0001_0001_0001
    if cards & (cards - 1) == 0:
        return found
    chosen: i64 = cards  # every subset of the suits held
    while chosen:
        n: i64 = popcount(chosen)
        if 2 <= n and n <= most:
            found.append(chosen << rank)
        chosen = (chosen - 1) & cards
    return found


def perft(position: Position, depth: i64) -> i64:
    """Count the lines of *depth* actions, turn by turn and beating the oldest card first; a game that ends earlier counts once."""
    if depth == 0 or position.phase == OVER:
        return 1
    child = position.copy()
    n: i64 = 0
    for action in choices(position):
        child.assign(position)
        child.act(action)
        n += perft(child, depth - 1)
    return n


def mix(h: i64, x: i64) -> i64:
    """Fold *x* into the hash *h*."""
    return (h * 48271 + x % 2147483647) % 2147483647


def fingerprint(position: Position, h: i64) -> i64:
    """Fold everything about a position into the hash *h*; the same in the compiled and in the interpreted form."""
    h = mix(mix(h, position.turn * 8 + position.phase), position.laid)
    h = mix(mix(h, position.attacks), position.beats * 64 + position.beaten)
    h = mix(mix(h, position.attacker * 64 + position.defender * 8 + position.opener), position.limit * 64 + position.h0)
    h = mix(h, position.throwers)
    h = mix(mix(mix(mix(h, position.joined), position.emptied), position.rights * 64 + position.passed), position.discard)
    h = mix(mix(mix(mix(h, position.places), position.durak + 1), position.reason * 512 + position.bout_no), position.closing)
    for seat in range(position.terms.seats):
        h = mix(h, position.hands[seat])
    return mix(h, position.n_past * 64 + position.top)


def trace(terms: Terms, size: i64, seed: i64) -> i64:
    """Hash everything that happens in one random game of every action, to compare the two forms of the engine."""
    position = random_deal(terms, size, seed)
    seed += 1000003
    h: i64 = 7
    while position.phase != OVER:
        h = fingerprint(position, h)
        actions: list[int] = choices(position)
        seed = next_random(seed)
        n: i64 = len(actions)
        action: i64 = actions[seed % n]
        h = mix(h, action)
        position.act(action)
    return fingerprint(position, h)


def time_assign(terms: Terms, size: i64, n: i64) -> i64:
    """Copy a fresh position *n* times into a waiting one, for measuring."""
    position = random_deal(terms, size, 1)
    waiting = position.copy()
    x: i64 = 0
    for _i in range(n):
        waiting.assign(position)
        x += waiting.turn
    return x

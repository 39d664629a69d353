"""
What the expert's network looks at, compiled with the engine: one seat's knowledge as words of bits, and the moves it weighs.

A `Sight` is filled from a view and the public memory when a game is played, and from what play has told when the network is trained;
everything after that is the same code. Suits are renamed, trumps being the last, so that hands that differ by suits alone look alike.
"""
from __future__ import annotations

from typing import Final, final

from kozyr.core._native import BytesWriter, i64, mypyc_attr, vec, write_i64_le
from kozyr.core.cards import ONE, RANK, SUIT, beaters, lowest, popcount
from kozyr.core.codes import DEFENCE, OPENING, PASS, PHASES, SHOW, TAKE, TAKING, TRANSFER

COMMON: Final = 8
EACH: Final = 4
"""Words of bits about the game and the own hand, and about each of the others."""

CODES: Final = 388
"""Codes of moves: of each kind one a card, then two for passing and one for taking."""

# kinds of moves, 64 codes each
OPEN_WITH: Final = 0
THROW_IN_WITH: Final = 64
ADD_WITH: Final = 128
BEAT_WITH: Final = 192
TRANSFER_WITH: Final = 256
SHOW_WITH: Final = 320
PASSING: Final = 384
TAKING_UP: Final = 386

MOST: Final = 64
"""More moves than a hand can have."""


def words_of(others: i64) -> i64:
    """Return how many words describe a game with so many others."""
    return COMMON + EACH * others


@final
@mypyc_attr(acyclic=True)
class Sight:
    """What a seat knows: masks of cards, the others clockwise among the seats in, the options that matter, and what it may play."""

    __slots__ = (
        "actions", "attacker", "bout", "can_pass", "can_take", "capacity", "cards", "defender", "doubted", "facing", "fresh", "hand",
        "known", "limit", "may_transfer", "n", "options", "others", "own_known", "passed", "phase", "places", "space", "shows", "sizes",
        "stock", "throwers", "transfers", "trump", "turned", "unbeaten", "unseen"
    )

    def __init__(self, space: i64) -> None:
        """Make space for so many others."""
        self.space: i64 = space
        self.others: i64 = 0  # how many others are in
        self.hand: i64 = 0
        self.unseen: i64 = 0  # cards that may lie anywhere
        self.turned: i64 = 0  # the turned card while it lies under the stock
        self.bout: i64 = 0
        self.unbeaten: vec[i64] = vec[i64]([0] * 6)  # attack cards that are not beaten, in the order played
        self.facing: i64 = 0  # how many there are
        self.own_known: i64 = 0  # own cards that everybody knows of
        # of the others, the next clockwise first
        self.known: vec[i64] = vec[i64]([0] * 5)
        self.doubted: vec[i64] = vec[i64]([0] * 5)
        self.fresh: vec[i64] = vec[i64]([0] * 5)  # doubted since the seat last drew
        self.sizes: vec[i64] = vec[i64]([0] * 5)
        self.trump: i64 = 0
        self.stock: i64 = 0
        self.phase: i64 = OPENING
        self.capacity: i64 = 0
        self.limit: i64 = 0
        self.attacker: i64 = 0  # 0 is the seat itself, 1 the next
        self.defender: i64 = 0
        self.throwers: i64 = 0  # a mask counted likewise
        self.passed: i64 = 0
        self.may_transfer: bool = False
        self.options: i64 = 0  # see `options_word`
        # what may be played
        self.cards: i64 = 0
        self.transfers: i64 = 0
        self.shows: i64 = 0
        self.can_pass: bool = False
        self.can_take: bool = False
        self.actions: vec[i64] = vec[i64]([0] * MOST)
        self.n: i64 = 0
        self.places: vec[i64] = vec[i64]([0] * 4)  # where each suit goes, times 16

    def face(self, card: i64) -> None:
        """Add an attack card that is not beaten."""
        self.unbeaten[self.facing] = card
        self.facing += 1

    def trumps(self) -> i64:
        """Return the mask of trumps."""
        return SUIT << 16 * self.trump

    def list_actions(self) -> None:
        """List the actions worth weighing: beating is one only where the whole bout can be beaten."""
        n: i64 = 0
        cards: i64 = self.cards
        if self.phase == DEFENCE and self.facing > 1 and not self.can_beat_all():
            cards = 0
        while cards:
            self.actions[n] = lowest(cards)
            cards &= cards - 1
            n += 1
        cards = self.transfers
        while cards:
            self.actions[n] = TRANSFER + lowest(cards)
            cards &= cards - 1
            n += 1
        cards = self.shows
        while cards:
            self.actions[n] = SHOW + lowest(cards)
            cards &= cards - 1
            n += 1
        if self.can_pass:
            self.actions[n] = PASS
            n += 1
        if self.can_take:
            self.actions[n] = TAKE
            n += 1
        self.n = n

    def can_beat_all(self) -> bool:
        """Say whether the hand can beat all that lie, by giving the smallest card each time."""
        hand: i64 = self.hand
        trumps: i64 = self.trumps()
        i: i64 = 0
        while i < self.facing:
            able: i64 = hand & beaters(self.unbeaten[i], trumps)
            if able == 0:
                return False
            if able & ~trumps:
                able &= ~trumps
            hand &= ~(able & -able)
            i += 1
        return True

    # suits by new names

    def rename_suits(self) -> None:
        """Sort the plain suits by what is known of their cards; trumps are the last."""
        found: i64 = 0
        keys: vec[i64] = vec[i64]([0, 0, 0])
        suits: vec[i64] = vec[i64]([0, 0, 0])
        suit: i64 = 0
        while suit < 4:
            if suit != self.trump:
                shift: i64 = 16 * suit
                key: i64 = (self.hand >> shift & SUIT) << 39 | (self.unseen >> shift & SUIT) << 26
                key |= (self.bout >> shift & SUIT) << 13 | self.known[0] >> shift & SUIT
                at: i64 = found
                while at > 0 and keys[at - 1] < key:
                    keys[at] = keys[at - 1]
                    suits[at] = suits[at - 1]
                    at -= 1
                keys[at] = key
                suits[at] = suit
                found += 1
            suit += 1
        at = 0
        while at < 3:
            self.places[suits[at]] = 16 * at
            at += 1
        self.places[self.trump] = 48

    def renamed(self, cards: i64) -> i64:
        """Return a set of cards with suits by their new names."""
        return (
            (cards & SUIT) << self.places[0]
            | (cards >> 16 & SUIT) << self.places[1]
            | (cards >> 32 & SUIT) << self.places[2]
            | (cards >> 48 & SUIT) << self.places[3]
        )

    # words of bits

    def write_words(self, out: BytesWriter) -> None:
        """Write the words of the game; suits must have been renamed."""
        write_i64_le(out, self.renamed(self.hand))
        write_i64_le(out, self.renamed(self.unseen))
        write_i64_le(out, self.renamed(self.bout))
        facing: i64 = 0
        i: i64 = 0
        while i < self.facing:
            facing |= ONE << self.unbeaten[i]
            i += 1
        write_i64_le(out, self.renamed(facing))
        write_i64_le(out, self.renamed(self.turned))
        write_i64_le(out, self.renamed(self.own_known & self.hand))
        write_i64_le(out, self.counts())
        write_i64_le(out, self.state())
        k: i64 = 0
        while k < self.space:
            if k < self.others:
                write_i64_le(out, self.renamed(self.known[k]))
                write_i64_le(out, self.renamed(self.doubted[k] & self.unseen))
                write_i64_le(out, self.renamed(self.fresh[k] & self.unseen))
                write_i64_le(out, self.other(k))
            else:
                for _ in range(EACH):
                    write_i64_le(out, 0)
            k += 1

    def words(self) -> bytes:
        """Return the words of the game; suits are renamed for it, and stay so for `moves`."""
        out = BytesWriter()
        self.rename_suits()
        self.write_words(out)
        return out.getvalue()

    def counts(self) -> i64:
        """Return bits for how many cards lie in the stock, in the own hand and in the bout."""
        return ONE << capped(self.stock, 31) | ONE << 32 + capped(popcount(self.hand), 15) | ONE << 48 + capped(popcount(self.bout), 12)

    def state(self) -> i64:
        """Return bits for the phase, what may still come, who attacks whom, and the options."""
        word: i64 = ONE << self.phase | ONE << 4 + capped(self.capacity, 6) | ONE << 11 + self.facing
        if self.limit == 5:
            word |= ONE << 18
        if self.may_transfer:
            word |= ONE << 19
        word |= self.options << 20
        word |= ONE << 36 + self.attacker | ONE << 42 + self.defender | ONE << 48 + self.others
        if self.throwers & 1:
            word |= ONE << 54
        return word

    def other(self, k: i64) -> i64:
        """Return bits for another seat: its cards, whether it has passed, may throw in, attacks or defends."""
        word: i64 = ONE << capped(self.sizes[k], 15)
        if self.passed >> k + 1 & 1:
            word |= ONE << 16
        if self.throwers >> k + 1 & 1:
            word |= ONE << 17
        if self.attacker == k + 1:
            word |= ONE << 18
        if self.defender == k + 1:
            word |= ONE << 19
        word |= ONE << 20 + capped(popcount(self.known[k]), 9)
        return word

    # moves

    def write_actions(self, out: BytesWriter) -> None:
        """Write each action that was listed: its code, and bits about its card; suits must have been renamed."""
        i: i64 = 0
        while i < self.n:
            action: i64 = self.actions[i]
            if action == PASS:
                write_i64_le(out, PASSING + (1 if self.phase == TAKING else 0))
                write_i64_le(out, 0)
            elif action == TAKE:
                write_i64_le(out, TAKING_UP)
                write_i64_le(out, 0)
            else:
                card: i64 = action & 63
                write_i64_le(out, self.kind_of(action) + lowest(self.renamed(ONE << card)))
                write_i64_le(out, self.about(action, card))
            i += 1

    def moves(self) -> bytes:
        """Return two numbers for each action; `words` goes first."""
        out = BytesWriter()
        self.write_actions(out)
        return out.getvalue()

    def kind_of(self, action: i64) -> i64:
        """Return the kind of an action with a card."""
        if action >= SHOW:
            return SHOW_WITH
        if action >= TRANSFER:
            return TRANSFER_WITH
        if self.phase == OPENING:
            return OPEN_WITH
        if self.phase == DEFENCE:
            return BEAT_WITH
        if self.phase == TAKING:
            return ADD_WITH
        return THROW_IN_WITH

    def about(self, action: i64, card: i64) -> i64:
        """Return bits about a card: company, what may beat it, who may have its rank, whether it is the last."""
        rank: i64 = RANK << (card & 15)
        word: i64 = ONE << capped(popcount(self.hand & rank) - 1, 3) | ONE << 4 + capped(popcount(self.unseen & rank), 4)
        if self.bout & rank:
            word |= ONE << 9
        if self.hand == ONE << card:
            word |= ONE << 10
        if self.is_lowest(card):
            word |= ONE << 11
        if self.phase == DEFENCE and action < TRANSFER:
            return word | self.about_beating(rank)
        target: i64 = self.defender - 1
        if action >= TRANSFER:
            target = 0
        return word | self.about_attacking(card, rank, target)

    def is_lowest(self, card: i64) -> bool:
        """Say whether a card is a plain one and the hand has no plain card of a lower rank."""
        if self.trumps() >> card & 1:
            return False
        plain: i64 = self.hand & ~self.trumps()
        ranks: i64 = plain | plain >> 32
        ranks = (ranks | ranks >> 16) & SUIT
        return lowest(ranks) == card & 15

    def about_beating(self, rank: i64) -> i64:
        """Return bits about who may go on with a rank."""
        word: i64 = ONE << 56
        k: i64 = 0
        while k < self.others:
            if self.throwers >> k + 1 & 1:
                if self.known[k] & rank:
                    word |= ONE << 12
                if self.unseen & rank & ~self.fresh[k]:
                    word |= ONE << 13
            k += 1
        return word

    def about_attacking(self, card: i64, rank: i64, target: i64) -> i64:
        """Return bits about what the seat that is attacked may do with a card."""
        able: i64 = beaters(card, self.trumps())
        same: i64 = able & SUIT << (card & 48)
        known: i64 = self.known[target]
        hidden: i64 = self.sizes[target] - popcount(known)
        word: i64 = ONE << 57
        if known & same:
            word |= ONE << 14
        if known & able & ~same:
            word |= ONE << 15
        if known & rank:
            word |= ONE << 16
        if hidden:
            word |= ONE << 17 + capped(popcount(self.unseen & same), 8)
            word |= ONE << 26 + capped(popcount(self.unseen & same & ~self.doubted[target]), 8)
            word |= ONE << 35 + capped(popcount(self.unseen & able & ~same), 8)
            if self.unseen & rank & ~self.fresh[target]:
                word |= ONE << 44
            if self.unseen & same & ~self.fresh[target]:
                word |= ONE << 45
        else:
            word |= ONE << 46
            if not known & able:
                word |= ONE << 47
        return word | ONE << 48 + capped(hidden, 7)


def capped(number: i64, most: i64) -> i64:
    """Return a number, but *most* at most."""
    if number > most:
        return most
    return number


def options_word(deck: i64, transfer: bool, show: bool, draws: bool, last_thrower: bool, throw_on_take: bool, scope: i64) -> i64:
    """Return bits for the options that the network looks at; *scope* is 0 to 2."""
    word: i64 = ONE << deck // 16 - 1 | ONE << 8 + scope
    if transfer:
        word |= ONE << 3
    if show:
        word |= ONE << 4
    if draws:
        word |= ONE << 5
    if last_thrower:
        word |= ONE << 6
    if throw_on_take:
        word |= ONE << 7
    return word


__all__ = ["CODES", "PASS", "PHASES", "SHOW", "TAKE", "TRANSFER", "Sight", "options_word", "words_of"]

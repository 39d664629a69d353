"""What the search takes for granted: positions that are the same but for names, certain wins, places of cards in sets."""
from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from kozyr.core.building import place, setting_of
from kozyr.core.cards import cards_in, deck_of, mask_of, parse_cards
from kozyr.core.codes import OPENING
from kozyr.core.notation import format_position
from kozyr.core.options import Rules
from kozyr.core.position import Position
from kozyr.core.terms import Terms
from kozyr.search.asking import value
from kozyr.search.canonical import (
    beatable,
    in_order,
    packed,
    ranks_of,
    same_ranks,
    several,
    suit_order,
    thrice,
    with_trumps_last,
)
from kozyr.search.certain import ATTACKER, DEFENDER, NOBODY, OPEN, winner_of
from kozyr.search.prover import Prover
from tests.search.plain import TooBig, full_value, small_position


def cards(text: str) -> int:
    """Return the set of the cards in a text."""
    return int(mask_of(parse_cards(text)))


def renamed(position: Position, suits: tuple[int, ...]) -> Position:
    """Rename the suits of a position."""

    def card(card: int) -> int:
        return suits[card >> 4] * 16 + (card & 15)

    setting = setting_of(position)
    return place(
        replace(
            setting,
            trump=suits[setting.trump],
            hands=tuple(tuple(sorted(card(each) for each in hand)) for hand in setting.hands),
            bout=tuple((card(attack), by, None if beat is None else card(beat)) for attack, by, beat in setting.bout),
            stock=tuple(card(each) for each in setting.stock),
            trump_card=None if setting.trump_card is None else card(setting.trump_card),
            past=None,
        )
    )


@pytest.mark.parametrize("transfer", [False, True])
def test_names_of_suits_do_not_matter(transfer: bool) -> None:
    """Renaming the suits, trumps among them, changes no value (rules, part 4, property 9)."""
    rng = Random(f"suits {transfer}")
    for _ in range(60):
        position = small_position(rng, 7, transfer)
        suits = rng.choice(list(permutations(range(4))))
        expected = value(Prover(8), position, 0, 1_000_000)
        assert expected == value(Prover(8), renamed(position, suits), 0, 1_000_000), format_position(position)


@pytest.mark.parametrize("transfer", [False, True])
def test_a_certain_winner_wins(transfer: bool) -> None:
    """Where the cards alone tell the winner, a full search finds the same, at every table (R7, R8, R9.2)."""
    rng = Random(f"certain {transfer}")
    told = 0
    for _ in range(900):
        position = small_position(rng, 8, transfer)
        if position.phase != OPENING:
            continue
        trump = next(suit for suit in range(4) if position.trumps >> 16 * suit & 1)
        a = with_trumps_last(position.hands[position.attacker], trump)
        d = with_trumps_last(position.hands[position.defender], trump)
        winner = winner_of(a, d, position.terms)
        if winner == OPEN:
            continue
        try:
            slow = full_value(position, position.attacker, 4000)
        except TooBig:
            continue
        told += 1
        assert ({ATTACKER: 1, DEFENDER: -1, NOBODY: 0}[winner], format_position(position)) == (slow, format_position(position))
    assert told > 100


def test_one_rank_that_can_be_beaten_does_not_stop_an_attacker() -> None:
    """Nines and kings are taken, since nothing beats the king of each rank's lead; the sevens come last (R9.2)."""
    terms = Terms(Rules(deck=36))
    assert ATTACKER == winner_of(cards("9c 9d Kd 7c 7h"), cards("8c 8h 6d 6h 7d"), terms)
    assert OPEN == winner_of(cards("9c 9d Kd 7c 7h 6c"), cards("8c 8h 6d 6h 7d"), terms)


def test_a_lead_that_can_be_passed_on_is_not_certain() -> None:
    """With transfers the defender's nine sends the nines back (R8.1)."""
    hands = cards("9c Kd"), cards("9h 6d 6h")
    assert ATTACKER == winner_of(*hands, Terms(Rules(deck=36)))
    assert OPEN == winner_of(cards("9c Kd 8c"), cards("9h Td Kh"), Terms(Rules(deck=36, transfer=True)))


def test_sets_of_cards_are_read_as_one_reads_cards() -> None:
    """Ranks held once, twice, three times; all cards that a hand beats, trumps being spades (R7.1)."""
    rng = Random("sets")
    for _ in range(300):
        hand = rng.sample(list(deck_of(52)), rng.randint(0, 20))
        held = int(mask_of(hand))
        ranks = [card & 15 for card in hand]
        assert set(ranks) == set(cards_in(ranks_of(held)))
        assert {card for card in deck_of(52) if card & 15 in ranks} == set(cards_in(same_ranks(held)))
        assert {card for card in hand if ranks.count(card & 15) >= 2} == set(cards_in(several(held)))
        assert {card for card in hand if ranks.count(card & 15) >= 3} == set(cards_in(thrice(held)))
        beaten = {low for low in deck_of(52) if any(beats(high, low) for high in hand)}
        assert beaten == set(cards_in(beatable(held)))


def beats(high: int, low: int) -> bool:
    """Say whether a card beats another, trumps being spades."""
    return high > low if high >> 4 == low >> 4 else high >> 4 == 3


def test_a_canonical_form_is_the_same_for_all_names() -> None:
    """Gaps between ranks and the order of plain suits leave no trace (rules, part 4, property 9)."""
    rng = Random("canonical")
    for _ in range(200):
        pack = rng.sample(list(deck_of(52)), rng.randint(2, 16))
        split = rng.randint(1, len(pack) - 1)
        hands = [int(mask_of(pack[:split])), int(mask_of(pack[split:]))]
        suits = rng.sample(range(3), 3)
        ranks = sorted({card & 15 for card in pack})
        other = dict(zip(ranks, sorted(rng.sample(range(13), len(ranks))), strict=True))
        again = [mask_of([16 * ([*suits, 3][card >> 4]) + other[card & 15] for card in cards_in(hand)]) for hand in hands]
        assert canonical(*hands) == canonical(*again)


def canonical(a: int, d: int) -> tuple[int, int]:
    """Return the canonical form of two hands."""
    pa, pd = packed(a, d), packed(d, a)
    order = suit_order(pa, pd)
    return int(in_order(pa, order)), int(in_order(pd, order))


def test_trumps_are_put_last_and_back() -> None:
    """Two suits change places, and doing it twice changes nothing."""
    for trump in range(4):
        hand = cards("6c 7d 8h 9s Ac Ad Ah As")
        moved = with_trumps_last(hand, trump)
        assert hand == with_trumps_last(moved, trump)
        assert moved >> 48 == hand >> 16 * trump & 0x1FFF



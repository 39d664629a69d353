"""Three seats and more: best moves under an assumption about the others."""
from __future__ import annotations

from random import Random

import pytest

from kozyr.core.building import Setting, place
from kozyr.core.cards import deck_of
from kozyr.core.codes import OVER
from kozyr.core.judge import legal_moves
from kozyr.core.notation import format_position, parse_position
from kozyr.core.options import Rules
from kozyr.core.play import play
from kozyr.core.playout import choices
from kozyr.core.position import Position
from kozyr.search.asking import value
from kozyr.search.outlook import Assumption, look_ahead
from kozyr.search.prover import Prover

THREE = "36/s/0/0:Kc,9h;1:8h;2:6c/0>1/-/seats=3,limit=6,bout_no=5"


def small_position(rng: Random, seats: int, most: int) -> Position:
    """Deal a few cards to some seats."""
    rules = Rules(seats=seats, transfer=rng.random() < 0.3, draws=rng.random() < 0.7, throw_scope=rng.choice(("all", "neighbours")))
    cards = list(deck_of(36))
    rng.shuffle(cards)
    sizes = [rng.randint(1, max(1, most // seats)) for _ in range(seats)]
    hands = tuple(tuple(sorted(cards.pop() for _ in range(size))) for size in sizes)
    return place(Setting(rules=rules, trump=rng.randrange(4), hands=hands, attacker=rng.randrange(seats)))


def score(position: Position, seat: int) -> float:
    """Return the payout of a linear split to a seat, in entries (R15.3, R15.5)."""
    seats = int(position.terms.seats)
    if position.durak < 0:
        return 1.0
    if position.durak == seat:
        return 0.0
    places = [each - 1 for i in range(6) if (each := position.places >> 4 * (5 - i) & 15)]
    return float(2 * (seats - 1 - places.index(seat)) / (seats - 1))


def paranoid(position: Position, seat: int) -> float:
    """Return what a seat gets against all others together, by looking at every move."""
    if position.phase == OVER:
        return score(position, seat)
    found = []
    for action in choices(position):
        child = position.copy()
        child.act(action)
        found.append(paranoid(child, seat))
    return max(found) if position.turn == seat else min(found)


def for_oneself(position: Position) -> list[float]:
    """Return what all seats get where each plays for its own payout, by looking at every move; of equals the first one is played."""
    if position.phase == OVER:
        return [score(position, seat) for seat in range(position.terms.seats)]
    best: list[float] = []
    for action in choices(position):
        child = position.copy()
        child.act(action)
        found = for_oneself(child)
        if not best or found[position.turn] > best[position.turn]:
            best = found
    return best


@pytest.mark.parametrize("seats", [3, 4])
def test_where_each_plays_for_oneself_all_get_what_a_full_search_says(seats: int) -> None:
    """The search by best places is exact when every line has ended, for every seat."""
    rng = Random(f"for oneself {seats}")
    exact = 0
    for _ in range(30):
        position = small_position(rng, seats, 6)
        found = look_ahead(position, Assumption.MAXN)
        if found.exact:
            exact += 1
            scores = [found.scores[seat] for seat in range(seats)]
            assert pytest.approx(for_oneself(position)) == scores, format_position(position)
    assert exact >= 20


def test_against_all_others_a_seat_gets_what_a_full_search_says() -> None:
    """The paranoid search is exact when every line has ended."""
    rng = Random("paranoid")
    for _ in range(30):
        position = small_position(rng, 3, 5)
        found = look_ahead(position, Assumption.PARANOID)
        assert found.exact
        expected = pytest.approx(paranoid(position, position.turn))
        assert expected == found.scores[position.turn], format_position(position)


def test_two_seats_get_by_either_assumption_what_the_solver_says() -> None:
    """With two seats both assumptions are the truth."""
    rng = Random("two")
    for _ in range(40):
        position = small_position(rng, 2, 6)
        worth = value(Prover(8), position, position.turn, 1_000_000)
        for assumption in Assumption:
            found = look_ahead(position, assumption)
            assert found.exact
            assert worth + 1 == found.scores[position.turn], format_position(position)


@pytest.mark.parametrize("assumption", Assumption)
def test_the_move_leads_to_the_score(assumption: Assumption) -> None:
    """The move found is legal, and looking on from there tells the same of the seat, as far as all lines ended."""
    rng = Random(f"move {assumption}")
    for _ in range(25):
        position = small_position(rng, rng.choice((3, 4)), 6)
        seat = position.turn
        found = look_ahead(position, assumption, 30_000)
        if not found.exact or found.move is None:
            continue
        assert found.move in legal_moves(position, seat)
        child = position.copy()
        play(child, found.move)
        if child.phase == OVER:
            assert score(child, seat) == found.scores[seat]
        elif child.turn == seat or assumption is Assumption.MAXN:
            again = look_ahead(child, assumption, 60_000)
            assert not again.exact or found.scores[seat] == again.scores[seat], format_position(position)


def test_everybody_for_oneself_shares_out_the_whole_pot() -> None:
    """The scores of all seats are the payouts of one and the same game (R15.4)."""
    found = look_ahead(parse_position(THREE), Assumption.MAXN)
    assert found.exact
    assert 3 == sum(found.scores.values())
    assert [0, 1, 2] == sorted(found.scores.values())


def test_few_nodes_look_few_bouts_ahead() -> None:
    """The search says how far it has looked, and that what lies beyond is an estimate."""
    rng = Random("far")
    cards = list(deck_of(36))
    rng.shuffle(cards)
    hands = tuple(tuple(sorted(cards[6 * seat : 6 * seat + 6])) for seat in range(4))
    position = place(Setting(rules=Rules(seats=4), trump=1, hands=hands, attacker=0))
    little = look_ahead(position, Assumption.MAXN, 10)
    more = look_ahead(position, Assumption.MAXN, 30_000)
    assert (None, 0, False, {}) == (little.move, little.bouts, little.exact, little.scores)
    assert more.move in legal_moves(position, 0)
    assert more.bouts >= 1
    assert not more.exact
    assert more.nodes <= 30_001


def test_a_game_that_is_over_has_no_outlook() -> None:
    """Nobody is to move."""
    with pytest.raises(ValueError, match="over"):
        look_ahead(parse_position("36/s/0/0:;1:7h/0>1/-/phase=OVER,out=0,durak=1,reason=cards,limit=6,bout_no=9"), Assumption.MAXN)

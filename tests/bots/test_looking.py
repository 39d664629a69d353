"""The expert's look ahead: worlds by belief that agree with what is known, the same each time, and an end to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from kozyr.bots import LEVELS, expert, hard, looking
from kozyr.bots.hidden import Hidden, hidden_of
from kozyr.bots.memory import Memory
from kozyr.bots.network import Floats, Network, NetworkError, belief_shapes, new_belief, new_network, read_belief, write_network
from kozyr.bots.seeing import moves_of, see
from kozyr.core.cards import cards_in, mask_of, parse_card, popcount
from kozyr.core.moves import Move
from kozyr.core.notation import parse_position
from kozyr.core.options import Rules
from kozyr.core.position import Position
from kozyr.core.views import View, view
from kozyr.damage import Damaged
from kozyr.search.ahead import Ahead, told_of
from kozyr.search.sampling import Worlds
from kozyr.search.told import Told
from kozyr.search.worlds import GAMES, world_of
from tests.bots.test_games import some_deal, step, with_other_hidden_cards

DEALT = "36/s/6d,7d,8d,9d,Td,Jd,Qd,Kd,6s/0:6c,7h,9h,Jh,Kh,Ac;1:8h,Th,7c,9c,Jc,7s/0>1/-/seats=2"


def at_choice(text: str = DEALT) -> tuple[View, Memory, Hidden, Position]:
    """
    Give what seat 0 sees of a position, its memory, what is hidden, and one world.
    """
    seen = view(parse_position(text), 0)
    memory = Memory.at(seen)
    # Half of the deck has been beaten before: else the memory would not account for it.
    position = parse_position(text)
    there = mask_of(position.deal.cards[i] for i in range(position.top, position.deal.size))
    memory.discarded = int(mask_of(range(64)) & ~there & ~position.hands[0] & ~position.hands[1])
    hidden = hidden_of(seen, memory)
    assert hidden is not None
    return seen, memory, hidden, world_of(seen, *hidden.fill(hidden.unseen))


def worlds_of(hidden: Hidden, base: Position, odds: list[float]) -> Worlds:
    """
    Make worlds by odds.
    """
    worlds = Worlds(base, list(hidden.unseen), list(hidden.known), list(hidden.needs), 5)
    worlds.believe(odds)
    return worlds


def test_a_believed_world_deals_every_unseen_card_once() -> None:
    """
    The other holds as many cards as it does, the rest lies in the stock, the turned card last.
    """
    _, _, hidden, base = at_choice()
    worlds = worlds_of(hidden, base, [1.0] * len(hidden.unseen))
    world = base.copy()
    for _ in range(50):
        worlds.draw_believed(world)
        stock = [int(world.deal.cards[i]) for i in range(world.top, world.deal.size)]
        assert 6 == popcount(world.hands[1])
        assert parse_card("6s") == stock[-1]
        assert sorted(hidden.unseen) == sorted([*cards_in(world.hands[1]), *stock[:-1]])


def test_a_hand_is_as_likely_as_the_odds_of_its_cards() -> None:
    """
    Of twelve cards, six in the hand, one is held with odds of nine to one and another never: so it comes about in many worlds.
    """
    _, _, hidden, base = at_choice()
    odds = [1.0] * len(hidden.unseen)
    odds[0], odds[3] = 1e6, 1e-6
    worlds = worlds_of(hidden, base, odds)
    world = base.copy()
    count: Counter[int] = Counter()
    for _ in range(2000):
        worlds.draw_believed(world)
        count.update(cards_in(world.hands[1]))
    assert (2000, 0) == (count[hidden.unseen[0]], count[hidden.unseen[3]])
    fair = 5 / (len(hidden.unseen) - 2)
    others = [count[card] / 2000 for k, card in enumerate(hidden.unseen) if k not in (0, 3)]
    assert max(abs(each - fair) for each in others) < 0.05


def test_every_world_has_its_own_stock() -> None:
    """
    What one world draws is not what another draws, and all moves are tried in the same world.
    """
    seen, memory, hidden, base = at_choice()
    worlds = worlds_of(hidden, base, [1.0] * len(hidden.unseen))
    ahead = Ahead(told_of(base, 36, list(memory.known), [0, 0], [0, 0]), worlds, [parse_card("6c"), parse_card("7h")], 20, 1, 100)
    stocks = [tuple(int(told.position.deal.cards[i]) for i in range(base.top, base.deal.size)) for told in ahead.games]
    assert stocks[::2] == stocks[1::2]
    assert len(set(stocks[::2])) > 15
    for told in ahead.games:
        cards = [*cards_in(told.position.hands[1]), *(int(told.position.deal.cards[i]) for i in range(base.top, base.deal.size - 1))]
        assert sorted(hidden.unseen) == sorted(cards)
    assert seen.stock == base.deal.size - base.top


def look(seen: View, memory: Memory, hidden: Hidden) -> dict[str, float]:
    """
    Look ahead with networks that know nothing.
    """
    rng = np.random.default_rng(4)
    sight = see(seen, memory, 0, 1)
    likings = dict.fromkeys(moves_of(sight, seen, 0), 0.0)
    found = looking.look(seen, memory, hidden, sight, likings, new_network(1, 8, 8, rng), new_belief(8, rng))
    return {str(move): worth for move, worth in found.items()}


def test_the_same_view_is_looked_at_the_same_way() -> None:
    """
    Whatever was looked at in between: the worlds come from the view and the memory alone.
    """
    seen, memory, hidden, _ = at_choice()
    first = look(seen, memory, hidden)
    assert 0 < len(first) <= 6
    look(*at_choice(DEALT.replace("6c,", "8s,").replace("8d", "6c"))[:3])
    assert first == look(seen, memory, hidden)


def test_a_look_ends_after_so_many_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Where games would go on it takes what the network says by then.
    """
    monkeypatch.setattr(looking, "SIGHTS_MAX", 1)
    asked: list[int] = []
    judge = expert.network(expert.TWO).__class__.judge

    def counted(self: object, words: np.ndarray, counts: np.ndarray, moves: np.ndarray) -> np.ndarray:
        asked.append(len(words))
        return judge(self, words, counts, moves)  # type: ignore[arg-type]

    monkeypatch.setattr(expert.network(expert.TWO).__class__, "judge", counted)
    seen, memory, hidden, _ = at_choice()
    assert look(seen, memory, hidden)
    assert 6 * (GAMES // 6) == asked[0]
    assert 1 <= len(asked) <= looking.STEPS


def compared(monkeypatch: pytest.MonkeyPatch, worth_of: Callable[[int], tuple[float, float]]) -> tuple[dict[int, float], list[int]]:
    """
    Compare three moves by made-up games: the mean and the spread of what a move comes to. Also give how many moves each step plays on.
    """
    steps: list[int] = []

    def made_up(root: Told, worlds: Worlds, n: int, actions: list[int], network: Network, bouts: int, nodes: int) -> Floats:
        steps.append(len(actions))
        sides = np.where(np.arange(n) % 2 == 0, 1, -1)[:, None]
        means, spreads = np.array([worth_of(action) for action in actions], dtype=np.float32).T
        found: Floats = (means + sides * spreads).astype(np.float32)
        return found

    monkeypatch.setattr(looking, "play_on", made_up)
    _, memory, hidden, base = at_choice()
    worlds = worlds_of(hidden, base, [1.0] * len(hidden.unseen))
    root = told_of(base, 36, list(memory.known), [0, 0], [0, 0])
    return looking.compare(root, worlds, [0, 1, 2], [0.0, 0.0, 0.0], new_network(1, 8, 8, np.random.default_rng(1))), steps


def test_a_move_that_is_worse_for_sure_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Of three moves one loses in every world and another always wins: one step of games is enough.
    """
    found, steps = compared(monkeypatch, lambda action: (float(action - 1), 0.0))
    assert [2] == list(found)
    assert [3] == steps


def test_moves_that_may_be_the_best_are_tried_in_more_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Two moves come to the same in the mean, each in worlds of its own; the third is far behind, and only they go on.
    """
    found, steps = compared(monkeypatch, lambda action: ((0.5, 0.4), (0.5, -0.4), (-0.5, 0.0))[action])
    assert {0: pytest.approx(0.5 * looking.SHARE), 1: pytest.approx(0.5 * looking.SHARE)} == found
    assert [3] + [2] * (looking.STEPS - 1) == steps


def test_with_many_cards_in_the_stock_the_first_thought_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Worlds then tell no more than the network does: none are drawn.
    """
    monkeypatch.setattr(looking, "STOCK_MAX", 8)
    seen, memory, hidden, _ = at_choice()
    assert 9 == seen.stock
    assert {0.0} == set(look(seen, memory, hidden).values())


def test_a_look_does_not_see_hidden_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    At tables of two, anywhere before the endgame: whatever the other hand and the stock hold, expert plays the same.
    """
    monkeypatch.setattr(looking, "GAMES", 20)
    looks: list[int] = []
    play_on = looking.play_on

    def counted(root: Told, worlds: Worlds, n: int, actions: list[int], network: Network, bouts: int, nodes: int) -> Floats:
        looks.append(len(actions))
        return play_on(root, worlds, n, actions, network, bouts, nodes)

    monkeypatch.setattr(looking, "play_on", counted)
    for seed in range(12):
        rng = Random(seed)
        position = some_deal(rng, Rules(transfer=seed % 3 == 0))
        memory = Memory.at(view(position, None))
        for _ in range(rng.randrange(25)):
            step(rng, position, LEVELS["easy"], memory)
        seat = int(position.turn)
        other = with_other_hidden_cards(position, seat, rng)
        assert expert.choose(view(position, seat), memory) == expert.choose(view(other, seat), memory)
    assert len(looks) > 10


KNOWN = "36/s/0/0:Qd,8s,Tc,9h,Ac,Kd,8h,Ks;1:8d,Qc,Jh,9d,6d,7s,Jc,7d/0>1/-/seats=2"


def known() -> tuple[View, Memory]:
    """
    Give an endgame of sixteen cards as seat 0 sees it, which has seen all others go.
    """
    position = parse_position(KNOWN)
    memory = Memory.at(view(position, None))
    memory.discarded = position.discard
    return view(position, 0), memory


def test_what_the_solver_does_not_tell_is_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    With five nodes no move is told: expert plays what wins where both go on by the network, and not the trump king, which loses so.
    """
    monkeypatch.setattr(hard, "NODES", 5)
    seen, memory = known()
    told: list[dict[Move, float]] = []
    foresee = looking.foresee

    def noted(*asked: Any) -> dict[Move, float]:
        told.append(foresee(*asked))
        return told[-1]

    monkeypatch.setattr(looking, "foresee", noted)
    move = expert.choose(seen, memory)
    assert move is not None
    assert len(told) == 1 and len(told[0]) > 3
    assert all(-1 <= worth <= 1 for worth in told[0].values())
    assert max(told[0].values()) == told[0][move]
    assert {-1, 1} == {round(worth) for worth in told[0].values()}
    assert {move} == {expert.choose(seen, memory) for _ in range(3)}


def test_what_the_solver_tells_is_not_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """
    With its own nodes the move wins, or loses no value: nothing is foreseen.
    """
    monkeypatch.setattr(looking, "foresee", None)
    assert expert.choose(*known()) is not None


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"nonsense", "some.npz is no file of weights"),
        (write_network(new_network(1, 8, 8, np.random.default_rng(1)), {}), "some.npz is no file of weights"),
        (write_network(new_belief(8, np.random.default_rng(1)), {"format": 9}), "some.npz has weights of another format"),
    ],
)
def test_a_broken_belief_is_named(data: bytes, told: str) -> None:
    """
    The error says which file and why.
    """
    with pytest.raises(NetworkError, match=told):
        read_belief(data, "some.npz")


def test_a_belief_is_read_as_it_was_written() -> None:
    """
    In half precision, which is enough; a missing file is named.
    """
    made = new_belief(8, np.random.default_rng(1))
    read = read_belief(write_network(made, {}), "some.npz")
    assert belief_shapes(8) == [array.shape for array in read.arrays()]
    assert all(np.allclose(one, other, atol=2e-3) for one, other in zip(made.arrays(), read.arrays(), strict=True))
    with pytest.raises(Damaged, match=r"nothing\.npz cannot be read"):
        expert.belief("nothing.npz")

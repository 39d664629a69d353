"""
The literal engine's own sanity: the properties of the rules' part 4 on random games, and what the rules leave to be read.
"""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest

from .bout import CHALLENGE, DEFENCE, OPENING, OVER, TAKING, THROW_IN
from .cards import SUITS, full_deck, in_suit_order
from .game import Game, Refused
from .random_games import RandomGame, choose_move, deal_game, trace
from .reading import facts, from_position

GAMES = 40
BLOCKS = 8


def all_cards(game: Game) -> list[str]:
    """
    List the cards in hands, stock and bout.
    """
    return [*(card for hand in game.hands for card in hand), *game.stock, *(play.card for play in game.bout.plays)]


def check_position(random_game: RandomGame, legal: list[list[str]]) -> None:
    """
    Check what part 4 of the rules says of every position.
    """
    game, bout = random_game.game, random_game.game.bout
    in_play = all_cards(game) if game.result is None else [card for hand in game.hands for card in hand] + game.stock
    assert len(in_play) == len(set(in_play))
    if game.result is None:
        assert random_game.options["deck"] == len(in_play) + game.discard
        assert len(bout.attacks()) <= min(bout.limit, bout.h0)
        assert bout.h0 == len(game.hands[bout.defender]) + len(bout.defences())
        assert any(legal)
    for seat in range(game.seats):
        default = game.default_move(seat)
        assert default is None or default in legal[seat]
        assert seat not in game.out or not legal[seat]
    if bout.phase == OPENING:
        assert [bout.attacker] == [seat for seat in range(game.seats) if game.default_move(seat)]
        assert all(game.hands[seat] for seat in game.seats_in())
    if bout.phase == DEFENCE:
        assert bout.unbeaten()
        assert not game.is_taking()
    if bout.phase == THROW_IN:
        assert not bout.unbeaten()
    if bout.phase in (THROW_IN, TAKING):
        assert any(game.default_move(seat) == "pass" for seat in game.waiting())
        assert bout.capacity() > 0
    assert not game.out or not game.stock


def check_result(random_game: RandomGame) -> None:
    """
    Check what part 4 of the rules says of the end.
    """
    game = random_game.game
    assert game.result is not None
    assert game.bout.phase == OVER
    assert sum(game.result.payout) == game.seats * random_game.options["stake"]
    assert min(game.result.payout) >= 0
    everybody = list(range(game.seats))
    match game.result.reason:
        case "cards" | "last_emptied":
            assert everybody == sorted([*game.out, game.result.durak or 0])
        case "empty":
            assert everybody == sorted(game.out)
            assert random_game.options["draws"]
        case "forfeit":
            assert game.result.durak not in game.out
        case "repetition" | "no_progress":
            assert game.result.durak is None


@pytest.mark.parametrize("block", range(BLOCKS))
def test_every_position_of_a_random_game_keeps_to_the_properties(block: int) -> None:
    """
    No card is lost, the limits hold, somebody can always move, and the coins add up (part 4, 1-4, 6, 7).
    """
    for number in range(GAMES):
        rng = Random(f"properties {block} {number}")
        random_game = deal_game(rng)
        game = random_game.game
        legal = [game.legal(seat) for seat in range(game.seats)]
        while game.result is None:
            check_position(random_game, legal)
            discard, outcome, attacks, bout_no = game.discard, game.outcome, len(game.bout.attacks()), game.bout_no
            game.do(*choose_move(rng, random_game, legal))
            if game.discard != discard:
                assert (discard + 2 * attacks, "beaten") == (game.discard, game.outcome)
            if game.bout_no == bout_no and game.result is None:
                assert outcome == game.outcome
            legal = [game.legal(seat) for seat in range(game.seats)]
        check_position(random_game, legal)
        check_result(random_game)


def test_a_refused_move_changes_nothing() -> None:
    """
    What is not accepted leaves everything as it was.
    """
    rng = Random("refused")
    for _ in range(5):
        random_game = deal_game(rng)
        game = random_game.game
        while game.result is None:
            before = deepcopy(vars(game))
            for seat in range(game.seats):
                for text in ("attack 2s", "beat 6c 7c", "take", "pass", "transfer 9h", "accept", "challenge 6c", "nonsense", ""):
                    if text not in game.legal(seat):
                        with pytest.raises(Refused):
                            game.do(seat, text)
            assert before == vars(game)
            game.do(*choose_move(rng, random_game, [game.legal(seat) for seat in range(game.seats)]))


def test_seats_and_plain_suits_may_be_renamed() -> None:
    """
    A game goes the same way with all seats moved round and the plain suits called by other names (part 4, 9).
    """
    for number in range(60):
        rng = Random(f"renamed {number}")
        random_game = deal_game(rng)
        game, dealt, seats = random_game.game, random_game.dealt, random_game.game.seats
        plain = [suit for suit in SUITS if suit != game.trump]
        suits = dict(zip(plain, rng.sample(plain, 3), strict=True)) | {game.trump: game.trump}
        turn = rng.randrange(seats)

        def renamed(text: str, suits: dict[str, str] = suits) -> str:
            words = text.split()
            cards = [word[0] + suits[word[1]] if len(word) == 2 else word for word in words[1:]]
            return " ".join([words[0], *(cards if words[0] == "beat" else in_suit_order(cards))])

        hands = [[card[0] + suits[card[1]] for card in dealt.hands[(seat - turn) % seats]] for seat in range(seats)]
        stock = [card[0] + suits[card[1]] for card in dealt.stock]
        other = Game(random_game.options, hands, stock, game.trump, (random_game.attacker + turn) % seats)
        while game.result is None:
            legal = [game.legal(seat) for seat in range(seats)]
            for seat in range(seats):
                assert sorted(map(renamed, legal[seat])) == other.legal((seat + turn) % seats)
            seat, text = choose_move(rng, random_game, legal)
            game.do(seat, text)
            other.do((seat + turn) % seats, renamed(text))
            assert [(seat + turn) % seats for seat in game.out] == other.out
        assert other.result is not None
        assert (game.result.kind, game.result.reason) == (other.result.kind, other.result.reason)


def test_the_same_seed_gives_the_same_trace() -> None:
    """
    A random game can be had again from its seed.
    """
    assert list(trace(Random("again"), 0, False)) == list(trace(Random("again"), 0, False))


def test_every_reason_and_every_move_happens() -> None:
    """
    The random games reach every kind of move, phase and ending.
    """
    kinds: set[str] = set()
    phases: set[str] = set()
    reasons: set[str] = set()
    for number in range(400):
        for line in trace(Random(f"0 {number}"), number, False):
            kinds.add(line.get("move", "resign").split()[0])
            phases.add(line["state"]["phase"])
            if line["state"]["result"]:
                reasons.add(line["state"]["result"]["reason"])
    assert {"attack", "beat", "transfer", "show", "take", "pass", "challenge", "accept", "resign"} == kinds
    assert {OPENING, DEFENCE, THROW_IN, TAKING, CHALLENGE, OVER} == phases
    assert {"cards", "empty", "last_emptied", "repetition", "no_progress", "forfeit"} == reasons


def test_a_full_deck_has_its_cards() -> None:
    """
    24 cards go from the nine to the ace, 36 from the six, 52 from the deuce (R1.1).
    """
    for deck in (24, 36, 52):
        cards = full_deck(deck)
        assert (deck, deck, "Ac") == (len(cards), len(set(cards)), cards[deck // 4 - 1])


CHEATING = {"trump": "s", "attacker": 0, "stock": "", "bout": ["9h>Th@0", "9d@2"], "hands": ["Kh 9c", "Qd Ad Kd 7s", "6c Tc"]}


def test_accepts_and_passes_stand_after_a_taking_defenders_wrong_challenge() -> None:
    """
    A defender who is taking already pays with the right to challenge, and the bout goes on where it was (R14.8).
    """
    game = from_position({"cheat": True}, CHEATING, Game)
    for move in ((1, "take"), (0, "pass")):
        game.do(*move)
    game.do(1, "challenge 9d")
    assert (TAKING, [2]) == (game.bout.phase, game.waiting())
    game = from_position({"cheat": True}, CHEATING, Game)
    for move in ((1, "take"), (0, "pass"), (2, "pass"), (0, "accept")):
        game.do(*move)
    game.do(1, "challenge 9d")
    assert (CHALLENGE, {0}) == (game.bout.phase, game.bout.accepted)


def test_a_take_goes_straight_to_the_challenges_where_nothing_may_be_added() -> None:
    """
    With throw_on_take off a cheating table still has its time for challenges after a take (R9.3, R14.5).
    """
    game = from_position({"cheat": True, "throw_on_take": False}, CHEATING, Game)
    game.do(1, "take")
    assert (CHALLENGE, []) == (game.bout.phase, game.waiting())


def test_a_cheater_is_barred_by_rollback_whatever_caught_bar_says() -> None:
    """
    Where cards only go back, the price is honest play to the end (R14.9); caught_bar is about the other penalty (R14.10).
    """
    for penalty, barred in (("rollback", {2}), ("take_bout", set())):
        game = from_position({"cheat": True, "penalty": penalty, "caught_bar": False}, CHEATING, Game)
        game.do(2, "attack 6c")
        game.do(0, "challenge 6c")
        assert barred == game.barred


def test_a_rolled_back_hand_is_empty_only_when_it_empties_again() -> None:
    """
    Places go by the card that emptied the hand in the end, not by one that came back (R11.5, R14.9).
    """
    position = {"trump": "s", "attacker": 0, "hands": ["Th", "8d 8h Qd Kd", "6c", "Kh Kc"], "bout": ["9h@0"]}
    game = from_position({"cheat": True, "penalty": "rollback"}, position, Game)
    for move in ((2, "attack 6c"), (0, "attack Th"), (1, "challenge 6c")):
        game.do(*move)
    assert (["6c"], ["Th"], []) == (game.hands[2], game.hands[0], game.emptied)
    assert DEFENCE == facts(game)["phase"]

"""The properties of the rules' part 4, on random games over all tables."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from kozyr.core.building import Setting, place, setting_of
from kozyr.core.cards import cards_in, deck_of, popcount
from kozyr.core.codes import OVER
from kozyr.core.defaults import default_move
from kozyr.core.events import BoutOver, Drew, GameOver, Returned, WentOut
from kozyr.core.judge import legal_moves, waiting_for
from kozyr.core.moves import Move
from kozyr.core.notation import format_position
from kozyr.core.options import Rules
from kozyr.core.play import bout_cards, play, result_of
from kozyr.core.position import Position
from kozyr.core.setup import start
from kozyr.ledger.payouts import payouts
from tests.core.strategies import Game, every_move, games, random_game

some = settings(max_examples=60)
whole_games = st.integers(0, 2**20).map(lambda seed: random_game(Random(seed), 2000))


def check_cards(position: Position) -> None:
    """
    Find every card of the deck once.
    """
    lying = [] if position.phase == OVER and result_of(position).reason != "forfeit" else list(bout_cards(position))
    hands = [card for seat in range(position.rules.seats) for card in cards_in(position.hands[seat])]
    stock = [position.deal.cards[i] for i in range(position.top, position.deal.size)]
    assert sorted(deck_of(position.rules.deck)) == sorted([*hands, *stock, *lying, *cards_in(position.discard)])


@some
@given(games())
def test_every_card_is_in_one_place(game: Game) -> None:
    """
    No card is lost and none is doubled: hands, stock, bout and discard make the deck (part 4, 1).
    """
    check_cards(game.position)
    for move in game.steps():
        play(game.position, move)
        check_cards(game.position)


@some
@given(games())
def test_a_bout_keeps_to_its_limits(game: Game) -> None:
    """
    Attack cards keep to the limit and to the defender's hand at the start, whatever is played (part 4, 2; R6.1, R6.2, R6.3).
    """
    position = game.position
    for move in game.steps():
        play(position, move)
        if position.phase != OVER:
            transferred = position.attacker != position.opener or move.kind == "transfer"
            assert position.n_attacks <= position.h0
            assert position.n_attacks <= position.limit or transferred
            assert position.h0 == popcount(position.hands[position.defender]) + popcount(position.beaten)


@some
@given(games())
def test_somebody_can_always_move(game: Game) -> None:
    """
    A game that is not over waits for a seat that has a legal move, and the clock's move is a legal one (part 4, 3).
    """
    for move in game.steps():
        position = game.position
        waiting = [seat for seat in range(game.rules.seats) if waiting_for(position) >> seat & 1]
        defaults = {seat: default_move(position, seat) for seat in range(game.rules.seats)}
        assert any(defaults[seat] for seat in waiting)
        for seat, default in defaults.items():
            assert default is None or (seat in waiting and default in legal_moves(position, seat))
            # Only a seat that must let another go first is waited for and has nothing to do yet. (R5.5, R5.6)
            assert default or seat not in waiting or game.rules.throw_priority != "free" or game.rules.pace == "turns"
        play(position, move)


@some
@given(games())
def test_a_seat_that_is_out_has_no_move_and_there_is_no_stock(game: Game) -> None:
    """
    Who has gone out has done with the game, and goes out only when there is nothing to draw (part 4, 4; R11.1).
    """
    for move in game.steps():
        play(game.position, move)
        for seat in range(game.rules.seats):
            if not game.position.seats_in >> seat & 1:
                assert [] == legal_moves(game.position, seat)
                assert game.position.top == game.position.deal.size
                assert game.position.hands[seat] == 0


@some
@given(games())
def test_the_discard_grows_by_beaten_bouts_only(game: Game) -> None:
    """
    A beaten bout adds each attack card and the card that beat it; nothing else goes to the discard (part 4, 6; R10.1).
    """
    for move in game.steps():
        before, attacks = popcount(game.position.discard), game.position.n_attacks
        happened = play(game.position, move)
        beaten = any(isinstance(event, BoutOver) and event.outcome == "beaten" for event in happened)
        assert before + (2 * attacks if beaten else 0) == popcount(game.position.discard)


@some
@given(whole_games, st.integers(0, 2**16))
def test_places_and_payouts_add_up(game: Game, stake: int) -> None:
    """
    With a durak by cards every seat has its place; the payouts are whole coins and sum to the pot (part 4, 7; R15.4, R15.5).
    """
    result = result_of(game.position)
    everybody = list(range(game.rules.seats))
    assert (result.kind == "draw") == (result.durak is None)
    if result.reason in ("cards", "last_emptied"):
        assert result.durak is not None
        assert everybody == sorted([*result.places, result.durak])
    elif result.reason == "empty":
        assert everybody == sorted(result.places)
    paid = payouts(stake, game.rules.seats, game.rules.split, result.places, result.durak, forfeit=result.reason == "forfeit")
    assert sum(paid) == stake * game.rules.seats
    assert min(paid) >= 0


@some
@given(games(), st.data())
def test_who_leaves_is_the_durak_and_only_seats_that_are_out_have_places(game: Game, data: st.DataObject) -> None:
    """
    After a forfeit the others have no places (part 4, 7; R16.3).
    """
    position = game.position
    gone = sum(not position.seats_in >> seat & 1 for seat in range(game.rules.seats))
    leaver = data.draw(st.sampled_from([seat for seat in range(game.rules.seats) if position.seats_in >> seat & 1]))
    over = play(position, Move(leaver, "resign"))[-1]
    assert isinstance(over, GameOver)
    assert ("durak", "forfeit", leaver, gone) == (over.result.kind, over.result.reason, over.result.durak, len(over.result.places))
    check_cards(position)


@settings(max_examples=40)
@given(whole_games)
def test_the_same_moves_from_the_same_pack_give_the_same_game(game: Game) -> None:
    """
    A game can be played again from its shuffle, event by event (part 4, 8).
    """
    one, other = (start(game.rules, game.pack, game.dealer, game.attacker) for _ in range(2))
    for move in game.moves:
        assert play(one, move) == play(other, move)
        assert setting_of(one) == setting_of(other)
    assert setting_of(game.position) == setting_of(other)


@some
@given(games())
def test_the_events_tell_what_the_position_does(game: Game) -> None:
    """
    Who keeps count of the events knows every hand, the stock and who is out (part 4, 8).
    """
    position = game.position
    for move in game.steps():
        hands = [set(cards_in(position.hands[seat])) for seat in range(game.rules.seats)]
        out = position.rules.seats - popcount(position.seats_in)
        lying = list(bout_cards(position))
        happened = play(position, move)
        if move.kind in ("attack", "transfer"):
            hands[move.seat] -= set(move.cards)
        elif move.kind == "beat":
            hands[move.seat] -= set(move.cards[1:])
        for event in happened:
            match event:
                case BoutOver(_, cards, taker, _):
                    assert sorted({*lying, *move.cards} if move.kind in ("attack", "beat") else lying) == sorted(cards)
                    if taker is not None:
                        hands[taker] |= set(cards)
                case Drew(seat, count, cards, _):
                    assert count == len(cards)
                    hands[seat] |= set(cards)
                case WentOut(seat, place):
                    assert out + 1 == place
                    out = place
                    assert not hands[seat]
                case Returned(seat, card):
                    hands[seat].add(card)
        assert hands == [set(cards_in(position.hands[seat])) for seat in range(game.rules.seats)]


# property 9


def renamed_card(card: int, suits: list[int]) -> int:
    """
    Call a card's suit by its new name.
    """
    return suits[card >> 4] * 16 + (card & 15)


def renamed_move(move: Move, suits: list[int], turn: int, seats: int) -> Move:
    """
    Say a move as it is said after the renaming.
    """
    cards = [renamed_card(card, suits) for card in move.cards]
    return Move((move.seat + turn) % seats, move.kind, tuple(cards if move.kind == "beat" else sorted(cards)))


def renamed_words(position: Position, suits: list[int], turn: int) -> Setting:
    """
    Describe a position as it is after the renaming; earlier bout starts are left out.
    """
    setting = setting_of(position)
    seats = setting.rules.seats

    def cards(some: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(renamed_card(card, suits) for card in some))

    def at(seat: int) -> int:
        return (seat + turn) % seats

    def every(some: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(at(seat) for seat in some)

    def members(some: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(every(some)))

    over = position.phase == OVER
    return replace(
        setting,
        trump=suits[setting.trump],
        hands=tuple(cards(setting.hands[(seat - turn) % seats]) for seat in range(seats)),
        stock=tuple(renamed_card(card, suits) for card in setting.stock),
        attacker=at(setting.attacker),
        defender=None if setting.defender is None else at(setting.defender),
        opener=None if setting.opener is None else at(setting.opener),
        bout=tuple(
            (renamed_card(attack, suits), at(by), None if beat is None else renamed_card(beat, suits)) for attack, by, beat in setting.bout
        ),
        joined=every(setting.joined or ()),
        emptied=every(setting.emptied or ()),
        out=every(setting.out),
        passed=members(setting.passed),
        shown=members(setting.shown),
        barred=members(setting.barred),
        no_challenge=members(setting.no_challenge),
        dealer=at(setting.dealer),
        trump_card=None if setting.trump_card is None else renamed_card(setting.trump_card, suits),
        durak=at(setting.durak) if over and setting.durak is not None else None,
        unlawful=None if setting.unlawful is None else cards(setting.unlawful),
        judged=cards(setting.judged),
        past=None,
    )


@some
@given(games(multi_attack=False, multi_transfer=False), st.permutations([0, 1, 2]), st.integers(0, 5))
def test_plain_suits_and_seats_may_be_renamed(game: Game, order: list[int], turn: int) -> None:
    """
    A game goes the same way with all seats moved round and the plain suits called by other names (part 4, 9).

    Several cards of one move are left out: they lie in the order of suits.
    """
    seats = game.rules.seats
    trump = setting_of(game.position).trump
    plain = [suit for suit in range(4) if suit != trump]
    suits = [trump if suit == trump else plain[order[plain.index(suit)]] for suit in range(4)]
    pack = bytes(renamed_card(card, suits) for card in game.pack)
    other = start(game.rules, pack, (game.dealer + turn) % seats, (game.attacker + turn) % seats)
    for move in game.moves:
        play(other, renamed_move(move, suits, turn, seats))
    for move in game.steps():
        expected = {renamed_move(each, suits, turn, seats) for each in every_move(game.position)}
        assert expected == set(every_move(other))
        play(game.position, move)
        play(other, renamed_move(move, suits, turn, seats))
        assert renamed_words(game.position, suits, turn) == replace(setting_of(other), past=None)


# property 10


@some
@given(games(pace="turns"))
def test_play_in_turns_is_play_at_open_pace(game: Game) -> None:
    """
    Whatever happens turn by turn may happen at open pace, and leads to the same position (part 4, 10; R5.6).
    """
    table = Rules.of({**game.rules.to_dict(), "pace": "open"})
    other = start(table, game.pack, game.dealer, game.attacker)
    for move in game.moves:
        play(other, move)
    for move in game.steps():
        assert set(every_move(game.position)) <= set(every_move(other))
        assert play(game.position, move) == play(other, move)
        assert replace(setting_of(game.position), rules=table) == setting_of(other)


@some
@given(games(pace="turns", cheat=False))
def test_one_seat_has_the_turn(game: Game) -> None:
    """
    At honest tables exactly one seat has legal moves when play goes in turns (part 4, 10; R5.6).
    """
    for move in game.steps():
        assert [game.position.turn] == [seat for seat in range(game.rules.seats) if legal_moves(game.position, seat)]
        play(game.position, move)


# property 11


@settings(max_examples=30)
@given(st.integers(0, 2**20), st.booleans())
def test_every_game_ends(seed: int, lazy: bool) -> None:
    """
    However it is played, a game has an end (part 4, 11; R11.9, R11.10).
    """
    rng = Random(seed)
    position = random_game(rng, 20).position
    # Each bout has at most six attack cards, six beats, and what is said; no game goes on for 20 bouts a seat without progress.
    most = 60 * (position.rules.deck + 2) * 20 * position.rules.seats
    n = 0
    while position.phase != OVER:
        moves = every_move(position)
        taking = [move for move in moves if move.kind in ("take", "pass", "accept")] if lazy else []
        play(position, rng.choice(taking or moves))
        n += 1
        assert n < most
    assert result_of(position).reason in ("cards", "last_emptied", "empty", "repetition", "no_progress")


@some
@given(games())
def test_a_position_is_read_back_and_played_on(game: Game) -> None:
    """
    A position written down and read again goes on like the one that it was (part 4, 8).
    """
    other = place(setting_of(game.position))
    for move in game.steps():
        assert every_move(game.position) == every_move(other)
        assert play(game.position, move) == play(other, move)
        assert format_position(game.position) == format_position(other)

"""Garbage is a ValueError, quickly, and nothing else; a text that is read all the same can be looked at and played."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozyr.core.building import setting_of
from kozyr.core.cards import deck_of
from kozyr.core.codes import OVER
from kozyr.core.notation import format_position, format_view, parse_position, parse_view
from kozyr.core.options import OptionError, Rules
from kozyr.core.play import play
from kozyr.core.position import Position
from kozyr.core.record import GameRecord, format_game, parse_game, record_of, replay
from kozyr.core.setup import start
from kozyr.core.views import view
from tests.core.strategies import every_move, random_game

seeds = st.integers(0, 2**20)


def edited(text: str, rng: Random, times: int) -> str:
    """
    Spoil a text: leave out, double, exchange and insert pieces of it.
    """
    for _ in range(times):
        a, b = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        b = min(b, a + rng.choice((1, 1, 2, 3, 8, 40)))
        piece = text[a:b]
        at = rng.randrange(len(text) + 1)
        match rng.randrange(5):
            case 0:
                text = text[:a] + text[b:]
            case 1:
                text = text[:at] + piece + text[at:]
            case 2:
                text = text[:a] + rng.choice("0123456789x-/>@,;:.=acdhsTJQKA 7h\x00é٣") + text[a + 1 :]
            case 3:
                text = text[:a] + rng.choice(WORDS) + text[b:]
            case _:
                text = text[:a] + text[a:b][::-1] + text[b:]
    return text


WORDS = (
    *("opener=5", "joined=0.1.2.3.4.5", "emptied=0.0", "out=0", "out=0.1.2", "passed=1", "shown=0", "barred=5", "no_challenge=5"),
    *("phase=OVER", "phase=CHALLENGE", "phase=TAKING", "phase=OPENING", "reason=cards", "reason=empty", "durak=1", "durak=none"),
    *("take_at=12", "take_at=none", "played=0.1.2", "unlawful=7h", "judged=Td", "opening=4", "past=x", "past=ffffffffffffffff"),
    *("limit=5", "bout_no=100000", "cheat=true", "seats=2", "seats=6", "deck=24", "trump_card=As", "trump_card=none", "dealer=5"),
    *("floor_open=true", "transfer_lost=true", "view=0", "view=none", "/-/", "/0>1/", "/0>-/", "0:7h,8h;1:", ",", "\n"),
)


def play_a_little(position: Position, rng: Random) -> None:
    """
    Look at a position from all sides and play it on for some moves.
    """
    for _ in range(12):
        for viewer in (None, *range(position.rules.seats)):
            format_view(view(position, viewer))
        if position.phase == OVER:
            return
        moves = every_move(position)
        assert moves, "a game that is not over waits for somebody's move (property 3)"
        play(position, rng.choice(moves))
        assert setting_of(position) == setting_of(parse_position(format_position(position)))


@settings(max_examples=300)
@given(seeds, st.integers(1, 6))
def test_a_spoilt_position_is_a_value_error_or_can_be_played(seed: int, times: int) -> None:
    """
    No text brings the reader, the judge, the views or the rules down; what is read is written and read again.
    """
    rng = Random(seed)
    text = edited(format_position(random_game(rng, rng.randrange(150)).position), rng, times)
    try:
        position = parse_position(text)
    except ValueError:
        return
    assert setting_of(position) == setting_of(parse_position(format_position(position)))
    play_a_little(position, rng)


@settings(max_examples=200)
@given(seeds, st.integers(1, 6))
def test_a_spoilt_view_is_a_value_error_or_is_read_back(seed: int, times: int) -> None:
    """
    The same for views.
    """
    rng = Random(seed)
    game = random_game(rng, rng.randrange(150))
    text = edited(format_view(view(game.position, rng.choice((None, *range(game.rules.seats))))), rng, times)
    try:
        seen = parse_view(text)
    except ValueError:
        return
    assert seen == parse_view(format_view(seen))


@settings(max_examples=100)
@given(seeds, st.integers(1, 6))
def test_a_spoilt_game_is_a_value_error_or_is_replayed(seed: int, times: int) -> None:
    """
    The same for whole games.
    """
    rng = Random(seed)
    game = random_game(rng, rng.randrange(40))
    record = record_of(game.rules, game.pack, game.dealer, game.attacker, game.moves, {"Players": "A;B", "Game": "q7x2"})
    try:
        read = parse_game(edited(format_game(record), rng, times))
        assert read == parse_game(format_game(read))
        replay(read)
    except ValueError:
        return


@given(st.text())
def test_any_text_is_a_position_a_view_a_game_or_a_value_error(text: str) -> None:
    """
    Garbage never breaks a reader.
    """
    for read in READERS:
        try:
            read(text)
        except ValueError:
            continue


READERS: tuple[Callable[[str], object], ...] = (parse_position, parse_view, parse_game)
HEAD = "36/s/0/0:7h,9h;1:8h,Ts/0>1/7d>8d@0/"
LONG = {
    "slashes": "/" * 10**6,
    "cards": "36/s/" + "7h," * 300_000,
    "hands": "36/s/0/" + "0:7h;" * 200_000 + "/0>1/-/",
    "flags": HEAD + "passed=0," * 100_000,
    "one flag": HEAD + "past=" + "0." * 400_000,
    "digits": HEAD + "bout_no=" + "9" * 10**6,
    "spaces": " " * 10**6,
    "pairs": "36/s/0/0:7h;1:8h/0>1/" + "7d>8d@0," * 100_000 + "/",
    "tags": '[Players "' + "\\" * 400_000 + '"]',
    "open tag": "[" * 10**6,
    "lines": "\n" * 10**6,
    "moves": "1 0 attack 7h\n" * 70_000,
    "within the limits": HEAD + ",".join(f"joined{i}=0" for i in range(500)),
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_long_garbage_is_refused_at_once(text: str) -> None:
    """
    However long a text is, it costs a moment only.
    """
    began = time.process_time()
    for read in READERS:
        with pytest.raises(ValueError, match=r"."):
            read(text)
    assert time.process_time() - began < 2


@pytest.mark.parametrize("text", [*LONG.values(), "/" * 7000], ids=[*LONG, "short enough"])
def test_errors_are_short_enough_to_be_shown(text: str) -> None:
    """
    An error names what is wrong, not the whole of it.
    """
    for read in READERS:
        with pytest.raises(ValueError, match=r".") as caught:
            read(text)
        assert len(str(caught.value)) < 10_000


@pytest.mark.parametrize(
    ("change", "code"),
    [("seats=3", ""), ("seats=7", "bad_value"), ("transfer=yes", "bad_value"), ("first_limit=7", "bad_value"), ("stake=-1", "bad_value")],
)
def test_an_option_in_a_position_is_checked_like_any_option(change: str, code: str) -> None:
    """
    What no table can have has its code in a position as well.
    """
    with pytest.raises(ValueError, match=r".") as caught:
        parse_position(HEAD + change)
    assert code == getattr(caught.value, "code", "")


def test_an_undealable_position_is_an_option_error() -> None:
    """
    Five hands of a deck of 24 are no table. (R1.2)
    """
    with pytest.raises(OptionError) as caught:
        parse_position("24/s/0/0:9h;1:Th;2:Jh;3:Qh;4:Kh/0>1/-/seats=5")
    assert "undealable" == caught.value.code


MALFORMED = {
    "no such seat opened": HEAD + "opener=5",
    "no such seat ran out": HEAD + "emptied=5.1.0",
    "a seat ran out twice": HEAD + "emptied=0.0",
    "a seat joined twice": HEAD + "joined=0.0",
    "no such seat is barred": HEAD + "barred=2",
    "everybody is out": "36/s/0/0:;1:/0>1/7h@0/phase=OVER,reason=empty,out=0.1",
    "a durak that is no seat": "36/s/0/0:7h;1:/0>1/-/phase=OVER,reason=cards,out=1,durak=5",
    "more cards than bits": HEAD + "past=ffffffffffffffff",
    "a card in two hands": "36/s/0/0:7h,9h;1:7h,Ts/0>1/-/",
    "a card of another deck": "24/s/0/0:7h,9h;1:Th,Ts/0>1/-/",
    "a plain card under the stock": "36/s/6s,6h/0:7h,9h;1:Th,Ts/0>1/-/",
    "another turned card": "36/s/7s/0:7h,9h;1:8h,Ts/0>1/-/trump_card=8h",
    "too few hands": "36/s/0/0:7h,9h;1:8h,Ts/0>1/-/seats=3",
    "hands out of order": "36/s/0/1:7h,9h;0:8h,Ts/0>1/-/",
    "the wrong defender": "36/s/0/0:7h;1:8h;2:9h/0>2/-/seats=3",
    "a beaten bout to defend": HEAD + "phase=DEFENCE",
    "an open bout to throw in": "36/s/0/0:7h,9h;1:8h,Ts/0>1/7d@0/phase=THROW_IN",
    "an opening with cards": HEAD + "phase=OPENING",
    "a bout without cards": "36/s/0/0:7h;1:8h/0>1/-/phase=TAKING",
    "challenges at an honest table": HEAD + "phase=CHALLENGE",
    "a flag twice": HEAD + "passed=0,passed=0",
    "an option twice": HEAD + "seats=2,seats=2",
    "a flag without value": HEAD + "passed",
    "an unknown flag": HEAD + "mood=good",
    "other digits": "３６/s/0/0:7h,9h;1:8h,Ts/0>1/-/",
    "a leading zero": HEAD + "bout_no=05",
    "nobody left to pass": HEAD + "passed=0",
    "seven attack cards": "52/s/0/0:7h;1:8h,9h,Th/0>1/2c@0,2d@0,2h@0,2s@0,3c@0,3d@0,3h@0/",
    "an attacker without cards": "36/s/0/0:;1:8h/0>1/-/",
    "a seat in without cards as a bout begins": "36/s/0/0:;1:8h,9h;2:9d,Td/1>2/-/seats=3",
    "a pass that does not open the floor": "36/s/0/0:7h;1:8h,9h;2:7d/0>1/7s>8s@0/seats=3,throw_priority=attacker_first,passed=0",
    "over for no reason": "36/s/0/0:7h;1:/0>1/-/phase=OVER,out=1,durak=0",
    "an attacker who is out": "36/s/0/0:;1:8h;2:9h/0>1/-/seats=3,out=0",
    "an attack of one who is out": "36/s/0/0:7h;1:8h;2:/0>1/9d@2/seats=3,out=2",
    "an attack of the defender": "36/s/0/0:7h;1:8h/0>1/9d@1/",
    "out with cards": "36/s/0/0:7h;1:8h;2:9h/0>1/-/seats=3,out=2",
    "half a bout start": "36/s/0/0:7h;1:8h;2:9h/0>1/-/seats=3,past=x",
    "a turned card above the last": "36/s/6s,7s/0:7h;1:8h/0>1/-/trump_card=6s",
    "a limit that the table has not": "36/s/0/0:7h;1:8h/0>1/-/first_limit=6,limit=5",
    "an order of play of other cards": HEAD + "cheat=true,played=0.2",
    "an order of play too short": HEAD + "cheat=true,played=0",
    "a verdict on a card elsewhere": HEAD + "cheat=true,judged=7h",
    "everybody has accepted": HEAD + "cheat=true,phase=CHALLENGE,passed=0.1",
    "hidden cards": "36/s/0/0:2;1:8h/0>1/-/",
    "a view": HEAD + "view=0",
}


@pytest.mark.parametrize("text", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_position_is_refused(text: str) -> None:
    """
    What cannot be a position is told what is wrong with it.
    """
    with pytest.raises(ValueError, match=r"..."):
        parse_position(text)


MALFORMED_VIEWS = {
    "a position": HEAD,
    "no such seat": "36/s/0/0:2;1:2/0>1/7d>8d@0/view=2",
    "too many cards": "36/s/20/0:9;1:9/0>1/7d>8d@0/view=none",
    "no trump is left to be turned": "24/s/1/0:9s,Ts,Js,Qs,Ks,As;1:6/0>1/-/view=0",
    "the viewer's cards are hidden, others are not": "36/s/90/0:2;1:8h,Ts/0>1/7d>8d@0/view=0",
}


@pytest.mark.parametrize("text", MALFORMED_VIEWS.values(), ids=MALFORMED_VIEWS)
def test_a_malformed_view_is_refused(text: str) -> None:
    """
    What cannot be a view is told what is wrong with it.
    """
    with pytest.raises(ValueError, match=r"..."):
        parse_view(text)


GAME = format_game(GameRecord((_game := random_game(Random(3), 5)).rules, _game.pack, _game.dealer, _game.attacker, tuple(_game.moves)))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[Pack", "[Packs", "missing"),
        ("[Dealer", "[Attacker", "twice"),
        ("\n2 ", "\n3 ", "should stand"),
        ("\n1 ", "\nhello\n1 ", "neither"),
        ('Result "*"', 'Result "won"', "no result"),
        ('Result "*"', 'Result "draw empty 0.1"', "the moves lead to"),
        ('Dealer "', 'Dealer "9', "seats"),
        ('Pack "', 'Pack "2c ', "no shuffle"),
        ('Trump "', 'Trump "x', "do not fit"),
        ('Result "*"', 'Result "durak 5 cards"', "names a seat"),
    ],
)
def test_a_malformed_game_is_refused(old: str, new: str, why: str) -> None:
    """
    A file that is no game says which line or tag is wrong.
    """
    assert old in GAME
    with pytest.raises(ValueError, match=why):
        replay(parse_game(GAME.replace(old, new, 1)))


def test_a_game_with_an_illegal_move_says_which() -> None:
    """
    A file can be read whose moves cannot be played.
    """
    record = parse_game(GAME.partition("\n3 ")[0] + "\n3 0 accept\n")
    with pytest.raises(ValueError, match=r"^move 3: .*0 accept"):
        replay(record)


@pytest.mark.parametrize(("dealer", "attacker"), [(2, 0), (0, 2), (-1, 0), (0, -1)])
def test_a_game_is_dealt_to_its_own_seats(dealer: int, attacker: int) -> None:
    """
    Dealer and first attacker sit at the table.
    """
    with pytest.raises(ValueError, match="must be seats"):
        start(Rules(), deck_of(36), dealer, attacker)

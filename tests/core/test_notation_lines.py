"""Positions, views and games as text: what is written is read back, and garbage is a ValueError, quickly."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozyr.core.building import setting_of
from kozyr.core.codes import OVER
from kozyr.core.moves import Move
from kozyr.core.notation import format_position, format_view, parse_position, parse_view
from kozyr.core.play import play, result_of
from kozyr.core.record import DERIVED, REQUIRED, GameRecord, format_game, parse_game, record_of, replay
from kozyr.core.views import view
from tests.core.playing import at, legal, public
from tests.core.strategies import Game, games, random_game

seeds = st.integers(0, 2**20)
OWN_TAGS = (*REQUIRED, *DERIVED)


@settings(max_examples=60)
@given(games(most=6))
def test_positions_are_read_back(game: Game) -> None:
    """
    Text and position are the same thing, at every step of any game.
    """
    for move in game.steps():
        text = format_position(game.position)
        assert setting_of(game.position) == setting_of(parse_position(text))
        assert (text, game.position.turn) == (format_position(parse_position(text)), parse_position(text).turn)
        play(game.position, move)


@settings(max_examples=30)
@given(games(most=5))
def test_views_are_read_back(game: Game) -> None:
    """
    Every seat's and every spectator's view is read back whole, legal moves and all.
    """
    for move in game.steps():
        for viewer in (None, *range(game.rules.seats)):
            seen = view(game.position, viewer)
            assert seen == parse_view(format_view(seen))
        play(game.position, move)


@settings(max_examples=40)
@given(seeds, st.booleans())
def test_the_end_of_a_game_is_read_back(seed: int, left: bool) -> None:
    """
    A game that is over can be written too, with its result, as position and as view.
    """
    rng = Random(seed)
    game = random_game(rng, rng.randrange(100) if left else 2000)
    if game.position.phase != OVER:
        leaver = rng.choice([seat for seat in range(game.rules.seats) if game.position.seats_in >> seat & 1])
        play(game.position, Move(leaver, "resign"))
    other = parse_position(format_position(game.position))
    assert setting_of(game.position) == setting_of(other)
    assert result_of(game.position) == result_of(other)
    for viewer in (None, *range(game.rules.seats)):
        assert view(game.position, viewer) == view(other, viewer) == parse_view(format_view(view(game.position, viewer)))


def test_a_durak_by_the_last_card_is_read_back_as_out() -> None:
    """
    Where draws are off, the durak of a game in which nobody is left has no cards and is out, live and read back (R11.8).
    """
    position = at("36/s/0/0:;1:Th/0>1/9h@0/draws=false", "1 beat 9h Th")
    assert [False, False] == [seat.is_in for seat in public(position).seats]
    assert public(position) == public(parse_position(format_position(position)))


def test_a_verdict_that_was_written_down_is_forgotten_with_its_card() -> None:
    """
    The lawful six came after the bad beat and goes back with it: played again, it may be challenged again (R14.9).
    """
    text = "36/s/0/0:9c,Kh;1:7c,Td,Ad;2:8c,8d;3:Jc,Jd/0>1/9h>6c@0,6d@0/seats=4,cheat=true,penalty=rollback,judged=6d"
    assert "challenge 6d" not in legal(at(text), 1)
    assert "challenge 6d" in legal(at(text, "3 challenge 6c", "0 attack 6d"), 1)


def test_whose_turn_it_is_while_a_bout_closes_is_read_back() -> None:
    """
    The first from the attacker clockwise that has not accepted, not the lowest seat (R5.6).
    """
    position = at("36/s/0/0:7h;1:8h;2:6h,Td;3:9c/2>3/9h>Th@2/seats=4,cheat=true,pace=turns,phase=CHALLENGE,passed=2")
    assert 3 == position.turn == parse_position(format_position(position)).turn


TAGS = st.dictionaries(
    st.from_regex(r"[A-Z][A-Za-z]{0,12}", fullmatch=True).filter(lambda name: name not in OWN_TAGS),
    st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))),
    max_size=3,
)


@settings(max_examples=40)
@given(seeds, TAGS)
def test_games_are_read_back(seed: int, tags: dict[str, str]) -> None:
    """
    A game's file gives the same record, the same moves, and the same file again.
    """
    game = random_game(Random(seed), seed % 300)
    record = record_of(game.rules, game.pack, game.dealer, game.attacker, game.moves, tags)
    text = format_game(record)
    assert record == parse_game(text)
    assert text == format_game(parse_game(text))
    assert setting_of(game.position) == setting_of(replay(parse_game(text)))


@given(st.text())
def test_a_tag_is_written_as_it_can_be_read_or_not_at_all(value: str) -> None:
    """
    Any name of a player goes through a file unharmed, or is refused when it is written.
    """
    game = random_game(Random(1), 3)
    record = GameRecord(game.rules, game.pack, game.dealer, game.attacker, tuple(game.moves), None, {"Players": value})
    try:
        text = format_game(record)
    except ValueError:
        return
    assert record == parse_game(text)


@pytest.mark.parametrize("name", ["", "players", "Two Words", "Pack", "Result", "Naïve", 'A"'])
def test_a_tag_that_could_not_be_read_back_is_not_written(name: str) -> None:
    """
    A tag has a name of letters that is not one of the file's own.
    """
    game = random_game(Random(1), 3)
    record = GameRecord(game.rules, game.pack, game.dealer, game.attacker, tuple(game.moves), None, {name: "x"})
    with pytest.raises(ValueError, match=r"."):
        format_game(record)

"""Bots at cheating tables: rates are data, what is judged lies open, and honest tables are left alone."""

from __future__ import annotations

import pytest

from kozyr.bots import LEVELS, Memory, cheating
from kozyr.bots.cheating import Rates, RatesError, parse_rates, rates_of, rates_of_levels
from kozyr.core.events import seen_by
from kozyr.core.moves import Move, parse_move
from kozyr.core.notation import parse_position
from kozyr.core.play import play
from kozyr.core.views import view
from tests.tidy.files import ROOT

BEAT = "36/s/8d,6s/0:6c,7h,9h,Jh,Kh,Ac;1:8h,Th,7c,9c,Jc,7s/0>1/-/seats=2,cheat=true,first_limit=6"


def chosen(level: str, position: str, seat: int, *moves: str) -> Move | None:
    """
    Say what a level plays after some moves that everybody saw.
    """
    game = parse_position(position)
    memory = Memory.at(view(game, None))
    for move in moves:
        for event in play(game, parse_move(move)):
            memory.see(seen_by(event, None))
    return LEVELS[level](view(game, seat), memory)


@pytest.fixture(params=[0.0, 1.0])
def rate(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    """
    Let every level slip and catch always, or never.
    """
    always: float = request.param
    monkeypatch.setattr(cheating, "rates_of", lambda _level: Rates(always, always))
    return always


@pytest.mark.parametrize("level", LEVELS)
def test_a_noticed_card_is_challenged(level: str, rate: float) -> None:
    """
    1 beat Kh with the seven of clubs: who notices it challenges it before the bout closes (R14.1, R14.5).
    """
    move = chosen(level, BEAT, 0, "0 attack Kh", "1 beat Kh 7c", "0 pass")
    assert ("0 challenge 7c" if rate else "0 accept") == str(move)


@pytest.mark.parametrize("level", LEVELS)
def test_a_lawful_card_is_not_challenged(level: str, rate: float) -> None:
    """
    Bots judge by what lies open and are not wrong (R14.3).
    """
    assert "0 accept" == str(chosen(level, BEAT, 0, "0 attack 7h", "1 beat 7h 8h", "0 pass"))


@pytest.mark.parametrize("level", LEVELS)
def test_who_cannot_beat_may_slip_a_lower_card_of_the_suit(level: str, rate: float) -> None:
    """
    Nothing of 1 beats the ace of clubs lawfully, and it would take: it may try the seven of clubs (R14.2).
    """
    move = chosen(level, BEAT.replace("7s/", "Kd/"), 1, "0 attack Ac")
    assert ("1 beat Ac 7c" if rate else "1 take") == str(move)


@pytest.mark.parametrize("level", LEVELS)
def test_who_would_pass_may_slip_a_plain_card_of_another_rank(level: str, rate: float) -> None:
    """
    0 holds neither a seven nor an eight: it may try its lowest plain card (R14.2).
    """
    move = chosen(level, BEAT.replace("0:6c,7h,9h", "0:6c,9h"), 0, "0 attack 9h", "1 beat 9h Th")
    assert ("0 attack 6c" if rate else "0 pass") == str(move)


@pytest.mark.parametrize("level", LEVELS)
def test_honest_tables_are_left_alone(level: str, rate: float) -> None:
    """
    Where there is nothing to challenge, nothing is slipped either.
    """
    move = chosen(level, BEAT.replace("cheat=true,", "").replace("7s/", "Kd/"), 1, "0 attack Ac")
    assert "1 take" == str(move)


@pytest.mark.parametrize("level", LEVELS)
def test_levels_slip_and_notice_as_often_as_their_rates_say(level: str) -> None:
    """
    Over a thousand bouts the shares are near what cheating.json says.
    """
    cannot_beat = BEAT.replace("7s/", "Kd/")
    slips = notices = 0
    for bout_no in range(2, 1002):
        at = f",bout_no={bout_no}"
        slips += "1 beat Ac 7c" == str(chosen(level, cannot_beat + at, 1, "0 attack Ac"))
        notices += "0 challenge 7c" == str(chosen(level, BEAT + at, 0, "0 attack Kh", "1 beat Kh 7c", "0 pass"))
    assert rates_of(level).catch == pytest.approx(notices / 1000, abs=0.06)
    assert rates_of(level).slip == pytest.approx(slips / 1000, abs=0.02)


def test_easy_is_honest_without_a_memory(rate: float) -> None:
    """
    Whoever asks easy without a memory, as the stand-in for a seat that was left is, gets its honest move.
    """
    game = parse_position(BEAT.replace("7s/", "Kd/"))
    play(game, parse_move("0 attack Ac"))
    assert "1 take" == str(LEVELS["easy"](view(game, 1)))


def test_every_level_has_rates() -> None:
    """
    The better the level, the more it notices; the page on bots says the same.
    """
    assert list(LEVELS) == list(rates_of_levels())
    rows = [f"| {level} | {100 * slip:g} % | {100 * catch:g} % |" for level, (slip, catch) in rates_of_levels().items()]
    page = (ROOT / "docs/bots.md").read_text(encoding="utf-8").splitlines()
    assert [] == [row for row in rows if row not in page]
    assert sorted(rate.catch for rate in rates_of_levels().values()) == [rate.catch for rate in rates_of_levels().values()]


@pytest.mark.parametrize("text", ["{", "[]", '{"easy": 3}', '{"easy": {"slip": 2, "catch": 0}}'])
def test_a_damaged_file_of_rates_is_told(text: str) -> None:
    """
    A corrupt data file is a clear error.
    """
    with pytest.raises(RatesError, match="rates"):
        parse_rates(text)

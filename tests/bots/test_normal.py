"""The normal bot plays by weights that are data."""

from __future__ import annotations

import pytest

from kozyr.bots.chances import Chances
from kozyr.bots.features import NAMES, weigh
from kozyr.bots.linear import ROWS, Weights, WeightsError, format_weights, parse_weights, read_weights
from kozyr.bots.memory import Memory
from kozyr.bots.normal import choose
from kozyr.core.notation import parse_view


def chosen(text: str) -> str:
    """
    Say what normal plays on a view in notation.
    """
    return str(choose(parse_view(text)))


def features(text: str, move: str) -> dict[str, float]:
    """
    Name the features of a move.
    """
    view = parse_view(text)
    found = {str(each.move): each.row for each in weigh(view, Chances(view, Memory.at(view), counts=False))}
    return dict(zip(NAMES, found[move], strict=True))


def test_it_opens_with_a_low_plain_card() -> None:
    """
    Normal saves its trumps: with a plain seven it does not open with the six of trumps.
    """
    assert "0 attack 7h" == chosen("36/s/20/0:6s,7h,Tc,Qd,Kh,As;1:6/0>1/-/seats=2,limit=6,bout_no=5,view=0")


def test_it_does_not_throw_in_the_trump_ace() -> None:
    """
    While there is a stock the ace of trumps stays in the hand, though an ace lies in the bout.
    """
    assert "0 pass" == chosen("36/s/20/0:6s,7h,Tc,Qd,Qh,As;1:5/0>1/Kd>Ad@0/seats=2,limit=6,bout_no=5,view=0")


def test_it_takes_at_once_what_it_cannot_beat_as_a_whole() -> None:
    """
    Beating some of a bout only brings more throw-ins.
    """
    assert "1 take" == chosen("36/s/12/0:4;1:8h,9c,Jd,Kd/0>1/7h@0,7s@0/seats=2,limit=6,bout_no=5,view=1")


def test_of_a_card_that_is_known_to_be_held_the_chance_is_one() -> None:
    """
    The features tell what the defender can beat: nothing beats the ace of trumps.
    """
    row = features("36/s/12/0:7h,As;1:6/0>1/-/seats=2,limit=6,bout_no=5,view=0", "0 attack As")
    assert (0.0, 1.0, 1.0) == (row["beaten"], row["trump"], row["trump_rank"])


def test_weights_are_read_as_they_were_written() -> None:
    """
    parse_weights(format_weights(x)) is x, and the file names the command that made it.
    """
    weights = Weights([i / 8 for i in range(len(ROWS) * len(NAMES))])
    text = format_weights(weights, {"command": "by hand"})
    assert weights.values == parse_weights(text).values
    assert '"command": "by hand"' in text


@pytest.mark.parametrize("name", ["normal.json", "normal_more.json"])
def test_the_weights_of_the_package_can_be_read(name: str) -> None:
    """
    They come with the package and say how they were made.
    """
    assert len(ROWS) * len(NAMES) == len(read_weights(name).values)


@pytest.mark.parametrize("text", ["", "{}", '{"weights": {"open early": {}}}', '{"weights": 3}'])
def test_a_damaged_file_of_weights_is_told(text: str) -> None:
    """
    A corrupt weights file is a clear error, not a bot that plays anyhow.
    """
    with pytest.raises(WeightsError, match="no file of weights"):
        parse_weights(text)

"""Events and views in sentences."""

from __future__ import annotations

import pytest

from kozyr.cli.words import ENDS, PHASES, Words
from kozyr.core import codes
from kozyr.core import events as happened
from kozyr.core.cards import parse_card, parse_cards
from kozyr.core.moves import parse_move
from kozyr.core.notation import parse_view

WORDS = Words(("You", "Bot 1", "Bot 2"), 0)


def cards(text: str) -> tuple[int, ...]:
    """
    Read cards.
    """
    return tuple(parse_cards(text))


def result(durak: int | None, reason: str, *places: int) -> happened.GameOver:
    """
    End a game.
    """
    return happened.GameOver(happened.Result("draw" if durak is None else "durak", reason, durak, places))


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (happened.Attacked(0, cards("7h")), "You attack with 7h."),
        (happened.Attacked(1, cards("7c 7d")), "Bot 1 attacks with 7c 7d."),
        (happened.Beaten(1, parse_card("7h"), parse_card("8h")), "Bot 1 beats 7h with 8h."),
        (happened.Transferred(0, cards("7h"), 1), "You transfer to Bot 1 with 7h."),
        (happened.Transferred(2, cards("7h"), 0), "Bot 2 transfers to you with 7h."),
        (happened.Showed(2, parse_card("7s"), 0), "Bot 2 transfers to you by showing 7s."),
        (happened.Took(0), "You take."),
        (happened.Passed(1), "Bot 1 passes."),
        (happened.Passed(0), "You pass."),
        (happened.Accepted(1), "Bot 1 accepts."),
        (happened.Challenged(0, parse_card("7h"), 1, True, "does_not_beat"), "You challenge Bot 1's 7h, rightly: it was unlawful."),
        (happened.Challenged(1, parse_card("7h"), 0, False, None), "Bot 1 challenges your 7h, wrongly: it was lawful."),
        (happened.Returned(0, parse_card("7h")), "You get 7h back."),
        (happened.Resigned(1), "Bot 1 resigns."),
        (happened.BoutOver("beaten", cards("7h 8h"), None, (0, 1)), "All is beaten; 7h 8h go to the discard."),
        (happened.BoutOver("taken", cards("7h 8h"), 1, (0, 1)), "Bot 1 takes 7h 8h."),
        (happened.BoutOver("fault", cards("7h 8h"), 0, (0, 1)), "You take 7h 8h as a penalty."),
        (happened.Drew(0, 2, cards("7h 8h"), None), "You draw 7h 8h."),
        (happened.Drew(1, 2, (), None), "Bot 1 draws 2 cards."),
        (happened.Drew(1, 1, (), None), "Bot 1 draws 1 card."),
        (happened.Drew(0, 2, cards("7h 8h"), parse_card("8h")), "You draw 2 cards: 7h 8h, the turned 8h among them."),
        (happened.Drew(1, 2, cards("8h"), parse_card("8h")), "Bot 1 draws 2 cards, the turned 8h among them."),
        (happened.Drew(1, 1, cards("8h"), parse_card("8h")), "Bot 1 draws the turned 8h."),
        (happened.WentOut(0, 1), "You are out, in place 1."),
        (happened.WentOut(2, 2), "Bot 2 is out, in place 2."),
        (result(0, "cards", 2, 1), "You are the durak: nobody else holds cards. Place 1: Bot 2. Place 2: Bot 1."),
        (result(1, "forfeit"), "Bot 1 is the durak: the game was given up."),
        (result(None, "empty", 0, 1, 2), "The game is drawn: nobody holds cards. Place 1: you. Place 2: Bot 1. Place 3: Bot 2."),
        (result(None, "repetition"), "The game is drawn: the same bout began for the third time."),
    ],
)
def test_every_event_is_a_sentence(event: happened.Event, sentence: str) -> None:
    """
    What happened is told to the player as one would say it at a table.
    """
    assert sentence == WORDS.tell(event)


def test_every_end_and_every_phase_has_words() -> None:
    """
    Nothing that the engine can say lacks its sentence.
    """
    assert set(codes.REASONS[1:]) == set(ENDS)
    assert set(codes.PHASES) == set(PHASES)


@pytest.mark.parametrize(
    ("move", "written"),
    [
        ("0 beat 7h Th", "beat seven of hearts with ten of hearts"),
        ("0 attack 7c 7d", "attack seven of clubs, seven of diamonds"),
        ("0 take", "take"),
    ],
)
def test_moves_are_spelled_out_for_those_who_listen(move: str, written: str) -> None:
    """
    A screen reader makes little of "7h".
    """
    assert written == Words(("You", "Bot 1"), 0, spoken=True).move(parse_move(move))


def test_a_hand_is_sorted_with_its_trumps_last() -> None:
    """
    Plain cards by suit, then trumps.
    """
    seen = parse_view("36/d/0/0:Td,7h,6d,9c;1:6/0>1/-/seats=2,limit=6,bout_no=5,view=0")
    assert "9c 7h 6d Td" == Words(("You", "Bot 1"), 0).hand(seen)


def test_the_shown_last_card_of_a_deal_without_stock_is_told() -> None:
    """
    When all cards are dealt the last one is shown, and everybody knows who holds it (R2.4).
    """
    seen = parse_view("24/s/0/0:9c,9d,9h,9s,Tc,Td;1:6;2:6;3:6/0>1/-/seats=4,limit=5,bout_no=1,dealer=3,trump_card=As,view=0")
    lines = Words(("You", "Bot 1", "Bot 2", "Bot 3"), 0).situation(seen)
    assert "Trump: spades, As in the hand of Bot 3. Stock: 0. Discard: 0." in lines


def test_a_spectator_is_told_of_every_seat() -> None:
    """
    Without a seat of one's own there is no "you".
    """
    seen = parse_view("36/d/0/0:4;1:6/0>1/7h@0/seats=2,limit=6,bout_no=5,view=none")
    lines = Words(("Anna", "Boris")).situation(seen)
    assert "Bout 5. A card is unbeaten. Anna attacks Boris." == lines[0]
    assert "Cards: Anna 4, Boris 6." in lines

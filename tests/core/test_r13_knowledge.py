"""R13 and the views: what each seat may know."""

from __future__ import annotations

import pytest

from kozyr.core.cards import format_card, format_cards, parse_cards
from kozyr.core.events import Accepted, Attacked, BoutOver, Challenged, Drew, Returned, seen_by
from kozyr.core.moves import parse_move
from kozyr.core.notation import format_view
from kozyr.core.views import SeatView, view
from tests.core.playing import after, at, dealt, events, hand, legal, public

BOUT = "36/s/6h,8s,7s/0:Kh,9c;1:Qd,Ad,Kd;2:6c,Tc,Js/0>1/9h>Th@0,9d@2/seats=3,limit=5,bout_no=3,transfer=true"


def test_what_lies_open_is_public() -> None:
    """
    Everybody knows the bout, who played what, trump, the turned card, the sizes of hands, stock and discard, and the limits. (R13.1)
    """
    seen = public(at(BOUT))
    assert ["9h>Th@0", "9d@2"] == [
        format_card(pair.attack) + (f">{format_card(pair.beat)}" if pair.beat is not None else "") + f"@{pair.by}" for pair in seen.bout
    ]
    assert ("s", "7s") == ("cdhs"[seen.trump], format_card(seen.trump_card or 0))
    assert ([2, 3, 3], 3, 36 - 14) == ([seat.cards for seat in seen.seats], seen.stock, seen.discard)
    assert (5, 4, 2) == (seen.limit, seen.h0, seen.capacity)


def test_the_discard_is_a_number() -> None:
    """
    Nobody looks through the discard pile; its cards were seen when they were played. (R13.1)
    """
    assert all(format_card(card) not in format_view(view(at(BOUT), 0)) for card in parse_cards("6d 7d 8d As Qs"))


def test_spectators_see_what_is_public() -> None:
    """
    A spectator sees no hand and has no moves. (R13.2)
    """
    seen = public(at(BOUT))
    assert (None, (), ()) == (seen.seat, seen.hand, seen.legal)


def test_a_seat_sees_its_own_hand_and_its_legal_moves() -> None:
    """
    What one holds and may do is in one's own view. (V1)
    """
    position = at(BOUT)
    seen = view(position, 1)
    assert "Qd Kd Ad" == format_cards(seen.hand)
    assert {"beat 9d Qd", "beat 9d Kd", "beat 9d Ad", "take"} == {move.text for move in seen.legal}


def test_at_a_cheating_table_every_card_may_be_tried_and_none_is_marked() -> None:
    """
    The legal moves hold lawful and unlawful cards alike, with nothing to tell them apart. (V1)
    """
    position = at(BOUT + ",cheat=true")
    assert {"attack 6c", "attack Tc", "attack Js", "challenge Th"} == {move.text for move in view(position, 2).legal}


def test_every_view_has_the_same_public_part() -> None:
    """
    Views of seats and spectators differ in seat, hand and legal moves alone. (V2)
    """
    position = at(BOUT)
    own = {"seat", "hand", "legal"}
    parts = [view(position, viewer)._asdict() for viewer in (None, 0, 1, 2)]
    assert all({name: part[name] for name in part.keys() - own} == {name: parts[0][name] for name in part.keys() - own} for part in parts)


def test_rights_passes_and_places_of_every_seat_are_public() -> None:
    """
    Everybody sees who has passed, shown, gone out, and lost the right to challenge or to cheat. (V2)
    """
    bout = "36/s/0/0:Kh,9c;1:Qd,Ad,Kd;2:;3:6c,Js/0>1/9h>Th@0/"
    text = bout + "seats=4,transfer=true,cheat=true,out=2,passed=0,shown=0,barred=3,no_challenge=1"
    gone = SeatView(0, False, 1, False, False, False, True, False)
    assert (
        SeatView(2, True, None, True, False, False, True, True),
        SeatView(3, True, None, False, False, False, False, False),
        gone,
        SeatView(2, True, None, False, False, True, True, False),
    ) == public(at(text)).seats


def test_accepts_are_public() -> None:
    """
    In the time for challenges everybody sees who has accepted. (V2)
    """
    position = at("36/s/0/0:Kh;1:Qd,Ad/0>1/9h>Th@0/cheat=true", "0 pass", "1 accept")
    assert [False, True] == [seat.has_accepted for seat in public(position).seats]
    assert [False, False] == [seat.has_passed for seat in public(position).seats]


def test_the_turned_card_is_public_until_it_is_drawn() -> None:
    """
    Afterwards it is in a hand, and known from the draw. (V2)
    """
    position = at("36/s/7s/0:Kh;1:Qd,Ad/0>1/9h>Th@0/")
    assert "7s" == format_card(public(position).trump_card or 0)
    assert public(after(position, "0 pass")).trump_card is None


def test_the_shown_card_is_public_until_it_is_played_or_the_first_bout_ends() -> None:
    """
    After a deal without stock the dealer's card is shown; later it is known from what happened. (V2, V4)
    """
    text = "24/h/0/0:9s,Ah,Kh;1:9c,Tc,Jc;2:9d,Td,Jd/1>2/-/seats=3,bout_no=1,trump_card=Ah"
    assert ("Ah", 0) == (format_card(public(at(text)).trump_card or 0), public(at(text)).trump_card_at)
    assert public(at(text.replace("bout_no=1", "bout_no=2"))).trump_card_at is None
    assert public(at(text.replace("0:9s,Ah", "0:9s").replace("1>2/-", "0>1/Ah@0"))).trump_card_at is None


def test_the_result_is_in_every_view_when_the_game_is_over() -> None:
    """
    Kind, reason, durak and places are there for everybody. (V2)
    """
    position = at("36/s/0/0:;1:Th/0>1/9h@0/", "1 take")
    assert all(view(position, viewer).result == public(position).result is not None for viewer in (0, 1))


def test_everybody_sees_the_cards_that_are_played() -> None:
    """
    Attack, beat, transfer and show are seen with their cards, and so is what is taken. (V3)
    """
    position = at(BOUT)
    happened = events(position, "0 attack 9c", "1 take", "0 pass", "2 pass")
    public_ones = [event for event in happened if not isinstance(event, Drew)]
    assert public_ones == [seen_by(event, None) for event in public_ones]
    assert Attacked(0, tuple(parse_cards("9c"))) in public_ones
    assert any(isinstance(event, BoutOver) and format_cards(event.cards) == "9h Th 9d 9c" for event in public_ones)


def test_everybody_sees_how_many_cards_each_seat_drew() -> None:
    """
    Who draws sees the cards; the others see how many, and the turned card. (V3)
    """
    position = at("36/s/6h,8s,7s/0:Kh,Ks,Kc,Qc,Qh;1:Qd,Ad/0>1/9h>Th@0/")
    draws = [event for event in events(position, "0 pass") if isinstance(event, Drew)]
    assert [["6h", "7s"], ["", "8s 7s"], ["", "7s"]] == [
        [format_cards(seen.cards) for event in draws if isinstance(seen := seen_by(event, viewer), Drew)] for viewer in (0, 1, None)
    ]
    assert [(0, 1), (1, 2)] == [(event.seat, event.count) for event in draws]


def test_everybody_sees_challenges_verdicts_and_what_returned_to_whom() -> None:
    """
    A right challenge names the card, its author and the rule that it broke. (V3)
    """
    position = at("36/s/0/0:Kh,9c;1:Qd,Ad,Kd;2:6c,Js/0>1/9h>Th@0/seats=3,cheat=true,penalty=rollback", "2 attack 6c")
    (card,) = parse_cards("6c")
    happened = events(position, "1 challenge 6c")
    assert [Challenged(1, card, 2, True, "rank_not_in_bout"), Returned(2, card)] == happened
    assert happened == [seen_by(event, None) for event in happened]


def test_accepting_is_seen() -> None:
    """
    Everybody sees who lets a bout close. (V3)
    """
    position = at("36/s/0/0:Kh;1:Qd,Ad/0>1/9h>Th@0/cheat=true", "0 pass")
    assert [Accepted(1)] == [seen_by(event, 0) for event in events(position, "1 accept")]


def test_a_view_has_no_list_of_known_cards() -> None:
    """
    That seat 1 holds the cards it took follows from what happened; the view says how many cards it holds. (V4)
    """
    position = at("36/s/0/0:Kh,Kc;1:Qd,Ad/0>1/9h@0/", "1 take", "0 pass")
    assert "Qd Ad 9h" == hand(position, 1)
    assert "9h" not in format_view(view(position, 0))


# Pairs of positions that seat 0 cannot tell apart.
ALIKE = [
    ("36/s/6h,8s,7s/0:Kh,9c;1:Qd,Ad,Kd;2:6c,Tc,Js/0>1/9h>Th@0/seats=3", "36/s/6h,8s,7s/0:Kh,9c;1:6c,Tc,Js;2:Qd,Ad,Kd/0>1/9h>Th@0/seats=3"),
    ("36/s/6h,8s,7s/0:Kh,9c;1:Qd,Ad/0>1/9h@0/", "36/s/8s,6h,7s/0:Kh,9c;1:Qd,Ad/0>1/9h@0/"),
    ("36/s/6h,8s,7s/0:Kh,9c;1:Qd,Ad/0>1/9h@0/", "36/s/Ac,8s,7s/0:Kh,9c;1:6h,As/0>1/9h@0/"),
    ("36/s/0/0:Kh,9c;1:Qd,Ad/0>1/9h>Th@0/cheat=true", "36/s/0/0:Kh,9c;1:Qd,Ad/0>1/9h>Th@0/cheat=true,unlawful=Th"),
    ("36/s/0/0:Kh,9c;1:Qd,Ad;2:Ac/0>1/9h>Th@0,9d@2/seats=3,cheat=true", "36/s/0/0:Kh,9c;1:Qd,Ad;2:As/0>1/9h>Th@0,9d@2/seats=3,cheat=true"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE, ids=["hands", "stock", "hand and stock", "unlawful", "thrower"])
def test_what_a_seat_may_not_see_does_not_change_its_view(one: str, other: str) -> None:
    """
    Other hands, the order of the stock and whether a card was lawful change nothing that seat 0 sees. (V5)
    """
    for viewer in (0, None):
        assert format_view(view(at(one), viewer)) == format_view(view(at(other), viewer))


def test_the_trump_that_made_a_seat_begin_is_not_told() -> None:
    """
    Seat 0 began for the six of trumps or for the seven; the others see no difference. (V5)
    """
    one = dealt("6h 8d 9h 7d Tc 8h Jc 9d Qc Td Kc Jd Ah", dealer=1, attacker=0)
    other = dealt("7h 8d 9h 7d Tc 8h Jc 9d Qc Td Kc Jd Ah", dealer=1, attacker=0)
    assert format_view(view(one, 1)) == format_view(view(other, 1))


def test_a_spectators_view_is_the_public_part() -> None:
    """
    Spectators get what everybody may know, and nothing of anybody's own. (V6)
    """
    position = at(BOUT)
    assert public(position) == public(at(BOUT.replace("1:Qd,Ad,Kd", "1:Qc,Ad,Kd").replace("6h,8s", "8s,6h")))
    assert legal(position, 1)
    assert () == public(position).legal
    assert parse_move("1 take") not in public(position).legal

"""R9: taking."""

from __future__ import annotations

from tests.core.playing import at, code, events, hand, legal, outcome, phase, public

BOUT = "36/s/0/0:8c,Kh;1:Ac,Ad,Kc;2:7c,7d/0>1/7h>8h@0,8d@2/seats=3"


def test_the_defender_gets_every_card_in_the_bout() -> None:
    """
    Attack cards and the cards that beat them go to the defender's hand. (R9.1)
    """
    position = at(BOUT)
    happened = events(position, "1 take", "0 pass", "2 pass")
    assert ("taken", 1) == (outcome(happened).outcome, outcome(happened).taker)
    assert "Kc Ac 8d Ad 7h 8h" == hand(position, 1)


def test_the_defender_may_take_though_able_to_beat() -> None:
    """
    There is no duty to beat. (R9.1)
    """
    assert {"take", "beat 8d Ad"} == legal(at(BOUT), 1)


def test_a_defender_who_takes_beats_no_more() -> None:
    """
    What is said is said. (R9.1)
    """
    position = at(BOUT, "1 take")
    assert set() == legal(position, 1)
    assert ["already_taking"] * 2 == [code(position, move) for move in ("1 beat 8d Ad", "1 take")]


def test_a_beaten_bout_cannot_be_taken() -> None:
    """
    When all is beaten only the attackers decide. (R9.1)
    """
    assert "nothing_to_beat" == code(at(BOUT, "1 beat 8d Ad"), "1 take")


def test_cards_are_added_to_what_is_taken() -> None:
    """
    After the take the others may still add fitting cards, up to the same capacity. (R9.2)
    """
    position = at(BOUT, "1 take")
    assert [{"attack 8c", "pass"}, {"attack 7c", "attack 7d", "pass"}] == [legal(position, seat) for seat in (0, 2)]
    assert 2 == public(position).capacity
    events(position, "2 attack 7c")
    assert ("TAKING", 1) == (phase(position), public(position).capacity)
    assert "taken" == outcome(events(position, "2 attack 7d")).outcome


def test_a_take_ends_the_bout_at_once_where_the_table_says_so() -> None:
    """
    With `throw_on_take` off nobody adds anything. (R9.3)
    """
    assert "taken" == outcome(events(at(BOUT + ",throw_on_take=false"), "1 take")).outcome

"""What play has told everybody, in notation: cards known, cards out of the game, cards that a hand seems to lack."""

from __future__ import annotations

from random import Random

import pytest

from kozyr.bots.chances import Chances
from kozyr.bots.memory import Memory
from kozyr.core.cards import cards_in, format_cards, mask_of, parse_card, parse_cards
from kozyr.core.cheating import card_named
from kozyr.core.codes import OVER
from kozyr.core.events import Event, seen_by
from kozyr.core.judge import legal_moves
from kozyr.core.moves import parse_move
from kozyr.core.notation import parse_position
from kozyr.core.play import play
from kozyr.core.position import Position
from kozyr.core.views import view
from tests.bots.test_games import some_deal, some_rules

DEAL = "36/s/Qd,8d,Td,6d,6s/0:6c,7h,9h,Jh,Kh,Ac;1:8h,Th,7c,9c,Jc,7s/0>1/-/seats=2,first_limit=6"


class Game:
    """
    A position, and the memory of who has seen all that happened since.
    """

    def __init__(self, position: str, *moves: str) -> None:
        self.position = parse_position(position)
        self.memory = Memory.at(view(self.position, None))
        self.events: list[Event] = []
        for move in moves:
            for event in play(self.position, parse_move(move)):
                self.events.append(seen_by(event, None))
                self.memory.see(self.events[-1])

    def known(self, seat: int) -> str:
        """
        List the cards that a seat is known to hold.
        """
        return format_cards(cards_in(self.memory.known[seat]))

    def doubted(self, seat: int) -> str:
        """
        List the cards that a seat seems to lack.
        """
        return format_cards(cards_in(self.memory.refusals.doubted[seat]))

    def chances(self, viewer: int, counts: bool = True) -> Chances:
        """
        Judge as a seat does.
        """
        return Chances(view(self.position, viewer), self.memory, counts=counts)


# what is known


def test_who_took_cards_is_known_to_hold_them() -> None:
    """
    0 attacked 7h and 1 took it: so 1 holds 7h (V4).
    """
    assert "7h" == Game(DEAL, "0 attack 7h", "1 take", "0 pass").known(1)


def test_known_cards_that_are_played_are_known_no_more() -> None:
    """
    1 took 7h and later attacked with it: so it no longer holds it, and the discard has what was beaten (V4).
    """
    game = Game(DEAL, "0 attack 7h", "1 take", "0 pass", "0 attack Ac", "1 beat Ac 7s", "0 pass")
    assert ("7h", "Ac 7s") == (game.known(1), format_cards(cards_in(game.memory.discarded)))
    game = Game(DEAL, "0 attack 7h", "1 take", "0 pass", "0 attack 6c", "1 beat 6c 7c", "0 pass", "1 attack 7h")
    assert "" == game.known(1)


def test_who_drew_the_last_of_the_stock_holds_the_turned_card() -> None:
    """
    The turned card goes to whoever draws the last card, and everybody saw it (V4, R10.4).
    """
    game = Game(DEAL.replace("Qd,8d,Td,6d,6s", "6s"), "0 attack 7h", "1 beat 7h 8h", "0 pass")
    assert "6s" == game.known(0)


def test_a_shown_trump_is_known() -> None:
    """
    Who shows a trump to pass the attack on still holds it (R8.8, V4).
    """
    game = Game(DEAL.replace("first_limit=6", "transfer=true,show_transfer=true"), "0 attack 7h", "1 show 7s")
    assert "7s" == game.known(1)


def test_the_last_card_dealt_is_known_where_there_is_no_stock() -> None:
    """
    After a deal without stock the dealer shows the last card (R2.4, V4).
    """
    hands = "0:9c,Tc,Jc,Qc,Kc,Ac;1:9d,Td,Jd,Qd,Kd,Ad;2:9h,Th,Jh,Qh,Kh,Ah;3:9s,Ts,Js,Qs,Ks,As"
    game = Game(f"24/s/0/{hands}/0>1/-/seats=4,first_limit=6,bout_no=1,dealer=3,trump_card=Ts")
    assert ["", "", "", "Ts"] == [game.known(seat) for seat in range(4)]


def test_a_card_that_a_rollback_returns_is_known() -> None:
    """
    A challenged card goes back to its owner's hand under everybody's eyes (R14.9, V4).
    """
    cheating = DEAL.replace("seats=2", "seats=2,cheat=true,penalty=rollback")
    game = Game(cheating, "0 attack Kh", "1 beat Kh 7c", "0 challenge 7c")
    assert ("7c", [(parse_card("Kh"), None)]) == (game.known(1), game.memory.bout)


# what is refused


def test_a_defender_who_takes_lacks_what_beats_the_card() -> None:
    """
    0 attacked Jh and 1 took it: so 1 seems to hold no higher heart; a trump it may have kept.
    """
    assert "Qh Kh Ah" == Game(DEAL, "0 attack Jh", "1 take").doubted(1)


def test_who_passes_lacks_the_ranks_in_the_bout() -> None:
    """
    0 passed on 7h beaten with 8h: so 0 seems to hold no plain seven or eight.
    """
    assert "7c 8c 7d 8d 7h 8h" == Game(DEAL, "0 attack 7h", "1 beat 7h 8h", "0 pass").doubted(0)


def test_who_beats_where_it_could_transfer_lacks_the_rank() -> None:
    """
    In the transfer game 1 beat 7h at once: so it seems to hold no plain seven (R8.1).
    """
    game = Game(DEAL.replace("first_limit=6", "transfer=true"), "0 attack 7h", "1 beat 7h 8h")
    assert "7c 7d 7h" == game.doubted(1)


def test_what_a_seat_takes_it_lacks_no_more() -> None:
    """
    0 passed on sevens and then takes one: so it holds it.
    """
    moves = ["0 attack 7h", "1 beat 7h 8h", "0 pass", "1 attack 7c", "0 take", "1 pass"]
    game = Game(DEAL, *moves)
    assert ("7c", False) == (game.known(0), "7c" in game.doubted(0))


# chances


def test_known_cards_are_certain_and_seen_ones_impossible() -> None:
    """
    1 took 7h: it holds that card for sure, and none that lies open or in the viewer's hand.
    """
    chances = Game(DEAL, "0 attack 7h", "1 take", "0 pass").chances(0)
    assert [1.0, 0.0, 0.0] == [chances.holds(1, parse_card(card)) for card in ("7h", "9h", "6s")]


def test_hidden_cards_are_spread_evenly() -> None:
    """
    Seat 1's six cards are among the 29 that seat 0 does not see: 36 less its own six and the turned card.
    """
    assert 6 / 29 == pytest.approx(Game(DEAL).chances(0).holds(1, parse_card("Kd")))


def test_what_was_refused_can_only_have_been_drawn() -> None:
    """
    1 took Jh and drew nothing since: so it has no Qh; with two cards drawn since, one of them may be it.
    """
    chances = Game(DEAL, "0 attack Jh", "1 take", "0 pass").chances(0)
    assert 0.0 == chances.holds(1, parse_card("Qh"))
    assert 0.0 == chances.beats_plainly(1, parse_card("Kh"))
    drawn = Game(DEAL, "0 attack 7h", "1 beat 7h 8h", "0 pass").chances(1)
    assert 0.0 < drawn.holds(0, parse_card("7d")) < drawn.holds(0, parse_card("Qd"))


def test_heads_up_with_an_empty_stock_who_counts_knows_everything() -> None:
    """
    With the discard remembered, all cards that are not seen are in the only other hand (R13.1).
    """
    game = Game(DEAL.replace("Qd,8d,Td,6d,6s", "6s"), "0 attack 7h", "1 beat 7h 8h", "0 pass")
    setting = "36/s/0/0:9h,Kh;1:8c/0>1/-/seats=2"
    assert game.memory.discarded == mask_of(parse_cards("7h 8h"))
    position = parse_position(setting)
    memory = Memory.at(view(position, None))
    memory.discarded = position.discard
    assert 1.0 == Chances(view(position, 0), memory, counts=True).holds(1, parse_card("8c"))


def test_who_does_not_count_takes_discarded_cards_for_hidden_ones() -> None:
    """
    Normal remembers who took what, and not the discard.
    """
    game = Game(DEAL, "0 attack 7h", "1 beat 7h 8h", "0 pass")
    assert 0.0 == game.chances(0).holds(1, parse_card("8h"))
    assert 0.0 < game.chances(0, counts=False).holds(1, parse_card("8h"))


# whole games


def check(position: Position, memory: Memory) -> None:
    """
    Hold a memory against the truth.
    """
    for seat in range(position.rules.seats):
        assert 0 == memory.known[seat] & ~position.hands[seat], "a hand lacks a card that it is known to hold"
    assert position.discard == memory.discarded
    assert position.laid == mask_of(card for pair in memory.bout for card in pair if card is not None)
    trail = position.trail
    unlawful = 0 if trail is None else mask_of(card_named(position, name) for name in range(12) if trail.unlawful >> name & 1)
    assert unlawful == memory.unlawful, "everybody saw whether a card was lawful (R14.3)"


@pytest.mark.parametrize("seed", range(40))
def test_what_is_remembered_is_true_in_every_game(seed: int) -> None:
    """
    At every table and whatever is played, known cards are where they are known to be, and the discard is what was beaten (V3, V4).
    """
    rng = Random(seed)
    position = some_deal(rng, some_rules(rng))
    first = view(position, None)
    memory = Memory.at(first)
    events: list[Event] = []
    for _ in range(400):
        if position.phase == OVER:
            break
        moves = [move for seat in range(position.rules.seats) for move in legal_moves(position, seat)]
        for event in play(position, rng.choice(moves)):
            memory.see(event)
            events.append(seen_by(event, None))
        check(position, memory)
    again = Memory.of(first, events)
    assert (memory.known, memory.discarded, memory.refusals.doubted) == (again.known, again.discarded, again.refusals.doubted)

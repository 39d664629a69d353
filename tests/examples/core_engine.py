"""
The engine that people play with, as the examples and traces ask for it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kozyr.core.building import Setting, place
from kozyr.core.cards import cards_in, format_card, parse_card, parse_cards, parse_suit, popcount
from kozyr.core.codes import OVER, PHASES, TAKING, THROW_IN
from kozyr.core.defaults import default_move
from kozyr.core.events import BoutOver, Drew, Event
from kozyr.core.judge import legal_moves, may_throw, waiting_for
from kozyr.core.moves import IllegalMove, parse_move_of
from kozyr.core.options import OptionError, Rules
from kozyr.core.play import bout_pairs, play, result_of, seats_of
from kozyr.core.position import Position
from kozyr.core.setup import first_attacker, first_by_trump, start
from kozyr.ledger.payouts import payouts
from tests.examples.engines import Playing, Refused
from tests.reference.dealing import deal

NAMES = [format_card(card) if card & 15 < 13 else "" for card in range(64)]


@lru_cache(maxsize=1 << 14)
def names(mask: int) -> tuple[str, ...]:
    """
    List the cards of a set, sorted as texts.
    """
    return tuple(sorted(NAMES[card] for card in cards_in(mask)))


class CoreGame:
    """
    A game in play, with what happened in its last bout.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.discard_before = popcount(position.discard)
        self.last_bout: list[Event] = []

    def do(self, seat: int, text: str) -> None:
        try:
            events = play(self.position, parse_move_of(seat, text))
        except (IllegalMove, ValueError) as error:
            raise Refused(f"{seat} {text}") from error
        if any(isinstance(event, BoutOver) for event in events):
            self.last_bout = events

    def legal(self, seat: int) -> list[str]:
        return sorted(move.text for move in legal_moves(self.position, seat))

    def default_move(self, seat: int) -> str | None:
        move = default_move(self.position, seat)
        return None if move is None else move.text

    def state(self) -> dict[str, Any]:
        position = self.position
        over = position.phase == OVER
        result = self.result() if over else None
        pairs = [[NAMES[attack], None if beat is None else NAMES[beat], seat] for attack, seat, beat in bout_pairs(position)]
        return {
            "hands": [list(names(position.hands[seat])) for seat in range(position.terms.seats)],
            # The cards of a bout that ended the game have gone; a forfeit leaves them where they are.
            "bout": pairs if result is None or result["reason"] == "forfeit" else [],
            "phase": PHASES[position.phase],
            "attacker": None if over else position.attacker,
            "defender": None if over else position.defender,
            "capacity": position.capacity(),
            "stock": position.deal.size - position.top,
            "discard": popcount(position.discard),
            "places": seats_of(position.places),
            "result": result,
        }

    def result(self) -> dict[str, Any]:
        """
        Say how the game ended, with the payout by seat.
        """
        rules, result = self.position.rules, result_of(self.position)
        forfeit = result.reason == "forfeit"
        paid = payouts(rules.stake, rules.seats, rules.split, result.places, result.durak, forfeit=forfeit)
        return {"kind": result.kind, "durak": result.durak, "reason": result.reason, "payout": list(paid)}

    def facts(self) -> dict[str, Any]:
        position, state = self.position, self.state()
        result = state["result"] or {"kind": None, "durak": None, "reason": None, "payout": None}
        seats = range(position.terms.seats)
        waits = waiting_for(position) if position.phase in (THROW_IN, TAKING) else 0
        bout_over = next((event for event in self.last_bout if isinstance(event, BoutOver)), None)
        drew = {event.seat: [NAMES[card] for card in event.cards] for event in self.last_bout if isinstance(event, Drew)}
        facts = {key: state[key] for key in ("phase", "attacker", "defender", "capacity", "stock", "places")}
        return facts | {
            "limit": position.limit,
            "h0": position.h0,
            "hands": [len(hand) for hand in state["hands"]],
            "cards": state["hands"],
            "bout": [f"{attack}{f'>{beat}' if beat else ''}@{seat}" for attack, beat, seat in state["bout"]],
            "discard": popcount(position.discard) - self.discard_before,
            "waiting": [seat for seat in seats if waits >> seat & 1],
            "may_throw": [seat for seat in seats if may_throw(position, seat)],
            "outcome": bout_over.outcome if bout_over else None,
            "draw_order": list(bout_over.order) if bout_over else [],
            "drew": drew,
            "result": result["kind"],
            "durak": result["durak"],
            "reason": result["reason"],
            "payout": result["payout"],
            "default": {seat: self.default_move(seat) for seat in seats},
        }


class Core:
    """
    The engine that people play with.
    """

    def may_open(self, deck: int, seats: int) -> bool:
        try:
            Rules(deck=deck, seats=seats)
        except OptionError:
            return False
        return True

    def deal(self, deck: int, seats: int, dealer: int, pack: list[str]) -> dict[str, Any]:
        rules = Rules(deck=deck, seats=seats)
        codes = bytes(parse_card(card) for card in pack)
        attacker = first_attacker(rules, codes, dealer)
        position = start(rules, codes, dealer, 0 if attacker is None else attacker)
        return {
            "hands": [list(names(position.hands[seat])) for seat in range(seats)],
            "stock": [NAMES[position.deal.cards[place]] for place in range(position.deal.size)],
            "trump_card": NAMES[position.deal.trump_card],
            "attacker": "lot" if attacker is None else attacker,
        }

    def first(self, hands: list[list[str]], trump: str, dealer: int, no_trump: str) -> int | str:
        rules = Rules(deck=52, seats=len(hands), no_trump=no_trump)
        masks = [sum(1 << parse_card(card) for card in hand) for hand in hands]
        attacker = first_by_trump(rules, masks, 0x1FFF << 16 * parse_suit(trump), dealer)
        return no_trump if attacker is None else attacker

    def pay(self, seats: int, entry: int, split: str, placed: int | None) -> list[int]:
        if placed is None:
            return list(payouts(entry, seats, split, range(seats - 1), seats - 1))
        # Seats in the order of the list: those who are out, then from the left of the leaver, who is the last.
        return list(payouts(entry, seats, split, range(placed), seats - 1, forfeit=True))

    def from_deal(
        self, options: dict[str, Any], hands: list[list[str]], stock: list[str], trump_card: str, dealer: int, attacker: int
    ) -> Playing:
        seats = len(hands)
        dealt = [hands[(dealer + 1 + k) % seats][k // seats] for k in range(6 * seats)]
        pack = dealt + stock[-1:] + stock[:-1]
        assert deal(pack, seats, dealer).trump_card == trump_card
        rules = read_rules(options, seats)
        return CoreGame(start(rules, bytes(parse_card(card) for card in pack), dealer, attacker))

    def from_position(self, options: dict[str, Any], position: dict[str, Any]) -> Playing:
        return CoreGame(place(read_setting(options, position)))


def read_rules(options: dict[str, Any], seats: int) -> Rules:
    """
    Read options in the words of the rules, where a clock that does not run is "off".
    """
    return Rules.of({"seats": seats} | {name: 0 if name == "turn_s" and value == "off" else value for name, value in options.items()})


def read_setting(options: dict[str, Any], position: dict[str, Any]) -> Setting:
    """
    Read an example's position.
    """
    hands = tuple(tuple(parse_cards(position["hands"][seat])) for seat in range(len(position["hands"])))
    rules = read_rules(options, len(hands))
    bout = tuple(read_pair(text) for text in position.get("bout", []))
    bout_no = position.get("bout_no", 5)
    first = bout_no == 1 if rules.first_limit_scope == "first_bout" else not position.get("beaten_before", True)
    phase = position.get("phase")
    lying = sum(1 if beat is None else 2 for _, _, beat in bout)
    is_taking = phase == "TAKING" or (phase == "CHALLENGE" and any(beat is None for _, _, beat in bout))
    joined = position.get("joined")
    return Setting(
        rules=rules,
        trump=parse_suit(position["trump"]),
        hands=hands,
        attacker=position["attacker"],
        stock=tuple(parse_cards(position.get("stock", ""))),
        bout=bout,
        defender=position.get("defender"),
        phase=phase,
        joined=None if joined is None else tuple(joined),
        out=tuple(position.get("out", [])),
        limit=rules.first_limit if first else 6,
        bout_no=bout_no,
        passed=tuple(position.get("passed", [])),
        floor_open=position.get("floor_open"),
        transfer_lost=position.get("transfer_lost"),
        shown=tuple(position.get("shown", [])),
        take_at=lying if is_taking else None,
        barred=tuple(position.get("barred", [])),
        no_challenge=tuple(position.get("no_challenge", [])),
    )


def read_pair(text: str) -> tuple[int, int, int | None]:
    """
    Read an attack card, its seat, and the card that beat it: "9h>Th@0".
    """
    cards, seat = text.split("@")
    attack, _, beat = cards.partition(">")
    return parse_card(attack), int(seat), parse_card(beat) if beat else None

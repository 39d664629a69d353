"""
Positions and facts in the form of the worked examples.

Source: the examples' README.
"""

from __future__ import annotations

from typing import Any, TypeVar

from .bout import CHALLENGE, DEFENCE, OVER, TAKING, THROW_IN, Bout, Play
from .cards import beats
from .ending import start_bout
from .game import Game
from .options import Options

G = TypeVar("G", bound=Game)


def from_position(options: Options, position: dict[str, Any], kind: type[G]) -> G:
    """
    Set up a game of *kind* in the middle.
    """
    listed = position["hands"]
    hands = [str(listed[seat]).split() for seat in range(len(listed))]
    game = kind(options, hands, position.get("stock", "").split(), position["trump"])
    game.out = list(position.get("out", []))
    game.beaten_before = position.get("beaten_before", True)
    game.bout_no = position.get("bout_no", 5)
    game.barred = set(position.get("barred", []))
    game.no_challenge = set(position.get("no_challenge", []))
    if not position.get("bout"):
        game.bout_no -= 1
        start_bout(game, position["attacker"])
        game.bout.defender = position.get("defender", game.bout.defender)
        game.bout.h0 = position.get("h0", len(game.hands[game.bout.defender]))
    else:
        read_bout(game, position)
    return game


def read_bout(game: Game, position: dict[str, Any]) -> None:
    """
    Set up the bout that a position names.
    """
    attacker = position["attacker"]
    defender = position.get("defender", game.next_in(attacker))
    plays = read_plays(game, position["bout"], defender)
    bout = Bout(
        opener=plays[0].seat, attacker=attacker, defender=defender, h0=0, limit=game.limit_now(), plays=plays
    )
    game.bout = bout
    bout.h0 = position.get("h0", len(game.hands[defender]) + len(bout.defences()))
    bout.joined = list(position.get("joined", dict.fromkeys(play.seat for play in bout.attacks())))
    bout.passed = set(position.get("passed", []))
    bout.shown = set(position.get("shown", []))
    bout.floor_open = position.get("floor_open", not game.hands[attacker])
    bout.transfer_lost = position.get("transfer_lost", bool(bout.defences()))
    bout.phase = position.get("phase", DEFENCE if bout.unbeaten() else THROW_IN)
    if bout.phase == TAKING or (bout.phase == CHALLENGE and bout.unbeaten()):
        bout.taking_from = len(plays)
    ran_out = [seat for seat in game.seats_in() if not game.hands[seat]]
    last_card = {play.seat: place for place, play in enumerate(plays)}
    game.emptied = sorted(ran_out, key=lambda seat: last_card.get(seat, -1))


def read_plays(game: Game, listed: list[str], defender: int) -> list[Play]:
    """
    Read the cards of a bout, each attack card followed at once by its defence card.
    """
    plays: list[Play] = []
    for text in listed:
        cards, seat = text.split("@")
        attack, _, defence = cards.partition(">")
        ranks = {play.card[0] for play in plays}
        plays.append(Play(attack, int(seat), opening=not plays, lawful=not plays or attack[0] in ranks))
        if defence:
            plays.append(Play(defence, defender, beaten=attack, lawful=beats(defence, attack, game.trump)))
    return plays


def facts(game: Game) -> dict[str, Any]:
    """
    State every fact that an example may expect.
    """
    bout, result = game.bout, game.result
    over = bout.phase == OVER
    return {
        "phase": bout.phase,
        "attacker": None if over else bout.attacker,
        "defender": None if over else bout.defender,
        "capacity": 0 if over else bout.capacity(),
        "limit": bout.limit,
        "h0": bout.h0,
        "hands": [len(hand) for hand in game.hands],
        "cards": [list(hand) for hand in game.hands],
        "bout": [f"{attack}{f'>{defence}' if defence else ''}@{seat}" for attack, defence, seat in game.state()["bout"]],
        "stock": len(game.stock),
        "discard": game.discard,
        "waiting": game.waiting(),
        "may_throw": [seat for seat in range(game.seats) if seat not in game.out and game.may_throw(seat)],
        "outcome": game.outcome,
        "draw_order": list(game.draw_order),
        "drew": {seat: list(cards) for seat, cards in game.drew.items()},
        "places": list(game.out),
        "result": result.kind if result else None,
        "durak": result.durak if result else None,
        "reason": result.reason if result else None,
        "payout": list(result.payout) if result else None,
        "default": {seat: game.default_move(seat) for seat in range(game.seats)},
    }

"""One game between players that see views and the public memory."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from kozyr.bots.memory import Memory
from kozyr.core.codes import OVER
from kozyr.core.events import Event, seen_by
from kozyr.core.judge import waiting_for
from kozyr.core.moves import Move
from kozyr.core.options import Rules
from kozyr.core.play import play, result_of
from kozyr.core.playout import next_random, shuffled
from kozyr.core.position import Position
from kozyr.core.setup import first_attacker, needs_redeal, start
from kozyr.core.views import View, view


class Player(Protocol):
    """Who chooses moves: None where there is nothing to do."""

    def __call__(self, view: View, memory: Memory | None = None, /) -> Move | None: ...


class Follower(Protocol):
    """Who is told what its seat may see of a game, from the deal on."""

    def begin(self, view: View, /) -> None: ...

    def see(self, event: Event, /) -> None: ...


NOBODY: Mapping[int, Follower] = MappingProxyType({})


class Deal(NamedTuple):
    """The cards of a game and who attacks first."""

    pack: bytes
    dealer: int
    attacker: int


class Outcome(NamedTuple):
    """How a game ended: the durak, if there is one; for each seat points from 0 (the durak) to 1 and its place from 1; the moves played."""

    durak: int | None
    points: tuple[float, ...]
    places: tuple[float, ...]
    moves: int


def deal_of(rules: Rules, seed: int) -> Deal:
    """Deal from a seed: the pack, the dealer and, where nobody holds a trump, the lot."""
    state = int(next_random(1 + seed * 7919 % 2147483645))
    while True:
        state = int(next_random(state))
        pack = bytes(shuffled(rules.deck, state))
        dealer = state // 64 % rules.seats
        if not needs_redeal(rules, pack, dealer):
            attacker = first_attacker(rules, pack, dealer)
            return Deal(pack, dealer, state // 1024 % rules.seats if attacker is None else attacker)


def play_game(rules: Rules, deal: Deal, players: Sequence[Player], followers: Mapping[int, Follower] = NOBODY) -> Outcome:
    """
    Play one game, the players by seat, and tell the followers, by seat too, what they may see of it.

    Where the game waits for several seats, the first clockwise from the attacker that has something to do moves. Nobody throws in before
    the defender has answered.

    Raises: IllegalMove for a player that breaks the rules, ValueError where nobody moves.
    """
    position = start(rules, deal.pack, deal.dealer, deal.attacker)
    memory = Memory.at(view(position, None))
    moves = 0
    for seat, follower in followers.items():
        follower.begin(view(position, seat))
    while position.phase != OVER:
        move = next_move(position, memory, players)
        for event in play(position, move):
            memory.see(seen_by(event, None))
            for seat, follower in followers.items():
                follower.see(seen_by(event, seat))
        moves += 1
    return outcome_of(position, moves)


def next_move(position: Position, memory: Memory, players: Sequence[Player]) -> Move:
    """Ask the players that the game waits for, in turn, for a move."""
    waiting = waiting_for(position)
    seats = position.rules.seats
    for at in range(position.attacker, position.attacker + seats):
        seat = at % seats
        if waiting >> seat & 1:
            move = players[seat](view(position, seat), memory)
            if move is not None:
                if move.seat != seat:
                    raise ValueError(f"seat {seat} chose a move of another: {move}")
                return move
    raise ValueError(f"nobody moves: the game waits for {[seat for seat in range(seats) if waiting >> seat & 1]}")


def outcome_of(position: Position, moves: int = 0) -> Outcome:
    """
    Count points and places.

    Who is not the durak has a point; in a draw everybody has the fair share, (n − 1) / n. Seats without a place share those that are left.

    Source: R11.5-R11.7.
    """
    result = result_of(position)
    seats = position.rules.seats
    durak = result.durak
    points = tuple((seats - 1) / seats if durak is None else float(seat != durak) for seat in range(seats))
    ranked = result.places
    places = [0.0] * seats
    for place, seat in enumerate(ranked, 1):
        places[seat] = float(place)
    rest = [seat for seat in range(seats) if seat not in ranked]
    for seat in rest:
        places[seat] = float(seats) if seat == durak else len(ranked) + (len(rest) - (durak is not None) + 1) / 2
    return Outcome(durak, points, tuple(places), moves)

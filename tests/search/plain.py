"""
Slow ways to the value of a position, to hold the solver against, and small positions to try them on.

`full_value` plays every move to the end of the game with the engine's own rules, repetition and lack of progress among them.
`endless_value` lists every position that can come and asks which of them lead by force to a win, as if play could go on for ever.
"""
from __future__ import annotations

from dataclasses import replace
from random import Random

from kozyr.core.building import Setting, place, setting_of
from kozyr.core.cards import deck_of
from kozyr.core.codes import OVER
from kozyr.core.moves import Move
from kozyr.core.options import Rules
from kozyr.core.play import move_of
from kozyr.core.playout import choices
from kozyr.core.position import Position

CIRCLE = (
    "52/h/0/0:9d,Th,Jh,Ts;1:Tc,Jc,9h/1>0/-/"
    "pace=turns,transfer=true,show_transfer=true,throw_on_take=false,draws=false,limit=6,bout_no=5"
)
UNKNOWN_START = -1  # a bout start that equals none
FIELDS = (
    *("attacker", "phase", "turn", "laid", "attacks", "beats", "beaten", "limit", "h0", "emptied"),
    *("rights", "top", "seats_in", "passed"),
)

Key = tuple[int, ...]


class TooBig(Exception):
    """Say that a search would take too long."""


def key_of(position: Position) -> Key:
    """Tell a position apart from every other that does not go on in the same way, but for the bouts before it."""
    hands = [position.hands[seat] for seat in range(position.terms.seats)]
    return (*hands, *(getattr(position, name) for name in FIELDS), int(position.bout_no == 1))


def result_for(position: Position, seat: int) -> int:
    """Return 1, 0 or -1 for a game that is over."""
    if position.durak < 0:
        return 0
    return -1 if position.durak == seat else 1


def full_value(position: Position, seat: int, cap: int) -> int:
    """
    Return the value for *seat* by looking at every move; positions are the same only with the same bouts before them.

    Raises: TooBig after *cap* positions.
    """
    known: dict[tuple[Key, Key], int] = {}

    def value(position: Position) -> int:
        if position.phase == OVER:
            return result_for(position, seat)
        past = tuple(position.past[i] for i in range(position.n_past * (position.terms.seats - 1)))
        key = (key_of(position), past)
        if key in known:
            return known[key]
        if len(known) >= cap:
            raise TooBig
        mine = position.turn == seat
        best = -1 if mine else 1
        for action in choices(position):
            child = position.copy()
            child.act(action)
            best = (max if mine else min)(best, value(child))
            if best == (1 if mine else -1):
                break
        known[key] = best
        return best

    return value(position)


def endless_value(position: Position, seat: int, cap: int) -> int:
    """
    Return the value for *seat* if play could go on for ever, which nobody wins.

    Raises: TooBig after *cap* positions.
    """
    positions, follow = graph(position, cap)
    for result in (1, -1):
        if 0 in forced(positions, follow, seat, result):
            return result
    return 0


def graph(position: Position, cap: int) -> tuple[list[Position], list[set[int]]]:
    """List every position that can come, the first one first, and the numbers of those that each leads to."""
    numbers: dict[object, int] = {}
    positions: list[Position] = []
    follow: list[set[int]] = []

    def number(position: Position) -> int:
        key = over_or_key(position)
        if key not in numbers:
            numbers[key] = len(positions)
            positions.append(position)
        return numbers[key]

    number(position.copy())
    while len(follow) < len(positions):
        if len(positions) > cap:
            raise TooBig
        at = positions[len(follow)]
        after: set[int] = set()
        for action in () if at.phase == OVER else choices(at):
            after.add(number(afresh(at, action)))
        follow.append(after)
    return positions, follow


def forced(positions: list[Position], follow: list[set[int]], seat: int, result: int) -> set[int]:
    """Find the positions from which a *result* of 1 for seat, or -1 against it, can be forced."""
    before: dict[int, list[int]] = {}
    for i, after in enumerate(follow):
        for j in after:
            before.setdefault(j, []).append(i)
    found = {i for i, at in enumerate(positions) if at.phase == OVER and result_for(at, seat) == result}
    open_ways = [len(after) for after in follow]
    fresh = list(found)
    while fresh:
        for i in before.get(fresh.pop(), []):
            open_ways[i] -= 1
            is_choice = (positions[i].turn == seat) == (result == 1)
            if i not in found and (is_choice or open_ways[i] == 0):
                found.add(i)
                fresh.append(i)
    return found


def plain_moves(position: Position, cap: int) -> dict[Move, int]:
    """
    Return what every move of the seat whose turn it is is worth to it, found without the solver.

    Where cards cannot be passed on no position of two seats comes twice, so that the bouts before do not matter: every move is played
    to the end. Else all positions that can come are listed, and solved backwards from their ends as if play could go on for ever.

    Raises: TooBig after *cap* positions.
    """
    seat = int(position.turn)
    children = [(move_of(position, action), action) for action in choices(position)]
    found: dict[Move, int] = {}
    if position.terms.transfer:
        positions, follow = graph(position, cap)
        won, lost = (forced(positions, follow, seat, result) for result in (1, -1))
        numbers = {over_or_key(each): i for i, each in enumerate(positions)}
        for move, action in children:
            at = numbers[over_or_key(afresh(position, action))]
            found[move] = 1 if at in won else -1 if at in lost else 0
        return found
    known: dict[Key, int] = {}
    for move, action in children:
        child = position.copy()
        child.act(action)
        found[move] = played_out(child, seat, known, cap)
    return found


def played_out(position: Position, seat: int, known: dict[Key, int], cap: int) -> int:
    """Return the value for *seat* by playing every move, where no position can come twice. Raises: TooBig."""
    if position.phase == OVER:
        return result_for(position, seat)
    key = key_of(position)
    if key in known:
        return known[key]
    if len(known) >= cap:
        raise TooBig
    mine = position.turn == seat
    best = -1 if mine else 1
    for action in choices(position):
        child = position.copy()
        child.act(action)
        value = played_out(child, seat, known, cap)
        best = max(best, value) if mine else min(best, value)
        if best == (1 if mine else -1):
            break
    known[key] = best
    return best


def over_or_key(position: Position) -> object:
    """Tell positions apart, and of games that are over only how they ended."""
    return ("over", position.durak) if position.phase == OVER else key_of(position)


def afresh(position: Position, action: int) -> Position:
    """Return the position after an action where nothing came before: no bout start is met again, and there is always progress."""
    child = position.copy()
    child.n_past = 1
    child.past[0] = UNKNOWN_START
    child.act(action)
    return child


# small positions


def some_rules(rng: Random, transfer: bool) -> Rules:
    """Choose a table for two with any options of honest play."""
    options: dict[str, object] = {
        "deck": rng.choice((24, 36, 52)),
        "throw_scope": rng.choice(("all", "neighbours", "attacker")),
        "throw_priority": rng.choice(("free", "attacker_first")),
        "pace": rng.choice(("open", "turns")),
        "multi_attack": rng.random() < 0.4,
        "first_limit": rng.choice((5, 6)),
        "first_limit_scope": rng.choice(("until_beaten", "first_bout")),
        "throw_on_take": rng.random() < 0.7,
        "draw_order": rng.choice(("clockwise", "joined")),
        "draws": rng.random() < 0.6,
        "no_draw_durak": rng.choice(("defender", "last_thrower")),
    }
    if transfer:
        options |= {"transfer": True, "multi_transfer": rng.random() < 0.4, "show_transfer": rng.random() < 0.4}
        options["transfer_first_bout"] = rng.random() < 0.7
    return Rules.of(options)


def small_position(rng: Random, most: int, transfer: bool = False, stock: int = 0) -> Position:
    """Deal up to *most* cards, often of few ranks, and play a few moves."""
    rules = some_rules(rng, transfer)
    cards = list(deck_of(rules.deck))
    if rng.random() < 0.6:
        low = rng.randint(13 - rules.deck // 4, 11)
        high = low + rng.randint(1, 3)
        cards = [card for card in cards if low <= card & 15 <= high]
    rng.shuffle(cards)
    n = rng.randint(2, min(most, len(cards) - stock - 1))
    split = rng.randint(1, n - 1)
    drawn = cards[n : n + rng.randint(0, stock)]
    setting = Setting(
        rules=rules,
        trump=drawn[-1] >> 4 if drawn else rng.randrange(4),
        hands=(tuple(sorted(cards[:split])), tuple(sorted(cards[split:n]))),
        attacker=rng.randrange(2),
        stock=tuple(drawn),
        limit=5 if rules.first_limit == 5 and rng.random() < 0.5 else 6,
        bout_no=rng.choice((1, 5)),
    )
    return played_on(rng, place(setting), rng.randint(0, 8) if rng.random() < 0.7 else 0)


def played_on(rng: Random, position: Position, moves: int) -> Position:
    """Play random moves turn by turn, and stop before the game is over."""
    for _ in range(moves):
        child = position.copy()
        child.act(rng.choice(choices(child)))
        if child.phase == OVER:
            break
        position = child
    return position


def with_past(rng: Random, position: Position) -> Position:
    """Put bouts before a position: some that equal none, and now and then the present bout's own start."""
    setting = setting_of(position)
    own = (setting.past or ())[-1:]
    before: list[tuple[int, ...]] = [(UNKNOWN_START,)] * rng.choice((rng.randint(1, 38), 37, 38))
    if rng.random() < 0.4:
        before[rng.randrange(len(before))] = own
    return place(replace(setting, past=tuple(hand for start in before for hand in start) + own))

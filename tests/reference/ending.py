"""
The end of a bout: closing, drawing, going out, the next bout or the end of the game.

Source: R5.7, R9-R11, R14.5.
"""

from __future__ import annotations

from .bout import CHALLENGE, OVER, TAKING, THROW_IN, Bout
from .paying import shares_after_forfeit, shares_by_place
from .table import Result, Table


def start_bout(table: Table, attacker: int) -> None:
    """
    Begin a bout; end the game instead if it only repeats itself.

    Source: R4.1, R6.1, R6.2, R11.9, R11.10.
    """
    table.bout_no += 1
    defender = table.next_in(attacker)
    table.bout = Bout(
        opener=attacker, attacker=attacker, defender=defender, h0=len(table.hands[defender]), limit=table.limit_now()
    )
    start = (tuple(tuple(sorted(hand)) for hand in table.hands), len(table.stock), attacker)
    table.starts[start] += 1
    if table.starts[start] == 3:
        end_game(table, "draw", None, "repetition")
    elif table.bouts_without_progress == 20 * table.seats:
        end_game(table, "draw", None, "no_progress")


def begin_taking(table: Table) -> None:
    """
    Make the defender take: passes are cleared, and throw-ins may follow where the option allows them.

    Source: R5.4, R9.1-R9.3.
    """
    bout = table.bout
    bout.taking_from = len(bout.plays)
    bout.phase = TAKING
    bout.passed.clear()
    settle(table)


def settle(table: Table) -> None:
    """
    Close the bout if nobody is waited for in THROW_IN or TAKING.

    Source: R5.7, R6.4, R9.3; R14.5 for CHALLENGE.
    """
    bout = table.bout
    if bout.phase not in (THROW_IN, TAKING):
        return
    ends_at_once = bout.phase == TAKING and not table.options["throw_on_take"]
    if bout.capacity() > 0 and table.waiting() and not ends_at_once:
        return
    if table.options["cheat"]:
        bout.phase = CHALLENGE
        bout.accepted.clear()
    else:
        close_bout(table)


def close_bout(table: Table) -> None:
    """
    Resolve the bout: taken if the defender is taking, else beaten.
    """
    end_bout(table, "taken" if table.is_taking() else "beaten", None)


def end_bout(table: Table, outcome: str, punished: int | None) -> None:
    """
    Move the cards, draw, let seats go out, and begin the next bout or end the game.

    Source: R10, R11, R14.7, R14.8.
    """
    bout = table.bout
    cards = [play.card for play in bout.plays]
    if outcome == "beaten":
        table.discard += len(cards)
        table.beaten_before = True
    elif outcome == "taken":
        table.hands[bout.defender] += cards
    elif punished is not None:
        table.hands[punished] += cards
    table.outcome = outcome
    table.draw_order = turns_to_draw(table, punished)
    draw_cards(table)
    gone = go_out(table)
    if outcome == "beaten" or table.drew or gone:
        table.bouts_without_progress = 0
    else:
        table.bouts_without_progress += 1
    left = table.seats_in()
    if len(left) == 1:
        end_game(table, "durak", left[0], "cards")
    elif not left:
        nobody_left(table, gone)
    elif outcome == "taken":
        start_bout(table, table.next_in(bout.defender))
    else:
        # The defender attacks or, having gone out, the next seat in. (R10.1, R11.4)
        start_bout(table, next(table.clockwise_from(bout.defender)))


def turns_to_draw(table: Table, punished: int | None) -> list[int]:
    """
    Order the seats that are in for the draw.

    The final defender is last but for a punished seat, which draws after the defender. The opener is first; if
    that is one of these two, the next joiner; with no joiner left, the seat at the defender's left.
    Source: R10.3, R14.8.
    """
    bout = table.bout
    last = [bout.defender] + ([punished] if punished is not None else [])
    others = [seat for seat in table.clockwise_from(bout.defender) if seat not in last]
    joiners = [seat for seat in [bout.opener, *bout.joined] if seat in others]
    first = [*joiners, *others][:1]
    clockwise = [seat for start in first for seat in table.clockwise_from(start) if seat in others]
    if table.options["draw_order"] == "joined":
        return list(dict.fromkeys(joiners + clockwise)) + last
    return clockwise + last


def draw_cards(table: Table) -> None:
    """
    Let each seat in turn fill up to six cards, until the stock is empty.

    Source: R10.3, R10.4.
    """
    table.drew = {}
    for seat in table.draw_order:
        while table.stock and len(table.hands[seat]) < 6:
            card = table.stock.pop(0)
            table.hands[seat].append(card)
            table.drew.setdefault(seat, []).append(card)
    table.emptied = [seat for seat in table.emptied if not table.hands[seat]]


def go_out(table: Table) -> list[int]:
    """
    Let the seats without cards go out, in the order in which their hands became empty.

    Source: R11.1, R11.5.
    """
    gone = [] if table.stock else table.emptied
    table.emptied = []
    table.out = table.out + gone
    return gone


def nobody_left(table: Table, gone: list[int]) -> None:
    """
    End a game in which the last seats went out in one bout.

    Source: R11.7, R11.8.
    """
    if table.options["draws"]:
        end_game(table, "draw", None, "empty")
        return
    durak = gone[-1] if table.options["no_draw_durak"] == "defender" else table.bout.attacks()[-1].seat
    table.out.remove(durak)
    end_game(table, "durak", durak, "last_emptied")


def forfeit(table: Table, seat: int) -> None:
    """
    End the game with *seat* as its durak; the bout stays where it is.

    Source: R16.3.
    """
    end_game(table, "durak", seat, "forfeit")


def end_game(table: Table, kind: str, durak: int | None, reason: str) -> None:
    """
    Write down the result and the payout.

    Source: R15.3-R15.5, R16.3.
    """
    stake, split = table.options["stake"], table.options["split"]
    payout = [stake] * table.seats
    if durak is not None and reason == "forfeit":
        shares = shares_after_forfeit(table.seats, stake, split, len(table.out))
        others = [seat for seat in table.clockwise_from(durak) if seat != durak]
        for seat, coins in zip([*table.out, *others, durak], shares, strict=True):
            payout[seat] = coins
    elif durak is not None:
        for seat, coins in zip([*table.out, durak], shares_by_place(table.seats, stake, split), strict=True):
            payout[seat] = coins
    table.result = Result(kind, durak, reason, payout)
    table.bout.phase = OVER

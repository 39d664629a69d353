"""
The moves that are accepted from a seat.

Source: R4-R9, R14.2, R14.6.
"""

from __future__ import annotations

from .bout import CHALLENGE, DEFENCE, OPENING, TAKING, THROW_IN, Play
from .cards import beats, groups_of_one_rank
from .table import Table


def legal_moves(table: Table, seat: int) -> list[str]:
    """
    List every move that *seat* may play now but *resign*, as sorted texts.
    """
    if table.result is not None or seat in table.out:
        return []
    bout = table.bout
    moves: list[str] = []
    if bout.phase == OPENING and seat == bout.attacker:
        moves += opening_moves(table, seat)
    if bout.phase == DEFENCE and seat == bout.defender:
        moves += beating_moves(table, seat) + transfer_moves(table, seat) + ["take"]
    if table.may_throw(seat):
        moves += throw_ins(table, seat)
    if bout.phase in (THROW_IN, TAKING) and table.may_pass(seat):
        moves.append("pass")
    if bout.phase == CHALLENGE and seat not in bout.accepted:
        moves.append("accept")
    moves += [f"challenge {play.card}" for play in bout.plays if may_challenge(table, seat, play)]
    return sorted(moves)


def opening_moves(table: Table, seat: int) -> list[str]:
    """
    List the first attacks: any one card or, where the option allows, several of one rank.

    Source: R4.1, R4.2.
    """
    most = min(table.bout.limit, len(table.hands[table.bout.defender])) if table.options["multi_attack"] else 1
    return [f"attack {cards}" for cards in groups_of_one_rank(table.hands[seat], max(1, most))]


def may_cheat(table: Table, seat: int) -> bool:
    """
    Say whether unlawful cards are accepted from *seat*.

    Source: R14.2, R14.9, R14.10.
    """
    return bool(table.options["cheat"]) and seat not in table.barred


def beating_moves(table: Table, seat: int) -> list[str]:
    """
    List the ways to beat one unbeaten card.

    Source: R7.1, R7.2; R14.2 (a).
    """
    any_card = may_cheat(table, seat)
    return [
        f"beat {attack} {card}"
        for attack in table.bout.unbeaten()
        for card in table.hands[seat]
        if any_card or beats(card, attack, table.trump)
    ]


def throw_ins(table: Table, seat: int) -> list[str]:
    """
    List the cards that *seat*, which may throw in, may throw in.

    Source: R5.1; R14.2 (b).
    """
    any_card = may_cheat(table, seat)
    ranks = table.bout.ranks()
    return [f"attack {card}" for card in table.hands[seat] if any_card or card[0] in ranks]


def transfer_moves(table: Table, seat: int) -> list[str]:
    """
    List the transfers, by playing or by showing, that the defender has.

    Source: R8.
    """
    bout = table.bout
    ranks = {play.card[0] for play in bout.attacks()}
    if not table.options["transfer"] or bout.transfer_lost or len(ranks) != 1:
        return []
    if table.bout_no == 1 and not table.options["transfer_first_bout"]:
        return []
    rank = ranks.pop()
    # The target could take over this many cards more than lie there now. (R8.2)
    room = len(table.hands[table.next_in(seat)]) - len(bout.attacks())
    moves: list[str] = []
    if room >= 1:
        same = [card for card in table.hands[seat] if card[0] == rank]
        most = room if table.options["multi_transfer"] else 1
        moves += [f"transfer {cards}" for cards in groups_of_one_rank(same, most)]
    if table.options["show_transfer"] and seat not in bout.shown and room >= 0 and rank + table.trump in table.hands[seat]:
        moves.append(f"show {rank}{table.trump}")
    return moves


def may_challenge(table: Table, seat: int, play: Play) -> bool:
    """
    Say whether *seat*, which is in, may challenge this card.

    Source: R14.6, R14.8, R14.9.
    """
    if not table.options["cheat"] or seat in table.no_challenge or seat == play.seat:
        return False
    if play.opening or play.judged:
        return False
    return not (play.beaten is not None and table.is_taking())

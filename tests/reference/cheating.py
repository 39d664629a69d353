"""
Challenges and what they cost.

Source: R14.6-R14.10.
"""

from __future__ import annotations

from .bout import DEFENCE, TAKING, THROW_IN
from .ending import begin_taking, end_bout, settle
from .table import Table


def challenge(table: Table, seat: int, card: str) -> None:
    """
    Judge *card*, which *seat* has challenged.
    """
    play = next(play for play in table.bout.plays if play.card == card)
    if table.options["penalty"] == "rollback":
        if play.lawful:
            play.judged = True
            table.no_challenge.add(seat)
            table.barred.add(seat)
        else:
            roll_back(table, card)
    elif play.lawful:
        play.judged = True
        wrong_challenge(table, seat)
    else:
        caught(table, play.seat)


def caught(table: Table, cheater: int) -> None:
    """
    Punish a cheater under `take_bout`.

    Source: R14.7, R14.10.
    """
    if table.options["caught_bar"]:
        table.barred.add(cheater)
    if cheater == table.bout.defender:
        begin_taking(table)
    else:
        end_bout(table, "fault", cheater)


def wrong_challenge(table: Table, challenger: int) -> None:
    """
    Punish a wrong challenge under `take_bout`.

    A defender who is taking already pays with the right to challenge alone: passes and accepts stand.
    Source: R14.8.
    """
    if challenger != table.bout.defender:
        end_bout(table, "fault", challenger)
        return
    table.no_challenge.add(challenger)
    if not table.is_taking():
        begin_taking(table)


def roll_back(table: Table, card: str) -> None:
    """
    Return an unlawful card, and every card played after it, to their owners.

    The cheater may not cheat again whatever `caught_bar` says: R14.9 has no "if", and without it one bout could be
    rolled back for ever. The lost transfer and the open floor stay as they are.
    Source: R14.9.
    """
    bout = table.bout
    place = [play.card for play in bout.plays].index(card)
    returned = bout.plays[place:]
    bout.plays = bout.plays[:place]
    table.barred.add(returned[0].seat)
    for play in returned:
        table.hands[play.seat].append(play.card)
    table.emptied = [seat for seat in table.emptied if not table.hands[seat]]
    attackers = {play.seat for play in bout.attacks()}
    bout.joined = [seat for seat in bout.joined if seat in attackers or seat in bout.shown]
    bout.passed.clear()
    bout.accepted.clear()
    # A take said after the card is undone, one said before it stands.
    if bout.taking_from is not None and bout.taking_from > place:
        bout.taking_from = None
    if table.is_taking():
        bout.phase = TAKING
    else:
        bout.phase = DEFENCE if bout.unbeaten() else THROW_IN
    settle(table)

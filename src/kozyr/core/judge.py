"""
The one judge: who may play what now, and which rule a card breaks.

`refusal` says why the server would not accept a move; `fault_of` says which rule a card breaks (R14.3). At honest tables a card that
breaks a rule is refused; at a cheating table it may be legal all the same (R14.2). `legal_moves` lists exactly the moves that
`refusal` lets pass.

The codes are stable: they are the protocol's, and the keys of their translations.
"""
from __future__ import annotations

from kozyr.core._native import i64
from kozyr.core.cards import ONE, beaters, cards_in, lowest, mask_of, popcount
from kozyr.core.cheating import card_named, challengeable, name_of
from kozyr.core.codes import CHALLENGE, DEFENCE, FLOOR_OPEN, OPENING, OVER, TAKING, THROW_IN, TRANSFER_LOST
from kozyr.core.moves import Move
from kozyr.core.playout import attack_sets, transfer_sets
from kozyr.core.position import Position


def legal_moves(position: Position, seat: int) -> list[Move]:
    """
    List the moves that a seat may make now; `resign`, open to every seat in, is not listed.

    At a cheating table the list holds every card that the seat may try, and every card that it may challenge.

    Source: R4-R9, R14.2, R14.6.
    """
    moves: list[Move] = []
    at: i64 = seat
    if position.phase == OVER or not position.seats_in >> at & 1:
        return moves
    cards: i64 = attackable(position, at)
    for card in cards_in(cards):
        moves.append(Move(seat, "attack", (card,)))
    if position.phase == OPENING and at == position.attacker:
        for several in attack_sets(position):
            moves.append(Move(seat, "attack", tuple(cards_in(several))))
    if position.phase == DEFENCE and at == position.defender:
        moves.extend(_defences(position, at))
    if may_pass(position, at):
        moves.append(Move(seat, "pass"))
    if may_accept(position, at):
        moves.append(Move(seat, "accept"))
    names: i64 = challengeable(position, at)
    while names:
        moves.append(Move(seat, "challenge", (card_named(position, lowest(names)),)))
        names &= names - 1
    return moves


def _defences(position: Position, seat: i64) -> list[Move]:
    moves: list[Move] = []
    at: int = seat
    place: i64 = 0
    while place < position.n_attacks:
        if not position.beaten >> place & 1:
            attack: int = position.attacks >> 9 * place & 63
            for card in cards_in(beatable(position, place)):
                moves.append(Move(at, "beat", (attack, card)))
        place += 1
    for card in cards_in(position.transfers()):
        moves.append(Move(at, "transfer", (card,)))
    for several in transfer_sets(position):
        moves.append(Move(at, "transfer", tuple(cards_in(several))))
    for card in cards_in(position.shows()):
        moves.append(Move(at, "show", (card,)))
    moves.append(Move(at, "take"))
    return moves


# who may do what, whatever cards are held


def is_cheat_allowed(position: Position, seat: i64) -> bool:
    """
    Say whether a seat may still play unlawful cards.

    Source: R14.2, R14.9, R14.10.
    """
    trail = position.trail
    return trail is not None and not trail.barred >> seat & 1


def has_floor(position: Position, seat: i64) -> bool:
    """
    Say whether a seat may throw in or pass while the attacker goes first.

    Source: R5.5.
    """
    return not position.terms.attacker_first or seat == position.attacker or (position.rights & FLOOR_OPEN) != 0


def may_throw(position: Position, seat: i64) -> bool:
    """
    Say whether a seat may throw in now, whatever ranks it holds.

    Source: R5.2, R5.3, R5.5, R5.6, R6.4.
    """
    phase: i64 = position.phase
    if phase != DEFENCE and phase != THROW_IN and phase != TAKING:
        return False
    if position.hands[seat] == 0 or position.passed >> seat & 1 or not position.throwers >> seat & 1:
        return False
    if position.capacity() == 0 or not has_floor(position, seat):
        return False
    return not position.terms.turns or (phase != DEFENCE and seat == position.turn)


def may_pass(position: Position, seat: i64) -> bool:
    """
    Say whether a seat may pass now.

    Source: R5.4, R5.6.
    """
    return position.phase != DEFENCE and may_throw(position, seat)


def may_accept(position: Position, seat: i64) -> bool:
    """
    Say whether a seat may accept now that the bout closes.

    Source: R14.5.
    """
    return position.phase == CHALLENGE and (position.seats_in & ~position.passed) >> seat & 1 != 0


def attackable(position: Position, seat: i64) -> i64:
    """Return the cards with which a seat may open the bout or throw in now, one by one."""
    if position.phase == OPENING:
        if seat == position.attacker:
            return position.hands[seat]
        return 0
    if not may_throw(position, seat):
        return 0
    if is_cheat_allowed(position, seat):
        return position.hands[seat]
    return position.hands[seat] & position.ranks


def beatable(position: Position, place: i64) -> i64:
    """Return the cards that the defender may play on the unbeaten attack card at *place*."""
    hand: i64 = position.hands[position.defender]
    if is_cheat_allowed(position, position.defender):
        return hand
    return hand & beaters(position.attacks >> 9 * place & 63, position.trumps)


def waiting_for(position: Position) -> i64:
    """
    Return the seats that the game waits for, as a mask: whose move is still needed before the phase can end.

    Public knowledge only: a seat with cards that has not passed is waited for, whatever its cards are; and also while it does not
    have the floor or the turn yet (R5.5, R5.6), so that not every seat named here may move at once.

    Source: R5.4, R5.7, R14.5.
    """
    phase: i64 = position.phase
    if phase == OPENING:
        return ONE << position.attacker
    if phase == DEFENCE:
        return ONE << position.defender
    if phase == CHALLENGE:
        return position.seats_in & ~position.passed
    if phase == OVER:
        return 0
    waiting: i64 = 0
    for seat in range(position.terms.seats):
        if position.throwers >> seat & 1 and not position.passed >> seat & 1 and position.hands[seat]:
            waiting |= ONE << seat
    return waiting


# the judge


def fault_of(position: Position, move: Move) -> str:
    """
    Return the code of the rule that the card of a beat or an attack breaks as the bout lies now; empty for a lawful card.

    Source: R14.3; R5.1 `rank_not_in_bout`, R7.1 `does_not_beat`.
    """
    if move.kind == "attack" and position.phase != OPENING:
        if mask_of(move.cards) & ~position.ranks:
            return "rank_not_in_bout"
    elif move.kind == "beat":
        attack: i64 = move.cards[0]
        if not mask_of(move.cards[1:]) & beaters(attack, position.trumps):
            return "does_not_beat"
    return ""


def refusal(position: Position, move: Move) -> str:
    """Return the code of the reason why a move is not accepted now; empty for a legal move."""
    seat: i64 = move.seat
    if position.phase == OVER:
        return "game_over"
    if seat < 0 or seat >= position.terms.seats or not position.seats_in >> seat & 1:
        return "seat_not_in"
    if move.kind == "attack":
        return _attack_refusal(position, seat, move)
    if move.kind == "pass":
        return _pass_refusal(position, seat)
    if move.kind == "accept":
        return _accept_refusal(position, seat)
    if move.kind == "challenge":
        return _challenge_refusal(position, seat, move.cards[0])
    if move.kind == "resign":
        return ""
    return _defence_refusal(position, seat, move)


def _attack_refusal(position: Position, seat: i64, move: Move) -> str:
    if position.phase == CHALLENGE:
        return "bout_closing"
    if position.phase == OPENING:
        if seat != position.attacker:
            return "not_your_turn"
    elif seat == position.defender:
        return "defender_cannot_attack"
    elif not position.throwers >> seat & 1:
        return "not_a_thrower"
    if mask_of(move.cards) & ~position.hands[seat]:
        return "not_in_hand"
    if len(move.cards) > 1 and (position.phase != OPENING or not position.terms.multi_attack):
        return "one_card_only"
    if position.capacity() < len(move.cards):
        return "no_capacity"
    if position.phase == OPENING:
        return ""
    if position.passed >> seat & 1:
        return "already_passed"
    if not has_floor(position, seat):
        return "attacker_first"
    if not may_throw(position, seat):
        return "not_your_turn"
    return "" if is_cheat_allowed(position, seat) else fault_of(position, move)


def _pass_refusal(position: Position, seat: i64) -> str:
    if position.phase != THROW_IN and position.phase != TAKING:
        return "nothing_to_pass"
    if not position.throwers >> seat & 1 or position.hands[seat] == 0:
        return "not_a_thrower"
    if position.passed >> seat & 1:
        return "already_passed"
    if not has_floor(position, seat):
        return "attacker_first"
    return "" if may_pass(position, seat) else "not_your_turn"


def _accept_refusal(position: Position, seat: i64) -> str:
    if position.phase != CHALLENGE:
        return "nothing_to_accept"
    return "" if may_accept(position, seat) else "already_accepted"


def _challenge_refusal(position: Position, seat: i64, card: i64) -> str:
    trail = position.trail
    if trail is None:
        return "no_challenges_here"
    if trail.no_challenge >> seat & 1:
        return "no_more_challenges"
    name: i64 = name_of(position, card)
    if name < 0:
        return "card_not_in_bout"
    return "" if challengeable(position, seat) >> name & 1 else "not_challengeable"


def _defence_refusal(position: Position, seat: i64, move: Move) -> str:
    if seat != position.defender:
        return "not_the_defender"
    if position.phase == TAKING:
        return "already_taking"
    if position.phase == CHALLENGE:
        return "bout_closing"
    if position.phase != DEFENCE:
        return "nothing_to_beat"
    if move.kind == "take":
        return ""
    if move.kind == "beat":
        return _beat_refusal(position, seat, move)
    if mask_of(move.cards) & ~position.hands[seat]:
        return "not_in_hand"
    return _show_refusal(position, seat, move) if move.kind == "show" else _transfer_refusal(position, seat, move)


def _beat_refusal(position: Position, seat: i64, move: Move) -> str:
    name: i64 = name_of(position, move.cards[0])
    if name < 0 or name & 1:
        return "card_not_in_bout"
    if position.beaten >> (name >> 1) & 1:
        return "already_beaten"
    if mask_of(move.cards[1:]) & ~position.hands[seat]:
        return "not_in_hand"
    return "" if is_cheat_allowed(position, seat) else fault_of(position, move)


def _pass_on_refusal(position: Position, move: Move) -> str:
    """What a transfer and a show have in common (R8.1, R8.3, R8.9)."""
    if not position.terms.transfer:
        return "no_transfers_here"
    if position.rights & TRANSFER_LOST:
        return "transfer_lost"
    if position.bout_no == 1 and not position.terms.transfer_first_bout:
        return "no_transfer_in_first_bout"
    if mask_of(move.cards) & ~position.ranks or not position.may_transfer():
        return "rank_not_transferable"
    return ""


def _transfer_refusal(position: Position, seat: i64, move: Move) -> str:
    code = _pass_on_refusal(position, move)
    if code:
        return code
    if len(move.cards) > 1 and not position.terms.multi_transfer:
        return "one_card_only"
    target: i64 = position.hands[position.after(seat)]
    return "" if popcount(target) >= position.n_attacks + len(move.cards) else "target_too_small"


def _show_refusal(position: Position, seat: i64, move: Move) -> str:
    code = _pass_on_refusal(position, move)
    if code:
        return code
    if not position.terms.show:
        return "no_shows_here"
    if position.rights >> seat & 1:
        return "already_shown"
    if not mask_of(move.cards) & position.trumps:
        return "not_a_trump"
    return "" if popcount(position.hands[position.after(seat)]) >= position.n_attacks else "target_too_small"

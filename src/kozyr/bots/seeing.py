"""What a view and the public memory tell the expert: a filled sight, and its actions as moves."""
from __future__ import annotations

from kozyr.bots.memory import Memory
from kozyr.core.cards import RANK, beaters, cards_in, deck_of, mask_of
from kozyr.core.moves import Move
from kozyr.core.options import CHOICES
from kozyr.core.views import View
from kozyr.search.sight import PASS, PHASES, SHOW, TAKE, TRANSFER, Sight, options_word

SCOPES = CHOICES["throw_scope"]


def see(view: View, memory: Memory, seat: int, space: int) -> Sight:
    """Fill a sight with space for so many others, and list the seat's actions; none where it has nothing to choose now."""
    sight = Sight(space)
    rules = view.rules
    sight.hand = mask_of(view.hand)
    sight.own_known = memory.known[seat]
    sight.bout = mask_of(card for pair in view.bout for card in (pair.attack, pair.beat) if card is not None)
    for pair in view.bout:
        if pair.beat is None:
            sight.face(pair.attack)
    sight.trump = view.trump
    sight.stock = view.stock
    sight.turned = 1 << view.trump_card if view.stock and view.trump_card is not None else 0
    sight.phase = PHASES.index(view.phase)
    sight.capacity = view.capacity
    sight.limit = view.limit
    sight.may_transfer = _may_transfer(view)
    sight.options = options_word(
        rules.deck, rules.transfer, rules.transfer and rules.show_transfer, rules.draws, rules.no_draw_durak == "last_thrower",
        rules.throw_on_take, SCOPES.index(rules.throw_scope),
    )  # fmt: skip
    _see_others(sight, view, memory, seat)
    _see_moves(sight, view, seat)
    sight.list_actions()
    return sight


def _may_transfer(view: View) -> bool:
    if view.transfer_lost or view.phase != "DEFENCE" or not view.rules.transfer:
        return False
    if view.bout_no == 1 and not view.rules.transfer_first_bout:
        return False
    return len({card & 15 for pair in view.bout for card in (pair.attack, pair.beat) if card is not None}) == 1


def _see_others(sight: Sight, view: View, memory: Memory, seat: int) -> None:
    seats = view.rules.seats
    inside = [at % seats for at in range(seat, seat + seats) if view.seats[at % seats].is_in]
    defender = view.defender
    scope = view.rules.throw_scope
    after = inside[(inside.index(defender) + 1) % len(inside)] if defender in inside else None
    sight.others = len(inside) - 1
    sight.throwers = 0
    sight.passed = 0
    seen = sight.hand | sight.bout | memory.discarded | sight.turned
    for k, other in enumerate(inside):
        if other == view.attacker:
            sight.attacker = k
        if other == defender:
            sight.defender = k
        if other != defender and (other == view.attacker or scope == "all" or (scope == "neighbours" and other == after)):
            sight.throwers |= 1 << k
        if view.seats[other].has_passed:
            sight.passed |= 1 << k
        if k:
            sight.known[k - 1] = memory.known[other]
            sight.doubted[k - 1] = doubted = memory.refusals.doubted[other]
            sight.fresh[k - 1] = mask_of(card for card in cards_in(doubted) if not memory.refusals.drawn_since(other, card))
            sight.sizes[k - 1] = view.seats[other].cards
            seen |= memory.known[other]
    sight.unseen = mask_of(deck_of(view.rules.deck)) & ~seen


def _see_moves(sight: Sight, view: View, seat: int) -> None:
    """Take single cards and shows from the legal moves; of a cheating table's only the lawful ones (R14.2)."""
    sight.cards = sight.transfers = sight.shows = 0
    defends = view.phase == "DEFENCE"
    sight.can_pass = sight.can_take = False
    if defends and seat != view.defender:
        return
    able = (1 << 64) - 1
    if defends:
        able = int(beaters(sight.unbeaten[0], sight.trumps()))
    elif view.phase != "OPENING":
        able = 0
        for card in cards_in(sight.bout):
            able |= int(RANK) << (card & 15)
    for move in view.legal:
        if move.kind in ("pass", "take"):
            sight.can_pass |= move.kind == "pass"
            sight.can_take |= move.kind == "take"
        elif move.kind == "show":
            sight.shows |= 1 << move.cards[0]
        elif move.kind == "transfer" and len(move.cards) == 1:
            sight.transfers |= 1 << move.cards[0]
        elif (move.kind == "attack" and len(move.cards) == 1) or (move.kind == "beat" and move.cards[0] == sight.unbeaten[0]):
            sight.cards |= 1 << move.cards[-1] & able


def moves_of(sight: Sight, view: View, seat: int) -> list[Move]:
    """Return the sight's actions as moves."""
    return [_move(int(sight.actions[i]), sight, view, seat) for i in range(sight.n)]


def _move(action: int, sight: Sight, view: View, seat: int) -> Move:
    if action == PASS:
        return Move(seat, "pass")
    if action == TAKE:
        return Move(seat, "take")
    if action >= SHOW:
        return Move(seat, "show", (action - SHOW,))
    if action >= TRANSFER:
        return Move(seat, "transfer", (action - TRANSFER,))
    if view.phase == "DEFENCE":
        return Move(seat, "beat", (int(sight.unbeaten[0]), action))
    return Move(seat, "attack", (action,))

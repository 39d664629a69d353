"""Positions that do not come from a deal: built from what they say, and described again."""
from __future__ import annotations

from dataclasses import dataclass, replace

from kozyr.core.cards import RANK, beaters, deck_of, format_card, mask_of, popcount, trump_mask
from kozyr.core.cheating import card_named
from kozyr.core.codes import (
    BOUTS_WITHOUT_PROGRESS,
    DEFENCE,
    FLOOR_OPEN,
    LAST_EMPTIED,
    OPENING,
    OVER,
    PHASES,
    REASONS,
    TAKING,
    THROW_IN,
    TRANSFER_LOST,
)
from kozyr.core.judge import has_floor
from kozyr.core.options import Rules
from kozyr.core.play import bout_pairs, hand_cards, seats_of
from kozyr.core.position import Position
from kozyr.core.terms import Deal, Terms, Trail

Cards = tuple[int, ...]
Pair = tuple[int, int, int | None]
"""An attack card, the seat that played it, the card that beat it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """
    A position in words; what is None has the value that follows from the rest.

    `hands` by seat; `stock` from the top, the turned card last; `bout` in the order played; `out` in the order of places; `joined`
    and `emptied` oldest first. `limit` 5 or 6. `trump_card` is the last of the stock, or the last card dealt. At a cheating table
    `played` names the cards in the order played (None: each attack card followed at once by the card that beat it), `unlawful` and
    `judged` list cards, `opening` is the number of cards of the opening play, `take_at` how many cards lay when the defender said
    take. `past` are the hands of all seats but the last at earlier bout starts (R11.9).
    """

    rules: Rules
    trump: int
    hands: tuple[Cards, ...]
    attacker: int
    stock: Cards = ()
    bout: tuple[Pair, ...] = ()
    defender: int | None = None
    phase: str | None = None
    opener: int | None = None
    joined: tuple[int, ...] | None = None
    emptied: tuple[int, ...] | None = None
    out: tuple[int, ...] = ()
    limit: int | None = None
    bout_no: int = 5
    passed: tuple[int, ...] = ()
    floor_open: bool | None = None
    transfer_lost: bool | None = None
    shown: tuple[int, ...] = ()
    dealer: int = 0
    trump_card: int | None = None
    durak: int | None = None
    reason: str = ""
    played: tuple[int, ...] | None = None
    unlawful: Cards | None = None
    opening: int | None = None
    judged: Cards = ()
    take_at: int | None = None
    barred: tuple[int, ...] = ()
    no_challenge: tuple[int, ...] = ()
    past: tuple[int, ...] | None = None


def place(setting: Setting) -> Position:
    """
    Build the position that a setting describes; cards in no hand, not in the bout and not in the stock have been discarded.

    Raises: ValueError that says what is wrong.
    """
    _check(setting)
    setting = complete(setting)
    rules = setting.rules
    trump_card = -1 if setting.trump_card is None else setting.trump_card
    position = Position(Terms(rules), Deal(bytes(setting.stock), trump_card, setting.dealer))
    position.trumps = trump_mask(16 * setting.trump)
    for seat, hand in enumerate(setting.hands):
        position.hands[seat] = mask_of(hand)
    position.seats_in &= ~_mask(setting.out)
    position.places = _packed(setting.out)
    position.limit = 6 if setting.limit is None else setting.limit
    position.bout_no = setting.bout_no
    position.opener = setting.opener or 0
    position.discard = _discard(setting)
    position.emptied = _packed(setting.emptied or ())
    if setting.phase != "OVER" or setting.bout:
        position.face(setting.attacker)
    else:
        position.attacker, position.defender = setting.attacker, setting.defender or 0
    _place_bout(position, setting)
    _place_rights(position, setting)
    _place_past(position, setting)
    position.phase = PHASES.index(setting.phase or "")
    position.passed = _mask(setting.passed)
    if setting.phase == "OVER":
        position.throwers = position.turn = position.h0 = 0
        if setting.reason == REASONS[LAST_EMPTIED] and setting.durak is not None:
            position.seats_in &= ~(1 << setting.durak)
        position.durak = -1 if setting.durak is None else setting.durak
        position.reason = REASONS.index(setting.reason)
    else:
        _place_turn(position)
    return position


def complete(setting: Setting) -> Setting:
    """Fill in what follows from the rest of a setting wherever it says nothing."""
    bout = setting.bout
    authors = tuple(dict.fromkeys(by for _, by, _ in bout))
    phase = setting.phase or phase_of(setting)
    cheat = setting.rules.cheat
    names = _names(bout)
    played = tuple(names.values()) if setting.played is None else setting.played
    taking = phase == "TAKING" and cheat
    follows: dict[str, object] = {
        "phase": phase,
        "defender": None if phase == "OVER" and not bout else _next_in(setting, setting.attacker),
        "opener": bout[0][1] if bout else setting.attacker,
        "joined": authors,
        "emptied": _emptied(setting) if bout else (),
        "limit": 6,
        "floor_open": bool(bout) and not setting.hands[setting.attacker],
        "transfer_lost": any(beat is not None for _, _, beat in bout),
        "trump_card": setting.stock[-1] if setting.stock else None,
        "played": played if cheat else None,
        "unlawful": _unlawful(setting, played) if cheat else None,
        "opening": min(1, len(bout)) if cheat else None,
        "take_at": len(names) if taking else None,
        "past": _past(setting, phase),
    }
    return replace(setting, **{name: value for name, value in follows.items() if getattr(setting, name) is None})  # type: ignore[arg-type]


def setting_of(position: Position) -> Setting:
    """Describe a position; `place` builds its like."""
    rules = position.rules
    seats = range(rules.seats)
    trail = position.trail
    over = position.phase == OVER
    return Setting(
        rules=rules,
        trump=next(suit for suit in range(4) if position.trumps >> 16 * suit & 1),
        hands=tuple(hand_cards(position, seat) for seat in seats),
        attacker=position.attacker,
        stock=tuple(int(position.deal.cards[i]) for i in range(position.top, position.deal.size)),
        bout=tuple(bout_pairs(position)),
        defender=position.defender,
        phase=PHASES[position.phase],
        opener=position.opener,
        joined=tuple(seats_of(position.joined & 0xFFFFFF)),
        emptied=tuple(seats_of(position.emptied)),
        out=tuple(seats_of(position.places)),
        limit=position.limit,
        bout_no=position.bout_no,
        passed=_members(position.passed),
        floor_open=(position.rights & FLOOR_OPEN) != 0,
        transfer_lost=(position.rights & TRANSFER_LOST) != 0,
        shown=_members(position.rights & 63),
        dealer=position.deal.dealer,
        trump_card=position.deal.trump_card if position.deal.trump_card >= 0 else None,
        durak=position.durak if over and position.durak >= 0 else None,
        reason=REASONS[position.reason],
        played=None if trail is None else tuple(int(trail.played >> 4 * i & 15) for i in range(trail.n_played)),
        unlawful=None if trail is None else _named(position, trail.unlawful),
        opening=None if trail is None else int(popcount(trail.opening)),
        judged=() if trail is None else _named(position, trail.judged),
        take_at=int(trail.take_at) if trail is not None and trail.taking else None,
        barred=() if trail is None else _members(trail.barred),
        no_challenge=() if trail is None else _members(trail.no_challenge),
        past=tuple(int(position.past[i]) for i in range(position.n_past * (rules.seats - 1))),
    )


# checks


def _check(setting: Setting) -> None:
    rules = setting.rules
    if len(setting.hands) != rules.seats:
        raise ValueError(f"{len(setting.hands)} hands for {rules.seats} seats")
    _check_cards(setting)
    _check_seats(setting)
    _check_past(setting)
    seats_in = [seat for seat in range(rules.seats) if seat not in setting.out]
    if setting.phase == "OVER":
        if setting.reason not in REASONS[1:]:
            raise ValueError(f"a game that is over has a reason: one of {' '.join(REASONS[1:])}")
        if not setting.bout:
            return
    if len(seats_in) < 2:
        raise ValueError("fewer than two seats are in, and the game goes on")
    if setting.attacker not in seats_in:
        raise ValueError(f"the attacker, seat {setting.attacker}, has gone out")
    defender = _next_in(setting, setting.attacker)
    if setting.defender is not None and setting.defender != defender:
        raise ValueError(f"the defender is the next seat in after the attacker: {defender}, not {setting.defender}")
    if setting.phase != "OVER":
        _check_bout(setting, defender)


def _check_seats(setting: Setting) -> None:
    """Every seat that is named is one of the table's, and stands once in its list."""
    lists = {
        "out": setting.out,
        "passed": setting.passed,
        "shown": setting.shown,
        "joined": setting.joined or (),
        "emptied": setting.emptied or (),
        "barred": setting.barred,
        "no_challenge": setting.no_challenge,
    }
    for name, seats in lists.items():
        if len(set(seats)) != len(seats):
            raise ValueError(f"a seat stands twice in {name}")
    alone = [seat for seat in (setting.attacker, setting.defender, setting.opener, setting.durak, setting.dealer) if seat is not None]
    named = [*alone, *(by for _, by, _ in setting.bout), *(seat for seats in lists.values() for seat in seats)]
    if any(not 0 <= seat < setting.rules.seats for seat in named):
        raise ValueError(f"a seat is not one of 0 to {setting.rules.seats - 1}")
    for seat in setting.out:
        if setting.hands[seat]:
            raise ValueError(f"seat {seat} has gone out and holds cards")


def _check_past(setting: Setting) -> None:
    """Earlier bout starts are sets of cards of the deck, the attacker in the unused bits of the first (R11.9)."""
    width = setting.rules.seats - 1
    past = setting.past or ()
    if len(past) % width or len(past) > (BOUTS_WITHOUT_PROGRESS * setting.rules.seats + 1) * width:
        raise ValueError("the earlier bout starts do not name the hands of all seats but one each")
    deck = mask_of(deck_of(setting.rules.deck))
    for i, word in enumerate(past):
        attacker = word >> 13 & 7 if i % width == 0 else 0
        if word != -1 and (attacker > setting.rules.seats or (word & ~(attacker << 13)) & ~deck):
            raise ValueError(f"{word:x} is no hand at an earlier bout start")


def _check_cards(setting: Setting) -> None:
    rules = setting.rules
    cards = [card for hand in setting.hands for card in hand] + list(setting.stock)
    cards += [card for attack, _, beat in setting.bout for card in (attack, beat) if card is not None]
    deck = set(deck_of(rules.deck))
    for card in cards:
        if card not in deck:
            raise ValueError(f"{format_card(card)} is not in a deck of {rules.deck} cards")
    twice = {format_card(card) for card in cards if cards.count(card) > 1}
    if twice:
        raise ValueError(f"a card is in two places: {' '.join(sorted(twice))}")
    if setting.stock and setting.stock[-1] >> 4 != setting.trump:
        raise ValueError(f"the last card of the stock is the turned trump, and {format_card(setting.stock[-1])} is no trump")
    if setting.trump_card is not None and (setting.trump_card >> 4 != setting.trump or setting.trump_card not in deck):
        raise ValueError(f"{format_card(setting.trump_card)} cannot be the card that fixed trumps")
    if setting.stock and setting.trump_card not in (None, setting.stock[-1]):
        raise ValueError("the turned card is the last of the stock")
    if setting.limit not in (None, 5, 6) or (rules.first_limit == 6 and setting.limit == 5):
        raise ValueError(f"a limit of {setting.limit} where the first limit is {rules.first_limit}")


def _check_bout(setting: Setting, defender: int) -> None:
    phase = setting.phase or phase_of(setting)
    unbeaten = [attack for attack, _, beat in setting.bout if beat is None]
    if (phase == "OPENING") != (not setting.bout):
        raise ValueError(f"the phase is {phase} with {len(setting.bout)} attack cards in the bout")
    if (phase == "DEFENCE" and not unbeaten) or (phase == "THROW_IN" and unbeaten):
        raise ValueError(f"the phase is {phase} with {len(unbeaten)} unbeaten cards")
    if phase == "CHALLENGE" and not setting.rules.cheat:
        raise ValueError("there is no phase CHALLENGE at an honest table")
    if not setting.bout and not (setting.hands[setting.attacker] and setting.hands[defender]):
        raise ValueError("a bout cannot begin with an empty hand of the attacker or the defender")
    if not setting.bout and not setting.stock and any(not hand for seat, hand in enumerate(setting.hands) if seat not in setting.out):
        raise ValueError("a seat without cards has gone out when a bout begins and the stock is empty")
    if len(setting.bout) > 6:
        raise ValueError(f"{len(setting.bout)} attack cards: no bout has more than six")
    if any(by == defender or by in setting.out for _, by, _ in setting.bout):
        _check_author(setting, defender)


def _check_author(setting: Setting, defender: int) -> None:
    """Only a seat in may have attacked, and the defender only where the attack came back by a transfer (R8.5)."""
    for _, by, _ in setting.bout:
        if by in setting.out or (by == defender and not setting.rules.transfer):
            raise ValueError(f"seat {by} cannot have attacked in this bout")


# parts


def _packed(seats: tuple[int, ...]) -> int:
    order = 0
    for seat in seats:
        order = order << 4 | seat + 1
    return order


def _mask(seats: tuple[int, ...]) -> int:
    return sum(1 << seat for seat in set(seats))


def _members(mask: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(6) if mask >> seat & 1)


def _named(position: Position, names: int) -> Cards:
    return tuple(sorted(int(card_named(position, name)) for name in range(12) if names >> name & 1))


def _next_in(setting: Setting, seat: int) -> int:
    seats = setting.rules.seats
    return next(at % seats for at in range(seat + 1, seat + 1 + seats) if at % seats not in setting.out)


def phase_of(setting: Setting) -> str:
    """Return the phase that the bout of a setting suggests: OPENING without one, DEFENCE while a card is unbeaten, else THROW_IN."""
    if not setting.bout:
        return PHASES[OPENING]
    return PHASES[DEFENCE if any(beat is None for _, _, beat in setting.bout) else THROW_IN]


def _emptied(setting: Setting) -> tuple[int, ...]:
    """List who has run out in this bout, by their last attack card (R11.5)."""
    empty = [seat for seat in range(setting.rules.seats) if seat not in setting.out and not setting.hands[seat]]
    last = {by: i for i, (_, by, _) in enumerate(setting.bout)}
    return tuple(sorted(empty, key=lambda seat: last.get(seat, -1)))


def _names(bout: tuple[Pair, ...]) -> dict[int, int]:
    """Name the cards of a bout as a `Trail` does: by card, each attack card followed by the card that beat it."""
    names: dict[int, int] = {}
    for i, (attack, _, beat) in enumerate(bout):
        names[attack] = 2 * i
        if beat is not None:
            names[beat] = 2 * i + 1
    return names


def _unlawful(setting: Setting, played: tuple[int, ...]) -> Cards:
    """
    Judge the cards of the bout in the order in which they were played.

    Source: R14.3.
    """
    cards = {name: card for card, name in _names(setting.bout).items()}
    if sorted(played) != sorted(cards):
        raise ValueError("the order of play does not name each card of the bout once")
    trumps = trump_mask(16 * setting.trump)
    unlawful: list[int] = []
    ranks: set[int] = set()
    for name in played:
        card = cards[name]
        if name & 1:
            is_lawful = bool(beaters(cards[name - 1], trumps) >> card & 1)
        else:
            is_lawful = not ranks or card & 15 in ranks
        if not is_lawful:
            unlawful.append(card)
        ranks.add(card & 15)
    return tuple(sorted(unlawful))


def _past(setting: Setting, phase: str) -> tuple[int, ...]:
    """Give the start of this bout; a bout under way, whose start is not told, gets one that equals none (R11.9)."""
    width = setting.rules.seats - 1
    if phase == "OVER":
        return ()
    if phase != "OPENING":
        return (-1,) * width
    hands = [int(mask_of(hand)) for hand in setting.hands[:width]]
    return (hands[0] | (setting.attacker + 1) << 13, *hands[1:])


def _discard(setting: Setting) -> int:
    seen = set(setting.stock) | {card for hand in setting.hands for card in hand} | set(_names(setting.bout))
    return int(mask_of(card for card in deck_of(setting.rules.deck) if card not in seen))


def _place_bout(position: Position, setting: Setting) -> None:
    for i, (attack, by, beat) in enumerate(setting.bout):
        position.attacks |= (by << 6 | attack) << 9 * i
        if beat is not None:
            position.beats |= beat << 6 * i
            position.beaten |= 1 << i
    for card in _names(setting.bout):
        position.laid |= 1 << card
        position.ranks |= RANK << (card & 15)
    position.n_attacks = len(setting.bout)
    position.h0 += popcount(position.beaten)
    joined = setting.joined or ()
    position.joined = _mask(joined) << 32 | _packed(joined)
    trail = position.trail
    if trail is not None:
        _place_trail(trail, setting)


def _place_trail(trail: Trail, setting: Setting) -> None:
    names = _names(setting.bout)
    cards = {name: card for card, name in names.items()}
    unlawful, opening = setting.unlawful or (), setting.opening or 0
    if sorted(setting.played or ()) != sorted(cards):
        raise ValueError("the order of play does not name each card of the bout once")
    if not set(setting.judged) | set(unlawful) <= set(names) or opening > len(setting.bout):
        raise ValueError("a card that is judged, or of the opening play, is not in the bout")
    for name in setting.played or ():
        trail.note(name, cards[name] in unlawful)
    trail.opening = sum(1 << 2 * i for i in range(opening))
    trail.judged = sum(1 << names[card] for card in setting.judged)
    trail.taking = setting.take_at is not None
    trail.take_at = setting.take_at or 0
    trail.barred = _mask(setting.barred)
    trail.no_challenge = _mask(setting.no_challenge)


def _place_rights(position: Position, setting: Setting) -> None:
    position.rights = _mask(setting.shown)
    if setting.floor_open:
        position.rights |= FLOOR_OPEN
    if setting.transfer_lost:
        position.rights |= TRANSFER_LOST


def _place_past(position: Position, setting: Setting) -> None:
    width = setting.rules.seats - 1
    past = setting.past or ()
    while len(position.past) < len(past):
        position.grow_past()
    for i, hand in enumerate(past):
        position.past[i] = hand
    position.n_past = len(past) // width


def _place_turn(position: Position) -> None:
    """Find the seat whose turn it is when play goes turn by turn (R5.6)."""
    seats = position.terms.seats
    clockwise = [seat % seats for seat in range(position.attacker, position.attacker + seats)]
    if position.phase == OPENING:
        position.turn = position.attacker
    elif position.phase == DEFENCE:
        position.turn = position.defender
    elif position.phase in (THROW_IN, TAKING):
        able = [seat for seat in clockwise if position.throwers & ~position.passed & 1 << seat and position.hands[seat]]
        if not able or not position.capacity():
            raise ValueError("nobody can add a card: the bout would have closed by itself")
        if position.passed >> position.attacker & 1 and not has_floor(position, able[0]):
            raise ValueError("the attacker has passed, and the floor is not open to the others")
        position.turn = able[0]
    else:
        if not position.seats_in & ~position.passed:
            raise ValueError("everybody has accepted: the bout would have closed by itself")
        position.turn = next(seat for seat in clockwise if position.seats_in & ~position.passed & 1 << seat)

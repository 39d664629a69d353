"""
Positions and views as one line of text.

    deck/trump/stock/hands/attacker>defender/bout/flags
    36/s/0/0:7h,9h;1:8h;2:6c,9c/0>1/9d>Td@0/seats=3,limit=6,bout_no=5

`docs/notation.md` describes it. A text of a position names every card that is still in play; in a text of a view, hands and stock that
the viewer does not see are numbers of cards, and a flag says whose view it is.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace

from kozyr.core.building import Pair, Setting, complete, phase_of, place, setting_of
from kozyr.core.cards import deck_of, format_card, format_suit, parse_card, parse_suit
from kozyr.core.codes import PHASES, REASONS
from kozyr.core.options import CHOICES, RANGES, Rules, Value, format_options, parse_value
from kozyr.core.position import Position
from kozyr.core.views import View, view

LENGTH_MAX = 8000
"""Most characters of a text that is read."""

SEATS = ("joined", "emptied", "out", "passed", "shown", "barred", "no_challenge")
CARDS = ("unlawful", "judged")
NUMBERS = {"opener": 5, "limit": 6, "bout_no": 100_000, "dealer": 5, "durak": 5, "take_at": 12, "opening": 4}
BOOLS = ("floor_open", "transfer_lost")
ALWAYS = ("limit", "bout_no")
PLAIN = ("rules", "trump", "hands", "stock", "attacker", "defender", "bout")
FLAGS = tuple(field.name for field in fields(Setting) if field.name not in PLAIN)

# A view has neither the order of emptying and of play, nor what was unlawful, nor earlier bout starts.
VIEW_FLAGS = tuple(name for name in FLAGS if name not in ("emptied", "played", "unlawful", "opening", "past"))

_PAIR = re.compile(r"([2-9TJQKA][cdhs])(?:>([2-9TJQKA][cdhs]))?@([0-5])")


@dataclass(frozen=True, slots=True)
class _Hidden:
    """What a text does not name: whose view it is (`""`: a position), the sizes of hands and stock."""

    viewer: str
    hands: tuple[int, ...]
    stock: int


def format_position(position: Position) -> str:
    """Write a position; `parse_position` reads it back, equal in everything but the last bout's end."""
    setting = setting_of(position)
    hands = [_cards(hand) for hand in setting.hands]
    return _line(setting, hands, _cards(setting.stock) or "0", "")


def parse_position(text: str) -> Position:
    """
    Read a position.

    Raises: ValueError that says what is wrong with the text.
    """
    setting, hidden = _parse(text)
    if hidden.viewer:
        raise ValueError("this is a view, which does not name every card: read it as a view")
    if any(hidden.hands) or hidden.stock:
        raise ValueError("a position names every card in hands and stock; a number of cards is for views")
    return place(setting)


def format_view(seen: View) -> str:
    """Write a view; `parse_view` reads it back."""
    hands = [_cards(seen.hand) if seat == seen.seat else str(one.cards) for seat, one in enumerate(seen.seats)]
    return _line(_setting_of_view(seen), hands, str(seen.stock), "none" if seen.seat is None else str(seen.seat))


def parse_view(text: str) -> View:
    """
    Read a view.

    The cards that the viewer does not see are filled in anyhow and looked at through the view again, which cannot tell the difference.

    Raises: ValueError that says what is wrong with the text.
    """
    setting, hidden = _parse(text)
    if not hidden.viewer:
        raise ValueError("this is a position, not a view: it has no flag 'view'")
    viewer = None if hidden.viewer == "none" else int(hidden.viewer)
    if viewer is not None and viewer >= setting.rules.seats:
        raise ValueError(f"there is no seat {viewer} at a table for {setting.rules.seats}")
    return view(place(_filled(setting, hidden)), viewer)


# writing


def _line(setting: Setting, hands: list[str], stock: str, viewer: str) -> str:
    at_hands = ";".join(f"{seat}:{hand}" for seat, hand in enumerate(hands))
    defender = "-" if setting.defender is None else setting.defender
    bout = ",".join(_pair(pair) for pair in setting.bout) or "-"
    flags = [*_flags(setting, VIEW_FLAGS), f"view={viewer}"] if viewer else _flags(setting)
    head = f"{setting.rules.deck}/{format_suit(setting.trump)}/{stock}/{at_hands}/{setting.attacker}>{defender}/{bout}/"
    return head + ",".join(flags)


def _cards(cards: tuple[int, ...]) -> str:
    return ",".join(format_card(card) for card in cards)


def _pair(pair: Pair) -> str:
    attack, by, beat = pair
    return format_card(attack) + (f">{format_card(beat)}" if beat is not None else "") + f"@{by}"


def _flags(setting: Setting, names: tuple[str, ...] = FLAGS) -> list[str]:
    """Write the options that differ from their defaults, and what does not follow from the rest of the text."""
    options = {name: value for name, value in setting.rules.differences().items() if name != "deck"}
    flags = [format_options(options)]
    bare = Setting(**{name: getattr(setting, name) for name in (*PLAIN, "out")})
    told = complete(replace(bare, phase=setting.phase))
    for name in names:
        value = getattr(setting, name)
        implied = () if name == "out" else phase_of(bare) if name == "phase" else getattr(told, name)
        if name in ALWAYS or value != implied:
            flags.append(f"{name}={_flag(name, value)}")
    return flags


def _flag(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if name == "trump_card" and isinstance(value, int):
        return format_card(value)
    if name == "past" and isinstance(value, tuple):
        return ".".join("x" if hand < 0 else format(hand, "x") for hand in value)
    if isinstance(value, tuple):
        return ".".join(format_card(item) if name in CARDS else str(item) for item in value)
    return "none" if value is None else str(value)


def _setting_of_view(seen: View) -> Setting:
    """Describe a view as a position with hands and stock filled in anyhow."""
    n = len(seen.seats)
    trump_card = seen.trump_card
    out = sorted((one.place, seat) for seat, one in enumerate(seen.seats) if one.place is not None)
    setting = Setting(
        rules=seen.rules,
        trump=seen.trump,
        hands=tuple(seen.hand if seat == seen.seat else () for seat in range(n)),
        attacker=seen.attacker if seen.attacker is not None else next((seat for seat, one in enumerate(seen.seats) if one.is_in), 0),
        bout=tuple((pair.attack, pair.by, pair.beat) for pair in seen.bout),
        defender=seen.defender,
        phase=seen.phase,
        opener=seen.opener,
        joined=seen.joined,
        out=tuple(seat for _, seat in out),
        limit=seen.limit,
        bout_no=seen.bout_no,
        passed=tuple(seat for seat, one in enumerate(seen.seats) if one.has_passed or one.has_accepted),
        floor_open=seen.floor_open,
        transfer_lost=seen.transfer_lost,
        shown=tuple(seat for seat, one in enumerate(seen.seats) if one.has_shown),
        dealer=seen.dealer,
        trump_card=trump_card,
        durak=None if seen.result is None else seen.result.durak,
        reason="" if seen.result is None else seen.result.reason,
        judged=tuple(card for card in seen.settled if card != seen.bout[0].attack),
        take_at=(len(seen.bout) + sum(pair.beat is not None for pair in seen.bout) if seen.phase == "TAKING" else 0)
        if seen.rules.cheat and seen.is_taking
        else None,
        barred=tuple(seat for seat, one in enumerate(seen.seats) if one.is_barred),
        no_challenge=tuple(seat for seat, one in enumerate(seen.seats) if seen.rules.cheat and not one.may_challenge),
    )
    sizes = tuple(0 if seat == seen.seat else one.cards for seat, one in enumerate(seen.seats))
    filled = _filled(setting, _Hidden("none", sizes, seen.stock))
    return replace(filled, stock=(), opener=filled.opener if seen.opener is not None else complete(filled).opener)


def _filled(setting: Setting, hidden: _Hidden) -> Setting:
    """Fill hidden hands and stock with free cards: the turned card lies under the stock, the shown card is in the dealer's hand."""
    seen = {card for hand in setting.hands for card in hand} | set(setting.stock)
    seen |= {card for attack, _, beat in setting.bout for card in (attack, beat) if card is not None}
    free = [card for card in deck_of(setting.rules.deck) if card not in seen and card != setting.trump_card]
    hands = list(setting.hands)
    stock = setting.stock
    if hidden.stock:
        bottom = setting.trump_card
        if bottom is None:
            bottom = next((card for card in free if card >> 4 == setting.trump), None)
            if bottom is None:
                raise ValueError("no trump is left to lie under the stock")
            free.remove(bottom)
        stock = (*_taken(free, hidden.stock - 1), bottom)
    wanted = list(hidden.hands)
    if not hidden.stock and setting.trump_card is not None and setting.trump_card not in seen and wanted[setting.dealer]:
        hands[setting.dealer] = (*hands[setting.dealer], setting.trump_card)
        wanted[setting.dealer] -= 1
    for seat, size in enumerate(wanted):
        hands[seat] = tuple(sorted((*hands[seat], *_taken(free, size))))
    return replace(setting, hands=tuple(hands), stock=stock)


def _taken(free: list[int], n: int) -> list[int]:
    """Take cards out of those that are free."""
    if n > len(free):
        raise ValueError("hands and stock hold more cards than are left of the deck")
    return [free.pop() for _ in range(n)]


# reading


def _parse(text: str) -> tuple[Setting, _Hidden]:
    if len(text) > LENGTH_MAX:
        raise ValueError(f"a text of {len(text)} characters is no position: {LENGTH_MAX} at most")
    parts = text.strip().split("/")
    if len(parts) != 7:
        raise ValueError(f"{text!r} is no position: it has 7 parts between slashes, deck/trump/stock/hands/attacker>defender/bout/flags")
    deck, trump, stock, hands, roles, bout, flags = parts
    options, told, viewer = _read_flags(flags)
    if not re.fullmatch(r"[1-9][0-9]", deck):
        raise ValueError(f"{deck!r} is no deck")
    rules = Rules.of({"deck": int(deck), **options})
    read = [_read_hand(seat, hand) for seat, hand in enumerate(hands.split(";"))]
    if len(read) != rules.seats:
        raise ValueError(f"{len(read)} hands for {rules.seats} seats")
    match = re.fullmatch(r"([0-5])>([0-5]|-)", roles)
    if not match:
        raise ValueError(f"{roles!r} is no attacker>defender")
    cards, hidden_stock = _read_cards(stock)
    setting = Setting(
        rules=rules,
        trump=parse_suit(trump),
        hands=tuple(cards for cards, _ in read),
        attacker=int(match[1]),
        stock=cards,
        bout=() if bout == "-" else tuple(_read_pair(pair) for pair in bout.split(",")),
        defender=None if match[2] == "-" else int(match[2]),
        **told,  # type: ignore[arg-type]  # each is read by its name in _read_flag
    )
    return setting, _Hidden(viewer, tuple(size for _, size in read), hidden_stock)


def _read_hand(seat: int, text: str) -> tuple[tuple[int, ...], int]:
    name, colon, cards = text.partition(":")
    if name != str(seat) or not colon:
        raise ValueError(f"{text!r} is no hand of seat {seat}: hands are 'seat:cards' in the order of seats")
    return _read_cards(cards)


def _read_cards(text: str) -> tuple[tuple[int, ...], int]:
    """Read cards, or the number of cards that are hidden."""
    if re.fullmatch(r"[0-9]{1,2}", text):
        return (), int(text)
    return tuple(parse_card(card) for card in text.split(",")) if text else (), 0


def _read_pair(text: str) -> Pair:
    match = _PAIR.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no pair of the bout, such as 9d@0 or 9d>Td@0")
    return parse_card(match[1]), int(match[3]), parse_card(match[2]) if match[2] else None


def _read_flags(text: str) -> tuple[dict[str, Value], dict[str, object], str]:
    options: dict[str, Value] = {}
    told: dict[str, object] = {}
    viewer = ""
    for flag in text.split(",") if text else ():
        name, equals, word = flag.partition("=")
        if not equals or name in options or name in told:
            raise ValueError(f"{flag!r} is no flag, or comes twice: a flag is name=value")
        if name in CHOICES or name in RANGES:
            options[name] = parse_value(word)
        elif name == "view" and re.fullmatch(r"none|[0-5]", word) and not viewer:
            viewer = word
        elif name in FLAGS:
            told[name] = _read_flag(name, word)
        else:
            raise ValueError(f"{flag!r} is no flag that a position has")
    return options, told, viewer


def _read_flag(name: str, word: str) -> object:
    """Read the value of a flag; `place` checks whether it makes sense."""
    items = word.split(".") if word else []
    if word == "none" and name in ("trump_card", "take_at", "durak"):
        return None
    if name in SEATS:
        return tuple(_read_number(name, item, 5) for item in items)
    if name in CARDS:
        return tuple(parse_card(item) for item in items)
    if name in NUMBERS:
        return _read_number(name, word, NUMBERS[name])
    if name in BOOLS and word in ("true", "false"):
        return word == "true"
    if name == "trump_card":
        return parse_card(word)
    if name == "played":
        return tuple(_read_number(name, item, 11) for item in items)
    if name == "past" and all(re.fullmatch(r"x|[0-9a-f]{1,16}", item) for item in items):
        return tuple(-1 if item == "x" else int(item, 16) for item in items)
    if (name == "phase" and word in PHASES) or (name == "reason" and word in REASONS):
        return word
    raise ValueError(f"{word!r} is no value of the flag {name}")


def _read_number(name: str, word: str, most: int) -> int:
    if not re.fullmatch(r"(?:0|[1-9][0-9]{0,5})", word) or int(word) > most:
        raise ValueError(f"{word!r} is no value of the flag {name}: a number up to {most}")
    return int(word)

"""A finished game as a file: its record with the tags that prove its shuffle, and the check of such a file."""
from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kozyr.app.dealing import Drawn, Previous, draw
from kozyr.core.cards import format_cards
from kozyr.core.moves import Move
from kozyr.core.options import Rules
from kozyr.core.record import GameRecord, record_of, replay
from kozyr.core.setup import LastGame
from kozyr.fair import Commitments, Origin, Shuffle, verify

_PREVIOUS = re.compile(r"dealer=([0-5]),durak=([0-5]|none),winner=([0-5]|none),last_defender=([0-5])")


def game_record(
    rules: Rules, drawn: Drawn, moves: Iterable[Move], players: Sequence[str], shuffle: Shuffle, previous: Previous | None = None
) -> GameRecord:
    """
    Write the record of a game with everything that `check` asks for. It holds the shuffle's secret: only for a game that is over (V5).

    Raises: IllegalMove for a move that the rules forbid.
    """
    tags = {
        "Game": shuffle.game,
        "Players": "; ".join(players),
        "Commit": shuffle.server_commitment.hex(),
        "Shuffle": json.dumps(shuffle.to_dict(), separators=(",", ":"), ensure_ascii=False),
    }
    if previous is not None:
        tags["Previous"] = format_previous(previous)
    return record_of(rules, drawn.pack, drawn.dealer, drawn.attacker, moves, tags)


def format_previous(previous: Previous) -> str:
    """Write what a later game at a table asks of the game before it: `dealer=2,durak=1,winner=0,last_defender=3`."""
    last = previous.game
    words = {"dealer": previous.dealer, "durak": last.durak, "winner": last.winner, "last_defender": last.last_defender}
    return ",".join(f"{name}={'none' if seat is None else seat}" for name, seat in words.items())


def parse_previous(text: str, seats: int) -> Previous:
    """
    Read what `format_previous` wrote of a table with so many *seats*.

    Raises: ValueError with the text.
    """
    match = _PREVIOUS.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} does not tell of the game before, as 'dealer=2,durak=1,winner=0,last_defender=3' does")
    dealer, durak, winner, defender = (None if word == "none" else int(word) for word in match.groups())
    if any(seat is not None and seat >= seats for seat in (dealer, durak, winner, defender)):
        raise ValueError(f"{text!r} names a seat that is none of a table for {seats}")
    assert dealer is not None
    assert defender is not None
    return Previous(dealer, LastGame(durak, winner, defender))


# checking


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: whether it is as it should be, in words; `code` is stable."""

    code: str
    is_right: bool
    text: str


def check(record: GameRecord, seen: Commitments | None = None) -> list[Check]:
    """
    Check a game's commitments and seeds, draw again all that chance decided, play every move again, and compare.

    *seen* are the commitments that a device kept from before the game. The names of the players prove nothing and are not looked at.

    Source: R2.5, R2.6, R3.2, R3.3; the check of docs/fair.md.
    """
    return [*_check_shuffle(record, seen), *_check_moves(record)]


def _check_shuffle(record: GameRecord, seen: Commitments | None) -> Iterator[Check]:
    text = record.tags.get("Shuffle")
    if text is None:
        yield Check("shuffle", False, "the file has no tag Shuffle: nothing proves how the cards were shuffled")
        return
    try:
        shuffle = Shuffle.from_dict(json.loads(text))
    except (ValueError, RecursionError) as error:
        yield Check("shuffle", False, f"the tag Shuffle cannot be read: {error}")
        return
    yield from _check_tags(record, shuffle)
    verification = verify(shuffle, seen)
    yield from (Check(str(finding.code), False, str(finding)) for finding in verification.findings)
    if not verification.findings:
        yield Check("commitments", True, "every seed fits its commitment" + (", and all are those seen before the game" if seen else ""))
    yield _who_shuffled(shuffle)
    if len(shuffle.seats) == record.rules.seats:
        yield from _check_deal(record, shuffle)


def _check_tags(record: GameRecord, shuffle: Shuffle) -> Iterator[Check]:
    """Compare what the file says twice."""
    for tag, value in (("Game", shuffle.game), ("Commit", shuffle.server_commitment.hex())):
        if record.tags.get(tag) != value:
            yield Check("tag", False, f"the tag {tag} says {record.tags.get(tag)!r}, and the shuffle {value!r}")
    if len(shuffle.seats) != record.rules.seats:
        yield Check("seats", False, f"the shuffle is for {len(shuffle.seats)} seats, and the table has {record.rules.seats}")


def _who_shuffled(shuffle: Shuffle) -> Check:
    """Say whose seeds went in; a shuffle of the server alone proves little, and whoever reads this should know."""
    players = [str(seat) for seat, entry in enumerate(shuffle.seats) if entry.origin is Origin.SEAT]
    absent = [f"seat {seat} put in no seed ({entry.absence})" for seat, entry in enumerate(shuffle.seats) if entry.absence is not None]
    who = f"seeds of players: seat{'s' if len(players) > 1 else ''} {' '.join(players)}" if players else "no player put in a seed"
    return Check("seeds", True, "; ".join([who, *absent]))


def _check_deal(record: GameRecord, shuffle: Shuffle) -> Iterator[Check]:
    """Draw dealer, pack, redealt packs and the lot for the first attack once more."""
    try:
        previous = parse_previous(record.tags["Previous"], record.rules.seats) if "Previous" in record.tags else None
    except ValueError as error:
        yield Check("previous", False, f"the tag Previous: {error}")
        return
    drawn = draw(record.rules, shuffle.stream(), previous)
    yield _compare("dealer", "the dealer", f"seat {drawn.dealer}", f"seat {record.dealer}")
    again = f", dealt anew {drawn.redeals} times" if drawn.redeals else ""
    yield _compare("pack", "the pack", format_cards(drawn.pack) + again, format_cards(record.pack) + again)
    yield _compare("attacker", "the first attacker", f"seat {drawn.attacker}", f"seat {record.attacker}")


def _compare(code: str, what: str, drawn: str, recorded: str) -> Check:
    if drawn == recorded:
        return Check(code, True, f"{what} follows from the seeds: {recorded}")
    return Check(code, False, f"{what} is {drawn} by the seeds, and {recorded} in the record")


def _check_moves(record: GameRecord) -> Iterator[Check]:
    try:
        replay(record)
    except ValueError as error:
        yield Check("moves", False, str(error))
        return
    end = "the game is not over" if record.result is None else "they lead to the result that the record has"
    yield Check("moves", True, f"all {len(record.moves)} moves are legal, and {end}")

"""Nothing that a viewer may not know changes a byte of what it is sent (I8)."""
from __future__ import annotations

import random
from typing import get_args

import pytest
from msgspec.structs import replace

from kozyr.app.commands import Command, Leave, Ready, SeatBot, Seeds, Sit, UnseatBot
from kozyr.app.decide import Draft, decide, open_table
from kozyr.app.events import By, Dealt, GameEnded, Moved, TableCreated, TableEvent
from kozyr.app.evolve import Happening, Late, evolve, pack_text
from kozyr.app.people import public_id
from kozyr.app.table import Stage, Table
from kozyr.core import events as play
from kozyr.core.cards import deck_of, format_card
from kozyr.core.codes import DEFENCE, OVER
from kozyr.core.judge import fault_of
from kozyr.core.moves import Move
from kozyr.core.notation import format_position
from kozyr.core.options import CHOICES, Rules
from kozyr.core.play import result_of
from kozyr.core.views import view
from kozyr.web import translate
from kozyr.web.lobby import entry_of
from kozyr.web.telling import Telling, Views
from kozyr.web.writing import SPECTATOR
from kozyr.wire import VERSION
from kozyr.wire import messages as wire
from tests.app.play import NOW, begun, person

HERE = translate.Presence({0}, {1: 500})

OPTIONS: list[dict[str, object]] = [
    {"seats": 2},
    {"seats": 4, "transfer": True, "multi_transfer": True, "show_transfer": True},
    {"seats": 6},
    {"seats": 3, "cheat": True},
    {"seats": 4, "cheat": True, "penalty": "rollback"},
    {"seats": 3, "deck": 24, "pace": "turns"},
]


def any_rules(chance: random.Random) -> Rules:
    """Draw options until they can be dealt."""
    while True:
        words = {name: chance.choice(values) for name, values in CHOICES.items() if name != "no_trump"}
        try:
            return Rules.of(words)
        except ValueError:
            continue


def opened(rules: Rules, salt: int) -> Table:
    """Open a table whose seeds have come; the secret of the shuffle is *salt*."""
    secret = Seeds(bytes([salt] * 32), tuple(bytes(32) for _ in range(rules.seats)))
    table = open_table("t1", rules, [person(seat) for seat in range(rules.seats)], secret, NOW).table
    table = begun(table, salt)
    assert table.game is not None
    # The commitment hides its seed; it is a byte that everybody gets, and the same here for both secrets.
    return replace(table, game=replace(table.game, commitment="0" * 64))


def seat_of(viewer: int | None) -> int:
    return SPECTATOR if viewer is None else viewer


def sent(table: Table, happened: list[Happening], viewer: int | None) -> bytes:
    """Everything that a viewer is sent in a state: on arrival, and when it has just come to be."""
    shown = translate.table_of(table, HERE)
    seen = translate.view_of(table, viewer)
    told = translate.told(table, happened, viewer)
    reveal = translate.reveal_of(table)
    welcome = wire.Welcome(VERSION, table.seq, shown, viewer, seen, told, reveal)
    return wire.encode(welcome) + b"\n" + Telling(table, happened, Views(table), lambda: HERE, NOW).updates([seat_of(viewer)])[0]


Course = tuple[list[Table], list[list[Happening]], list[TableEvent]]


def play_through(rules: Rules, pack: bytes, moves: list[TableEvent] | None, salt: int, seed: int = 0, most: int = 10_000) -> Course:
    """Play a game with random moves, or with the moves given; the tables after each event, what was told, and the moves."""
    chance = random.Random(seed)
    table = opened(rules, salt)
    table, told = evolve(table, NOW, Dealt(0, pack_text(pack), 0, 0))
    tables, tellings = [table], [told]
    played: list[TableEvent] = []
    while True:
        position = table.position
        assert position is not None
        if moves is not None:
            if len(played) == len(moves):
                break
            event: TableEvent = moves[len(played)]
        elif len(played) == most or (table.game is not None and table.game.stage is Stage.OVER):
            break
        elif position.phase == OVER:
            result = result_of(position)
            event = GameEnded(result.durak, list(result.places), result.reason)
        else:
            able = [move for seat in range(rules.seats) for move in view(position, seat).legal]
            move = chance.choice(able)
            event = Moved(move.seat, move.text)
        table, told = evolve(table, NOW, event)
        tables.append(table)
        tellings.append(told)
        played.append(event)
    return tables, tellings, played


def known_at(tables: list[Table], tellings: list[list[Happening]], viewer: int | None) -> set[int]:
    """The cards that a viewer has seen by then: in its own hand, in bouts, the turned one."""
    seen: set[int] = set()
    for told in tellings:
        for happening in told:
            if isinstance(happening, play.BoutOver):
                seen |= set(happening.cards)
    for table in tables:
        position = table.position
        assert position is not None
        looked = view(position, viewer)
        seen |= set(looked.hand)
        for pair in looked.bout:
            seen |= {pair.attack} | ({pair.beat} if pair.beat is not None else set())
        if looked.trump_card is not None:
            seen.add(looked.trump_card)
    return seen


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(f"{name}={value}" for name, value in options.items()))
def test_unseen_cards_change_no_byte(options: dict[str, object]) -> None:
    """Exchange cards that a viewer has not seen, and the server's secret: every message stays the same, to the byte (V5)."""
    rules = Rules.of(options)
    compared = 0
    for seed in range(5):
        chance = random.Random(seed)
        pack = bytearray(deck_of(rules.deck))
        chance.shuffle(pack)
        tables, tellings, moves = play_through(rules, bytes(pack), None, salt=1, seed=seed, most=70)
        for viewer in (*range(rules.seats), None):
            end = chance.randrange(1, len(moves))
            unseen = [card for card in pack if card not in known_at(tables[: end + 1], tellings[: end + 1], viewer)]
            mixed = unseen[:]
            chance.shuffle(mixed)
            exchange = dict(zip(unseen, mixed, strict=True))
            other = bytes(exchange.get(card, card) for card in pack)
            others, other_tellings, _ = play_through(rules, other, moves[:end], salt=2)
            for at in {end, *chance.sample(range(end + 1), min(end, 12))}:
                assert sent(tables[at], tellings[at], viewer) == sent(others[at], other_tellings[at], viewer)
            compared += other != bytes(pack)
    assert compared > 8


@pytest.mark.parametrize("seed", range(40))
def test_an_update_is_the_view_of_its_viewer(seed: int) -> None:
    """What is put together from a public part and one's own is what `view` gives the viewer, at any table that can be dealt (I8)."""
    chance = random.Random(seed)
    rules = Rules.of(OPTIONS[seed]) if seed < len(OPTIONS) else any_rules(chance)
    pack = bytearray(deck_of(rules.deck))
    chance.shuffle(pack)
    tables, tellings, _ = play_through(rules, bytes(pack), None, salt=1, seed=seed)
    for table, happened in zip(tables, tellings, strict=True):
        viewers = [*range(rules.seats), None]
        updates = Telling(table, happened, Views(table), lambda: HERE, NOW).updates([seat_of(viewer) for viewer in viewers])
        for viewer, update in zip(viewers, updates, strict=True):
            about_table = any(translate.is_about_table(each) for each in happened)
            expected = wire.Update(
                table.seq,
                translate.told(table, happened, viewer),
                translate.view_of(table, viewer),
                translate.table_of(table, HERE) if about_table else None,
                translate.reveal_of(table) if about_table else None,
                *translate.clock_of(table, NOW),
            )
            assert wire.encode(expected) == update


def test_who_is_behind_is_told_all_of_it() -> None:
    """Several moves and draws at once are told like each by itself, one after another (I8)."""
    rules = Rules(seats=3, transfer=True)
    pack = bytearray(deck_of(36))
    random.Random(3).shuffle(pack)
    tables, tellings, _ = play_through(rules, bytes(pack), None, salt=1, seed=3)
    for start in range(len(tables) - 40):
        table, happened = tables[start + 39], [each for told in tellings[start : start + 40] for each in told]
        for viewer in (0, 1, 2, None):
            told = b'"events":' + wire.encode(translate.told(table, happened, viewer))
            assert told in Telling(table, happened, Views(table), lambda: HERE, NOW).updates([seat_of(viewer)])[0]


def test_the_secret_is_shown_when_the_game_is_over() -> None:
    """Then all hands and the shuffle are open, and not a move before (R13.2)."""
    rules = Rules(seats=3)
    pack = bytearray(deck_of(36))
    random.Random(5).shuffle(pack)
    tables, tellings, _ = play_through(rules, bytes(pack), None, salt=7)
    secret = bytes([7] * 32).hex().encode()
    for table, told in zip(tables[:-1], tellings, strict=False):
        assert secret not in sent(table, told, 0)
        assert b'"reveal"' not in sent(table, told, None)
    for viewer in (0, None):
        last = sent(tables[-1], tellings[-1], viewer)
        assert secret in last
        assert b'"pack"' in last


def test_at_a_cheating_table_nothing_tells_lawful_from_unlawful() -> None:
    """The legal moves hold every card that the seat may try, in an order that does not depend on the bout (V1, R14.3)."""
    rules = Rules(seats=2, cheat=True)
    beats = 0
    for seed in range(10):
        pack = bytearray(deck_of(36))
        random.Random(seed).shuffle(pack)
        tables, _, _ = play_through(rules, bytes(pack), None, salt=1, seed=seed, most=40)
        for table in tables:
            seen = translate.view_of(table, 0)
            assert seen is not None
            if seen.phase == "DEFENCE" and seen.defender == 0 and not seen.seats[0].barred:
                for pair in seen.bout:
                    if pair.beat is None:
                        tries = [move.split()[2] for move in seen.legal if move.startswith(f"beat {pair.attack} ")]
                        assert seen.hand == tries
                        beats += 1
            for name in ("lawful", "judged"):
                assert name.encode() not in wire.encode(seen)
    assert beats > 5


def gathering(salt: int, kept: str) -> list[tuple[Table, list[Happening]]]:
    """A table to which people and bots come; *salt* is in everything that is secret of it."""
    people = [replace(person(seat), guest=f"{salt}-{seat}") for seat in range(4)]
    secret = Seeds(bytes([salt] * 32), tuple(bytes(32) for _ in range(3)))
    draft = open_table("t1", Rules(seats=3, series=True), [people[0], None, None], secret, NOW, False, kept)
    steps = list(draft.steps)
    table = draft.table
    commands: list[Command] = [
        Sit(people[1]),
        Ready(1, True, secret),
        SeatBot(0, 2, "easy", secret),
        UnseatBot(0, 2),
        Sit(people[2], 2),
        Leave(1),
        Sit(people[3]),
        Leave(0),
        Leave(2),
        Leave(1),
    ]
    for command in commands:
        made = decide(table, command, NOW)
        assert isinstance(made, Draft), made
        steps += made.steps
        table = made.table
    return [(step.table, step.told) for step in steps]


def nameless(message: bytes, salt: int) -> bytes:
    """A message with a word of the same length for each public id, in which no guest's own id stands."""
    for seat in range(4):
        guest = f"{salt}-{seat}"
        message = message.replace(public_id(guest).encode(), b"public id no. %2d" % seat)
        assert f'"{guest}"'.encode() not in message
    return message


def test_nobody_is_told_who_people_are_or_how_a_table_is_locked() -> None:
    """
    While people gather, guests' ids and what is kept of the password change no byte of any message, for whoever it is.

    But for the public ids: those are as long as each other, and nothing leads back from them.
    """
    kinds = set()
    for (first, told), (second, other) in zip(gathering(1, "a b"), gathering(2, "c d"), strict=True):
        kinds |= {type(event) for event in translate.told(first, told, None)}
        for viewer in (0, 1, 2, None):
            assert nameless(sent(first, told, viewer), 1) == nameless(sent(second, other, viewer), 2)
        assert nameless(wire.encode(entry_of(first)), 1) == nameless(wire.encode(entry_of(second)), 2)
    assert {wire.SeatTaken, wire.SeatLeft, wire.ReadySet, wire.TableClosed} == kinds


def test_every_event_of_the_protocol_is_written_from_what_happened() -> None:
    """There is no event that these tests could not have met: each has one writer, and all but the cards drawn are the same for all."""
    written = {*translate.WRITERS} - {Late}
    known = {*get_args(TableEvent), *get_args(play.Event)}
    silent = {TableCreated, Moved, GameEnded}
    assert known - silent == written | {play.Drew, play.GameOver}
    assert len(get_args(wire.Event)) == len(written) + 2


def test_only_what_the_clock_played_is_late() -> None:
    """Everybody is told of which move the clock is the author, and of no other, not of the easy bot's either (R16.2)."""
    pack = bytes(deck_of(36))
    table, _ = evolve(opened(Rules(seats=3), salt=1), NOW, Dealt(0, pack_text(pack), 0, 0))
    position = table.position
    assert position is not None
    first = next(move for move in view(position, 0).legal if move.kind == "attack")
    for by in get_args(By):
        for viewer in (0, 1, None):
            after, told = evolve(table, NOW + 1, Moved(0, first.text, by))
            [event] = translate.told(after, told, viewer)
            assert isinstance(event, wire.Attacked)
            assert (by == "clock") == event.late
            assert (by == "clock") == (b'"late":true' in sent(after, told, viewer))


def test_an_unlawful_card_looks_like_a_lawful_one_on_the_wire() -> None:
    """
    At a cheating table whatever card the defender tries, the others' messages differ in that card's two letters alone.

    The same bytes in the same order, the same clock: nothing tells whether it beats (R14.2, R14.3, V5).
    """
    rules = Rules(seats=3, cheat=True, caught_bar=False)
    both = 0
    for seed in range(12):
        pack = bytearray(deck_of(36))
        random.Random(seed).shuffle(pack)
        tables, _, _ = play_through(rules, bytes(pack), None, salt=1, seed=seed, most=60)
        for table in tables:
            position = table.position
            assert position is not None
            if position.phase != DEFENCE:
                continue
            tries = [move for move in view(position, position.defender).legal if move.kind == "beat"]
            for attack in {move.cards[0] for move in tries}:
                cards = [move for move in tries if move.cards[0] == attack]
                both += 0 < sum(fault_of(position, move) == "" for move in cards) < len(cards)
                for viewer in [seat for seat in range(3) if seat != position.defender] + [None]:
                    seen = {masked(table, move, viewer) for move in cards}
                    assert 1 == len(seen), (format_position(position), viewer)
    assert both > 10


def masked(table: Table, move: Move, viewer: int | None) -> bytes:
    """What a viewer is sent of a beat, without the name of its card; and when the clock acts then."""
    after, told = evolve(table, NOW + 1, Moved(move.seat, move.text))
    name = format_card(move.cards[1]).encode()
    return sent(after, told, viewer).replace(name, b"??") + str(after.due).encode()

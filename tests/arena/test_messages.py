"""The engine protocol: its lines carry all that a seat may see and nothing more, and are read as they were written."""
from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest

from kozyr.arena import external
from kozyr.arena.engine import Engine
from kozyr.arena.external import External, Spec
from kozyr.arena.games import deal_of, play_game
from kozyr.arena.messages import (
    LINE_MAX,
    Choose,
    Chosen,
    Happened,
    decode_answer,
    decode_told,
    encode,
    event_of,
    event_words,
    view_of,
    view_words,
)
from kozyr.bots import LEVELS
from kozyr.core.codes import OVER
from kozyr.core.events import GameOver, seen_by
from kozyr.core.judge import legal_moves
from kozyr.core.moves import parse_move_of
from kozyr.core.options import Rules
from kozyr.core.play import play
from kozyr.core.position import Position
from kozyr.core.views import view
from tests.bots.test_games import some_deal, some_rules, with_other_hidden_cards
from tests.tidy.files import ROOT

PAGE = (ROOT / "docs/engine_protocol.md").read_text(encoding="utf-8")


def positions(seed: int, games: int) -> list[tuple[Position, int]]:
    """Play random games of every kind, and give positions with a seat that has a choice."""
    rng = Random(seed)
    found = []
    for _ in range(games):
        position = some_deal(rng, some_rules(rng))
        while position.phase != OVER:
            moves = [move for seat in range(position.rules.seats) for move in legal_moves(position, seat)]
            move = rng.choice(moves)
            if rng.random() < 0.2:
                found.append((position.copy(), move.seat))
            play(position, move)
    return found


def test_views_are_read_as_they_were_written() -> None:
    """Every fact of a view is in its line, and back again (R13)."""
    for position, seat in positions(1, 12):
        told = decode_told(encode(Choose(1, 1000, view_words(view(position, seat)))))
        assert isinstance(told, Choose)
        assert view(position, seat) == view_of(told.view)


def test_events_are_read_as_they_were_written() -> None:
    """Whatever happens at any table is told in a line and read back, but for the end, which has a message of its own."""
    rng = Random(2)
    kinds = set()
    for _ in range(40):
        position = some_deal(rng, some_rules(rng))
        while position.phase != OVER:
            moves = [move for seat in range(position.rules.seats) for move in legal_moves(position, seat)]
            for event in play(position, rng.choice(moves)):
                if not isinstance(event, GameOver):
                    seen = seen_by(event, rng.randrange(position.rules.seats))
                    told = decode_told(encode(Happened(7, event_words(seen))))
                    assert isinstance(told, Happened)
                    assert seen == event_of(told.event, position.rules.seats)
                    kinds.add(type(event).__name__)
    assert {"Attacked", "Beaten", "Transferred", "Showed", "Challenged", "Returned", "BoutOver", "Drew", "WentOut"} <= kinds


def test_a_line_does_not_depend_on_hidden_cards() -> None:
    """Whatever the others hold and the stock has, what a seat is told is the same, byte by byte (R13.1)."""
    rng = Random(3)
    for position, seat in positions(3, 12):
        other = with_other_hidden_cards(position, seat, rng)
        lines = [encode(Choose(1, 1000, view_words(view(each, seat)))) for each in (position, other)]
        assert lines[0] == lines[1]


def test_a_whole_conversation_does_not_depend_on_hidden_cards() -> None:
    """From a deal on, the same moves make the same lines, whatever lies in the stock and is drawn by others."""
    rng = Random(4)
    told = 0
    for number in range(12):
        rules = Rules(deck=24, seats=2 + number % 2, transfer=number % 4 == 0)
        position = some_deal(rng, rules)
        twin = with_other_hidden_cards(position, 0, rng)
        while position.phase != OVER and view(position, 0) == view(twin, 0):
            both = [move for move in legal_moves(position, int(position.turn)) if move in legal_moves(twin, int(position.turn))]
            if not both:
                break
            move = rng.choice(both)
            lines: list[list[dict[str, Any]]] = [[], []]
            for at, each in enumerate((position, twin)):
                lines[at] = [event_words(seen_by(event, 0)) for event in play(each, move) if not isinstance(event, GameOver)]
            # What the seat itself draws it may see: from there on the two games differ for it.
            first, second = ([words for words in each if (words["e"], words.get("seat")) != ("draw", 0)] for each in lines)
            assert first == second
            told += len(lines[0])
    assert told > 60


def test_other_hands_and_the_stock_are_question_marks() -> None:
    """Only the turned card of the stock is named (R2.4)."""
    position = some_deal(Random(5), Rules(seats=3))
    words = view_words(view(position, 1))
    assert [["?"] * 6, 6, ["?"] * 6] == [words.seats[0].hand, len(set(words.seats[1].hand)), words.seats[2].hand]
    assert 18 == len(words.stock)
    assert ["?"] * 17 == words.stock[:-1]
    assert words.trump_card == words.stock[-1] != "?"


@pytest.mark.parametrize(
    "line", [b"", b"{", b"[]", b"\xff", b'{"t":"nothing"}', b'{"t":"move","n":1,"to":1}', b"1" * (LINE_MAX + 1), b"[" * 9999]
)
def test_what_is_no_message_is_told(line: bytes) -> None:
    """Garbage from either side is a ValueError that shows it."""
    for decode in (decode_told, decode_answer):
        with pytest.raises(ValueError, match=r"is no message|bytes at most"):
            decode(line)


# our own engine


def test_the_engine_answers_garbage_with_an_error_and_goes_on() -> None:
    """Mutated lines of a real conversation, in any order: every answer is a message, and a proper question is answered still."""
    rng = Random(6)
    engine = Engine("easy", LEVELS["easy"])
    lines = [line.encode() for kind, line in session() if kind == ">" and '"bye"' not in line]
    n = 0
    for _ in range(1500):
        line = bytearray(rng.choice(lines))
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(line))
            line[at : at + rng.randrange(3)] = rng.choice([b"", b"9", b'"', b"{", b"null", b"-1", b"7h", b"\x00", b"1e99", b"As"])
        answer = engine.answer(bytes(line))
        if answer is not None:
            n += 1
            assert n == decode_answer(answer).n
    position = some_deal(Random(1), Rules())
    seat = int(position.attacker)
    seen = view(position, seat)
    engine = Engine("easy", LEVELS["easy"])
    answer = engine.answer(encode(Choose(1, 1000, view_words(seen))))
    assert answer is not None
    chosen = decode_answer(answer)
    assert isinstance(chosen, Chosen)
    assert LEVELS["easy"](seen) == parse_move_of(seat, chosen.move)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"seat": 7}, "is no seat"),
        ({"seat": 4}, "has no seat 4"),
        ({"trump": "x"}, "'x'"),
        ({"legal": ["attack 2c"]}, "do not fit together"),
        ({"capacity": 10**30}, "Expected|expected|out of range|do not fit"),
        ({"options": {"deck": 37}}, "deck"),
        ({"stock": []}, ""),
        ({"phase": "OVER"}, ""),
    ],
)
def test_a_view_that_cannot_be_is_told(changes: dict[str, Any], why: str) -> None:
    """The engine says why, with the number of the line."""
    position = some_deal(Random(1), Rules())
    words = json.loads(encode(Choose(3, 1000, view_words(view(position, int(position.attacker))))))
    words["view"] |= changes
    answer = Engine("easy", LEVELS["easy"]).answer(json.dumps(words).encode())
    assert answer is not None
    told = json.loads(answer)
    assert ("error", 1) == (told["t"], told["n"])
    assert re.search(why, told["why"])


def test_an_event_before_any_game_is_told() -> None:
    """There is nothing that it could have happened in."""
    answer = Engine("easy", LEVELS["easy"]).answer(encode(Happened(1, {"e": "take", "seat": 0})))
    assert answer == b'{"t":"error","n":1,"to":1,"why":"an event before any game"}\n'


@pytest.mark.parametrize(
    "event", [{}, {"e": 5}, {"e": "dance"}, {"e": "take"}, {"e": "take", "seat": 3}, {"e": "beat", "seat": 0, "attack": 7, "card": "7h"}]
)
def test_an_event_that_cannot_be_is_told(event: dict[str, Any]) -> None:
    """No such word, no such seat, no such card."""
    with pytest.raises(ValueError, match=r"is no event|cannot be|is no seat"):
        event_of(event, 2)


# the page


def session() -> list[tuple[str, str]]:
    """Read the worked session of the page: `>` and what the program is told, `<` and what it answers."""
    block = PAGE.partition("## A worked session")[2].partition("```")[2].partition("```")[0]
    return [(line[0], line[2:]) for line in block.strip("\n").splitlines() if line[:2] in ("> ", "< ")]


def test_the_session_of_the_page_is_what_the_arena_and_the_engine_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Easy plays seat 1 of a deal against easy: the lines of the page are the first ones, and goodbye."""
    said: list[tuple[str, str]] = []

    class InMemory:
        """The engine without a process."""

        def __init__(self, command: str) -> None:
            self.engine = Engine("Easy", LEVELS["easy"])
            self.answers: list[bytes] = []

        def send(self, line: bytes) -> None:
            said.append((">", line.decode().rstrip("\n")))
            answer = self.engine.answer(line)
            if answer is not None:
                said.append(("<", answer.decode().rstrip("\n")))
                self.answers.append(answer)

        def receive(self, until: float) -> bytes | None:
            return self.answers.pop(0) if self.answers else None

        def last_words(self) -> str:
            return ""

        def kill(self) -> None:
            pass

    monkeypatch.setattr(external, "Program", InMemory)
    monkeypatch.setattr(external.kozyr, "__version__", "0.1.0")
    monkeypatch.setattr(external, "GOODBYE_S", 0)
    player = External(Spec("easy", 1000, "easy"))
    rules = Rules(deck=24)
    play_game(rules, deal_of(rules, 5), [LEVELS["easy"], player], {1: player})
    player.close()
    written = session()
    assert len(written) > 12
    assert said[: len(written) - 2] == written[:-2]
    assert said[-2:] == written[-2:]
    assert player.faults == []


def test_every_message_and_event_is_on_the_page() -> None:
    """Each word that may stand in `t` and `e` is described."""
    words = [*re.findall(r'tag="([a-z_]+)"', (ROOT / "src/kozyr/arena/messages.py").read_text(encoding="utf-8")), *external_events()]
    assert [] == [word for word in words if f"`{word}`" not in PAGE]


def external_events() -> list[str]:
    from kozyr.arena.messages import EVENTS

    return list(EVENTS)


def test_the_example_of_the_page_is_the_one_that_is_played() -> None:
    """The forty lines on the page are those of the tests."""
    block = PAGE.partition("```python\n")[2].partition("```")[0]
    assert (ROOT / "tests/arena/example_bot.py").read_text(encoding="utf-8") == block

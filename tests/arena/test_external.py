"""Programs of other people in the arena: they play as they say, and however they misbehave, the game goes on and they are ended."""
from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from kozyr.arena import external, programs
from kozyr.arena.external import External, Fault, Spec, close_all, default_of, external_player, parse_spec
from kozyr.arena.games import deal_of, play_game
from kozyr.arena.runs import Contest, run
from kozyr.core.codes import OVER
from kozyr.core.defaults import default_move
from kozyr.core.judge import legal_moves, waiting_for
from kozyr.core.options import Rules
from kozyr.core.play import play
from kozyr.core.views import view
from tests.bots.test_games import some_deal, some_rules

HERE = Path(__file__).parent
FAULTS = {
    "garbage": ("garbage", "garbage"),
    "binary": ("garbage", "garbage"),
    "illegal": ("illegal", "illegal"),
    "silence": ("silence", "silence"),
    "crash": ("crash", "crash"),
    "stale": ("flood", "flood"),
    "flood": ("garbage", "garbage"),
    "endless": ("garbage", "silence"),
    "number": ("garbage", "garbage"),
    "late": ("silence", "silence"),
    "confused": ("garbage", "garbage"),
}


def command(*words: object) -> str:
    """Write a command that runs one of our scripts."""
    return shlex.join([sys.executable, *(str(word) for word in words)])


def is_there(pid: int) -> bool:
    """Say whether one of our processes is still running; a dead one has no command line, and its number may be another's by now."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return b"misbehaving.py" in words or b"time.sleep(600)" in words


def wait_for_the_end(pids: Path) -> None:
    """Wait until all processes that were written down have ended."""
    known = [int(pid) for pid in pids.read_text(encoding="utf-8").split()]
    until = time.monotonic() + 10
    while any(is_there(pid) for pid in known) and time.monotonic() < until:
        time.sleep(0.02)
    assert [] == [pid for pid in known if is_there(pid)]


@pytest.fixture
def pids(tmp_path: Path) -> Iterator[Path]:
    """Give a file for the numbers of processes; nothing is left of them."""
    path = tmp_path / "pids"
    yield path
    close_all()


@pytest.mark.parametrize("rules", [Rules(), Rules(seats=3, deck=24, transfer=True), Rules(cheat=True)], ids=["two", "three", "cheating"])
def test_a_program_plays(rules: Rules) -> None:
    """The example of forty lines plays a contest to the end without a fault, and beats chance."""
    name = str(Spec("example", 10_000, command(HERE / "example_bot.py")))
    results = run(Contest(("random", name), rules, 3, 1))
    assert {} == results.spent[name].lost, results.spent[name].reports
    assert sum(results.of(name, "random")) > 1
    close_all()


def test_our_own_levels_play_through_the_protocol_as_without_it() -> None:
    """Easy beside easy behind `kozyr engine`: each deal ends level when all seats are rotated, at a cheating table too."""
    name = str(Spec("easy", 10_000, command("-m", "kozyr", "engine", "--level", "easy")))
    for rules in (Rules(), Rules(transfer=True, cheat=True)):
        results = run(Contest(("easy", name), rules, 3, 2))
        assert ([0.5] * 3, {}) == (results.of("easy", name), results.spent[name].lost)
    close_all()


@pytest.mark.parametrize("how", FAULTS)
def test_who_misbehaves_loses_that_move_and_nothing_hangs(how: str, pids: Path) -> None:
    """The default move is played, the report says why, and the program is ended with its children (R16.2)."""
    ms = {"silence": 150, "late": 150, "endless": 3000}.get(how, 10_000)
    player = External(Spec(how, ms, command(HERE / "misbehaving.py", how, pids)))
    position = some_deal(Random(1), Rules())
    seat = int(position.attacker)
    player.begin(view(position, seat))
    for _ in range(2):
        assert default_move(position, seat) == player(view(position, seat))
    assert FAULTS[how] == tuple(fault.kind for fault in player.faults), player.faults
    player.close()
    wait_for_the_end(pids)


def test_a_whole_game_with_a_program_that_crashes_ends(pids: Path) -> None:
    """It is started again and told the game so far, four times a game at most; then its moves are lost without a start."""
    name = str(Spec("crash", 1000, command(HERE / "misbehaving.py", "crash", pids)))
    results = run(Contest(("easy", name), Rules(deck=24), 1, 1))
    spent = results.spent[name]
    assert "crash: it has ended: 'out of ideas'" == spent.reports[0]
    assert {"crash"} == set(spent.lost)
    close_all()
    assert 8 * 2 == len(pids.read_text(encoding="utf-8").split())
    wait_for_the_end(pids)


def test_a_silent_program_is_ended_after_three_moves(pids: Path) -> None:
    """It does not keep the arena waiting for a whole game."""
    player = External(Spec("silence", 50, command(HERE / "misbehaving.py", "silence", pids)))
    position = some_deal(Random(1), Rules())
    player.begin(view(position, int(position.attacker)))
    for _ in range(3):
        player(view(position, int(position.attacker)))
    assert "silence: it has said nothing 3 times in a row, and was ended" == str(player.faults[-1])
    wait_for_the_end(pids)


def test_a_program_that_reads_nothing_keeps_nobody_waiting(pids: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it does not read waits in a queue that is bounded; then it is ended, and started again when it is to move."""
    monkeypatch.setattr("kozyr.arena.programs.LINES_TO_SEND_MAX", 20)
    player = External(Spec("deaf", 5000, command(HERE / "misbehaving.py", "deaf", pids)))
    position = some_deal(Random(1), Rules())
    seat = int(position.attacker)
    player.begin(view(position, seat))
    move = player(view(position, seat))
    assert move is not None and [] == player.faults
    events = play(position.copy(), move)
    began = time.monotonic()
    for _ in range(20_000):
        player.see(events[0])
    assert time.monotonic() - began < 20
    wait_for_the_end(pids)
    player.close()


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("future", "garbage: it does not answer the greeting by one of version 1"),
        ("rude", "silence: it has said nothing in 1000 ms"),
    ],
)
def test_a_program_that_does_not_greet_is_not_played_with(how: str, told: str, pids: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of the protocol, or no answer in the time that a greeting has, which is told."""
    monkeypatch.setattr(external, "START_S", 1.0)
    with pytest.raises(Fault, match=told):
        External(Spec(how, 100, command(HERE / "misbehaving.py", how, pids))).start()
    wait_for_the_end(pids)


@pytest.mark.parametrize("words", ["/nowhere/bot", "'unclosed", sys.executable + " -c 0"])
def test_what_cannot_be_started_is_told(words: str) -> None:
    """No such program, no command at all, one that ends at once."""
    with pytest.raises(Fault, match="crash: "):
        External(Spec("none", 100, words)).start()


def test_no_program_is_started_once_all_have_been_ended(pids: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that loses its parent ends its programs from another thread, while games go on in it for a moment."""
    monkeypatch.setattr(programs, "_ends", [])
    player = External(Spec("illegal", 1000, command(HERE / "misbehaving.py", "illegal", pids)))
    player.start()
    programs.end_for_good()
    wait_for_the_end(pids)
    with pytest.raises(Fault, match="no programs are started any more"):
        External(Spec("illegal", 1000, command(HERE / "misbehaving.py", "illegal", pids))).start()


@pytest.mark.parametrize("text", ["external:", "external:a", "external:a:b:c", "external:a:0:c", "external:a:5: ", "easy"])
def test_a_name_of_no_program_is_told(text: str) -> None:
    """A name has a label, a time and a command."""
    with pytest.raises(ValueError, match="no external player"):
        parse_spec(text)


def test_names_are_read_as_they_were_written() -> None:
    """parse_spec(str(x)) is x, colons in the command too."""
    spec = Spec("a", 5, "run a:b:c --d=e")
    assert spec == parse_spec(str(spec))
    assert external_player(str(spec), 1) is external_player(str(spec), 1)
    close_all()


def test_the_default_move_is_the_clocks_own() -> None:
    """What is played for a program follows from its view, and is what the clock would play (R16.2)."""
    rng = Random(4)
    for _ in range(15):
        position = some_deal(rng, some_rules(rng))
        while position.phase != OVER:
            waiting = waiting_for(position)
            seats = [seat for seat in range(position.rules.seats) if waiting >> seat & 1 and legal_moves(position, seat)]
            for seat in seats:
                if all(move.kind == "challenge" for move in legal_moves(position, seat)):
                    continue  # the seat has to wait
                assert default_move(position, seat) == default_of(view(position, seat))
            play(position, rng.choice(legal_moves(position, rng.choice(seats))))


def test_a_game_ends_however_a_program_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random bytes, broken messages and wrong answers, in any order: every game ends by the rules."""
    rng = Random(7)

    class Noise:
        """A program that answers anything."""

        def __init__(self, command: str) -> None:
            self.said: list[bytes] = [b'{"t":"hello","protocol":1,"name":"noise","n":1,"to":1}']

        def send(self, line: bytes) -> None:
            if rng.random() < 0.002:
                raise external.NotReading
            if line.startswith(b'{"t":"choose"'):
                self.answer(line, int(line.split(b'"n":')[1].split(b",")[0]))

        def answer(self, line: bytes, asked: int) -> None:
            n = next((player._heard for player in players if player._program is self), 1) + 1
            move = b'{"t":"move","n":%d,"to":%d,"move":"%s"}'
            answers = [rng.randbytes(rng.randrange(50)), b"[]", b"null", b"1e999", b'{"t":"move"}', b"[" * 5000]
            answers += [line.replace(b'"choose"', b'"move"')[: rng.randrange(200)], move % (-1, asked, b"take"), move % (2**70, asked, b"")]
            answers += [move % (n, to, text) for to in (1, asked, 2**80) for text in (b"take", b"pass", b"beat 2c 3c")]
            self.said.append(rng.choice(answers))

        def receive(self, until: float) -> bytes | None:
            if rng.random() < 0.02:
                raise rng.choice((external.Ended, external.TooLong))
            return self.said.pop(0) if self.said and rng.random() > 0.02 else None

        def last_words(self) -> str:
            return ""

        def kill(self) -> None:
            self.said = []

    monkeypatch.setattr(external, "Program", Noise)
    faults = set()
    players: list[External] = []
    for number in range(12):
        rules = some_rules(rng)
        players[:] = [External(Spec("noise", 1, "noise")) for _ in range(rules.seats)]
        outcome = play_game(rules, deal_of(rules, number), players, dict(enumerate(players)))
        assert outcome.moves > 0
        faults |= {fault.kind for player in players for fault in player.faults}
    assert {"garbage", "silence", "crash", "illegal"} <= faults


def test_programs_end_with_the_pool_that_ran_them(pids: Path) -> None:
    """Worker processes end their programs, and their children, when they end themselves."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    name = str(Spec("illegal", 1000, command(HERE / "misbehaving.py", "illegal", pids)))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        results = run(Contest(("easy", name), Rules(deck=24), 2, 1), pool, chunk=1)
    assert results.spent[name].lost["illegal"] > 4
    assert os.getpid() not in [int(pid) for pid in pids.read_text(encoding="utf-8").split()]
    wait_for_the_end(pids)

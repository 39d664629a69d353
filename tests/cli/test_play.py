"""A game in the terminal, by scripted input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from kozyr.bots import LEVELS
from kozyr.cli.terminal import HAND_OVER, HELP, Left, Terminal, tidy
from kozyr.cli.words import Words
from kozyr.core.codes import OVER
from kozyr.core.notation import parse_position
from kozyr.core.presets import PRESETS
from kozyr.core.record import parse_game

from .conftest import Kozyr

FIRST = "1\n" * 2000  # always the first move of the list


def asked(lines: list[str], question: str) -> list[str]:
    """
    Find the lines that stand behind a question; answers are not echoed where nobody types.
    """
    return [line.removeprefix(question) for line in lines if line.startswith(question)]


# whole games


def test_a_game_is_played_to_its_end(kozyr: Kozyr) -> None:
    """
    The commitment comes before the first card, the seed after the last.
    """
    done = kozyr("play", "--seed", "1", typed=FIRST)
    assert (0, "") == (done.code, done.err)
    assert done.lines[0] == "Durak with 36 cards: you and Bot 1. deck=36,seats=2"
    assert done.lines[1].startswith("The shuffle is settled; its commitment: ")
    assert any("the durak" in line or "is drawn" in line for line in done.lines)
    assert done.lines[-1].startswith("The seed of the shuffle: ")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_played_and_its_record_is_right(kozyr: Kozyr, tmp_path: Path, preset: str) -> None:
    """
    Whatever the table, cheating tables among them, `kozyr verify` agrees with the game that was played.
    """
    file = tmp_path / "game.txt"
    assert 0 == kozyr("play", "--preset", preset, "--record", file, typed=FIRST).code
    done = kozyr("verify", file)
    assert (0, "The game is as it should be.") == (done.code, done.lines[-1])


@pytest.mark.parametrize("seats", range(2, 7))
def test_tables_of_every_size_are_played(kozyr: Kozyr, tmp_path: Path, seats: int) -> None:
    """
    One person and one to five bots.
    """
    file = tmp_path / "game.txt"
    done = kozyr("play", "--seats", str(seats), "--deck", "52", "--option", "draw_order=joined", "--record", file, typed=FIRST)
    assert 0 == done.code
    record = parse_game(file.read_text(encoding="utf-8"))
    assert (seats, 52, "joined") == (record.rules.seats, record.rules.deck, record.rules.draw_order)
    assert record.result is not None
    assert "; ".join(["You", *(f"Bot {n} (easy)" for n in range(1, seats))]) == record.tags["Players"]


def test_the_same_seed_deals_the_same_game(kozyr: Kozyr) -> None:
    """
    With --seed everything is repeated; without it nothing is.
    """
    first, again, other = (kozyr("play", *words, typed=FIRST).out for words in (["--seed", "1"], ["--seed", "1"], ["--seed", "2"]))
    assert first == again != other
    assert kozyr("play", typed="").lines[1] != kozyr("play", typed="").lines[1]


def test_cards_are_spelled_out_for_those_who_listen(kozyr: Kozyr) -> None:
    """
    With --spoken no card is an abbreviation.
    """
    done = kozyr("play", "--seed", "1", "--spoken", typed=FIRST)
    hands = [line for line in done.lines if line.startswith("Your hand: ")]
    assert hands
    assert all(" of " in line or line == "Your hand: none." for line in hands)


# leaving


@pytest.mark.parametrize("typed", ["", "quit\n", "EXIT\n", "q\n"])
def test_a_game_can_be_left(kozyr: Kozyr, tmp_path: Path, typed: str) -> None:
    """
    Ctrl-D and quit leave cleanly; what was played so far is kept, and can be verified.
    """
    file = tmp_path / "game.txt"
    done = kozyr("play", "--seed", "1", "--record", file, typed=typed)
    assert (0, "") == (done.code, done.err)
    assert "You have left the game." in [line.removeprefix("Your move: ") for line in done.lines]
    assert done.lines[-1] == f"The game is in {file}, as far as it went; kozyr verify checks it."
    assert parse_game(file.read_text(encoding="utf-8")).result is None
    assert 0 == kozyr("verify", file).code


def test_resigning_at_a_table_of_two_ends_the_game(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    Who resigns is the durak (R16.3), and the record says so.
    """
    file = tmp_path / "game.txt"
    done = kozyr("play", "--seed", "1", "--record", file, typed="resign\n")
    assert "You are the durak: the game was given up." in done.lines
    assert "durak 0 forfeit" in file.read_text(encoding="utf-8")
    assert 0 == kozyr("verify", file).code


def test_resigning_at_a_bigger_table_leaves_the_seat_to_a_bot(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    At a free table of three and more the easy bot plays on (R16.3), to the end.
    """
    file = tmp_path / "game.txt"
    done = kozyr("play", "--seed", "1", "--seats", "3", "--record", file, typed="resign\n")
    assert 1 == sum(HAND_OVER in line for line in done.lines)
    assert parse_game(file.read_text(encoding="utf-8")).result is not None
    assert 0 == kozyr("verify", file).code


# at the prompt


class Script:
    """
    A terminal that gives prepared answers and notes what it was told and asked.
    """

    def __init__(self, *answers: str) -> None:
        self.said: list[str] = []
        self.questions: list[str] = []
        self._answers: Iterator[str] = iter(answers)

    def say(self, line: str) -> None:
        self.said.append(line)

    def ask(self, question: str) -> str | None:
        self.questions.append(question)
        return next(self._answers, None)


def at(position: str, *answers: str, bots: Mapping[int, str] | None = None) -> tuple[Script, list[str]]:
    """
    Sit down in seat 0 at a position and give these answers; return the terminal and the moves that were played.
    """
    script = Script(*answers)
    placed = parse_position(position)
    names = tuple("You" if seat == 0 else f"Bot {seat}" for seat in range(placed.rules.seats))
    levels = {seat: LEVELS[level] for seat, level in (bots or dict.fromkeys(range(1, len(names)), "easy")).items()}
    terminal = Terminal(placed, 0, levels, Words(names, 0), script.say, script.ask)
    try:
        terminal.play()
    except Left:
        assert placed.phase != OVER
    return script, [str(move) for move in terminal.moves]


OPENING = "36/s/0/0:7h,9h,9s;1:8h,Td,Jd/0>1/-/seats=2,limit=6,bout_no=5"
DEFENDING = "36/s/0/0:8h,9h,9s;1:7h,Td,Jd/1>0/6h@1/seats=2,limit=6,bout_no=5"


@pytest.mark.parametrize("answer", ["2", " 2 ", "attack 9h", "Attack  9H", "9h", "9H"])
def test_a_move_is_a_number_a_notation_or_a_card(answer: str) -> None:
    """
    However it is typed, the nine of hearts opens.
    """
    _, moves = at(OPENING, answer)
    assert "0 attack 9h" == moves[0]


@pytest.mark.parametrize("answer", ["beat 6h 8h", "8h", "BEAT 6H 8H", "1"])
def test_a_beat_is_typed_like_any_move(answer: str) -> None:
    """
    The card alone is enough, as only one card lies to be beaten.
    """
    _, moves = at(DEFENDING, answer)
    assert "0 beat 6h 8h" == moves[0]


def test_tens_may_be_typed_as_numbers() -> None:
    """
    `10h` is the ten of hearts.
    """
    assert "beat Th Jh" == tidy("Beat 10H jh")


def test_a_card_that_fits_two_moves_has_to_be_said_in_full() -> None:
    """
    With two cards to beat, a trump alone does not say which.
    """
    script, _ = at("36/s/0/0:8h,9d,9s;1:7h/1>0/6h@1,6d@1/seats=2,limit=6,bout_no=5", "9s")
    assert "2 moves play that card; type a number." in script.said


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("", "Type the number of a move; help says what else."),
        ("9", "There is no move 9: there are 3."),
        ("0", "There is no move 0: there are 3."),
        ("attack 8h", "You cannot: The seat does not hold that card."),
        ("take", "You cannot: The seat is not the defender."),
        ("pass", "You cannot: There is nothing to pass on now."),
        ("challenge 7h", "You cannot: There are no challenges at an honest table."),
        ("attack", "'attack' is no move: attack takes 1 to 4 cards. Type help for help."),
        ("attack 1x", "'1x' is no card"),
        ("Ḧello", "'Ḧello' is no move"),
        ("²", "'²' is no move"),
        ("x" * 5000, "'" + "x" * 199 + "…. Type help for help."),
    ],
)
def test_what_is_no_move_is_explained_and_changes_nothing(answer: str, text: str) -> None:
    """
    A move that the rules forbid, or no move at all, is answered in one line, and the question comes again.
    """
    script, moves = at(OPENING, answer)
    assert script.said[-1].startswith(text)
    assert ["Your move: ", "Your move: "] == script.questions
    assert [] == moves


def test_help_explains_the_prompt() -> None:
    """
    help and ? list what may be typed.
    """
    script, _ = at(OPENING, "help", "?")
    assert [*HELP, *HELP] == script.said[-2 * len(HELP) :]


def test_table_hand_and_moves_are_told_again() -> None:
    """
    Whoever has lost track can ask.
    """
    script, _ = at(OPENING, "table", "hand", "moves")
    once = len(script.said) // 2
    assert script.said[:once] == script.said[once:]
    assert "Your hand: 7h 9h 9s." in script.said
    assert "1: attack 7h" in script.said


def test_a_thrower_is_offered_to_throw_in_at_once_and_may_wait() -> None:
    """
    At open pace a card may come before the defender has answered (R5.3); Enter leaves it at that.
    """
    position = "36/s/0/0:9c,9h,As;1:Th,Tc,Jd,Kd/0>1/-/seats=2,limit=6,bout_no=5"
    script, moves = at(position, "9h", "")
    assert ["Your move: ", "Your move, or Enter to wait: ", "Your move: "] == script.questions
    assert ["0 attack 9h", "1 beat 9h Th"] == moves
    _, moves = at(position, "9h", "9c")
    assert ["0 attack 9h", "0 attack 9c"] == moves[:2]


def test_nobody_is_asked_twice_about_the_same() -> None:
    """
    Who waits is left in peace until there is something new.
    """
    position = "36/s/0/0:9c,As;1:Th,Tc,Jd,Kd;2:6c,7d/0>1/9h@2/seats=3,transfer=true,limit=6,bout_no=5,opener=2,joined=2"
    script, _ = at(position, "")
    assert ["Your move, or Enter to wait: ", "Your move: "] == script.questions


def test_challenges_are_offered_and_judged() -> None:
    """
    At a cheating table the list holds the challenges (R14.6); a wrong one costs the challenger (R14.8).
    """
    position = "36/s/0/0:9c,As;1:Td,Kd/0>1/9h>Th@0/seats=2,cheat=true,limit=6,bout_no=5,phase=CHALLENGE"
    script, moves = at(position, "challenge Th")
    assert "0 challenge Th" == moves[0]
    assert "You challenge Bot 1's Th, wrongly: it was lawful." in script.said
    assert "You take 9h Th as a penalty." in script.said
    script, moves = at(position.replace("9h>Th", "9h>6c"), "challenge 6c")
    assert "You challenge Bot 1's 6c, rightly: it was unlawful." in script.said


def test_who_could_only_challenge_may_wait() -> None:
    """
    A thrower whose turn has not come is not made to challenge.
    """
    position = "36/s/0/0:7d,Kc;1:8d,9d;2:Jd,Kd/1>2/8h>9h@1/seats=3,cheat=true,throw_priority=attacker_first,limit=6,bout_no=5"
    script, moves = at(position, "")
    assert "Your move, or Enter to wait: " == script.questions[0]
    assert "1 attack 8d" == moves[0]


# what is asked for


@pytest.mark.parametrize(
    ("named", "levels"),
    [
        ("", "easy easy easy"),
        ("hard", "hard hard hard"),
        ("hard easy", "hard easy easy"),
        ("easy normal hard", "easy normal hard"),
    ],
)
def test_each_bot_has_a_level_of_its_own(kozyr: Kozyr, tmp_path: Path, named: str, levels: str) -> None:
    """
    The levels are those of the bots in their order, the last of all that are left; the game's file says who was what.
    """
    file = tmp_path / "game.txt"
    words = [word for level in named.split() for word in ("--level", level)]
    assert 0 == kozyr("play", "--seats", "4", "--seed", "a", "--record", file, *words, typed=FIRST).code
    text = file.read_text(encoding="utf-8")
    assert [] == [name for name in (f"Bot {seat} ({level})" for seat, level in enumerate(levels.split(), 1)) if name not in text]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--deck", "37"], "options: deck cannot be 37: it is one of 36, 24, 52"),
        (["--seats", "7"], "options: seats cannot be 7: it is one of 2, 3, 4, 5, 6"),
        (["--seats", "5", "--deck", "24"], "options: the deck does not give six cards to each of 5 seats"),
        (["--preset", "poker"], "options: there is no preset 'poker'; there are throw_in, transfer"),
        (["--preset", "throw_in", "--transfer"], "options: this preset does not let transfer be true"),
        (["--option", "colour=red"], "options: there is no option 'colour'; there are deck"),
        (["--option", "draws"], "options: 'draws' is not name=value"),
        (["--option", "challenge_ms=5"], "options: challenge_ms cannot be 5: it is a number from 500 to 60000"),
        (["--option", "series=true", "--option", "stake=10"], "options: a series is played without a stake"),
        (["--level", "genius"], "there is no level 'genius'; there are easy"),
        (["--seats", "3", "--level", "easy", "--level", ""], "there is no level ''; there are easy"),
        (["--seats", "2", "--level", "easy", "--level", "hard"], "2 levels are for more bots than there are: 1"),
        (["--record", "no/such/folder/game.txt"], "no/such/folder/game.txt is in no folder"),
    ],
)
def test_tables_that_cannot_be_are_explained(kozyr: Kozyr, words: list[str], text: str) -> None:
    """
    An undealable table, an unknown option or preset is one line, exit code 2, and no card is dealt.
    """
    done = kozyr("play", *words, typed=FIRST)
    assert (2, "", 1) == (done.code, done.out, len(done.err.splitlines()))
    assert done.err.startswith(f"kozyr: {text}")


def test_a_record_never_overwrites_a_file(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    A file that is there stays as it is.
    """
    file = tmp_path / "game.txt"
    file.write_text("dear diary", encoding="utf-8")
    done = kozyr("play", "--record", file, typed=FIRST)
    assert (2, f"kozyr: {file} exists already: the game is written to a new file\n") == (done.code, done.err)
    assert "dear diary" == file.read_text(encoding="utf-8")

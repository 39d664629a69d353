"""`kozyr verify`: right games are right, and whatever is tampered with is found."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozyr.app.dealing import Previous, draw
from kozyr.app.gamefile import check, format_previous, game_record, parse_previous
from kozyr.core.judge import legal_moves
from kozyr.core.options import Rules
from kozyr.core.play import play
from kozyr.core.record import GameRecord, format_game, parse_game
from kozyr.core.setup import LastGame, start
from kozyr.fair import Absence, Origin, SeatSeed, Shuffle, commit_seat, commit_server

from .conftest import Done, Kozyr


def bytes_of(text: str) -> bytes:
    """
    Make 32 bytes of a word.
    """
    return hashlib.sha256(text.encode()).digest()


def shuffle_of(seats: int, game: str = "t1/1", absent: int | None = None) -> Shuffle:
    """
    Shuffle with two players and bots; the seat *absent* has committed and not revealed.
    """
    server = commit_server(game, bytes_of("server"))
    entries = []
    for seat in range(seats):
        seed = bytes_of(f"seat {seat}")
        if seat >= 2:
            entries.append(SeatSeed.of_bot(server, seat, seed))
        else:
            entries.append(SeatSeed.of_player(server, seat, commit_seat(server, seat, seed), None if seat == absent else seed))
    return Shuffle.of_server(game, bytes_of("server"), tuple(entries))


def wrong(record: GameRecord) -> set[str]:
    """
    Name what a check finds wrong.
    """
    return {each.code for each in check(record) if not each.is_right}


def verified(kozyr: Kozyr, tmp_path: Path, text: str, *words: str | Path) -> Done:
    """
    Write a file and verify it.
    """
    file = tmp_path / "game.txt"
    file.write_text(text, encoding="utf-8")
    return kozyr("verify", file, *words)


def test_a_right_game_is_right_in_every_point(kozyr: Kozyr, game_file: Path) -> None:
    """
    Seeds, dealer, pack, first attacker, moves and result: each has its line.
    """
    done = kozyr("verify", game_file)
    assert (0, "") == (done.code, done.err)
    assert "right: every seed fits its commitment" == done.lines[0]
    assert "right: seeds of players: seat 0" == done.lines[1]
    for line, text in zip(done.lines[2:5], ("the dealer", "the pack", "the first attacker"), strict=True):
        assert line.startswith(f"right: {text} follows from the seeds: ")
    assert re.fullmatch(r"right: all \d+ moves are legal, and they lead to the result that the record has", done.lines[5])
    assert "The game is as it should be." == done.lines[6]


# tampering


@pytest.mark.parametrize("tag", ["Game", "Commit", "Shuffle", "Options", "Dealer", "Attacker", "Pack", "Trump", "Up", "Result"])
def test_every_tag_that_is_missing_is_found(kozyr: Kozyr, game_file: Path, tmp_path: Path, tag: str) -> None:
    """
    Without one of its tags a game is no game, or proves nothing.
    """
    lines = game_file.read_text(encoding="utf-8").splitlines(keepends=True)
    done = verified(kozyr, tmp_path, "".join(line for line in lines if not line.startswith(f"[{tag} ")))
    assert done.code in (1, 2)
    assert tag in done.out + done.err


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ('[Game "t', '[Game "u', "WRONG: the tag Game says 'u"),
        ('[Commit "0', '[Commit "1', "WRONG: the tag Commit says '1"),
        (r"{\"protocol", r"[\"protocol", "WRONG: the tag Shuffle cannot be read"),
        ("kozyr/1", "kozyr/2", "WRONG: the tag Shuffle cannot be read"),
        (r"\"seed\":\"0", r"\"seed\":\"1", "WRONG: the server's seed does not fit the server's commitment"),
        (r"\"seed\":\"2", r"\"seed\":\"1", "WRONG: the seed of seat 0 does not fit its commitment"),
        (r"\"commitment\":\"1", r"\"commitment\":\"2", "WRONG: the seed of seat 0 does not fit its commitment"),
        (r"\"origin\":\"server\"", r"\"origin\":\"seat\"", "WRONG: the seed of seat 1 does not fit its commitment"),
        (",transfer=true", "", "WRONG: move "),
        ('[Dealer "2"', '[Dealer "1"', "WRONG: the dealer is seat 2 by the seeds, and seat 1 in the record"),
        ('[Attacker "1"', '[Attacker "0"', "WRONG: the first attacker is seat 1 by the seeds, and seat 0 in the record"),
        ('[Pack "Qc Tc', '[Pack "Tc Qc', "WRONG: the pack is Qc Tc"),
        ('[Result "durak 1', '[Result "durak 0', "WRONG: the moves lead to the result 'durak 1 cards 2.0', and the record says 'durak 0"),
        (' 2.0"]', ' 0.2"]', "WRONG: the moves lead to the result 'durak 1 cards 2.0', and the record says 'durak 1 cards 0.2'"),
    ],
)
def test_every_tag_that_is_changed_is_found(kozyr: Kozyr, game_file: Path, tmp_path: Path, old: str, new: str, text: str) -> None:
    """
    Each part of a game's file is held by another: seeds by commitments, cards by seeds, the result by the moves.
    """
    game = game_file.read_text(encoding="utf-8")
    assert old in game
    done = verified(kozyr, tmp_path, game.replace(old, new, 1))
    assert 1 == done.code
    assert any(line.startswith(text) for line in done.lines), done.out
    assert done.lines[-1].startswith("Something is wrong with this game: ")


def test_a_shuffle_for_another_table_is_found(game_file: Path) -> None:
    """
    The seats of the shuffle are the seats of the table.
    """
    record = parse_game(game_file.read_text(encoding="utf-8"))
    found = {each.code: each.text for each in check(replace(record, rules=replace(record.rules, seats=4))) if not each.is_right}
    assert "the shuffle is for 3 seats, and the table has 4" == found["seats"]


def test_every_move_that_breaks_a_rule_is_found(game_file: Path) -> None:
    """
    In the place of any move, one that the rules forbid there is named with its number.
    """
    record = parse_game(game_file.read_text(encoding="utf-8"))
    for at, move in enumerate(record.moves):
        changed = replace(move, seat=(move.seat + 1) % 3) if move.kind != "pass" else replace(move, kind="accept")
        found = [each for each in check(replace(record, moves=(*record.moves[:at], changed, *record.moves[at + 1 :]))) if not each.is_right]
        assert [f"move {at + 1}:"] == [each.text[: len(f"move {at + 1}:")] for each in found]


def test_every_attack_and_every_take_that_is_missing_is_found(game_file: Path) -> None:
    """
    No attack card can be left out, and no take. (A beat before a take can: the same cards go to the same hand.)
    """
    record = parse_game(game_file.read_text(encoding="utf-8"))
    for at, move in enumerate(record.moves):
        if move.kind in ("attack", "transfer", "take"):
            assert {"moves"} == wrong(replace(record, moves=record.moves[:at] + record.moves[at + 1 :])), f"move {at + 1}"


def test_the_end_of_a_game_cannot_be_cut_off(game_file: Path) -> None:
    """
    The result says that there was more.
    """
    record = parse_game(game_file.read_text(encoding="utf-8"))
    assert {"moves"} == wrong(replace(record, moves=record.moves[:-1]))


def test_a_move_after_the_end_is_found(game_file: Path) -> None:
    """
    Nothing can be added to a game that is over.
    """
    record = parse_game(game_file.read_text(encoding="utf-8"))
    assert {"moves"} == wrong(replace(record, moves=(*record.moves, record.moves[-1])))


@given(at=st.integers(0, 10_000), letter=st.characters(exclude_categories=["Cs"]))
@settings(max_examples=300)
def test_no_letter_of_the_head_can_be_changed(game_file: Path, at: int, letter: str) -> None:
    """
    Whatever letter of the tags is another one, but in the players' names, the file is refused or found wrong.
    """
    text = game_file.read_text(encoding="utf-8")
    head = text[: text.index("\n1 ")]
    place = at % len(head)
    line = head[head.rfind("\n", 0, place) + 1 :]
    changed = text[:place] + letter + text[place + 1 :]
    if line.startswith("[Players") or letter == text[place] or (letter.isspace() and text[place].isspace()):
        return
    try:
        record = parse_game(changed)
    except ValueError:
        return
    assert set() != wrong(record)


@given(text=st.text(max_size=400), n=st.integers(0, 5000))
@settings(max_examples=200)
def test_garbage_is_refused_with_a_reason(game_file: Path, text: str, n: int) -> None:
    """
    A text that is no game, or a game cut short with garbage behind it, is a ValueError or found wrong, and nothing else.
    """
    game = game_file.read_text(encoding="utf-8")
    for changed in (text, game[:n] + text, text + game[n:]):
        try:
            record = parse_game(changed)
        except ValueError as error:
            assert str(error)
        else:
            check(record)


@pytest.mark.parametrize("shuffle", ["", "null", "[]", "{}", "1e999", "[" * 50_000, '{"protocol":"kozyr/1"}', "\ud800"])
def test_a_shuffle_that_is_none_is_a_finding(game_file: Path, shuffle: str) -> None:
    """
    Whatever stands in the tag Shuffle, the moves are checked all the same.
    """
    record = parse_game(game_file.read_text(encoding="utf-8"))
    found = check(replace(record, tags={**record.tags, "Shuffle": shuffle}))
    assert ["shuffle", "moves"] == [each.code for each in found]
    assert [False, True] == [each.is_right for each in found]


def test_a_file_that_cannot_be_read_is_told(kozyr: Kozyr, tmp_path: Path) -> None:
    """
    A missing file, a folder, bytes that are no text, and too many of them: one line each, exit code 2.
    """
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "big").write_bytes(b" " * 4_000_001)
    for name, text in (("missing", "cannot read"), (".", "cannot read"), ("binary", "is no text"), ("big", "is too big")):
        done = kozyr("verify", tmp_path / name)
        assert (2, "", 1) == (done.code, done.out, len(done.err.splitlines()))
        assert text in done.err


def test_a_file_that_an_editor_has_saved_is_read(kozyr: Kozyr, game_file: Path, tmp_path: Path) -> None:
    """
    Line ends of Windows and a mark at the beginning change nothing.
    """
    (tmp_path / "saved").write_bytes(b"\xef\xbb\xbf" + game_file.read_bytes().replace(b"\n", b"\r\n"))
    assert kozyr("verify", game_file) == kozyr("verify", tmp_path / "saved")


# commitments seen before the game


def test_commitments_from_before_the_game_are_compared(kozyr: Kozyr, game_file: Path, tmp_path: Path) -> None:
    """
    A device that kept the commitments can tell that nobody exchanged all of them.
    """
    record = parse_game(game_file.read_text(encoding="utf-8"))
    seen = Shuffle.from_dict(json.loads(record.tags["Shuffle"])).commitments.to_dict()
    file = tmp_path / "seen.json"
    file.write_text(json.dumps(seen), encoding="utf-8")
    done = kozyr("verify", game_file, "--seen", file)
    assert (0, "right: every seed fits its commitment, and all are those seen before the game") == (done.code, done.lines[0])
    file.write_text(json.dumps({**seen, "server": "00" * 32}), encoding="utf-8")
    done = kozyr("verify", game_file, "--seen", file)
    assert (1, "WRONG: the server's commitment is not the one seen before the game") == (done.code, done.lines[0])
    for text in ("", "{}", "[" * 50_000):
        file.write_text(text, encoding="utf-8")
        done = kozyr("verify", game_file, "--seen", file)
        assert (2, f"kozyr: {file} holds no commitments") == (done.code, done.err[: len(f"kozyr: {file} holds no commitments")])


# what chance decides


def some_game(rules: Rules, shuffle: Shuffle, previous: Previous | None = None) -> GameRecord:
    """
    Play a random game of up to 400 moves on a shuffle, and record it.
    """
    drawn = draw(rules, shuffle.stream(), previous)
    position = start(rules, drawn.pack, drawn.dealer, drawn.attacker)
    rng = Random(shuffle.game)
    moves = []
    for _ in range(400):
        open_to = [move for seat in range(rules.seats) for move in legal_moves(position, seat)]
        if not open_to:
            break
        moves.append(rng.choice(open_to))
        play(position, moves[-1])
    return game_record(rules, drawn, moves, [f"p{seat}" for seat in range(rules.seats)], shuffle, previous)


@pytest.mark.parametrize("game", range(12))
def test_redeals_and_lots_are_drawn_again_in_order(game: int) -> None:
    """
    The dealer's lot, each pack, the lot for the first attack: one stream, in the order of R2.6, gives all of them.
    """
    rules = Rules(deck=52, redeal="auto_5", no_trump="redeal" if game % 2 else "lot")
    record = some_game(rules, shuffle_of(2, f"t{game}/1"))
    assert set() == wrong(record)
    assert record == parse_game(format_game(record))


def test_a_redeal_is_told() -> None:
    """
    A pack that was thrown away (R2.6) is drawn again, and counted.
    """
    rules = Rules(deck=52, redeal="auto_5")
    shuffle = next(each for n in range(500) if draw(rules, (each := shuffle_of(2, f"t{n}/1")).stream()).redeals)
    found = check(some_game(rules, shuffle))
    assert any("dealt anew 1 time" in each.text for each in found if each.code == "pack")


def test_a_lot_for_the_first_attack_is_drawn_again() -> None:
    """
    Where nobody holds a trump the lot decides (R3.2); it cannot be another one.
    """
    rules = Rules(deck=52)
    for n in range(500):
        shuffle = shuffle_of(2, f"t{n}/1")
        stream = shuffle.stream()
        drawn = draw(rules, stream)
        untouched = shuffle.stream()
        untouched.below(2)
        untouched.shuffle(52)
        if stream.word() != untouched.word():
            break
    record = some_game(rules, shuffle)
    assert set() == wrong(record)
    other = 1 - drawn.attacker
    assert {"attacker", "moves"} == wrong(replace(record, attacker=other))


@pytest.mark.parametrize("durak", [0, 2, None])
def test_a_later_game_follows_from_the_game_before(durak: int | None) -> None:
    """
    The durak deals (R2.5) and `series_first` names who attacks (R3.3): no lot is drawn, and the record says why.
    """
    rules = Rules(seats=3, series=True, series_first="left_of_durak")
    previous = Previous(1, LastGame(durak, None if durak is None else 1, 0))
    record = some_game(rules, shuffle_of(3), previous)
    assert (1 if durak is None else durak) == record.dealer
    assert format_previous(previous) == record.tags["Previous"]
    assert set() == wrong(record)
    without = replace(record, tags={name: value for name, value in record.tags.items() if name != "Previous"})
    assert "pack" in wrong(without)


@pytest.mark.parametrize(
    "text",
    ["", "dealer=1", "dealer=1,durak=0,winner=2,last_defender=3", "dealer=7,durak=0,winner=2,last_defender=0", "dealer=none,durak=0"],
)
def test_a_game_before_that_cannot_be_is_found(text: str) -> None:
    """
    Seats that the table has not, or no account of a game at all.
    """
    record = some_game(Rules(seats=3), shuffle_of(3))
    assert {"previous"} == wrong(replace(record, tags={**record.tags, "Previous": text}))
    with pytest.raises(ValueError, match=r"the game before|is none of a table"):
        parse_previous(text, 3)


@given(seats=st.integers(2, 6), draws=st.lists(st.integers(0, 5), min_size=4, max_size=4), drawn=st.booleans())
def test_what_is_written_of_a_game_before_is_read_back(seats: int, draws: list[int], drawn: bool) -> None:
    """
    Each account of a game before has one text.
    """
    dealer, durak, winner, defender = (seat % seats for seat in draws)
    previous = Previous(dealer, LastGame(None if drawn else durak, None if drawn else winner, defender))
    assert previous == parse_previous(format_previous(previous), seats)


def test_seats_without_a_seed_are_named() -> None:
    """
    Who has put in a seed, and who has not, is for everybody to see.
    """
    (seeds,) = [each for each in check(some_game(Rules(seats=3), shuffle_of(3, absent=0))) if each.code == "seeds"]
    assert "seeds of players: seat 1; seat 0 put in no seed (not_revealed)" == seeds.text
    server = commit_server("b", bytes_of("s"))
    bots = Shuffle.of_server("b", bytes_of("s"), tuple(SeatSeed.of_bot(server, seat, bytes_of("x")) for seat in (0, 1)))
    (seeds,) = [each for each in check(some_game(Rules(), bots)) if each.code == "seeds"]
    assert "no player put in a seed" == seeds.text


def test_a_seat_that_was_wrongly_called_absent_is_found() -> None:
    """
    A seed that fits its commitment is no mismatch: the server cannot leave it out.
    """
    shuffle = shuffle_of(3)
    kept = shuffle.seats[0]
    left_out = SeatSeed(Origin.ABSENT, kept.commitment, kept.seed, Absence.MISMATCH)
    record = some_game(Rules(seats=3), replace(shuffle, seats=(left_out, *shuffle.seats[1:])))
    assert {"false_mismatch"} == wrong(record)

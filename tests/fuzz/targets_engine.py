"""What of the engine reads: cards, moves, positions, views, options, records and proofs, the engine protocol, weights and problems."""

from __future__ import annotations

import json
from importlib.resources import files
from random import Random

import msgspec
import numpy as np

from kozyr.app.dealing import Previous, draw
from kozyr.app.gamefile import check, format_previous, game_record, parse_previous
from kozyr.arena import messages
from kozyr.arena.engine import Engine
from kozyr.arena.external import Spec, parse_spec
from kozyr.arena.messages import Choose, Chosen, Happened, decode_answer, decode_told
from kozyr.arena.runs import Block, FileError, Lone, format_block, parse_block
from kozyr.bots import LEVELS
from kozyr.bots.cheating import parse_rates
from kozyr.bots.linear import WeightsError, format_weights, parse_weights
from kozyr.bots.network import NetworkError, new_network, read_network, write_network
from kozyr.core.cards import format_card, format_cards, parse_card, parse_cards
from kozyr.core.codes import OVER
from kozyr.core.moves import parse_move
from kozyr.core.notation import LENGTH_MAX, format_position, format_view, parse_position, parse_view
from kozyr.core.options import CHOICES, Rules, format_options, parse_options
from kozyr.core.play import play
from kozyr.core.position import Position
from kozyr.core.record import GameRecord, format_game, parse_game, replay
from kozyr.core.setup import start
from kozyr.core.views import view
from kozyr.fair import Commitments, Shuffle
from kozyr.fair.commit import commit_server
from kozyr.fair.record import SeatSeed
from kozyr.puzzles import Puzzle, parse_puzzles
from tests.core.strategies import random_game, random_move
from tests.fair.samples import EVERY_KIND
from tests.fuzz.feeding import Target


def text(data: bytes) -> str:
    """Read bytes as text whatever they are, so that half a letter reaches a parser too."""
    return data.decode("utf-8", "surrogateescape")


def raw(written: str) -> bytes:
    return written.encode("utf-8", "surrogateescape")


def positions() -> list[Position]:
    """Play to the middle of games of many kinds."""
    found = []
    for seed in range(40):
        rng = Random(seed)
        game = random_game(rng, rng.randrange(120))
        found.append(game.position)
    return found


def moves() -> list[bytes]:
    found = set()
    for seed in range(10):
        game = random_game(Random(seed), 200)
        found |= {raw(str(move)) for move in game.moves}
    return sorted(found)[:80]


def games() -> list[GameRecord]:
    """Play whole games with shuffles that are proved."""
    found = []
    for number in range(4):
        rng = Random(number)
        rules = Rules.of({"deck": 24 + 12 * (number % 2), "seats": 2 + number % 2, "cheat": number == 3, "transfer": True})
        name, secret = f"t1/{number + 1}", rng.randbytes(32)
        shuffle = Shuffle.of_server(
            name, secret, [SeatSeed.of_bot(commit_server(name, secret), seat, rng.randbytes(32)) for seat in range(rules.seats)]
        )
        drawn = draw(rules, shuffle.stream())
        position, played = start(rules, drawn.pack, drawn.dealer, drawn.attacker), []
        while position.phase != OVER and len(played) < 60:
            played.append(random_move(position, rng))
            play(position, played[-1])
        found.append(game_record(rules, drawn, played, [f"P{seat}" for seat in range(rules.seats)], shuffle))
    return found


def read_and_check(data: bytes) -> GameRecord:
    """Read a game's file and check all of it, as `kozyr verify` does; what is wrong with a game is said, not raised."""
    record = parse_game(text(data))
    for each in check(record):
        assert each.text
    return record


def read_and_replay(data: bytes) -> GameRecord:
    record = parse_game(text(data))
    replay(record)
    return record


def read_options(data: bytes) -> Rules:
    return Rules.of(parse_options(text(data)))


def options() -> list[bytes]:
    every = [raw(format_options({name: values[-1]})) for name, values in CHOICES.items() if name != "seats"]
    return [*every, b"", b"deck=52,seats=6,transfer=true,stake=100", b"seats=3,series=true,series_games=5,challenge_ms=1500"]


def told() -> list[bytes]:
    """Lines that a program is told, and lines that it answers."""
    found = [messages.encode(messages.Hello(1, messages.PROTOCOL, "me", None)), messages.encode(messages.Bye(2))]
    for seed in range(12):
        rng = Random(seed)
        game = random_game(rng, rng.randrange(40), cheat=seed % 3 == 0)
        seen = view(game.position, rng.randrange(game.rules.seats))
        found.append(messages.encode(Choose(n=3, ms=1000, view=messages.view_words(seen))))
        if game.position.phase != OVER:
            happened = play(game.position, random_move(game.position, rng))
            found += [messages.encode(Happened(4, messages.event_words(each))) for each in happened[:2]]
    return found


def answers() -> list[bytes]:
    hello = messages.encode(messages.Hello(1, messages.PROTOCOL, "me", None))
    return [hello, messages.encode(Chosen(2, 1, "beat 7h 8h")), messages.encode(messages.Wrong(3, None, "no"))]


def read_told(data: bytes) -> messages.Told:
    """Read a line with the view or the event that it holds."""
    line = decode_told(data)
    if isinstance(line, Choose | messages.Game):
        messages.view_of(line.view)
    elif isinstance(line, Happened):
        messages.event_of(line.event, 6)
    return line


def converse(data: bytes) -> bytes:
    """Tell a level of ours a line; it answers whatever comes, and the answer is one."""
    engine = Engine("me", LEVELS["easy"])
    answered = b""
    for line in data.split(b"\n")[:20]:
        answer = engine.answer(line)
        if answer is not None:
            decode_answer(answer)
            answered = answer
    return answered


def weights() -> list[bytes]:
    folder = files("kozyr.bots")
    return [folder.joinpath(name).read_bytes() for name in ("normal.json",) if folder.joinpath(name).is_file()]


def networks() -> list[bytes]:
    return [write_network(new_network(1, 4, 4, np.random.default_rng(seed)), {"games": seed}) for seed in range(3)]


def puzzle_files() -> list[bytes]:
    whole = json.loads(files("kozyr.puzzles").joinpath("endgames.json").read_text(encoding="utf-8"))
    return [json.dumps({**whole, "puzzles": whole["puzzles"][:count]}).encode() for count in (1, 3)]


def write_puzzles(read: tuple[Puzzle, ...]) -> bytes:
    return repr(read).encode()


def write_rules(rules: Rules) -> bytes:
    return raw(format_options(rules.to_dict()))


PREVIOUS = [b"dealer=2,durak=1,winner=0,last_defender=3", b"dealer=0,durak=none,winner=none,last_defender=1"]
SPECS = [b"external:mine:1000:python bot.py --fast", b"external:a:1:x:y"]


def previous() -> list[bytes]:
    return list(PREVIOUS)


def write_previous(read: Previous) -> bytes:
    return raw(format_previous(read))


def blocks() -> list[bytes]:
    lone = dict.fromkeys(Lone.__dataclass_fields__, 0)
    return [format_block(Block("easy", "normal", 3, 4, Lone(**lone), Lone(**lone))).encode()]


def write_game(record: GameRecord) -> bytes:
    return raw(format_game(record))


ENGINE = (
    Target("a card", lambda: [b"7h", b"Td", b"As", b"2c"], lambda data: parse_card(text(data)), write=lambda card: raw(format_card(card))),
    Target("cards", lambda: [b"7h", b"7h Td As"], lambda data: bytes(parse_cards(text(data))), write=lambda read: raw(format_cards(read))),
    Target("a move", moves, lambda data: parse_move(text(data)), write=lambda move: raw(str(move))),
    Target("options", options, read_options, write=write_rules),
    Target(
        "a position",
        lambda: [raw(format_position(each)) for each in positions()],
        lambda data: parse_position(text(data)),
        write=lambda position: raw(format_position(position)),
        size_max=2 * LENGTH_MAX,
    ),
    Target(
        "a view",
        lambda: [raw(format_view(view(each, seat))) for each in positions() for seat in (0, 1)],
        lambda data: parse_view(text(data)),
        write=lambda seen: raw(format_view(seen)),
        size_max=2 * LENGTH_MAX,
    ),
    Target("a record", lambda: [write_game(each) for each in games()], read_and_replay, write=write_game),
    Target("a game's proof", lambda: [write_game(each) for each in games()], read_and_check, write=write_game),
    Target(
        "a shuffle",
        lambda: [json.dumps(EVERY_KIND.to_dict()).encode()],
        lambda data: Shuffle.from_dict(msgspec.json.decode(data)),
        (ValueError, RecursionError),
        lambda shuffle: json.dumps(shuffle.to_dict()).encode(),
    ),
    Target(
        "commitments",
        lambda: [json.dumps(EVERY_KIND.commitments.to_dict()).encode()],
        lambda data: Commitments.from_dict(json.loads(data)),
        (ValueError, RecursionError),
        lambda seen: json.dumps(seen.to_dict()).encode(),
    ),
    Target("the game before", previous, lambda data: parse_previous(text(data), 4), write=write_previous),
    Target("a line that a program is told", told, read_told, write=lambda line: messages.encode(line), size_max=messages.LINE_MAX),
    Target("a line that a program answers", answers, decode_answer, write=lambda line: messages.encode(line), size_max=messages.LINE_MAX),
    Target("an engine's conversation", told, converse, ()),
    Target("an external player", lambda: list(SPECS), lambda data: parse_spec(text(data)), write=lambda spec: raw(str(Spec(*spec)))),
    Target("a block of results", blocks, lambda data: parse_block(text(data)), (FileError,), lambda block: format_block(block).encode()),
    Target("linear weights", weights, lambda data: parse_weights(text(data)), (WeightsError,), lambda read: raw(format_weights(read, {}))),
    Target("a network", networks, lambda data: read_network(data, "it", 1), (NetworkError,), lambda read: write_network(read, {})),
    Target("rates of cheats", lambda: [b'{"easy": {"slip": 0.1, "catch": 0.2}}'], lambda data: parse_rates(text(data))),
    Target("problems", puzzle_files, lambda data: parse_puzzles(text(data))),
)

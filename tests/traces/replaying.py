"""
Traces of whole games: reading them line by line and comparing an engine with them.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from tests.examples.engines import Engine, Playing, Refused

Line = dict[str, Any]

DEALT = ("options", "hands", "stock", "trump_card", "dealer", "attacker")


class Difference(AssertionError):
    """
    Tell where an engine and a trace part.
    """


def open_traces(path: Path) -> BinaryIO:
    """
    Open a file of traces, plain or gzipped, whatever it is called.
    """
    with path.open("rb") as file:
        is_zipped = file.read(2) == b"\x1f\x8b"
    return cast(BinaryIO, gzip.open(path, "rb")) if is_zipped else path.open("rb")


def read_games(file: BinaryIO, chunk: int, of: int) -> Iterator[list[bytes]]:
    """
    Give the lines of every game whose place in the file, counted round *of*, is *chunk*.

    Only one game is held at a time. A line with "options" starts a game.
    """
    game: list[bytes] = []
    number = -1
    for line in file:
        if b'"options"' in line:
            if game:
                yield game
            number += 1
            game = []
        elif number < 0 and line.strip():
            raise Difference(f"the first line starts no game: {line[:200]!r}")
        if number % of == chunk and line.strip():
            game.append(line)
    if game:
        yield game


def replay(engine: Engine, path: Path, chunk: int, of: int) -> tuple[int, int]:
    """
    Replay every game of a chunk; count the games and the states compared.

    Raises: Difference at the first one.
    """
    games = states = 0
    with open_traces(path) as file:
        for game in read_games(file, chunk, of):
            replay_game(engine, game)
            games += 1
            states += len(game)
    return games, states


def replay_game(engine: Engine, game: list[bytes]) -> None:
    """
    Compare one game's every state and every seat's legal moves.
    """
    head: Line = msgspec.json.decode(game[0])
    moves: list[str] = []
    playing = engine.from_deal(*(head[key] for key in DEALT))
    before = line = head
    try:
        compare(playing, line)
        for n, text in enumerate(islice(game, 1, None), 1):
            before, line = line, msgspec.json.decode(text)
            moves.append(f"{line['seat']} {line['move']}")
            if (line["game"], line["n"]) != (head["game"], n):
                raise Difference(f"the trace goes on with game {line['game']}, move {line['n']}")
            try:
                playing.do(line["seat"], line["move"])
            except Refused:
                raise Difference("the engine does not accept the move") from None
            compare(playing, line)
    except Difference as difference:
        raise Difference(f"{tell(head, moves, before)}\n{difference}") from None
    except Exception as error:
        error.add_note(tell(head, moves, before))
        raise


def compare(playing: Playing, line: Line) -> None:
    """
    Compare the state and the legal moves with those of a line.

    Raises: Difference that shows both sides.
    """
    state = playing.state()
    legal = [playing.legal(seat) for seat in range(len(line["legal"]))]
    if state == line["state"] and legal == line["legal"]:
        return
    told = [
        f"the trace's state:  {json.dumps(line['state'])}",
        f"the engine's state: {json.dumps(state)}",
        f"the trace's legal moves:  {json.dumps(line['legal'])}",
        f"the engine's legal moves: {json.dumps(legal)}",
        "they differ in",
    ]
    for key in sorted(state | line["state"]):
        theirs, ours = line["state"].get(key), state.get(key)
        if theirs != ours:
            told.append(f"  {key}: the trace has {theirs}, the engine {ours}")
    for seat, (theirs, ours) in enumerate(zip(line["legal"], legal, strict=True)):
        if theirs != ours:
            only = (sorted(set(theirs) - set(ours)), sorted(set(ours) - set(theirs)))
            told.append(f"  the legal moves of seat {seat}: only the trace has {only[0]}, only the engine {only[1]}")
    raise Difference("\n".join(told))


def tell(head: Line, moves: list[str], before: Line) -> str:
    """
    Write down a game, its moves, and the position before the last of them.
    """
    return "\n".join(
        [
            f"game {head['game']}, move {len(moves)}: {moves[-1] if moves else 'the deal'}",
            *(f"{key}: {json.dumps(head[key])}" for key in DEALT),
            f"moves: {', '.join(moves)}",
            f"the position before the last move: {json.dumps(before['state'])}",
        ]
    )

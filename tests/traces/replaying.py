"""
Traces of whole games: reading them line by line and comparing an engine with them.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, cast

from tests.examples.engines import Engine, Playing, Refused

Line = dict[str, Any]

CHUNK_BYTES = {True: 1 << 20, False: 16 << 20}  # zipped or not: about a minute of replaying in the slower engine


class Difference(AssertionError):
    """
    Tell where an engine and a trace part.
    """


def open_traces(path: Path) -> TextIO:
    """
    Open a file of traces, plain or gzipped, whatever it is called.
    """
    return cast(TextIO, gzip.open(path, "rt", encoding="utf-8")) if is_zipped(path) else path.open(encoding="utf-8")


def is_zipped(path: Path) -> bool:
    """
    Say whether a file is gzipped.
    """
    with path.open("rb") as file:
        return file.read(2) == b"\x1f\x8b"


def chunks(path: Path) -> int:
    """
    Choose into how many tests a file is cut, so that several processes can share it.
    """
    return min(64, 1 + path.stat().st_size // CHUNK_BYTES[is_zipped(path)])


def read_games(file: TextIO, chunk: int, of: int) -> Iterator[list[str]]:
    """
    Give the lines of every game whose place in the file, counted round *of*, is *chunk*.

    Only one game is held at a time. A line with "options" starts a game.
    """
    game: list[str] = []
    number = -1
    for line in file:
        if '"options"' in line:
            if game:
                yield game
            number += 1
            game = []
        elif number < 0 and line.strip():
            raise Difference(f"the first line starts no game: {line[:200]}")
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


def replay_game(engine: Engine, game: list[str]) -> None:
    """
    Compare one game's every state and every seat's legal moves.
    """
    head: Line = json.loads(game[0])
    playing = engine.from_deal(*(head[key] for key in ("options", "hands", "stock", "trump_card", "dealer", "attacker")))
    compare(playing, head, game, 0)
    for n, text in enumerate(islice(game, 1, None), 1):
        line: Line = json.loads(text)
        if (line["game"], line["n"]) != (head["game"], n):
            raise Difference(f"game {head['game']}, move {n}, is followed by game {line['game']}, move {line['n']}")
        try:
            playing.do(line["seat"], line["move"])
        except Refused:
            told = tell(game, n, ["the engine does not accept the move; it accepts from this seat", f"  {playing.legal(line['seat'])}"])
            raise Difference(told) from None
        compare(playing, line, game, n)


def compare(playing: Playing, line: Line, game: list[str], n: int) -> None:
    """
    Compare the state and the legal moves after move *n*.
    """
    state = playing.state()
    legal = [playing.legal(seat) for seat in range(len(line["legal"]))]
    if state == line["state"] and legal == line["legal"]:
        return
    told: list[str] = []
    for key in sorted(state | line["state"]):
        theirs, ours = line["state"].get(key), state.get(key)
        if theirs != ours:
            told += [f"  {key}: the trace has  {theirs}", f"  {' ' * len(key)}  the engine has {ours}"]
    for seat, (theirs, ours) in enumerate(zip(line["legal"], legal, strict=True)):
        if theirs != ours:
            only = (sorted(set(theirs) - set(ours)), sorted(set(ours) - set(theirs)))
            told += [f"  seat {seat}'s legal moves: only in the trace  {only[0]}", f"{' ' * 23}only in the engine {only[1]}"]
    ours_whole = [f"the engine's state: {json.dumps(state)}", f"the engine's legal moves: {json.dumps(legal)}"]
    raise Difference(tell(game, n, [*ours_whole, "differences:", *told]))


def tell(game: list[str], n: int, told: list[str]) -> str:
    """
    Write down the game, the position before move *n*, the move, and what differs after it.
    """
    lines = [json.loads(text) for text in game[: n + 1]]
    head = lines[0]
    moves = [f"{line['seat']} {line['move']}" for line in lines[1:]]
    return "\n".join(
        [
            f"game {head['game']}, move {n}: {moves[-1] if moves else 'the deal'}",
            *(f"{key}: {json.dumps(head[key])}" for key in ("options", "hands", "stock", "trump_card", "dealer", "attacker")),
            f"moves: {', '.join(moves)}",
            f"the position before the move: {json.dumps(lines[max(0, n - 1)]['state'])}",
            f"the trace's state: {json.dumps(lines[n]['state'])}",
            f"the trace's legal moves: {json.dumps(lines[n]['legal'])}",
            *told,
        ]
    )

"""`kozyr verify`: the check of a game's file."""
from __future__ import annotations

import json
from pathlib import Path

from kozyr.app.gamefile import check
from kozyr.cli.reading import read, read_file
from kozyr.cli.trouble import Trouble
from kozyr.core.record import SIZE_MAX, parse_game
from kozyr.fair import Commitments


def verify(game: Path, /, *, seen: Path | None = None) -> int:
    """
    Check a game's file: that its cards were shuffled as committed, and that its moves and result are right.

    Exit code 0: all is right; 1: something is wrong; 2: this is no game's file.

    Parameters
    ----------
    game
        The file, from kozyr play or downloaded from a server.
    seen
        A file with the commitments that were published before the game. Without it nothing tells whether all have been exchanged since.
    """
    record = read(str(game), parse_game, read_file(game, 4 * SIZE_MAX))
    found = check(record, None if seen is None else _read_commitments(seen))
    for each in found:
        print(f"{'right' if each.is_right else 'WRONG'}: {each.text}")
    wrong = sum(not each.is_right for each in found)
    print("The game is as it should be." if not wrong else f"Something is wrong with this game: {wrong} finding{'s' if wrong > 1 else ''}.")
    return 1 if wrong else 0


def _read_commitments(path: Path) -> Commitments:
    try:
        return Commitments.from_dict(json.loads(read_file(path, SIZE_MAX)))
    except (ValueError, RecursionError) as error:
        raise Trouble(f"{path} holds no commitments: {error}") from None

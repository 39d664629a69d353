"""`kozyr play`: a game in the terminal, shuffled provably."""
from __future__ import annotations

import hashlib
import secrets
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from kozyr.app.dealing import Drawn, draw
from kozyr.app.gamefile import game_record
from kozyr.bots import LEVELS
from kozyr.cli.reading import Switch, read_rules
from kozyr.cli.terminal import Left, Terminal
from kozyr.cli.trouble import Trouble
from kozyr.cli.words import SUITS, Words
from kozyr.core.codes import OVER
from kozyr.core.options import Rules, Value, format_options
from kozyr.core.position import Position
from kozyr.core.record import format_game
from kozyr.core.setup import start
from kozyr.core.views import view
from kozyr.fair import SEED_BYTES, SeatSeed, Shuffle, commit_seat, commit_server

YOU = 0


def play(
    *,
    seats: int | None = None,
    deck: int | None = None,
    transfer: bool | None = None,
    cheat: bool | None = None,
    throw_scope: Literal["all", "neighbours", "attacker"] | None = None,
    preset: str | None = None,
    option: Annotated[list[str] | None, Parameter(negative="")] = None,
    level: Annotated[list[str] | None, Parameter(negative="")] = None,
    seed: str | None = None,
    record: Path | None = None,
    spoken: Switch = False,
) -> int:
    """
    Play a game against bots in this terminal.

    Parameters
    ----------
    seats
        How many sit at the table, you among them: 2 to 6.
    deck
        How many cards are played with: 24, 36 or 52.
    transfer
        The defender may pass an attack on.
    cheat
        Cards may be played unlawfully, and challenged.
    throw_scope
        Who may throw in.
    preset
        Rules by name: throw_in, transfer, classic, peak, cheating, heads_up_24. What you say besides must fit it.
    option
        Any other option of a table, as name=value; may be given again and again.
    level
        How well the bots play; given again and again it is the level of the first bot, the second and so on, the last also of all others.
    seed
        The same seed deals the same game again.
    record
        A new file to write the game to, for kozyr verify.
    spoken
        Write cards out: seven of hearts.
    """
    named: dict[str, Value | None] = {"seats": seats, "deck": deck, "transfer": transfer, "cheat": cheat, "throw_scope": throw_scope}
    rules = read_rules(preset, {name: value for name, value in named.items() if value is not None}, option or [])
    levels = levels_of(level or ["easy"], rules.seats - 1)
    if record is not None and (record.exists() or not record.parent.is_dir()):
        raise Trouble(f"{record} {'exists already' if record.exists() else 'is in no folder'}: the game is written to a new file")
    shuffle = committed(rules, seed)
    drawn = draw(rules, shuffle.stream())
    position = start(rules, drawn.pack, drawn.dealer, drawn.attacker)
    words = Words(("You", *(f"Bot {seat}" for seat in range(1, rules.seats))), YOU, spoken)
    introduce(rules, words, shuffle, drawn, position)
    terminal = Terminal(position, YOU, {seat: LEVELS[name] for seat, name in enumerate(levels, 1)}, words, say, ask)
    try:
        terminal.play()
    except Left:
        say("You have left the game.")
    say(f"The seed of the shuffle: {shuffle.server_seed.hex()}.")
    if record is not None:
        players = ["You", *(f"{name} ({kind})" for name, kind in zip(words.names[1:], levels, strict=True))]
        write(record, format_game(game_record(rules, drawn, terminal.moves, players, shuffle)))
        say(f"The game is in {record}{'' if position.phase == OVER else ', as far as it went'}; kozyr verify checks it.")
    return 0


def committed(rules: Rules, seed: str | None) -> Shuffle:
    """Draw the seeds of all seats and of the dealing machine, or derive them from *seed*, and commit to them."""
    game = f"terminal-{secrets.token_hex(6)}" if seed is None else f"terminal-{hashlib.sha256(seed.encode()).hexdigest()[:12]}"
    server_seed = _secret(seed, "server")
    server = commit_server(game, server_seed)
    own = _secret(seed, "you")
    entries = [SeatSeed.of_player(server, YOU, commit_seat(server, YOU, own), own)]
    entries += [SeatSeed.of_bot(server, seat, _secret(seed, f"bot {seat}")) for seat in range(1, rules.seats)]
    return Shuffle.of_server(game, server_seed, tuple(entries))


def levels_of(named: list[str], bots: int) -> list[str]:
    """Say which level each of the bots has, the last one named for all that are left. Raises: Trouble."""
    for level in named:
        if level not in LEVELS:
            raise Trouble(f"there is no level {level!r}; there are {', '.join(LEVELS)}")
    if len(named) > bots:
        raise Trouble(f"{len(named)} levels are for more bots than there are: {bots}")
    return named + named[-1:] * (bots - len(named))


def introduce(rules: Rules, words: Words, shuffle: Shuffle, drawn: Drawn, position: Position) -> None:
    """Say what is played, prove that the cards are settled, and show the deal."""
    say(f"Durak with {rules.deck} cards: you and {', '.join(words.names[1:])}. {format_options(rules.differences())}")
    say(f"The shuffle is settled; its commitment: {shuffle.server_commitment.hex()}.")
    say(f"{words.does(drawn.dealer, 'deal')}. {words.does(drawn.attacker, 'attack')} first.")
    seen = view(position, YOU)
    say(f"Trump: {SUITS[seen.trump]}. Your hand: {words.hand(seen)}.")


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


def ask(question: str) -> str | None:
    """Read an answer from standard input; None at its end."""
    try:
        return input(question)
    except EOFError:
        print()
        return None
    except UnicodeDecodeError:
        return "?!"


def write(path: Path, text: str) -> None:
    """Write a new file. Raises: Trouble."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise Trouble(f"cannot write {path}: {error.strerror or error}") from None


def _secret(seed: str | None, whose: str) -> bytes:
    if seed is None:
        return secrets.token_bytes(SEED_BYTES)
    return hashlib.sha256(f"kozyr play\0{whose}\0{seed}".encode()).digest()

"""A table as the fold of its log, and the game that is played at it."""
from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from kozyr.app.dealing import Previous
from kozyr.app.events import BOT, GameEnded, Player
from kozyr.core.options import Rules
from kozyr.core.position import Position
from kozyr.fair import Absence, Origin, SeatSeed, Shuffle, commit_seat

SEED_MS = 3000
"""How long seats have to commit, and then to reveal, their seeds."""


class Stage(StrEnum):
    """How far a game is."""

    SEEDS = "seeds"
    PLAYING = "playing"
    OVER = "over"


class SeedState(StrEnum):
    """How far a seat's seed is."""

    WAITING = "waiting"
    COMMITTED = "committed"
    REVEALED = "revealed"
    SERVER = "server"
    ABSENT = "absent"


class Seed(Struct, frozen=True):
    """What a seat puts into the shuffle; the seed of a bot is secret until the game is over."""

    state: SeedState = SeedState.WAITING
    commitment: str | None = None
    seed: str | None = None

    def to_record(self) -> SeatSeed:
        """Return it as the record of the shuffle has it."""
        commitment = None if self.commitment is None else bytes.fromhex(self.commitment)
        if self.state in (SeedState.REVEALED, SeedState.SERVER):
            origin = Origin.SEAT if self.state is SeedState.REVEALED else Origin.SERVER
            return SeatSeed(origin, commitment, None if self.seed is None else bytes.fromhex(self.seed))
        return SeatSeed(Origin.ABSENT, commitment, absence=Absence.NOT_REVEALED if commitment else Absence.NO_COMMITMENT)

    @classmethod
    def of_bot(cls, server_commitment: str, seat: int, seed: str) -> Seed:
        """Return the seed that the server drew for a bot, committed like the others."""
        commitment = commit_seat(bytes.fromhex(server_commitment), seat, bytes.fromhex(seed), Origin.SERVER)
        return cls(SeedState.SERVER, commitment.hex(), seed)


class Game(Struct, frozen=True):
    """
    One game of a table.

    The running clock was started at `clock` and acts at `due`, None where none runs; `has_grace` if it was lengthened for a lost
    connection. `lapses` are each seat's lapses in a row (R16.2). Times are in milliseconds.
    """

    number: int
    commitment: str
    server_seed: str
    seeds: tuple[Seed, ...]
    clock: int
    due: int | None
    lapses: tuple[int, ...]
    has_grace: bool = False
    stage: Stage = Stage.SEEDS
    dealer: int | None = None
    pack: bytes = b""
    redeals: int = 0
    attacker: int | None = None
    position: Position | None = None
    ended: GameEnded | None = None
    autopilot: frozenset[int] = frozenset()
    again: frozenset[int] = frozenset()

    @property
    def may_reveal(self) -> bool:
        """Whether every seat has committed or is absent."""
        return self.stage is Stage.SEEDS and all(seed.state is not SeedState.WAITING for seed in self.seeds)

    @property
    def may_deal(self) -> bool:
        """Whether nothing more is awaited for the shuffle."""
        return self.may_reveal and all(seed.state is not SeedState.COMMITTED for seed in self.seeds)


class Table(Struct, frozen=True):
    """A table at `seq` of its log; its last event happened at the millisecond `at`."""

    id: str
    seq: int
    at: int
    rules: Rules
    players: tuple[Player, ...]
    game: Game | None = None
    previous: Previous | None = None

    @property
    def position(self) -> Position | None:
        """The position of the present game, once it is dealt."""
        return None if self.game is None else self.game.position

    @property
    def due(self) -> int | None:
        """When the clock acts if nothing happens before, in milliseconds; None where no clock runs."""
        return None if self.game is None else self.game.due

    def seat_of(self, guest: str | None) -> int | None:
        """Name the seat of a guest; None for everybody who has none here."""
        if guest is None:
            return None
        return next((seat for seat, player in enumerate(self.players) if player.guest == guest), None)

    def bot_at(self, seat: int) -> str | None:
        """Return the level of the bot that plays a seat now, be it on autopilot."""
        if self.players[seat].kind == BOT:
            return self.players[seat].level
        return "easy" if self.game is not None and seat in self.game.autopilot else None


def game_id(table_id: str, number: int) -> str:
    """Name a game as its shuffle's commitment binds it."""
    return f"{table_id}/{number}"


def shuffle_of(table: Table, game: Game) -> Shuffle:
    """Return the record of a game's shuffle. It holds the secret: no view may have it before the game is over (V5)."""
    seats = tuple(seed.to_record() for seed in game.seeds)
    return Shuffle(game_id(table.id, game.number), bytes.fromhex(game.commitment), bytes.fromhex(game.server_seed), seats)

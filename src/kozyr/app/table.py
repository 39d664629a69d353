"""A table as the fold of its log, and the game that is played at it."""
from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from kozyr.app.dealing import Previous
from kozyr.app.events import BOT, PERSON, GameEnded, Player, TableClosed
from kozyr.core.options import Rules
from kozyr.core.position import Position
from kozyr.fair import Absence, Origin, SeatSeed, Shuffle, commit_seat

SEED_MS = 3000
"""How long seats have to commit, and then to reveal, their seeds."""


WAIT_MS = 600_000
"""How long whoever is away keeps a seat at a table that waits for people."""

STILL_MS = 90_000
"""Bots who play on alone, without a clock, never take so long for a move."""


class Stage(StrEnum):
    """How far a table is: people gather, or how far its game is, or that it is closed."""

    GATHERING = "gathering"
    CLOSED = "closed"
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


class Game(Struct, frozen=True, gc=False):
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

    @property
    def may_reveal(self) -> bool:
        """Whether every seat has committed or is absent."""
        return self.stage is Stage.SEEDS and all(seed.state is not SeedState.WAITING for seed in self.seeds)

    @property
    def may_deal(self) -> bool:
        """Whether nothing more is awaited for the shuffle."""
        return self.may_reveal and all(seed.state is not SeedState.COMMITTED for seed in self.seeds)


class Series(Struct, frozen=True):
    """How often each seat has been first out and the durak, in so many games (R12.1)."""

    wins: tuple[int, ...]
    losses: tuple[int, ...]
    games: int = 0

    @property
    def standing(self) -> list[int]:
        """
        List the seats, the best first: by wins minus losses, then by fewer losses.

        Source: R12.2.
        """
        return sorted(range(len(self.wins)), key=lambda seat: (self.losses[seat] - self.wins[seat], self.losses[seat], seat))

    def is_over(self, rules: Rules) -> bool:
        """Whether as many games have been played as were chosen."""
        return 0 < rules.series_games <= self.games


class Table(Struct, frozen=True, gc=False):
    """
    A table at `seq` of its log; its last event happened at the millisecond `at`.

    `host` is the guest who looks after it. `ready` are the persons' seats that want the next game. `wait` is when seats of persons who
    are away are freed, in milliseconds, while seats are empty.
    """

    id: str
    seq: int
    at: int
    rules: Rules
    players: tuple[Player | None, ...]
    game: Game | None = None
    previous: Previous | None = None
    is_private: bool = False
    password: str | None = None
    host: str | None = None
    ready: frozenset[int] = frozenset()
    wait: int | None = None
    is_closed: bool = False
    closing: TableClosed | None = None
    series: Series | None = None

    @property
    def stage(self) -> Stage:
        """How far the table is."""
        if self.is_closed:
            return Stage.CLOSED
        return Stage.GATHERING if self.game is None else self.game.stage

    @property
    def is_running(self) -> bool:
        """Whether a game runs, from its opening to its end."""
        return self.game is not None and self.game.stage is not Stage.OVER

    @property
    def persons(self) -> list[int]:
        """The seats where persons sit."""
        return [seat for seat, player in enumerate(self.players) if player is not None and player.kind == PERSON]

    @property
    def host_seat(self) -> int | None:
        """The seat of whoever looks after the table."""
        return self.seat_of(self.host)

    @property
    def may_start(self) -> bool:
        """Whether every seat is taken and every person wants the next game."""
        return not self.is_running and None not in self.players and self.ready.issuperset(self.persons)

    @property
    def position(self) -> Position | None:
        """The position of the present game, once it is dealt."""
        return None if self.game is None else self.game.position

    @property
    def due(self) -> int | None:
        """When the clock acts if nothing happens before, in milliseconds; None where no clock runs."""
        game = self.game
        return self.wait if game is None or game.stage is Stage.OVER else game.due

    @property
    def wake(self) -> int | None:
        """
        When somebody has to look at the table if nothing happens before, in milliseconds; None where it waits for people, or for nothing.

        That is when its clock acts. Where none runs and all who are left are bots, nobody would come to a table whose process has died:
        somebody looks when they must have moved long ago.
        """
        due, position = self.due, self.position
        if due is not None or position is None or not self.is_running or not self.has_bots:
            return due
        is_alone = all(self.bot_at(seat) is not None for seat in range(self.rules.seats) if position.seats_in >> seat & 1)
        return self.at + STILL_MS if is_alone else None

    def seat_of(self, guest: str | None) -> int | None:
        """Name the seat of a guest; None for everybody who has none here."""
        if guest is None:
            return None
        return next((seat for seat, player in enumerate(self.players) if player is not None and player.guest == guest), None)

    @property
    def has_bots(self) -> bool:
        """Whether a bot plays any seat now, be it on autopilot."""
        if self.game is not None and self.game.autopilot:
            return True
        return any(player is not None and player.kind == BOT for player in self.players)

    def bot_at(self, seat: int) -> str | None:
        """Return the level of the bot that plays a seat now, be it on autopilot."""
        player = self.players[seat]
        if player is not None and player.kind == BOT:
            return player.level
        return "easy" if self.game is not None and seat in self.game.autopilot else None


def game_id(table_id: str, number: int) -> str:
    """Name a game as its shuffle's commitment binds it."""
    return f"{table_id}/{number}"


def shuffle_of(table: Table, game: Game) -> Shuffle:
    """Return the record of a game's shuffle. It holds the secret: no view may have it before the game is over (V5)."""
    seats = tuple(seed.to_record() for seed in game.seeds)
    return Shuffle(game_id(table.id, game.number), bytes.fromhex(game.commitment), bytes.fromhex(game.server_seed), seats)

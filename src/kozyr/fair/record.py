"""The record of one shuffle: who committed what, who revealed what, and the stream it makes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

from kozyr.fair import reading
from kozyr.fair.commit import (
    COMMITMENT_BYTES,
    PROTOCOL,
    SEATS_MAX,
    SEATS_MIN,
    SEED_BYTES,
    Absence,
    Origin,
    commit_seat,
    commit_server,
    exact,
    game_bytes,
    stream_key,
)
from kozyr.fair.stream import Stream


@dataclass(frozen=True, slots=True)
class SeatSeed:
    """
    What one seat put into the shuffle.

    *seed* is what the seat revealed. A seat that is absent by *mismatch* keeps it too, as the proof that it does not fit.

    Raises: ValueError when the parts do not belong together.
    """

    origin: Origin
    commitment: bytes | None = None
    seed: bytes | None = None
    absence: Absence | None = None

    def __post_init__(self) -> None:
        if (self.origin is Origin.ABSENT) != (self.absence is not None):
            raise ValueError("a seat has a reason for its absence exactly when it is absent")
        committed = self.absence is not Absence.NO_COMMITMENT
        revealed = committed and self.absence is not Absence.NOT_REVEALED
        state = self.absence or self.origin
        for value, wanted, length, what in (
            (self.commitment, committed, COMMITMENT_BYTES, "commitment"),
            (self.seed, revealed, SEED_BYTES, "seed"),
        ):
            if (value is not None) != wanted:
                raise ValueError(f"a seat recorded as {state} has {'a' if wanted else 'no'} {what}")
            if value is not None:
                exact(value, length, f"the {what} of a seat")

    @classmethod
    def of_player(cls, server_commitment: bytes, seat: int, commitment: bytes | None, revealed: bytes | None) -> Self:
        """
        Judge what a player's *seat* sent: None for what never came.

        Raises: ValueError for a seed without a commitment, which is to be refused when it arrives, and for wrong lengths.
        """
        if commitment is None:
            if revealed is not None:
                raise ValueError(f"seat {seat} revealed a seed without a commitment")
            return cls(Origin.ABSENT, absence=Absence.NO_COMMITMENT)
        if revealed is None:
            return cls(Origin.ABSENT, commitment, absence=Absence.NOT_REVEALED)
        if commit_seat(server_commitment, seat, revealed) != commitment:
            return cls(Origin.ABSENT, commitment, revealed, Absence.MISMATCH)
        return cls(Origin.SEAT, commitment, revealed)

    @classmethod
    def of_bot(cls, server_commitment: bytes, seat: int, seed: bytes) -> Self:
        """Put in the *seed* that the server drew for a bot; its commitment must be published with those of the players."""
        return cls(Origin.SERVER, commit_seat(server_commitment, seat, seed, Origin.SERVER), seed)

    @property
    def mixed(self) -> bytes:
        """The bytes that go into the key: the seed, or nothing when absent."""
        return b"" if self.origin is Origin.ABSENT or self.seed is None else self.seed

    def to_dict(self) -> dict[str, object]:
        """Write the seat as JSON objects hold it, leaving out what there is not."""
        parts: dict[str, object] = {"origin": str(self.origin)}
        if self.absence is not None:
            parts["absence"] = str(self.absence)
        if self.commitment is not None:
            parts["commitment"] = self.commitment.hex()
        if self.seed is not None:
            parts["seed"] = self.seed.hex()
        return parts

    @classmethod
    def from_dict(cls, parts: object, where: str = "seat") -> Self:
        """Read what `to_dict` wrote. Raises: ValueError that names the place, starting with *where*."""
        fields = reading.fields(parts, where, ("origin",), ("absence", "commitment", "seed"))
        origin = reading.choice(fields["origin"], Origin, f"{where}.origin")
        absence = reading.choice(fields["absence"], Absence, f"{where}.absence") if "absence" in fields else None
        commitment, seed = (
            reading.hexadecimal(fields[key], length, f"{where}.{key}") if key in fields else None
            for key, length in (("commitment", COMMITMENT_BYTES), ("seed", SEED_BYTES))
        )
        try:
            return cls(origin, commitment, seed, absence)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None


@dataclass(frozen=True, slots=True)
class Commitments:
    """
    All commitments of one game, as published before any seat reveals; None for a seat that sent none.

    A device that keeps them can tell afterwards that nobody's was exchanged.
    """

    game: str
    server: bytes
    seats: tuple[bytes | None, ...]

    def __post_init__(self) -> None:
        game_bytes(self.game)
        exact(self.server, COMMITMENT_BYTES, "the server's commitment")
        _check_seats(len(self.seats))
        for seat, commitment in enumerate(self.seats):
            if commitment is not None:
                exact(commitment, COMMITMENT_BYTES, f"the commitment of seat {seat}")

    def to_dict(self) -> dict[str, object]:
        """Write the commitments as JSON objects hold them."""
        seats = [None if commitment is None else commitment.hex() for commitment in self.seats]
        return {"protocol": PROTOCOL, "game": self.game, "server": self.server.hex(), "seats": seats}

    @classmethod
    def from_dict(cls, parts: object) -> Self:
        """Read what `to_dict` wrote. Raises: ValueError that names the place."""
        fields = reading.fields(parts, "commitments", ("protocol", "game", "server", "seats"))
        reading.protocol(fields["protocol"])
        seats = enumerate(reading.sequence(fields["seats"], "seats"))
        return cls(
            reading.text(fields["game"], "game"),
            reading.hexadecimal(fields["server"], COMMITMENT_BYTES, "server"),
            tuple(None if at is None else reading.hexadecimal(at, COMMITMENT_BYTES, f"seats[{seat}]") for seat, at in seats),
        )


@dataclass(frozen=True, slots=True)
class Shuffle:
    """
    Everything that made one game's shuffle. It holds the server's seed: no view may have it before the game is over (V5).

    Only shapes are checked here; whether the seeds fit the commitments is what `verify` asks.

    Raises: ValueError for wrong lengths, fewer than 2 or more than 255 seats, or a bad game id.
    """

    game: str
    server_commitment: bytes
    server_seed: bytes = field(repr=False)  # a log line that shows a game must not show its deck
    seats: tuple[SeatSeed, ...]

    def __post_init__(self) -> None:
        game_bytes(self.game)
        exact(self.server_commitment, COMMITMENT_BYTES, "the server's commitment")
        exact(self.server_seed, SEED_BYTES, "the server's seed")
        _check_seats(len(self.seats))

    @classmethod
    def of_server(cls, game: str, server_seed: bytes, seats: tuple[SeatSeed, ...]) -> Self:
        """Make the record of a game from the server's own seed, working out its commitment."""
        return cls(game, commit_server(game, server_seed), server_seed, seats)

    @property
    def commitments(self) -> Commitments:
        """The part of the record that was public before any seat revealed."""
        return Commitments(self.game, self.server_commitment, tuple(seat.commitment for seat in self.seats))

    @property
    def key(self) -> bytes:
        """The key of the stream."""
        return stream_key(self.game, self.server_seed, [(seat.origin, seat.mixed) for seat in self.seats])

    def stream(self) -> Stream:
        """Open the game's stream at its beginning."""
        return Stream(self.key)

    def to_dict(self) -> dict[str, object]:
        """Write the record as JSON objects hold it."""
        return {
            "protocol": PROTOCOL,
            "game": self.game,
            "server": {"commitment": self.server_commitment.hex(), "seed": self.server_seed.hex()},
            "seats": [seat.to_dict() for seat in self.seats],
        }

    @classmethod
    def from_dict(cls, parts: object) -> Self:
        """Read what `to_dict` wrote. Raises: ValueError that names the place."""
        fields = reading.fields(parts, "shuffle", ("protocol", "game", "server", "seats"))
        reading.protocol(fields["protocol"])
        server = reading.fields(fields["server"], "server", ("commitment", "seed"))
        seats = reading.sequence(fields["seats"], "seats")
        return cls(
            reading.text(fields["game"], "game"),
            reading.hexadecimal(server["commitment"], COMMITMENT_BYTES, "server.commitment"),
            reading.hexadecimal(server["seed"], SEED_BYTES, "server.seed"),
            tuple(SeatSeed.from_dict(value, f"seats[{seat}]") for seat, value in enumerate(seats)),
        )


def _check_seats(seats: int) -> None:
    if not SEATS_MIN <= seats <= SEATS_MAX:
        raise ValueError(f"a shuffle has {SEATS_MIN} to {SEATS_MAX} seats, not {seats}")
